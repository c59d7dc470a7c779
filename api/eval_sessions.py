"""Labelled conversations on a running service: its turns, its recaps, and what can still be found.

Each conversation is sent for a new agent, so that nothing else is recalled; the agents stay on the service.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from api.filler import Message, long_session, own_id, tokens_of
from graphmem.errors import DatabaseUnavailable, GraphmemError
from graphmem.model.inputs import MAX_TOKENS
from graphmem.model.labels_continuity import ContinuousConversation, Mode, ProbeLabel
from graphmem.model.turns import OVERLAYS
from graphmem.rules.evaluation import SeenTurn, Share
from graphmem.rules.language.text import count_tokens

CAPS = (4000, 1000, 300)
"""Token caps of the requested recaps; the first is the default, and the one that is measured further."""
RECALLED = 10
"""Hits of the one recall for a probe."""
BATCH = 200
TIMEOUT_S = 900.0
WAIT_S = 600
"""The longest wait for processing that one request may ask for; the request is repeated."""
ROUNDS = 6


@dataclass(frozen=True)
class LongSession:
    """How much of a long session is retained. `ratio`: tokens of the messages for each token of the recap. The shares
    count probes, `within_cap` recaps."""

    tokens: int
    ratio: float
    within_cap: Share
    by_recap: Share
    by_recall: Share
    by_both: Share
    by_expansion: Share


class Agent:
    """One agent of a service with one session. Errors of every call: DatabaseUnavailable, GraphmemError with the
    service's answer."""

    def __init__(self, url: str, name: str, transport: httpx.BaseTransport | None = None) -> None:
        headers = {"X-Agent-Id": f"eval-{name}-{uuid4().hex[:8]}"}
        self._http = httpx.Client(
            base_url=url, headers=headers, timeout=TIMEOUT_S, trust_env=False, transport=transport
        )
        self.session = name

    def __enter__(self) -> "Agent":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def send(self, messages: list[Message], project: str | None) -> None:
        """Stores the session, ends it, and waits until all resulting work is done."""
        self.call("POST", "/api/sessions", {"sessionId": self.session, "project": project})
        for start in range(0, len(messages), BATCH):
            self.call("POST", f"/api/sessions/{self.session}/messages", {"messages": messages[start : start + BATCH]})
        for _ in range(ROUNDS):
            ended = {"wait": True, "force": True, "waitTimeoutS": WAIT_S}
            pipeline = self.call("POST", f"/api/sessions/{self.session}/end", ended)["pipeline"]
            if pipeline != "queued":
                break
        if pipeline != "done":
            raise GraphmemError(f"{self.session} was not processed: its pipeline is {pipeline}")

    def turns(self) -> Iterator[SeenTurn]:
        for turn in self._analysed():
            linked = tuple(one["messageId"] for one in turn["references"] or ())
            scores = {overlay: float(turn["overlays"][overlay]) for overlay in OVERLAYS}
            yield SeenTurn(turn["messageId"], scores, turn["paradigmShift"], linked)

    def preserved(self) -> set[str]:
        """The ids of the messages that are preserved."""
        return {turn["messageId"] for turn in self._analysed() if turn["class"] == "preserved"}

    def _analysed(self) -> Iterator[dict[str, Any]]:
        path, cursor = f"/api/sessions/{self.session}/turns?explain=1&limit=500", ""
        while True:
            page = self.call("GET", path + cursor)
            yield from page["items"]
            if page["nextCursor"] is None:
                return
            cursor = f"&cursor={page['nextCursor']}"

    def recap(self, max_tokens: int = CAPS[0]) -> dict[str, Any]:
        return self.call("GET", f"/api/sessions/{self.session}/recap?mode=auto&maxTokens={max_tokens}")

    def recalled(self, question: str) -> list[str]:
        """The texts of the first hits."""
        asked = {"query": question, "sessionId": self.session, "limit": RECALLED}
        return [hit["text"] for hit in self.call("POST", "/api/memory/recall", asked)["hits"]]

    def expanded(self) -> dict[str, str]:
        """The messages, by id, that can be reached from the session's summaries and its stored recap, step by step."""
        self.call("POST", f"/api/sessions/{self.session}/recap")
        listed = self.call("GET", f"/api/sessions/summaries?sessionId={self.session}&limit=1000")["items"]
        waiting = [one["id"] for one in listed if one["kind"] in ("session", "recap")]
        seen, reached = set(waiting), dict[str, str]()
        while waiting:
            for child in self._children(waiting.pop()):
                if "role" in child:
                    reached[child["messageId"]] = child["content"] or ""
                elif child["id"] not in seen:
                    seen.add(child["id"])
                    waiting.append(child["id"])
        return reached

    def _children(self, summary: str) -> Iterator[dict[str, Any]]:
        cursor = None
        while True:
            asked = {"maxTokens": MAX_TOKENS} | ({"cursor": cursor} if cursor else {})
            page = self.call("POST", f"/api/sessions/summaries/{summary}/expand", asked)
            yield from page["children"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        try:
            response = self._http.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise DatabaseUnavailable(f"no graphmem answers at {self._http.base_url}: {error!r}") from error
        if response.is_error:
            raise GraphmemError(f"{method} {path} answered {response.status_code}: {response.text[:300]}")
        answer: dict[str, Any] = response.json()
        return answer


def served(conversation: ContinuousConversation, url: str) -> tuple[list[SeenTurn], Mode]:
    """The turns and the mode of its recap, from the service at this address. Errors: as Agent's calls."""
    sent: list[Message] = [message.model_dump(mode="json", exclude_none=True) for message in conversation.messages]
    with Agent(url, conversation.id) as agent:
        agent.send(sent, conversation.project)
        mode: Mode = agent.recap()["mode"]
        return list(agent.turns()), mode


def continue_long(conversations: Sequence[ContinuousConversation], tokens: int, url: str) -> LongSession:
    """How much is retained of conversations that fill one session of this many tokens. Errors: as Agent's calls."""
    messages = long_session(conversations, tokens)
    probes = probes_of(conversations)
    with Agent(url, "long") as agent:
        agent.send(messages, conversations[0].project)
        recaps = {cap: str(agent.recap(cap)["text"]) for cap in CAPS}
        recalled = [agent.recalled(probe.question) for probe in probes]
        reached = agent.expanded()
    return left_of(probes, sum(map(tokens_of, messages)), recaps, recalled, reached)


def probes_of(conversations: Sequence[ContinuousConversation]) -> list[ProbeLabel]:
    """All probes, with the ids that their messages have in a long session."""
    return [
        probe.model_copy(update={"messages": tuple(own_id(one.id, message) for message in probe.messages)})
        for one in conversations
        for probe in one.probes
    ]


def left_of(
    probes: Sequence[ProbeLabel],
    tokens: int,
    recaps: Mapping[int, str],
    recalled: Sequence[Sequence[str]],
    reached: Mapping[str, str],
) -> LongSession:
    """Counts. `recaps`: the text for each cap; `recalled`: the texts of each probe's hits; `reached`: the contents of
    the messages that expansion reached, by id."""
    recap = recaps[CAPS[0]]
    sizes = {cap: count_tokens(text) for cap, text in recaps.items()}
    over = tuple(f"{size} tokens for {cap}" for cap, size in sizes.items() if size > cap)

    def answered(texts: Iterable[Sequence[str]]) -> Share:
        asked = zip(probes, texts, strict=True)
        missed = tuple(probe.question for probe, given in asked if not probe.answered_by(*given))
        return Share(len(probes) - len(missed), missed)

    return LongSession(
        tokens=tokens,
        ratio=tokens / max(1, sizes[CAPS[0]]),
        within_cap=Share(len(recaps) - len(over), over),
        by_recap=answered([recap] for _ in probes),
        by_recall=answered(recalled),
        by_both=answered([recap, *texts] for texts in recalled),
        by_expansion=answered([reached.get(message, "") for message in probe.messages] for probe in probes),
    )
