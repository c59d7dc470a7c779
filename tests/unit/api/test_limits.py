"""A key may send so many requests at once, and then as many a minute."""

import pytest

from api.limits import BEYOND_LOOPBACK, RateLimit
from graphmem.errors import RateLimited
from graphmem.settings import load_settings


def test_a_key_has_its_requests_and_gets_new_ones_with_time() -> None:
    now = 100.0
    limit = RateLimit(6, clock=lambda: now)
    for _ in range(6):
        limit.take("a")
    with pytest.raises(RateLimited, match="more than 6 requests a minute") as refused:
        limit.take("a")
    assert refused.value.retry_after_s == 10
    limit.take("b")
    now += 10
    limit.take("a")
    with pytest.raises(RateLimited):
        limit.take("a")
    now += 3600
    for _ in range(6):
        limit.take("a")
    with pytest.raises(RateLimited):
        limit.take("a")


def test_without_a_number_there_is_no_limit() -> None:
    limit = RateLimit(0)
    for _ in range(10_000):
        limit.take("a")


@pytest.mark.parametrize(
    ("given", "most"),
    [
        ({}, 0),
        ({"GRAPHMEM_HOST": "0.0.0.0", "GRAPHMEM_REQUIRE_KEY": "true"}, BEYOND_LOOPBACK),  # noqa: S104 - nothing listens
        ({"GRAPHMEM_REQUESTS_PER_MINUTE": "5"}, 5),
        ({"GRAPHMEM_HOST": "10.0.0.1", "GRAPHMEM_REQUESTS_PER_MINUTE": "0"}, 0),
    ],
)
def test_on_loopback_there_is_none_unless_one_is_set(given: dict[str, str], most: int) -> None:
    assert RateLimit.of(load_settings(given)).per_minute == most
