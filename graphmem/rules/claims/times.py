"""Since when and until when a clause says that something holds, by its tense and the times that it names."""

import tomllib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Protocol

from graphmem.model.claims import Claim, ClaimValue, Held
from graphmem.model.parsed import Token
from graphmem.rules.claims.topic import HELD
from graphmem.rules.claims.words import CHANGE, INTEND
from graphmem.rules.language.relative_dates import FoundDate, Tense

_DAY = timedelta(days=1)
_VERB_TAGS = ("VB", "MD")
_HELPING = frozenset({"aux", "auxpass"})
_FROM_TO = frozenset({"from", "to"})
_WILL = frozenset({"will", "'ll", "’ll", "wo", "shall"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_VALUES = frozenset({"attr", "dobj", "nsubj", "nsubjpass", "appos", "oprd"})
_FARTHEST = 20


@cache
def _verbs(kind: str) -> frozenset[str]:
    table = tomllib.loads(files(__package__).joinpath("times.toml").read_text(encoding="utf-8"))
    return frozenset(table[kind].split())


def tense_of(tokens: Sequence[Token], place: int) -> Tense | None:
    """The tense of the verb that a word belongs to, by the verb and its helpers; None where there is no verb."""
    verb = _verb_over(tokens, place)
    if verb is None:
        return None
    helping = [token for token in _below(tokens, verb) if token.dep in _HELPING]
    words = {token.text.lower() for token in helping}
    head, above = tokens[verb], tokens[tokens[verb].head]
    meant = head.dep == "xcomp" and head.tag == "VB" and (above.lemma.lower() in INTEND or above.text == "going")
    behind = _preposition(tokens, place, verb)
    if behind == "since":
        return "perfect"
    if behind in _FROM_TO and head.lemma.lower() in CHANGE:
        return "coming"  # what something was moved from or to: "from 17 May to 30 May"
    if words & _WILL or meant or (head.tag == "VB" and "to" in words and head.dep in ("xcomp", "acl", "relcl")):
        return "future"
    if head.tag == "VBD" or any(token.tag == "VBD" for token in helping):
        return "past"
    if any(token.lemma.lower() == "have" for token in helping):
        return "perfect" if head.lemma.lower() in _verbs("states") or head.tag == "VBG" or "been" in words else "past"
    if head.tag == "VBN" and not helping:
        return "past"
    if (head.tag == "VBG" and helping) or head.lemma.lower() in _verbs("begins") | _verbs("ends"):
        return "coming"
    return "present" if head.lemma.lower() in _verbs("states") else "scheduled"


class Clause(Protocol):
    """A verb with its words, by their places in the text; `parent` is the clause that it hangs on."""

    @property
    def head(self) -> int: ...
    @property
    def tokens(self) -> Sequence[int]: ...
    @property
    def parent(self) -> "Clause | None": ...


def held(tokens: Sequence[Token], clause: Clause, dates: Sequence[FoundDate]) -> Held:
    """Since when and until when a clause says that what it tells holds.

    *Shape*: `dates` are those of its sentence, by place in the message; one that opens the sentence is also of what is
    joined to its first clause. A stretch bounds on both sides; a past state holds in the named time, what came about
    holds from then on; a time that is still ahead bounds a plan, but is the value of what is stated ("the audit is on
    3 March").
    """
    mine = [date for date in dates if _is_of(tokens, clause, date)]
    if not mine and clause.parent and tokens[clause.head].dep == "conj":
        mine = [date for date in dates if date.start == tokens[clause.parent.tokens[0]].start]
    bounds = [_bounds(tokens, clause.head, date) for date in mine]
    since = next((begins for begins, _ in bounds if begins), None)
    until = next((ends for _, ends in bounds if ends), None)
    since = None if since and until and until <= since else since
    return Held(since, until, any(date.relation == "since" and not date.is_range for date in mine))


def _is_of(tokens: Sequence[Token], clause: Clause, date: FoundDate) -> bool:
    """Whether a time is one of a clause, rather than of another clause, of its subject or the value that it gives."""
    joint = _joint(tokens, clause.head) if clause.parent and tokens[clause.head].dep == "conj" else None
    inside = list(clause.tokens)
    if joint is not None and clause.parent:  # "A, and from May on B" belongs to B, whatever the parser hangs it on
        inside += [place for place in clause.parent.tokens if joint < place < clause.head]
    places = sorted(place for place in inside if date.start <= tokens[place].start < date.end)
    if not places or _is_behind_joint(tokens, clause.head, places[0]):
        return False
    words = range(places[0], places[-1] + 1)
    top = next((one for one in words if tokens[one].head not in words or tokens[one].head == one), places[0])
    if date.relation == "in" and _is_value(tokens, clause.head, top):
        return False
    while top != clause.head and tokens[top].head != top:
        if tokens[top].dep in _SUBJECTS:
            return False
        top = tokens[top].head
    return True


def _is_value(tokens: Sequence[Token], head: int, place: int) -> bool:
    """Whether a time is what a clause says that something is, alone or joined to another one: "not 3 but 5 May"."""
    while tokens[place].dep == "conj" and tokens[place].head not in (place, head):
        place = tokens[place].head
    if tokens[place].dep in _VALUES:
        return True
    token, below = tokens[place], {one.dep for one in _below(tokens, head)}
    alone = tokens[head].lemma.lower() == "be" and not below & {"attr", "acomp", "prep"}
    return alone and token.dep == "npadvmod" and token.head == head < place


def _joint(tokens: Sequence[Token], verb: int) -> int | None:
    """Where the "and" stands that joins a verb to the one before."""
    before = range(tokens[verb].head, verb)
    return next((place for place in reversed(before) if tokens[place].dep == "cc"), None)


def _is_behind_joint(tokens: Sequence[Token], verb: int, place: int) -> bool:
    """Whether a word stands between the "and" and a verb that is joined to this one."""
    joined = [one for one in range(verb + 1, min(len(tokens), verb + _FARTHEST)) if tokens[one].head == verb]
    joined = [one for one in joined if tokens[one].dep == "conj" and tokens[one].pos in ("VERB", "AUX") and one > place]
    return any(joint < place for one in joined if (joint := _joint(tokens, one)) is not None)


def _bounds(tokens: Sequence[Token], head: int, date: FoundDate) -> tuple[datetime | None, datetime | None]:
    tense, verb = tense_of(tokens, head) or "present", tokens[head].lemma.lower()
    stayed = tense == "past" and verb in _verbs("states")
    if verb in CHANGE and date.is_range:
        return None, None  # a date that was moved from one day to another
    if date.relation == "since":
        return date.begins, None
    if date.relation == "until":
        return None, date.ends
    if date.relation == "before":
        return None, date.begins if stayed else None
    if date.relation == "other":
        return None, None
    if tense in ("past", "perfect"):
        return date.begins, date.ends if stayed else None
    if verb in _verbs("ends"):
        return None, date.ends
    if tense == "future" or verb in _verbs("begins"):
        return date.begins, None
    if not date.starts_fact:
        return None, None
    return date.begins, date.ends if date.ends - date.begins > _DAY else None


def holding(claims: Sequence[Claim], said_at: datetime | None) -> Held:
    """When a fact holds that is made of these claims of one clause: as the first of them with a time says.

    A plan holds from when it is made, so that it is found before its day, and so does a date on which something begins
    or ends; what somebody begins with ("starts at Globex on 15 January") holds from its day. What ended before it was
    said, nobody knows when it began, held on its last day. What is said of a stretch around the day ("this year") still
    holds on that day.
    """
    claim = next((one for one in claims if one.since or one.until), None)
    if claim is None or said_at is None:
        return Held()
    since, until = claim.since, claim.until
    ahead = since is not None and since > said_at
    dated = claim.verb in _verbs("begins") | _verbs("ends") and all(one.role in HELD for one in _undated(claim))
    if claim.mood != "stated" or dated:
        since, until = (None if ahead else since), None
    if until and until <= said_at and since is None:
        since = until - _DAY
    around = since is not None and since <= said_at and (until is None or said_at < until)
    return Held(since, until, around and (claim.still or until is not None))


def _undated(claim: Claim) -> list[ClaimValue]:
    return [value for value in claim.values if value.kind not in ("date", "weekday", "year", "clock")]


def _verb_over(tokens: Sequence[Token], place: int) -> int | None:
    """The verb that a word stands under, itself if it is one."""
    for _ in range(_FARTHEST):
        token = tokens[place]
        if token.pos in ("VERB", "AUX") and token.dep not in _HELPING and token.tag[:2] in _VERB_TAGS:
            return place
        if token.head == place:
            return None
        place = token.head
    return None


def _preposition(tokens: Sequence[Token], place: int, verb: int) -> str:
    """The preposition that a word stands behind, '' for none."""
    for _ in range(_FARTHEST):
        if place == verb or tokens[place].dep == "prep":
            break
        place = tokens[place].head
    return tokens[place].text.lower() if place != verb else ""


def _below(tokens: Sequence[Token], head: int) -> list[Token]:
    near = range(max(0, head - _FARTHEST), min(len(tokens), head + _FARTHEST))
    return [tokens[place] for place in near if tokens[place].head == head and place != head]
