"""What has to change for an entity to be what was believed of it at a time."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.rollback import Away, EntityThen, Left, Retirement, RollbackPlan, RolledEdge, RolledFact, Successor
from graphmem.rules.supersession.rollback import plan_rollback

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def fact(id_: str, learned: float, **more: object) -> RolledFact:
    given: dict[str, object] = {
        "key": id_,
        "status": "active",
        "superseded_by": None,
        "protected": False,
        "kept": None,
        "retired_at": None,
        "successors": (),
        "retirements": (),
    }
    return RolledFact(id=id_, created_at=day(learned), valid_from=day(learned), **(given | more))  # type: ignore[arg-type]


def gave_way(to: str, at: float, undone: float | None = None, status: str = "active") -> Successor:
    until = None if undone is None else day(undone)
    return Successor(f"{to}@{at}", to, status, f"record of {to}", day(at), day(at), until, None)


def edge(id_: str, drawn: float, **more: object) -> RolledEdge:
    given: dict[str, object] = {
        "key": id_,
        "status": "active",
        "valid_to": None,
        "retired_at": None,
        "deleted_at": None,
        "note": None,
        "gone_with": None,
        "cold_reason": None,
        "spells": (),
    }
    return RolledEdge(id=id_, created_at=day(drawn), valid_from=day(drawn), **(given | more))  # type: ignore[arg-type]


def plan(*held: RolledFact | RolledEdge, to: float) -> RollbackPlan:
    facts = tuple(one for one in held if isinstance(one, RolledFact))
    edges = tuple(one for one in held if isinstance(one, RolledEdge))
    return plan_rollback(EntityThen(facts, edges), day(to))


def test_what_was_learned_later_is_taken_back_and_what_it_replaced_holds_again() -> None:
    old = fact("old", 1, status="superseded", superseded_by="mid", successors=(gave_way("mid", 5),))
    mid = fact("mid", 5, status="superseded", superseded_by="new", successors=(gave_way("new", 8),))
    found = plan(old, mid, fact("new", 8), to=4)
    assert (found.retired, found.rested) == (("mid", "new"), ("new",))
    assert (found.closed, found.woken) == ((("old", old.successors[0]),), ("old",))
    assert found.renewed == ()


@pytest.mark.parametrize(("to", "known"), [(4.999, False), (5, True)])
def test_what_was_learned_at_that_very_moment_was_known(to: float, known: bool) -> None:
    assert plan(fact("one", 5), to=to).empty == known


def test_a_supersession_that_was_undone_since_holds_again() -> None:
    link = gave_way("new", 3, undone=6)
    found = plan(fact("old", 1, successors=(link,)), fact("new", 3), to=4)
    assert (found.renewed, found.rested) == ((("old", link),), ("old",))


def test_a_supersession_by_what_is_away_does_not_hold_again() -> None:
    found = plan(fact("old", 1, successors=(gave_way("new", 3, undone=6, status="deleted"),)), to=4)
    assert found.empty
    assert found.left == (Left("old", "had given way to new, which is deleted now"),)


def test_what_gave_way_to_a_closer_fact_since_gives_way_to_the_first_again() -> None:
    first, closer = gave_way("c", 3, undone=6), gave_way("b", 6)
    old = fact("a", 1, status="superseded", superseded_by="b", successors=(first, closer))
    found = plan(old, fact("c", 3), fact("b", 6), to=4)
    assert (found.closed, found.renewed, found.retired) == ((("a", closer),), (("a", first),), ("b",))
    assert found.woken == ()


def test_an_equal_fact_that_stays_keeps_another_away() -> None:
    old = fact("old", 1, key="k", status="superseded", successors=(gave_way("new", 5),))
    assert plan(old, fact("equal", 2, key="k"), to=4).left == (
        Left("old", "says the same as equal, which stays active"),
    )
    assert plan(old, fact("equal", 5, key="k"), to=4).woken == ("old",)


def test_what_was_sent_away_since_comes_back_and_what_went_before_does_not() -> None:
    away = Away("deleted", "active", day(5), "deleted", None, ())
    gone = fact("gone", 1, status="deleted", away=away)
    assert plan(gone, to=4).restored == ("gone",)
    assert plan(gone, to=6).empty
    with_memory = fact("with", 1, status="cold", gone_with="memory", retired_at=day(5))
    assert [one.id for one in plan(with_memory, to=4).left] == ["with"]
    assert plan(with_memory, to=6).left == ()


def test_a_fact_that_an_earlier_rollback_took_back_comes_back_to_a_day_on_which_it_was_known() -> None:
    back = Retirement("link", "first", day(3), day(7), None)
    taken = fact("one", 3, status="superseded", retirements=(back,))
    assert (plan(taken, to=5).released, plan(taken, to=5).woken) == ((("one", back),), ("one",))
    assert plan(taken, to=2).empty
    again = fact("one", 3, retirements=(replace(back, undone_at=day(9)),))
    assert plan(again, to=8).retired == ("one",)


def test_edges_follow_the_same_rule() -> None:
    held = (
        edge("late", 6),
        edge("sold", 1, status="deleted", retired_at=day(5), deleted_at=day(5)),
        edge("gone", 1, status="superseded", retired_at=day(2)),
        edge("was away", 1, spells=((day(3), day(5)),)),
        edge("with", 1, status="cold", retired_at=day(5), gone_with="memory"),
        edge("old", 1, status="superseded", retired_at=day(5), key="k"),
        edge("anew", 2, key="k"),
    )
    found = plan(*held, to=4)
    assert found.edges_retired == ("late", "was away")
    assert found.edges_revived == ("sold",)
    assert [one.id for one in found.left] == ["with", "old"]


@pytest.mark.parametrize("seed", range(300))
def test_what_is_planned_leads_to_what_was_believed_then_and_no_further(seed: int) -> None:
    chance = random.Random(seed)
    then = EntityThen(tuple(_random_fact(chance, number) for number in range(chance.randint(1, 7))), ())
    for to in (day(chance.uniform(0, 10)) for _ in range(3)):
        believed = {one.id for one in then.facts if _believed(one, to)}
        found = plan_rollback(then, to)
        after = EntityThen(tuple(_carried_out(one, found) for one in then.facts), ())
        left = {one.id for one in found.left}
        assert {one.id for one in after.facts if one.status == "active"} - left == believed - left
        assert plan_rollback(after, to).empty
        then = after


def _random_fact(chance: random.Random, number: int) -> RolledFact:
    """A fact with links one behind the other, the last of which may be open."""
    learned = chance.uniform(0, 8)
    moments = sorted(chance.uniform(learned, 10) for _ in range(chance.randint(0, 6)))
    links = [
        gave_way(f"other {chance.randint(0, 2)}", at, until)
        for at, until in zip(moments[::2], [*moments[1::2], None], strict=False)
    ]
    is_open = bool(links) and links[-1].undone_at is None
    return fact(
        f"fact {number}",
        learned,
        status="superseded" if is_open else "active",
        superseded_by=links[-1].new_id if is_open else None,
        successors=tuple(links),
        memory_away="memory" if chance.random() < 0.1 else None,
    )


def _believed(one: RolledFact, at: datetime) -> bool:
    def held_down(link: Successor | Retirement) -> bool:
        return link.at <= at and (link.undone_at is None or at < link.undone_at)

    return one.created_at <= at and not any(held_down(link) for link in (*one.successors, *one.retirements))


def _carried_out(one: RolledFact, found: RollbackPlan) -> RolledFact:
    """What is written of a fact."""
    closed = {link.link_id for id_, link in found.closed if id_ == one.id}
    released = {link.link_id for id_, link in found.released if id_ == one.id}
    successors = [replace(link, undone_at=NOW) if link.link_id in closed else link for link in one.successors]
    retirements = [replace(link, undone_at=NOW) if link.link_id in released else link for link in one.retirements]
    successors += [
        replace(link, link_id="again", at=NOW, undone_at=None) for id_, link in found.renewed if id_ == one.id
    ]
    if one.id in found.retired:
        retirements.append(Retirement("taken", "this", one.valid_from, NOW, None))
    down = [link for link in (*successors, *retirements) if link.undone_at is None]
    return replace(
        one,
        status="superseded" if down else "active",
        successors=tuple(successors),
        retirements=tuple(retirements),
    )
