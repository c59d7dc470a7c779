"""Keys by which the store recognises equal things. Hashes, so that no text is too long for an index."""

import hashlib
import json

from graphmem.rules.language.text import fold

KEY_PREFIX = "gm_"
"""The prefix of every key of ours, so that people and secret scanners recognise it."""


def agent_key(agent_id: str) -> str:
    """The word under which an agent's texts are found in a full-text index: one token, whatever the analyser."""
    return "k" + hashlib.sha256(agent_id.encode()).hexdigest()[:32]


def canonical_json(value: object) -> str:
    """JSON with sorted keys and no spaces: the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256_hex(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def normalised(content: str) -> str:
    """A statement normalised for comparison: folded, single spaces, no final punctuation.

    >>> normalised("  Billing uses  Redis. ")
    'billing uses redis'
    """
    return " ".join(fold(content).split()).rstrip(".!?;, ")


def content_key(content: str) -> str:
    """The key under which a statement is stored once."""
    return sha256_hex(normalised(content))[:40]


def fact_key(entity_id: str, content: str) -> str:
    """The key under which an entity holds a fact once while it is active."""
    return sha256_hex(f"{entity_id}\n{normalised(content)}")[:40]


def dependency_key(source_id: str, target_id: str, type_: str) -> str:
    """The key under which one edge of a type is active between two entities."""
    return sha256_hex(f"{source_id}\n{target_id}\n{type_}")[:40]


def exact_fingerprint(
    role: str, name: str | None, content: object, tool_calls: object, tool_call_id: str | None
) -> str:
    """The fingerprint that version 0.1.0 stored with messages: it differs with every sign of how one is written."""
    return sha256_hex(canonical_json([role, name, content, tool_calls, tool_call_id]))


def derived_id(id_: str, name: str) -> str:
    """An id of the same moment as this UUIDv7, deterministic by name: so a repeated operation is recorded once.

    >>> derived_id("0199aaaa-0000-7000-8000-000000000000", "1")
    '0199aaaa-0000-7a5d-8911-d5d5e26f783c'
    """
    digest = sha256_hex(f"{id_}\n{name}")
    return f"{id_[:15]}{digest[:3]}-{'89ab'[int(digest[3], 16) % 4]}{digest[4:7]}-{digest[7:19]}"
