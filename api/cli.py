"""The command line: `graphmem serve`, `work`, `mcp`, `db …`, `keys …`, `migrate`, `ingest`, `demo`, `setup` …

What only one command needs is imported there: the web framework and the models take seconds, which `graphmem db status`
does not need.
"""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from api.cli_backup import backup, restore
from api.cli_code import impact, ingest_repo
from api.cli_db import db_app, download_bar
from api.cli_doctor import doctor, verify
from api.cli_entities import entities_app
from api.cli_erase import erase, receipt
from api.cli_import import import_app
from api.cli_ingest import ingest
from api.cli_jobs import jobs_app
from api.cli_keys import keys_app
from api.cli_preset import preset_app
from api.cli_reindex import reindex
from api.cli_remember import remember, resolve
from api.cli_sessions import sessions_app
from api.cli_settings import show_settings
from api.managed import managed_server, neo4j
from graphmem import __version__
from graphmem.errors import GraphmemError
from graphmem.settings import Settings, load_settings

app = typer.Typer(
    help="graphmem: a memory for agents that loses nothing and says when a fact is stale.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(db_app, name="db")
app.add_typer(keys_app, name="keys")
app.add_typer(sessions_app, name="sessions")
app.add_typer(jobs_app, name="jobs")
app.add_typer(entities_app, name="entities")
app.add_typer(preset_app, name="preset")
app.add_typer(import_app, name="import")
app.command()(ingest)
app.command(name="ingest-repo")(ingest_repo)
app.command()(impact)
app.command()(backup)
app.command()(restore)
app.command()(erase)
app.command()(receipt)
app.command()(doctor)
app.command()(verify)
app.command()(reindex)
app.command()(remember)
app.command()(resolve)
app.command(name="settings")(show_settings)
out = Console(soft_wrap=True, highlight=False)


@app.command()
def serve(
    port: Annotated[int | None, typer.Option(help="Port to listen on; else the one of the settings.")] = None,
) -> None:
    """Start Neo4j, the HTTP service and its worker; Ctrl-C stops everything that this started."""
    settings = load_settings()
    if port is not None:
        settings = settings.model_copy(update={"port": port})
    from api.serving import serve as serve_until_stopped

    serve_until_stopped(settings)


@app.command()
def work(
    beside: Annotated[int | None, typer.Option("--with", help="End when the process of this number has ended.")] = None,
) -> None:
    """Run one worker: it carries out jobs, embeds texts and chains history until it is stopped."""
    from api.serving import work as work_until_stopped

    asyncio.run(work_until_stopped(load_settings(), beside))


@app.command()
def mcp() -> None:
    """Speak MCP over standard input and output, for one client that starts and ends this; the log is on standard
    error."""
    settings = load_settings()
    from api.mcp_stdio import speak

    asyncio.run(speak(settings))


@app.command()
def setup() -> None:
    """Fetch what the local defaults need, Neo4j and the embedding model, so that later starts work without a
    network."""
    settings = load_settings()
    fetch(settings)
    out.print(f"Everything is in {settings.cache_dir}.")


@app.command(name="demo")
def run_demo(
    story: Annotated[
        Path | None,
        typer.Argument(help="A transcript in our JSONL; else the sample story.", exists=True, dir_okay=False),
    ] = None,
) -> None:
    """Serve, load a story, show what was learned from it, and serve until Ctrl-C."""
    settings = load_settings()
    fetch(settings)
    from api import demo

    demo.run(settings, story or demo.sample_story())


@app.command()
def migrate(
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 when the schema is not current.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done.")] = False,
) -> None:
    """Bring the schema of the database up to date."""
    asyncio.run(_migrate(load_settings(), check=check, dry_run=dry_run))


@app.command(name="eval")
def evaluate(
    part: Annotated[
        str, typer.Argument(metavar="PART", help="truth, extraction, supersession, continuity, stories or answers.")
    ],
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder with labelled conversations, pairs or stories; of stories also one file."),
    ] = None,
    misses: Annotated[
        str | None,
        typer.Option("--misses", metavar="NAME", help="Tell what was wrong or missed in this folder or file."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="URL", help="The service to ask about truth, continuity or stories, as new agents."
        ),
    ] = None,
) -> None:
    """Measure a part of graphmem on labelled examples. Truth and stories start a service of their own, unless --url
    names one."""
    from api.cli_eval import evaluate as measure

    measure(part, folder, misses, url)


@app.command(name="try")
def try_rule(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="redact, glob, contradiction, extract or impact.")],
) -> None:
    """Try a rule on JSON lines from standard input; each is answered by one line. Nothing is started or written."""
    from api.cli_try import try_lines

    try_lines(rule)


@app.command()
def version() -> None:
    """The version of graphmem."""
    out.print(__version__)


def fetch(settings: Settings) -> None:
    """Fetch everything the settings need from the network into the cache."""
    from graphmem.adapters.model_assets import ensure_minilm

    if settings.neo4j_uri is None:
        with download_bar() as report:
            managed_server(settings).ensure_jars(report)
    if settings.embedding_url is None and settings.embedding_model is None:
        ensure_minilm(settings.cache_dir, out.print)


async def _migrate(settings: Settings, *, check: bool, dry_run: bool) -> None:
    from graphmem.app import Graphmem
    from graphmem.opening import connect_database, pending_migrations

    with neo4j(settings) as server:
        if check or dry_run:
            database = await connect_database(settings, server)
            try:
                pending = await pending_migrations(database)
            finally:
                await database.close()
            for line in pending:
                out.print(line, markup=False)
            out.print(f"{len(pending)} migrations to apply." if pending else "The schema is current.")
            if check and pending:
                raise typer.Exit(1)
        else:
            opened = await Graphmem.open(settings, server, notice=out.print)
            await opened.close()
            out.print("The schema is current.")


def main() -> None:
    """The entry point: our errors become one line and an exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops like Ctrl-C
    try:
        app()
    except GraphmemError as error:
        Console(stderr=True, soft_wrap=True, highlight=False).print(
            f"{error.title}. {error}", style="red", markup=False
        )
        from api.problems import exit_code_of

        sys.exit(exit_code_of(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
