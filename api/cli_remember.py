"""`graphmem remember` and `graphmem resolve`: keep a statement with the claim it makes, and settle how facts stand to
each other, on a running service."""

from typing import Annotated, Any

import typer

from graphmem.client import GraphmemClient
from graphmem.model.answers import RememberReceipt, Resolved, Settled
from graphmem.settings import load_settings

Url = Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


def remember(
    content: Annotated[str, typer.Argument(metavar="CONTENT", help="One plain sentence that names its subject.")],
    entity: Annotated[str | None, typer.Option("--entity", help="What it is about, by name.")] = None,
    slot: Annotated[str | None, typer.Option("--slot", help="What it says of the entity: owner, port.")] = None,
    value: Annotated[str | None, typer.Option("--value", help="The value of the slot.")] = None,
    scope: Annotated[list[str] | None, typer.Option("--scope", help="What narrows it; may be repeated.")] = None,
    negative: Annotated[bool, typer.Option("--negative", help="The slot does not have this value.")] = False,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="When it begins.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="When it ends.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Project it belongs to.")] = None,
    url: Url = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Keep one statement for good, and show what it superseded, confirmed, and left alone."""
    claim = {"slot": slot, "value": value, "scope": scope or None, "since": since, "until": until}
    claim = {name: given for name, given in claim.items() if given is not None}
    body: dict[str, Any] = {"content": content, "entity": entity, "project": project}
    if claim or negative:
        body["claim"] = claim | ({"polarity": "negative"} if negative else {})
    with _client(url, agent) as client:
        receipt = client.remember(**{name: given for name, given in body.items() if given is not None})
    typer.echo(receipt.model_dump_json(by_alias=True) if as_json else "\n".join(_kept(receipt)))


def resolve(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A fact, by its id.")],
    verdict: Annotated[
        str, typer.Argument(metavar="VERDICT", help="same, supersedes or both, said of ID and OTHER; or wrong.")
    ],
    other: Annotated[str | None, typer.Argument(metavar="OTHER", help="The other fact; wrong needs none.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why; kept in the history.")] = None,
    url: Url = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Settle how two facts stand to each other. It can be undone."""
    with _client(url, agent) as client:
        answer = client.resolve([{"id": id_, "verdict": verdict, "with": other}], reason)
    typer.echo(answer.model_dump_json(by_alias=True) if as_json else "\n".join(_settled(answer)))


def _client(url: str | None, agent: str | None) -> GraphmemClient:
    settings = load_settings()
    return GraphmemClient(url or settings.url, agent_id=agent or settings.agent_id, key=settings.key_text)


def _kept(receipt: RememberReceipt) -> list[str]:
    confirmed = {one.id for one in receipt.confirmed}
    lines = [f"{fact.id}  {fact.content}" for fact in receipt.attributes if fact.id not in confirmed]
    lines += [f"confirmed {one.id}  {one.content}" for one in receipt.confirmed]
    lines += [f"superseded {one.old_id}  {one.reason}" for one in receipt.superseded]
    lines += [f"proposed: {one.new_id} supersedes {one.old_id}  {one.reason}" for one in receipt.proposals]
    lines += [f"left alone {one.id}  {one.content} ({one.why})" for one in receipt.related]
    return lines or [f"kept {receipt.memory.id}, which states no fact that was understood"]


def _settled(answer: Resolved) -> list[str]:
    return [f"{one.id} {one.verdict}{f' {one.with_}' if one.with_ else ''}: {_record(one)}" for one in answer.settled]


def _record(settled: Settled) -> str:
    record = settled.supersession
    return f"supersession {record.id} is {record.status}" if record else "it is deleted; restore brings it back"
