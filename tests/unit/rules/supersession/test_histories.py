"""Random histories of a slot, by the rule alone, against plain intervals."""

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from graphmem.rules.supersession.decision import Fact, decide
from tests.histories import START, Slot, days_to_ask, random_day, random_end


@dataclass
class Link:
    new: str
    valid_to: datetime
    at: datetime
    undone_at: datetime | None = None


def believed(
    facts: dict[str, Fact], own: dict[str, datetime | None], links: dict[str, list[Link]], as_of: datetime, k: datetime
) -> set[str]:
    """What shows at a time, by the links: the rule that the statements of `cypher/time` carry out."""
    return {
        id_
        for id_, fact in facts.items()
        if fact.created_at <= k
        and fact.valid_from <= as_of
        and not ((end := own[id_]) is not None and end <= as_of)
        and not any(
            link.at <= k and (link.undone_at is None or k < link.undone_at) and link.valid_to <= as_of
            for link in links[id_]
        )
    }


def play(dice: random.Random) -> None:
    slot, facts = Slot(), dict[str, Fact]()
    own: dict[str, datetime | None] = {}
    links: dict[str, list[Link]] = {}
    for number in range(dice.randint(2, 8)):
        at = START + timedelta(days=100, seconds=number)
        id_, begins = f"f{number}", random_day(dice)
        ends = random_end(dice, begins)
        fact = Fact(id_, f"runs on host {number}", "attribute", "host", 1.0, True, False, begins, at)
        slot.tell(id_, begins, at, ends)
        held = [one for one in facts.values() if one.superseded_by is None or one.valid_to != one.valid_from]
        facts[id_], own[id_], links[id_] = fact, ends, []
        for found in decide([fact], held, min_confidence=0.7, shadow=False):
            assert found.status == "applied"
            for link in links[found.old_id]:
                link.undone_at = link.undone_at or at
            links[found.old_id].append(Link(found.new_id, found.valid_to, at))
            end = own[found.old_id]
            valid_to = min(end, found.valid_to) if end else found.valid_to
            facts[found.old_id] = replace(facts[found.old_id], superseded_by=found.new_id, valid_to=valid_to)
    for known in [one.known for one in slot.told]:
        for as_of in days_to_ask(slot, dice):
            assert believed(facts, own, links, as_of, known) == slot.held(as_of, known), (slot, as_of, known)


def test_random_histories_tell_what_their_intervals_tell() -> None:
    for seed in range(300):
        play(random.Random(seed))


@pytest.mark.long
def test_ten_thousand_random_histories_tell_what_their_intervals_tell() -> None:
    for seed in range(1_000, 11_000):
        play(random.Random(seed))
