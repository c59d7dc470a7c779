"""A newer statement that says by itself that things have turned: what holds now, or what became of a plan.

"These days", "since the move" and "has recently switched to" say that it was otherwise before; "after all", "instead"
and "has been put off" say that something else was planned. So less need be the same in both statements than where
nothing is said of a change: the subject and the verb, or what the plan was about.
"""

import re

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import LIGHT, MOVERS, SAME
from graphmem.rules.contradiction.antonyms import ADDITIVE
from graphmem.rules.contradiction.gists import ROOT, Gist
from graphmem.rules.contradiction.single_valued import MANY, MANY_BUT, PLACED
from graphmem.rules.language.stems import stem, stems
from graphmem.rules.language.text import words

_NOW = re.compile(
    r"\b(?:now|these days|nowadays|instead|currently|at present|from now on|has switched|have switched"
    r"|(?:has|have) been .*\bsince\b|this (?:season|term|year))\b"
)
"""What says that it was otherwise before."""
_PASSING = re.compile(
    r"\b(?:today|this (?:week|morning|evening)|tonight|on a|for the (?:day|week)|trip|visit|holiday)\b"
)
"""What says that it will be as before soon."""
_CALLED_OFF = re.compile(
    r"\b(?:called off|cancell?ed|postponed|put off|put on (?:hold|ice)|on (?:hold|ice)|shelved|dropped|given up|gave up"
    r"|abandoned|scrapped|ditched|decided against|decided not to|changed (?:my|his|her|their|our|its) minds?"
    r"|backed out|pulled"
    r" out|fell through|fallen through|come to nothing|came to nothing|delayed|pushed back|brought forward"
    r"|rescheduled|off the table|ruled out"
    r"|thought better of|no longer (?:plans?|wants?|intends?)|not happen|not go ahead|won't happen|won't go ahead"
    r"|rejected"
    r"|turned down|voted down|vetoed|withdrawn|withdrew)\b"
)
_IS_OFF = re.compile(rf"\b(?:was|were|is|are|been|got) {_CALLED_OFF.pattern}")
"""Said of the subject."""
_INSTEAD = re.compile(
    r"\b(?:instead|after all|rather than|in place of|opted for|settled on|decided on"
    r"|moved to|switched to|changed to|chosen|chose)\b|, not \w+"
)
_PLANNING = frozenset(
    SAME.get(one, one)
    for one in stems(
        """plan intend want hope mean aim wish will go going expect propose consider idea think would due next soon
        project intention scheme decide decision schedule"""
    )
)
_OF_PLANS = (
    _PLANNING
    | MOVERS
    | frozenset(
        SAME.get(one, one)
        for one in stems(
            """event date release launch opening start departure holding construction purchase sale move introduction
            new whole entire big own annual planned upcoming day"""
        )
    )
)
"""Nouns for that a thing is to be, which is off where they are."""


def turned(old: Gist, new: Gist, planned: bool, later: bool) -> str | None:
    """By which words the newer statement says that what the older one tells has turned; None where it does not.

    `planned`: the older one is a plan; `later`: more than a day lies between the two.
    """
    if old.denied or old.past or old.over or new.adds - {"both", "second"}:
        return None
    if planned:
        return _is_off(old, new)
    return _is_otherwise(old, new) if later and not old.adds and not new.adds else None


def _is_otherwise(old: Gist, new: Gist) -> str | None:
    """The same subject does the same with something else now."""
    marked = _NOW.search(new.said)
    if not marked or new.denied or new.past or new.over or _PASSING.search(new.said):
        return None
    (who, does, what), (other, did, whom) = _roles(old), _roles(new)
    if does != did or not does or does in _BE or old.amounts != _timeless(new):
        return None
    if (
        who
        and other
        and what
        and what == whom
        and not who & other
        and does not in _FREELY
        and not _THEIRS.search(old.said)
    ):
        return marked[0]  # somebody else does it
    if not old.subject or old.subject != new.subject:
        return None
    mine, yours = old.behind - new.behind, new.behind - old.behind
    if not mine or not yours or max(len(mine), len(yours)) > 4:
        return None
    leads = [{side.under.get(word, "") for word in part} for side, part in ((old, mine), (new, yours))]
    if leads[0] | leads[1] == {""} and does not in _WITH_ONE:
        return None  # who sells bread may sell cakes too
    many = does in MANY | ADDITIVE and not any((does, lead) in MANY_BUT for lead in leads[0])
    placed = does in PLACED and leads[0] | leads[1] <= {"in", "at", "on", ""}
    if many or not (leads[0] & leads[1] or placed) or len(leads[0] | leads[1]) > 2:
        return None
    return marked[0]


def _roles(side: Gist) -> tuple[frozenset[str], str, frozenset[str]]:
    """Who does what to what, in the active or the passive; who is not known where that is not told."""
    bare = frozenset(word for word in side.behind if not side.under.get(word))
    if side.verb not in _BE | {"been"}:
        return side.subject, side.verb, side.behind
    done = next((word for word in sorted(bare) if f" {word}" in f" {side.said}"), "")
    by = frozenset(word for word in side.behind if side.under.get(word) == "by")
    return by, done, side.subject


def _timeless(side: Gist) -> tuple[tuple[str, str], ...]:
    """The amounts without the month since when it holds."""
    return tuple(one for one in side.amounts if one[1] != "month") if "since" in side.said else side.amounts


_THEIRS = re.compile(r"\b(?:his|her|their|its)\b")
_WITH_ONE = stems("wear drive ride take rent earn follow captain weigh marry date cost lead run manage")
"""Verbs whose object is one at a time, as people tell it."""
_FREELY = stems(
    """like love enjoy want know see visit read hear watch eat drink buy have wear play sing use attend join support
    need
    speak learn study meet own take"""
)
"""What any number of people do to the same thing."""


_BE = frozenset({"is", "are", "be", "hav", "has", "have", "get", "do", ""})


def _is_off(old: Gist, new: Gist) -> str | None:
    """What was planned is called off, put off, or something else is done in its place."""
    about = {word for word in old.full - _PLANNING - MOVERS if not word[0].isdigit()} - _TIMES
    about = about - LIGHT or about
    said = {word[:ROOT] for word in new.full} | {word[:5] for word in new.full}
    missing = {word for word in about if word[:ROOT] not in said and word[:5] not in said}
    shared = about - missing
    strangers = {one for one in new.names - old.full - old.names if not new.under.get(one)}
    if off := _CALLED_OFF.search(new.said):
        known = bool(shared - old.names) and not missing & old.names and len(missing) <= (len(about) > 2)
        return off[0] if known and not strangers and not _is_another(old, new) else None
    if ((turn := _INSTEAD.search(new.said)) and not new.denied % 2) or (turn and new.left):
        known = bool(shared - old.names - old.subject) and len(shared) * 2 >= len(about) and len(missing) <= 2
        same = (
            bool(old.subject & new.words)
            if old.subject - _PLANNING
            else not new.left or not new.subject or bool(new.subject & old.full)
        )
        return turn[0] if known and same and not (new.subject & strangers) else None
    return None


_EVENT_IS = re.compile(r"\b(?:is|are) (?:now |still )?(?:planned|scheduled|due|set|booked|slated|going|in|on)\b")


def _is_another(old: Gist, new: Gist) -> bool:
    """Whether what is off is another thing of that kind: the rehearsal for the concert."""
    off = _IS_OFF.search(new.said) if _EVENT_IS.search(old.said) else None
    known = {word[:5] for word in old.full | _OF_PLANS | table.TYPE_WORDS}
    told = (stem(word) for word in words(new.said[: off.start()] if off else "") if word not in table.EMPTY)
    return any(SAME.get(word, word)[:5] not in known for word in told if word not in table.PREPOSITIONS)


_TIMES = stems("summer winter spring autumn week month year weekend term season today tomorrow christmas easter")


def may_turn(bag: Gist) -> tuple[str, frozenset[str]]:
    """What the newer statement says is done otherwise now, and the words for what may be off; '' and none without."""
    does = _roles(bag)[1] if _NOW.search(bag.said) else ""
    off = bool(_CALLED_OFF.search(bag.said) or _INSTEAD.search(bag.said))
    about = bag.full - _PLANNING - MOVERS - _TIMES - bag.names if off else frozenset[str]()
    return does, frozenset(one for one in about if not one[0].isdigit())


def does(bag: Gist) -> str:
    """What is done, in the active or the passive."""
    return _roles(bag)[1]
