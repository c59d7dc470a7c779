"""Whether a conversation is a quest, work on something that is being built, or a chat."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Mode = Literal["quest", "chat"]
QUEST_POINTS = 5
TOOL_TURNS, STRUCTURE, CODE_TURNS, FILE_TURNS = 5, 15, 3, 5
"""Thresholds for points."""

_MARKED = re.compile(
    r"^\s{0,3}(?:[•●⏺*-]\s{0,2})?(?:Edit|MultiEdit|Write|Read|Bash|Grep|Glob|Task)(?::|\(\S)|^[^\S\n]{0,9}\{?\"?tool_use\b",
    re.MULTILINE,
)
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)", re.MULTILINE)
_PATH = re.compile(r"(?<![\w~./@-])[\w~/@-]*+\.[\w~./@-]*+")
"""A whole run of the characters of paths, with a dot in it."""
_NAMES_END = """
    ts tsx js jsx mjs py pyi md json yaml yml toml sql sh go rs java kt rb php cs cpp cc hpp css html vue cypher ini cfg
    lock csv ipynb
"""
_FILE_ENDINGS = frozenset(_NAMES_END.split())
_NAMED_JS = "node next vue nuxt express react d3 three socket chart moment discord ember backbone"
_PRODUCTS = frozenset(_NAMED_JS.split())
"""Names that end like a JavaScript file."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The fields of a turn that determine the mode. `calls`: it calls tools, `called`: with these arguments; `scores`
    are those of O1 to O7, None for a turn that is not analysed."""

    role: str
    text: str
    calls: bool = False
    called: str = ""
    scores: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class ModeVerdict:
    """The mode, its points, where they come from, and what was counted: turns, and for `structure` the mean of O1 + O5
    + O6 over the analysed turns."""

    mode: Mode
    score: int
    parts: Mapping[str, int]
    counts: Mapping[str, float]


def mode_of(turns: Sequence[Spoken]) -> ModeVerdict:
    """The mode of a conversation; a chat where there is none.

    Source: the seed's classifyConversationMode: its points and thresholds. The counts use structure, because `>` occurs
    in arrows and quotes, and python is a snake too: called tools, or a line that begins like a call; code by its
    fences; files by their names.

    >>> mode_of([Spoken("assistant", "on it", calls=True, called='{"path": "a.py"}')] * 6).parts
    {'tools': 3, 'structure': 0, 'code': 0, 'files': 2}
    """
    scored = [turn.scores for turn in turns if turn.scores is not None]
    counts = {
        "tools": sum(is_tool_turn(turn) for turn in turns),
        "structure": round(sum(one[0] + one[4] + one[5] for one in scored) / len(scored), 2) if scored else 0.0,
        "code": sum(bool(_FENCE.search(turn.text)) for turn in turns),
        "files": sum(bool(files_in(turn.text) or files_in(turn.called)) for turn in turns),
    }
    parts = {
        "tools": 3 if counts["tools"] > TOOL_TURNS else 0,
        "structure": 3 if counts["structure"] > STRUCTURE else 0,
        "code": 2 if counts["code"] > CODE_TURNS else 0,
        "files": 2 if counts["files"] > FILE_TURNS else 0,
    }
    score = sum(parts.values())
    return ModeVerdict("quest" if score >= QUEST_POINTS else "chat", score, parts, counts)


def is_tool_turn(turn: Spoken) -> bool:
    """Whether a turn calls tools, by its structure or by a line written as a call."""
    return turn.calls or (turn.role != "user" and bool(_MARKED.search(turn.text)))


def files_in(text: str) -> list[str]:
    """The names of files in a text, in order, each once.

    >>> files_in("see src/app.py and Node.js, then README.md.")
    ['src/app.py', 'README.md']
    """
    found = dict.fromkeys(match[0].rstrip("./-") for match in _PATH.finditer(text))
    return [name for name in found if _is_file(name)]


def _is_file(name: str) -> bool:
    stem, _, ending = name.rpartition(".")
    return (
        ending in _FILE_ENDINGS and bool(stem.rpartition("/")[2]) and "@" not in name and stem.lower() not in _PRODUCTS
    )
