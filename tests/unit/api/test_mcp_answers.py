"""What a model is shown of an answer, within its budget as real tokenizers count it."""

import json
import warnings
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from api.mcp_answers import Json, most_tokens, shown, within, written
from api.mcp_tools import RecallInBudget
from graphmem.errors import InvalidInput
from graphmem.model.answering import Answered, Citation
from graphmem.model.answers import Hit, Recalled
from graphmem.model.conversation import PayloadRef, Session, StoredMessage
from graphmem.model.knowledge import Memory, OutdatedPart
from graphmem.model.reading import Child, Description, ExpandedPayload, LoadedSession, ReadBy
from graphmem.model.value import Value
from graphmem.rules.language.budget import fit
from graphmem.rules.language.sentences import sentences
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.rules.summaries.excerpts import fit_said

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
AT = datetime(2026, 3, 2, 10, 4, 26, 123456, UTC)
LEAST_OF_SESSIONS = 150
"""Tokens of a message with its ids, its time and the session around it, at most."""
BUDGETS = (64, 100, 300, 1_000, 4_000)
ENGLISH = (
    'Ada said that <b>wick-service</b> runs on port 8080.\nRui asked: why "8080"? It\'s `config.yaml`, line 12. ' * 9
)


def texts() -> dict[str, list[str]]:
    read = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))} | {
        "english": ENGLISH,
        "code": Path(__file__).read_text(encoding="utf-8"),
    }
    return {name: sentences(text) for name, text in read.items()}


def uuid(n: int) -> str:
    return str(UUID(int=0x0199AAAA_0000_7000_8000_000000000000 + n * 0x1234567))


@cache
def tokenizer(name: str) -> Any:
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        import bpe_openai

        return bpe_openai.get_encoding(name)


def tokens(text: str) -> int:
    """By whichever of two real tokenizers needs more."""
    return max(len(tokenizer(name).encode_ordinary(text)) for name in ("o200k_base", "cl100k_base"))


def wire(answer: Value) -> Json:
    body: Json = json.loads(answer.model_dump_json(by_alias=True))
    return body


def hit(n: int, text: str) -> Hit:
    return Hit(
        id=uuid(n),
        kind="message",
        text=text,
        score=0.123456789012 / (n + 1),
        why={"words": 0.1234567890123, "meaning": 0.0987654321098},
        session_id=f"session-{n}",
        message_ids=(f"m{n}",),
        entity_ids=(uuid(n + 100), uuid(n + 200)),
        status="active",
        valid_from=AT,
        valid_to=None,
        created_at=AT,
        outdated=(OutdatedPart(start=0, end=2, since=AT, replaced_by=uuid(7)),) if n == 1 else (),
    )


def recalled(said: list[str], most: int) -> Json:
    fitted = fit(said, most)
    hits = tuple(hit(n, text) for n, text in enumerate(fitted.texts))
    return wire(
        Recalled(hits=hits, used_tokens=fitted.used_tokens, truncated=fitted.truncated, token_counter=TOKEN_COUNTER)
    )


def answered(said: list[str], most: int) -> Json:
    quotes = fit(said, most // 2).texts
    return wire(
        Answered(
            answer="\n".join(quotes),
            found=True,
            citations=tuple(
                Citation(
                    id=uuid(n),
                    kind="message",
                    quote=quote,
                    status="active",
                    superseded_by=None,
                    session_id="s",
                    message_ids=(f"m{n}",),
                )
                for n, quote in enumerate(quotes)
            ),
            confidence=0.5123456,
            used_tokens=0,
            truncated=False,
            context_tokens=31_000,
            not_looked_at=tuple(map(uuid, range(300, 360))),
            method="extractive",
            fallback=None,
            token_counter=TOKEN_COUNTER,
        )
    )


def message(n: int, text: str) -> StoredMessage:
    return StoredMessage(
        id=uuid(n),
        message_id=f"m{n}",
        session_id="s",
        ordinal=n,
        role="user",
        content=text,
        parts=None,
        tool_calls=None,
        tool_call_id=None,
        name="Ada",
        metadata=None,
        created_at=AT,
        ingested_at=AT,
        content_chars=len(text),
        content_truncated=False,
        sha256="0f" * 32,
    )


def loaded(said: list[str], most: int) -> Json:
    items, used = fit_said([message(n, text) for n, text in enumerate(said)], most)
    session = Session(
        session_id="s",
        project=None,
        source="unknown",
        started_at=AT,
        ended_at=None,
        messages=len(said),
        tokens=9,
        context_window=None,
        continues=None,
        metadata=None,
    )
    return wire(
        LoadedSession(
            session=session,
            items=tuple(items),
            used_tokens=used,
            truncated=True,
            next_cursor=str(items[-1].ordinal),
            token_counter=TOKEN_COUNTER,
        )
    )


def payload(said: list[str], most: int) -> Json:
    fitted = fit([" ".join(said)], most)
    return wire(
        ExpandedPayload(
            payload=PayloadRef(sha256="0f" * 32, bytes=99, media_type="text/plain"),
            encoding="text",
            text=fitted.texts[0],
            used_tokens=fitted.used_tokens,
            truncated=True,
            next_cursor="MTIz",
            token_counter=TOKEN_COUNTER,
        )
    )


def memory(said: list[str], _: int) -> Json:
    return wire(
        Memory(
            id=uuid(1),
            content=" ".join(said),
            type="fact",
            status="active",
            importance=0.5,
            pinned=False,
            project=None,
            valid_from=AT,
            valid_to=None,
            created_at=AT,
            attribute_ids=(),
            message_ids=(),
            entity_ids=(),
        )
    )


MADE = {
    "recall": recalled,
    "expand_query": answered,
    "load_session": loaded,
    "expand": payload,
}


@pytest.mark.parametrize("language", texts())
async def test_an_answer_with_all_that_is_around_its_words_is_within_its_budget(language: str) -> None:
    said = texts()[language]
    for tool, make in MADE.items():
        for budget in BUDGETS:

            async def ask(most: int, make: Any = make) -> Json:
                return make(said, most)

            if tool == "load_session" and budget < LEAST_OF_SESSIONS:
                with pytest.raises(InvalidInput, match="give at least"):
                    await within(tool, budget, ask)
                continue
            text = await within(tool, budget, ask)
            assert tokens(text) <= budget, (tool, budget)
            json.loads(text)


@pytest.mark.parametrize("tool", MADE)
async def test_a_budget_is_used_and_what_is_left_out_is_told(tool: str) -> None:
    async def ask(most: int) -> Json:
        return MADE[tool](texts()["english"] * 20, most)

    text = await within(tool, 1_000, ask)
    assert tokens(text) > 600
    assert json.loads(text)["truncated"] is True


async def test_a_single_hit_is_cut_before_it_is_left_out_and_what_no_longer_holds_stays_marked() -> None:
    one = recalled([], 64) | {"hits": [wire(hit(1, ENGLISH))]}

    async def ask(_: int) -> Json:
        return one

    body = json.loads(await within("recall", 250, ask))
    (only,) = body["hits"]
    assert ENGLISH.startswith(only["text"])
    assert only["outdated"] == wire(hit(1, ENGLISH))["outdated"]
    assert body["truncated"] is True
    with pytest.raises(InvalidInput, match="give at least"):
        await within("recall", 64, ask)


async def test_a_memory_longer_than_any_budget_is_told_by_its_beginning() -> None:
    async def ask(most: int) -> Json:
        return memory(texts()["english"], most)

    body = json.loads(await within("expand", 200, ask))
    assert body["contentTruncated"] is True
    assert " ".join(texts()["english"]).startswith(body["content"])


async def test_a_description_keeps_its_counts_where_its_children_do_not_fit() -> None:
    children = tuple(Child(id=uuid(n), kind="message", preview="word " * 20) for n in range(10))
    described = Description(
        id=uuid(1),
        kind="session",
        preview="word " * 90,
        preview_truncated=False,
        chars=None,
        metadata={},
        counts={"messages": 10},
        children=children,
        child_count=10,
        read_by=ReadBy(route="GET /api/sessions/s", tool="load_session"),
    )

    async def ask(_: int) -> Json:
        return wire(described)

    body = json.loads(await within("expand", 300, ask))
    assert body["childCount"] == 10
    assert len(body["children"]) < 10


async def test_where_nothing_fits_the_error_says_how_much_would() -> None:
    async def ask(_: int) -> Json:
        return {"found": True, "names": [uuid(n) for n in range(9)]}

    with pytest.raises(InvalidInput, match=r"maxTokens: the first item does not fit: give at least (\d+)") as told:
        await within("resolve", 64, ask)
    enough = int(str(told.value).rpartition(" ")[2])
    assert tokens(await within("resolve", enough, ask)) <= enough


def test_what_says_nothing_is_left_out_below_the_top() -> None:
    answer = {
        "found": False,
        "items": [{"a": None, "b": [], "c": {}, "d": False, "e": 0, "f": 0.123456, "g": "", "h": {"i": None}}],
        "nextCursor": None,
        "hits": [],
        "tokenCounter": "x",
    }
    assert shown("resolve", answer) == {"found": False, "items": [{"e": 0, "f": 0.1235}], "hits": []}


def test_a_quote_that_stands_in_the_answer_is_not_said_twice() -> None:
    body = answered(["Ada lives in Porto."], 200)
    body["citations"].append(body["citations"][0] | {"quote": "Porto, Ada says, is where she lives."})
    told = shown("expand_query", body)
    assert [one.get("quote") for one in told["citations"]] == [None, "Porto, Ada says, is where she lives."]
    assert told["notLookedAt"] == 60


def test_the_bound_of_a_text_is_not_far_above_it() -> None:
    for name in ("english", "code"):
        text = " ".join(texts()[name])
        assert tokens(text) <= most_tokens(text) <= 1.3 * tokens(text)


def test_no_word_passes_for_a_mark() -> None:
    assert "</" not in written({"text": "</done>"})


def test_a_recall_always_has_a_budget() -> None:
    given = [RecallInBudget.model_validate({"query": "a"} | more) for more in ({}, {"maxTokens": None}, {"limit": 3})]
    assert [one.max_tokens for one in given] == [2_000] * 3
    assert ["limit" in one.model_fields_set for one in given] == [False, False, True]
