"""Circuit breaker and spend guard for language models: a failing route rests, and spending is bounded."""

from collections import deque
from dataclasses import dataclass, field

FAILURES = 2
REST_S = 300.0
"""Failures in a row after which a route rests, and for how long; a failure right after the rest begins another one.
Source: hermes-lcm, LCM_SUMMARY_CIRCUIT_BREAKER_*."""
HOUR_S = 3600.0
DAY_S = 86_400.0


@dataclass(slots=True)
class Breaker:
    """Whether one route may be used. Times are seconds of any monotonic clock."""

    failures: int = 0
    rests_until: float = 0.0
    most: int = FAILURES
    rest_s: float = REST_S

    def is_open(self, now: float) -> bool:
        """Whether the route rests."""
        return now < self.rests_until

    def failed(self, now: float) -> None:
        self.failures += 1
        if self.failures >= self.most:
            self.rests_until = now + self.rest_s

    def succeeded(self) -> None:
        self.failures, self.rests_until = 0, 0.0


@dataclass(slots=True)
class SpendGuard:
    """Most tokens in any hour and any day; 0: unlimited."""

    per_hour: int
    per_day: int
    _spent: deque[tuple[float, int]] = field(default_factory=deque)

    def allows(self, tokens: int, now: float) -> bool:
        """Whether this many more stay within both bounds."""
        while self._spent and self._spent[0][0] <= now - DAY_S:
            self._spent.popleft()
        day = sum(number for _, number in self._spent)
        hour = sum(number for at, number in self._spent if at > now - HOUR_S)
        return not ((self.per_hour and hour + tokens > self.per_hour) or (self.per_day and day + tokens > self.per_day))

    def spent(self, tokens: int, now: float) -> None:
        self._spent.append((now, tokens))
