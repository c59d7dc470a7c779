"""Which parts of a message state something, and what kind of statement a sentence is.

Precision first: what is not clearly somebody's statement about the world (code, logs, quotes, questions, courtesies,
passing states, guesses) gives nothing.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from graphmem.model.knowledge import MemoryType
from graphmem.rules.language.marks import Sieve
from graphmem.rules.language.sentences import sentence_spans
from graphmem.rules.reading.demands import demand_of

MAX_READ_CHARS = 20_000
"""How much of one message is read; the rest keeps its words and yields nothing."""

Noise = Literal["question", "courtesy", "transient", "guess", "condition", "log", "request", "short"]

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)")
_QUOTED = re.compile(r"^\s{0,3}>(?!>)")
_BULLET = re.compile(r"^\s*(?:[-*•+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)")
_SKIPPED_LINE = re.compile(
    r"""^\s*(?:
      \#{1,6}\s | \|.*\|\s*$ | [-=*_]{3,}\s*$
    | \$\s | >>>\s | \.\.\.\s | %\s | C:\\ | [\w.-]+@[\w-]+:.*\$\s
    | Traceback\ \(most\ recent | File\ "[^"]*",\ line\ \d | at\ [\w$.<>]+\( | Caused\ by: | \.\.\.\ \d+\ more
    | (?:[\w.]*\.)?\w*(?:Error|Exception|Warning|Interrupt)(?:\ \[\w+\])?: | panic:[ ]
    | goroutine\ \d | thread\ '.*'\ panicked
    | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d | \[?\d\d:\d\d:\d\d | \d+\.\d+\.\d+\.\d+\ -\ - | \w{3}\ +\d+\ \d\d:\d\d:\d\d
    | \[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\b[\]:\ ]
    | (?:npm|yarn|pip|cargo|error|warning|fatal|remote|hint)(?:\ (?:ERR!|WARN))?:\ | npm\ (?:ERR|WARN)
    | [{}\[\]<@] | "[\w-]+":\ | diff\ --git | @@\ | [+-]{3}\ [ab]/ | (?:GET|POST|PUT|DELETE|PATCH|HEAD)\ /
    | (?:def|class|function|import|from|return|const|let|var|public|private|async|if|for|while
      |select|insert|create)\b.*[:;{(]\s*$
    | (?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MATCH|MERGE)\ .*(?:FROM|INTO|SET|TABLE|RETURN|WHERE)\b
    | (?:PASS|FAIL|PASSED|FAILED|SKIPPED)\b | -{3}\ (?:PASS|FAIL|SKIP):
    | =+\ .*\ =+$ | collected\ \d+\ items? | \w+\(.*\);?\s*$ | [\w.]+\ =\ \S.*$
    )""",
    re.VERBOSE,
)
_FACE = re.compile(r"(?<=\s)[:;]-?[)(DPp](?=\s|$)|[\U0001f300-\U0001faff\u2600-\u27bf]+(?=\s|$)")
"""Faces and pictographs end a sentence too, where people write without full stops."""

_GREETING_HEAD = re.compile(
    r"(?i)^(?:(?:in any case|ok(?:ay)? so|(?:ah|oh) right|(?:agreed|no need|sorry)(?=,)|"
    r"(?:yes|yeah|yep|no)(?=,? but\b)|correction(?=[,:])|fwiw|"
    r"keep in mind that|mind you|and remember|please note that|note that|nope|pls)[,:]?\s+|"
    r"(?:(?:hey|hi|hello|yo|morning|good (?:morning|afternoon|evening)|ok(?:ay)?|yeah|yep|yes|no|nope|nah|"
    r"sure|right|alright|well|"
    r"so|oh|great|cool|thanks|thank you|wow|actually|btw|fyi|by the way|note|also|haha|lol|good news|"
    r"(?:(?:hm+|oh|no|ah|ok(?:ay)?|actually|uh|um|but),? )?(?:wait|hold on|hang on|scratch that)"
    r"(?: a (?:sec|second|minute|moment))?|"
    r"update|heads[- ]up|"
    r"quick update|for the record|hmm|absolutely|definitely|exactly|anyway|for context|remember|"
    r"reminder|just so you know|"
    r"for your information|important|(?:one |new |our |the |final )?(?:rule|policy|constraint|decision|"
    r"convention|requirement|fact|tl;dr))(?: (?!and\b)(?-i:[A-Z][a-z]+)| there| all| team| everyone|"
    r" folks| guys)?(?:\s*[,:;!—–-]+\s+|\s*(?:\.\.\.|…)\s*)|(?:so|and|but|also|plus|then)\s+(?=\S)))+"
)
_COURTESY = re.compile(
    r"(?i)^(?:present|attend(?:ees|ing)|participants|absent|apologies|in the room)\s*:|"
    r"^(?:hey+|hi+|hello|yo|morning|good (?:morning|afternoon|evening|night|job|luck|idea|point|question|call|"
    r"one)|thanks?|thank you|thx|ty|cheers|ok(?:ay)?|k|kk|sure|yes|yeah|yep|yup|nope|nah|great|cool|nice|awesome|"
    r"no(?=\s*(?:[^\w\s]|$)| (?:no|idea|need|problem|worries|thank|thanks|way|rush|hurry|more)\b)|"
    r"perfect|excellent|amazing|wow|lol|haha+|lgtm|\+1|done(?! (?:by|in|on|with)\b)|got it|gotcha|"
    r"sounds(?! (?:are|come)\b)|"
    r"makes sense|will do|on it|understood|"
    r"noted|agreed|exactly|right|true|absolutely|definitely|of course|np|you'?re welcome|"
    r"my pleasure|glad|happy to|welcome|bye|goodbye|see you|see ya|talk (?:soon|later)|take care|have a|hope|"
    r"congrat\w*|sorry|oops|happy \w+|that'?s (?:great|good|nice|awesome|amazing|cool|wonderful|perfect|fine|right|"
    r"true|a good)|what a|looking forward|can'?t wait|good to|great to|so good|i see|i agree|me too|same here|"
    r"likewise|fair enough|never mind|let me know|let'?s see|sounds good|long time|wonderful)\b(?!-\w)"
)
_QUESTION = re.compile(
    r"(?i)^(?:(?:so|and|but|ok|also|hey|well|hmm|then|or)[, ]+)?(?:(?:who|whom|whose|what|which|where|"
    r"when|why|how)(?:'s|'re|"
    r" (?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|about|come|much|many|long|"
    r"far|\w+ (?:is|are|do|does|"
    r"should|did)))\b(?!.*,.*\b(?:must|never|always)\b)|(?:do|does|did|is|are|am|was|were|can|could|"
    r"should|would|will|have|has|had|shall|"
    r"isn't|aren't|don't you|doesn't|can't|couldn't|won't|wouldn't|any)\s+(?:you|we|i|it|they|he|she|"
    r"there|this|that|the|someone|"
    r"anyone|anybody|my|our|your|these|those)\b)"
)
_OWN_PAST = re.compile(r"(?i)(?:had|was) (?:my|our|at|in|on)\b")
"""Told of oneself without I: "had my checkup on Friday"."""
_ASIDE_QUESTION = re.compile(
    r"(?i)(?<=\w)[,;] (?:right|correct|ok(?:ay)?|no|yes|remember|any (?:ideas?|thoughts|suggestions)|"
    r"is(?:n't)? (?:it|that)|does(?:n't)? it|are(?:n't)? (?:they|we)|"
    r"(?:so )?(?:what|where|who|how|can|could|should|would|do|does|shall) "
    r"[^,;?]{2,60})\?+$"
)
"""What is asked behind a statement: "she is vegan, any ideas?"."""
_REQUEST = re.compile(
    r"(?i)^(?:please|pls|kindly|let's|let me|let us|lemme|show me|tell me|give me|help me|remind me|explain|could you|"
    r"can you|would you|i(?:'d| would) (?:like|love) (?:you|it if)|i need (?:you|help)|i want you|i(?:'m|"
    r" am) (?:looking for|wondering)|make it|try|check|look at|take a look|go ahead|feel free|imagine|suppose|"
    r"consider|assume|say|think about|remember to|don'?t forget)\b"
)
_A_WHILE = r"(?:this morning |yesterday |today )?(?:from|between|for) (?:\d|\w+ (?:minutes|hours))"
_TRANSIENT = re.compile(
    r"(?i)\b(?:right now|at the moment|just now|one (?:sec|second|moment|minute)|a (?:sec|second|moment|"
    r"minute)|brb|afk|in a (?:bit|minute|moment|sec)|hold on|hang on|working on it|looking into|still (?:waiting|"
    r"failing|running|trying|broken|red|building|looking|investigating|debugging|working)|(?:is|are|was|were|"
    r"'s) (?:still |currently |now |all |temporarily )*(?:failing|broken|passing|"
    rf"down(?! {_A_WHILE})|up (?:again|now)|back up|hanging|stuck|"
    r"flaky|running now|(?:building|restarting|loading|compiling|running) now|out of (?:memory|disk)|back)\b|"
    r"(?:fails?|failed|passe[sd]|crashe[sd]|broke|times? out|timed out|restarted|rebooted)\b(?: again| now| locally|"
    r" on my| with)?[.!]?$)|\b(?:tests?|builds?|ci|the pipeline|the deploy(?:ment)?) (?:is|are|has|have|just|passe|"
    r"fail|broke|went)|\b(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were)? (?:(?:just|now|currently|still|"
    r"also) )*(?:running|checking|looking|trying|debugging|testing|fixing|waiting|restarting|reading|writing|"
    r"investigating|pushing|updating|adding|building|installing|getting|seeing|doing|making|having|going over|digging|"
    r"reviewing|starting|finishing|heading|grabbing|opening|closing|cleaning|merging|rebasing|deploying|"
    r"working on (?:it|this|that))\b|\b(?:i|we)(?:'ll| will| can|'m going to| am going to) (?:\w+ly )?(?:check|look|"
    r"try|take|get|be|let|see|ping|send|do|fix|have|start|run|push|investigate|update|add|open|create|need to|review|"
    r"make|give|keep|come|follow|think|dig|find|grab|show|help|write|read|test|debug|rerun|wait|ask|report|post|share|"
    r"finish)\b|\b(?:i|we)(?:'ve| have)? (?:just|also just) \w+"
    r"(?!.*\b(?:yesterday|today|last|ago|since|in (?-i:[A-Z])[a-z]+)\b)|"
    r"\bi(?:'ve| have)? (?:pushed|fixed|updated|added|tried|checked|committed|rebased|restarted|ran (?:the |all |our |"
    r"my )?(?:\w+ )?(?:tests?|suite|builds?|scripts?|linter|migrations?)|opened|looked|tested|reran|pulled|cleaned|"
    r"renamed|tweaked|bumped|edited)\b|"
    r"\bi (?:always|never|usually|often) (?:nod|laugh|smile|cry|panic|struggle|forget|confuse|mix|wonder|lose|get)\b"
)
_GUESS = re.compile(
    r"(?i)\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|not sure|unsure|no idea|i (?:think|"
    r"guess|suppose|wonder|assume|suspect|imagine|bet|wish|hope|doubt|believe|feel like|don't (?:know|think|remember)|"
    r"forgot|might|could|may)|seems?(?: to| like)?|looks like|sounds like|appears to|could be|might be|may be|"
    r"would (?:be|have|need|use|depend|require|break)|must (?:have been|be (?:the|a|an|so|very|really|something|nice|"
    r"hard|fun|great|tough|lovely|amazing|exciting|rewarding))|what if|as if|for example|e\.g\.|for instance|"
    r"hypothetically|in theory|if only|"
    r"in (?:my|your|his|her|our) dreams?|rumou?r|allegedly|thinking (?:of|about)|considering|wondering|curious)\b|"
    r"\?\s*\)?$"
)
_CONDITION = re.compile(
    r"(?i)^(?:if|unless|suppose|supposing|assuming|imagine|in case|whether|as long as)\b|\bif\b.*\bwould\b"
)
RULE_VERB = (
    "access|add|allow|approve|assign|bump|bypass|cache|call|change|check|check in|commit|configure|connect|copy|"
    "create|delete|deploy|disable|document|drop|edit|enable|encrypt|expose|force|force-push|format|hard-?code|"
    "hardcode|import|include|install|keep|leak|lint|log|make|merge|migrate|mock|modify|move|mutate|name|open|"
    "pass|pin|print|publish|push|put|query|read|rebase|redeploy|release|remove|rename|reply|restart|return|reuse|"
    "review|rotate|rewrite|roll back|rollback|run|save|schedule|send|set|share|ship|sign|skip|squash|store|"
    "suggest|tag|test|touch|trust|update|upgrade|use|validate|verify|wrap|write|answer|respond|reference|rely|"
    "depend|execute|invoke|introduce|generate|ask|book|email|contact|schedule|order|serve|translate|address|"
    "quote|cite|mention|recommend|back up|backup|ignore"
)
"""Verbs of what people may and may not do at work."""
_AMOUNT = r"(?:an?|the|its|their|at least|at most|no more than|exactly|no|one|two|three|four|\d+)\b"
_WORK_ITEM = (
    r"deploy(?:ment)?s?|releases?|services?|apis?|pull requests?|prs?|changes?|migrations?|tables?|endpoints?|commits?|"
    r"branch(?:es)?|modules?|tickets?|jobs?|alerts?|features?|dashboards?|quer(?:y|ies)|buckets?|workers?|invoices?|"
    r"orders?|accounts?|reports?|requests?|passwords?|contracts?"
)
_CONSTRAINT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:please )?(?:never|always|do not|don't|don’t) (?:ever |directly |manually )?(?:" + RULE_VERB + r")\b",
        r"^(?:(?:in|on|for|from|when|before|after|starting|as of)\b[^,]{2,60}, )(?:never|always|do not|"
        r"don't) (?:" + RULE_VERB + r")\b",
        r"^(?!(?:it|this|that|there|i|he|she|you|they|these|those) must\b).*\b(?:must|mustn't|shall)(?: not| never|"
        r" always| also| only)? (?!have\b|say\b|admit\b|feel\b|confess\b|seem\b|really\b|surely\b|definitely\b)[a-z]+",
        r"^(?:you|they) (?:must|mustn't|shall)(?: not| never| always| also| only)? (?:" + RULE_VERB + r")\b",
        rf"^(?:every|each|all|any|no)\b.*\bmust (?:always |also )?have {_AMOUNT}",
        rf"\b(?:[a-z]+-)?(?:{_WORK_ITEM}) must (?:always |also )?have {_AMOUNT}",
        r"\b(?:it|this|that|he|she) must (?:not|never|always|only)\b",
        r"\bshould (?:never|always|not ever)\b",
        r"\b(?:is|are) (?:strictly |not |never )*(?:allowed|permitted|forbidden|prohibited|mandatory|"
        r"required(?! by\b)|off[- ]limits|banned|disallowed)\b",
        r"\b(?:may|can) (?:not|only|never)(?: ever)? be\b|\bcannot be\b(?! (?:done|sure|found|reached|"
        r"happier|more))",
        r"^only [\w@ .'-]{2,40} (?:may|can|are allowed to|is allowed to|should|must)\b",
        r"^no [\w -]{2,30} (?:may|can|should|is|are)\b.*\b(?:on|in|to|without|before|after|allowed|be)\b",
        r"^(?:all|every|each|any)\b.*\b(?:needs? to|ha(?:s|ve) to|should)\b",
        r"\b(?:policy|rule|requirement|hard limit|constraint|guideline) (?:is\b(?! (?:broken|gone|old|new))|says|"
        r"requires|:)|\bconvention (?:is (?:to|that)|says|requires)\b",
        r"^(?:(?:from|as of|since|in|on|for|after)\b[^,]{2,60}, |from (?:now|today|then) on )?"
        r"(?:we|our team|the \w+ team|everyone|everybody|developers|engineers) (?:always|never) "
        r"(?!(?:order|book|ask|mention|recommend|suggest|serve|quote|answer|keep in)\b)(?:" + RULE_VERB + r")\b",
        r"^(?:nobody|no one|no-one) (?:may (?!ever know|know|notice|care)|must|shall|is allowed)\b",
        r"^(?:nobody|no one|no-one) (?:can|should) (?:ever )?(?:" + RULE_VERB + r")\b",
        r"\b(?:requires?|needs?) (?:that|at least|approval|two|2|sign-?off|review)\b",
        r"\b(?:requires?|needs?|need to have) (?:[\w.]+(?:'s|s') )?(?:\w+ ){0,2}(?:approvals?|signatures?|sign-?offs?|"
        r"consent|permission|reviewers?)\b",
        r"\b(?:is|are|was|were)(?:n't| not) (?:\w+ly )?(?:allowed|permitted|supposed)\b|\bmay (?:\w+ )?only\b",
        r"\b(?:neither|none) of\b.*\b(?:may|must|can|should)\b",
        r"'(?:re|m|s) not (?:allowed|permitted)\b|\b(?:is|are) a no-go\b",
        r"^(?:never|at most|no) (?:more than|one|two|three|\d+)\b",
        r"^[A-Z][\w -]{2,30}: (?:at most|no more than|never|always)\b",
        r"^(?:from now on,? |as of now,? )?(?:every|each|any)\b[^,]{2,40} (?:needs|has|gets|must|requires)\b",
        r"\b(?:always|only ever) needs?\b|\b\w+s always (?:need|have|go|come)\b",
        r"^(?:nobody|no one|no-one) "
        r"(?!(?:has|is|was|knows?|cares?|likes?|wants?|noticed|seems|said|told|answers?|ever)\b)\w+s\b",
        r"^(?!(?:i|we|he|she|you|they|it|that|this|there)\b).*\b(?:has|have) to (?:be|go|run|soak|stay|pass|wait|come|"
        r"get|follow|match|contain|use|happen|land|live|keep|carry|include|start|end|finish)\b",
        r"^(?:absolutely |strictly |from now on,? |as of now,? |under no circumstances,? )?no (?:\w+ ){1,4}"
        r"(?:after|before|on|during|without|until|between|in|over|above|"
        r"past|within|outside)\b(?! (?:me|my|all|the whole|earth)\b)",
        r"\b(?:no|not) (?:more|less|fewer|later|earlier) than\b",
        r"\b(?:only ever|exclusively)\b|^under no circumstances\b",
        r"\b(?:is|are) (?:never|not) to (?!be (?:sure|found|blamed?)\b)[a-z]+",
        r"\b(?:is|are|was) (?:not acceptable|unacceptable|off[- ]limits|taboo|out of bounds)\b",
        r"\bthe only \w+(?: \w+)? (?:that|which|who|allowed)\b(?=.*\b(?:may|allowed)\b)",
        r"^only (?:the |our )?[\w@ .'-]{2,40} (?:has|have|gets?) "
        r"(?:root|access|admin|write|read|the keys?|permission|rights?)\b",
        r"^(?!(?:i|we|it|this|that|he|she|they|there|or|and)\b).*\bmay (?:not|never|only) "
        r"(?!be able|work|know|need|have|want|like|seem|matter|make|happen|even|help|get|feel|come|fit|find|see)[a-z]+",
        r"\b(?:has|have) to\b[^,;]{3,60}\b(?:by|before|until|within|no later than) (?:\d|(?:the )?\d|next|end|the end|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        r"\b(?:by|before) [\w ]{2,20} at the latest\b|\bno later than\b",
        r"^(?:nothing|no \w+)\b.*\b(?:ever|from (?:now|then) on)[.!]*$",
        r", (?:always|no exceptions)[.!]*$|, only \w+, ever\b",
        r"^only \w+(?: \w+)?, (?:ever|always|please|no exceptions)[.!]*$",
        r"^(?:\w+ )?(?:so )?no (?!idea|worries|problem|thanks|rush|need|way|clue|doubt|news|stress|hurry)"
        r"\w+(?: \w+){0,3},? (?:pls|please)[.!]*$|\bso no \w+(?: \w+)?,? (?:pls|please)[.!]*$",
        r"^(?:so |and |please |pls |, )*(?:never|do not|don't|don’t) (?:ever )?"
        r"(?!mind|worry|forget|know|think)[a-z]+\b.*\b(?:without|unless|until)\b",
        r"\brequires? \d+\b",
        r"\b(?:they|it|these|those) only (?:ever )?(?:goes?|runs?|comes?|gets?|ships?)\b",
        r"\bmust(?:n't| not| never)\b",
        r"^(?!(?:i|it's|not|if)\b)[^?]* only(?: please)?[.!]*$|\b[\w.-]{3,} only, (?:no|not|never)\b",
        r"\b(?:please |and |so |, )(?:never|do not|don't|don’t) (?:ever )?(?:" + RULE_VERB + r")\b",
    )
)
_NOT_CONSTRAINT = re.compile(
    r"(?i)\b(?:imagine|guess|bet)\b.*\bmust\b|^\w+ing\b.*\bmust be\b|\bmust be (?:quite|\w+ing)\b|"
    r"\b(?:i|you) must (?:say|admit|be|have|feel|confess)|\bmust be (?:nice|hard|fun|great|tough|"
    r"so|such|really|amazing|exciting|the|a|an|lovely|very|awesome|proud|incredible|wonderful|feeling)\b|"
    rf"\bmust've\b|\bmust (?:always |also )?have (?!{_AMOUNT})|"
    r"\bmust (?:already |still )?be (?:full|late|empty|busy|down|up|broken|slow|stuck|out|back|lost|wrong|right|dead|"
    r"here|there|gone|asleep|hungry|sick|lonely)\b(?! (?:before|after|when|until|by))|"
    r"\bmust\b.*\b(?:again|by now|already|somewhere|somehow|soon|quickly)[.!]*$|"
    r"^(?:we|i) must (?:fix|hurry|go|leave|talk|meet|call|finish|find|see|try|look|check|wait|get)\b"
    r"(?!.*\b(?:before|every|each|all|always|never)\b)|"
    r"\bmust have an? (?:\w+ )?(?:leak|problem|issue|fault|flaw|hole|cause|typo|glitch)\b|"
    r"\bmust have an? (?:lot|ton|great|good|nice|lovely|big|blast|wonderful|amazing|hard|tough|reason|bug)\b|"
    r"\bnot required\b|\bis(?:n't| not) mandatory\b|\ba must\b|\bmust-(?:see|read|have|try)\b|"
    r"\bmust (?:see|read|try)\b|"
    r"^(?:never|always) (?:mind|give up|"
    r"again|forget|remember|be|stop|say)\b|\b(?:don't|do not|never) (?:use|make|let|run|ask|"
    r"take) (?:me|it as|too|away|into|out)\b"
)
_DECISION = re.compile(
    r"(?i)\b(?:(?:we|i|they|he|she|team|'ve|have|has)\s+(?:have |has |all |also |just |finally |now |"
    r"recently )*(?:decided|agreed|chose|opted|picked(?! up)|settled on|went with|selected|committed to|concluded|"
    r"standardi[sz]ed on|voted)|decided (?:to|on|that|against|not)|(?:the )?decision(?: is| was|:)|"
    r"decision (?:has been )?made|(?:we're|we are|we'll|we will) (?:be )?(?:going with|go with|going to (?:use|"
    r"migrate|move|switch|adopt|replace|drop)|use|using|migrate|migrating|move to|switch|switching|adopt|adopting|"
    r"drop|dropping|replace|replacing|standardi[sz])|agreed (?:to|that|on)|chose [\w.+# -]+ (?:over|for|as|because|"
    r"instead)|it was decided)\b"
)
_YOUR_CHOICE = re.compile(r"(?i)\byou(?:'ve| have)? (?:chose|chosen|decided|picked|opted|selected|went with)\b")
_PREFERENCE = re.compile(
    r"(?i)\b(?:prefers?|preferred|favou?rite|(?:really |absolutely |still )?(?:loves?|likes?|enjoys?|"
    r"hates?|dislikes?|adores?)|"
    r"can't stand|fond of|(?:big |huge )?fan of)\b"
)


_ADVICE = re.compile(
    r"(?i)\b(?:would|could|might) (?:\w+ly |also |already )?(?:help|be (?:better|best|nicer|safer|wiser|easier|cleaner|"
    r"simpler|faster|worth|a good idea|good to))\b|\b(?:i'd|i would) (?:suggest|recommend|advise|rather|argue|say)\b|"
    r"\b(?:ideally|in my (?:opinion|view|experience)|my advice|imho|imo)\b"
)
_POLICY = re.compile(
    r"(?i)^(?:(?:and|one|two|a|an|the|our|my|new|first|second|third|last|another|next|team|house|company|project|golden|"
    r"hard|more|general|important|key|only|main|\w+ing) )*(?:rule|policy|requirement|constraint|guideline)s?\b"
    r"(?! of thumb)(?!.*\b(?:broke|broken|bent|ignored|forgot|changed|was|were)\b)"
)
_FOR_ALL = re.compile(r"(?i)(?:for|on|in|with) (?:all|any|every|each) [\w ]{2,40}")
_JOINT = re.compile(
    r"[;:]\s+|\s[—–-]\s+|,\s+(?:and|but|so)\s+|,\s+(?=(?-i:[A-Z][a-z]+)\b|(?:the|we|it|he|she|they|our|my) )"
)


@lru_cache(maxsize=500)
def prose_sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences that somebody says in a message, as code points [start, end), in order.

    Left out: fenced and indented code, lines quoted with '>', headings, tables, stack traces, log and shell lines. A
    line that merely wraps is joined to the next; a list item is a sentence without its bullet.

    >>> prose_sentences("We use Redis. It helps.\\n> somebody else's words")
    ((0, 13), (14, 23))
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        found += _split(text, start, end)
    return tuple(found)


def _paragraphs(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    fence, position, blank, code = "", 0, True, False
    open_at, open_end = -1, -1
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        body = line.rstrip()
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            continue
        bullet = _BULLET.match(line)
        indented = line.startswith(("    ", "\t")) and not bullet
        code = bool(body) and indented and (blank or code)
        skipped = not body or code or bool(mark or _QUOTED.match(line)) or is_log(body)
        blank = not body
        fence = mark[1] if mark else ""
        wraps = (
            open_at >= 0
            and not bullet
            and not skipped
            and body.lstrip()[:1].islower()
            and text[open_end - 1] not in ".!?:;"
        )
        if wraps:
            open_end = start + len(body)
            continue
        if open_at >= 0:
            spans.append((open_at, open_end))
        lead = bullet.end() if bullet else len(line) - len(line.lstrip())
        open_at, open_end = (-1, -1) if skipped or lead >= len(body) else (start + lead, start + len(body))
    if open_at >= 0:
        spans.append((open_at, open_end))
    return spans


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for first, last in sentence_spans(text, start, end):
        for face in _FACE.finditer(text, first, last):
            if text[first : face.start()].strip():
                spans.append((first, face.end()))
                first = face.end()
        spans.append((first, last))
    trimmed = [(s + len(text[s:e]) - len(text[s:e].lstrip()), e) for s, e in spans if text[s:e].strip()]
    return [(s, s + len(text[s:e].rstrip())) for s, e in trimmed]


def is_log(line: str) -> bool:
    """Whether a line is a machine's: a log or trace line, a shell prompt, a table row, code, or mostly signs."""
    if _SKIPPED_LINE.match(line):
        return True
    signs = sum(not (char.isalnum() or char.isspace()) for char in line)
    return len(line) > 15 and signs > 0.3 * len(line)


def opening(sentence: str) -> int:
    """How many characters of greeting or filler stand before the statement: 7 in "Hey Bo, we use Redis"."""
    match = _GREETING_HEAD.match(sentence)
    return match.end() if match else 0


@lru_cache(2_000)  # the parser asks about a sentence first, then whoever reads it, and its clauses
def noise(sentence: str) -> Noise | None:
    """Why a sentence states nothing that lasts, or None if it may.

    >>> noise("I'm running the tests now."), noise("Which port is it?"), noise("Redis is deprecated.")
    ('transient', 'question', None)
    """
    said = _ASIDE_QUESTION.sub("", sentence[opening(sentence) :].replace("’", "'").strip())
    if len(said.split()) < 2:
        return "short"
    if said.rstrip("\"')*_ ").endswith("?") or (_QUESTION.match(said) and not _OWN_PAST.match(said)):
        return "question"
    if is_constraint(said):
        return None
    for reason, pattern in _NOISE_PATTERNS:
        if pattern.search(said):
            return reason
    return None


def silent(parts: Sequence[tuple[str, str]]) -> list[bool]:
    """Which clauses of a sentence state nothing that lasts; a clause is what joins it to the one before, and its words.

    A guess or a condition holds on over "and", until ":" or ";".

    >>> silent([("", "I think A uses B"), (", and ", "C uses D"), ("; ", "E uses F")])
    [True, True, False]
    """
    quiet, doubtful = [], False
    for joint, words in parts:
        why = noise(words)
        doubtful = (doubtful and joint.strip()[:1] not in tuple(":;—–-")) or why in ("guess", "condition", "question")
        quiet.append(why is not None or doubtful)
    return quiet


@lru_cache(maxsize=1_024)  # asked when the text is parsed, and when it is read
def may_state(sentence: str) -> bool:
    """Whether a sentence, or a clause of it, may state something that lasts.

    >>> may_state("I renamed it just now: the default branch is trunk."), may_state("I renamed it just now.")
    (True, False)
    """
    if noise(sentence) is None:
        return True
    sentence = _ASIDE_QUESTION.sub("", sentence)
    if sentence.rstrip("\"')*_ ").endswith("?"):
        return False
    joints = list(_JOINT.finditer(sentence))
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(sentence)]
    marks = ["", *(joint[0] for joint in joints)]
    parts = [(mark, sentence[start:end]) for mark, start, end in zip(marks, starts, ends, strict=True)]
    return bool(joints) and not all(silent(parts))


_NOISE_PATTERNS: tuple[tuple[Noise, re.Pattern[str]], ...] = (
    ("courtesy", _COURTESY),
    ("request", _REQUEST),
    ("transient", _TRANSIENT),
    ("guess", _GUESS),
    ("condition", _CONDITION),
)


@lru_cache(maxsize=1_024)  # each sentence is asked about by several rules
def is_constraint(sentence: str) -> bool:
    """Whether a sentence lays down a rule: must, never, always, required, only X may.

    >>> is_constraint("Never push to main."), is_constraint("It must be the cache."), is_constraint("I never liked it.")
    (True, False, False)
    """
    said = sentence[opening(sentence) :].replace("’", "'").strip()
    if said.endswith("?") or _NOT_CONSTRAINT.search(said):
        return False
    return bool(demand_of(said)) or any(_CONSTRAINT[place].search(said) for place in _rules_sieve().tried(said))


@cache
def _rules_sieve() -> Sieve:
    return Sieve(pattern.pattern for pattern in _CONSTRAINT)


def is_advice(sentence: str) -> bool:
    """Whether a sentence recommends something, so that its "must" lays nothing down."""
    return bool(_ADVICE.search(sentence.replace("’", "'")))


def announces_rule(lead: str) -> bool:
    """Whether what stands before a colon announces a rule.

    >>> announces_rule("Second rule for the shop"), announces_rule("He broke the rule")
    (True, False)
    """
    return bool(_POLICY.match(lead.strip()) or _FOR_ALL.fullmatch(lead.strip()))


def is_decision(sentence: str) -> bool:
    """Whether a sentence reports a choice that somebody made; what "you" chose is praise rather than news."""
    said = sentence.replace("’", "'")
    return bool(_DECISION.search(said)) and not _YOUR_CHOICE.search(said)


def kind_of(sentence: str) -> MemoryType:
    """What kind of memory a kept sentence becomes; the first of constraint, decision, preference, fact."""
    if is_constraint(sentence):
        return "constraint"
    if is_decision(sentence):
        return "decision"
    return "preference" if _PREFERENCE.search(sentence) else "fact"
