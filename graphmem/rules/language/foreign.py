"""Which stretches of a text are in another language than English, by its script and its function words.

Only the English parser reads texts without a model: what is in another language is kept, and nothing is drawn from it.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby

from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import fold

Span = tuple[int, int]
_WORD = re.compile(r"(?<![\w@#/.\\-])(?<!\d )[^\W\d_]+(?:'[^\W\d_]+)*(?![\w/\\@-]|[.:]\w)")
"""A word of a language: no identifier, path, address, number or unit, and no part of one."""
_OWN_LETTERS = re.compile("[äöüßàìòùáíóúâîôûãõçłżźśćńąęığşåøæœőűřěůčšžășțđơưạảấầếềệịọốồộớờợụủứừỳỹ]")
"""Letters of small words that English has from names alone; é, è, ê, ï and ñ stand in words that it took over."""
_FEWEST = 3
"""Words from which on a sentence shows its language: "ha", "ciao" and "poor man" are said in English too."""
_MOST = 0.5
"""The share of letters of another script from which on a sentence is in it."""
_PARTICLES = word_set("al bin da das de del della den der des di do dos du e el la las le les los van von y zu")
"""What stands within names: Marie de la Tour."""


def foreign_stretches(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Those of the sentences of a text that are in another language than English, in order.

    A sentence that shows no language goes with the others of its text, where those are all of other languages; alone
    it counts as English, so that names, identifiers and slang are read.

    >>> text = "Vivo en Sevilla. We use Kafka."
    >>> [text[start:end] for start, end in foreign_stretches(text, [(0, 16), (17, 30)])]
    ['Vivo en Sevilla.']
    """
    guesses = [is_foreign(text[start:end]) for start, end in sentences]
    around = bool(guesses) and True in guesses and False not in guesses
    return [span for span, guess in zip(sentences, guesses, strict=True) if guess or (guess is None and around)]


@lru_cache(2_000)  # the parser asks, and then whoever reads
def is_foreign(sentence: str) -> bool | None:
    """Whether a sentence is in another language than English; None where its words do not show it.

    >>> is_foreign("Der Port ist 8080."), is_foreign("The port is 8080."), is_foreign("Redis 6380")
    (True, False, None)
    """
    given = _WORD.findall(sentence.replace("’", "'"))
    words = _spoken(given)
    english = sum(map(is_english_word, words))
    if share := _other_script(sentence):
        return share > _MOST or not english
    odd = {word for word in given if word[0].islower() and _OWN_LETTERS.search(word)}
    other = {word for word in words if word in _other_words()} | odd
    enough = len(other) > 1 or len(given) >= _FEWEST
    if other and enough and any(_outweighs(words, odd, language) for language in _table() if language != "en"):
        return True
    return False if english else None


def is_english_word(word: str) -> bool:
    """Whether a folded word is one of the function words and everyday verbs of English."""
    return word in _table()["en"]


def _outweighs(words: Sequence[str], odd: Collection[str], language: str) -> bool:
    """Whether the words that tell a language from English are twice those that tell English from it; `odd` have letters
    that English has not."""
    own, english = _table()[language], _table()["en"]
    other = sum(word not in english if word in own else word in odd for word in words)
    return other > 0 and other >= 2 * sum(word in english and word not in own for word in words)


def _spoken(words: Sequence[str]) -> list[str]:
    """The words in small letters without names: words with a capital, unless they begin the sentence before one
    without, and particles between them."""
    spoken: list[str] = []
    at = 0
    for particle, run in groupby(words, key=lambda word: word.lower() in _PARTICLES):
        inside = list(run)
        named = at > 0 and words[at - 1][0].isupper()
        at += len(inside)
        if not (particle and named and at < len(words) and words[at][0].isupper()):
            spoken += [word for word in inside if word[0].islower() or (word is words[0] and not _begins_name(words))]
    return [fold(word) for word in spoken]


def _begins_name(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[1][0].isupper()


def _other_script(sentence: str) -> float:
    """The share of letters that are not Latin; 0 where there are fewer than two."""
    if sentence.isascii():
        return 0.0
    letters = [letter for letter in sentence if letter.isalpha()]
    other = sum(not _is_latin(letter) for letter in letters)
    return other / len(letters) if other > 1 else 0.0


@lru_cache(5_000)
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN", "MICRO"))


@cache
def _other_words() -> frozenset[str]:
    """What some other language has, and English has not."""
    return frozenset[str]().union(*_table().values()) - _table()["en"]


@cache
def _table() -> dict[str, frozenset[str]]:
    given = tomllib.loads(files(__package__).joinpath("function_words.toml").read_text(encoding="utf-8"))
    return {language: frozenset(map(fold, words.split())) for language, words in given.items()}
