"""The language of lattice queries: sets of turns, by how they score on the seven overlays.

    query  := diff  (("+" | "|" | "OR" | "JOIN") diff)*           turns of either
    diff   := inter (("-" | "\\") inter)*                         turns of the first that are not in the second
    inter  := sem   (("&" | "AND") sem)*                          turns of both
    sem    := unary (("~" | "MEET" | "->" | "TO") unary)*         pairs of turns that mean something alike
    unary  := ("!" | "NOT") unary | prim                          all turns in scope but these
    prim   := "(" query ")" | overlay cmp number | metric cmp number | overlay filter?
    cmp    := ">" | ">=" | "<" | "<=" | "=" | "==" | "!="
    overlay := "O1" … "O7"          metric := "importance" | "novelty"
    filter := "[" role | key "=" value ("," value)* "]"
    key    := "role" | "session_id" | "is_paradigm_shift" | "is_routine" | "tag"

All chains are read from the left; rules further down bind tighter. White space is free. Names of overlays and keywords
are upper case. An overlay by itself means the turns on which it is active: those that score at least 5. A filter's
values are alternatives; one that holds a comma, a bracket, a quote or an equals sign, or begins or ends with a space,
stands in double quotes, in which a backslash stands before a quote or a backslash.

>>> parse("(O1 > 7) AND O2")
Both(parts=(Compare(field='O1', op='>', value=7.0), Compare(field='O2', op='>=', value=5.0)))
>>> parse("O1 + O2 - O3") == parse("O1 + (O2 - O3)")
True
>>> parse("NOT O5[user] ~ O7[tag=api.py, routes.py]").right
Both(parts=(Compare(field='O7', op='>=', value=5.0), Labelled(key='tag', values=('api.py', 'routes.py'))))

A syntax error is reported with its position, before anything is looked up:

>>> parse("O1 and O2")
Traceback (most recent call last):
graphmem.errors.QueryInvalid: at 3: names of overlays and keywords are upper case: write AND

Source: cogx core/algebra/query-parser.ts for the operators; comparisons, filters that name a field, complement and
errors with a kind are ours.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from graphmem.errors import QueryInvalid
from graphmem.model.conversation import Role

Field = Literal["O1", "O2", "O3", "O4", "O5", "O6", "O7", "importance", "novelty"]
Op = Literal[">", ">=", "<", "<=", "=", "!="]
Key = Literal["role", "session_id", "is_paradigm_shift", "is_routine", "tag"]

FIELDS: tuple[Field, ...] = get_args(Field)
METRICS = ("importance", "novelty")
KEYS: tuple[Key, ...] = get_args(Key)
ROLES: tuple[str, ...] = (*get_args(Role), "passage")
KEYWORDS = ("AND", "OR", "JOIN", "NOT", "MEET", "TO")

OVERLAY_ACTIVE = 5.0
"""Least score of a turn for an overlay without a comparison."""
ROUTINE_BELOW = 3.0
"""A turn of less importance is routine."""
MAX_QUERY_CHARS = 4096
MAX_DEPTH = 64
"""Most brackets, negations and comparisons of meaning inside one another."""
MAX_MEETS = 8
"""Most different comparisons of meaning in one query: each compares pairs of turns."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Turns whose score satisfies a comparison with a number."""

    field: Field
    op: Op
    value: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """Turns for which a key has one of these values."""

    key: Key
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Both:
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """Turns of the first part that are in none of the others."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: "Node"


@dataclass(frozen=True, slots=True)
class Meet:
    """Pairs of a turn of one side and one of the other with similar meaning."""

    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Projection:
    """The turns on the right that are similar to turns on the left: as `Meet`, with a lower threshold."""

    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Everything:
    """All turns in scope. It has no syntax of its own: a complement needs it."""


Node: TypeAlias = Compare | Labelled | Either | Both | Minus | Not | Meet | Projection | Everything

_GRAMMAR = r"""
?start: query
?query: diff | diff (_OR diff)+ -> either
?diff: inter | inter (_MINUS inter)+ -> minus
?inter: sem | sem (_AND sem)+ -> both
?sem: unary | sem MEET unary -> meet | sem TO unary -> projection
?unary: prim | NOT unary -> complement
?prim: LPAR query _RPAR -> group | (OVERLAY | METRIC) CMP NUMBER -> compare | OVERLAY filter? -> member
filter: "[" NAME ("=" _value ("," _value)*)? "]"
_value: VALUE | QUOTED

_OR: "+" | "|" | "OR" | "JOIN"
_MINUS: "-" | "\\"
_AND: "&" | "AND"
MEET: "~" | "MEET"
TO: "->" | "TO"
NOT: "!" | "NOT"
LPAR: "("
_RPAR: ")"
OVERLAY: /O[0-9]+/
METRIC: "importance" | "novelty"
CMP: />=|<=|==|!=|[><=]/
NUMBER: /[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)/
NAME: /[^\s,=\[\]"]+/
VALUE: /[^\s,=\[\]"]([^,=\[\]"]*[^\s,=\[\]"])?/
QUOTED: /"([^"\\]|\\["\\])*"/
%ignore /\s+/
"""


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="contextual")


def parse(query: str, active: float = OVERLAY_ACTIVE) -> Node:
    """The parsed query. Chains of one operator are one node. An overlay by itself means scores from `active` on.

    Errors: QueryInvalid with the kind of the mistake and its 0-based position in code points.
    """
    if len(query) > MAX_QUERY_CHARS:
        raise QueryInvalid(f"a query has at most {MAX_QUERY_CHARS} characters", "too_long", MAX_QUERY_CHARS)
    try:
        tree = _parser().parse(query)
    except UnexpectedInput as error:
        raise _refusal(query, _place(query, error)) from None
    node = _build(tree, 0, active)
    if len({meet for meet in walk(node) if isinstance(meet, Meet | Projection)}) > MAX_MEETS:
        raise QueryInvalid(f"a query has at most {MAX_MEETS} of ~ and ->", "too_complex", 0)
    return node


def parts_of(node: Node) -> tuple[Node, ...]:
    """The children of a node."""
    match node:
        case Either(parts) | Both(parts) | Minus(parts):
            return parts
        case Not(part):
            return (part,)
        case Meet(left, right) | Projection(left, right):
            return (left, right)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """A node and all its descendants."""
    yield node
    for part in parts_of(node):
        yield from walk(part)


def has_meet(node: Node) -> bool:
    """Whether meaning is compared anywhere in a query."""
    return any(isinstance(one, Meet | Projection) for one in walk(node))


def _build(tree: Tree[Token], depth: int, threshold: float) -> Node:
    if depth > MAX_DEPTH:
        raise QueryInvalid(f"a query nests at most {MAX_DEPTH} deep", "too_deep", _first(tree).start_pos or 0)
    below = [
        _build(part, depth + 1, threshold) for part in tree.children if isinstance(part, Tree) and part.data != "filter"
    ]
    match tree.data:
        case "group":
            return below[0]
        case "either":
            return Either(_flat(below, Either))
        case "both":
            return Both(_flat(below, Both))
        case "minus":
            first, *rest = below
            return Minus((*(first.parts if isinstance(first, Minus) else (first,)), *rest))
        case "complement":
            return Not(below[0])
        case "meet":
            return Meet(*below)
        case "projection":
            return Projection(*below)
        case "compare":
            field, op, number = cast(Sequence[Token], tree.children)
            return Compare(_field(field), cast(Op, "=" if op == "==" else str(op)), float(number))
    overlay, *filters = tree.children
    active = Compare(_field(cast(Token, overlay)), ">=", threshold)
    return Both((active, _labelled(cast(Tree[Token], filters[0])))) if filters else active


def _flat(parts: Sequence[Node], kind: type[Either] | type[Both]) -> tuple[Node, ...]:
    return tuple(one for part in parts for one in (part.parts if isinstance(part, kind) else (part,)))


def _first(tree: Tree[Token]) -> Token:
    below: Token | Tree[Token] = tree
    while isinstance(below, Tree):  # the library's own walk is recursive, and this tree may be too deep
        below = below.children[0]
    return below


def _field(token: Token) -> Field:
    if token not in FIELDS:
        raise QueryInvalid(f"there is no overlay {token}: there are O1 to O7", "unknown_overlay", token.start_pos or 0)
    return cast(Field, str(token))


def _labelled(tree: Tree[Token]) -> Labelled:
    name, *given = cast(Sequence[Token], tree.children)
    key = "role" if not given else str(name)
    if key not in KEYS:
        raise QueryInvalid(
            f"turns are not filtered by {key!r}, but by {', '.join(KEYS)}", "unknown_filter", name.start_pos or 0
        )
    tokens = given or [name]
    allowed = ROLES if key == "role" else ("true", "false") if key.startswith("is_") else None
    for token in tokens:
        if allowed and _unquoted(token) not in allowed:
            said = f"{_unquoted(token)!r} is none of {', '.join(allowed)}"
            raise QueryInvalid(f"{key}: {said}", "invalid_filter", token.start_pos or 0)
    return Labelled(key, tuple(dict.fromkeys(_unquoted(token) for token in tokens)))


def _unquoted(token: Token) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else str(token)


def _place(query: str, error: UnexpectedInput) -> int:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(query)
    return error.pos_in_stream if error.pos_in_stream is not None else len(query)


_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_OVERLAY = re.compile(r"O[0-9]+")


def _refusal(query: str, place: int) -> QueryInvalid:
    """What is wrong with a query that cannot be parsed further from a position."""
    before, rest = query[:place], query[place:]
    opened = before.rfind("[")
    if opened > before.rfind("]") or rest.startswith("["):
        return _bad_filter(query, opened if opened > before.rfind("]") else place, place)
    if not rest.strip():
        return QueryInvalid("the query ends where an overlay or a closing bracket belongs", "unexpected_end", place)
    word = _WORD.match(rest)
    if word is None:
        if rest[0] in "<>=!" and before.rstrip()[-1:].isdigit():
            said = "a comparison has one number: join two of them by AND"
            return QueryInvalid(said, "chained_comparison", place)
        if rest[0] in "+|-\\&~!()<>=0123456789":
            return QueryInvalid(f"{rest[0]!r} cannot stand here", "unexpected_token", place)
        return QueryInvalid(f"{rest[0]!r} is no part of the language", "unexpected_character", place)
    upper = word[0].upper()
    if word[0] != upper and (upper in KEYWORDS or _OVERLAY.fullmatch(upper)):
        return QueryInvalid(f"names of overlays and keywords are upper case: write {upper}", "lower_case", place)
    if word[0] in (*KEYWORDS, *METRICS) or _OVERLAY.fullmatch(word[0]):
        return QueryInvalid(f"{word[0]} cannot stand here", "unexpected_token", place)
    known = f"overlays O1 to O7, {', '.join(METRICS)}, {', '.join(KEYWORDS)}"
    return QueryInvalid(f"{word[0]!r} is no word of the language: there are {known}", "unexpected_character", place)


def _bad_filter(query: str, opened: int, place: int) -> QueryInvalid:
    if place == opened:
        return QueryInvalid("a filter stands right behind the name of an overlay, and alone", "invalid_filter", place)
    if not query[place:].strip():
        return QueryInvalid(f"the filter that begins at {opened} is not closed", "unclosed_filter", place)
    said = "a filter is [role] or [key=value,value]; quote a value with other signs in it"
    return QueryInvalid(said, "invalid_filter", place)
