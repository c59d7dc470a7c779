"""What is sent to Neo4j, and what comes back, without a server."""

from datetime import UTC, datetime

from neo4j.time import DateTime

from graphmem.graph.connection import Numbers, to_native


def test_a_vector_is_a_list_that_spells_itself_short() -> None:
    vector = Numbers([0.25] * 384)
    assert vector == [0.25] * 384
    assert repr(vector) == "[384 numbers]"


def test_times_are_found_at_any_depth_and_the_rest_stays() -> None:
    then = datetime(2026, 5, 1, tzinfo=UTC)
    known = {"rows": [["a", 1, None], ["b", 2, DateTime.from_native(then)]], "at": DateTime.from_native(then), "no": []}
    assert to_native(known) == {"rows": [["a", 1, None], ["b", 2, then]], "at": then, "no": []}
