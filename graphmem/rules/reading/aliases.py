"""What a sentence says is called by two names: "Kestrel, also known as the ledger service".

The ways of saying so are in `naming.toml`; what may stand in them is grammar: a name that is one here already, and
another name or a word written like one.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain, takewhile

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.text import STOP_WORDS, canonical_name
from graphmem.rules.reading.name_spans import is_marked
from graphmem.rules.reading.naming import Mention, free
from graphmem.rules.reading.proper_names import NOT_A_NAME

Span = tuple[int, int]
_NAME, _WORD = "\ue000", "\ue001"
"""What stands for a name, and for a word that may be one, while a sentence is searched."""
_MASK = re.compile(f"[{_NAME}{_WORD}]")
_DENIED = re.compile(r"\b(?:no longer|not|never|n't)\b")
_WRITTEN = re.compile(r"(?=.*[^\W\d_])\w(?:.*\w)?")
_BRACKETS = re.compile(r"\([A-Z]{2,6}\)")
_INITIALS = re.compile(r"[A-Z]{2,6}")
_MOST_CHARS = 600
_MOST_NOUNS = 3


@dataclass(frozen=True, slots=True)
class Alias:
    """A thing and, at its place, its other name."""

    thing: Mention
    other: Mention


def stated_aliases(sentence: Span, text: str, mentions: Sequence[Mention], tokens: Sequence[Token]) -> list[Alias]:
    """The second names that a sentence of a text gives, in order, each once.

    Whoever speaks has no second name here, and what is denied is none.
    """
    start, end = sentence
    if end - start > _MOST_CHARS or not (_hints().search(text, start, end) or _BRACKETS.search(text, start, end)):
        return []
    masked, places = _masked(text, start, end, mentions, tokens)
    if _DENIED.search(masked):
        return []
    found: dict[int, Alias] = {}
    for one, other in (*_told(masked), *_initials(text, masked, places)):
        alias = Alias(places[one], places[other])
        if _may_be(alias):
            found.setdefault(alias.other.start, alias)
    return [found[place] for place in sorted(found)]


def _may_be(alias: Alias) -> bool:
    thing, other = alias.thing, alias.other
    return (
        other.found != "pronoun"
        and thing.found != "compound"
        and (thing.found != "word" or is_marked(thing.name))
        and canonical_name(thing.name) != canonical_name(other.name)
    )


def _masked(
    text: str, start: int, end: int, mentions: Sequence[Mention], tokens: Sequence[Token]
) -> tuple[str, list[Mention]]:
    """The sentence in small letters with one character for each name and for each word that may be one, in the order of
    the places that are returned with it."""
    named = [mention for mention in mentions if mention.found != "speaker"]
    compounds = free(list(_compounds(tokens)), mentions)
    words = free(list(_words(tokens)), [*mentions, *compounds])
    places = sorted([*named, *compounds, *words], key=lambda mention: mention.start)
    parts, position = [], start
    for place in places:
        parts += [text[position : place.start].lower(), _WORD if place.found == "word" else _NAME]
        position = place.end
    return "".join([*parts, text[position:end].lower()]), places


def _compounds(tokens: Sequence[Token]) -> Iterator[Mention]:
    """What two or three nouns behind an article name: "the label printer"."""
    for at, token in enumerate(tokens):
        nouns = list(takewhile(lambda one: one.tag in ("NN", "NNS"), tokens[at + 1 :]))
        if token.text.lower() in ("the", "our") and 1 < len(nouns) <= _MOST_NOUNS:
            name = " ".join(one.text for one in nouns)
            yield Mention(nouns[0].start, nouns[-1].end, name, EntityType.UNKNOWN, "compound")


def _words(tokens: Sequence[Token]) -> Iterator[Mention]:
    """Words that are written like a name, or that the parser has never met."""
    for token in tokens:
        word = token.text.lower()
        if word in STOP_WORDS | NOT_A_NAME | _vocabulary() or not _WRITTEN.fullmatch(word):
            continue
        if is_marked(token.text) or (token.rare and token.pos in ("NOUN", "PROPN", "ADJ", "X", "INTJ")):
            yield Mention(token.start, token.end, token.text, EntityType.UNKNOWN, "word")


def _told(masked: str) -> Iterator[tuple[int, int]]:
    """Pairs of places: the name, and its other name."""
    for pattern in _patterns():
        for match in pattern.finditer(masked):
            spans = {group: match.start(group) for group in ("a", "b")}
            yield _place(masked, spans["a"]), _place(masked, spans["b"])


def _initials(text: str, masked: str, places: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """A name and its initials in brackets: "Northwind Traders (NT)"."""
    for match in re.finditer(rf"(?P<a>[{_NAME}]) \((?P<b>{_MASK.pattern})\)", masked):
        one, other = _place(masked, match.start("a")), _place(masked, match.start("b"))
        short = text[places[other].start : places[other].end]
        words = re.split(r"[\s-]+", places[one].name)
        if _INITIALS.fullmatch(short) and "".join(word[:1] for word in words).upper() == short:
            yield one, other


def _place(masked: str, at: int) -> int:
    return len(_MASK.findall(masked, 0, at))


@cache
def _table() -> dict[str, list[str]]:
    given = tomllib.loads(files(__package__).joinpath("naming.toml").read_text(encoding="utf-8"))
    listed = {kind: [" ".join(one.split()) for one in given[kind].split(",")] for kind in ("markers", "adverbs")}
    return {**listed, "clauses": given["clauses"], "common": given["common"].split()}


@cache
def _vocabulary() -> frozenset[str]:
    """The words of the table: none of them is a name where it stands."""
    said = re.findall(r"[\w'.]+", " ".join(chain.from_iterable(_table().values())))
    return frozenset(said) | {word.strip(".") for word in said}


def _telling() -> frozenset[str]:
    return _vocabulary() - (STOP_WORDS - {"same"}) - {"a", "b", *_table()["common"]}


@cache
def _hints() -> re.Pattern[str]:
    """Words without which no pattern can match: what is in the table, apart from function words."""
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, sorted(_telling())))})(?!\w)")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    between = rf"(?P<a>{_MASK.pattern})(?:,? ?\(|, ?| )(?:the |our |which is |who is )?"
    second, closed = _second(), r"(?=[\"'”’*`]?(?:[,;)]|\.?$))"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"{between}(?:{_any_of('markers')}) {second}",
            rf"{between}(?:{_any_of('adverbs')}) {second}{closed}",
            rf"(?P<a>{_MASK.pattern})(?:, ?| ?\()?(?:or )?{second},? (?:for|in) short\b",
            *map(_clause, _table()["clauses"]),
        )
    )


def _any_of(kind: str) -> str:
    return "|".join(re.escape(one) for one in sorted(_table()[kind], key=len, reverse=True))


def _second() -> str:
    return rf"[\"'“‘*`]?(?:the |our )?(?P<b>{_MASK.pattern})"


def _clause(pattern: str) -> str:
    """A clause of the table as an expression."""
    said = pattern.replace("(", "(?:")
    said = re.sub(r" ?\[([^\]]*)\]", lambda match: f"(?: (?:{match[1]}))?", said)
    said = said.replace("{a}", rf"(?:the |our |my )?(?P<a>{_MASK.pattern})(?:'s|’s)?").replace("{b}", _second())
    return rf"(?<!\w){said}"
