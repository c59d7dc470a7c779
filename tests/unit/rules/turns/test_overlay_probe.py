"""The probe weighs meaning, what was said before, words and form; where it cannot say anything the rules decide."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.turns import OVERLAYS, AnalysedTurn, KnownNear, TurnSettings, WaitingTurn
from graphmem.rules.language.vectors import unit
from graphmem.rules.turns.analysis import Past, analyse_all
from graphmem.rules.turns.cues import READ_CHARS, cues, turned
from graphmem.rules.turns.novelty import UNCALIBRATED
from graphmem.rules.turns.overlay_probe import (
    FEW_TERMS,
    LEARNT,
    TERMS_CHARS,
    Probe,
    Signals,
    Surface,
    packed,
    probe_for,
    shipped_probe,
    term_worth,
    terms_of,
    unpacked,
)
from graphmem.rules.turns.overlays import Anchors, Nearness, anchor_texts
from graphmem.rules.turns.shifts import learnt_shifts, shifts

NOTHING = (0.0,) * 7
FORM = len(cues("", None, "user"))
SEEN = 7 + 15 + FORM
OWN = 2 + 4 + SEEN
LENGTH = OWN + SEEN
ROWS = unit([[0.0, 1.0]] * len(anchor_texts()))


def probe(*weighed: tuple[int, int, float], **terms: tuple[int, float]) -> Probe:
    """A probe for vectors of two numbers with these weights: (overlay, feature, weight), and (overlay, weight) of a
    term. A total of -3 else."""
    weights = np.zeros((len(LEARNT), LENGTH))
    for overlay, feature, weight in weighed:
        weights[overlay, feature] = weight
    learnt = {term: weight * np.eye(len(LEARNT))[overlay] for term, (overlay, weight) in terms.items()}
    return Probe("two", 2, weights, np.full(len(LEARNT), -3.0), learnt)


def analysed(given_probe: Probe | None, *turns: tuple[str, tuple[float, float] | None], **more: object) -> AnalysedTurn:
    anchors = Anchors(ROWS, Nearness(0.9, 1.1), given_probe)
    waiting = [
        replace(WaitingTurn(f"id-{place}", f"m{place}", place, "user", said, None, vector), **more)  # type: ignore[arg-type]
        for place, (said, vector) in enumerate(turns)
    ]
    return analyse_all(waiting, Past(10), anchors, TurnSettings(), UNCALIBRATED)[-1]


def test_the_meaning_of_a_turn_makes_a_score_and_says_so() -> None:
    found = analysed(probe((1, 0, 1.0)), ("A plain sentence of some words.", (1.0, 0.0)))
    assert found.scores == pytest.approx((0.5, 7.8, *[0.5] * 5))
    (reason,) = found.evidence["O2"]
    assert (reason.via, reason.score, reason.items[0]) == ("probe", 7.3, "meaning +4.0")


def test_the_two_turns_before_count_and_no_third() -> None:
    by_last, by_second = probe((4, 2, 5.0)), probe((4, 4, 5.0))
    first, plain = ("Something is said here first.", (1.0, 0.0)), ("And then something else follows.", (0.0, 1.0))
    assert analysed(by_last, first, plain).scores[4] > 9 > 5 > analysed(by_last, first, plain, plain).scores[4]
    assert analysed(by_second, first, plain, plain).scores[4] > 8 > 5 > analysed(by_second, first, plain).scores[4]
    assert analysed(by_second, first, plain, plain, plain).scores[4] < 5


def test_what_was_seen_of_the_turn_before_counts_and_is_told_as_before() -> None:
    shouted = probe((4, 6 + 7 + 15 + FORM - 7, 4.0))  # an exclamation mark in the last turn
    loud, plain = ("Something is said here first!", (1.0, 0.0)), ("And then something else follows.", (0.0, 1.0))
    found = analysed(shouted, loud, plain)
    assert found.scores[4] > 7 > 5 > analysed(shouted, loud, plain, plain).scores[4]
    assert found.evidence["O5"][0].items[0] == "before +4.0"


def test_terms_count_and_the_strongest_are_told() -> None:
    learnt = probe(vault=(1, 9.0), it=(1, 1.0), lamp=(2, 9.0))
    found = analysed(learnt, ("Is the vault where it was yesterday?", (0.0, 1.0)))
    assert found.scores[1] > 9
    assert found.evidence["O2"][0].items[0] == f"terms {10 * term_worth(2):+.1f} (vault, it)"
    assert found.scores[2] < 5


def test_a_term_says_less_among_many() -> None:
    assert term_worth(0) == term_worth(FEW_TERMS) > term_worth(FEW_TERMS + 1)


def test_terms_are_read_from_the_beginning_of_a_long_turn_only() -> None:
    assert terms_of("word " * (TERMS_CHARS // 5) + "vault", "tool") == {"word", "word word", "tool: word"}


def test_words_are_told_beside_the_probe() -> None:
    found = analysed(probe((1, OWN + 1, 3.0)), ("Rotate the leaked credentials and encrypt the vault.", (0.0, 1.0)))
    assert found.scores[1] > 6
    assert [reason.via for reason in found.evidence["O2"]] == ["keyword", "probe"]


def test_a_turn_that_only_calls_tools_is_weighed_without_a_vector() -> None:
    wordless = probe((0, LENGTH - 4, 6.0))  # the feature of a turn without words
    assert analysed(wordless, ("", None), calls='[{"name": "Bash"}]').scores[0] > 9
    assert analysed(wordless, ("", None)).scores == NOTHING


def test_a_turn_whose_vector_is_missing_is_scored_by_its_words() -> None:
    said = "Rotate the leaked credentials and encrypt the vault."
    assert analysed(probe(), (said, None)).scores == analysed(None, (said, None)).scores
    assert analysed(probe(), (said, (0.0, 1.0))).scores[1] < 1 < 6 < analysed(probe(), (said, None)).scores[1]


def test_what_the_agent_knows_counts_where_it_is_more_than_the_probe() -> None:
    rule = KnownNear("fact-1", "Passwords must be encrypted", "constraint", 0.85)
    found = analysed(probe(), ("It is about that one again.", (1.0, 0.0)), known=(rule,))
    assert found.scores[3] == 6
    assert found.evidence["O4"][0].items == ("fact-1",)


def test_another_embedder_has_no_probe() -> None:
    shipped = shipped_probe()
    assert probe_for(shipped.embedder) is shipped
    assert probe_for("another-model") is None


def test_the_shipped_probe_has_a_weight_for_each_feature() -> None:
    shipped = shipped_probe()
    seen = Surface(NOTHING, NOTHING, None, cues("", None, "user"))
    signals = Signals(None, (None, None), seen, None, frozenset())
    assert shipped.weights.shape == (len(LEARNT), sum(map(len, signals.groups(shipped.dimensions))))
    assert all(0 <= score < 5 for score in shipped.find(signals).part.scores)


def test_a_probe_is_read_back_as_it_was_written_and_always_in_the_same_bytes() -> None:
    one = probe((0, 3, 0.125), (6, 9, -2.0), vault=(1, 0.5), nothing=(0, 0.0))
    back = unpacked(packed(one))
    assert (back.embedder, back.dimensions) == ("two", 2)
    assert np.array_equal(back.weights, one.weights)
    assert {term: row.tolist() for term, row in back.terms.items()} == {"vault": [0, 0.5, 0, 0, 0, 0, 0, 0, 0]}
    assert packed(back) == packed(one)


@given(st.text(max_size=300), st.sampled_from(["user", "assistant", "tool"]))
def test_cues_are_always_as_many_numbers_near_one(text: str, role: str) -> None:
    found = cues(text, None, role)
    assert len(found) == FORM
    assert all(0 <= one <= 1.5 for one in found)


def test_cues_are_read_from_the_beginning_of_a_long_turn_only() -> None:
    said = "word " * (READ_CHARS // 5)
    assert cues(said, None, "user") == cues(said + "password? " * 500, None, "user")


@pytest.mark.parametrize(
    "said",
    [
        "Stop. Nobody commits that.",
        "change of plans, no database",
        "Drop everything, the disk is gone",
        "Unrelated: rent",
    ],
)
def test_a_turn_that_leads_elsewhere_says_so(said: str) -> None:
    assert turned(said)


@pytest.mark.parametrize("said", ["The bus stop is near.", "A drop of oil.", "We forgot.", "It stopped.", "planned"])
def test_a_turn_that_leads_nowhere_else_does_not(said: str) -> None:
    assert turned(said) is None


def test_only_the_user_shifts() -> None:
    said = "Change of plans: no database at all."
    assert [shifts(said, role, 0.9, 9, 10, 0.7) for role in ("user", "assistant", "tool")] == [True, False, False]


def test_a_shift_that_is_not_told_has_to_be_newer_and_more_important() -> None:
    told, silent = "Change of plans: no database.", "The database has a table for harbours."
    assert shifts(told, "user", 0.5, 5, 2, 0.7)
    assert not shifts(told, "user", 0.49, 9, 9, 0.7)
    assert not shifts(told, "user", 0.6, 4, 9, 0.7)
    assert not shifts(silent, "user", 0.84, 9, 9, 0.7)
    assert shifts(silent, "user", 0.85, 7, 8, 0.7)
    assert not shifts(silent, "user", 0.85, 7, 7, 0.7)


def test_each_overlay_is_learnt() -> None:
    assert all(np.abs(row).max() > 0.1 for row in shipped_probe().weights)
    assert len(LEARNT) == len(OVERLAYS) + 2 == len(shipped_probe().biases)


def test_with_a_probe_a_shift_is_what_it_learnt_of_the_user() -> None:
    learnt = probe(harvest=(LEARNT.index("shift"), 3.0))
    before, said = ("A plain sentence of some words.", (0.0, 1.0)), ("The harvest comes first now.", (1.0, 0.0))
    assert analysed(learnt, before, said).shift
    assert not analysed(probe(), before, said).shift
    assert not analysed(learnt, before, said, role="assistant").shift
    assert not analysed(learnt, (said[0], (1.0, 0.0)), said).shift  # said once more, it is not new


def test_what_the_probe_learnt_to_point_back_is_linked_to_what_is_most_alike() -> None:
    learnt = probe(barley=(LEARNT.index("back"), 3.0))
    first, second = ("The field behind the mill is dry.", (0.9, 0.44)), ("Something else is said.", (0.0, 1.0))
    said = ("And the barley, how many rows?", (0.8, -0.6))
    assert [link.to_id for link in analysed(learnt, first, second, said).references] == ["id-0"]
    assert analysed(probe(), first, second, said).references == ()


def test_what_shifts_by_the_probe_has_to_be_somewhat_new() -> None:
    assert learnt_shifts(True, "user", 0.31, 0.7)
    assert not learnt_shifts(True, "user", 0.31, 0.8)
    assert not learnt_shifts(False, "user", 0.9, 0.7)
