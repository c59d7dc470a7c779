"""`graphmem remember` and `graphmem resolve` on a running service: what they print, and what they changed."""

import json
from collections.abc import Callable
from uuid import uuid4

import httpx
import pytest

from tests.service import Cli, Service

Command = Callable[..., list[str]]


@pytest.fixture
def agent() -> str:
    return f"clerk-{uuid4().hex}"


@pytest.fixture
def command(cli: Cli, service: Service, agent: str) -> Command:
    """The lines that a command prints for an agent of its own."""

    def run(*arguments: str) -> list[str]:
        done = cli(*arguments, "--url", service.url, "--agent", agent)
        assert done.returncode == 0, done.stderr
        return str(done.stdout).splitlines()

    return run


def test_statement_is_kept_with_its_claim_and_what_it_left_alone_is_settled(
    command: Command, service: Service, agent: str
) -> None:
    claim = ("--entity", "loft", "--slot", "key holder", "--value")
    (first,) = command("remember", "Ans has the key.", *claim, "Ans", "--since", "2026-01-02")
    old = first.split()[0]
    assert first == f"{old}  Ans has the key."
    (again,) = command("remember", "The key is with Ans.", *claim, "Ans")
    assert again == f"confirmed {old}  Ans has the key."
    beside = command("remember", "On Sundays it is Bep.", *claim, "Bep", "--scope", "Sundays", "--json")
    receipt = json.loads(beside[0])
    new = receipt["attributes"][0]["id"]
    assert receipt["related"] == [{"id": old, "content": "Ans has the key.", "why": "another scope"}]
    (settled,) = command("resolve", new, "supersedes", old, "--reason", "Ans left")
    assert settled.startswith(f"{new} supersedes {old}: supersession ")
    assert settled.endswith(" is applied")
    with httpx.Client(base_url=service.url, headers={"X-Agent-Id": agent}) as http:
        assert http.get(f"/api/memory/{old}").json()["status"] == "superseded"
        assert http.get(f"/api/memory/{old}").json()["validFrom"] == "2026-01-02T00:00:00Z"
    (withdrawn,) = command("resolve", new, "wrong")
    assert withdrawn == f"{new} wrong: it is deleted; restore brings it back"


def test_claim_or_verdict_that_makes_no_sense_ends_with_2(cli: Cli, service: Service) -> None:
    lacking = cli("remember", "Ans has it.", "--value", "Ans", "--url", service.url)
    assert (lacking.returncode, lacking.stdout) == (2, "")
    assert "give slot too" in lacking.stderr
    unknown = cli("resolve", "a", "perhaps", "b", "--url", service.url)
    assert unknown.returncode == 2
    assert "'same', 'supersedes', 'both' or 'wrong'" in unknown.stderr
