"""`graphmem doctor`: what is wrong with a memory, from a running service, and `--repair`, which uses the database and
makes a backup first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from api.cli_backup import make_folder, slot, written
from api.managed import on_database
from api.progress import bars, waiting
from graphmem.client import GraphmemClient
from graphmem.errors import Conflict, InvalidInput
from graphmem.model.answers import Examination
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.app import Graphmem

out = Console(soft_wrap=True, highlight=False)
VERIFY_S = 3600
"""Seconds that all texts of all agents may take."""


def doctor(
    url: Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")] = None,
    repair: Annotated[
        str | None, typer.Option("--repair", metavar="CODE", help="Put right what has this code, after a backup.")
    ] = None,
    backup: Annotated[
        Path | None,
        typer.Option("--backup", metavar="FILE", help="File of that backup; else one below the data folder."),
    ] = None,
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Repair without a backup.")] = False,
) -> None:
    """What is wrong with a memory and what to do; exits with 1 when anything is. Without --repair it changes
    nothing."""
    settings = load_settings()
    who = agent or settings.agent_id
    if repair is None:
        if backup or no_backup:
            raise InvalidInput("--backup and --no-backup belong to --repair CODE.")
        with GraphmemClient(url or settings.url, agent_id=who, key=settings.key_text) as client, waiting("Looking"):
            found = client.doctor()
        _tell(found)
        if not found.healthy:
            raise typer.Exit(1)
        out.print("Healthy.")
        return
    if url or (backup and no_backup):
        raise InvalidInput("--repair goes to the database, not to a service, and takes --backup FILE or --no-backup.")
    if backup and backup.exists():
        raise Conflict(f"{backup} is there already. Choose another name.")
    _repair(who, repair, None if no_backup else backup or slot(settings, repair))


def verify(
    url: Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Whose memory; else all that the key may see.")] = None,
) -> None:
    """Compute the hashes of messages, facts, payloads and history again, and check that everything derived still has
    its sources, for every agent; exits with 1 when anything is wrong. It changes nothing."""
    settings = load_settings()
    with (
        GraphmemClient(url or settings.url, agent_id=agent, key=settings.key_text, timeout_s=VERIFY_S) as client,
        waiting("Verifying"),
    ):
        found = client.verify()
    for one in found.agents:
        state = "as it was hashed" if one.healthy else "NOT as it was"
        waits = f", {one.unsealed} of them not sealed yet" if one.unsealed else ""
        out.print(f"{one.agent_id}: {state} ({one.messages} messages{waits}).", markup=False)
    for finding in found.findings:
        out.print(
            f"{finding.severity} {finding.code} ({finding.agent_id}): {finding.detail} {finding.fix}", markup=False
        )
    if not found.healthy:
        raise typer.Exit(1)
    out.print(f"Everything is as it was hashed, of {len(found.agents)} agents.")


def _repair(agent_id: str, code: str, backup: Path | None) -> None:
    """Repair one finding and check again: what is still found is reported, and the command exits with 1."""
    from graphmem.app import open_care
    from graphmem.services.operation.repair import require_repairable

    require_repairable(code)

    async def work(graphmem: "Graphmem") -> bool:
        with bars() as tell:
            before = _of(await graphmem.operation.doctor.examine(agent_id, tell), code)
        if before.healthy:
            out.print(f"There is nothing to repair: the doctor does not find {code}.", markup=False)
            return True
        if backup:
            make_folder(backup)
            with bars() as tell:
                counted = await written(graphmem.operation.backups, backup, tell)
            out.print(f"{counted.nodes} nodes are in {backup}.", markup=False)
        with waiting("Repairing"):
            done = await graphmem.operation.repairs.repair(agent_id, code)
        out.print(f"{code}: {done.changed} changed.", markup=False)
        for sentence in done.left:
            out.print(sentence, markup=False)
        with bars() as tell:
            after = _of(await graphmem.operation.doctor.examine(agent_id, tell), code)
        _tell(after)
        return after.healthy and not done.left

    if not on_database(open_care, work):
        raise typer.Exit(1)


def _of(found: Examination, code: str) -> Examination:
    """The findings with one code."""
    same = tuple(one for one in found.findings if one.code == code)
    return Examination(healthy=not same, findings=same)


def _tell(found: Examination) -> None:
    for finding in found.findings:
        out.print(f"{finding.severity} {finding.code}: {finding.detail} {finding.fix}", markup=False)
