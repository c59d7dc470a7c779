"""States that people tell in many ways: who lives where, who works for whom, who heads, owns or answers for what, what
something amounts to, when it is.

`rules.contradiction` compares two statements word by word, so what one tells by a noun and the other by a verb ("Bert
became CEO", "the CEO is Anna") meets nothing there. Here each of a few states that have one value at a time is read
from whatever words tell it; two statements contradict if they tell the same state of the same subject otherwise.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules import antonyms as table
from graphmem.rules.antonyms import key
from graphmem.rules.assertions import read, union
from graphmem.rules.laying import lay
from graphmem.rules.text import words

_BETWEEN = r"(?:(?:now|currently|recently|just|already|officially|finally|actually|since) )*"
_IS = rf"(?:is|are|has been|have been) {_BETWEEN}"
_DID = rf"(?:(?:has|have|had|was|were|is|are|been|being|got|gets) )*{_BETWEEN}"
_ROLES = (
    r"(?:ceo|cto|cfo|coo|ciso|president|chair(?:man|woman|person)?|treasurer|captain|principal|headmaster|headteacher"
    r"|mayor|(?:head )?coach|conductor|landlord|landlady|product owner|scrum master"
    r"|(?:tech|team|project|engineering|release|design|qa) (?:lead|manager)|managing director|editor in chief"
    r"|(?:head|director|chair|leader|captain|manager) of [\w' -]{2,40}?|incident commander|office manager|caretaker)"
)
_OF = r"(?: (?:of|at|for) (?P<o>.+))?"
_TIME = (
    r"(?:the )?(?:\d{1,2} )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|spring|summer|autumn|winter)\b.*"
)
_DATE = (
    r"(?:the )?(?:(?:early|mid|late|\d{1,2}(?: of)?)[ -])?(?:january|february|march|april|5|june|july|august|september"
    r"|october|november|december)\b.*"
)
_SHIFTED = (
    r"(?:moved|postponed|pushed|put off|rescheduled|delayed|brought forward|shifted|slipped|changed|switched)"
    r"(?: (?:back|out|forward|up|over))?(?: from .{1,30}?)?"
)
_SET = (
    r"(?:went|gone|goes|rose|risen|dropped|fell|fallen|climbed|grew|grown|shrank|raised|lowered|cut|increased|reduced"
    r"|changed|switched|moved|set|bumped|adjusted|updated|upped|doubled|halved|corrected)(?: (?:up|down|back))?"
    r"(?: from .{1,30}?)?"
)
_GAVE = (
    r"(?:moved|passed|went|gone|transferred|handed(?: over)?|given|reassigned|assigned|switched)"
    r"(?: from .{1,40}?)?(?: over)?"
)


@dataclass(frozen=True)
class State:
    """`relation` of `subject` is `value`; sets hold `key`s. `changed`: told as a change, which puts an end to what was;
    `named`: by a name."""

    relation: str
    subject: frozenset[str]
    value: frozenset[str]
    changed: bool
    shown: str


@dataclass(frozen=True)
class _Telling:
    """Words that tell a relation. What begins or changes it ends what was before; `marks`: one of these is in them."""

    relation: str
    changed: bool
    marks: tuple[str, ...]
    pattern: re.Pattern[str]


def _telling(relation: str, marks: str, pattern: str, *, changed: bool = False) -> _Telling:
    return _Telling(relation, changed, tuple(marks.split(";")), re.compile(rf"^{pattern}$"))


_TELLINGS = (
    _telling(
        "home",
        "liv;resid;based;stay;settled;home",
        rf"(?P<s>.*?)\b(?:lives?|resides?|(?:{_IS})(?:living|staying|based)|settled|has settled|ha(?:s|ve) made "
        r"(?:his|her|their) home) (?:in|at|near) (?P<v>.+)",
    ),
    _telling("home", "home", r"(?P<s>.*?)\bcalls? (?P<v>.+) home"),
    _telling("home", "home is", r"(?P<s>.*?)'s (?:new |current )?home is (?:in )?(?P<v>.+)"),
    _telling("home", " in ", rf"(?P<s>[^ ]+) {_IS}in (?P<v>[^ ]+)"),
    _telling(
        "home",
        "mov;relocat;emigrat",
        rf"(?P<s>.*?)\b{_DID}(?:moved|relocated|emigrated|moves|relocates)(?: back| out| over| away| house| home)*"
        r"(?: from .{1,40}?)? (?:to|into) (?P<v>.+)",
        changed=True,
    ),
    _telling(
        "work",
        "work;employ",
        r"(?P<s>.*?)\b(?:works?|(?:is|are|has been|have been) (?:now |currently )?(?:working|employed))"
        r"(?: as (?:an? )?[\w -]{2,30}?)? (?:at|for|by) (?P<v>.+)",
    ),
    _telling("work", "employer", r"(?P<s>.*?)'s (?:new |current )?employer is (?P<v>.+)"),
    _telling(
        "work",
        "join;start;hired;job;is now",
        rf"(?P<s>.*?)\b(?:{_DID}(?:joined|joins|started (?:work(?:ing)? )?(?:at|for|with)|hired by"
        r"|(?:started|took|found)"
        r" (?:a|her|his|their) (?:new )?job (?:at|with))|is now (?:at|with)) (?P<v>.+)",
        changed=True,
    ),
    _telling(
        "boss",
        "report;manag;supervis;answers to",
        rf"(?P<s>.*?)\b(?:reports to|answers to|{_IS}(?:managed|supervised) by) (?P<v>.+)",
    ),
    _telling(
        "boss", "manager;boss;supervisor", r"(?P<s>.*?)'s (?:new |line )*(?:manager|boss|supervisor) is (?P<v>.+)"
    ),
    _telling(
        "boss", "manager;boss;supervisor", r"(?P<v>.*?) is (?P<s>[^ ]+)'s (?:new |line )*(?:manager|boss|supervisor)"
    ),
    _telling("owner", "owned by", rf"(?P<s>.*?)\b{_IS}owned by (?P<v>.+)"),
    _telling("owner", "belong", r"(?P<s>(?:the |our |its |[^ ]+'s ).*?)\bbelongs? (?:now )?to (?P<v>.+)"),
    _telling("owner", "owner", r"(?P<s>.*?)'s (?:new |current )?owner is (?P<v>.+)"),
    _telling("owner", "owner", r"(?:the )?(?:new |current )?owner of (?P<s>.+?) is (?P<v>.+)"),
    _telling("owner", "owner", r"(?P<v>.+?) is the (?:new |current )?owner of (?P<s>.+)"),
    _telling("owner", "owner", rf"ownership of (?P<s>.+?) {_DID}{_GAVE} to (?P<v>.+)", changed=True),
    _telling(
        "owner",
        "hand;transfer;assign",
        rf"(?P<s>.*?)\b(?:was|were|has been|have been|got) {_BETWEEN}(?:handed(?: over)?|transferred|reassigned)"
        r"(?: from .{1,40}?)? to (?P<v>.+)",
        changed=True,
    ),
    _telling(
        "owner",
        "took;taken",
        rf"(?P<v>.+?) {_DID}(?:took|taken) (?:over|ownership of|charge of) (?P<s>(?!as ).+)",
        changed=True,
    ),
    _telling("maintainer", "maintain", rf"(?P<s>.*?)\b{_IS}(?:maintained|looked after) by (?P<v>.+)"),
    _telling(
        "role",
        " is ",
        rf"(?:the |our )?(?:new |current )?(?P<s>{_ROLES})(?: (?:of|at|for) (?P<o>.+?))? is (?:now )?(?P<v>.+)",
    ),
    _telling("role", " is ", rf"(?:the |our )?(?P<o>[^ ]+)'s (?:new |current )?(?P<s>{_ROLES}) is (?:now )?(?P<v>.+)"),
    _telling(
        "role", " is ", rf"(?P<v>.+?) {_IS}(?:the|our|their) (?:new |current |acting |interim )?(?P<s>{_ROLES}){_OF}"
    ),
    _telling(
        "role",
        " is ",
        rf"(?P<v>.+?) {_IS}(?:the |our )?(?P<o>[^ ]+)'s (?:new |current |acting |interim )?(?P<s>{_ROLES})",
    ),
    _telling(
        "role",
        "bec;appoint;elect;nam;took;taken;promot;step;start",
        rf"(?P<v>.+?) {_DID}(?:became|become|becomes|appointed|elected|named|promoted to|taken over as|took over as"
        rf"|stepped in as|started as) (?:the |our |its )?(?:new |acting |interim )?(?P<s>{_ROLES}){_OF}",
        changed=True,
    ),
    _telling(
        "bond",
        "single;engaged;married;divorced;widowed",
        rf"(?P<s>.*?)\b{_IS}(?P<v>single|engaged|married|divorced|widowed)\b.*",
    ),
    _telling(
        "bond",
        "married;engaged;divorced",
        r"(?P<s>.*?)\b(?:has |have )?(?:just |recently )?(?:got |gotten )?(?P<v>married|engaged|divorced)\b.*",
        changed=True,
    ),
    _telling(
        "port",
        "port",
        r"(?P<s>.*?)\b(?:(?:runs?|listens?|serves?|binds?|answers?|is|are) )?(?:on|to|uses|is) (?:the )?"
        r"(?:tcp |http )?port (?:number )?(?P<v>\d+)",
    ),
    _telling("port", "port", r"(?P<s>.*?)\bport (?:is|=) (?P<v>\d+)"),
    _telling("port", "listen", r"(?P<s>.*?)\blistens on (?:port )?(?P<v>\d+)"),
    _telling("port", "port", rf"(?P<s>.*?)\bport {_DID}{_SET} to (?P<v>\d+)", changed=True),
    _telling(
        "amount",
        "is ;are ;cost;at ;to ",
        r"(?P<s>.*?)\b(?:is|are|costs?|amounts to|stands at|comes to|is priced at|is set to|is at) "
        r"(?P<v>\S*\d\S*(?: \S+){0,3})",
    ),
    _telling("amount", "to ", rf"(?P<s>.*?)\b{_DID}{_SET} (?:by \S+ )?to (?P<v>\S*\d\S*(?: \S+){{0,3}})", changed=True),
    _telling(
        "time",
        " on ; at ; in ; for ;every",
        r"(?P<s>.*?)\b(?:is|are|happens?|takes? place|meets?"
        r"|(?:is|are) (?:planned|scheduled|set|due|booked|held|slated))"
        rf" (?:on|at|in|for|every) (?P<v>{_TIME})",
    ),
    _telling(
        "date",
        " on ; in ; for ",
        rf"(?P<s>.*?)\b(?:is|are) (?:planned |scheduled |set |due |booked |slated )?(?:on|in|for) (?P<v>{_DATE})",
    ),
    _telling("date", "to ", rf"(?P<s>.*?)\b{_DID}{_SHIFTED} (?:to|until) (?P<v>{_DATE})", changed=True),
    _telling("time", "to ", rf"(?P<s>.*?)\b{_DID}{_SHIFTED} (?:to|until) (?P<v>{_TIME})", changed=True),
    _telling(
        "means",
        "use;using;on",
        r"(?P<s>.*?)\b(?:uses?|is using|are using|rel(?:y|ies) on) (?P<v>.+?) (?:as (?:its |the |our )?|for )(?P<o>.+)",
    ),
    _telling(
        "means",
        "switch;mov;migrat;chang",
        rf"(?P<s>.*?)\b{_DID}(?:switched|moved|migrated|changed|went)(?: over)?(?: from .{{1,40}}?)? to (?P<v>.+?)"
        r" (?:as (?:its |the |our )?|for )(?P<o>.+)",
        changed=True,
    ),
)
_TURNED = re.compile(
    r"\b(?:does not|doesn't|do not|don't|is not|isn't) (?P<verb>\w+ )?(?P<word>in|at|on|for|to)"
    r" .{1,40}?,? but (?P=word) "
)
_LATE = re.compile(
    r"(?:,? (?:now|instead|again|these days|nowadays|at the moment|this (?:week|month|year)|last (?:week|month|year)"
    r"|since .+|as of .+|from .{1,20} on|in (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\d{4})(?: \d{4})?|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today))+$"
)
"""What says since when; times are told by the relation "time" alone."""
_EARLY = re.compile(
    r"^(?:(?:as of|since|from|in|on) (?:[^,]{1,30}),? "
    r"|(?:now|currently|recently|officially|finally|today|yesterday),? )+"
)
_MAY = re.compile(r"\b(in|for|until|to|of|early|late|mid|\d{1,2}) may\b")
"""Where it is the month."""
_UNSURE = re.compile(
    r"\b(?:not|never|no longer|nobody|no one|used to|if|unless|only|also|both|either|once|until|was \w+ing)\b|n't\b"
)
_NAMED = frozenset({"home", "work", "boss", "role"})
"""Relations whose values are looked at where they are names: "lives in a flat" stays beside "lives in Rome"."""
REPLACED = frozenset({"amount", "time", "means"})
"""Relations of which there may be several, unless the newer statement tells a change."""
TIMES = frozenset({"time", "date"})
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
    if _scopes(old) != _scopes(new):
        return None
    for before in states(old):
        for after in states(new):
            if _differ(before, after, names):
                return before.shown, after.shown
    return None


def _differ(old: State, new: State, names: frozenset[str]) -> bool:
    if old.relation != new.relation or not _same_subject(old, new):
        return False
    if new.relation in REPLACED and not new.changed:
        return False
    if old.value <= new.value or new.value <= old.value:
        return False
    if new.relation in _NAMED:
        return old.value | new.value <= names
    if new.relation in ("amount", *TIMES):
        return _measure(old) == _measure(new)
    return True


def _same_subject(old: State, new: State) -> bool:
    mine, yours = (side.subject - table.TYPE_WORDS or side.subject for side in (old, new))
    kinds = old.subject & table.TYPE_WORDS, new.subject & table.TYPE_WORDS
    if all(kinds) and kinds[0] != kinds[1]:
        return False
    if new.relation == "role":
        return mine <= yours or yours <= mine
    return not (mine and yours) or mine == yours


def _measure(state: State) -> tuple[str, ...]:
    """What kind of value it is: a weekday, a time of day, a number with its unit."""
    return tuple(sorted({_kind(word, state.relation) for word in state.value}))


def _kind(word: str, relation: str) -> str:
    if word in table.WEEKDAYS:
        return "weekday"
    if not word[0].isdigit():
        return word
    if relation in TIMES and word.isdigit():
        return "day"
    return ("clock " if ":" in word else "number ") + word.lstrip("0123456789.,:")


def _scopes(content: str) -> frozenset[str]:
    return union(clause.scope for clause in read(content)) & table.SCOPES - table.WEEKDAYS


def _read(raw: str) -> Iterator[State]:
    text = _TURNED.sub(lambda match: f"{_third(match['verb'])} {match['word']} ", raw) if " but " in raw else raw
    if _UNSURE.search(text):
        return
    bare = _LATE.sub("", _EARLY.sub("", text)).strip(" ,")
    timed = _MAY.sub(r"\1 5", text) if "may" in text else text
    for telling in _TELLINGS:
        said = timed if telling.relation in TIMES else bare
        for mark in telling.marks:  # no any(): this runs for each telling of each statement
            if mark in said:
                found = telling.pattern.match(said)
                if found and (state := _state(telling, found)):
                    yield state
                break


def _third(verb: str | None) -> str:
    """The verb as it stands without "does not"."""
    return f"{verb.strip()}s" if verb else "is"


def _state(telling: _Telling, found: re.Match[str]) -> State | None:
    of = found.groupdict().get("o") or ""
    value = _keys(found["v"])
    if not value or len(value) > MAX_VALUE or _INDEFINITE & {*words(found["v"])[:1]}:
        return None
    return State(telling.relation, _keys(f"{found['s']} {of}"), value, telling.changed, found["v"])


_EMPTY = table.EMPTY | table.PREPOSITIONS


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in words(text) if word not in _EMPTY)
