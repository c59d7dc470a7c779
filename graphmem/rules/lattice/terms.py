"""A lattice query in the form for the database: alternatives, each a list of conditions that all must hold.

So every query is a parameter of one statement, and no query text is ever built.

>>> from graphmem.rules.lattice.grammar import parse
>>> [alternative] = normalise(parse("O1 > 7 & O1 <= 9 - O2[user]"))[:1]
>>> alternative.bounds
((0, 7.000000000000001, 9.0), (1, -inf, 4.999999999999999))
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.errors import QueryInvalid
from graphmem.rules.lattice.grammar import (
    FIELDS,
    ROUTINE_BELOW,
    Both,
    Compare,
    Either,
    Everything,
    Key,
    Labelled,
    Meet,
    Minus,
    Node,
    Not,
    Projection,
)

MAX_TERMS = 256
"""Most alternatives of a query."""
MAX_JOINS = 20_000
"""Most pairs of alternatives processed on the way: a query that needs more is refused early."""
SHIFT = "shift"
"""The label of a turn that is a paradigm shift."""

Bound = tuple[int, float, float]
"""A field by its place in `FIELDS`, and the least and the most it may be."""


@dataclass(frozen=True, slots=True)
class Term:
    """One alternative: the fields within these bounds, at least one label of each of `any_of`, none of `none_of`."""

    bounds: tuple[Bound, ...] = ()
    any_of: frozenset[frozenset[str]] = frozenset()
    none_of: frozenset[str] = frozenset()


ALL = (Term(),)
"""The alternatives of everything."""


def label(key: Key, value: str) -> str:
    """The label of a turn for which a key has a value."""
    return SHIFT if key == "is_paradigm_shift" else f"{key}:{value}"


def normalise(node: Node) -> tuple[Term, ...]:
    """The alternatives of a query in which no meaning is compared; none of a query that nothing can match.

    Errors: QueryInvalid `too_complex` where there are more than `MAX_TERMS`.
    """
    return _Normaliser().terms(node, negated=False)


class _Normaliser:
    def __init__(self) -> None:
        self._joins = 0

    def terms(self, node: Node, negated: bool) -> tuple[Term, ...]:
        """The alternatives of a node, or of its complement: negations are pushed inwards, so that no result has to be
        negated."""
        match node:
            case Everything():
                return () if negated else ALL
            case Compare():
                return _unique(Term(bounds=(bound,)) for bound in _bounds(node, negated))
            case Labelled(key, values):
                return _labelled(key, values, negated)
            case Not(part):
                return self.terms(part, not negated)
            case Either(parts):
                return self._joined(parts, [negated] * len(parts), all_of=negated)
            case Both(parts):
                return self._joined(parts, [negated] * len(parts), all_of=not negated)
            case Minus(parts):
                return self._joined(parts, [negated] + [not negated] * (len(parts) - 1), all_of=not negated)
            case Meet() | Projection():
                raise ValueError("a comparison of meaning has no terms")

    def _joined(self, parts: Sequence[Node], negated: Sequence[bool], *, all_of: bool) -> tuple[Term, ...]:
        found: tuple[Term, ...] = ALL if all_of else ()
        for part, turned in zip(parts, negated, strict=True):
            terms = self.terms(part, turned)
            found = self._product(found, terms) if all_of else _unique((*found, *terms))
        return found

    def _product(self, left: Sequence[Term], right: Sequence[Term]) -> tuple[Term, ...]:
        self._joins += len(left) * len(right)
        if self._joins > MAX_JOINS:
            raise _too_complex()
        both = (_both(one, other) for one in left for other in right)
        return _unique(term for term in both if term is not None)


def _unique(terms: Iterable[Term]) -> tuple[Term, ...]:
    found = tuple(dict.fromkeys(terms))
    if len(found) > MAX_TERMS:
        raise _too_complex()
    return found


def _too_complex() -> QueryInvalid:
    return QueryInvalid(f"the query comes to more than {MAX_TERMS} alternatives: ask in parts", "too_complex", 0)


def _both(one: Term, other: Term) -> Term | None:
    """The conjunction of both; None where it is unsatisfiable."""
    limits = {field: (low, high) for field, low, high in one.bounds}
    for field, low, high in other.bounds:
        least, most = limits.get(field, (-math.inf, math.inf))
        limits[field] = max(least, low), min(most, high)
        if limits[field][0] > limits[field][1]:
            return None
    any_of, none_of = one.any_of | other.any_of, one.none_of | other.none_of
    if any(group <= none_of for group in any_of):
        return None
    return Term(tuple((field, *limits[field]) for field in sorted(limits)), any_of, none_of)


def _bounds(node: Compare, negated: bool) -> list[Bound]:
    """The closed intervals in which a comparison holds, or those in which it does not."""
    value, place = node.value, FIELDS.index(node.field)
    below = (place, -math.inf, math.nextafter(value, -math.inf))
    above = (place, math.nextafter(value, math.inf), math.inf)
    at = (place, value, value)
    match node.op:
        case ">":
            return [(place, -math.inf, value)] if negated else [above]
        case ">=":
            return [below] if negated else [(place, value, math.inf)]
        case "<":
            return [(place, value, math.inf)] if negated else [below]
        case "<=":
            return [above] if negated else [(place, -math.inf, value)]
        case "=":
            return [below, above] if negated else [at]
        case "!=":
            return [at] if negated else [below, above]


def _labelled(key: Key, values: Sequence[str], negated: bool) -> tuple[Term, ...]:
    if key in ("is_paradigm_shift", "is_routine"):
        wanted = {value == "true" for value in values} ^ ({True, False} if negated else set())
        return _unique(_flag(key, value) for value in sorted(wanted))
    labels = frozenset(label(key, value) for value in values)
    return (Term(none_of=labels),) if negated else (Term(any_of=frozenset({labels})),)


def _flag(key: Key, value: bool) -> Term:
    if key == "is_routine":
        (bound,) = _bounds(Compare("importance", "<", ROUTINE_BELOW), negated=not value)
        return Term(bounds=(bound,))
    return Term(any_of=frozenset({frozenset({SHIFT})})) if value else Term(none_of=frozenset({SHIFT}))
