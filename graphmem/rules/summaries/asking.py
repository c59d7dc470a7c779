"""The questions of a recap with which recall finds what was decided: each about a thing that a decision names."""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise, takewhile

from graphmem.rules.language.foreign import is_foreign
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import content_words
from graphmem.rules.summaries.recap_lines import Line
from graphmem.rules.summaries.recap_turns import Conversation
from graphmem.rules.turns.sentences import cues_in, names_in

LEAST_WORDS, MOST_WORDS = 2, 4
"""Content words of what a question is about."""
NAME_CHARS = 4
"""Least characters of a name: shorter ones are units, such as kHz."""
_DETERMINERS = word_set("the a an our my your his her their its this that these those each every")
_JOINING = word_set("von vom für im in am an auf aus mit per bei zum zur und der die das des dem den")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W_]+)*")
_RUNS = re.compile(r"[^\W\d_][\w-]*(?: [^\W\d_][\w-]*)*")
_BEHIND = re.compile(r"\s*:|\s(?:of|is|are|was|were|has|have|will|must|can|should)\b")
"""What only a noun stands before."""
_GOES_ON = ("'", "’", "_", "/", "\\")
"""Marks behind which a word goes on."""


def questions(talk: Conversation, settled: Sequence[Line]) -> list[Line]:
    """Questions with which recall finds the turn they cite, those about what is worth most first."""
    found: list[Line] = []
    seen: set[str] = set()
    foreign = is_foreign(" ".join(line.text for line in settled))
    nouns = frozenset() if foreign else _nouns(talk)
    for line in sorted(settled, key=lambda line: -line.worth):
        said = line.text.partition(" (")[0]  # without what it was before
        phrases = _with_capitals(said) if foreign else _noun_phrases(said, nouns)
        topics = [" ".join(phrase) for phrase in phrases if len(set(content_words(" ".join(phrase)))) >= LEAST_WORDS]
        topics += [name for name in names_in(said) if len(name) >= NAME_CHARS]
        topic = max(topics, key=lambda topic: _worth(talk, topic), default="")
        words = set(content_words(topic))
        if not words or seen & words:
            continue
        seen |= words
        asked = "Was haben wir zu {} entschieden?" if foreign else "What did we decide about {}?"
        found.append(Line(asked.format(topic), line.places[:1]))
    return found


def _worth(talk: Conversation, topic: str) -> float:
    telling = content_words(topic)
    return sum(talk.standing.idf_of(word) for word in telling) / math.sqrt(len(telling) or 1)


def _noun_phrases(text: str, nouns: Collection[str]) -> Iterator[list[str]]:
    """What stands behind determiners, with "the" for them, up to the last of `nouns`, and names of several words.

    >>> [" ".join(one) for one in _noun_phrases("We keep our mist valve shut, the Hollin Red table leaks.", {"valve"})]
    ['the mist valve', 'Hollin Red', 'Red']
    """
    words = list(_WORD.finditer(text))
    for at, word in enumerate(words):
        if word[0].lower() in _DETERMINERS:
            phrase = [one[0] for one in _following(words, at, text)]
            while phrase and phrase[-1].lower() not in nouns:
                phrase.pop()
            if phrase:
                yield ["the", *phrase]
        elif at and _is_capital(word[0]):
            named = takewhile(_is_capital, (one[0] for one in _following(words, at, text)))
            yield [word[0], *named]


def _following(words: Sequence[re.Match[str]], at: int, text: str) -> Iterator[re.Match[str]]:
    """The words behind a word with only a space between them, up to one that cannot be of its phrase."""
    for before, word in islice(pairwise(words[at:]), MOST_WORDS - 1):
        if text[before.end() : word.start()] != " " or not _is_telling(word[0]):
            return
        yield word


def _nouns(talk: Conversation) -> frozenset[str]:
    """The words that end what stands behind a determiner somewhere: "the valve", alone, or "the mist valve is", but
    not "the last boat leaves"."""
    found = set()
    for point in talk.standing.points:
        words = list(_WORD.finditer(point.text))
        for at, word in enumerate(words):
            if word[0].lower() in _DETERMINERS:
                following = list(_following(words, at, point.text))
                rest = point.text[following[-1].end() :] if following else ""
                if following and not rest.startswith(_GOES_ON) and (len(following) == 1 or _BEHIND.match(rest)):
                    found.add(following[-1][0].lower())
    return frozenset(found)


def _is_capital(word: str) -> bool:
    return word[0].isupper() and len(word) > 1


def _with_capitals(text: str) -> Iterator[list[str]]:
    """Nouns, and what prepositions and articles join to them, in German: words with a capital that is not that of the
    sentence.

    >>> list(_with_capitals("Umgesetzt ist der Umschalter im Zimmer als Knopf."))
    [['Umschalter', 'im', 'Zimmer']]
    """
    for run in _RUNS.finditer(text):
        words = run[0].split()
        for first in range(0 if run.start() else 1, len(words)):
            for last in range(first + LEAST_WORDS, min(first + MOST_WORDS, len(words)) + 1):
                begin, *between, end = words[first:last]
                joined = all(word in _JOINING or _is_capital(word) for word in between)
                if joined and _is_capital(begin) and _is_capital(end) and _is_telling(begin) and _is_telling(end):
                    yield [begin, *between, end]


def _is_telling(word: str) -> bool:
    return (
        bool(content_words(word))
        and word.lower() not in _JOINING
        and not cues_in(word) & {"decision", "reversal", "done", "denied"}
    )
