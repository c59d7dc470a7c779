"""Histories of one slot, and what held in them, told from the intervals alone: nothing here knows how graphmem does
it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

DAY = timedelta(days=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 12
"""Facts begin on one of so many days, so that some begin together."""


@dataclass
class Told:
    """A fact as it came in. `ends`: the end that it was told with."""

    id: str
    begins: datetime
    ends: datetime | None
    known: datetime


@dataclass
class Slot:
    """Facts of which at most one holds at a time: the one that began last, until the next begins.

    `undone`: of a fact, from when until when the end that a newer one brought was taken back, and what it was before.
    """

    told: list[Told] = field(default_factory=list)
    undone: dict[str, tuple[datetime, datetime | None, datetime | None]] = field(default_factory=dict)

    def tell(self, id_: str, begins: datetime, known: datetime, ends: datetime | None = None) -> None:
        self.told.append(Told(id_, begins, ends, known))

    def undo(self, old: str, new: str, at: datetime) -> None:
        """The newer fact does not end the older one any more; what ended it before does again."""
        places = {one.id: place for place, one in enumerate(self.told)}
        before = self.told[: places[new]]
        was = _next(before, old) if places[old] < places[new] else None
        self.undone[old] = (at, None, was.begins if was else None)

    def redo(self, old: str, at: datetime) -> None:
        since, _, end = self.undone[old]
        self.undone[old] = (since, at, end)

    def held(self, as_of: datetime, known_at: datetime) -> set[str]:
        """The facts that hold at a time, by what was known at another."""
        known = [one for one in self.told if one.known <= known_at]
        found = set()
        for one in known:
            after = _next(known, one.id)
            end = after.begins if after else None
            if one.id in self.undone:
                since, until, before = self.undone[one.id]
                if since <= known_at and (until is None or known_at < until):
                    end = before
            if one.begins <= as_of and not any(last is not None and last <= as_of for last in (one.ends, end)):
                found.add(one.id)
        return found


def _next(told: Sequence[Told], id_: str) -> Told | None:
    """What began next; of those that began together what was told later is the newer."""
    order = sorted(range(len(told)), key=lambda place: (told[place].begins, place))
    at = next(n for n, place in enumerate(order) if told[place].id == id_)
    return told[order[at + 1]] if at + 1 < len(order) else None


def random_day(dice: random.Random) -> datetime:
    return START + dice.randrange(DAYS) * DAY


def random_end(dice: random.Random, begins: datetime) -> datetime | None:
    """Most facts are told without an end."""
    return begins + dice.randint(1, 6) * DAY if dice.random() < 0.2 else None


def days_to_ask(slot: Slot, dice: random.Random) -> list[datetime]:
    """A day on which something begins, the moment before it, and another day."""
    begins = dice.choice(slot.told).begins
    return [begins, begins - timedelta(microseconds=1), START + dice.uniform(-1, DAYS + 1) * DAY]
