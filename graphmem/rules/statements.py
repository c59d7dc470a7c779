"""Which parts of a message state something, and what kind of statement a sentence is.

Precision first: what is not clearly somebody's statement about the world (code, logs, quotes, questions, courtesies,
passing states, guesses) gives nothing.
"""

import re
from functools import lru_cache
from typing import Literal

from graphmem.model.knowledge import MemoryType

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
    | (?:PASSED|FAILED|SKIPPED)\b | =+\ .*\ =+$ | collected\ \d+\ items? | \w+\(.*\);?\s*$ | [\w.]+\ =\ \S.*$
    )""",
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$)")
_ABBREVIATION = re.compile(
    r"(?i)\b(?:e\.g|i\.e|vs|mr|mrs|ms|dr|prof|approx|no|inc|ltd|corp|st|jr|sr|cf|"
    r"fig|[A-Z])\.$"
)

_GREETING_HEAD = re.compile(
    r"(?i)^(?:(?:(?:hey|hi|hello|yo|morning|good (?:morning|afternoon|evening)|ok(?:ay)?|yeah|yep|yes|"
    r"sure|right|alright|well|"
    r"so|oh|great|cool|thanks|thank you|wow|actually|btw|fyi|by the way|note|also|haha|lol|good news|"
    r"update|heads[- ]up|"
    r"quick update|for the record|hmm|absolutely|definitely|exactly|anyway|for context|remember|"
    r"reminder|just so you know|"
    r"for your information|important|(?:one |new |our |the |final )?(?:rule|policy|constraint|decision|"
    r"convention|requirement|fact|tl;dr))(?: (?!and\b)(?-i:[A-Z][a-z]+)| there| all| team| everyone|"
    r" folks| guys)?(?:\s*[,:;!—–-]+\s+|\s*\.\.\.\s*)|(?:so|and|but|also|plus|then)\s+(?=\S)))+"
)
_COURTESY = re.compile(
    r"(?i)^(?:hey+|hi+|hello|yo|morning|good (?:morning|afternoon|evening|night|job|luck|idea|point|"
    r"question|call|one)|thanks?|"
    r"thank you|thx|ty|cheers|ok(?:ay)?|k|kk|sure|yes|yeah|yep|yup|no|nope|nah|great|cool|nice|awesome|"
    r"perfect|excellent|amazing|"
    r"wow|lol|haha+|lgtm|\+1|done|got it|gotcha|sounds|makes sense|will do|on it|understood|noted|"
    r"agreed|exactly|right|true|"
    r"absolutely|definitely|of course|no (?:problem|worries)|np|you'?re welcome|my pleasure|glad|"
    r"happy to|welcome|bye|goodbye|"
    r"see you|see ya|talk (?:soon|later)|take care|have a|hope|congrat\w*|sorry|oops|"
    r"happy \w+|that'?s (?:great|good|nice|"
    r"awesome|amazing|cool|wonderful|perfect|fine|right|true|a good)|what a|looking forward|"
    r"can'?t wait|good to|great to|so good|"
    r"i see|i agree|me too|same here|likewise|fair enough|never mind|let me know|let'?s see|"
    r"sounds good|long time|wonderful)\b"
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
_REQUEST = re.compile(
    r"(?i)^(?:please|pls|kindly|let's|let me|let us|lemme|show me|tell me|give me|help me|remind me|"
    r"explain|could you|can you|"
    r"would you|i(?:'d| would) (?:like|love) (?:you|it if)|i need (?:you|help)|i want you|i(?:'m|"
    r" am) (?:looking for|wondering)|"
    r"make it|try|check|look at|take a look|go ahead|feel free|imagine|suppose|consider|assume|say|"
    r"think about|remember to|"
    r"don'?t forget)\b"
)
_TRANSIENT = re.compile(
    r"(?i)\b(?:right now|at the moment|for now|just now|one (?:sec|second|moment|minute)|a (?:sec|"
    r"second|moment|minute)|brb|afk|"
    r"in a (?:bit|minute|moment|sec)|hold on|hang on|working on it|looking into|still (?:waiting|"
    r"failing|running|trying|broken|red|"
    r"building|looking|investigating|debugging|working)|"
    r"(?:is|are|was|were|'s) (?:still |currently |now |all |temporarily )*(?:failing|broken|passing|"
    r"down|up again|back up|hanging|stuck|"
    r"flaky|running now|(?:building|restarting|loading|compiling|running) now|out of (?:memory|disk)|back)\b|"
    r"(?:fails?|failed|passe[sd]|crashe[sd]|broke|times? out|timed out|restarted|rebooted)\b(?: again|"
    r" now| locally| on my| with)?[.!]?$)|"
    r"\b(?:tests?|builds?|ci|the pipeline|the deploy(?:ment)?) (?:is|are|has|have|just|passe|fail|"
    r"broke|went)|"
    r"\b(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were)? (?:(?:just|now|currently|still|"
    r"also) )*(?:running|checking|looking|"
    r"trying|debugging|testing|fixing|waiting|restarting|reading|writing|investigating|pushing|"
    r"updating|adding|"
    r"building|installing|getting|seeing|doing|making|having|going over|digging|reviewing|starting|"
    r"finishing|heading|grabbing|"
    r"opening|closing|cleaning|merging|rebasing|deploying|working on (?:it|this|that))\b|"
    r"\b(?:i|we)(?:'ll| will| can|'m going to| am going to) (?:\w+ly )?(?:check|look|try|take|get|be|"
    r"let|see|ping|send|do|fix|have|"
    r"start|run|push|investigate|update|add|open|create|need to|review|make|give|keep|come|follow|"
    r"think|dig|find|grab|show|"
    r"help|write|read|test|debug|rerun|wait|ask|report|post|share|finish)\b|"
    r"\b(?:i|we)(?:'ve| have)? (?:just|also just) \w+(?!.*\b(?:yesterday|today|last|ago)\b)|\bi(?:'ve|"
    r" have)? (?:pushed|fixed|updated|added|tried|checked|committed|rebased|restarted|"
    r"ran (?:the |all |our |my )?(?:\w+ )?(?:tests?|suite|builds?|scripts?|linter|migrations?)|opened|"
    r"looked|tested|reran|pulled|cleaned|renamed|tweaked|bumped|edited)\b"
)
_GUESS = re.compile(
    r"(?i)\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|not sure|unsure|"
    r"no idea|i (?:think|guess|suppose|"
    r"wonder|assume|suspect|imagine|bet|wish|hope|doubt|believe|feel like|don't (?:know|think|"
    r"remember)|forgot|might|could|may)|"
    r"seems?(?: to| like)?|looks like|sounds like|appears to|could be|might be|may be|would (?:be|have|"
    r"need|use|depend|require|break)|"
    r"must (?:have been|be (?:the|a|an|so|very|really|something|nice|hard|fun|great|tough|lovely|"
    r"amazing|exciting|rewarding))|"
    r"what if|as if|for example|e\.g\.|for instance|hypothetically|in theory|if only|rumou?r|allegedly|"
    r"thinking (?:of|about)|"
    r"considering|wondering|curious)\b|\?\s*\)?$"
)
_CONDITION = re.compile(
    r"(?i)^(?:if|unless|suppose|supposing|assuming|imagine|in case|whether|as long as)\b|\bif\b.*\bwould\b"
)
_RULE_VERB = (
    "access|add|allow|approve|assign|bump|bypass|cache|call|change|check|check in|commit|configure|"
    "connect|copy|create|delete|deploy|disable|"
    "document|drop|edit|enable|encrypt|expose|force|force-push|format|hard-?code|hardcode|import|"
    "include|install|keep|leak|lint|log|make|"
    "merge|migrate|mock|modify|move|mutate|name|open|pass|pin|print|publish|push|put|query|read|rebase|"
    "redeploy|release|remove|rename|"
    "reply|restart|return|reuse|review|rotate|rewrite|roll back|rollback|run|save|schedule|send|set|"
    "share|ship|sign|skip|squash|store|"
    "suggest|tag|test|touch|trust|update|upgrade|use|validate|verify|wrap|write|answer|respond|"
    "reference|rely|depend|execute|invoke|"
    "introduce|generate|ask|book|email|contact|schedule|order|serve|translate|address|quote|cite|"
    "mention|recommend|back up|backup|ignore"
)
_CONSTRAINT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:please )?(?:never|always|do not|don't|don’t) (?:ever |directly |manually )?(?:" + _RULE_VERB + r")\b",
        r"^(?:(?:in|on|for|from|when|before|after|starting|as of)\b[^,]{2,60}, )(?:never|always|do not|"
        r"don't) (?:" + _RULE_VERB + r")\b",
        r"^(?!(?:it|this|that|there|i|he|she) must\b).*\b(?:must|mustn't|shall)(?: not| never| always|"
        r" also| only)? (?!have\b|say\b|admit\b|feel\b|"
        r"confess\b|seem\b)[a-z]+",
        r"\b(?:it|this|that|he|she) must (?:not|never|always|only)\b",
        r"\bshould (?:never|always|not ever)\b",
        r"\b(?:is|are) (?:strictly |not |never )*(?:allowed|permitted|forbidden|prohibited|mandatory|"
        r"required(?! by\b)|off[- ]limits|banned|disallowed)\b",
        r"\b(?:may|can) (?:not|only|never)(?: ever)? be\b|\bcannot be\b(?! (?:done|sure|found|reached|"
        r"happier|more))",
        r"^only [\w@ .'-]{2,40} (?:may|can|are allowed to|is allowed to|should|must)\b",
        r"^no [\w -]{2,30} (?:may|can|should|is|are)\b.*\b(?:on|in|to|without|before|after|allowed|be)\b",
        r"^(?:all|every|each|any)\b.*\b(?:needs? to|ha(?:s|ve) to|should)\b",
        r"\b(?:policy|rule|requirement|hard limit|constraint|convention|guideline) (?:is|says|requires|:)",
        r"^(?:we|our team|the \w+ team|everyone|everybody|nobody|developers|engineers) (?:always|never) (?:"
        + _RULE_VERB
        + r")\b",
        r"^nobody (?:may|can|should|is allowed)\b",
        r"\b(?:requires?|needs?) (?:that|at least|approval|two|2|sign-?off|review)\b",
    )
)
_NOT_CONSTRAINT = re.compile(
    r"(?i)\b(?:imagine|guess|bet)\b.*\bmust\b|^\w+ing\b.*\bmust be\b|\bmust be (?:quite|\w+ing)\b|"
    r"\b(?:i|you) must (?:say|admit|be|have|feel|confess)|\bmust be (?:nice|hard|fun|great|tough|"
    r"so|such|really|amazing|exciting|the|a|"
    r"an|lovely|very|awesome|proud|incredible|wonderful|feeling)\b|\bmust have\b|\bmust've\b|"
    r"\bnot required\b|\bis(?:n't| not) mandatory\b|\ba must\b|\bmust[- ](?:see|read|have|try)\b|"
    r"^(?:never|always) (?:mind|give up|"
    r"again|forget|remember|be|stop|say)\b|\b(?:don't|do not|never) (?:use|make|let|run|ask|"
    r"take) (?:me|it as|too|away|into|out)\b"
)
_DECISION = re.compile(
    r"(?i)\b(?:(?:we|i|they|he|she|team|'ve|have|has)\s+(?:have |has |all |also |just |finally |now |"
    r"recently )*(?:decided|agreed|chose|opted|picked(?! up)|"
    r"settled on|went with|selected|committed to|concluded|standardi[sz]ed on|voted)|decided (?:to|on|"
    r"that|against|not)|"
    r"(?:the )?decision(?: is| was|:)|decision (?:has been )?made|(?:we're|we are|we'll|"
    r"we will) (?:be )?(?:going with|go with|going to (?:use|migrate|move|switch|"
    r"adopt|replace|drop)|use|using|migrate|migrating|move to|switch|switching|adopt|adopting|drop|"
    r"dropping|replace|replacing|"
    r"standardi[sz])|agreed (?:to|that|on)|chose [\w.+# -]+ (?:over|for|as|because|instead)|it was decided)\b"
)
_YOUR_CHOICE = re.compile(r"(?i)\byou(?:'ve| have)? (?:chose|chosen|decided|picked|opted|selected|went with)\b")
_PREFERENCE = re.compile(
    r"(?i)\b(?:prefers?|preferred|favou?rite|(?:really |absolutely |still )?(?:loves?|likes?|enjoys?|"
    r"hates?|dislikes?|adores?)|"
    r"can't stand|fond of|(?:big |huge )?fan of)\b"
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
    spans, first = [], start
    for mark in _SENTENCE_END.finditer(text, start, end):
        if mark[0] == "." and _ABBREVIATION.search(text, max(first, mark.end() - 8), mark.end()):
            continue
        spans.append((first, mark.end()))
        first = mark.end()
    spans.append((first, end))
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


def noise(sentence: str) -> Noise | None:
    """Why a sentence states nothing that lasts, or None if it may.

    >>> noise("I'm running the tests now."), noise("Which port is it?"), noise("Redis is deprecated.")
    ('transient', 'question', None)
    """
    said = sentence[opening(sentence) :].replace("’", "'").strip()
    if len(said.split()) < 2:
        return "short"
    if said.rstrip("\"')*_ ").endswith("?") or _QUESTION.match(said):
        return "question"
    if is_constraint(said):
        return None
    for reason, pattern in _NOISE_PATTERNS:
        if pattern.search(said):
            return reason
    return None


_NOISE_PATTERNS: tuple[tuple[Noise, re.Pattern[str]], ...] = (
    ("courtesy", _COURTESY),
    ("request", _REQUEST),
    ("transient", _TRANSIENT),
    ("guess", _GUESS),
    ("condition", _CONDITION),
)


def is_constraint(sentence: str) -> bool:
    """Whether a sentence lays down a rule: must, never, always, required, only X may.

    >>> is_constraint("Never push to main."), is_constraint("It must be the cache."), is_constraint("I never liked it.")
    (True, False, False)
    """
    said = sentence[opening(sentence) :].replace("’", "'")
    if said.rstrip().endswith("?") or _NOT_CONSTRAINT.search(said):
        return False
    return any(pattern.search(said) for pattern in _CONSTRAINT)


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
