"""What analysis makes of turns: what they are about and why, how new they are, how much they matter, what they mean."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.model.turns import OVERLAYS, AnalysedTurn, KnownNear, Overlay, TurnSettings, WaitingTurn
from graphmem.rules.language.vectors import cosines, unit
from graphmem.rules.turns.analysis import ANALYSER, Past, analyse_all
from graphmem.rules.turns.anchors import ANCHORS, NEUTRAL, anchor_id, anchor_text
from graphmem.rules.turns.importance import class_of, importance_of, is_shift
from graphmem.rules.turns.novelty import UNCALIBRATED, Calibration, novelty_of
from graphmem.rules.turns.overlay_keywords import Part, keyword_part
from graphmem.rules.turns.overlays import (
    _BOUNDS,
    Anchors,
    Inheritance,
    Nearness,
    agreed,
    anchor_texts,
    fact_scores,
    inherited_part,
    meet_part,
    united,
)
from graphmem.rules.turns.references import cue, named_ids, tags

SETTINGS = TurnSettings()
NOTHING = (0.0,) * 7
letters = st.characters(exclude_categories=["Cs"])
text = st.text(letters, max_size=400) | st.sampled_from(
    [
        "",
        "```",
        "```py\nx = 1",
        "O(n log n)",
        "a" * 3000,
        "/" * 3000,
        "x.y" * 900,
        "1+1=2 " * 200,
        "@a/b " * 300,
        "\x00",
    ]
)


def turn(words: str, place: int = 0, vector: tuple[float, ...] | None = None, **more: Any) -> WaitingTurn:
    said = WaitingTurn(f"id-{place}", f"m{place}", place, "user", words, None, vector)
    return replace(said, **more)


def analysed(*said: str | WaitingTurn, by: TurnSettings = SETTINGS) -> list[AnalysedTurn]:
    turns = [one if isinstance(one, WaitingTurn) else turn(one, place) for place, one in enumerate(said)]
    return analyse_all(turns, Past(by.novelty_window), None, by, UNCALIBRATED)


def score(words: str, overlay: Overlay) -> float:
    return keyword_part(words).scores[OVERLAYS.index(overlay)]


# --- overlays ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overlay", "about"),
    [
        ("O1", "Split the monolith: the parser becomes a module behind an interface."),
        ("O2", "Passwords are hashed with bcrypt and the session token is encrypted."),
        ("O3", "As we said earlier, checkout depends on the pricing library upstream."),
        ("O4", "Our goal for the quarter: the roadmap puts reliability before features."),
        ("O5", "Deploy to staging, run the migration script and restart the workers."),
        ("O6", "Compute the weighted average; the algorithm is O(n log n)."),
        ("O7", "Verify it: write a regression test and review the benchmark."),
    ],
)
def test_a_turn_scores_high_on_what_it_is_about(overlay: Overlay, about: str) -> None:
    scores = keyword_part(about).scores
    assert scores[OVERLAYS.index(overlay)] >= 6
    assert scores[OVERLAYS.index(overlay)] == max(scores)


@pytest.mark.parametrize(
    ("overlay", "inside"),
    [
        ("O2", "author"),
        ("O4", "claim"),
        ("O4", "explanation"),
        ("O7", "latest"),
        ("O5", "prune"),
        ("O6", "consumer"),
        ("O3", "discussed-not-really"[10:]),
        ("O1", "unclassy"),
    ],
)
def test_a_word_inside_another_one_is_not_met(overlay: Overlay, inside: str) -> None:
    assert score(f"the {inside} and the {inside}s", overlay) == 0


@pytest.mark.parametrize(
    ("overlay", "forms"),
    [
        ("O7", "test tests tested testing"),
        ("O5", "run runs running ran"),
        ("O2", "authenticate authenticated authentication authenticates"),
        ("O6", "calculate calculates calculation calculated"),
        ("O4", "aim aims aimed aiming"),
    ],
)
def test_a_word_is_met_in_all_its_forms_and_counts_once(overlay: Overlay, forms: str) -> None:
    scores = {score(f"we {form} it", overlay) for form in forms.split()}
    assert len(scores) == 1
    assert scores != {0.0}
    assert score(forms, overlay) in scores


def test_a_fence_around_configuration_is_no_mathematics() -> None:
    assert score("Set this:\n```yaml\nport: 8080\nhost: db\n```", "O6") < 2
    assert score("```\nDEBUG=1\n```", "O6") < 2


def test_code_that_computes_is_mathematics_and_more_of_it_more() -> None:
    loop = "```python\ndef mean(xs):\n    total = 0\n    for x in xs:\n        total += x * x\n    return total / n\n"
    short = "```python\nx = load()\n```"
    assert score(loop, "O6") >= 5 > score(short, "O6")
    assert score("The step costs 17 * 3 + 2 operations, so it is O(n^2).", "O6") >= 6


def test_dates_versions_and_paths_are_no_calculations() -> None:
    assert score("On 2026-03-01 we moved from 1.2.3 to 1.3, see src/app/main.py and 10-20 others.", "O6") == 0


def test_commands_and_tool_calls_are_operations() -> None:
    assert score("```bash\ncp a b\nls -la\n```", "O5") > score("```text\ncp a b\nls -la\n```", "O5")
    assert keyword_part("", '[{"name":"bash"}]').scores[OVERLAYS.index("O5")] > 0


def test_identifiers_in_camel_case_are_read_as_words() -> None:
    assert score("TokenEncryptor and PasswordHasher", "O2") >= 6


def test_evidence_names_the_words() -> None:
    (found,) = analysed("Rotate the leaked credentials and encrypt the vault.")
    reasons = found.evidence["O2"]
    assert reasons[0].via == "keyword"
    assert "credentials" in reasons[0].items
    assert reasons[0].cosine is None


@given(text)
def test_scores_stay_within_their_range_and_are_the_same_again(words: str) -> None:
    first, second = keyword_part(words), keyword_part(words)
    assert first == second
    assert all(0 <= one <= 10 for one in first.scores)
    assert all(items or not one for one, items in zip(first.scores, first.items, strict=True))


def anchored(place: int) -> tuple[Anchors, Any]:
    """Anchors of which only the three from a place on are like the vector that is answered too."""
    rows = [[0.0, 1.0]] * len(anchor_texts())
    rows[place : place + 3] = [[1.0, 0.0]] * 3
    return Anchors(unit(rows), Nearness(0.2, 0.8)), unit([[1.0, 0.0]])[0]


def test_a_turn_near_an_anchor_is_about_its_overlay() -> None:
    anchors, vector = anchored(_BOUNDS[1] + 2)
    met = meet_part(vector, anchors, ())
    assert met.scores == (0, 10, 0, 0, 0, 0, 0)
    assert met.items[1][0] == anchor_id("O2", 2)
    assert met.cosines[1] == 1.0


def test_a_turn_near_small_talk_is_about_nothing() -> None:
    rows = [[0.6, 0.8]] * (len(anchor_texts()) - 3) + [[1.0, 0.0]] * 3
    met = meet_part(unit([[1.0, 0.0]])[0], Anchors(unit(rows), Nearness(0.2, 0.8)), ())
    assert met.scores == NOTHING


def test_what_the_agent_knows_passes_on_what_it_is_about() -> None:
    rule = KnownNear("fact-1", "Passwords must be encrypted", "constraint", 0.85)
    met = meet_part(unit([[1.0, 0.0]])[0], None, (rule,))
    assert met.scores[1] >= 6
    assert met.scores[3] == fact_scores("Passwords must be encrypted", "constraint")[3] == 6
    assert met.items[1] == ("fact-1",)
    assert met.cosines[1] == 0.85
    far = meet_part(unit([[1.0, 0.0]])[0], None, (replace(rule, cosine=0.2),))
    assert far.scores == NOTHING


def test_words_and_nearness_together_make_more_than_each() -> None:
    words = keyword_part("the password")
    anchors, vector = anchored(_BOUNDS[1])
    met = meet_part(vector, replace(anchors, nearness=Nearness(0.0, 2.0)), ())
    assert met.scores[1] == 5
    assert united(words, met)[1] > max(words.scores[1], 5)


def test_what_words_and_nearness_agree_on_is_sure_and_with_it_what_several_words_say() -> None:
    items = (("refactor", "service"), ("oauth",), (), (), ("run",), (), ())
    by_words = Part("keyword", (7.9, 9.1, 0.0, 0.0, 8.0, 0.0, 0.0), items, (None,) * 7)
    near, nearly = (Part("meet", (0.0, score, *NOTHING[2:]), ((),) * 7, (None,) * 7) for score in (8.4, 6.9))
    assert agreed(by_words, near) == (7.9, 8.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert agreed(by_words, nearly) == agreed(by_words, None) == NOTHING


def test_a_score_is_inherited_by_half_and_less_with_each_step() -> None:
    high = (8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert inherited_part([Inheritance("a", high, 1, 0.9)]).scores[0] == pytest.approx(0.5 * 8 * 0.6)
    assert inherited_part([Inheritance("a", high, 2, 0.9)]).scores[0] == pytest.approx(1.4, abs=0.05)
    assert inherited_part([Inheritance("a", high, 1, 0.49)]).scores == NOTHING


def test_a_routine_turn_inherits_nothing_and_passes_nothing_on() -> None:
    heavy = turn("Deploy with docker, restart the cluster, roll back the release.", 0, (1.0, 0.0))
    like = turn("Also in the other region, and test it by hand.", 1, (0.6, 0.8))
    quiet = turn("ok thanks", 1, (0.9, 0.1))
    _, inherits = analysed(heavy, like)
    (passed,) = [one for one in inherits.evidence["O5"] if one.via == "propagated"]
    assert passed.items == ("id-0",)
    assert inherits.scores[4] == passed.score
    _, routine = analysed(heavy, quiet)
    assert routine.class_ == "compressed"
    assert routine.evidence == {}
    plain = turn("Test it.", 0, (1.0, 0.0))
    weighty = turn("Deploy with docker, restart the cluster, roll back.", 1, (0.6, 0.8))
    assert analysed(plain, weighty)[1].evidence["O7"][0].via == "propagated"
    assert "O7" not in analysed(plain, weighty, by=TurnSettings(routine_threshold=6))[1].evidence


def test_each_overlay_has_anchors_and_each_anchor_is_found_by_its_id() -> None:
    assert all(15 <= len(ANCHORS[overlay]) <= 30 for overlay in OVERLAYS)
    sentences = [sentence for overlay in OVERLAYS for sentence in ANCHORS[overlay]]
    assert len({*sentences, *NEUTRAL}) == len(anchor_texts()) == _BOUNDS[-1] + len(NEUTRAL)
    ids = [anchor_id(overlay, place) for overlay in OVERLAYS for place in range(len(ANCHORS[overlay]))]
    assert [anchor_text(id_) for id_ in ids] == sentences
    assert {anchor_text(id_) for id_ in ("O2#0", "O2#99", "O8#1", "O2", "0199-aa", "O2#x")} == {None}


# --- novelty ----------------------------------------------------------------------------------------------------


def test_novelty_weighs_the_mean_and_the_largest_distance_to_the_last_ten() -> None:
    away = [[0.0, 1.0]] * 5
    assert novelty_of([1.0, 0.0], [[1.0, 0.0]] * 5 + away).raw == pytest.approx(0.7 * 0.5 + 0.3)
    assert novelty_of([1.0, 0.0], away + [[1.0, 0.0]] * 10).raw == 0, "older ones do not count"


def test_novelty_is_calibrated_and_clamped_and_the_raw_value_stays() -> None:
    found = novelty_of([1.0, 0.0], [[0.8, 0.6]], Calibration(0.1, 0.3))
    assert (found.raw, found.value) == (0.2, 0.5)
    opposite = novelty_of([1.0, 0.0], [[-1.0, 0.0]])
    assert (opposite.raw, opposite.value) == (2.0, 1.0)
    assert novelty_of([1.0, 0.0], [[1.0, 0.0]], Calibration(0.1, 0.3)).value == 0


def test_the_first_turn_is_half_new_whatever_the_calibration() -> None:
    assert novelty_of([1.0], [], Calibration(0.8, 0.9)).value == 0.5
    assert analysed("Anything at all, said before all else, with many words.")[0].novelty == 0.5


def test_a_zero_vector_is_like_nothing() -> None:
    assert novelty_of([0.0, 0.0], [[1.0, 0.0]]).raw == 1
    assert novelty_of([1.0, 0.0], [[0.0, 0.0]]).raw == 1


def test_vectors_of_different_lengths_are_an_error() -> None:
    with pytest.raises(InvalidInput, match="dimensions"):
        novelty_of([1.0, 0.0], [[1.0, 0.0, 0.0]])
    with pytest.raises(InvalidInput, match="lengths"):
        analysed(turn("one two three four", 0, (1.0, 0.0)), turn("five six seven eight", 1, (1.0, 0.0, 0.0)))


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3), min_size=1))
def test_novelty_stays_within_its_range_for_any_vectors(vectors: list[list[float]]) -> None:
    found = novelty_of(vectors[0], vectors[1:])
    assert 0 <= found.value <= 1
    assert 0 <= found.raw <= 2


def test_without_vectors_the_words_tell_what_is_new() -> None:
    said = "The importer reads invoices from the shared folder every night."
    _, again, other = analysed(said, said, "Giraffes sleep standing up, zoologists in Kenya have reported lately.")
    assert again.novelty < 0.3 < 0.7 <= other.novelty


def test_an_acknowledgement_is_not_new() -> None:
    _, thanks = analysed("The importer reads invoices from the shared folder.", "Okay, thanks!")
    assert thanks.novelty <= 0.2
    assert thanks.novelty_raw > 0.5
    assert thanks.class_ == "compressed"


# --- importance -------------------------------------------------------------------------------------------------


def test_importance_is_rounded_half_up_and_clamped() -> None:
    assert importance_of(0.5, NOTHING) == 3  # 2.5
    assert importance_of(0.3, NOTHING) == 2  # 1.5
    assert importance_of(0.0, NOTHING) == 1
    assert importance_of(1.0, (10.0, 10, 10, 10, 10, 10, 10)) == 10
    assert importance_of(0.58, (0.0, 5.2, 0, 0, 0, 0, 0)) == 6  # 2.9 + 2.6, which floats may make 5.4999…


def test_the_additive_formula_adds_the_mean_of_the_three_highest() -> None:
    assert importance_of(0.1, (9.0, 6, 3, 1, 1, 1, 1), "additive") == 7
    assert importance_of(0.5, (5.0, 5, 5, 0, 0, 0, 0), "additive") == 10


@given(st.floats(0, 1), st.tuples(*[st.floats(0, 10)] * 7), st.sampled_from(["balanced", "additive"]))
def test_importance_is_a_whole_number_from_one_to_ten(novelty: float, scores: Any, formula: Any) -> None:
    assert importance_of(novelty, scores, formula) in range(1, 11)


def test_a_shift_is_new_and_important_and_says_something() -> None:
    assert is_shift(0.7, 7, 8, 0.7)
    assert not is_shift(0.69, 7, 8, 0.7)
    assert not is_shift(0.7, 6, 8, 0.7)
    assert not is_shift(0.7, 7, 7, 0.7)
    assert class_of(7, 8, 3, shift=True) == "preserved"


def test_settings_move_the_thresholds_and_choose_the_formula() -> None:
    said = (
        "We keep the old layout.",
        "Deploy with docker, restart the cluster and roll back the broken release.",
    )
    assert analysed(*said)[1].shift
    assert not analysed(*said, by=TurnSettings(shift_novelty=1.01))[1].shift
    assert analysed(*said, by=TurnSettings(formula="additive"))[0].importance > analysed(*said)[0].importance
    assert analysed(*said, by=TurnSettings(preserve_threshold=1, routine_threshold=1))[0].class_ == "preserved"


# --- what a turn leads back to ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    ["As we said earlier, no.", "Going back to your question", "you mentioned a cache", "Remember when it broke?"],
)
def test_a_turn_that_points_back_says_so(said: str) -> None:
    assert cue(said)


@pytest.mark.parametrize("said", ["Do it before noon.", "I never said hello", "Earlier than nine is bad", "clearly"])
def test_a_turn_that_does_not_point_back_has_no_cue(said: str) -> None:
    assert cue(said) is None


def test_a_cue_means_the_most_similar_turns_of_the_whole_session() -> None:
    meant = turn("Sessions live in Redis.", 0, (1.0, 0.0, 0.0))
    others = [turn(f"Something else, number {place}.", place, (0.0, 1.0, place / 99)) for place in range(1, 40)]
    back = turn("As we said earlier about sessions, keep them there.", 40, (0.9, 0.1, 0.0))
    found = analysed(meant, *others, back)[-1]
    assert [(link.to_id, link.how) for link in found.references] == [("id-0", "cue")]
    assert found.references[0].weight == pytest.approx(0.9939, abs=1e-3)
    assert [link.to_id for link in found.similar] == ["id-0"]
    quiet = replace(back, text="About sessions: keep them there.")
    assert analysed(meant, *others, quiet)[-1].references == ()


def test_a_cue_means_nothing_where_nothing_is_alike() -> None:
    found = analysed(turn("Sessions live in Redis.", 0, (1.0, 0.0)), turn("As we said earlier", 1, (0.4, 0.95)))
    assert found[1].references == ()


def test_a_turn_that_is_named_by_its_id_is_meant_for_certain() -> None:
    found = analysed(turn("Use Redis.", 0), turn("See m0, not m7 and not 0.", 1))
    assert [(link.to_id, link.weight, link.how) for link in found[1].references] == [("id-0", 1.0, "id")]


def test_plain_words_and_numbers_name_no_turn() -> None:
    assert list(named_ids("2026 was a year with 12 months of something")) == []
    assert list(named_ids("(D1:3) and 0199a3c4-77aa-7000-8000-1234567890ab.")) == [
        "D1:3",
        "0199a3c4-77aa-7000-8000-1234567890ab",
    ]


def test_tags_are_files_packages_and_names() -> None:
    found = tags("Edit src/app/user_store.py and README.md; @acme/core has UserStore, UserStore and OneTwo. See a.com")
    assert found == ("src/app/user_store.py", "README.md", "@acme/core", "UserStore", "OneTwo")
    assert len(tags("AaBb CcDd EeFf GgHh IiJj KkLl MmNn")) == 5


@given(st.lists(text, max_size=6))
def test_analysis_of_any_turns_keeps_its_bounds_and_can_be_stopped_anywhere(said: list[str]) -> None:
    turns = [turn(words, place) for place, words in enumerate(said)]
    whole = analyse_all(turns, Past(10), None, SETTINGS, None)
    past = Past(10)
    pieces = [one for piece in turns for one in analyse_all([piece], past, None, SETTINGS, None)]
    assert pieces == whole
    for one in whole:
        assert all(0 <= score <= 10 for score in one.scores)
        assert 0 <= one.novelty <= 1
        assert 1 <= one.importance <= 10
        assert one.class_ in ("preserved", "summarized", "compressed")
        assert all(score < 2 or one.evidence.get(overlay) for overlay, score in zip(OVERLAYS, one.scores, strict=True))
        json.dumps([reason.model_dump() for of in one.evidence.values() for reason in of])


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 4), min_size=1, max_size=30))
def test_a_past_tells_how_much_each_turn_is_like_a_vector(vectors: list[tuple[float, ...]]) -> None:
    past = Past(10)
    turns = [turn("words", place, vector if place % 3 else None) for place, vector in enumerate(vectors)]
    analyse_all(turns, past, None, SETTINGS, None)
    wanted = unit([(1.0, 0.5, 0.25, 0.0)])[0]
    near = past.alike(wanted)
    for place, vector in enumerate(vectors):
        expected = float(cosines(unit([vector]), wanted)[0]) if place % 3 else -2.0
        assert near[place] == pytest.approx(expected, abs=2e-4)


def test_of_tool_results_only_failures_are_preserved_and_receipts_are_routine() -> None:
    failed = "FAILED tests/test_vault.py::test_token - AssertionError: password leaked\n1 failed, 8 passed in 2s"
    found = analysed(
        turn("Harden the vault, verify the token and the password, then deploy the module.", 0),
        turn("88 passed in 4.2s", 1, role="tool"),
        turn("File created successfully at: /srv/vault/password_token.py", 2, role="tool"),
        turn(failed, 3, role="tool"),
        turn("We decided to encrypt the token of the vault.", 4, role="assistant"),
    )
    assert found[1].importance < SETTINGS.preserve_threshold
    assert found[2].importance < SETTINGS.routine_threshold
    assert found[2].class_ == "compressed"
    assert found[3].importance > found[2].importance


def test_the_analyser_has_a_name() -> None:
    assert ANALYSER.startswith("turns-")
