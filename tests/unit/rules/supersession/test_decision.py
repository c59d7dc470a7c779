"""The plan of retirements: who retires whom, once, and never what must stay."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.claims import Claim
from graphmem.rules.supersession.decision import Fact, Retirement, decide

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)


def fact(id: str, content: str, day: float = 0, **changes: object) -> Fact:
    at = JANUARY + timedelta(days=day)
    return replace(Fact(id, content, "attribute", None, 0.7, False, False, at, at), **changes)  # type: ignore[arg-type]


def plan(new: list[Fact], active: list[Fact], *, shadow: bool = False) -> tuple[Retirement, ...]:
    return decide(new, active, min_confidence=0.7, shadow=shadow)


def pairs(retirements: tuple[Retirement, ...]) -> list[tuple[str, str]]:
    return [(one.old_id, one.new_id) for one in retirements]


OLD = fact("old", "lives in NYC")
NEW = fact("new", "lives in LA", 10)


def test_a_contradicting_newer_fact_retires_the_older_one() -> None:
    (one,) = plan([NEW], [OLD])
    assert (one.old_id, one.new_id, one.method, one.status) == ("old", "new", "heuristic", "applied")
    assert one.valid_to == NEW.valid_from
    assert one.confidence == 0.75
    assert one.reason.endswith(".")
    assert "'lives in nyc' against 'lives in la'" in one.reason


def test_facts_that_were_read_of_different_things_are_not_compared_by_their_words() -> None:
    deposit = Claim(verb="be", subject=("deposit",), head="deposit")
    that = Claim(verb="be", object=("altogether",))
    old = fact("old", "It is 80", claims=(deposit,))
    assert pairs(plan([fact("new", "It is 240", 10, claims=(deposit,))], [old])) == [("old", "new")]
    assert plan([fact("new", "It is 240", 10, claims=(that,))], [old]) == ()
    given = replace(old, explicit=True)
    assert pairs(plan([fact("new", "It is 240", 10, claims=(that,), explicit=True)], [given])) == [("old", "new")]


def test_a_model_may_know_that_two_facts_without_a_common_word_are_of_one_thing() -> None:
    old = fact("old", "Bo commutes by bus", claims=(Claim(verb="commute", about=("bus",)),))
    new = fact("new", "Bo cycles to the office", 10, claims=(Claim(verb="cycle", about=("office",)),))
    judged = {old.content: {new.content: 0.9}}
    (one,) = decide([new], [old], min_confidence=0.7, shadow=False, judged=judged)
    assert (one.old_id, one.method) == ("old", "semantic")


def test_nothing_new_retires_nothing() -> None:
    assert plan([], [OLD, NEW]) == ()


def test_few_new_facts_are_decided_on_as_among_all() -> None:
    """What is not new is left out of the comparison, not out of the plan."""
    held = [fact(f"held{n}", f"{who} lives in {city}", n) for n, (who, city) in enumerate(HOMES)]
    held += [fact("rule", "must live in Rome", kind="constraint"), fact("slot", "Kim lives in Bern", claim_key="x")]
    late = fact("late", "Ana lives in Lima", 2.5)
    news = fact("news", "Kim lives in Oslo", 40, claim_key="y")
    assert set(pairs(plan([late, news], held))) == {("held2", "late"), ("late", "held4"), ("held5", "news")}


HOMES = [("Bo", "Rome"), ("Ida", "Graz"), ("Ana", "Paris"), ("Lou", "Nice"), ("Ana", "Turin"), ("Kim", "Ghent")]


def test_seed_postgresql_is_retired_by_mongodb_in_the_same_slot() -> None:
    old = fact("old", "uses PostgreSQL", claim_key="uses:primary database")
    new = fact("new", "migrated to MongoDB", 5, claim_key="uses:primary database")
    (one,) = plan([new], [old])
    assert (one.method, one.confidence, one.status) == ("claim", 1.0, "applied")
    assert "uses:primary database" in one.reason
    assert plan([replace(new, claim_key=None)], [replace(old, claim_key=None)]) == ()


def test_different_slots_never_contradict() -> None:
    assert plan([replace(NEW, claim_key="summer home")], [replace(OLD, claim_key="winter home")]) == ()


def test_a_slot_on_one_side_only_leaves_it_to_the_words() -> None:
    assert pairs(plan([replace(NEW, claim_key="lives_in")], [OLD])) == [("old", "new")]


def test_the_same_words_in_the_same_slot_retire_nothing() -> None:
    old = fact("old", "Lives in NYC.", claim_key="lives_in")
    assert plan([fact("new", "lives  in nyc", 5, claim_key="lives_in")], [old]) == ()


@pytest.mark.parametrize("kept", [{"kind": "constraint"}, {"pinned": True}])
@pytest.mark.parametrize("claim_key", [None, "lives_in"])
def test_constraints_and_pinned_facts_stay(kept: dict[str, object], claim_key: str | None) -> None:
    assert plan([replace(NEW, claim_key=claim_key)], [replace(OLD, claim_key=claim_key, **kept)]) == ()  # type: ignore[arg-type]


def test_a_new_constraint_retires_nothing() -> None:
    assert plan([replace(NEW, kind="constraint", claim_key="x")], [replace(OLD, claim_key="x")]) == ()


@pytest.mark.parametrize(
    ("old_explicit", "new_explicit", "status"),
    [(True, True, "applied"), (False, False, "applied"), (False, True, "applied"), (True, False, "proposed")],
)
@pytest.mark.parametrize("claim_key", [None, "lives_in"])
def test_what_was_read_only_proposes_against_what_was_given(
    old_explicit: bool, new_explicit: bool, status: str, claim_key: str | None
) -> None:
    old = replace(OLD, explicit=old_explicit, claim_key=claim_key)
    (one,) = plan([replace(NEW, explicit=new_explicit, claim_key=claim_key)], [old])
    assert one.status == status
    assert ("only proposed" in one.reason) == (status == "proposed")


def test_shadow_mode_proposes_everything() -> None:
    (one,) = plan([NEW], [OLD], shadow=True)
    assert one.status == "proposed"
    assert "shadow mode" in one.reason


def test_a_late_arrival_is_retired_by_what_came_after_it_and_retires_nothing_newer() -> None:
    (one,) = plan([fact("late", "lives in Rome", -5)], [OLD])
    assert (one.old_id, one.new_id, one.valid_to, one.instead_of) == ("late", "old", OLD.valid_from, None)


def test_a_late_arrival_takes_its_place_between_two() -> None:
    past = replace(OLD, superseded_by="new", valid_to=NEW.valid_from)
    first, second = plan([fact("late", "lives in Rome", 5)], [past, NEW])
    assert (first.old_id, first.new_id, first.instead_of) == ("old", "late", "new")
    assert first.valid_to == JANUARY + timedelta(days=5)
    assert (second.old_id, second.new_id, second.instead_of) == ("late", "new", None)
    assert second.valid_to == NEW.valid_from


def test_a_late_arrival_may_be_retired_by_one_that_is_superseded_itself() -> None:
    past = replace(OLD, superseded_by="new", valid_to=NEW.valid_from)
    assert pairs(plan([fact("late", "lives in Rome", -5)], [past, NEW])) == [("late", "old")]


@pytest.mark.parametrize("changes", [{"pinned": True}, {"kind": "constraint"}, {"explicit": True}])
def test_nobody_is_asked_to_move_what_is_protected_within_its_chain(changes: dict[str, object]) -> None:
    past = replace(OLD, superseded_by="new", valid_to=NEW.valid_from, **changes)  # type: ignore[arg-type]
    assert pairs(plan([fact("late", "lives in Rome", 5)], [past, NEW])) == [("late", "new")]


def test_what_begins_later_retires_what_is_said_before_its_day_as_of_that_day() -> None:
    (found,) = decide([fact("late", "lives in Rome", 5)], [NEW], min_confidence=0.7, shadow=False)
    assert (found.old_id, found.new_id, found.valid_to) == ("late", "new", NEW.valid_from)


def test_a_pair_on_which_people_decided_is_left_alone_and_the_next_one_counts() -> None:
    later = fact("later", "lives in Oslo", 20)
    assert pairs(decide([NEW], [OLD], min_confidence=0.7, shadow=False, settled={("old", "new")})) == []
    found = decide([NEW, later], [OLD], min_confidence=0.7, shadow=False, settled={("old", "new")})
    assert pairs(found) == [("old", "later"), ("new", "later")]


@given(days=st.permutations(range(7)), batches=st.lists(st.integers(1, 3), min_size=7, max_size=7))
def test_in_whatever_order_facts_of_a_slot_arrive_each_holds_until_the_next(
    days: list[int], batches: list[int]
) -> None:
    arriving = [fact(f"day {day}", f"lives in city {day}", day, claim_key="home") for day in days]
    held: dict[str, Fact] = {}
    for count in batches:
        batch, arriving = arriving[:count], arriving[count:]
        found = plan(batch, list(held.values()))
        held |= {one.id: one for one in batch}
        for one in found:
            assert one.instead_of == held[one.old_id].superseded_by
            held[one.old_id] = replace(held[one.old_id], superseded_by=one.new_id, valid_to=one.valid_to)
        there = sorted(held.values(), key=lambda one: one.valid_from)
        assert [one.superseded_by for one in there] == [*(one.id for one in there[1:]), None]
        assert [one.valid_to for one in there] == [*(one.valid_from for one in there[1:]), None]


def test_equal_times_are_ordered_by_storing_and_then_by_id() -> None:
    a, b = fact("a", "lives in NYC"), fact("b", "lives in LA")
    assert pairs(plan([a, b], [])) == [("a", "b")]
    later = replace(a, created_at=a.created_at + timedelta(seconds=1))
    assert pairs(plan([later, b], [])) == [("b", "a")]


def test_of_several_contradicting_facts_the_next_one_takes_over() -> None:
    batch = [fact("b", "lives in Rome", 1), fact("c", "lives in Oslo", 2)]
    assert pairs(plan(batch, [OLD])) == [("old", "b"), ("b", "c")]


def test_one_that_may_be_applied_goes_before_a_newer_proposal() -> None:
    batch = [fact("b", "lives in Rome", 1, explicit=True), fact("c", "lives in Oslo", 2)]
    found = {one.old_id: (one.new_id, one.status) for one in plan(batch, [replace(OLD, explicit=True)])}
    assert found == {"old": ("b", "applied"), "b": ("c", "proposed")}


def test_siblings_about_other_things_stay() -> None:
    siblings = [fact("a", "uses Redis"), fact("b", "likes tea"), fact("c", "works at Acme"), OLD]
    assert pairs(plan([NEW], siblings)) == [("old", "new")]


def test_a_fact_given_as_new_and_as_active_counts_once() -> None:
    assert pairs(plan([NEW], [OLD, NEW])) == [("old", "new")]


CONTENTS = st.sampled_from(
    [
        "lives in NYC", "lives in LA", "lives in Rome", "does not live in LA", "uses Redis", "no longer uses Redis",
        "auth is enabled", "auth is disabled", "auth is enabled in staging", "plans to move to Rome",
        "used to live in NYC", "version is 1.5", "version is 1.9", "now lives in Oslo",
    ]
)  # fmt: skip


@st.composite
def facts(draw: st.DrawFn, prefix: str) -> Fact:
    return fact(
        prefix + str(draw(st.integers(0, 5))),
        draw(CONTENTS | st.text(max_size=10)),
        draw(st.integers(0, 4)),
        kind=draw(st.sampled_from(["attribute", "attribute", "constraint"])),
        claim_key=draw(st.sampled_from([None, None, "a", "b"])),
        explicit=draw(st.booleans()),
        pinned=draw(st.sampled_from([False, False, True])),
        created_at=JANUARY + timedelta(days=draw(st.integers(0, 3))),
    )


@given(
    new=st.lists(facts("n"), max_size=6, unique_by=lambda one: one.id),
    active=st.lists(facts("o"), max_size=6, unique_by=lambda one: one.id),
    shadow=st.booleans(),
    data=st.data(),
)
def test_every_plan_keeps_the_promises(new: list[Fact], active: list[Fact], shadow: bool, data: st.DataObject) -> None:
    retirements = plan(new, active, shadow=shadow)
    known = {one.id: one for one in [*active, *new]}
    assert len({one.old_id for one in retirements}) == len(retirements)
    for one in retirements:
        old, heir = known[one.old_id], known[one.new_id]
        # Every step goes forward in time, so no chain comes back to where it was.
        assert (old.valid_from, old.created_at, old.id) < (heir.valid_from, heir.created_at, heir.id)
        assert heir in new or old in new, "what was there is decided already"
        assert "constraint" not in (old.kind, heir.kind)
        assert not old.pinned
        assert not (old.claim_key and heir.claim_key and old.claim_key != heir.claim_key)
        assert one.status == "proposed" or not (shadow or (old.explicit and not heir.explicit))
        assert 0.7 <= one.confidence <= 1.0
        assert one.valid_to == heir.valid_from
    shuffled = data.draw(st.permutations(new)), data.draw(st.permutations(active))
    assert plan(*shuffled, shadow=shadow) == retirements
