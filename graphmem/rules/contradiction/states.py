"""States that people tell in many ways: who lives where, who works for whom, who heads, owns or answers for what, what
something amounts to, when it is.

`rules.contradiction.detector` compares two statements word by word, so what one tells by a noun and the other by a verb
("Bert became CEO", "the CEO is Anna") meets nothing there. Here each of a few states that have one value at a time is
read from whatever words tell it; two statements contradict if they tell the same state of the same subject otherwise.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.agents import BY_AGENT, Telling
from graphmem.rules.contradiction.alike import LIGHT, SAME
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.assertions import read, union
from graphmem.rules.contradiction.gists import root
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.contradiction.single_valued import HOLDERS, MANY, PLACED
from graphmem.rules.contradiction.state_words import IS, NOUN, SET, TELLINGS, WEAK
from graphmem.rules.language.marks import Marks
from graphmem.rules.language.stems import stem, stems
from graphmem.rules.language.text import words


@dataclass(frozen=True)
class State:
    """`relation` of `subject` is `value`; sets hold `key`s. `changed`: told as a change, which puts an end to what was;
    `named`: by a name."""

    relation: str
    subject: frozenset[str]
    value: frozenset[str]
    changed: bool
    shown: str
    weak: bool = False


_TURNED = re.compile(
    r"\b(?:does not|doesn't|do not|don't|is not|isn't) (?P<verb>\w+ )?(?P<word>in|at|on|for|to)"
    r" .{1,40}?,? but (?P=word) "
)
_LATE = re.compile(
    r"(?:,? (?:now|instead|again|these days|nowadays|at the moment|this (?:week|month|year)|last (?:week|month|year)"
    r"|since .+|as of .+|from .{1,20} on|in (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\d{4})(?: \d{4})?|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today))+$"
)
"""What says since when."""
_EARLY = re.compile(
    r"^(?:(?:as of|since|from) (?:[^,]{1,30}),? |(?:in|on) (?:the )?(?:\d|january|february|march|april|may|june|july"
    r"|august|september|october"
    r"|november|december|last|early|late|\w+day(?!s)|spring of|summer of|autumn of|winter of|end|beginning|middle"
    r"|meantime)(?:[^,]{0,30}, |\w*(?: of \w+)?(?: \d{4})? )"
    r"|(?:now|currently|recently|officially|finally|today|yesterday),? )+"
)
_VERBS = table.VERBS | PLACED | MANY | HOLDERS | stems("bear carry seat earn cost belong chair teach coach tutor")
_ALONE = re.compile(
    r"(?:,? and (?:nothing|nobody|no one|nowhere) else| \b(?:only|solely|exclusively|purely|entirely|alone|sole"
    r"|at all))(?=$| )"
)
_SMALL_NUMBER = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_UNSURE = re.compile(
    r"\b(?:not|never|no longer|nobody|no one|used to|if|unless|only|also|both|either|once"
    r"|(?<!runs )(?<!lasts )(?<!open )(?<!valid )(?<!on )until|was \w+ing)\b|n't\b"
)
_BY_MARKS = tuple(
    (marks, tuple(telling for telling in TELLINGS if telling.marks == marks))
    for marks in dict.fromkeys(telling.marks for telling in TELLINGS)
)
"""The tellings that one of the same marks stands for."""
_MARKS = Marks([marks for marks, _ in _BY_MARKS])
_FRESH = re.compile(
    r"\b(?:now|currently|instead|since|meanwhile|newly|as of|from .{1,15} on|recently|has been (?:moved|changed)"
    r"|again)\b"
)
"""What says that it was not so before."""
_NAMED = frozenset({"home", "boss", "role"})
"""Relations whose values are looked at where they are names: "lives in a flat" stays beside "lives in Rome"."""
_WHO = BY_AGENT | {"partner"}
"""Relations whose values are who or what does something."""
REPLACED = frozenset({"means", "venue"})
"""Relations of which there may be several, unless the newer statement tells a change."""
_INDEFINITE = frozenset({"a", "an", "another", "one"})
MAX_VALUE = 6
"""Values of more words are sentences."""


@lru_cache(maxsize=4_096)
def states(content: str) -> tuple[State, ...]:
    """The states that a statement tells; none where it denies, doubts or limits what it says.

    >>> [(one.relation, sorted(one.value), one.changed) for one in states("Bert became CEO.")]
    [('role', ['bert'], True)]
    """
    return tuple(_read(lay(content).raw))


def other_state(old: str, new: str, names: frozenset[str]) -> tuple[str, str] | None:
    """What both statements tell of the same subject, otherwise: the two values, or None.

    `names`: the keys of words written as names.
    """
    apart = _scopes(old) != _scopes(new)
    for before in states(old):
        for after in states(new):
            if (not apart or before.relation in _OF_PEOPLE) and _differ(before, after, names):
                return before.shown, after.shown
    return None


def _differ(old: State, new: State, names: frozenset[str]) -> bool:
    if old.relation == "partner" and new.relation == "bond":
        return bool(new.value & _ALONE_AGAIN) and old.subject == new.subject
    if old.relation != new.relation:
        return False
    if new.relation == "named" and new.changed and new.subject == old.value and not new.value <= old.value:
        return True
    if not _same_subject(old, new):
        return False
    if new.relation == "desk":  # the same floor or office is told in more ways than one
        return bool(old.value & new.value and old.value - new.value and new.value - old.value)
    if new.relation == "tool":
        return (
            new.changed
            and not old.changed
            and old.value <= names
            and bool(new.value & names)
            and not old.value & new.value
        )
    if (new.relation in REPLACED or old.weak or new.weak) and not new.changed:
        return False
    if new.relation == "rank":
        low = bool(old.value & _LOW_RANKS) and not new.value & _LOW_RANKS
        return new.changed and not old.changed and (low or not old.value <= new.value) and not new.value <= old.value
    if new.relation == "position":
        return bool(old.value & _LOW_RANKS) != bool(new.value & _LOW_RANKS)
    if old.value <= new.value or new.value <= old.value:
        return False
    if new.relation in _NAMED:
        return old.value | new.value <= names
    if old.relation in _WHO:
        mine, yours = old.value - new.value, new.value - old.value
        if mine & names and yours & names:
            return True
        return _is_who(old, names) and _is_who(new, names) and old.value & new.value <= _GROUPS
    if new.relation == "price" and len([side for side in (old, new) if side.value & _FREE]) == 1:
        return True
    if new.relation == "count" and {*_numbers(old)} != {*_numbers(new)}:
        return _topic(old.value - _numbers(old)) == _topic(new.value - _numbers(new)) or _are_people(old, new)
    if new.relation in ("price", "count"):
        return _measure(old) == _measure(new)
    if new.relation == "work":
        return _are_employers(old, new, names)
    if new.relation in _LOOSE or new.relation.startswith("noun "):
        return _are_values(old, new, names)
    return True


_OF_PEOPLE = frozenset({"rank", "bond", "partner"})
"""Relations that hold of somebody wherever they are."""
_ALONE_AGAIN = stems("single divorced widowed")
_GROUPS = stems("team department group crew family squad guild committee council board company office unit staff")
_LOOSE = frozenset({"dwelling", "means", "venue", "named", "job"})


_FREE = frozenset({"fre", "free", "noth", "nothing"})
_PEOPLE = stems("member people person employee staff engineer developer player colleague")


def _numbers(state: State) -> frozenset[str]:
    return frozenset(word for word in state.value if word[0].isdigit())


def _are_people(old: State, new: State) -> bool:
    """Whether both are counts of who belongs to a group."""
    return bool(_numbers(old) and _numbers(new)) and old.value - _numbers(old) <= _PEOPLE >= new.value - _numbers(new)


_LOW_RANKS = stems("apprentice trainee intern junior deputy vice assistant student associate acting interim temporary")
"""Who is that of something is not what they are an apprentice of, and becomes it one day."""


def _is_who(state: State, names: frozenset[str]) -> bool:
    return bool(state.value & names) or state.shown.startswith(_DETERMINED)


def _are_employers(old: State, new: State, names: frozenset[str]) -> bool:
    """Names, or two trades: a firm with a name may be the roofing company that is spoken of."""
    named = [bool(side.value & names) for side in (old, new)]
    if all(named):
        return True
    return named[0] == named[1] and not old.value & new.value and not (old.value | new.value) & _ANY_FIRM


_ANY_FIRM = stems("firm business startup employer place home time night shift organisation organization week day")
_DETERMINED = ("a ", "an ", "the ", "my ", "our ", "his ", "her ", "their ")


def _are_values(old: State, new: State, names: frozenset[str]) -> bool:
    """Whether the two cannot both be: names both, numbers of one unit both, or neither."""
    numbers = [{word for word in side.value if word[0].isdigit()} for side in (old, new)]
    if any(numbers):
        mine, yours = (side.value - part for side, part in zip((old, new), numbers, strict=True))
        if mine and yours and mine | yours <= names:
            return not mine & yours  # a street and a number
        return all(numbers) and _measure(old) == _measure(new)
    if old.value & _JUDGED or new.value & _JUDGED:
        return False
    named = [side.value <= names for side in (old, new)]
    return named[0] == named[1] and (all(named) or not old.value & new.value)


_JUDGED = stems(
    """good bad easy hard unknown secret important correct wrong fine nice public ready unclear same different clear
    possible visible long short high low high big small huge fair normal right usual strange famous popular beautiful
    there here available missing needed required late early over done not well known part one something nothing low"""
)
"""What is said of a value, and is none."""


def _same_subject(old: State, new: State) -> bool:
    mine, yours = (side.subject - table.TYPE_WORDS or side.subject for side in (old, new))
    kinds = [side.subject & (table.TYPE_WORDS | _THINGS) for side in (old, new)]
    if all(kinds) and kinds[0] != kinds[1]:
        return False
    if new.relation == "role":
        short, long = sorted((mine, yours), key=len)
        return short == long or (short < long and (len(short) == 1 or not short & _HEADS))
    if new.relation == "price":
        periods = [side & _PERIODS for side in (mine, yours)]
        if all(periods) and periods[0] != periods[1]:
            return False
        mine, yours = (side - _ENTRY - _PERIODS or side for side in (mine, yours))
    if new.relation == "desk":
        mine, yours = (side - _GROUPS or side for side in (mine, yours))
    return not (mine and yours) or mine == yours or _topic(mine) == _topic(yours)


_HEADS = stems("head director chair leader captain manager")
"""Who is that of something is told with it: the head of marketing is not the head of market research."""
_PERIODS = stems("hour day night week month quarter year")
_ENTRY = stems("entry entrance admission hour ticket")
"""What is paid for where that goes without saying."""


def _topic(words: frozenset[str]) -> frozenset[str]:
    same = frozenset(root(SAME.get(word, word)) if len(word) > 6 else SAME.get(word, word) for word in words)
    return same - LIGHT - _THINGS or same - LIGHT or same


_THINGS = stems(
    "meet meeting session environment env domain website site repo repository "
    "package library table column tool file brand"
)
"""Nouns that need not be said of a thing that has a name."""


def _measure(state: State) -> tuple[str, ...]:
    """What kind of value it is: a weekday, a time of day, a number with its unit."""
    return tuple(sorted({_kind(word) for word in state.value}))


def _kind(word: str) -> str:
    if word in table.WEEKDAYS:
        return "weekday"
    if not word[0].isdigit():
        return word
    return ("clock " if ":" in word else "number ") + word.lstrip("0123456789.,:")


def _scopes(content: str) -> frozenset[str]:
    return union(clause.scope for clause in read(content)) & table.SCOPES - table.WEEKDAYS


def _read(raw: str) -> Iterator[State]:
    text = _TURNED.sub(lambda match: f"{_third(match['verb'])} {match['word']} ", raw) if " but " in raw else raw
    text = _ALONE.sub("", text)
    first = text.partition(" ")[0]
    if first in table.AUX or (stem(first) in _VERBS and first[-1:] in "sd"):
        text = f"it {text}"  # of the entity itself
    if _UNSURE.search(text):
        return
    fresh = bool(_FRESH.search(raw))
    text = _SMALL_NUMBER.sub(lambda found: key(found[0]), text)
    bare = _LATE.sub("", _EARLY.sub("", text)).strip(" ,")
    for place in _MARKS.found(bare):
        for telling in _BY_MARKS[place][1]:
            found = telling.pattern.match(bare)
            if found and (state := _state(telling, found, fresh)):
                yield state
    for noun in NOUN.finditer(bare):
        before, after = bare[: noun.start()].rstrip(), bare[noun.end() :].strip()
        if (said_of := _of_noun(before, after, noun[0])) and (state := _noun_state(noun[0], *said_of, fresh)):
            yield state


_CODES = frozenset(
    {"password", "passcode", "pin", "code", "combination", "username", "limit", "timeout", "budget", "quota"}
)
"""Nouns of what a thing has one of that are told with it as one word: the alarm code."""
_CODE_OF = re.compile(r"(?:the |our |my )(?:(?:new|current|present) )*(?P<s>[a-z][\w-]*(?: [\w-]+)?)")
_CHANGED_THE = re.compile(
    r"(?:.+? )?(?:changed|set|reset|switched|raised|lowered|increased|reduced) (?:the|our"
    r"|my) (?P<s>[a-z][\w-]*(?: [\w-]+)?)"
)
_OWNED = re.compile(r"(?P<s>.+?)'s?(?: (?:new|current|own|present))*")
_BARE = frozenset({"", "the", "its", "our", "the new", "the current", "the present"})
_IS_V = re.compile(
    rf"(?:(?P<o>(?:in|on|at|for) [\w' -]+?) )?{IS}(?:now )?(?:set (?:to|at) |at |fixed at |limited to )?(?P<v>.+)"
)
_OF_IS_V = re.compile(
    rf"(?:of|for|on|at) (?P<s>.+?) {IS}(?:now )?(?:set (?:to|at) |at |fixed at |limited to )?(?P<v>.+)"
)
_OF_S = re.compile(r"(?:of|for) (?P<s>.+)")
_HAS = re.compile(r"(?P<s>.+?) (?:has|have|comes with|come with)(?: an?| the| its| a new)?")
_HAS_AS = re.compile(r"(?P<s>.+?) (?:has|have|uses|lists|gives) (?P<v>.+?) as (?:its|his|her|their|the|an?)(?: new)?")
_V_IS_S = re.compile(rf"(?P<v>.+?) {IS}(?:now )?(?P<s>.+?)'s?(?: new| current)?")
_V_IS = re.compile(rf"(?P<v>.+?) {IS}(?:now )?the(?: new| current)?")
_SET_TO = re.compile(rf"{SET} to (?P<v>.+)")
_OF_SET_TO = re.compile(rf"(?:of|for|on|at) (?P<s>.+?) {SET} to (?P<v>.+)")
_CHANGED_ITS = re.compile(r"(?P<s>.+?) (?:has |have )?(?:changed|switched|raised|lowered) (?:its|his|her|their|the)")
_TO_V = re.compile(r"(?:from .+? )?to (?P<v>.+)")


def _of_noun(before: str, after: str, noun: str) -> tuple[str, str, bool] | None:
    """Of what the noun between these is told which value, and whether as a change."""
    if before in _BARE:
        if told := _OF_IS_V.fullmatch(after):
            return told["s"], told["v"], False
        return (told["s"], told["v"], True) if (told := _OF_SET_TO.fullmatch(after)) else None
    if noun in _CODES and (code := _CODE_OF.fullmatch(before)):
        if told := _IS_V.fullmatch(after):
            return f"{code['s']} {told['o'] or ''}", told["v"], False
        if told := _SET_TO.fullmatch(after):
            return code["s"], told["v"], True
    if noun in _CODES and (code := _CHANGED_THE.fullmatch(before)) and (to := _TO_V.fullmatch(after)):
        return code["s"], to["v"], True
    if owner := _OWNED.fullmatch(before):
        if told := _IS_V.fullmatch(after):
            return f"{owner['s']} {told['o'] or ''}", told["v"], False
        if told := _SET_TO.fullmatch(after):
            return owner["s"], told["v"], True
    if not after:
        told = _HAS_AS.fullmatch(before) or _V_IS_S.fullmatch(before)
        return (told["s"], told["v"], False) if told else None
    if (told := _V_IS.fullmatch(before)) and (of := _OF_S.fullmatch(after)):
        return of["s"], told["v"], False
    if (told := _CHANGED_ITS.fullmatch(before)) and (to := _TO_V.fullmatch(after)):
        return told["s"], to["v"], True
    if told := _HAS.fullmatch(before):
        return told["s"], after.removeprefix("of "), False
    return None


def _noun_state(noun: str, subject: str, value: str, changed: bool, fresh: bool) -> State | None:
    keys = _keys(value)
    if not keys or len(keys) > MAX_VALUE or _INDEFINITE & {*words(value)[:1]}:
        return None
    about = _subject(subject, True)
    if about is None:
        return None
    return State(f"noun {' '.join(sorted(_topic(_keys(noun))))}", about, keys, changed or fresh, value)


def _third(verb: str | None) -> str:
    """The verb as it stands without "does not"."""
    return f"{verb.strip()}s" if verb else "is"


def _state(telling: Telling, found: re.Match[str], fresh: bool) -> State | None:
    groups = found.groupdict()
    of = groups.get("o") or ""
    relation = groups.get("n") or telling.relation
    shown = found["v"]
    if relation == "home" and " in " in shown and shown.startswith(_INDEFINITE_LEAD):
        shown = shown.rpartition(" in ")[2]  # "a shared flat in Malmö"
    first = {*words(shown)[:1]}
    value = _keys(shown)
    subject = _subject(found["s"], found.start("s") == 0)
    if subject is None:
        return None
    if (
        not value
        or len(value) > MAX_VALUE
        or (
            _INDEFINITE & first
            and relation not in _OF_A_KIND
            and not (relation in BY_AGENT and (telling.changed or fresh))
        )
    ):
        return None
    if relation == "work" and telling.changed and first <= _ARTICLES:
        return None  # one joins a club beside one's work
    weak = relation.startswith(WEAK)
    return State(relation.removeprefix(WEAK), subject | _keys(of), value, telling.changed or fresh, shown, weak)


def _subject(said: str, first: bool) -> frozenset[str] | None:
    """The keys of a subject; none where it is left out, or a small word for the entity; None where that stands for
    something else."""
    text = said.strip()
    if text in _SPEAKERS:
        return frozenset({{"my": "i", "our": "we"}.get(text, text)})
    keys = _keys(text)
    return keys if keys or (first and text in _ENTITY) else None


_SPEAKERS = frozenset({"i", "we", "you", "my", "our"})
_ENTITY = frozenset({"", "it", "he", "she", "they"})
_ARTICLES = frozenset({"the", "a", "an", "our", "his", "her", "their"})
_INDEFINITE_LEAD = ("a ", "an ", "his ", "her ", "their ", "the ")
_OF_A_KIND = frozenset({"dwelling", "job", "work"})


_EMPTY = table.EMPTY | table.PREPOSITIONS


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in words(text) if word not in _EMPTY)
