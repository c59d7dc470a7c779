"""How many requests a key may send."""

import math
import time
from collections.abc import Callable

from graphmem.errors import RateLimited
from graphmem.settings import LOOPBACK_HOSTS, Settings

BEYOND_LOOPBACK = 6_000
"""Requests a minute where others can reach the service and nothing is set."""
REMEMBERED = 10_000


class RateLimit:
    """A key may send so many requests at once, and then as many a minute; 0: any number."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    @classmethod
    def of(cls, settings: Settings) -> "RateLimit":
        if settings.requests_per_minute is not None:
            return cls(settings.requests_per_minute)
        return cls(0 if settings.host in LOOPBACK_HOSTS else BEYOND_LOOPBACK)

    def take(self, who: str) -> None:
        """One request of a key. Errors: RateLimited with the seconds to wait."""
        if not self.per_minute:
            return
        now = self._clock()
        left, at = self._left.get(who, (float(self.per_minute), now))
        left = min(self.per_minute, left + (now - at) * self.per_minute / 60)
        if left < 1:
            wait_s = math.ceil((1 - left) * 60 / self.per_minute)
            raise RateLimited(
                f"The key has sent more than {self.per_minute} requests a minute: try again in {wait_s} s. "
                "GRAPHMEM_REQUESTS_PER_MINUTE sets the number.",
                wait_s,
            )
        if len(self._left) >= REMEMBERED and who not in self._left:
            self._left.clear()
        self._left[who] = (left - 1, now)
