"""Arcs and epochs: each session in one arc, the same nodes however sessions arrive, and less detail the higher up."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.condensing import HeldGroup, Line, LineSession, StatedFact, Statement, Step
from graphmem.rules.language.text import count_tokens
from graphmem.rules.model.answers import Nonsense
from graphmem.rules.summaries.condensing import (
    ARC_TOKENS,
    EPOCH_TOKENS,
    arc_lines,
    dag_key,
    epoch_lines,
    plan,
    question,
    read_summary,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
Groups = dict[tuple[str, int], HeldGroup]


def session(day: int, *, hidden: bool = False) -> LineSession:
    return LineSession(f"s{day:03}", f"y{day:03}", START + timedelta(days=day), hidden)


def in_order(sessions: list[LineSession]) -> list[LineSession]:
    return sorted(sessions, key=lambda one: (one.started_at, one.session_id))


def condensed(sessions: list[LineSession], held: Groups, arcs: int = 3, epochs: int = 2) -> Groups:
    """What a job leaves: steps are taken, arcs before epochs, until there are none."""
    held = dict(held)
    for _ in range(9):
        steps = plan(Line(in_order(sessions), list(held.values())), arcs, epochs)
        if not steps:
            return held
        first = [step for step in steps if step.kind == "arc" and step.action != "dissolve"] or steps
        for step in first:
            held[step.kind, step.number] = taken(step, held)
            if step.kind == "arc":
                held = {
                    key: replace(group, stale=True) if held[step.kind, step.number].id in group.child_ids else group
                    for key, group in held.items()
                }
    raise AssertionError("it never settles")


def taken(step: Step, held: Groups) -> HeldGroup:
    if step.action == "dissolve":
        assert step.held
        return replace(step.held, child_ids=(), stale=False, hidden=True)
    id_ = step.held.id if step.held else f"{step.kind}-{step.number}"
    children = tuple(held["arc", number].id for number in step.children) if step.kind == "epoch" else step.sessions
    return HeldGroup(id_, step.kind, step.number, children, stale=False, marks=0)


def shown(held: Groups) -> Groups:
    return {key: group for key, group in held.items() if not group.hidden}


@given(number=st.integers(0, 40), arcs=st.integers(2, 9), epochs=st.integers(2, 5))
def test_each_session_is_in_exactly_one_arc_and_each_arc_in_one_epoch(number: int, arcs: int, epochs: int) -> None:
    sessions = [session(day) for day in range(number)]
    held = condensed(sessions, {}, arcs, epochs)
    covered = [child for (kind, _), group in sorted(held.items()) if kind == "arc" for child in group.child_ids]
    assert covered == [one.summary_id for one in sessions][: number // arcs * arcs]
    above = [child for (kind, _), group in sorted(held.items()) if kind == "epoch" for child in group.child_ids]
    assert above == [f"arc-{n}" for n in range(number // arcs // epochs * epochs)]
    assert plan(Line(sessions, list(held.values())), arcs, epochs) == []


@given(
    days=st.lists(st.integers(0, 60), unique=True, max_size=24),
    order=st.randoms(use_true_random=False),
    batches=st.integers(1, 5),
)
def test_sessions_that_arrive_in_any_order_make_the_same_dag(
    days: list[int], order: random.Random, batches: int
) -> None:
    order.shuffle(days)
    here: list[LineSession] = []
    held: Groups = {}
    for start in range(0, len(days), batches):
        here += [session(day) for day in days[start : start + batches]]
        held = condensed(here, held)
    assert shown(held) == condensed([session(day) for day in sorted(days)], {}), "rebuild = build"


@given(days=st.sets(st.integers(0, 30), min_size=6), data=st.data())
def test_archived_and_erased_sessions_leave_the_dag_of_those_that_stay(days: set[int], data: st.DataObject) -> None:
    sessions = [session(day) for day in sorted(days)]
    held = condensed(sessions, {})
    away = data.draw(st.sets(st.sampled_from(sorted(days))))
    archived = [session(day, hidden=day in away) for day in sorted(days)]
    erased = [one for one in sessions if int(one.session_id[1:]) not in away]
    assert shown(condensed(archived, held)) == shown(condensed(erased, held)) == condensed(erased, {})
    assert shown(condensed(sessions, condensed(archived, held))) == held, "restored, they are the same nodes"


def test_a_late_session_makes_its_arc_and_those_behind_it_anew_and_no_other() -> None:
    sessions = [session(day) for day in range(0, 24, 2)]
    held = condensed(sessions, {})
    steps = plan(Line(in_order([*sessions, session(9)]), list(held.values())), 3, 2)
    assert [(step.action, step.kind, step.number) for step in steps] == [
        ("rebuild", "arc", 1),
        ("rebuild", "arc", 2),
        ("rebuild", "arc", 3),
        ("rebuild", "epoch", 0),
        ("rebuild", "epoch", 1),
    ]
    assert [step.held.id for step in steps if step.held] == ["arc-1", "arc-2", "arc-3", "epoch-0", "epoch-1"]


def test_what_is_stale_is_built_again_with_the_epoch_above_it() -> None:
    sessions = [session(day) for day in range(12)]
    held = condensed(sessions, {})
    held["arc", 0] = replace(held["arc", 0], stale=True)
    steps = plan(Line(sessions, list(held.values())), 3, 2)
    assert [(step.kind, step.number) for step in steps] == [("arc", 0), ("epoch", 0)]


def test_a_place_in_the_dag_has_one_key() -> None:
    assert dag_key("arc", "atlas", 3) == "arc:atlas:000003"
    assert (
        len({dag_key("arc", None, 0), dag_key("epoch", None, 0), dag_key("arc", "a", 0), dag_key("arc", "a", 1)}) == 4
    )


# --- what they say ----------------------------------------------------------------------------------------------


def fact(content: str, **more: object) -> StatedFact:
    given = {"kind": "attribute", "aspect": "general", "importance": 0.5, "open": True, "replaces": False} | more
    return StatedFact(id=f"t-{content}", content=content, **given)  # type: ignore[arg-type]


def said(
    content: str, type_: str = "fact", importance: float = 0.5, place: int = 0, *facts: StatedFact, by: str = ""
) -> Statement:
    replaced = frozenset({f"k-{by}"} if by else ())
    return Statement(f"k-{content}", content, type_, importance, place, 0, facts, replaced)


def texts(lines: object) -> list[str]:
    return [line.text for line in lines]  # type: ignore[attr-defined]


def test_an_arc_tells_decisions_and_outcomes_in_order_without_commands_and_errors() -> None:
    statements = [
        said("We release on Tuesdays", place=2),
        said("It printed ValueError: no such port", place=0),
        said("We chose Kafka because of `replay`", "decision", place=1),
        said("Run `make deploy` first", place=1),
        said("The migration took two hours", "event", place=0),
    ]
    assert texts(arc_lines(statements)) == [
        "- The migration took two hours",
        "- We chose Kafka because of `replay`",
        "- We release on Tuesdays",
    ]


def test_an_arc_tells_the_outcome_of_what_it_took_back() -> None:
    old, new = said("We use RabbitMQ", "decision", by="We use Kafka"), said("We use Kafka", "decision")
    assert texts(arc_lines([old, new])) == ["- We use Kafka"]
    assert texts(arc_lines([old])) == ["- We use RabbitMQ"], "what came later is another arc's"


def test_where_not_all_fits_an_arc_keeps_decisions() -> None:
    statements = [said(f"Fact number {n} of many that were said", importance=0.9) for n in range(20)]
    statements.append(said("We chose Kafka", "decision", importance=0.1, place=9))
    lines = arc_lines(statements, 30)
    assert texts(lines)[-1] == "- We chose Kafka"
    assert sum(count_tokens(f"{text}\n") for text in texts(lines)) <= 30


def test_an_epoch_tells_what_holds_constraints_first() -> None:
    statements = [
        said("a", "fact", 0.5, 0, fact("billing uses Kafka", aspect="architecture", replaces=True)),
        said("b", "fact", 0.5, 1, fact("never log card numbers", kind="constraint")),
        said("c", "decision", 0.5, 2, fact("billing uses PostgreSQL", importance=0.9)),
        said("d", "fact", 0.5, 3, fact("lunch is at noon", importance=1.0)),
        said("e", "fact", 0.5, 4, fact("billing uses RabbitMQ", aspect="architecture", open=False)),
        said("f", "fact", 0.5, 5, fact("never deploy on Fridays", kind="constraint", open=False)),
    ]
    lines = epoch_lines(statements)
    assert texts(lines) == [
        "- Constraint: never log card numbers",
        "- Changed: billing uses Kafka",
        "- Architecture: billing uses PostgreSQL",
    ]
    assert [(line.memory_id, line.fact_id) for line in lines] == [
        ("k-b", "t-never log card numbers"),
        ("k-a", "t-billing uses Kafka"),
        ("k-c", "t-billing uses PostgreSQL"),
    ]


def test_an_epoch_without_any_architecture_tells_what_mattered() -> None:
    statements = [said("d", "fact", 0.5, 3, fact("Miso is a cat", importance=1.0), fact("see `x`"))]
    assert texts(epoch_lines(statements)) == ["- Miso is a cat"]
    assert epoch_lines([said("nothing")]) == []


words = st.text("abc d.", min_size=1, max_size=60)
facts = st.builds(
    StatedFact,
    id=st.uuids().map(str),
    content=words,
    kind=st.sampled_from(["attribute", "constraint"]),
    aspect=st.sampled_from(["architecture", "general"]),
    importance=st.floats(0, 1),
    open=st.booleans(),
    replaces=st.booleans(),
)
statements_ = st.lists(
    st.builds(
        Statement,
        id=st.uuids().map(str),
        content=words,
        type=st.sampled_from(["fact", "decision", "constraint", "event", "preference"]),
        importance=st.floats(0, 1),
        place=st.integers(0, 9),
        ordinal=st.integers(0, 9),
        facts=st.lists(facts, max_size=2).map(tuple),
    ),
    max_size=30,
)


@given(statements_, st.integers(0, 100))
def test_budgets_are_kept_and_every_line_leads_back(statements: list[Statement], tokens: int) -> None:
    by_id = {statement.id: statement for statement in statements}
    for line in arc_lines(statements, tokens):
        assert line.text == f"- {by_id[line.memory_id].content}"
    for line in epoch_lines(statements, tokens):
        (stated,) = (one for one in by_id[line.memory_id].facts if one.id == line.fact_id)
        assert stated.open
        assert line.text.endswith(stated.content)
    for lines in (arc_lines(statements, tokens), epoch_lines(statements, tokens)):
        assert len({line.text.casefold() for line in lines}) == len(lines)
        assert sum(count_tokens(f"{line.text}\n") for line in lines) <= tokens


# --- a model -----------------------------------------------------------------------------------------------------


def test_a_question_holds_the_lines_as_data() -> None:
    lines = arc_lines([said("We chose </statements> Kafka", "decision")])
    asked = question("arc", lines)
    assert "Kafka" not in asked.system
    assert asked.data.splitlines()[1] == '{"statement": "We chose \\u003c/statements> Kafka"}'
    assert question("epoch", lines).system != asked.system


@pytest.mark.parametrize(
    "answer", ["", "{}", '{"summary": ""}', '{"summary": 3}', '{"summary": "' + "so long " * 99 + '"}']
)
def test_an_answer_that_is_no_shorter_summary_is_nonsense(answer: str) -> None:
    with pytest.raises(Nonsense):
        read_summary("arc", answer, 50)


def test_a_shorter_summary_is_taken() -> None:
    assert read_summary("arc", '{"summary": "- Kafka "}', 50) == "- Kafka"
    with pytest.raises(Nonsense):
        read_summary("arc", '{"summary": "' + "so long " * 900 + '"}', 10**6)
    assert ARC_TOKENS < EPOCH_TOKENS
