"""A parsed text as plain data, so that the rules can be tried without a parser.

Plain dataclasses, not `Value`: a conversation has hundreds of thousands of tokens, and nothing here crosses a door.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `head` is the index of its syntactic head in the same text (its own index for a root).

    `pos`, `tag` and `dep` use the Universal Dependencies and Penn labels of the English pipeline. `start` and `end` are
    code point offsets, end exclusive. `entity` is the named-entity label that covers the token, or ''. `rare`: the word
    is not in the pipeline's vocabulary, which distinguishes a lowercase name from a common noun.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    entity: str = ""
    rare: bool = False


@dataclass(frozen=True, slots=True)
class TokenRange:
    """Tokens [first, last) with a label: an entity label for named spans, '' for sentences and noun chunks."""

    first: int
    last: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class ParsedText:
    text: str
    tokens: tuple[Token, ...]
    sentences: tuple[TokenRange, ...]
    noun_chunks: tuple[TokenRange, ...]
    names: tuple[TokenRange, ...]
