"""Passages of Markdown: each section or a part of it, with its headings and its overlay scores."""

import re
from collections.abc import Iterator

from graphmem.model.code import Outline, Passage
from graphmem.model.turns import OVERLAYS, Overlay
from graphmem.rules.turns.overlay_keywords import keyword_part

MOST_CHARS = 2_000
"""Most characters of a passage: longer sections are cut between paragraphs."""
LEAST_WORDS = 4
HEADED = 6.0
"""Scores by a heading or a file's name alone: a page on security is about O2 in any words."""
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_ABOUT: tuple[tuple[Overlay, re.Pattern[str]], ...] = (
    ("O2", re.compile(r"(?i)\b(?:security|privacy|threats?|vulnerabilit\w+|auth\w*|secrets?|permissions?)\b")),
    ("O4", re.compile(r"(?i)\b(?:vision|mission|goals?|roadmap|principles?|decisions?|why|adr|purpose|objectives?)\b")),
    (
        "O5",
        re.compile(
            r"(?i)\b(?:install\w*|usage|deploy\w*|operat\w+|runbook|workflows?|contribut\w+|release|setup|"
            r"getting started)\b"
        ),
    ),
    ("O6", re.compile(r"(?i)\b(?:algorithms?|formulas?|math\w*|complexity|proofs?|theorems?|equations?)\b")),
)


def read_markdown(path: str, text: str) -> Outline:
    """The passages of a file in order; those of fewer than four words are left out."""
    return Outline(language="markdown", passages=tuple(_passages(path, text)))


def _passages(path: str, text: str) -> Iterator[Passage]:
    headings: list[tuple[int, str]] = []
    for line, block in _blocks(text):
        if found := _HEADING.match(block[0]):
            depth = len(found[1])
            headings = [one for one in headings if one[0] < depth] + [(depth, found[2])]
            continue
        told = "\n".join(block).strip()
        if len(told.split()) < LEAST_WORDS:
            continue
        heading = " / ".join(name for _, name in headings)
        scores = _scores(path, heading, told)
        yield Passage(
            line=line,
            end=line + len(block) - 1,
            heading=heading,
            text=told,
            o2=scores["O2"],
            o4=scores["O4"],
            o5=scores["O5"],
            o6=scores["O6"],
        )


def _scores(path: str, heading: str, text: str) -> dict[Overlay, float]:
    """Scores by the words of the passage and its heading, and at least those of the heading and the file's name."""
    by_words = dict(zip(OVERLAYS, keyword_part(f"{heading}\n{text}").scores, strict=True))
    named = f"{path.replace('/', ' ').replace('-', ' ').replace('_', ' ').removesuffix('.md')} {heading}"
    for overlay, about in _ABOUT:
        if about.search(named):
            by_words[overlay] = max(by_words[overlay], HEADED)
    return by_words


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Headings, and the text between them, cut at empty lines outside of code where it is long; each with the number of
    its first line."""
    block: list[str] = []
    start, fence, length = 1, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        heading = not fence and _HEADING.match(line)
        if heading or (not fence and not line.strip() and length > MOST_CHARS / 2):
            if any(one.strip() for one in block):
                yield start, block
            if heading:
                yield number, [line]
            start, block, length = number + 1, [], 0
            continue
        if not block and not line.strip():
            start = number + 1
            continue
        block.append(line)
        length += len(line)
        if length > 2 * MOST_CHARS:  # one endless paragraph
            yield start, block
            start, block, length = number + 1, [], 0
    if any(one.strip() for one in block):
        yield start, block
