"""What a model is shown of an answer: what it can use, once, within its budget.

The objects are those of the routes. A model reads every token, so null, false and empty fields inside them are left
out, numbers have four decimals, and what only programs need is left to the routes.
"""

import json
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.rules.language.framing import safe_json
from graphmem.rules.language.text import count_tokens, fit_tokens

Json = dict[str, Any]
Ask = Callable[[int], Awaitable[Json]]
"""The answer of a service within so many tokens of text."""
DECIMALS = 4
MOST_TRIES = 10
MARGIN = 1.15
"""Our counter is at most a seventh too low for European languages, code and JSON."""


def shown(tool: str, answer: Json) -> Json:
    """The part of an answer that a model gets of a tool.

    >>> shown("feedback", {"applied": 1, "changed": [{"id": "a", "before": 0.123456, "after": None}]})
    {'applied': 1, 'changed': [{'id': 'a', 'before': 0.1235}]}
    """
    kept = _SHAPES.get(tool, _whole)(answer)
    kept.pop("tokenCounter", None)
    return {name: _lean(value) for name, value in kept.items() if value is not None}


def written(answer: Json) -> str:
    """The text of an answer: JSON on one line, in which no word that was said can pass for a mark of a model's own."""
    return safe_json(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))


def most_tokens(text: str) -> int:
    """The tokens of a text, at most, by common tokenizers: these differ beyond ASCII, where one may need three tokens
    for a character."""
    beyond = 0 if text.isascii() else sum(_beyond(char) for char in text if char > "\x7f")
    return math.ceil(count_tokens(text) * MARGIN + beyond)


def _beyond(char: str) -> float:
    return 1.5 if char > "\uffff" else 0.7


async def within(tool: str, max_tokens: int, ask: Ask) -> str:
    """The text of an answer, with all that is around its words, within `max_tokens`: the service is asked again for
    fewer words until it fits.

    Errors: InvalidInput where not even the first item fits, with how many tokens would do.
    """
    given = max_tokens
    for attempt in range(MOST_TRIES):
        answer = shown(tool, await ask(given))
        used = min(given, answer.get("usedTokens", given))
        text, total = _shortened(tool, answer, max_tokens)
        if total <= max_tokens:
            return text
        if given == 1:
            break
        # What is around the words grows with the number of items at first, and hardly changes near the end.
        fewer = used - (total - max_tokens) if attempt else used * max_tokens // total
        given = max(1, min(given - 1, max(fewer, used // 2)))
    raise InvalidInput.at("maxTokens", msg=f"the first item does not fit: give at least {total}")


def _shortened(tool: str, answer: Json, max_tokens: int) -> tuple[str, int]:
    """The text of an answer and its tokens, shortened as far as is needed and its tool allows."""
    shorten = _SHORTER.get(tool, _no_shorter)
    while True:
        text = written(answer)
        total = most_tokens(text)
        shorter = shorten(answer, total - max_tokens) if total > max_tokens else None
        if shorter is None:
            return text, total
        answer = shorter


def _whole(answer: Json) -> Json:
    return dict(answer)


def _without(*names: str) -> Callable[[Json], Json]:
    left_out = frozenset(names)
    return lambda value: {name: field for name, field in value.items() if name not in left_out}


def _only(*names: str) -> Callable[[Json], Json]:
    return lambda value: {name: value[name] for name in names if name in value}


def _lean(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, dict):
        lean = ((name, _lean(field)) for name, field in value.items())
        return {name: field for name, field in lean if field is not None and field is not False and field not in _EMPTY}
    return [_lean(item) for item in value] if isinstance(value, list) else value


_EMPTY: tuple[Any, ...] = ([], {}, "")


def _recalled(answer: Json) -> Json:
    return answer | {"hits": [_hit(hit) for hit in answer["hits"]]}


def _hit(hit: Json) -> Json:
    """A hit by one id, with its other ids where they say more."""
    kept = _without("why", "entityIds", *(("createdAt",) if hit["validFrom"] else ()))(hit)
    return _usual(kept, status="active", messageIds=[hit["id"]])


def _usual(value: Json, **usual: Any) -> Json:
    """A value without the fields that are as nearly always."""
    return {name: field for name, field in value.items() if name not in usual or field != usual[name]}


def _grepped(answer: Json) -> Json:
    return answer | {
        "items": [_usual(_without("terms")(one), summaryId=one["id"], messageId=one["id"]) for one in answer["items"]]
    }


def _loaded(answer: Json) -> Json:
    session = _only("sessionId", "project", "startedAt")(answer["session"])
    return answer | {"session": session, "items": [_message(one, within_session=True) for one in answer["items"]]}


def _message(message: Json, *, within_session: bool = False) -> Json:
    kept = _without("sha256", "ingestedAt", *(("sessionId",) if within_session else ()))(message)
    if not message["contentTruncated"]:
        del kept["contentChars"]
    return _usual(kept, messageId=message["id"])


def _summary(summary: Json) -> Json:
    return _without("tokenCount", "parentIds", "memoryIds", "entityIds", "childCount")(summary)


def _expanded(answer: Json) -> Json:
    """An entity by its lines, which name their ids; the rest as it is."""
    if "aspects" in answer:
        whole = _without("aspects", "constraints", "dependencies", "summaries")(answer)
        return whole | {"entity": _only("id", "aliases", "pinned")(answer["entity"])}
    if "children" in answer and "summary" in answer:
        children = [_message(one) if "role" in one else _summary(one) for one in answer["children"]]
        memories = [_only("id", "content", "status")(one) for one in answer["memories"]]
        return answer | {"summary": _summary(answer["summary"]), "children": children, "memories": memories}
    if "payload" in answer:
        return answer | {"payload": _without("sha256")(answer["payload"])}
    if "message" in answer:
        return answer | {"message": _message(answer["message"])}
    return _whole(answer)


def _answered(answer: Json) -> Json:
    """Quotes that stand in the answer word for word are not said twice."""
    cited = [
        _usual(one, status="active", messageIds=[one["id"]]) | {"quote": _said_once(one["quote"], answer["answer"])}
        for one in answer["citations"]
    ]
    return _without("contextTokens")(answer) | {"citations": cited, "notLookedAt": len(answer["notLookedAt"])}


def _said_once(quote: str, answer: str) -> str | None:
    return None if quote in answer else quote


def _reached(answer: Json) -> Json:
    groups = [group | {"entities": [_affected(one) for one in group["entities"]]} for group in answer["groups"]]
    return answer | {"entity": _only("id", "name", "type")(answer["entity"]), "groups": groups}


def _affected(one: Json) -> Json:
    path = [
        {"source": edge["source"]["name"], "target": edge["target"]["name"]}
        | _only("type", "confidence", "reason")(edge)
        for edge in one["path"]
    ]
    return _without("depth", "weakestEdge")(one) | {"path": path}


def _status(answer: Json) -> Json:
    """How the memory is, and what waits; how the service is set up is told by the route."""
    if "findings" in answer:
        return _whole(answer)
    kept = _only("agentId", "version", "counts", "backlog", "jobs", "tokens")(answer)
    superseded = _only("proposed", "applied", "accepted", "rejected", "undone")(answer["supersession"])
    read = _only("dropped", "otherLanguages", "fallbacks", "lastFallback")(answer["extraction"])
    failing = [_only("name", "error")(one) for one in answer["upkeep"] if one["error"]]
    return kept | {
        "embedder": answer["embedder"]["state"],
        "supersession": superseded,
        "extraction": read,
        "failingUpkeep": failing or None,
    }


_SHAPES: Mapping[str, Callable[[Json], Json]] = {
    "recall": _recalled,
    "grep": _grepped,
    "load_session": _loaded,
    "expand": _expanded,
    "expand_query": _answered,
    "impact": _reached,
    "status": _status,
}


def _no_shorter(_: Json, __: int) -> None:
    return None


def _fewer_hits(answer: Json, over: int) -> Json | None:
    """The answer without its last hits; of a single one its beginning, with its id alone where that helps."""
    hits = list(answer["hits"])
    if len(hits) > 1:
        while over > 0 and len(hits) > 1:
            over -= most_tokens(written(hits.pop()))
        return _with_hits(answer, hits)
    bare = [_only("id", "text", "status", "outdated", "ahead")(hit) for hit in hits]
    if bare != hits:
        return _with_hits(answer, bare)
    cut = [_cut(hit, "text", over) for hit in hits]
    return _with_hits(answer, cut) if cut != hits else None


def _with_hits(answer: Json, hits: list[Json]) -> Json:
    used = sum(count_tokens(hit["text"]) for hit in hits)
    return answer | {"hits": hits, "usedTokens": used, "truncated": True}


def _fewer_citations(answer: Json, over: int) -> Json | None:
    """The answer without its last citations, then its beginning; one citation stays."""
    if len(answer["citations"]) > 1:
        return answer | {"citations": answer["citations"][:-1], "truncated": True}
    cited = [_without("sessionId", "messageIds")(one) for one in answer["citations"]]
    if cited != answer["citations"]:
        return answer | {"citations": cited, "truncated": True}
    cut = _cut(answer, "answer", over)
    return cut | {"usedTokens": count_tokens(cut["answer"]), "truncated": True} if cut != answer else None


def _less_of_it(answer: Json, over: int) -> Json | None:
    """What an id stands for without what goes with it, then its beginning. Pages of words are asked for again."""
    if answer.get("memories") or answer.get("entity", {}).get("aliases"):
        fewer = {"memories": answer["memories"][:-1]} if answer.get("memories") else {"entity": _id(answer["entity"])}
        return answer | fewer | {"truncated": True}
    if answer.get("summary", {}).get("content"):
        return answer | {"summary": _id(answer["summary"]), "truncated": True}
    if "preview" in answer and answer["children"]:
        return answer | {"children": answer["children"][:-1]}  # `childCount` counts all
    told = "preview" if "preview" in answer else "content"
    cut = _cut(answer, told, over) if answer.get(told) else answer
    return cut | {f"{told}Truncated": True} if cut != answer else None


_id = _only("id")
_SHORTER: Mapping[str, Callable[[Json, int], Json | None]] = {
    "recall": _fewer_hits,
    "expand_query": _fewer_citations,
    "expand": _less_of_it,
}


def _cut(value: Json, field: str, over: int) -> Json:
    """A value with the beginning of a text, shorter by so many tokens, and what is said of places in it; one token
    stays."""
    text = fit_tokens(value[field], max(1, count_tokens(value[field]) - math.ceil(over / MARGIN)))
    inside = [part for part in value.get("outdated", ()) if part["end"] <= len(text)]
    return value | {field: text} | ({"outdated": inside} if "outdated" in value else {})
