"""What a clause says of one subject in several predicates: "Beate lives in Leeds and works as a nurse"."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graphmem.model.parsed import Token
from graphmem.rules.reading.facts import Sentence

_VERBS = ("VERB", "AUX")
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_HELPING = frozenset({"aux", "auxpass", "neg"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_FARTHEST = 60


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate [start, end) of a clause. `shared` are the places of words before it that it is said with as well:
    the subject, and the helping verbs of a form that does not stand alone ("will move and start")."""

    start: int
    end: int
    shared: tuple[tuple[int, int], ...] = ()


def predicates(clause: Sentence, telling: Collection[int]) -> list[Predicate]:
    """The predicates of a clause, in order; `telling` are the places of verbs that say something of their own. A verb
    that does not stays with the predicate before it."""
    joined = [token for token in clause.tokens if token.start in telling and _joined_to(clause, token) is not None]
    heads = {_first_of(clause, token).start: _first_of(clause, token) for token in joined}
    whole = Predicate(clause.start, clause.end)
    if len(heads) != 1:
        return [whole]
    (head,) = heads.values()
    subject = next((token for token in _below(clause, head) if token.dep in _SUBJECTS), None)
    if subject is None or subject.start > head.start or head.start not in telling:
        return [whole]
    named = _span(clause, subject)
    helping = [token for token in _below(clause, head) if token.dep in _HELPING and token.start < head.start]
    found, begun, shared = [], clause.start, tuple[tuple[int, int], ...]()
    for token in joined:
        opening = [one.start for one in _below(clause, token) if one.dep in _HELPING | {"advmod"}]
        start = min([token.start, *opening])
        before = [one for one in clause.tokens if begun <= one.start < start]
        while len(before) > 1 and (before[-1].dep == "cc" or before[-1].pos == "PUNCT"):
            before.pop()
        found.append(Predicate(begun, before[-1].end, shared))
        begun, shared = start, (named,)
        if helping and not _stands_alone(clause, token):
            shared = (named, (helping[0].start, helping[-1].end))
    return [*found, Predicate(begun, clause.end, shared)]


def _joined_to(clause: Sentence, token: Token) -> Token | None:
    """The verb that a verb without a subject of its own is joined to."""
    above = clause.at(token.head)
    if token.pos not in _VERBS or token.dep != "conj" or above is None or above.pos not in _VERBS:
        return None
    return None if any(one.dep in _SUBJECTS for one in _below(clause, token)) else above


def _first_of(clause: Sentence, token: Token) -> Token:
    while (above := _joined_to(clause, token)) is not None and above.start < token.start:
        token = above
    return token


def _below(clause: Sentence, token: Token) -> Iterator[Token]:
    place = clause.place(token)
    return (one for one in clause.tokens if one.head == place and one is not token)


def _span(clause: Sentence, head: Token) -> tuple[int, int]:
    """Where a word stands with all that depends on it."""
    inside = [token for token in clause.tokens if _hangs_on(clause, token, head)]
    return inside[0].start, inside[-1].end


def _hangs_on(clause: Sentence, token: Token, head: Token) -> bool:
    for _ in range(_FARTHEST):
        above = clause.at(token.head)
        if token is head:
            return True
        if above is None or above is token:
            return False
        token = above
    return False


def _stands_alone(clause: Sentence, token: Token) -> bool:
    """Whether a joined verb has a form, or helping verbs, of its own."""
    return token.tag in _FINITE or any(one.dep in _HELPING - {"neg"} for one in _below(clause, token))
