"""Trials of recall's weights away from a service, on a conversation of our own."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from benchmarks import recall_tables, reranking, signals
from benchmarks.conversations import Conversation, Key, Question, Session, Turn
from graphmem.rules.recall.ranking import FEATURES

SAID = {
    "0": ("user", "My greenhouse has nine beds."),
    "1": ("assistant", "Nine beds are plenty. " + "Dig and water and weed. " * 30),
    "2": ("user", "I prefer tomatoes."),
    "3": ("assistant", "Tomatoes want canes."),
}
GREENHOUSE = Question("talk", 0, "fact", "How many beds has the greenhouse?", frozenset({Key("s", "0")}))
SHED = Question("talk", 1, "abstention", "Who built the shed?", frozenset(), answerable=False)
UNUSABLE = Question("talk", 2, "fact", "What is the weather?", frozenset())


class OneHot:
    """An embedder of which each word is a direction."""

    state = "ready"

    async def load(self) -> None:
        pass

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(word in text.lower()) + 0.1 for word in ("greenhouse", "tomato", "water")] for text in texts]


def conversation() -> Conversation:
    at = datetime(2024, 3, 1, tzinfo=UTC)
    turns = tuple(Turn(Key("s", id_), role, None, text, at) for id_, (role, text) in SAID.items())  # type: ignore[arg-type]
    return Conversation("talk", (Session("s", at, turns),), (GREENHOUSE, SHED, UNUSABLE), Counter())


async def compared() -> list[signals.Compared]:
    return await signals.compare([conversation()], OneHot())  # type: ignore[arg-type]


async def test_every_message_is_compared_with_each_question_that_can_be_scored() -> None:
    every = await compared()
    assert [one.question for one in every] == [GREENHOUSE, SHED]
    assert [one.features.shape for one in every] == [(4, len(FEATURES))] * 2
    first = every[0].answer({})
    assert first.hits[0].keys == (Key("s", "0"),)
    assert sorted(hit.words for hit in first.more) == [3, 3, 5, 154]


async def test_without_a_feature_its_part_is_gone_from_the_order() -> None:
    beds = (await compared())[0]
    assert all("meaning" in hit.why for hit in beds.answer({}).more)
    without = beds.answer({"near": 0.0})
    assert not any("meaning" in hit.why for hit in without.more)
    assert without.hits[0].score < beds.answer({}).hits[0].score


async def test_a_dump_has_lengths_roles_features_and_evidence_but_no_words() -> None:
    lines = list(signals.dumped("ours", await compared()))
    first = lines[0]
    assert [one["evidence"] for one in first["candidates"]] == [True, False, False, False]
    assert [(one["role"], one["words"], one["exchange"]) for one in first["candidates"]] == [
        ("user", 5, "0"),
        ("assistant", 154, "0"),
        ("user", 3, "2"),
        ("assistant", 3, "2"),
    ]
    assert {len(one["values"]) for line in lines for one in line["candidates"]} == {len(first["features"])}
    assert [line["answerable"] for line in lines] == [True, False]
    assert not any(word in json.dumps(lines) for word in ("greenhouse", "tomatoes", "shed"))


async def test_the_table_has_a_row_for_each_feature_and_all_together() -> None:
    rows = signals.ablation({"ours": await compared()}).splitlines()
    assert len(rows) == 2 + 1 + len(FEATURES)
    assert [cell.strip() for cell in rows[2].strip("|").split("|")] == ["all", "1.000", "1.000", "1.000", "165"]


async def test_a_budget_is_filled_with_what_is_worth_reading_and_no_more() -> None:
    (beds, _) = await compared()
    filled = beds.filled((8, 10_000)).filled
    assert [hit.keys for hit in filled[8]] == [(Key("s", "0"),)]
    assert 0 < len(filled[10_000]) < len(SAID)
    row = recall_tables.filled_table([beds.filled((8,))], "ours").splitlines()[2]
    assert [cell.strip() for cell in row.strip("|").split("|")] == ["8 tokens", "1.000", "5", "1.0"]


async def test_a_reranker_that_is_always_right_puts_the_evidence_first() -> None:
    beds = (await compared())[0]
    tomatoes = replace(beds, question=replace(GREENHOUSE, gold=frozenset({Key("s", "3")})))
    assert beds.answer({}).hits[0].keys != (Key("s", "3"),)
    with reranking.scripted(reranking.always_right([tomatoes])) as url:
        ((asked,), (sent,)) = await reranking.reranked([tomatoes], url)
    assert asked.hits[0].keys == (Key("s", "3"),)
    assert sent == sum(len(text) for _, text in SAID.values())
    assert reranking.in_common("How many beds?", "Nine beds are plenty.") == 0.5
