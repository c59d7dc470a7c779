"""What answers are drawn from, beside what recall finds."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.answering import NearMessage


class AnswerReads(Protocol):
    """Messages with those said right before and behind them."""

    async def around(self, agent_id: str, ids: Sequence[str], known_at: datetime) -> list[NearMessage]: ...
