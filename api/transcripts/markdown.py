"""Conversations in Markdown, as people and exporters write them: a line names the speaker, the words follow.

Speaker lines are headings (`## User`), bold (`**User:** words`) or plain (`User: words`). The first one of a file
decides its kind: other kinds are part of the words, and so is everything in fenced code. There is no standard; the
names are those that exporters of ChatGPT, Claude, Cursor and SpecStory write.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from api.transcripts.shape import MENDED, Gathered, Reading, fitting_id, fitting_name, mended, short_hash

SOURCE = "markdown"
SUFFIXES = frozenset({".md", ".markdown"})
BEFORE = "lines before the first speaker"
_ROLES = {
    "user": "user human me you",
    "assistant": "assistant ai chatgpt gpt claude gemini copilot cursor codex bot",
    "system": "system",
}
_ROLES_MARKED = {
    "user": "prompt question",
    "assistant": "response answer model agent",
    "system": "developer",
    "tool": "tool function",
}
"""Names that begin many ordinary lines, and so name a speaker only in a heading or in bold."""


def _names(roles: Mapping[str, str]) -> dict[str, str]:
    return {name: role for role, names in roles.items() for name in names.split()}


_ROLE_OF = _names(_ROLES) | _names(_ROLES_MARKED)
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?)?")
# Possessive, so that matching is linear; a sign is an emoji before the name.
_SIGN = r"(?:[^\w\s\x00-\x7f]++\s*+)?+"
_PLAIN_WHO = rf"(?P<who>{'|'.join(_names(_ROLES))})(?:-\d[\w.]*+)?+"
_WHO = rf"(?P<who>{'|'.join(_ROLE_OF)})(?:-\d[\w.]*+)?+"
_ASIDE = r"\((?P<aside>[^()\n]{1,100}+)\)"
_MORE = rf"(?:\s*+(?:{_ASIDE}|[—–|@-]\s++(?P<stamp>{_TIME.pattern}|[^*_:\n]{{1,60}}+)))?+"
_STYLES = {
    "heading": re.compile(rf"(?P<level>\#{{1,6}}+)\s++{_SIGN}\**+{_WHO}{_MORE}[:*\#\s]*+$", re.IGNORECASE),
    "bold": re.compile(rf"_?\*\*{_SIGN}{_WHO}{_MORE}\s*+(?::\s*+\*\*|\*\*\s*+:|\*\*_?\s*+$)", re.IGNORECASE),
    "plain": re.compile(rf"{_SIGN}{_PLAIN_WHO}(?:\s*+{_ASIDE})?+\s*+:(?=\s|$)", re.IGNORECASE),
}
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
_DATES = ("date", "created", "created_at", "createdat", "time", "timestamp", "start", "started", "started_at")
_IDS = ("session_id", "sessionid", "conversation_id", "id")
LEAST_TURNS = 2
"""A text with this many turns, of more than one role, is recognised as a conversation."""


@dataclass
class _Turn:
    role: str
    name: str | None
    time: str | None
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The words, without the rule that separates them from the next speaker."""
        lines = list(self.lines)
        while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1])):
            lines.pop()
        return "\n".join(lines).strip("\n")


def read_markdown(text: str, gathered: Gathered, name: str, *, certain: bool) -> Reading | None:
    """The conversation of a file; `name` is the file's, without its folder. None for a text that is not one, unless it
    is `certain` that it is.

    It is identified by the id in its front matter, else by the file's name and its text up to the first user message,
    and its messages by their place. A message without a time has that of the front matter.
    """
    whole, count = mended(text)
    gathered.left_out.update({MENDED: count} if count else {})
    facts, lines = _front_matter(str(whole).replace("\r\n", "\n").split("\n"))
    before, turns = _turns(lines)
    if not certain and (len(turns) < LEAST_TURNS or len({turn.role for turn in turns}) == 1):
        return None
    if not turns:
        gathered.problems.append("no line names a speaker, such as `## User`, `**User:**` or `User:`")
        return gathered.reading()
    date = next((found for key in _DATES if (found := _time(facts.get(key, "")))), None)
    title = next((line.lstrip("# ") for line in before if line.startswith("# ")), None)
    session_id = gathered.open(
        next((found for key in _IDS if (found := fitting_id(facts.get(key)))), None)
        or f"{SOURCE}-{short_hash(name, _opening_words(turns))}",
        source=SOURCE,
        project=fitting_name(facts.get("project")),
        started_at=date,
        metadata={"title": title, **facts} if title else facts or None,
    )
    if unread := sum(1 for line in before if line.strip() and not line.startswith("# ") and not _RULE.fullmatch(line)):
        gathered.left_out[BEFORE] += unread
    for index, turn in enumerate(turns):
        gathered.add(
            session_id,
            f"message {index + 1}",
            message_id=f"m{index:03d}",
            role=turn.role,
            name=turn.name,
            content=turn.text(),
            created_at=turn.time or date,
        )
    return gathered.reading()


def _front_matter(lines: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    """The `key: value` lines between two `---` at the start, and what follows them."""
    if not lines or lines[0].strip() != "---":
        return {}, lines
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), None)
    if end is None:
        return {}, lines
    pairs = (line.partition(":") for line in lines[1:end] if ":" in line and not line.startswith((" ", "#", "-")))
    return {key.strip().lower(): value.strip().strip("\"'") for key, _, value in pairs if value.strip()}, lines[
        end + 1 :
    ]


def _turns(lines: Sequence[str]) -> tuple[list[str], list[_Turn]]:
    """The lines before the first speaker, and the turns."""
    before: list[str] = []
    turns: list[_Turn] = []
    style: tuple[str, str | None] | None = None
    for line, in_code in _with_code(lines):
        found = None if in_code else _speaker(line, style)
        if found:
            style, turn = found
            turns.append(turn)
        else:
            (turns[-1].lines if turns else before).append(line)
    return before, turns


def _with_code(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is in fenced code."""
    fence = ""
    for line in lines:
        mark = found[1] if (found := _FENCE.match(line)) else ""
        if fence:
            yield line, True
            closes = mark.startswith(fence) and not line.strip().strip(mark[0])
            fence = "" if closes else fence
        else:
            fence = mark
            yield line, bool(mark)


def _speaker(line: str, style: tuple[str, str | None] | None) -> tuple[tuple[str, str | None], _Turn] | None:
    """The kind of a speaker line and the turn it begins; None for any other line, and for one of another kind."""
    for kind, pattern in _STYLES.items():
        if (style and style[0] != kind) or not (found := pattern.match(line)):
            continue
        given = found.groupdict()
        role = _ROLE_OF.get(given["who"].casefold())
        if role is None or (style and style[1] != given.get("level")):
            return None
        told = given["aside"] or given.get("stamp") or ""
        time = _time(told)
        words = line[found.end() :].strip()
        turn = _Turn(role, None if time else fitting_name(told.strip()), time, [words] if words else [])
        return (kind, given.get("level")), turn
    return None


def _time(told: str) -> str | None:
    """A date or time in a text, in UTC where it names no zone."""
    if not (found := _TIME.search(told)):
        return None
    try:
        read = datetime.fromisoformat(re.sub(r"\s?(?:Z|UTC)$", "+00:00", found[0]).replace(" +", "+"))
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).isoformat()
    except ValueError:
        return None


def _opening_words(turns: Sequence[_Turn]) -> str:
    words = []
    for turn in turns:
        words.append(f"{turn.role}: {turn.text()}")
        if turn.role == "user":
            break
    return "\n".join(words)
