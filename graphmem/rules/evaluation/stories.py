"""What recaps and contexts of a story say, compared with what its labels demand."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.labels import Told
from graphmem.model.labels_story import Replaced, Story
from graphmem.rules.evaluation.turn_agreement import Share

_NUMBER_OF_LIST = re.compile(r"(?:^|[:;.!?]\s|\b(?:am|der|den|dem|zum|vom|no|nr)\s)\d{1,2}\.$", re.IGNORECASE)
_SOURCES = re.compile(r"\s*\[[^\[\]]*\]$")
_LABEL = re.compile(r"^(?:- )?(?:[^:]{1,60}: )?")
_OVER = re.compile(
    r"(?i)\b(?:no longer|not|was|were|before|replaced?s?|instead|dropped|drop|scrapped|gone|removed|formerly|until|"
    r"used to|cancelled|earlier|previously|superseded|rather than|nicht|kein\w*|statt|war|waren|vorher|früher|ersetzt|"
    r"bisher|verworfen|gestrichen)\b|n['’]t\b"
)
"""Words with which a line says that something is over."""


@dataclass(frozen=True, slots=True)
class RecapScore:
    """One recap. `current_wrong` are lines that tell what was replaced as if it held; `halves` lines that stop within a
    sentence."""

    must: Share
    current_wrong: tuple[str, ...]
    halves: tuple[str, ...]
    now: Share
    pending: Share
    open: Share
    rules: Share
    lines: int


def score_recap(story: Story, text: str, outdated: Sequence[tuple[int, int]] = ()) -> RecapScore:
    """How far a recap keeps what its story demands. `outdated` are the places in the text that say themselves that they
    no longer hold."""
    plain, lines = _lines(text, outdated)
    sections = _sections(text)
    asked_open = "\n".join(
        body for title, body in sections.items() if "open" in title.lower() or "pending" in title.lower()
    )
    pending = next((body for title, body in sections.items() if title.lower().startswith("pending")), "")
    return RecapScore(
        must=_share(story.must, [one.what for one in story.must], plain),
        current_wrong=tuple(f"{one.what}: {line}" for one in story.replaced for line in lines if _tells_old(one, line)),
        halves=tuple(line for line in lines if _is_half(line, story)),
        now=_share([story.now], ["now"], text),
        pending=_share([story.pending], ["pending"], pending),
        open=_share(story.open, [str(one.words) for one in story.open], asked_open),
        rules=_share(story.rules, [str(one.words) for one in story.rules], text),
        lines=len(lines),
    )


def score_answers(story: Story, contexts: Sequence[str]) -> Share:
    """How many questions their contexts, in the order of the questions, answer."""
    missed = tuple(one.question for one, text in zip(story.questions, contexts, strict=True) if not one.said_by(text))
    return Share(len(story.questions) - len(missed), missed)


def _share(wanted: Iterable[Told], names: Sequence[str], text: str) -> Share:
    missed = tuple(name for one, name in zip(wanted, names, strict=True) if not _said(one, text))
    return Share(len(names) - len(missed), missed)


def _said(one: Told, text: str) -> bool:
    """Whether one line says it, or two neighbours together."""
    lines = text.splitlines()
    return any(one.said_by("\n".join(lines[at : at + 2])) for at in range(len(lines)))


def _lines(text: str, outdated: Sequence[tuple[int, int]]) -> tuple[str, list[str]]:
    """The text without what it marks as outdated, and its lines without titles and sources."""
    kept = "".join(" " if any(a <= at < b for a, b in outdated) else c for at, c in enumerate(text))
    found = [_SOURCES.sub("", line) for line in kept.splitlines() if line.startswith("- ")]
    return kept, [line.removeprefix("- ").strip() for line in found if line.strip("- ")]


def _sections(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
            found[title] = ""
        else:
            found[title] = found.get(title, "") + line + "\n"
    return found


def _tells_old(one: Replaced, line: str) -> bool:
    if not one.said_by(line) or line.endswith("?"):
        return False
    return not Told(words=one.by).said_by(line) and not _OVER.search(line)


def _is_half(line: str, story: Story) -> bool:
    """Whether a quoted line begins or ends within a sentence of its message; a line of our own words does neither."""
    said = _LABEL.sub("", line).strip() if ": " in line[:64] else line
    if _NUMBER_OF_LIST.search(said) or said.endswith(("…", "...", ":", ",")):
        return not _stands(said, story)
    return False


def _stands(said: str, story: Story) -> bool:
    """Whether the message itself has a line that ends so."""
    bare = _bare(said)
    return any(
        _bare(line).endswith(bare)
        for message in story.messages
        if isinstance(message.content, str)
        for line in message.content.splitlines()
        if not said.endswith(":")
    )


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[*_`#>]+", "", text).split())


def doubled(text: str) -> list[str]:
    """Lines that stand twice."""
    counted = Counter(_SOURCES.sub("", line) for line in text.splitlines() if line.startswith("- "))
    return [line for line, times in counted.items() if times > 1]
