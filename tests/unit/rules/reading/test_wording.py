"""What is read in sentences of many wordings: some thirty of them to read, all of them as data, with totals per class.

The rows of `tests/data/wording/readings.jsonl` say what a reader would read; `class` is a name of `ASKED`. How many of
each class are read so today is in `readings_totals.json`.
"""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction.extraction import extract
from graphmem.rules.language.relative_dates import find_dates
from graphmem.rules.reading.bare_names import heard_systems
from graphmem.rules.reading.demands import demand_of
from graphmem.rules.reading.mentions import find_mentions
from graphmem.rules.reading.naming import Voice
from graphmem.rules.reading.proper_names import full_names, heard_names
from graphmem.rules.reading.statements import is_constraint, kind_of, noise, prose_sentences
from graphmem.rules.reading.wording import Wording

WORDING = Path(__file__).parents[3] / "data" / "wording"
WEDNESDAY = datetime(2024, 5, 8, 10, tzinfo=UTC)
PARSER = SpacyParser()


@cache
def read(text: str, project: str | None = None) -> Extraction:
    messages = [SourceMessage(role="user", name="Alice", text=text, created_at=WEDNESDAY)]
    return extract(messages, PARSER.parse([text]), project=project)


def arrows(found: Extraction) -> list[str]:
    return sorted(f"{edge.source} {edge.type.value} {edge.target}" for edge in found.dependencies)


def rules(found: Extraction) -> list[list[str]]:
    return [[one.entity, one.content] for one in found.attributes if one.kind == "constraint"]


def kinds_of_ends(text: str) -> list[str]:
    found = read(text)
    types = {entity.name: entity.type.value for entity in found.entities}
    return sorted({types[end] for edge in found.dependencies for end in (edge.source, edge.target)})


def names(text: str) -> list[str]:
    (parsed,) = PARSER.parse([text])
    voice = Voice(
        "Alice", None, frozenset({"Alice"}), frozenset(), heard_names([parsed]), frozenset(), full_names([parsed])
    )
    return [mention.name for named in find_mentions(parsed, prose_sentences(text), voice) for mention in named]


def dates(text: str) -> list[list[str | bool]]:
    found = find_dates(text, WEDNESDAY)
    return [[date.wording, date.begins.date().isoformat(), date.starts_fact] for date in found]


ASKED: dict[str, Callable[[str], Any]] = {
    "anything": lambda text: not read(text).is_empty,
    "contents": lambda text: sorted({one.content for one in read(text).attributes}),
    "dates": dates,
    "demand": demand_of,
    "facts": lambda text: [
        f"{a.entity} | {a.aspect} | {a.content} | {a.claim_key or '-'}" for a in read(text).attributes
    ],
    "kind of statement": kind_of,
    "kinds of facts": lambda text: [one.kind for one in read(text, "atlas").attributes],
    "kinds of what is needed": kinds_of_ends,
    "names": names,
    "needs": lambda text: arrows(read(text)),
    "needs in a project": lambda text: arrows(read(text, "atlas")),
    "noise": noise,
    "rule": is_constraint,
    "rules of a shop": lambda text: rules(read(text, "shop")),
    "sentences": lambda text: [text[start:end] for start, end in prose_sentences(text)],
    "slots": lambda text: [[one.content, one.claim_key] for one in read(text).attributes],
    "slots that are filled": lambda text: sorted(one.claim_key for one in read(text).attributes if one.claim_key),
    "systems": lambda text: sorted(heard_systems([text])),
}
"""What may be asked about a text, as values that JSON has."""


@pytest.mark.parametrize(
    ("asked", "text", "answer"),
    [
        ("needs", "billing-service uses Redis.", ["billing-service uses Redis"]),
        ("needs", "The gateway blocks billing-service.", ["billing-service blocks gateway"]),
        ("needs", "Dave owns billing-service.", ["billing-service owned_by Dave"]),
        ("needs", "We chose Kafka over RabbitMQ for billing-service.", ["billing-service uses Kafka"]),
        ("needs", "billing-service no longer uses Redis.", []),
        ("needs", "billing-service might use Redis.", []),
        ("needs", "The roadmap depends on quote-api, and the decision relies on fx-service.", []),
        ("facts", "I live in Lisbon.", ["Alice | location | Alice lives in Lisbon | lives_in"]),
        ("contents", "The default branch of core-repo is develop.", ["core-repo's default branch is develop"]),
        ("contents", "I think quote-api uses Redis, and mail-worker uses Kafka.", []),
        ("slots that are filled", "NATS is now the message broker of ledger-api.", ["uses:message broker"]),
        ("slots that are filled", "The message broker of ledger-api was RabbitMQ.", []),
        ("anything", "Could you restart Redis?", False),
        ("anything", "I'm running the tests now.", False),
        ("anything", "> billing-service uses Redis", False),
        ("rules of a shop", "We never release on Mondays.", [["shop", "Never release on Mondays"]]),
        ("rules of a shop", "You must be tired.", []),
        ("rule", "Only Alice may approve releases.", True),
        ("rule", "It must be the cache.", False),
        ("demand", "nobody's to feed the horses", "obliged"),
        ("demand", "Glass is strictly forbidden at the pool", "forbidden"),
        ("demand", "never mind the gap", ""),
        ("noise", "Maybe we need Redis.", "guess"),
        ("noise", "Which port does it use?", "question"),
        ("noise", "Never push to main.", None),
        ("kind of statement", "We decided to use Kafka.", "decision"),
        ("kind of statement", "Alice prefers tabs.", "preference"),
        ("dates", "it broke last week", [["in the week of 2024-04-29", "2024-04-29", True]]),
        ("dates", "every Friday", []),
        ("sentences", "before\n```python\nx = 1\n```\nAfter", ["before", "After"]),
        ("systems", "a service named drumlin renders the pages", ["drumlin"]),
        ("systems", "redis talks to redis", []),
    ],
)
def test_what_is_asked_is_read(asked: str, text: str, answer: object) -> None:
    assert ASKED[asked](text) == answer


def test_as_many_texts_of_each_class_are_read_as_labelled_as_are_written_down() -> None:
    rows = [json.loads(line) for line in (WORDING / "readings.jsonl").read_text(encoding="utf-8").splitlines()]
    right: Counter[str] = Counter()
    wrong = []
    for row in rows:
        found = ASKED[row["class"]](row["text"])
        if (
            row.get("is", found) == found
            and all(one in found for one in row.get("has", ()))
            and not any(one in found for one in row.get("lacks", ()))
        ):
            right[row["class"]] += 1
        else:
            wrong.append(f"{row}: {found}")
    of = Counter(row["class"] for row in rows)
    totals = json.loads((WORDING / "readings_totals.json").read_text(encoding="utf-8"))
    assert {asked: [right[asked], of[asked]] for asked in of} == totals, "\n".join(["read otherwise:", *wrong])


def test_every_row_is_labelled_and_every_question_is_asked() -> None:
    rows = [json.loads(line) for line in (WORDING / "readings.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all({"is", "has", "lacks"} & row.keys() for row in rows)
    assert {row["class"] for row in rows} == ASKED.keys()


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("edit httpx/_client.py and __init__.py", "edit httpx/_client.py and __init__.py"),
        ("__all__ names _private and x_y", "__all__ names _private and x_y"),
        ("src/*.py and **/*.ts", "src/*.py and **/*.ts"),
        ("_We_ use **Redis** and `x_y`", "We use Redis and x_y"),
        ("a *very* __bold thing__ here", "a very bold thing here"),
    ],
)
def test_marks_of_stress_are_taken_off_and_those_of_names_stay(said: str, plain: str) -> None:
    assert Wording(said, ()).render(0, len(said)) == plain
