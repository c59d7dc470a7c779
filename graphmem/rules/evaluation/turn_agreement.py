"""The agreement of turn analysis with what a careful reader sees in the turns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.labels_continuity import ContinuousConversation, TurnLabel
from graphmem.model.turns import OVERLAYS, Overlay
from graphmem.rules.evaluation.tally import Tally

HIGH, ACTIVE = 6.0, 5.0
"""A score from the first on satisfies the label high, a score below the second the label low."""


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What was seen in one message; `references` is None where they were not searched."""

    message: str
    overlays: Mapping[Overlay, float]
    shift: bool
    references: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some labels are met; `missed` lists the others."""

    met: int = 0
    missed: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.met + len(self.missed)

    @property
    def value(self) -> float | None:
        """None where there are no labels."""
        return self.met / self.total if self.total else None

    def __add__(self, other: "Share") -> "Share":
        return Share(self.met + other.met, self.missed + other.missed)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Highs and lows of each overlay; shifts; links to earlier turns, None where they were not searched."""

    highs: Mapping[Overlay, Share]
    lows: Mapping[Overlay, Share]
    shifts: Tally
    references: Tally | None

    def __add__(self, other: "Agreement") -> "Agreement":
        linked = [one for one in (self.references, other.references) if one is not None]
        return Agreement(
            {overlay: self.highs[overlay] + other.highs[overlay] for overlay in OVERLAYS},
            {overlay: self.lows[overlay] + other.lows[overlay] for overlay in OVERLAYS},
            self.shifts + other.shifts,
            sum(linked, Tally()) if linked else None,
        )


def whole(shares: Mapping[Overlay, Share]) -> Share:
    """The totals of all overlays."""
    return sum(shares.values(), Share())


def agreement(labelled: ContinuousConversation, seen: Sequence[SeenTurn]) -> Agreement:
    """Each turn with its label. Errors: ValueError where a message was not seen at all: a missing score is neither high
    nor low."""
    by_message = {turn.message: turn for turn in seen}
    unseen = [label.message for label in labelled.turns if label.message not in by_message]
    if unseen:
        raise ValueError(f"nothing was seen of {len(unseen)} messages of {labelled.id}, the first is {unseen[0]}")
    pairs = [(label, by_message[label.message]) for label in labelled.turns]
    looked = [(label, turn.references) for label, turn in pairs if turn.references is not None]
    return Agreement(
        highs={overlay: _highs(labelled.id, pairs, overlay) for overlay in OVERLAYS},
        lows={overlay: _lows(labelled.id, pairs, overlay) for overlay in OVERLAYS},
        shifts=sum((_shift(labelled.id, label, turn) for label, turn in pairs), Tally()),
        references=sum((_linked(labelled.id, label, links) for label, links in looked), Tally()) if looked else None,
    )


def _highs(id_: str, pairs: Iterable[tuple[TurnLabel, SeenTurn]], overlay: Overlay) -> Share:
    scores = [(label.message, seen.overlays[overlay]) for label, seen in pairs if overlay in label.high]
    low = tuple(f"{id_} {message}: {overlay} {score:.1f}" for message, score in scores if score < HIGH)
    return Share(len(scores) - len(low), low)


def _lows(id_: str, pairs: Iterable[tuple[TurnLabel, SeenTurn]], overlay: Overlay) -> Share:
    scores = [(label.message, seen.overlays[overlay]) for label, seen in pairs if overlay in label.low]
    high = tuple(f"{id_} {message}: {overlay} {score:.1f}" for message, score in scores if score >= ACTIVE)
    return Share(len(scores) - len(high), high)


def _shift(id_: str, label: TurnLabel, seen: SeenTurn) -> Tally:
    told = f"{id_} {label.message}"
    if label.shift is None or not (label.shift or seen.shift):
        return Tally()
    if label.shift:
        return Tally(right=1, held=1) if seen.shift else Tally(missed=(told,))
    return Tally(wrong=(told,))


def _linked(id_: str, label: TurnLabel, links: Sequence[str]) -> Tally:
    """For a turn that refers to several messages one is enough, since they often say the same."""
    if label.references is None:
        return Tally()
    right = [link for link in links if link in label.references]
    wrong = tuple(f"{id_} {label.message} -> {link}" for link in links if link not in label.references)
    if not label.references:
        return Tally(wrong=wrong)
    meant = f"{id_} {label.message} -> {', '.join(label.references)}"
    return Tally(right=len(right), wrong=wrong, held=bool(right), missed=() if right else (meant,))
