"""The chain of history: nothing can be changed, left out or moved unseen."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.keeping.history import ChainCheck, Line, chain, told

EVENTS = st.lists(st.text(max_size=10), min_size=1, max_size=6).map(
    lambda words: [
        {"id": f"e{n}", "at": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=n), "after": word, "before": None}
        for n, word in enumerate(words)
    ]
)


@given(EVENTS, st.text(max_size=8))
def test_each_hash_covers_the_one_before(events: list[dict[str, object]], last: str) -> None:
    sealed = chain(last, events)
    assert [id_ for id_, _, _ in sealed] == [event["id"] for event in events]
    assert [before for _, before, _ in sealed] == [last, *(hashed for _, _, hashed in sealed[:-1])]
    assert all(len(hashed) == 64 for _, _, hashed in sealed)


@given(EVENTS, st.integers(0, 6))
def test_sealing_in_two_goes_is_sealing_in_one(events: list[dict[str, object]], cut: int) -> None:
    first = chain("", events[:cut])
    assert first + chain(first[-1][2] if first else "", events[cut:]) == chain("", events)


@given(EVENTS, st.data())
def test_any_change_shows_from_there_on(events: list[dict[str, object]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(events) - 1))
    changed = [dict(event) for event in events]
    changed[at]["after"] = f"{changed[at]['after']}!"
    honest, forged = chain("", events), chain("", changed)
    assert honest[:at] == forged[:at]
    assert all(a[2] != b[2] for a, b in zip(honest[at:], forged[at:], strict=True))
    assert chain("", events[:at] + events[at + 1 :])[at:] != honest[at + 1 :] or at == len(events) - 1


def test_the_order_of_an_events_fields_does_not_matter() -> None:
    event: dict[str, object] = {"id": "e", "kind": "superseded", "at": datetime(2026, 1, 1, tzinfo=UTC)}
    assert chain("", [event]) == chain("", [dict(reversed(event.items()))])


def test_no_events_make_no_chain() -> None:
    assert chain("x", []) == []


def links(number: int) -> list[tuple[dict[str, object], str, str]]:
    empty = dict.fromkeys(("before", "after", "reason"))
    at = datetime(2026, 5, 1, tzinfo=UTC)
    events: list[dict[str, object]] = [{"id": f"e{n}", "kind": "noted", "at": at, **empty} for n in range(number)]
    return [(event, *sealed[1:]) for event, sealed in zip(events, chain("", events), strict=True)]


def checked(found: list[tuple[dict[str, object], str, str]]) -> ChainCheck:
    check = ChainCheck()
    for event, previous, hashed in found:
        check.add(event, previous, hashed)
    return check


def test_a_whole_chain_is_whole_in_any_order_and_while_it_grows() -> None:
    found = links(20)
    for order in (found, found[::-1], found[7:] + found[:7]):
        assert checked(order).whole(found[-1][2])
    assert checked(found).whole(found[12][2]), "the last eight came while we read"
    assert checked([]).whole("")


def test_a_changed_a_missing_and_a_doubled_event_are_noticed() -> None:
    found = links(20)
    for at in (0, 10, 19):
        event, previous, hashed = found[at]
        changed = [*found[:at], (event | {"actor": "mallory"}, previous, hashed), *found[at + 1 :]]
        assert not checked(changed).whole(found[-1][2])
        assert checked(changed).altered == [event["id"]]
        assert not checked([*found[:at], *found[at + 1 :]]).whole(found[-1][2])
        assert not checked([*found, found[at]]).whole(found[-1][2])
    assert not checked([]).whole(found[-1][2])
    assert not checked(found).whole("0" * 64)


def test_lines_beyond_the_ids_given_have_the_same_ids_each_time() -> None:
    lines = [Line("changed", f"thing-{number}", {"n": number}) for number in range(4)]
    ids = ["0199aaaa-0000-7000-8000-000000000000", "0199aaaa-0000-7000-8000-000000000001"]
    now = datetime(2026, 3, 2, tzinfo=UTC)
    first, again = told(lines, "api", now, ids), told(lines, "api", now, ids)
    assert first == again
    assert [event.id for event in first[:2]] == ids
    assert len({event.id for event in first}) == 4
    assert all(UUID(event.id).version == 7 for event in first)
    assert {event.id[:13] for event in first} == {"0199aaaa-0000"}, "of the same moment"
