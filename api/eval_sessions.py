"""What a running service makes of labelled conversations: its turns, its recaps, and what can still be found.

Each conversation is sent for an agent of its own, so that nothing else is recalled; the agents stay on the service.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from api.filler import Message, long_session, tokens_of
from graphmem.errors import DatabaseUnavailable, GraphmemError
from graphmem.model.inputs import MAX_TOKENS
from graphmem.model.labels_continuity import ContinuousConversation, Mode, ProbeLabel
from graphmem.model.turns import OVERLAYS
from graphmem.rules.agreement import SeenTurn, Share
from graphmem.rules.text import count_tokens

CAPS = (4000, 1000, 300)
"""Caps for which a recap is asked; the first is the default, and the one that is measured further."""
RECALLED = 10
"""Hits of the one recall that a probe has."""
BATCH = 200
TIMEOUT_S = 900.0
WAIT_S = 600
"""The longest wait for a session to be processed that one request may ask for; it is asked again."""
ROUNDS = 6


@dataclass(frozen=True)
class LongSession:
    """What is left of a long session. `ratio`: tokens of all that was said, for one of the recap. The shares count
    probes, `within_cap` recaps."""

    tokens: int
    ratio: float
    within_cap: Share
    by_recap: Share
    by_recall: Share
    by_both: Share
    by_expansion: Share


class Agent:
    """One agent of a service, one session of it. Errors of every call: DatabaseUnavailable, GraphmemError with what the
    service answered."""

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
        """Stores the session, ends it, and waits until all is done that follows from that."""
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
        path, cursor = f"/api/sessions/{self.session}/turns?explain=1&limit=500", ""
        while True:
            page = self.call("GET", path + cursor)
            for turn in page["items"]:
                linked = tuple(one["messageId"] for one in turn["references"] or ())
                scores = {overlay: float(turn["overlays"][overlay]) for overlay in OVERLAYS}
                yield SeenTurn(turn["messageId"], scores, turn["paradigmShift"], linked)
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
        """The messages, by id, that are reached from the session's summaries and its stored recap, step by step."""
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
    """The turns and the mode of its recap, as the service at this address answers them. Errors: as Agent's calls."""
    sent: list[Message] = [message.model_dump(mode="json", exclude_none=True) for message in conversation.messages]
    with Agent(url, conversation.id) as agent:
        agent.send(sent, conversation.project)
        mode: Mode = agent.recap()["mode"]
        return list(agent.turns()), mode


def continue_long(conversation: ContinuousConversation, tokens: int, url: str) -> LongSession:
    """What is left of it in a session of so many tokens. Errors: as Agent's calls."""
    messages = long_session(conversation, tokens)
    with Agent(url, f"{conversation.id}-long") as agent:
        agent.send(messages, conversation.project)
        recaps = {cap: str(agent.recap(cap)["text"]) for cap in CAPS}
        recalled = {probe.question: agent.recalled(probe.question) for probe in conversation.probes}
        reached = agent.expanded()
    return left_of(conversation, sum(map(tokens_of, messages)), recaps, recalled, reached)


def left_of(
    conversation: ContinuousConversation,
    tokens: int,
    recaps: dict[int, str],
    recalled: dict[str, list[str]],
    reached: dict[str, str],
) -> LongSession:
    """Counts. `recaps`: the text for each cap; `recalled`: the texts of each question's hits; `reached`: the contents
    of the messages that expansion came to."""
    recap = recaps[CAPS[0]]
    over = [(cap, count_tokens(text)) for cap, text in recaps.items() if count_tokens(text) > cap]
    id_ = conversation.id

    def answered(texts: dict[str, list[str]]) -> Share:
        missed = [probe for probe in conversation.probes if not probe.answered_by(*texts[probe.question])]
        told = tuple(f"{id_}: {probe.question}" for probe in missed)
        return Share(len(conversation.probes) - len(missed), told)

    def held(probe: ProbeLabel) -> list[str]:
        return [reached.get(message, "") for message in probe.messages]

    return LongSession(
        tokens=tokens,
        ratio=tokens / max(1, count_tokens(recap)),
        within_cap=Share(len(recaps) - len(over), tuple(f"{id_}: {size} tokens for {cap}" for cap, size in over)),
        by_recap=answered({probe.question: [recap] for probe in conversation.probes}),
        by_recall=answered(recalled),
        by_both=answered({question: [recap, *texts] for question, texts in recalled.items()}),
        by_expansion=answered({probe.question: held(probe) for probe in conversation.probes}),
    )
