"""The key scope that each route needs. A test compares this table with the served routes."""

from collections.abc import Mapping

from graphmem.model.keys import KeyScope

OPEN = frozenset(
    {
        "GET /",
        "GET /healthz",
        "GET /readyz",
        "GET /docs",
        "GET /docs/files/{name}",
        "GET /docs/oauth2-redirect",
        "GET /redoc",
        "GET /openapi.json",
    }
)
"""Routes that need no key: they reveal nothing of any memory."""

NEEDED: Mapping[str, KeyScope] = {
    "POST /api/sessions": "write",
    "GET /api/sessions": "read",
    "GET /api/sessions/{sessionId}": "read",
    "POST /api/sessions/load": "read",
    "POST /api/sessions/{sessionId}/messages": "write",
    "GET /api/sessions/{sessionId}/messages": "read",
    "GET /api/sessions/{sessionId}/turns": "read",
    "POST /api/sessions/{sessionId}/end": "write",
    "POST /api/sessions/{sessionId}/compact": "write",
    "POST /api/sessions/{sessionId}/context": "read",
    "GET /api/sessions/{sessionId}/recap": "read",
    "POST /api/sessions/{sessionId}/recap": "write",
    "GET /api/sessions/summaries": "read",
    "POST /api/sessions/summaries/{id}/expand": "read",
    "GET /api/messages/{id}": "read",
    "GET /api/describe/{id}": "read",
    "GET /api/provenance/{id}": "read",
    "GET /api/expand/{id}": "read",
    "GET /api/payloads/{sha256}": "read",
    "POST /api/memory/remember": "write",
    "POST /api/memory/resolve": "write",
    "POST /api/memory/recall": "read",
    "POST /api/memory/grep": "read",
    "POST /api/memory/expand": "read",
    "POST /api/memory/expand-query": "read",
    "POST /api/memory/query": "read",
    "POST /api/memory/feedback": "write",
    "POST /api/memory/contradiction": "read",
    "POST /api/memory/supersede": "write",
    "GET /api/memory/supersessions": "read",
    "POST /api/memory/supersessions/{id}/accept": "write",
    "POST /api/memory/supersessions/{id}/reject": "write",
    "POST /api/memory/supersessions/{id}/undo": "write",
    "GET /api/memory/{id}": "read",
    "PATCH /api/memory/{id}": "write",
    "DELETE /api/memory/{id}": "write",
    "POST /api/memory/{id}/restore": "write",
    "GET /api/memory/{id}/history": "read",
    "POST /api/memory/erase": "admin",
    "GET /api/graph/entities": "read",
    "POST /api/graph/entities": "write",
    "GET /api/graph/entities/{idOrName:path}": "read",
    "PATCH /api/graph/entities/{id}": "write",
    "DELETE /api/graph/entities/{id}": "write",
    "POST /api/graph/entities/{id}/restore": "write",
    "POST /api/graph/entities/{id}/merge": "write",
    "GET /api/graph/merges": "read",
    "POST /api/graph/merges/{id}/accept": "write",
    "POST /api/graph/merges/{id}/reject": "write",
    "POST /api/graph/merges/{id}/undo": "write",
    "PUT /api/graph/dependencies": "write",
    "DELETE /api/graph/dependencies/{id}": "write",
    "POST /api/graph/explore": "read",
    "POST /api/graph/impact": "read",
    "POST /api/graph/impact/what-if": "read",
    "POST /api/graph/impact/critical": "read",
    "GET /api/graph/export": "read",
    "POST /api/graph/import": "write",
    "GET /api/repair/cold-stats": "admin",
    "POST /api/repair/backfill-skipped": "admin",
    "POST /api/repair/retention": "admin",
    "POST /api/repair/supersession-sweep": "admin",
    "POST /api/repair/condense": "admin",
    "POST /api/repair/reindex": "admin",
    "POST /api/repair/rollback": "admin",
    "GET /api/repair/rollbacks": "admin",
    "POST /api/repair/rollbacks/{id}/undo": "admin",
    "POST /api/repair/upkeep": "admin",
    "GET /api/jobs/{jobId}": "read",
    "GET /api/status": "read",
    "GET /api/doctor": "read",
    "GET /api/verify": "read",
    "GET /api/telemetry/events": "admin",
    "GET /metrics": "read",
    "GET /mcp": "read",
    "POST /mcp": "read",  # a tool that writes needs more
}


def needed(method: str, path: str) -> KeyScope | None:
    """The scope a route needs, None for none; a route that is not listed needs the highest."""
    route = f"{method} {path}"
    return None if route in OPEN else NEEDED.get(route, "admin")
