"""`graphmem backup` and `graphmem restore`: everything in one file, and back. They use the database, not the
service."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from api.managed import on_database
from api.progress import bars, waiting
from graphmem.adapters.archive import ArchiveReader, ArchiveWriter
from graphmem.adapters.erasures import ErasureFiles
from graphmem.errors import Conflict, InvalidInput, SetupFailed
from graphmem.model.erasing import Erasure
from graphmem.services.operation.backup import Backups, Counted
from graphmem.services.ports import Tell, silent
from graphmem.settings import Settings, load_settings

File = Annotated[Path, typer.Argument(help="The file of the backup.", dir_okay=False)]


def backup(
    file: File, force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False
) -> None:
    """Write everything of all agents to one file: graph, payloads, settings without secrets. Services may go on
    running; their writes wait until it is done."""
    if file.exists() and not force:
        raise Conflict(f"{file} is there already. Choose another name, or say --force.")
    with bars() as tell:
        counted = _with_backups(lambda backups: written(backups, file, tell))
    typer.echo(f"{_words(counted)} in {file}.")


def restore(
    file: File,
    force: Annotated[
        bool, typer.Option("--force", help="First delete everything in the database, permanently.")
    ] = False,
) -> None:
    """Restore a backup into an empty database. Stop the services first."""
    if not file.exists():
        raise InvalidInput(f"{file} does not exist.")
    known: list[Erasure] = []

    async def work(backups: Backups) -> Counted:
        known[:] = await backups.data.erasures()
        return await backups.restore(archive, force=force, tell=tell)

    with ArchiveReader(file) as archive, bars() as tell:
        counted = _with_backups(work)
    typer.echo(f"{_words(counted)} are back.")
    tell_erased_again(erased_again(known))


def erased_again(known: list[Erasure]) -> int:
    """Erase from what was brought back what was erased since; how many erasures found something. Errors: as
    `Erasing.again`."""
    if not known and not ErasureFiles(load_settings().data_dir).all():
        return 0
    from graphmem.app import Graphmem, open_care

    async def work(graphmem: Graphmem) -> int:
        return await graphmem.operation.erasing.again(known)

    with waiting("Erasing again what was erased since"):
        return on_database(open_care, work)


def tell_erased_again(number: int) -> None:
    if number:
        typer.echo(
            f"{number} erasures from the list were carried out again. `graphmem db compact` removes their bytes from "
            "the files."
        )


def slot(settings: Settings, work: str) -> Path:
    """A new file below the data folder for the backup before an operation."""
    return settings.data_dir / "backups" / f"{datetime.now(UTC):%Y%m%dT%H%M%S}Z-before-{work}.backup"


def make_folder(file: Path) -> None:
    """The folder of a backup. Errors: SetupFailed."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SetupFailed(f"{file.parent} cannot be made: {error.strerror}.") from error


async def written(backups: Backups, file: Path, tell: Tell = silent) -> Counted:
    """Write a backup to this file and return its counts. Errors: as `Backups.write`; SetupFailed for a file that cannot
    be written."""
    try:
        with ArchiveWriter(file) as archive:
            counted = await backups.write(archive, tell)
    except OSError as error:
        raise SetupFailed(f"{file} cannot be written: {error.strerror}.") from error
    await backups.noted()
    ErasureFiles(backups.payloads.parent).note_copy(file, "backup", datetime.now(UTC))
    return counted


def _with_backups(work: Callable[[Backups], Awaitable[Counted]]) -> Counted:
    from graphmem.roots.operation import open_backups

    return on_database(open_backups, work)


def _words(counted: Counted) -> str:
    return f"{counted.nodes} nodes, {counted.relationships} relationships and {counted.payloads} payloads"
