"""What was done to something, by which it is no longer what an older statement says it is.

Who unlocked the gate, paid the invoice or sold the house says nothing of its state, and yet it is over: the gate was
locked, the invoice unpaid, the house for sale. Each deed is listed with the states that it puts an end to; it may be
told of the thing ("the gate was unlocked", "the bridge reopened") or of who did it ("Ole unlocked the gate").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.contradiction.alike import KINDS
from graphmem.rules.contradiction.antonyms import MONTH_NAMES, opposites
from graphmem.rules.contradiction.concepts import concepts
from graphmem.rules.contradiction.differences import are_prefixed
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.language.stems import entries, stem

_ENDS = entries(
    """paid|settled|paid off = unpaid|open|outstanding|overdue|due|pending;
    repaired|fixed|mended|restored|replaced|brought back up = broken|defective|faulty|damaged|down|out of
    order|jammed|leaking|offline|leaky; fixed|resolved|solved|closed = open|unresolved|unsolved; unlocked =
    locked; locked = unlocked; opened|reopened = closed|shut; closed|shut = open; discharged|released = in
    hospital|in the hospital|hospitalised|in intensive care|in custody|in prison|in jail; shipped|dispatched =
    pending|unshipped; delivered = pending|on its way|on the way|in transit|undelivered; sold = for
    sale|unsold|on the market; let|rented out = for rent|to let|vacant; filled = vacant; published =
    unpublished; merged = open|unmerged; approved|granted|rejected|refused|denied|turned down =
    pending|undecided|under review; turned on|switched on|enabled|activated = off|disabled|inactive|switched
    off|turned off; turned off|switched off|disabled|deactivated = on|enabled|active|switched on|turned on;
    cleaned = dirty; emptied = full; refilled = empty; charged = flat|empty; finished|completed =
    unfinished|incomplete|under construction|in progress|underway|half finished; found = missing|lost;
    recovered|cured = ill|sick|unwell; healed = broken|infected|injured; unblocked|cleared = blocked; blocked =
    free|unblocked; signed = unsigned; encrypted = unencrypted|plain text; returned|came back|come back|came
    home|come home|moved back = on leave|on holiday|on vacation|away|abroad|in hospital|in the hospital|on
    parental leave|on maternity leave|on sick leave|on a trip|on tour; woke up|woken up = asleep; calmed down =
    angry|upset; thawed = frozen; dried = wet; renewed = expired; updated = outdated|out of date; made up = at
    odds"""
)
_DEEDS: dict[str, frozenset[str]] = {}
"""By deed, the states that it puts an end to."""
for _entry in _ENDS:
    _done, _states = _entry.split(" = ")
    for _deed in _done.split("|"):
        _DEEDS[_deed.strip()] = _DEEDS.get(_deed.strip(), frozenset()) | {one.strip() for one in _states.split("|")}
_DONE = "|".join(sorted(_DEEDS, key=len, reverse=True))
_SPLIT_DONE = r"(?P<first>turned|switched) (?P<thing>.+?) (?P<last>on|off)"
_MONTH = rf"{MONTH_NAMES}|spring|summer|autumn|winter"
_TIME = (
    rf"(?:(?:the|early|late|mid) )*(?:\d|\w+day\b|{_MONTH}|morning|afternoon|evening|night|weekend|end|time|meantime"
    r"|week)"
)
_FROM_WHERE = (
    r"(?:the |his |her |their )?(?:hospital|clinic|ward|holiday|leave|vacation|trip|work|tour|abroad|prison|jail"
    r"|custody)"
)
_WHEN = (
    r"(?: (?:again|already|today|yesterday|now|finally|meanwhile|for good|last|this|by|since|after|when|and"
    rf"|(?:on|in|at|during) {_TIME}|(?:from|to) {_FROM_WHERE})\b.*)?"
)
"""When, by whom or from where; anything else may make it another thing."""
_OF_IT = re.compile(
    rf"^(?P<thing>.+?) (?:(?:was|were|is|are|got|has|have|had|been|now|just|finally|since|already|recently) )*"
    rf"(?P<deed>{_DONE}){_WHEN}$"
)
_BY_SOMEBODY = re.compile(
    rf"^(?P<who>.+?) (?:(?:has|have|had|now|just|finally|already|recently|'ve) )*(?P<deed>{_DONE})"
    rf" (?P<thing>(?:the|our|my|his|her|their|its|[\w-]+'s) [\w' -]+?){_WHEN}$"
)
_TURNED = re.compile(
    rf"^(?P<who>.+?) (?:(?:has|have|had|now|just) )*{_SPLIT_DONE}{_WHEN}$",
)
_MADE = re.compile(
    r"^(?P<who>.+?) (?:(?:has|have|now|just) )*made (?P<thing>(?:the|our|my|his|her|their) [\w' -]+?) (?P<so>[\w-]+)"
    rf"{_WHEN}$"
)
_BACK = re.compile(
    r"^(?P<thing>.+?) (?:is|are|has been|have been) (?:now )?(?:back(?: home)?|home(?: again)?)"
    r"(?: (?:from|at|in|on|since) .*)?$"
)
_IS = re.compile(
    r"^(?P<thing>.+?) (?:is|are|stays?|remains?) (?:(?:now|still|currently|not yet|again|completely) )*"
    r"(?P<state>[\w][\w -]*?)(?P<rest> (?:since|until|at the moment|right now|because|for (?:weeks|months|days"
    r"|years))\b.*"
    r"| with (?:a|an|his|her) .*)?$"
)
_UNSURE = re.compile(
    r"\b(?:not|never|no|nobody|nearly|almost|hardly|if|unless|wants?|hopes?|plans?|would|could|will|must|should"
    r"|(?<!in )(?<!on )(?<!since )(?<!until )(?<!of )may|might|half|partly|some|one of|most|many|to be|used to)\b|n't\b"
)
_ELSEWHEN = re.compile(r"\b(?:until|being|in (?:19|20)\d\d|(?:years|months) ago|once)\b")
_GONE = (
    r"(?:(?:has |have |was |were |has been |have been )?(?:died|dead|passed away|put down|put to sleep|run over"
    r"|ran away"
    r"|run away|stolen|sold|given away|scrapped|sunk|sank|burned down|burnt down|demolished|broke up|broken up|split up"
    r"|disbanded|closed down|shut down|towed away|taken away|written off|gone|no more|torn down|dissolved"
    r"|wound up))"
)
_HAS = re.compile(
    r"^(?P<who>.+?) (?:has|have|owns?|keeps?|drives?|rides?|plays in|sings in|runs?|rents?) "
    r"(?:a|an|his own|her own|their own) (?P<what>[\w' -]+?)(?:,? (?:called|named|by the name of) (?P<name>[\w-]+))?$"
)
_IS_GONE = re.compile(
    rf"^(?P<what>[\w' -]+?) {_GONE}(?: (?:in|on|last|this|at|after|over|during|when|from|yesterday|of)\b.*)?$"
)
_OVERCAME = re.compile(
    r"^(?P<who>.+?) (?:(?:has|have|is|are|now|finally) )*(?:recovered from|got rid of|gotten rid of|over|beaten|beat"
    r"|shaken off|cured of|free of) (?:the|his|her|their) (?P<what>[\w' -]+?)(?: (?:in|on|last|this|at|after"
    r"|since)\b.*)?$"
)
_WORKS = re.compile(r"^(?P<who>.+?) (?:works?|is working|teaches|practises|is employed) .+$")
_RETIRED = re.compile(
    r"^(?P<who>.+?) (?:(?:has|have|is|now|just) )*retired(?: (?:in|on|last|this|at|from|after|early|since)\b.*)?$"
)


@dataclass(frozen=True)
class Deed:
    """What was done (`deed`) to a `thing`, or, where that is told, how it is since then (`so`)."""

    deed: str
    thing: str
    so: str = ""


@lru_cache(maxsize=4_096)
def deed_of(content: str) -> Deed | None:
    """What the statement says was done, and to what; None where it says nothing of the kind, or doubts it.

    >>> deed_of("Ole has unlocked the gate.")
    Deed(deed='unlocked', thing='the gate', so='')
    >>> deed_of("Ole has not unlocked the gate.") is None
    True
    """
    raw = lay(content).raw
    if _UNSURE.search(raw) or _ELSEWHEN.search(raw):
        return None
    if made := _MADE.match(raw):
        return Deed("made", made["thing"], made["so"])
    if turned := _TURNED.match(raw):
        return Deed(f"{turned['first']} {turned['last']}", turned["thing"])
    if back := _BACK.match(raw):
        return Deed("came back", back["thing"])
    if done := _BY_SOMEBODY.match(raw) or _OF_IT.match(raw):
        return Deed(done["deed"], done["thing"])
    return None


def thing_of(content: str) -> str:
    """What the statement says something was done to, is gone, or is over; '' without."""
    if deed := deed_of(content):
        return deed.thing
    raw = lay(content).raw
    for pattern in (_IS_GONE, _OVERCAME):
        if found := pattern.match(raw):
            return found["what"]
    retired = _RETIRED.match(raw)
    return retired["who"] if retired else ""


def undoes(content: str) -> Iterator[tuple[str, str]]:
    """What the other statement has to be, where this one says what `undone_by` looks for: one of a sort, or one that
    tells a certain state; see `may_be_undone`."""
    raw = lay(content).raw
    if deed := deed_of(content):
        yield from [("state", "")] if deed.so else (("state", state) for state in _DEEDS[deed.deed])
    if _IS_GONE.match(raw) or _OVERCAME.match(raw):
        yield "had", ""
    if _RETIRED.match(raw):
        yield "work", ""


def may_be_undone(content: str) -> Iterator[tuple[str, str]]:
    """Of what sorts a statement is that `undone_by` may find to be over: a state, and which; what somebody has, or
    does for a living."""
    raw = lay(content).raw
    if state := _IS.match(raw):
        yield from (("state", ""), ("state", state["state"]))
    if _HAS.match(raw):
        yield "had", ""
    if _WORKS.match(raw):
        yield "work", ""


def undone_by(old: str, new: str) -> str | None:
    """By which words the newer statement says that what the older one tells is no longer so; None where it does not.

    >>> undone_by("The gate is locked.", "Ole has unlocked the gate.")
    'unlocked'
    >>> undone_by("The gate is locked.", "Ole has unlocked the shed.") is None
    True
    """
    before, after = lay(old).raw, lay(new).raw
    if _UNSURE.search(before.replace("not yet", "")):
        return None
    return _ends_state(before, new) or _is_gone(before, after) or _is_over(before, after)


def _ends_state(before: str, new: str) -> str | None:
    deed, state = deed_of(new), _IS.match(before)
    if deed is None or state is None or concepts(state["thing"]) != concepts(deed.thing) or not concepts(deed.thing):
        return None
    if deed.so:
        return deed.so if _exclude(state["state"], deed.so) else None
    if state["state"] in _OF_HOURS and (_HOUR.search(lay(new).raw) or state["rest"]):
        return None  # who shut at nine opens again
    return deed.deed if state["state"] in _DEEDS[deed.deed] else None


_OF_HOURS = frozenset({"open", "closed", "shut", "locked", "unlocked"})
_HOUR = re.compile(
    r"\b(?:at|until|from|early|late|today|tonight|for (?:the (?:day|night|weekend|holidays?)|lunch|dinner))\b"
)


def _exclude(one: str, other: str) -> bool:
    """Whether a thing is at most one of the two at a time."""
    mine, yours = (dict(KINDS.get(stem(word), ())) for word in (one, other))
    turned = any(mine[kind] != yours[kind] for kind in mine.keys() & yours.keys())
    return turned or bool(opposites((one,), (other,))) or are_prefixed(one, other)


def _is_gone(before: str, after: str) -> str | None:
    """Who had something, and it is no more: Ana's dog died."""
    has, gone = _HAS.match(before), _IS_GONE.match(after)
    if not has or not gone or " and " in has["what"] or _UNSURE.search(after.replace("no more", "")):
        return None
    owner, _, what = gone["what"].rpartition("'s ")
    name = has["name"] or ""
    if not owner:
        return gone[0] if name and what == name else None
    named = {what, what.removesuffix(f" {name}")} if name else {what}
    same = concepts(owner) == concepts(has["who"]) and any(concepts(one) == concepts(has["what"]) for one in named)
    return gone[0] if same else None


def _is_over(before: str, after: str) -> str | None:
    """Who has recovered from what they had, and who has retired from what they did."""
    if _UNSURE.search(after):
        return None
    has, over = _HAS.match(before), _OVERCAME.match(after)
    if (
        has
        and over
        and concepts(has["who"]) == concepts(over["who"])
        and concepts(has["what"]) == concepts(over["what"])
    ):
        return over[0]
    works, retired = _WORKS.match(before), _RETIRED.match(after)
    return retired[0] if works and retired and concepts(works["who"]) == concepts(retired["who"]) else None
