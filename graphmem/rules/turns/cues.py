"""Features of the wording and form of a turn: input of the trained scores of overlays and shifts, besides the listed
words and the meaning.

Hand-written, but unweighted: the weight of each for each overlay is learnt (`scripts/train_overlays.py`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from math import log1p

from graphmem.rules.language.text import words

READ_CHARS = 4_000
"""Characters that are read: enough for the topic of a turn, and a limit for files in tool results."""
MOST_COUNTED = 4

_TOLD = (
    "said|told|gave|wrote|asked|noted|named|agreed|settled|decided|promised|wanted|mentioned|worked out|showed|had|did|"
    "meant|put|imposed|hoped"
)
_SOUNDS: Mapping[str, str] = {
    "points back": rf"(?:(?:as|what|that|which|like|than|thing|rule|one) (?:we|you|i) (?:already |'ve |had |"
    rf"just |once )?"
    rf"(?:{_TOLD})|you (?:told|gave|showed|promised) (?:me|us)|did(?:n't| not) (?:we|you|i|he|she) (?:say|tell|agree)|"
    r"remember(?:ed)?|remind|at the (?:very )?(?:top|start|beginning|outset)|from the (?:first|beginning|start|very)|"
    r"(?:very|on that) first|the first (?:day|time|one|evening|message|thing)|earlier|before(?=[,.?!]|$)|previously|"
    r"back to|same as|once more|still (?:stands|holds|in force)|(?:you|we) (?:once|already)|yesterday|long ago|"
    r"last (?:time|week|year|month|autumn|spring|summer|winter))",
    "somebody's own": r"(?:(?:your|our|his|her|their) (?:\w+ )?(?:first|second|third|fourth|own|number|list|"
    r"point|rule|aim|"
    r"pillar|principle|promise|table|word|sentence|goal|limit)|the (?:first|second|third|fourth) (?:point|rule|aim|"
    r"pillar|goal|principle))",
    "origin": r"(?:com(?:e|es|ing) from|came (?:from|with|in|by)|stems? from|goes back|descend\w*|inherit\w*|"
    r"originat\w*|history|copied|adapted|taken (?:over|from)|leftover|legacy|since when|handed down|ancestor\w*|story|"
    r"grand(?:ma|pa|mother|father)\w*|where (?:does|did|do|is) \w+ \w* ?(?:come|from)|"
    r"why (?:is|are|does|do|did|was|were|on earth)|who (?:wrote|made|added|put|told|introduced|decided|gave))",
    "hangs on": r"(?:depend\w*|calls?(?=\s+\w)|callers?|called by|used by|uses?|imports?|imported by|needs?|relies|"
    r"rel(?:y|ies) on|hangs? on|refers? to|references?|upstream|downstream|anything else|who else|what else|consumers?|"
    r"touch(?:es)?|breaks? if|leads? to|because of|consequence)",
    "decided": r"(?:decid\w*|decision|agreed?|settled|it is(?=[.,!]|$)|we(?:'ll)? (?:drop|keep|take|switch|"
    r"go with|ship|"
    r"want|need|won't|will not|never|stay|leave|do)|sold|noted|recorded|written down|write (?:that|this|it) down|"
    r"instead of|rather than|convinced|as an order|number \d wins|wins|yes to|out of scope|in scope|off the table)",
    "wanted": r"(?:aims?|goals?|purpose|promise[sd]?|pillars?|principles?|rules?|must(?:n't| not)?|never|always|"
    r"at all costs?|above all|first of all|priorit\w*|matters?(?: most)?|important|want(?:s|ed)? (?:to|out|is)|mission|"
    r"values?|plan(?:s|ned)?|roadmap|vision|limit|no more than|only if|condition|nobody|deadline|milestone|compass|"
    r"wish(?:es)?|ready by|scope|(?:until|by) (?:the|mon|tue|wed|thu|fri)\w*)",
    "checked": r"(?:check\w*|compar\w*|same|match\w*|differ\w*|agrees?|equal|identical|tests?|tested|review\w*|"
    r"verif\w*|"
    r"prove\w*|proof|passed|failed|correct|right\?|sure|really|true|wrong|mistake|typo|error|look(?:ed)? (?:over|at)|"
    r"go(?:ne)? over|read (?:it )?(?:again|twice)|twice|confirm\w*|second opinion|within|expect\w*|measure\w*|"
    r"works?(?=[.?!,]|$)|fits?|better|consisten\w*|is (?:that|it|this) (?:ok|fine|real|right|true)|"
    r"how (?:do|would|can) (?:we|i|you) know|whether|diff)",
    "carried out": r"(?:run(?:s|ning)?|deploy\w*|install\w*|restart\w*|start(?:s|ed)?|stop(?:s|ped)?|orders?|"
    r"steps?|first|"
    r"then|next|backup|machine|server|host|dns|port|script|cron|job|rollback|migrat\w*|imported|upload\w*|book(?:ed)?|"
    r"checklist|do i do|in which order|listening|active|ok|rc\d|tag|publish\w*|ship\w*)",
    "guarded": r"(?:keys?|token|password\w*|secret\w*|leak\w*|attack\w*|fraud\w*|scam\w*|phish\w*|stol\w*|"
    r"steal\w*|thie\w*|"
    r"privacy|private|personal|cookie\w*|encrypt\w*|certificate\w*|certs?|tls|admin|permission\w*|rights?|access|"
    r"strangers?|anyone|anybody|abuse|cheat\w*|forge\w*|fake|spoof\w*|trust\w*|sign(?:ed|ature|ing)?|who can|"
    r"can (?:see|read|push)|bank|iban|pin|lock(?:ed)?|revok\w*|sandbox|malicious|tamper\w*|data protection|delete it|"
    r"tracking|consent|identity|insurance)",
    "built": r"(?:module\w*|class(?:es)?|interface\w*|layer\w*|split|separat\w*|boundar\w*|component\w*|"
    r"struct\w*|trait|"
    r"package\w*|folder|file|schema|table\w*|architecture|design|api|plugin\w*|cycle|coupl\w*|inside|outside|between|"
    r"frame|wall\w*|parts?|holds?|consist\w*|built|build|made of|diagram|model|tree|enum|function|type)",
    "worked out": r"(?:percent|average|mean|sum|ratio|rate|formula|calculat\w*|comput\w*|count\w*|divid\w*|"
    r"times|per|half|"
    r"third|total|cost\w*|figures?|numbers?|algorithm|complexity|probab\w*|square|equation|estimate|roughly|about \d|"
    r"median|variance|sigma|minus|plus)",
    "turned": r"(?:stop(?=[.!,]| everything| all| here)|drop (?:everything|all)|change of plans?|"
    r"plans? (?:have )?changed|"
    r"forget (?:the|that|about|it)|emergency|urgent|bad news|oh no|oh boy|hang on|different topic|"
    r"something else|sth else|"
    r"other thing|next (?:idea|thing|topic)|another (?:thing|topic|matter)|new direction|let's switch|we switch|"
    r"switch to|"
    r"part two|unrelated|scrap (?:that|it|the)|turns out|right now|at once|no longer|"
    r"not any ?more|won't do|does(?:n't| not) work|on second thought|start over|(?:first|second|third)"
    r" (?:aim|complaint|part|topic))",
}
_HEARD = {name: re.compile(rf"(?i)\b{pattern}\b") for name, pattern in _SOUNDS.items()}
# These end in a non-letter, or match whole lines.
_LOOKS = {
    "traced": re.compile(
        r"(?i)\bgit (?:log|blame|show)|\bgrep -|\brg \b|\b[0-9a-f]{7}\b|--format|\b20\d\d-\d\d-\d\d\b"
    ),
    "steps": re.compile(r"(?m)^\s{0,8}\d[.)] "),
    "listed": re.compile(r"(?m)^\s{0,8}(?:\d+\.|-|\*) "),
    "sums": re.compile(r"\d\s?[=·+−*/×÷%^]|[=·+−×÷^]\s?\d"),
    "figures": re.compile(r"\d[\d.,]*"),
}
_OPENS = {
    "who": re.compile(r"(?i)\s*(?:who|whose)\b"),
    "what": re.compile(r"(?i)\s*(?:what|how)\b"),
    "why": re.compile(r"(?i)\s*why\b"),
    "now": re.compile(r"(?i)\s*(?:(?:ok|right|so|good|great|well|morning)[,.]? )?(?:now|next|then)\b"),
}
_ASKED = {
    "history": re.compile(r"(?i)\bgit\b"),
    "search": re.compile(r"(?i)grep|\brg\b|search"),
    "test": re.compile(r"(?i)pytest|\btests?\b|\bcmp\b|\bdiff\b"),
    "file": re.compile(r'(?i)"name": ?"(?:write|edit)'),
    "machine": re.compile(r"(?i)ssh|ansible|docker|systemctl|kubectl|deploy|psql|curl"),
}
_JSON = re.compile(r'\\n|[\\{}\[\]":,]')
_TURNED = _HEARD["turned"]
ROLES = ("user", "assistant", "tool")
SHORT_CHARS = 60


@lru_cache(maxsize=4_000)
def cues(text: str, calls: str | None, role: str) -> tuple[float, ...]:
    """The features of a turn by its own words: a fixed number, each from 0 to about 1.

    >>> len(cues("", None, "user")) == len(cues("Stop. Who calls it?", '[{"name":"Grep"}]', "tool"))
    True
    """
    text, calls = text[:READ_CHARS], (calls or "")[:READ_CHARS]
    both = f"{text} {_JSON.sub(' ', calls)}"
    found = [float(role == one) for one in ROLES]
    for shape in (*_HEARD.values(), *_LOOKS.values()):
        number = sum(1 for _ in shape.finditer(both))
        found += [float(number > 0), min(number, MOST_COUNTED) / MOST_COUNTED]
    found += [float(bool(shape.match(text))) for shape in _OPENS.values()]
    found += [float(bool(shape.search(calls))) for shape in _ASKED.values()]
    asks, said = text.rstrip().endswith("?"), text.strip()
    found += [log1p(len(words(text))) / 5, float("?" in text), float(asks), float("!" in text), float("```" in text)]
    found += [float(bool(calls)), float(not said), float(len(text) < SHORT_CHARS), float(said[:20].isupper())]
    found.append(min(1.0, 5 * sum(map(str.isdigit, text)) / max(1, len(text))))
    return tuple(found)


def turned(text: str) -> str | None:
    """The words by which a text announces a change of direction; None where it does not.

    >>> turned("Change of plans: no database."), turned("The bus stop is near.")
    ('Change of plans', None)
    """
    found = _TURNED.search(text[:READ_CHARS])
    return found[0] if found else None
