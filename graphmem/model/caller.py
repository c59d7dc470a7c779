"""The caller: the agent a request is for, and the key that makes a write happen once."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from graphmem.model.value import Value

AGENT_ID_RULE = "must be 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -"
_AGENT_ID = re.compile(r"[A-Za-z0-9._:@-]{1,128}")


def is_agent_id(text: str) -> bool:
    return _AGENT_ID.fullmatch(text) is not None


@dataclass
class Once:
    """An idempotency key with what identifies the request it came with.

    `encode` turns the service's answer into the status and body that a repeat gets; it runs in the transaction of the
    write, so that both are stored or neither. `kept`: that was done.
    """

    key: str
    route: str
    body_hash: str
    encode: Callable[[Value], tuple[int, str]]
    kept: bool = False


@dataclass(frozen=True)
class Caller:
    """The agent on whose behalf something is done; everything read or written is bound to it."""

    agent_id: str
    once: Once | None = None


class Replayed(Exception):
    """Raised by a write whose idempotency key was used before; carries the first answer, to be returned again."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__("this request was carried out before")
        self.status = status
        self.body = body
