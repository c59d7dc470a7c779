"""Where an exploring walk goes next."""

from collections import Counter
from random import Random

from graphmem.model.exploring import Neighbour
from graphmem.model.knowledge import EntityType
from graphmem.rules.recall.exploring import chosen, reasons


def beside(id_: str, *, mentions: int = 0, cold: bool = False, confidence: float = 0.8) -> Neighbour:
    return Neighbour(id_, id_, EntityType.TOOL, cold, mentions, confidence, f"edge to {id_}")


def often(*neighbours: Neighbour) -> Counter[str]:
    drawn = Random(1)
    return Counter(one.id for _ in range(2000) if (one := chosen(neighbours, drawn.random())))


def test_the_rarely_used_are_chosen_more_often_and_the_others_too() -> None:
    counts = often(beside("rare"), beside("famous", mentions=500))
    assert counts["rare"] > 4 * counts["famous"] > 0


def test_the_cold_and_the_sure_are_chosen_more_often() -> None:
    counts = often(beside("cold", cold=True), beside("warm"))
    assert 1.6 < counts["cold"] / counts["warm"] < 2.5
    counts = often(beside("sure", confidence=0.9), beside("doubtful", confidence=0.3))
    assert 2.3 < counts["sure"] / counts["doubtful"] < 4


def test_an_edge_without_confidence_can_still_be_taken_and_nothing_is_nothing() -> None:
    assert often(beside("only", confidence=0.0)) == {"only": 2000}
    assert chosen([], 0.5) is None
    assert chosen([beside("only")], 1.0) is not None


def test_reasons_are_in_bounds_and_tell_of_the_cold_only_where_it_is() -> None:
    for mentions in (0, 1, 10**6):
        told = reasons(beside("a", mentions=mentions))
        assert told.keys() == {"rarelyUsed", "confidence"}
        assert all(0 <= value <= 1 for value in told.values())
    assert reasons(beside("a", cold=True))["cold"] == 1
