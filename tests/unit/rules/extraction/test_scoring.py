import pytest

from graphmem.rules.extraction.scoring import Scorer, Scoring, packed, unpacked

KEEP = Scorer(("keep",), (-1_000,), {"capital": (3_000,), "verb": (-500,)})
WHICH = Scorer(("", "calls", "uses"), (500, 0, 0), {"use": (0, -1_000, 2_000), "call": (0, 2_000, -1_000)})


def test_one_class_is_a_yes_or_no():
    assert KEEP.pick(["capital", "capital"]) == ("keep", pytest.approx(0.9933, abs=1e-4))
    assert KEEP.pick(["verb"]) == ("", pytest.approx(0.1824, abs=1e-4))


def test_the_class_with_most_weight_is_picked_with_its_share():
    picked, share = WHICH.pick(["use", "never seen in training"])
    assert picked == "uses"
    assert 0.7 < share < 0.8
    assert WHICH.pick([])[0] == ""


def test_a_packed_scorer_judges_as_before_and_packs_to_the_same_bytes():
    for scorer in (KEEP, WHICH):
        again = unpacked(packed(scorer))
        assert again == scorer
        assert packed(again) == packed(scorer)


def test_a_feature_that_weighs_nothing_is_left_out():
    assert unpacked(packed(Scorer(("keep",), (0,), {"slight": (0,)}))).weights == {}


def test_a_given_scorer_stands_in_for_the_one_of_the_package():
    never = Scoring({"entities": Scorer(("keep",), (-9_000,), {})})
    assert never.judge("entities", None, ["kept"])[0] == ""
    assert Scoring().judge("entities", None, ["kept", "found software", "type tool", "has facts"])[0] == "keep"
