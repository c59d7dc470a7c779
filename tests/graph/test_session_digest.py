"""The summary of a session in a language that no parser reads: its most central sentences, not its first words."""

from typing import Any

import httpx

from graphmem.app import Graphmem
from tests.agents import embed

SMALL = [
    "Guten Morgen, schön dass du da bist.",
    "Wie war dein Wochenende am See?",
    "Herrlich, wir hatten Sonne und viel Wind.",
    "Dann fangen wir mal langsam an mit der Arbeit.",
]
BINDING = [
    "Wir nehmen die Bühne aus Holz, sie kostet 1.450 Euro und kommt am 12.10.",
    "Bitte nie ohne Rücksprache mit Frau Odermann die Halle aufschließen.",
    "Offen ist noch, wer am Samstag die Kasse macht.",
]


async def test_a_german_session_is_summed_up_by_what_matters(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    talk = [f"{text} ({n})" for n in range(12) for text in SMALL[n % 4 :]] + BINDING
    messages: list[dict[str, Any]] = [
        {"role": ("user", "assistant")[n % 2] if text not in BINDING else "user", "content": text}
        for n, text in enumerate(talk)
    ]
    response = await http.post("/api/sessions/buehne/messages", json={"messages": messages})
    assert response.status_code == 201, response.text
    ended = await http.post("/api/sessions/buehne/end", json={"force": True})
    assert ended.status_code in (200, 202), ended.text
    await embed(graphmem, agent_id)
    await graphmem.knowledge.learning.read_whole(agent_id, "buehne")
    await graphmem.knowledge.learning.summarise_session(agent_id, "buehne")
    found = await http.get("/api/sessions/summaries", params={"sessionId": "buehne", "kind": "session"})
    (summary,) = found.json()["items"]
    for text in BINDING[:2]:
        assert text in summary["content"]
