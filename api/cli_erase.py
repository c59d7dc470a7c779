"""`graphmem erase` and `graphmem receipt`: delete words for good, and check a receipt. They use the database, not the
service."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from api.managed import managed_server, on_database
from api.progress import waiting
from graphmem.adapters.erasures import ErasureFiles, files_holding
from graphmem.errors import Conflict, InvalidInput, ServerFailed, SetupFailed
from graphmem.model.caller import Caller
from graphmem.model.erasing import Erase, Erased, EraseSubject
from graphmem.services.operation.erasing import signed_text
from graphmem.settings import Settings, load_settings

if TYPE_CHECKING:
    from graphmem.app import Graphmem


def erase(
    entity: Annotated[str | None, typer.Option("--entity", help="An entity, by id or any name.")] = None,
    person: Annotated[str | None, typer.Option("--person", help="A person: whatever says one of the names.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="A session, or the one of --message.")] = None,
    message: Annotated[str | None, typer.Option("--message", help="A message.")] = None,
    payload: Annotated[str | None, typer.Option("--payload", help="A payload, by its SHA-256.")] = None,
    memory: Annotated[str | None, typer.Option("--memory", help="A memory or a fact.")] = None,
    confirm: Annotated[bool, typer.Option("--confirm", help="Do it; else only say what would be erased.")] = False,
    receipt: Annotated[
        Path | None, typer.Option("--receipt", metavar="FILE", help="Write the signed receipt to this file.")
    ] = None,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact/--no-compact", help="Write the files of the managed Neo4j anew afterwards, and search them."
        ),
    ] = True,
    agent: Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")] = None,
) -> None:
    """Erase the words of one thing from everything, for good. Without --confirm it only says how much would go."""
    settings = load_settings()
    subject = _subject(
        entity=entity, person=person, session_id=session, message_id=message, payload=payload, memory_id=memory
    )
    if receipt and receipt.exists():
        raise Conflict(f"{receipt} is there already. Choose another name.")
    caller, given = Caller(agent or settings.agent_id), Erase(subject=subject, confirm=confirm)

    async def work(graphmem: "Graphmem") -> tuple[Erased, list[str]]:
        return await graphmem.operation.erasing.erase_telling(caller, given)

    from graphmem.app import open_care

    with waiting("Erasing" if confirm else "Counting"):
        erased, words = on_database(open_care, work)
    if confirm and compact and settings.neo4j_uri is None:
        erased = _compacted(settings, erased, words)
    _tell(erased)
    if receipt and confirm:
        try:
            receipt.write_text(erased.model_dump_json(by_alias=True, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise SetupFailed(f"{receipt} cannot be written: {error.strerror}.") from error
    if confirm and not (erased.receipt.verified and erased.receipt.files.state != "found"):
        raise typer.Exit(1)


def receipt(
    file: Annotated[Path, typer.Argument(help="A file with the answer of an erasure.", dir_okay=False)],
) -> None:
    """Check that a receipt was signed here and was not changed since; exits with 1 otherwise."""
    try:
        erased = Erased.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, ValidationError, ValueError) as error:
        raise InvalidInput(f"{file} is no answer of an erasure.") from error
    records = ErasureFiles(load_settings().data_dir)
    if erased.signature is None or not records.is_signed(signed_text(erased.receipt), erased.signature):
        typer.echo("The receipt was not signed here, or was changed.")
        raise typer.Exit(1)
    typer.echo(f"The receipt of {erased.receipt.at.isoformat()} is as it was signed here.")


def _subject(**given: str | None) -> EraseSubject:
    try:
        return EraseSubject.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise InvalidInput("; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())) from None


def _compacted(settings: Settings, erased: Erased, words: list[str]) -> Erased:
    """The answer once the files were written anew and searched; as it is where others use the database."""
    from api.compacting import compact_store

    server = managed_server(settings)
    ran = server.running() is not None
    try:
        with waiting("Writing the files of the graph anew"):
            compact_store(settings, server, typer.echo)
            with server.stopped() as home:
                searched, found = files_holding([home.folder, settings.data_dir / "payloads"], words)
            if ran:
                server.start()
    except ServerFailed as error:
        typer.echo(f"The files of the graph were not written anew: {error}", err=True)
        return erased

    async def sign(graphmem: "Graphmem") -> Erased:
        return await graphmem.operation.erasing.with_files(erased, searched, len(found))

    from graphmem.app import open_care

    return on_database(open_care, sign)


def _tell(erased: Erased) -> None:
    receipt = erased.receipt
    told = ", ".join(f"{number} {label}" for label, number in sorted(receipt.deleted.items())) or "nothing"
    if receipt.preview:
        least = "" if receipt.exact else " at least"
        typer.echo(f"Would be erased{least}: {told}.")
        if receipt.held_by:
            typer.echo(f"A legal hold keeps it: {', '.join(receipt.held_by)}.")
        typer.echo("Nothing was changed; --confirm does it.")
        return
    typer.echo(f"Erased: {told}.")
    if receipt.verified:
        typer.echo(f"Nothing is left of {receipt.canaries} canaries in {json.dumps(receipt.searched)}.")
    else:
        typer.echo(f"Still held by: {', '.join(receipt.left)}.")
    if receipt.said_elsewhere:
        typer.echo(f"{receipt.said_elsewhere} other texts say some of the same by themselves, and stay.")
    files = receipt.files
    typer.echo(f"Files of the database: {files.state}, {files.found} of {files.searched}.")
    if files.advice:
        typer.echo(files.advice)
    for copy in receipt.older_copies:
        typer.echo(f"A {copy.kind} from before holds it still: {copy.path}{'' if copy.exists else ' (not there now)'}")
