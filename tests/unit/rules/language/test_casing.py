"""Sentences in capitals are spelled as they would be said quietly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.casing import is_shouted, quiet, restored, spelled_words, titled


@pytest.mark.parametrize("sentence", ["THE PUMP IS BROKEN AGAIN", "WE MOVED TO BREMEN!", "I OWN THE MAIL-API"])
def test_sentences_in_capitals_are_shouted(sentence: str) -> None:
    assert is_shouted(sentence)


@pytest.mark.parametrize(
    "sentence", ["NEVER push to main", "AWS EKS RDS", "OK", "Use TLS", "HTTP/2 200 OK", "GDPR AND SOX audits"]
)
def test_abbreviations_and_single_loud_words_are_not(sentence: str) -> None:
    assert not is_shouted(sentence)


@given(st.text(max_size=60))
def test_places_stay_what_they_are(sentence: str) -> None:
    assert len(quiet(sentence)) == len(titled(sentence)) == len(restored(sentence, set(), {})) == len(sentence)


def test_names_are_spelled_as_elsewhere_in_the_talk_or_as_the_software_is() -> None:
    spelled = spelled_words(["We hired McKenna for the mail team."])
    assert restored("MCKENNA MOVED IT TO MONGODB", set(), spelled) == "McKenna moved it to MongoDB"
