"""The list of hosts and origins in front of every route: a page in somebody's browser must not reach the memory.

A browser sends with each request where it goes (`Host`) and, with those that may change something, which page sends it
(`Origin`). A page can direct a browser to loopback, under its own name too, once that name resolves to loopback (DNS
rebinding), but it can change neither header.
"""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api import problems
from graphmem.settings import ANY_HOST, LOOPBACK_HOSTS, Settings

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing; what they answer, a browser shows to no page of another origin."""
FROM_ELSEWHERE = frozenset({"cross-site", "same-site"})
"""Values of `Sec-Fetch-Site` for a page of another origin."""
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s/?#@:\[\]]+)(?::(\d{1,5}))?", re.IGNORECASE)
_LISTED_CHARS = 100


@dataclass(frozen=True)
class Authority:
    """A host and, where one is named, its port; an IPv6 address stands without brackets."""

    host: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> "Authority | None":
        """What `host:port` says, None where it says nothing of the kind."""
        match = _AUTHORITY.fullmatch(text.strip())
        if match is None:
            return None
        return cls(match[1].strip("[]").lower().removesuffix("."), int(match[2]) if match[2] else None)

    @classmethod
    def of_origin(cls, origin: str) -> "Authority | None":
        """The authority of an origin such as `https://memory.example.org`; None for `null` and other schemes."""
        scheme, _, authority = origin.partition("://")
        return cls.read(authority) if scheme.lower() in ("http", "https") else None

    def covers(self, other: "Authority") -> bool:
        """True if `other` is this host at this port, or at any where this names none."""
        return self.host == other.host and self.port in (None, other.port)


class OnlyAllowed:
    """Answers 421 where a request names a foreign host, and 403 where one that may change something comes from a
    page of a foreign origin.

    Served are loopback, the host that is listened on, and `allowed_hosts`. A service that listens beyond loopback is
    also reached by addresses: a page can give loopback a name of its own, but no other address.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._any = ANY_HOST in settings.allowed_hosts
        named = (Authority.read(entry) for entry in settings.allowed_hosts)
        self._named = [authority for authority in named if authority]
        self._own = settings.host.strip("[]").lower()
        self._by_address = settings.host not in LOOPBACK_HOSTS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._any:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        foreign = next((host for host in hosts if not self._serves(host)), None)
        if foreign is not None:
            answer = problems.problem(
                421,
                "host_not_allowed",
                "This host is not served",
                f"{_shown(foreign)} is no host of this service. If it is reached under that name on purpose, "
                "GRAPHMEM_ALLOWED_HOSTS must list it.",
            )
        elif scope["method"] not in READING and (page := self._foreign_page(headers, hosts)):
            answer = problems.problem(
                403,
                "origin_not_allowed",
                "Pages of this origin may change nothing",
                f"The request comes from {page}. If a page of that host may use this service, "
                "GRAPHMEM_ALLOWED_HOSTS must list the host.",
            )
        else:
            await self._app(scope, receive, send)
            return
        await answer(scope, receive, send)

    def _serves(self, host: str) -> bool:
        authority = Authority.read(host)
        if authority is None:
            return False
        address = _address(authority.host)
        return (
            authority.host in ("localhost", self._own)
            or (address is not None and (address.is_loopback or self._by_address))
            or self._lists(authority)
        )

    def _foreign_page(self, headers: Headers, hosts: Sequence[str]) -> str | None:
        """Which foreign page sent a request; None for one of ours, and where no page did."""
        served = [Authority.read(host) for host in hosts]
        for origin in headers.getlist("origin"):
            authority = Authority.of_origin(origin)
            if authority is None or not (authority in served or self._lists(authority)):
                return f"a page of {_shown(origin)}"
        if "origin" not in headers and headers.get("sec-fetch-site") in FROM_ELSEWHERE:
            return "a page of another origin"
        return None

    def _lists(self, authority: Authority) -> bool:
        return any(entry.covers(authority) for entry in self._named)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _shown(sent: str) -> str:
    return repr(sent[:_LISTED_CHARS])
