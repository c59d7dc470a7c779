"""Where sentences end: at their marks, and nowhere within names, numbers, lists and pauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.sentences import sentence_spans, sentences
from graphmem.rules.language.text import count_tokens, fit_tokens


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Oduya asked Prof. Lindqvist.",
        "It takes approx. 3.5 GB, e.g. on the small host.",
        "See Fig. 4, Sect. 2.1 and pp. 8-9 (vol. 3, ed. Moss).",
        "Use v2.10.1 of httpx/_client.py at https://a.example/b.c?d=1.",
        "The flag is No. 5, i.e. the last one.",
        "At 5 p.m. we close.",
        "The U.S. office keeps it.",
        "J. S. Bach wrote it.",
        "Wait… it is not over.",
        "Well... and then it rained.",
        "It ended... Then it began.",
        "1. Stop the pump.",
        "a. Stop the pump.",
        "(2) Drain the tank, then wait.",
        "Steps: 1. Stop the pump 2. Drain the tank",
        "Wir treffen uns am 3. Mai, z.B. im Hafen.",
        "We keep the ledger on\nPostgreSQL, since the\nqueue was lost.",
        "The crane on the northern quay was repaired on Monday by the people of\nOslo, who came by boat.",
        "Was sagt Dr. Klein?",
    ],
)
def test_what_has_marks_within_stays_one_sentence(sentence: str) -> None:
    assert sentences(sentence) == [sentence]
    assert sentences(f"It rains. {sentence}\n\nNext.") == ["It rains.", sentence, "Next."]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It listens on 7171. It is new.", ["It listens on 7171.", "It is new."]),
        ("The ports are 80, 81. They are open: 2. Fine.", ["The ports are 80, 81.", "They are open: 2.", "Fine."]),
        ("i moved to porto. it is nice", ["i moved to porto.", "it is nice"]),
        ("We met at Acme Inc. They sell rope.", ["We met at Acme Inc.", "They sell rope."]),
        ("**Done.** _Really?_ Yes!", ["**Done.**", "_Really?_", "Yes!"]),
        ('"Stop!" she said. (He did.) Fine.', ['"Stop!"', "she said.", "(He did.)", "Fine."]),
        (
            "- one thing\n- another\n  thing\n1. first\n2. second",
            ["- one thing", "- another\n  thing", "1. first", "2. second"],
        ),
        ("1. Stop it. 2. Drain it.", ["1. Stop it.", "2. Drain it."]),
        ("# Title\nThe text.", ["# Title", "The text."]),
        ("我们用Redis。端口是6379。", ["我们用Redis。", "端口是6379。"]),
        ("यह चलता है। ठीक है।", ["यह चलता है।", "ठीक है।"]),
    ],
)
def test_sentences_end_at_their_marks(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["Dr.", "1.", "…", "a", "B.", "\n", "x.y", "。", '"'])).map(" ".join)
)
def test_only_white_space_is_left_out_and_sentences_are_in_order(text: str) -> None:
    end = 0
    for start, stop in sentence_spans(text):
        assert start < stop
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert not text[end:].strip()


@given(st.integers(4, 60))
def test_a_text_is_never_cut_within_a_sentence_where_one_fits(most: int) -> None:
    text = "Dr. Oduya came. " * 3 + "It took approx. 3.5 hours, e.g. on Monday. Then… we left."
    cut = fit_tokens(text, most)
    ends = [text[:stop] for _, stop in sentence_spans(text)]
    assert cut in ends or count_tokens(ends[0]) > most
