"""What is said in other languages is told from English, and English is not lost."""

import json
from pathlib import Path

import pytest

from graphmem.rules.language.foreign import foreign_stretches, is_foreign
from graphmem.rules.language.own_words import own_words
from graphmem.rules.reading.statements import prose_sentences

DATA = Path(__file__).parents[3] / "data"
SAMPLE = json.loads((DATA / "languages.json").read_text(encoding="utf-8"))
"""Sentences of chat by language, and English ones with names, identifiers and slang that look like other languages."""


def test_nine_of_ten_short_sentences_in_other_languages_are_found() -> None:
    said = [sentence for sentences in SAMPLE["foreign"].values() for sentence in sentences]
    assert len(said) > 200
    assert sum(is_foreign(sentence) is True for sentence in said) >= 0.9 * len(said)


def test_english_with_foreign_names_and_identifiers_stays_english() -> None:
    assert [sentence for sentence in SAMPLE["english"] if is_foreign(sentence)] == []


def test_of_english_talk_hardly_a_sentence_is_taken_for_foreign() -> None:
    files = [file for kind in ("tuned", "practice") for file in (DATA / "extraction" / kind).glob("*.json")]
    texts = [
        own_words(message["content"])
        for file in files
        for message in json.loads(file.read_text(encoding="utf-8"))["messages"]
        if message["role"] in ("user", "assistant") and isinstance(message["content"], str)
    ]
    said = [(text, spans) for text in texts if (spans := prose_sentences(text))]
    assert sum(len(spans) for _, spans in said) > 1_000
    lost = sum(len(foreign_stretches(text, spans)) for text, spans in said)
    assert lost <= sum(len(spans) for _, spans in said) / 300


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Unser Büro ist in Bremen. The mail server runs on Debian.", ["Unser Büro ist in Bremen."]),
        ("The mail server runs on Debian. 我们的办公室在深圳。", ["我们的办公室在深圳。"]),
        ("我们的办公室在深圳。我喜欢茶。", ["我们的办公室在深圳。", "我喜欢茶。"]),
        ("Nuestra oficina está en Bilbao. Perfecto.", ["Nuestra oficina está en Bilbao.", "Perfecto."]),
        ("Our office is in Bilbao. Perfecto.", []),
        ("Perfecto.", []),
        ("李伟 maintains the mail server.", []),
    ],
)
def test_a_mixed_message_loses_only_its_foreign_part(text: str, left: list[str]) -> None:
    assert [text[start:end] for start, end in foreign_stretches(text, prose_sentences(text))] == left
