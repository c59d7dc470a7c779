"""Checks whether something was really said: quotes, names and numbers, looked up in the messages."""

import re
from collections.abc import Sequence

from graphmem.model.extraction import SourceMessage, SourceSpan
from graphmem.rules.language.gazetteer import lookup
from graphmem.rules.language.text import MAX_NAME_CHARS, STOP_WORDS, canonical_name, fold, is_unspaced
from graphmem.rules.model.prompts import READ_ROLES
from graphmem.rules.reading.statements import MAX_READ_CHARS

_MAX_PLACES = 50
"""Most places of one name that are recorded in one message."""
_MIN_QUOTE_CHARS = 6
"""Fewest characters of a quote; one of a script without spaces counts as two."""
_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
_EDGES = " \t\r\n\"'`*.…,;:。，、！？；：「」"
_JOINERS = re.compile(r"[\s_\-‐‑–—]+")
_SPEAKING = re.compile(r"\b(?:I|[Mm]y|me|mine|myself)\b")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\d{{4}}-\d\d(?:-\d\d)?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? \d{{4}})?(?!\w)|\b(?:19|20)\d\d\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
)
_SENTENCE = re.compile(r"(?:^|[.!?:] )[\"'(]?([A-Z][a-z']*)")
_ROLES = frozenset({"user", "assistant"})


class Talk:
    """Messages against which extracted items are checked. Only what people and assistants say counts."""

    def __init__(self, messages: Sequence[SourceMessage], project: str | None) -> None:
        self._texts = {
            index: message.text[:MAX_READ_CHARS].translate(_PLAIN)
            for index, message in enumerate(messages)
            if message.role in READ_ROLES
        }
        self._folded = {index: fold(text) for index, text in self._texts.items()}
        self._voices = {
            index: canonical_name(message.name or ("user" if message.role == "user" else ""))
            for index, message in enumerate(messages)
            if index in self._texts
        }
        self._project = canonical_name(project or "")
        # Postgres may be given by its listed name.
        spellings = {word.strip(_EDGES) for text in self._texts.values() for word in text.split()}
        self._listed = {fold(known.name): word for word in sorted(spellings) if (known := lookup(word))}
        said = (*self._folded.values(), *self._voices.values(), *self._listed, fold(project or ""))
        self._all = "\n".join(said)

    def speaks(self, name: str) -> bool:
        """Whether a speaker has this name; a user without a name is `user`."""
        return bool(canonical_name(name)) and canonical_name(name) in self._voices.values()

    def named(self, name: str) -> tuple[SourceSpan, ...] | None:
        """The places of a name in the messages; for a speaker, also where they say I. None for a name that nobody said;
        empty for the project."""
        canonical = canonical_name(name)
        if not canonical or len(name) > MAX_NAME_CHARS:
            return None
        spans = [span for index in self._texts for span in self._places(index, name)]
        if self.speaks(name):
            spans += [
                SourceSpan(message=index, start=match.start(), end=match.end())
                for index, voice in self._voices.items()
                if voice == canonical
                for match in list(_SPEAKING.finditer(self._texts[index]))[:_MAX_PLACES]
            ]
        elif not spans and canonical != self._project:
            return None
        return tuple(sorted(set(spans), key=lambda span: (span.message, span.start)))

    def spelling(self, name: str) -> str:
        """A name as written in the messages, where it is a form of a listed one; else unchanged."""
        known = lookup(name)
        if not known or self.named(name):
            return name
        return self._listed.get(fold(known.name), name)

    def quoted(self, quote: str, message: int | None) -> SourceSpan | None:
        """The place of a quote: in the message it claims to be from, else in the first that has it. White space, curly
        quotes, case and punctuation at its ends may differ."""
        words = quote.translate(_PLAIN).strip(_EDGES).split()
        if len(" ".join(words)) + sum(map(is_unspaced, quote)) < _MIN_QUOTE_CHARS:
            return None
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)
        for index in sorted(self._texts, key=lambda index: index != message):
            if match := pattern.search(self._texts[index]):
                return SourceSpan(message=index, start=match.start(), end=match.end())
        return None

    def is_strange(self, content: str) -> bool:
        """Whether a text has a name or number that occurs nowhere in the messages; dates, which are made absolute, may
        be new.

        A name is a word with a capital or a digit; for a word that only begins a sentence the stem is enough.
        """
        rest = _DATE.sub(" ", content.translate(_PLAIN))
        opening = {match.start(1) for match in _SENTENCE.finditer(rest)}
        for match in re.finditer(r"\S+", rest):
            word = match.group().strip(_EDGES + "()[]{}<>!?").removesuffix("'s")
            if not any(char.isupper() or char.isdigit() for char in word):
                continue
            folded = fold(word)
            begins = any(match.start() <= start < match.start() + 2 for start in opening) and word[1:].islower()
            if (
                folded in STOP_WORDS | _ROLES
                or folded in self._all
                or (begins and folded[: max(3, len(folded) - 3)] in self._all)
            ):
                continue
            if all(part in self._all for part in _JOINERS.split(folded) if part):
                continue
            return True
        return False

    def words(self, span: SourceSpan) -> str:
        """The text at a place, with single spaces."""
        return " ".join(self._texts[span.message][span.start : span.end].split())

    def _places(self, index: int, name: str) -> list[SourceSpan]:
        parts = [part for part in _JOINERS.split(name.translate(_PLAIN).strip(_EDGES)) if part]
        if not parts or fold(parts[0]) not in self._folded[index]:
            return []
        # Where words have no spaces between them, a name may stand next to any letter.
        before = "" if is_unspaced(parts[0]) else r"(?<!\w)"
        after = "" if is_unspaced(parts[-1][-1]) else r"(?!\w)"
        pattern = re.compile(before + r"[\s_\-]+".join(map(re.escape, parts)) + after, re.IGNORECASE)
        found: list[SourceSpan] = []
        for match in pattern.finditer(self._texts[index]):
            found.append(SourceSpan(message=index, start=match.start(), end=match.end()))
            if len(found) >= _MAX_PLACES:
                break
        return found
