"""Talk of the size and shape of LoCoMo's, made here from a seed: no data file is needed, and every run has the same.

Words follow Zipf's law, a few of them English, most made of syllables, so many that 3,000 texts have about as many
different pieces of three letters as LoCoMo's (4,000 and 3,600); in between stand names, dates, identifiers, error codes
and addresses, as people who work together write them.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from typing import NamedTuple

NAMES = ("Nora", "Tomasz", "Ines", "Karim", "Ruth", "Priya", "Anders", "Lucía", "Omar", "Wei")
MONTHS = ("January", "March", "May", "June", "August", "October", "November")
SERVICES = ("billing", "checkout", "ledger", "search", "courier", "returns", "pricing", "voucher")
_SMALL = """the to and I a it of that you in is was for we on have so with but my this be at are not they just what me
had as all your about if can will one get out like there from when"""
_BEGINNINGS = "b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr sh sl sp st th tr"
_MIDDLES = "a e i o u ai ea ee io ou"
_ENDINGS = "n r s t l m ck ng nd st rd"
_COMMON = """really time work good think great week know people day going make home friends family feel love new thanks
today share project start help plan"""
SMALL = tuple(_SMALL.split())
"""The words every text is full of."""
COMMON = tuple(_COMMON.split())
"""Words that mean something and still stand in every tenth text."""
VOCABULARY = 20_000
CHARS = (20, 140)
"""A text goes on until it has a length between these: 125 on average, as LoCoMo's."""

ASSISTANT = "Assistant"
REPLY = (14, 46, 30)
"""Texts in a reply: the fewest, the most, and the usual number."""


class Turn(NamedTuple):
    name: str
    text: str


@dataclass(frozen=True)
class Question:
    """Something to look for, with what is asked of it."""

    pattern: str
    mode: str = "text"
    sort: str = "relevance"


def vocabulary() -> list[str]:
    """All words, the most frequent first."""
    chance = random.Random(4)
    english = [word for pair in zip(SMALL, COMMON, strict=False) for word in pair]
    english += [word for word in (*SMALL, *COMMON) if word not in english]
    syllables = [
        "".join(parts) for parts in product(_BEGINNINGS.split(), _MIDDLES.split(), ("", "", "", *_ENDINGS.split()))
    ]
    drawn = ("".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3)))) for _ in range(4 * VOCABULARY))
    invented = dict.fromkeys(word for word in drawn if len(word) > 3 and word not in english)
    return english + list(islice(invented, VOCABULARY - len(english)))


def turns(count: int, seed: int = 1) -> list[Turn]:
    """So many turns; the first n of a longer talk are those of a shorter one."""
    chance = random.Random(seed)
    words = _drawn(chance)
    return [Turn(chance.choice(NAMES), _text(chance, words)) for _ in range(count)]


def long_turns(count: int, seed: int = 1) -> list[Turn]:
    """Talk with an assistant, in turns: a text as in `turns`, and a reply of pages, made of such texts: of 3,600
    characters in the middle, as BEAM's have 3,800."""
    asked = turns((count + 1) // 2, seed)
    chance = random.Random(seed)
    made: list[Turn] = []
    for turn in asked:
        sentences = chance.choices(asked, k=round(chance.triangular(*REPLY)))
        made += [turn, Turn(ASSISTANT, "\n".join(sentence.text for sentence in sentences))]
    return made[:count]


def _drawn(chance: random.Random) -> Iterator[str]:
    words = vocabulary()
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    while True:
        yield from chance.choices(words, cum_weights=weights, k=4096)


def _text(chance: random.Random, words: Iterator[str]) -> str:
    wanted = chance.randint(*CHARS)
    said: list[str] = []
    length = 0
    while length < wanted:
        sentence = list(islice(words, chance.randint(5, 14)))
        if chance.random() < 0.12:
            sentence.insert(chance.randrange(len(sentence)), _special(chance))
        ending = chance.choices((".", "?", "!"), weights=(8, 2, 1))[0]
        said.append(" ".join(sentence).capitalize() + ending)
        length += len(said[-1]) + 1
    return " ".join(said)


def _special(chance: random.Random) -> str:
    kind = chance.randrange(5)
    if kind == 0:
        return chance.choice(NAMES)
    if kind == 1:
        return f"{chance.randint(1, 28)} {chance.choice(MONTHS)} 2026"
    if kind == 2:
        return f"ERR-{chance.randint(1000, 9999)}"
    if kind == 3:
        return f"https://wiki.example/{chance.choice(SERVICES)}/{chance.randint(1, 999)}"
    return f"svc-{chance.choice(SERVICES)}-{chance.randint(0, 400):03}"


def questions(talk: Sequence[Turn], count: int, seed: int = 2) -> dict[str, list[Question]]:
    """Questions of each kind about a talk, no two alike where it is long enough; nearly all have an answer in it."""
    chance = random.Random(seed)
    ranked = vocabulary()
    rank = {word: place for place, word in enumerate(ranked)}

    def heard(low: int, high: int) -> str:
        """A word of these ranks from a text."""
        while True:
            words = [word.strip(".?!").lower() for word in chance.choice(talk).text.split()]
            known = [word for word in words if low <= rank.get(word, -1) < high]
            if known:
                return chance.choice(known)

    def phrase() -> str:
        while True:
            words = chance.choice(talk).text.split(".")[0].split()
            if len(words) > 4 and all(word.isalpha() for word in words[1:4]):
                return f'"{" ".join(words[1:4])}"'

    def identifier() -> str:
        while True:
            words = [word.strip(".?!") for word in chance.choice(talk).text.split()]
            known = [word for word in words if word.startswith(("svc-", "ERR-"))]
            if known:
                return known[0]

    forms = (
        "What did {2} say about the {0} and the {1}?",
        "When did {2} mention the {0}, and what was {1} about?",
        "Who's going to look at the {0} for {2}, the one with {1}?",
        "Wasn't there something about {0} or {1} that {2} didn't like?",
    )
    end = len(ranked)
    kinds = {
        "a word": lambda: Question(heard(150, 2_000)),
        "a rare word": lambda: Question(heard(10_000, end)),
        "a phrase of 3 words": lambda: Question(phrase()),
        "an identifier": lambda: Question(identifier()),
        "a question": lambda: Question(
            chance.choice(forms).format(heard(100, 3_000), heard(100, 3_000), chance.choice(NAMES))
        ),
        "a common word, newest first": lambda: Question(chance.choice(COMMON), sort="recency"),
        "a regex with 3 letters in it": lambda: Question(rf"\b{chance.choice(ranked[100:])[:3]}[a-z]+s?[,.?]", "regex"),
        "a regex without any": lambda: Question(
            chance.choice((r"\b[a-z]{{{0}}}\W", r"\d{{2}}.\d{{{1}}}", r"[aeiou]{{2}}\w{{{1}}}\b")).format(
                chance.randint(9, 12), chance.randint(1, 4)
            ),
            "regex",
        ),
    }
    return {kind: _different(make, count) for kind, make in kinds.items()}


def _different(make: Callable[[], Question], count: int) -> list[Question]:
    drawn = (make() for _ in range(count * 20))
    return list(islice(dict.fromkeys(drawn), count))
