"""The passage of a text that bears on a question."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.recall.passages import CUT, passage, what_asks

TEXTS = st.text(st.sampled_from("ab cd.\n漢👩!"), max_size=200)


@given(TEXTS, st.text(max_size=30), st.integers(5, 120))
def test_a_passage_is_a_stretch_of_the_text_of_bounded_length(text: str, question: str, most: int) -> None:
    shown = passage(text, question, most)
    assert len(shown) <= most
    assert shown == text or shown.strip(CUT) in text


@given(TEXTS, st.text(max_size=30))
def test_a_text_that_fits_is_its_own_passage(text: str, question: str) -> None:
    assert passage(text, question, 200) == text


def test_the_sentence_that_takes_up_most_of_the_question_is_shown_with_its_neighbours() -> None:
    text = " ".join(
        [*(f"Filler {n}." for n in range(50)), "Ledger listens on 7171.", *(f"More {n}." for n in range(50))]
    )
    shown = passage(text, "Where does Ledger listen?", 80)
    assert "Ledger listens on 7171." in shown
    assert "Filler 49." in shown
    assert "More 0." in shown
    assert shown.startswith(CUT)
    assert shown.endswith(CUT)


def test_without_a_common_word_the_beginning_is_shown() -> None:
    assert passage("One thing. " * 30, "zebra", 50).startswith("One thing.")


def test_a_sentence_longer_than_the_passage_is_cut_between_words() -> None:
    shown = passage("word " * 100 + "ledger " + "tail " * 100, "ledger", 60)
    assert "ledger" in shown
    assert len(shown) <= 60


def test_what_is_asked_among_other_sentences_is_all_that_is_looked_for() -> None:
    asked = "Which port does the gateway use?"
    assert what_asks(f"Good morning! The slides for Thursday are done. {asked} Thank you.") == asked
    assert (
        what_asks(f"{asked} I forgot.\nAnd who owns the invoice printer?")
        == f"{asked} And who owns the invoice printer?"
    )


def test_a_text_that_asks_nothing_or_too_little_is_looked_for_whole() -> None:
    for text in ("The gateway is down again.", "The gateway is down again. Why?", ""):
        assert what_asks(text) == text
