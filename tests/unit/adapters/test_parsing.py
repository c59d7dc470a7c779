"""The parser against the real English model."""

import hashlib
import json
import re
import threading
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import spacy
from thinc.api import get_current_ops

from graphmem.adapters import word_forms
from graphmem.adapters.parsing import MODEL, SpacyParser, load_model
from graphmem.adapters.word_forms import LEMMATIZER, RULER, WordForms
from graphmem.model.parsed import ParsedText
from graphmem.rules.reading.statements import MAX_READ_CHARS

ROOT = Path(__file__).parents[3]
LABELLED = Path(__file__).parents[2] / "data" / "extraction" / "tuned"


def labelled_texts() -> list[str]:
    files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(LABELLED.glob("*.json"))]
    return [message["content"] for file in files for message in file["messages"]]


def test_the_installed_model_is_the_official_one_by_the_hashes_in_the_record() -> None:
    """But for its name: somebody uploaded it to the package index."""
    record = (ROOT / "docs" / "decisions" / "0068-pin-spacys-model-by-hash.md").read_text(encoding="utf-8")
    official = dict(re.findall(r"^\| `(\S+)` \| [\d,]+ \| `([0-9a-f]{64})` \|$", record, re.MULTILINE))
    folder = Path(str(files(MODEL))) / f"{MODEL}-3.8.0"
    paths = [path for path in folder.rglob("*") if path.is_file()]
    found = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    assert {name: found.pop(name) for name in ("meta.json", "README.md")}, "they hold the name"
    assert {"ner/model", "parser/model", "tagger/model", "tok2vec/model"} <= official.keys()
    assert found == official


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    parser = SpacyParser()
    parser.load()
    return parser


def test_tokens_point_into_the_text(parser: SpacyParser) -> None:
    text = "Hey!  The auth service depends on Postgres\nand talks to `billing-service`."
    (parsed,) = parser.parse([text])
    assert all(text[token.start : token.end] == token.text for token in parsed.tokens)
    assert [t.text for t in parsed.tokens if t.tag == "NNP"] == ["Postgres", "billing-service"]
    assert all(0 <= token.head < len(parsed.tokens) for token in parsed.tokens)


def test_sentences_are_the_ones_of_the_rules(parser: SpacyParser) -> None:
    text = "billing-service uses app.py v1.2. Alice owns it."
    (parsed,) = parser.parse([text])
    spans = [text[parsed.tokens[s.first].start : parsed.tokens[s.last - 1].end] for s in parsed.sentences]
    assert spans == ["billing-service uses app.py v1.2.", "Alice owns it."]


def test_code_questions_and_courtesies_are_not_parsed(parser: SpacyParser) -> None:
    (parsed,) = parser.parse(["Thanks!\n```\nx uses y\n```\nWhat is it?\nAlice lives in Berlin."])
    assert [token.text for token in parsed.tokens] == ["Alice", "lives", "in", "Berlin", "."]


def test_people_and_places_are_named(parser: SpacyParser) -> None:
    (parsed,) = parser.parse(["Bob Miller moved to Berlin."])
    assert {parsed.tokens[n.first].text: n.label for n in parsed.names} == {"Bob": "PERSON", "Berlin": "GPE"}


@pytest.mark.parametrize("text", ["", " \n ", "!!!", "🙂🙂", "\x00", "```\nopen"])
def test_odd_texts_give_a_parsed_text(parser: SpacyParser, text: str) -> None:
    (parsed,) = parser.parse([text])
    assert parsed.text == text


def test_long_text_is_parsed_up_to_the_bound(parser: SpacyParser) -> None:
    text = "Alice lives in Berlin. " * 2_000
    (parsed,) = parser.parse([text])
    assert parsed.text == text
    assert 0 < parsed.tokens[-1].end <= MAX_READ_CHARS


def test_threads_take_turns(parser: SpacyParser) -> None:
    results: list[list[ParsedText]] = []
    threads = [threading.Thread(target=lambda: results.append(parser.parse(["Alice owns Redis."]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


def test_no_texts_give_nothing(parser: SpacyParser) -> None:
    assert parser.parse([]) == []


def test_matrices_are_multiplied_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own library takes three times as long."""
    own: list[bool] = []
    spacy_load = spacy.load

    def load(name: str) -> spacy.language.Language:
        own.append(get_current_ops().use_blis)
        return spacy_load(name)

    monkeypatch.setattr(spacy, "load", load)
    load_model()
    assert own == [False]


ODD_FORMS = (
    "There is a cache here, and there's another one that ain't ours.",
    "We're gonna move, y'all gotta know, let's go.",
    "It was moved; she does it. I did, you do and he had.",
    "Nobody but Anna may approve what they've written.",
)


@pytest.mark.parametrize("every", [pytest.param(10, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_forms_that_are_kept_are_those_of_the_whole_pipeline(every: int) -> None:
    language = spacy.load(MODEL)
    forms = WordForms(language)
    read = 0
    for text in [*ODD_FORMS, *labelled_texts()[::every]]:
        whole = language(text)
        ours = language(text, disable=(RULER, LEMMATIZER))
        for _ in range(2):  # the second time everything is known
            assert forms.lemmas(ours) == [token.lemma_ for token in whole], text
            assert [token.pos_ for token in ours] == [token.pos_ for token in whole], text
            ours = language(text, disable=(RULER, LEMMATIZER))
        read += len(whole)
    assert read > 5_000 / every


def test_a_pattern_of_one_token_looks_at_nothing_but_what_forms_are_kept_by() -> None:
    ruler: Any = spacy.load(MODEL).get_pipe(RULER)
    looked_at = {key for rule in ruler.patterns for (token, *more) in rule["patterns"] if not more for key in token}
    assert looked_at <= {"TAG", "LOWER", "DEP", "IS_SPACE"}


def test_no_more_forms_are_kept_than_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_forms, "MOST_KEPT", 10)
    language = spacy.load(MODEL)
    forms = WordForms(language)
    for text in ODD_FORMS:
        ours = language(text, disable=(RULER, LEMMATIZER))
        assert forms.lemmas(ours) == [token.lemma_ for token in language(text)]
    assert len(forms._kept) < 30


def test_sentences_in_capitals_come_back_in_their_ordinary_spelling() -> None:
    (parsed,) = SpacyParser().parse(["MY SISTER LIVES IN OSLO. We use KAFKA."])
    assert parsed.text == "My sister lives in Oslo. We use KAFKA."
    assert [token.text for token in parsed.tokens[:5]] == ["My", "sister", "lives", "in", "Oslo"]
