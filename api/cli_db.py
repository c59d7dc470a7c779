"""`graphmem db`: the managed Neo4j; start and stop it, show its status, dump and load its graph."""

import os
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from api.cli_backup import erased_again, tell_erased_again
from api.managed import managed_server as of_settings
from graphmem.adapters.downloads import Progress as Report
from graphmem.adapters.erasures import ErasureFiles
from graphmem.adapters.neo4j_conf import USER
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import load_settings

db_app = typer.Typer(help="The managed Neo4j: start and stop it, dump and load its graph.", no_args_is_help=True)

OWN_DATABASE = 2
"""Exit code of a command that only makes sense for the managed server."""


def managed_server() -> ManagedServer:
    """The managed server of the current settings.

    Errors: SettingsInvalid; exits with code 2 when the settings name an own Neo4j.
    """
    settings = load_settings()
    if settings.neo4j_uri:
        _err().print(
            f"GRAPHMEM_NEO4J_URI is set: {settings.neo4j_uri} is a Neo4j of your own, and graphmem does not "
            "start, stop or look after it; its own neo4j-admin dumps and loads it. Unset it to use the managed one.",
            soft_wrap=True,
            markup=False,
        )
        raise typer.Exit(OWN_DATABASE)
    return of_settings(settings)


@db_app.command()
def start(
    timeout_s: Annotated[float, typer.Option("--timeout", help="Seconds to wait for an answer.")] = 120,
) -> None:
    """Start Neo4j unless it runs; the first time it is fetched. It goes on running."""
    server = managed_server()
    with download_bar() as report:
        server.ensure_jars(report)
    with _err().status("Neo4j is starting"):
        running = server.start(notice=_say, timeout_s=timeout_s)
    _say(f"Neo4j {'runs now' if running.started_here else 'was running already'} (process {running.pid}).")
    _say(f"Bolt      {running.uri}")
    if running.http_url:
        _say(f"Browser   {running.http_url}/browser/")
    _say(f"User      {running.user}")
    _say(f"Password  in {server.password_file}")


@db_app.command()
def stop(
    timeout_s: Annotated[float, typer.Option("--timeout", help="Seconds to wait for its end.")] = 30,
) -> None:
    """Stop Neo4j; everything is stored when this returns."""
    stopped = managed_server().stop(timeout_s)
    _say("Neo4j has stopped." if stopped else "Neo4j was not running.")


@db_app.command()
def status() -> None:
    """Show whether Neo4j runs, where, and how much memory it takes."""
    server = managed_server()
    now = server.status()
    _say(f"State     {now.state}")
    _say(f"Version   {now.version}")
    _say(f"Data      {now.data_dir}")
    _say(f"AOT cache {'in use' if now.aot_in_use else server.aot_state()}")
    if now.pid is not None:
        _say(f"Process   {now.pid}, {now.rss_mb} MiB")
        _say(f"Bolt      {now.uri}")
    if now.http_url:
        _say(f"Browser   {now.http_url}/browser/")


@db_app.command()
def password() -> None:
    """Print the password of the user neo4j, and nothing else."""
    _say(managed_server().password())


@db_app.command()
def browser(
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the web browser of this machine.")] = False,
) -> None:
    """Show where Neo4j Browser is and how to log in."""
    server = managed_server()
    running = server.running()
    if running is None or running.http_url is None:
        _err().print("Neo4j is not running with its Browser. Start it: graphmem db start")
        raise typer.Exit(1)
    url = f"{running.http_url}/browser/"
    _say(f"Browser   {url}")
    _say(f"Connect   {running.uri}")
    _say(f"User      {USER}")
    _say(f"Password  in {server.password_file} (graphmem db password prints it)")
    if open_it:
        webbrowser.open(url)


@db_app.command()
def train() -> None:
    """Make the AOT cache now, which shortens later starts of Neo4j; takes a minute or two."""
    server = managed_server()
    with download_bar() as report:
        server.ensure_jars(report)
    from api.training import train_now

    with _err().status("Neo4j is being trained, on a store of its own"):
        made = train_now(load_settings())
    _say(f"The AOT cache is in {made}." if made else "Another process is making the AOT cache.")


@db_app.command()
def dump(
    file: Annotated[Path, typer.Argument(help="The file to write.", dir_okay=False)],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write the whole graph to a file, as neo4j-admin does; Neo4j is stopped for it."""
    from graphmem.adapters.neo4j_dump import dump as dump_graph

    server = managed_server()
    with _err().status("Neo4j is writing the graph"):
        size = dump_graph(server, file, force=force)
    ErasureFiles(server.data_dir).note_copy(file, "dump", datetime.now(UTC))
    _say(f"The graph is in {file} ({size} bytes). It holds all memories as they are: keep it safe.")


@db_app.command()
def load(
    file: Annotated[Path, typer.Argument(help="A file that `graphmem db dump` or neo4j-admin wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a graph that is not empty.")] = False,
) -> None:
    """Put the graph of a dump in place of the one there; Neo4j is stopped for it."""
    from api.dumps import load_graph

    server = managed_server()
    with download_bar() as report:
        server.ensure_jars(report)
    with _err().status("Neo4j is reading the graph"):
        load_graph(load_settings(), server, file, force=force, notice=_say)
    _say(f"The graph of {file} is in place.")
    tell_erased_again(erased_again([]))


@db_app.command()
def compact() -> None:
    """Write the files of the graph anew, without the bytes that deleted things left in them; nothing else may use
    Neo4j meanwhile."""
    from api.compacting import compact_store

    server = managed_server()
    with download_bar() as report:
        server.ensure_jars(report)
    with _err().status("Neo4j is writing its files anew"):
        before, after = compact_store(load_settings(), server, _say)
    _say(f"The files of the graph are written anew: {after >> 20} MiB, {before >> 20} MiB before.")


@contextmanager
def download_bar() -> Iterator[Report]:
    """A callback that shows the progress of a download; without a download it shows nothing."""
    columns = (
        TextColumn("Fetching Neo4j"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_err(), transient=True) as bar:
        task = bar.add_task("jars", visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield report


def _say(text: str) -> None:
    # Paths and passwords will be copied: no line breaks, no colours, no markup.
    typer.echo(text)


def _err() -> Console:
    return Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")))
