"""Overlay scores by the words of a turn, and by the form of its code, commands and calculations."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from graphmem.model.turns import OVERLAYS, Overlay, Scores, Via
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import words
from graphmem.rules.turns.overlay_words import DECISIVE, PLAIN, WEAK, WORDS
from graphmem.rules.turns.references import cue
from graphmem.rules.turns.tool_calls import Call, read_calls

READ_CHARS = 20_000
MOST_ITEMS = 3
SATURATION = 0.54
"""The share of the distance to 10 that each point of weight leaves: one plain word makes 4.6, two 7.1, one decisive
word too."""
LONG_WORDS = 120
"""Words of a turn beyond which a single one counts less."""
CODE_SHARE, PATH_SHARE, RESULT_SHARE = 0.5, 0.4, 0.7
"""The weight of a word in code, in a file name and in a tool result, relative to one that somebody said."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_SHELL = frozenset({"bash", "sh", "shell", "zsh", "console", "powershell", "cmd"})
_CONFIG = frozenset(
    {"json", "yaml", "yml", "toml", "ini", "env", "xml", "html", "css", "text", "txt", "diff", "markdown", "md"}
)
_PROMPT = re.compile(r"^[ \t]*\$[ \t]+[a-z./][^\n]*", re.MULTILINE)
# All repetitions are bounded: a text of one repeated character must not take longer than others.
_PATH = re.compile(
    r"(?<![\w/.@~-])(?:[\w.@~-]{0,80}/)+[\w.-]{1,80}(?::\d+)?|(?<![\w/.@~-])[\w-]{1,80}\.[a-z]{1,5}(?::\d+)?(?![\w/])"
)
_CODE_LINE = re.compile(
    r"^\s*(?:(?:async |export |public |private |protected |static |default |abstract )*(?:def|class|interface|function|"
    r"fn|func|struct|enum|trait|impl|const|let|var|import|from \S+ import|package|namespace|@\w+)\b.*|"
    r"(?:if|for|while|elif|else if|switch|return|yield|await|throw|raise|with|try)\b.*[:;{()]\s*|"
    r"[\w.\[\]]+ (?:[-+*/%|&]?=|=>) .+|.*[;{}]|\}.*|"
    r"(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|MATCH|MERGE|WITH|WHERE) .+)\s*$"
)
_DEFINES = re.compile(
    r"^\s*(?:export |default |abstract |public |async )*(?:class|interface|struct|trait|enum|protocol|module|namespace|"
    r"CREATE TABLE|ALTER TABLE)\b",
    re.IGNORECASE,
)
_FUNCTION = re.compile(r"^(?:export |default |public |async )*(?:def|function|fn|func)\b|^export const \w+ = .*=>")
_LOGIC = re.compile(
    r"^\s*(?:for|while|if|elif|else if|return|yield|def|fn|func|function|match|switch|case|loop|let|const|var|try)\b"
    r"|[-+*/%&|^]=|=>|\+\+|--|\blambda\b"
)
_LOOP = re.compile(r"^\s*(?:for|while|loop)\b|\.(?:map|reduce|filter|fold)\(|\bfor \w+(?:, \w+)* in\b")
_ARITHMETIC = re.compile(
    r"[\w)\]] ?(?:\*\*|//|<<|>>|[*%^]) ?[\w(]|[\w)\]] [-+/] [\w(]"
    r"|\b(?:sqrt|cos|sin|log|exp|pow|abs|floor|ceil|sum|min|max)\("
)
_SUM = re.compile(
    r"(?<![\w.:/-])\d[\d.,]{0,20}\s{0,3}(?:[*×·÷^]|\s[-+/]\s|\*\*)\s*\d|(?<=\d) = -?\d|\d ?(?:×|times) ?\d"
)
_EQUATION = re.compile(
    r"\b[A-Za-z_]\w*(?:'?\([\w, ]*\))? = [^=\n]{0,60}?(?:[\w)\]] ?[*/^×·÷] ?[\w(]|[\w)\]] [-+] [\w(])"
)
_ORDER = re.compile(
    r"(?<!\w)O\((?:1|n|m|k|v|e|log|sqrt|2\^)[^()\n]{0,20}(?:\([^()\n]{0,10}\))?[^()\n]{0,10}\)", re.IGNORECASE
)
_SYMBOL = re.compile(r"[∑∏∫√≤≥≈∈∀∃∂∇∞±]|\\(?:frac|sum|int|sqrt|log|alpha|beta|lambda)\b")
_FIGURE = re.compile(r"(?<![\w.:/-])\d+\.\d+(?![\w.:/-])(?!\.\d)|\d ?(?:%|percent\b)")
_DONE = re.compile(
    r"^(?:successfully|applying|applied|building|installing|pulling|pushing|deploying|deployed|restarting|starting|stopping|"
    r"stopped|started|migrating|running|uploading|rolling)\b.*|^\S+ (?:restarted|is up|is running|exited)\b.*",
    re.IGNORECASE | re.MULTILINE,
)
_TESTED = re.compile(
    r"\b\d+ (?:tests? )?(?:passed|failed|passing|failing|skipped)\b|^(?:PASS|FAIL|FAILED)\b|^(?:not )?ok \d|✓|✗",
    re.MULTILINE,
)
_TEST_FILE = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|specs?|e2e)(?:[/_.-]|$)")
_SECRET = re.compile(
    r"(?i)\b\w{0,40}(?:token|secret|passw(?:or)?d|api_?key|private_?key|credential)\w{0,40}[\"']?\s*[=:]\s*[\"']?[\w$<-]{4,}"
)
_DECIDED = re.compile(
    r"(?im)(?:^|[.!?;] )(?:decision|decided|goal|aim|principle|priority|rule)\b[^.\n]{0,20}:|"
    r"\bwe want (?!to (?:know|see|ask|say))|"
    r"\b(?:the )?(?:aim|idea|promise|plan|goal|point|purpose) (?:is|was|stays|remains)\b"
)


@dataclass(frozen=True, slots=True)
class Part:
    """The result of one kind of reason for each overlay: a score, its items, the nearest one's cosine."""

    via: Via
    scores: Scores
    items: tuple[tuple[str, ...], ...]
    cosines: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Met:
    """Something in a turn that indicates an overlay."""

    weight: float
    item: str


Found = list[dict[str, Met]]
"""The matches of each overlay, each entry once."""


@lru_cache(maxsize=200)
def keyword_part(text: str, calls: str | None = None, role: str = "user") -> Part:
    """The scores by the words of a turn and its form; `calls` is the JSON of its tool calls.

    >>> part = keyword_part("The author claims that the latest prune is fine.")
    >>> part.scores
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """
    text = text[:READ_CHARS]
    found: Found = [{} for _ in OVERLAYS]
    share = RESULT_SHARE if role == "tool" else 1.0
    prose, code, shell = _parted(text)
    said = _read(_PATH.sub(" ", prose), found, share)
    _read("\n".join(match[0] for match in _PATH.finditer(prose)), found, PATH_SHARE * share)
    _read(code, found, CODE_SHARE * share)
    _read(shell, found, 1.0)
    thin = 1 / sqrt(max(1.0, said / LONG_WORDS))
    found = [{key: Met(met.weight * thin, met.item) for key, met in one.items()} for one in found]
    asked = read_calls(calls)
    for call in asked:
        _read(call.commands, found, 1.0)
        _read(call.words, found, CODE_SHARE)
        _read(call.path, found, PATH_SHARE)
    code = "\n".join([code, *(call.words for call in asked if call.kind in ("write", "edit"))])
    for overlay, what, met in (*_shapes(prose, code, shell, role), *_doings(asked)):
        _note(found[OVERLAYS.index(overlay)], what, met)
    ordered = [sorted(one.values(), key=lambda met: -met.weight) for one in found]
    return Part(
        "keyword",
        scores_of([10 * (1 - SATURATION ** sum(met.weight for met in one)) for one in ordered]),
        tuple(tuple(met.item for met in one[:MOST_ITEMS]) for one in ordered),
        (None,) * len(OVERLAYS),
    )


def scores_of(values: Sequence[float]) -> Scores:
    """Within 0 and 10, to one decimal: more would be false precision."""
    o1, o2, o3, o4, o5, o6, o7 = (min(max(round(value, 1), 0.0), 10.0) for value in values)
    return (o1, o2, o3, o4, o5, o6, o7)


def _parted(text: str) -> tuple[str, str, str]:
    """The prose of a text, its code and its shell commands. Lines of code count as code even without a fence: tools
    return files like that."""
    code, shell = [], []
    for language, block in _FENCE.findall(text):
        if language.lower() in _SHELL:
            shell.append(block)
        elif language.lower() not in _CONFIG:
            code.append(block)
    prose = _FENCE.sub("\n", text) if "```" in text or "~~~" in text else text
    shell += _PROMPT.findall(prose)
    lines = prose.split("\n")
    coded = [bool(_CODE_LINE.match(line)) if len(line) <= 300 else False for line in lines]
    if sum(coded) >= 2:
        code.append("\n".join(line for line, is_code in zip(lines, coded, strict=True) if is_code))
        prose = "\n".join(line for line, is_code in zip(lines, coded, strict=True) if not is_code)
    return prose, "\n".join(code), "\n".join(shell)


def _read(text: str, found: Found, share: float) -> int:
    """Record the matches of the words of a text; returns the number of words."""
    said = words(_CAMEL.sub(" ", text)) if text else []
    stems = [stem(word) for word in said]
    taken: set[tuple[int, int]] = set()
    for start, first in enumerate(stems):
        for place, phrase, weight in _PHRASES.get(first, ()):
            end = start + len(phrase)
            if tuple(stems[start:end]) == phrase:
                taken |= {(place, at) for at in range(start, end)}
                _note(found[place], " ".join(phrase), Met(weight * share, " ".join(said[start:end])))
    for at, word in enumerate(said):
        for place, key, weight in _meanings(word):
            if (place, at) not in taken:
                _note(found[place], key, Met(weight * share, word))
    return len(said)


def _note(found: dict[str, Met], key: str, met: Met) -> None:
    if key not in found or found[key].weight < met.weight:
        found[key] = met


@lru_cache(maxsize=50_000)
def _meanings(word: str) -> tuple[tuple[int, str, float], ...]:
    """The matches of one word: (overlay, entry, weight), for each overlay the heaviest."""
    best: dict[int, tuple[str, float]] = {}
    met = list(_SINGLES.get(stem(word), ()))
    met += [(place, start, weight) for place, start, weight in _STARTS if word.startswith(start)]
    for place, key, weight in met:
        if place not in best or best[place][1] < weight:
            best[place] = (key, weight)
    return tuple((place, key, weight) for place, (key, weight) in best.items())


def _entries() -> tuple[
    dict[str, list[tuple[int, str, float]]],
    list[tuple[int, str, float]],
    dict[str, list[tuple[int, tuple[str, ...], float]]],
]:
    """The listed words: single ones by stem, prefixes, and phrases by the stem of their first word."""
    singles: dict[str, list[tuple[int, str, float]]] = {}
    starts: list[tuple[int, str, float]] = []
    phrases: dict[str, list[tuple[int, tuple[str, ...], float]]] = {}
    for place, overlay in enumerate(OVERLAYS):
        listed = WORDS[overlay]
        for entries, weight in ((listed.decisive, DECISIVE), (listed.plain, PLAIN), (listed.weak, WEAK)):
            for entry in entries.split(","):
                parts = tuple(stem(word) for word in words(entry.replace("*", "")))
                if len(parts) > 1:
                    phrases.setdefault(parts[0], []).append((place, parts, weight))
                elif entry.strip().endswith("*"):
                    starts.append((place, entry.strip()[:-1], weight))
                else:
                    singles.setdefault(parts[0], []).append((place, parts[0], weight))
    return singles, starts, phrases


_SINGLES, _STARTS, _PHRASES = _entries()


def _shapes(prose: str, code: str, shell: str, role: str) -> Iterator[tuple[Overlay, str, Met]]:
    """Indicators in a turn besides words. A fence alone does not count: configuration is in fences too."""
    lines = code.split("\n") if code else []
    if defined := sum(bool(_DEFINES.match(line)) for line in lines):
        yield "O1", "defined", Met(min(1.0 + 0.5 * defined, 2.0), f"{defined} definitions")
    if _SECRET.search(prose) or _SECRET.search(code):
        yield "O2", "assigned", Met(DECISIVE, "a secret that is set")
    if role != "tool" and (pointing := cue(prose)):
        yield "O3", "cue", Met(1.6, pointing.lower())
    if decided := _DECIDED.search(prose):
        yield "O4", "decided", Met(1.4, decided[0].strip(".!?;: ").lower())
    if shell.strip():
        number = sum(bool(line.strip()) for line in shell.split("\n"))
        yield "O5", "shell", Met(min(1.0 + 0.25 * number, DECISIVE), f"{number} lines of shell")
    if role == "tool" and (done := _DONE.search(prose)):
        yield "O5", "done", Met(1.6, done[0][:40])
    if _TESTED.search(prose):
        yield "O7", "tested", Met(DECISIVE, "results of tests")
    logic, loops, sums = (sum(bool(shape.search(line)) for line in lines) for shape in (_LOGIC, _LOOP, _ARITHMETIC))
    if computing := min(0.1 * logic, 0.6) + min(0.3 * loops, 0.9) + min(0.4 * sums, 1.6):
        yield "O6", "code", Met(computing, f"{logic} lines of logic")
    orders, sums = len(_ORDER.findall(prose)), len(_SUM.findall(prose))
    equations, figures = len(_EQUATION.findall(prose)) + len(_SYMBOL.findall(prose)), len(_FIGURE.findall(prose))
    worth = min(DECISIVE * orders, 3.0) + min(1.5 * equations, 3.0) + min(1.0 * sums, 2.0)
    if role != "tool" and (calculated := worth + (min(0.25 * figures, 1.0) if figures > 1 else 0)):
        yield "O6", "calculated", Met(calculated, "a calculation")


def _doings(asked: Sequence[Call]) -> Iterator[tuple[Overlay, str, Met]]:
    """The overlays of tool calls by their kind: a search asks about dependencies, a write creates something."""
    for call in asked:
        if call.kind == "run":
            yield "O5", "calls", Met(DECISIVE, "a command")
        else:
            yield "O5", "calls", Met(0.6, "a tool call")
        if call.kind == "search":
            yield "O3", "search", Met(1.6, "a search")
        if call.kind in ("write", "edit") and _TEST_FILE.search(call.path):
            yield "O7", "test file", Met(1.6, call.path[:60])
        elif call.kind == "write" and _defines(call.words):
            yield "O1", "written", Met(1.6, call.path[:60])


def _defines(code: str) -> bool:
    return any(_FUNCTION.match(line) or _DEFINES.match(line) for line in code.split("\n"))
