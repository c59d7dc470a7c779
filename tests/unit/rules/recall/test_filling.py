"""What a budget of tokens is filled with."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.text import count_tokens
from graphmem.rules.recall.filling import ENOUGH, GATHERED, fill

TEXTS = st.lists(st.text(st.sampled_from("ab cd.\n漢"), min_size=1, max_size=60), min_size=1, max_size=12)
ONE_TOPIC = [f"The kiln in hall {hall} is fired at 1200 degrees." for hall in range(10)]
TOLD = "Ada has the key of the kiln."


@given(TEXTS, st.data(), st.integers(1, 60), st.sampled_from([0.0, GATHERED, ENOUGH]))
def test_the_budget_holds_and_what_is_shown_is_said_word_for_word_in_order(
    texts: list[str], data: st.DataObject, most: int, least: float
) -> None:
    scores = sorted((data.draw(st.floats(0, 1)) for _ in texts), reverse=True)
    kept, cut = fill(texts, scores, most, least=least)
    assert sum(count_tokens(text) for text in kept.values()) <= most
    assert list(kept) == sorted(kept)
    assert all(texts[place].startswith(text) for place, text in kept.items())
    assert all(scores[place] >= least * scores[0] for place in kept)
    assert cut or least or kept == dict(enumerate(texts))


def test_what_hardly_bears_on_the_question_is_left_out_however_much_room_there_is() -> None:
    texts, scores = ["Ada fires the kiln on Mondays.", "Bo has a kiln too.", "Perfect, thanks!"], [0.5, 0.25, 0.1]
    assert fill(texts, scores, 1000, least=ENOUGH) == ({0: texts[0]}, False)
    assert fill(texts, scores, 1000, least=GATHERED) == ({0: texts[0], 1: texts[1]}, False)
    assert fill(texts, scores, 1000) == (dict(enumerate(texts)), False)


def test_a_courtesy_is_not_worth_having_whatever_its_neighbours_say_but_an_answer_is() -> None:
    texts, scores = ["Shall I fire the kiln?", "Perfect, thanks!", "Yes, please."], [0.5, 0.49, 0.48]
    assert list(fill(texts, scores, 1000, least=ENOUGH)[0]) == [0, 2]
    assert list(fill(texts, scores, 1000)[0]) == [0, 1, 2]


def test_one_topic_ten_times_makes_way_for_another() -> None:
    texts, scores = [*ONE_TOPIC, TOLD], [0.5 - place / 200 for place in range(11)]
    kept, cut = fill(texts, scores, 3 * count_tokens(ONE_TOPIC[0]))
    assert cut
    assert {0, 10} <= set(kept)
    in_order, _ = fill([*ONE_TOPIC, "Ada " * 8], scores, 3 * count_tokens(ONE_TOPIC[0]))
    assert 10 in in_order


def test_of_two_that_add_as_much_the_shorter_comes_first() -> None:
    said = "Ada glazes bowls. " * 8
    kept, _ = fill(["Bo sells jars.", said, "Cy packs cups in the cellar."], [0.5, 0.4, 0.39], 40)
    assert set(kept) == {0, 2}


def test_the_best_that_has_room_is_never_left_out() -> None:
    long = "Ada glazes bowls and jars. " * 6
    kept, _ = fill([long, "Bo.", "Cy.", "Di."], [0.5, 0.49, 0.48, 0.47], count_tokens(long))
    assert kept == {0: long}


def test_where_nothing_has_room_the_beginning_of_the_best_is_shown() -> None:
    kept, cut = fill(["Ada glazes bowls. " * 9, "Bo sells jars. " * 9], [0.5, 0.4], 6)
    assert kept == {0: "Ada glazes bowls."}
    assert cut
