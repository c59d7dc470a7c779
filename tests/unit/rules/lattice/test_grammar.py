"""Lattice queries: what they parse to, what is refused and where, and what they mean over turns."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput, QueryInvalid
from graphmem.rules.lattice.answer import Turn, ask, holds
from graphmem.rules.lattice.grammar import (
    FIELDS,
    MAX_DEPTH,
    MAX_QUERY_CHARS,
    Both,
    Compare,
    Either,
    Minus,
    has_meet,
    parse,
)
from graphmem.rules.lattice.terms import MAX_TERMS, SHIFT, Term, label, normalise
from tests.lattice_queries import some_query, some_turn


def turn_of(given: dict[str, object]) -> Turn:
    overlays, tags, vector = given["overlays"], given["tags"], given["embedding"]
    assert isinstance(overlays, list)
    assert isinstance(tags, list)
    labels = {label("role", str(given["role"])), label("session_id", str(given["sessionId"]))}
    labels |= {label("tag", tag) for tag in tags} | ({SHIFT} if given["paradigmShift"] else set())
    scores = (*overlays, given["importance"], given["novelty"])
    return Turn(scores, frozenset(labels), tuple(vector) if isinstance(vector, list) else None)


def scored(*scores: float, vector: tuple[float, ...] | None = None) -> Turn:
    """A turn with these overlay scores, of middling importance."""
    return Turn((*scores, *[0.0] * (7 - len(scores)), 5, 0.5), frozenset({"role:user"}), vector)


def active(overlay: str) -> Compare:
    node = parse(overlay)
    assert isinstance(node, Compare)
    return node


# What queries parse to


def test_a_comparison_is_read_with_its_number() -> None:
    assert parse("O3>=7.5") == Compare("O3", ">=", 7.5)
    assert parse("novelty == 1") == parse("novelty=1")


def test_an_overlay_by_itself_means_the_turns_on_which_it_is_active() -> None:
    assert active("O4") == Compare("O4", ">=", 5)


def test_difference_binds_tighter_than_join_and_intersection_tighter_still() -> None:
    one, two, three = active("O1"), active("O2"), active("O3")
    assert parse("O1 + O2 - O3") == Either((one, Minus((two, three))))
    assert parse("O1 - O2 & O3") == Minus((one, Both((two, three))))


def test_chains_are_read_from_the_left() -> None:
    assert parse("O1 - O2 - O3") == parse("(O1 - O2) - O3") != parse("O1 - (O2 - O3)")
    assert parse("O1 ~ O2 -> O3") == parse("(O1 ~ O2) -> O3")


@pytest.mark.parametrize(
    ("words", "signs"),
    [
        ("O1 AND O2", "O1&O2"),
        ("O1 OR O2", "O1|O2"),
        ("O1 JOIN O2", "O1+O2"),
        ("O1 - O2", "O1\\O2"),
        ("NOT O1", "!O1"),
        ("O1 MEET O2", "O1~O2"),
        ("O1 TO O2", "O1->O2"),
        ("O1ANDO2", " \t\nO1  AND O2 "),
        ("O1[role=user]", "O1[ user ]"),
    ],
)
def test_words_and_signs_mean_the_same(words: str, signs: str) -> None:
    assert parse(words) == parse(signs)


def test_a_quoted_value_may_hold_what_else_would_end_it() -> None:
    node = parse(r'O1[tag="a, b]", "say \"x\" \\", plain words ]')
    assert isinstance(node, Both)
    assert getattr(node.parts[1], "values", None) == ("a, b]", 'say "x" \\', "plain words")


# What is refused


@pytest.mark.parametrize(
    ("query", "kind", "position"),
    [
        ("", "unexpected_end", 0),
        ("   ", "unexpected_end", 3),
        ("O1 AND", "unexpected_end", 6),
        ("(O1", "unexpected_end", 3),
        ("novelty", "unexpected_end", 7),
        ("O1)", "unexpected_token", 2),
        ("O1 & & O2", "unexpected_token", 5),
        ("O1 O2", "unexpected_token", 3),
        ("5 < O1", "unexpected_token", 0),
        ("O1[user] > 7", "unexpected_token", 9),
        ("O1 $ O2", "unexpected_character", 3),
        ("O1 ∧ O2", "unexpected_character", 3),
        ("severity > 3", "unexpected_character", 0),
        ("o1", "lower_case", 0),
        ("O1 and O2", "lower_case", 3),
        ("O1 + not O2", "lower_case", 5),
        ("O1 > 7 or o2", "lower_case", 7),
        ("O8", "unknown_overlay", 0),
        ("O1 + O12 > 3", "unknown_overlay", 5),
        ("O1 > 3 > 2", "chained_comparison", 7),
        ("3 + O1[user", "unexpected_token", 0),
        ("O1[user", "unclosed_filter", 7),
        ("O1[", "unclosed_filter", 3),
        ("O1[]", "invalid_filter", 3),
        ("O1[tag=]", "invalid_filter", 7),
        ("O1[tag=a,]", "invalid_filter", 9),
        ("O1[human]", "invalid_filter", 3),
        ("O1[is_routine=perhaps]", "invalid_filter", 14),
        ("O1[user][tool]", "invalid_filter", 8),
        ("[user]", "invalid_filter", 0),
        ("O1[severity=critical]", "unknown_filter", 3),
        ("O1[user,severity=critical]", "invalid_filter", 7),
    ],
)
def test_a_mistake_is_told_with_its_kind_and_place(query: str, kind: str, position: int) -> None:
    with pytest.raises(QueryInvalid) as caught:
        parse(query)
    assert (caught.value.kind, caught.value.position) == (kind, position)


def test_a_lower_case_keyword_is_named_as_it_should_be() -> None:
    with pytest.raises(QueryInvalid, match="upper case: write AND"):
        parse("O1 and O2")


def test_a_query_has_a_bounded_length() -> None:
    fits = "O1" + " " * (MAX_QUERY_CHARS - 2)
    assert parse(fits) == active("O1")
    with pytest.raises(QueryInvalid) as caught:
        parse(fits + " ")
    assert (caught.value.kind, caught.value.position) == ("too_long", MAX_QUERY_CHARS)


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("!", ""), ("(!", ")")])
def test_a_query_has_a_bounded_depth(opening: str, closing: str) -> None:
    times = MAX_DEPTH // len(opening)
    assert normalise(parse(opening * times + "O1" + closing * times))
    for deeper in (times + 1, (MAX_QUERY_CHARS - 2) // len(opening + closing)):
        with pytest.raises(QueryInvalid) as caught:
            parse(opening * deeper + "O1" + closing * deeper)
        assert (caught.value.kind, caught.value.position) == ("too_deep", MAX_DEPTH + 1)


def test_a_long_chain_is_not_deep() -> None:
    assert len(normalise(parse("O1" + "+O2" * 1300))) == 2


def test_a_query_compares_meaning_a_bounded_number_of_times() -> None:
    many = "+".join(f"(O1 > {n} ~ O2)" for n in range(9))
    with pytest.raises(QueryInvalid, match="at most 8") as caught:
        parse(many)
    assert caught.value.kind == "too_complex"
    assert parse("+".join(["(O1 ~ O2)"] * 100))


@given(st.text(max_size=80) | st.text("O127()[]!~->&|+=<>. \\\"',ANDORTuser", max_size=80))
@example("O1[" + '"' * 5)
@example("O٣ > ٣")
def test_no_text_crashes_the_parser(query: str) -> None:
    refused = None
    try:
        node = parse(query)
    except QueryInvalid as error:
        refused = error
    if refused is None:
        assert node == parse(f" {query}\n")
    else:
        assert 0 <= refused.position <= len(query)
        assert str(refused).startswith(f"at {refused.position}: ")


# What queries mean


def test_comparisons_and_sets_over_turns() -> None:
    turns = [scored(8, 9), scored(8, 1), scored(2, 8), scored(0, 0)]
    for query, places in {
        "(O1 > 7) AND (O2 > 7)": (0,),
        "O1 + O2": (0, 1, 2),
        "O1 - O2": (1,),
        "NOT O1": (2, 3),
        "O1 != 8": (2, 3),
        "O1 - O1": (),
    }.items():
        assert ask(parse(query), turns).places == places, query


def test_a_comparison_with_what_a_turn_does_not_have_never_holds() -> None:
    turn = Turn((0.0,) * 7 + (None, None))
    assert not holds(parse("novelty != 3"), turn)
    assert not holds(parse("O1[is_routine=true,false]"), turn)


CLOSE, NEAR, FAR = (1.0, 0.0), (0.8, 0.6), (0.0, 1.0)


def test_meet_pairs_what_means_something_alike_best_first_and_nothing_with_itself() -> None:
    turns = [scored(9, vector=CLOSE), scored(9, 9, vector=NEAR), scored(0, 9, vector=(0.96, 0.28)), scored(0, 9)]
    answer = ask(parse("O1 ~ O2"), turns)
    assert answer.pairs is not None
    assert [(pair.left, pair.right, pair.similarity) for pair in answer.pairs] == [
        (0, 2, pytest.approx(0.96, abs=1e-6)),
        (1, 2, pytest.approx(0.936, abs=1e-6)),
        (0, 1, pytest.approx(0.8, abs=1e-6)),
    ]


def test_meet_takes_a_cosine_of_seven_tenths_and_projection_of_six() -> None:
    turns = [scored(9, vector=CLOSE), scored(0, 9, vector=(0.7, 0.51**0.5)), scored(0, 9, vector=(0.6, 0.8))]
    turns.append(scored(0, 9, vector=(0.59, (1 - 0.59**2) ** 0.5)))
    meet, projection = ask(parse("O1 ~ O2"), turns), ask(parse("O1 -> O2"), turns)
    assert [pair.right for pair in meet.pairs or ()] == [1]
    assert [pair.right for pair in projection.pairs or ()] == [1, 2]
    assert projection.places == (1, 2)


def test_a_turn_begins_at_most_five_pairs_in_a_meet_and_ten_in_a_projection() -> None:
    turns = [scored(9, vector=CLOSE), *[scored(0, 9, vector=(1.0, n / 100)) for n in range(20)]]
    assert [pair.right for pair in ask(parse("O1 ~ O2"), turns).pairs or ()] == [1, 2, 3, 4, 5]
    assert len(ask(parse("O1 -> O2"), turns).pairs or ()) == 10


def test_two_turns_on_both_sides_meet_once() -> None:
    turns = [scored(9, vector=CLOSE), scored(9, vector=NEAR)]
    assert [(pair.left, pair.right) for pair in ask(parse("O1 ~ O1"), turns).pairs or ()] == [(0, 1)]


def test_pairs_as_an_operand_are_the_turns_of_both_sides() -> None:
    turns = [scored(9, vector=CLOSE), scored(0, 9, vector=NEAR), scored(0, 9, vector=FAR)]
    assert ask(parse("(O1 ~ O2) + (O1 - O1)"), turns).places == (0, 1)
    assert ask(parse("NOT (O1 ~ O2)"), turns).places == (2,)
    assert ask(parse("(O1 -> O2) & O1"), turns).places == (0,)


def test_vectors_of_several_lengths_are_refused_where_they_are_compared() -> None:
    turns = [scored(9, vector=CLOSE), scored(0, 9, vector=(1.0, 0.0, 0.0))]
    assert ask(parse("O1 + O2"), turns).places == (0, 1)
    with pytest.raises(InvalidInput, match="length"):
        ask(parse("O1 ~ O2"), turns)


# The alternatives the database is given


def told(term: Term, turn: Turn) -> bool:
    """Whether an alternative describes a turn, as the statement reads it."""
    for field, low, high in term.bounds:
        score = turn.scores[field]
        if score is None or not low <= score <= high:
            return False
    return all(group & turn.labels for group in term.any_of) and not term.none_of & turn.labels


@given(st.integers(0, 2**32))
def test_the_alternatives_of_a_query_describe_the_turns_it_holds_for(seed: int) -> None:
    rng = Random(seed)
    node = parse(some_query(rng, ("s1", "s2"), meets=False))
    assert not has_meet(node)
    terms = normalise(node)
    assert len(terms) <= MAX_TERMS
    for _ in range(20):
        turn = turn_of(some_turn(rng, rng.choice(("s1", "s2"))))
        assert holds(node, turn) == any(told(term, turn) for term in terms)


@pytest.mark.parametrize("value", [0.1, 0.7, 5, 7.5, 1e300])
@pytest.mark.parametrize("op", [">", ">=", "<", "<=", "=", "!="])
def test_bounds_part_a_number_from_its_neighbours(op: str, value: float) -> None:
    node = parse(f"novelty {op} {value:.1f}")
    for score in (value, value * (1 + 1e-15), value * (1 - 1e-15)):
        turn = Turn((0.0,) * 7 + (5, score))
        assert holds(node, turn) == any(told(term, turn) for term in normalise(node))


def test_a_query_that_comes_to_too_many_alternatives_is_refused() -> None:
    either = "+".join(f"O{n} = 1" for n in range(1, 8))
    for query in (
        " & ".join(f"({either.replace('1', str(n))})" for n in range(2, 6)).replace("O2 = 2", "O2 = 3"),
        " & ".join(f"({field} != 1)" for field in FIELDS),
    ):
        with pytest.raises(QueryInvalid, match="alternatives") as caught:
            normalise(parse(query))
        assert caught.value.kind == "too_complex"


def test_what_nothing_can_match_has_no_alternatives() -> None:
    assert normalise(parse("O1 > 5 & O1 < 5")) == ()
    assert normalise(parse("O1[user] - O1[user]")) == ()
