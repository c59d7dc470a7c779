"""The first minute with graphmem: a story is loaded through the HTTP API, and what was learned is shown."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from rich.console import Console

from api.managed import managed_server
from api.serving import require_free_port
from api.transcripts import Loaded, load, read_transcript
from graphmem.client import GraphmemClient
from graphmem.errors import DatabaseUnavailable, GraphmemError, ServerFailed
from graphmem.settings import Settings

AGENT = "demo"
PATIENCE_S = 600.0
"""How long the story waits for a database that was lost."""
SAMPLE = "atlas-shop.jsonl"
QUESTION = "Who owns billing-service?"
SUBJECT = "billing-service"
CHANGED = "PostgreSQL"
out = Console(soft_wrap=True, highlight=False)


def sample_story() -> Path:
    """The sample story: inside the installed package, else in the source tree."""
    package = Path(str(files("api")))
    installed = package / "_examples" / SAMPLE
    return installed if installed.is_file() else package.parent / "examples" / SAMPLE


def run(settings: Settings, story: Path) -> None:
    """Serve in a separate process, load the story, show what was learned, and run until Ctrl-C.

    Errors: ServerFailed when the service ends by itself.
    """
    with story.open(encoding="utf-8") as lines:
        sessions = read_transcript(lines)
    require_free_port(settings)
    quiet = {"GRAPHMEM_LOG_LEVEL": "warning"} | os.environ  # its lines would mix with ours
    if settings.aot_cache == "auto":
        quiet["GRAPHMEM_AOT_CACHE"] = "use"  # no training for later starts during a demo
    service = subprocess.Popen([sys.executable, "-P", "-m", "api.cli", "serve"], env=quiet)
    try:
        with GraphmemClient(settings.url, agent_id=AGENT, key=settings.key_text, patience_s=PATIENCE_S) as client:
            with out.status("Neo4j and the service are starting"):
                _wait_ready(client, service)
            loaded = load(client, sessions, wait=True)
            with _told("The story is loaded. What was learned cannot be shown now"):
                show(client, loaded, story)
        _show_addresses(settings)
        service.wait()
    except KeyboardInterrupt:
        out.print("\nStopping.")
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            service.terminate()
            service.wait()
    if service.returncode not in (0, -2, -15, 130):
        raise ServerFailed("The service ended by itself; its last lines above say why.")


def _wait_ready(client: GraphmemClient, service: "subprocess.Popen[bytes]") -> None:
    """The service says what it waits for, and ends when it is in vain."""
    while not client.is_ready():
        if service.poll() is not None:
            raise ServerFailed("The service ended while it started; its last lines above say why.")
        time.sleep(0.1)


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    """A database that was lost does not end the demo."""
    try:
        yield
    except DatabaseUnavailable as error:
        out.print(f"{what}: {error}", markup=False)


def show(client: GraphmemClient, loaded: Loaded, story: Path) -> None:
    """Print what was learned from the story."""
    status = client.status()
    counts = status.counts
    again = " (all of it was there already)" if not loaded.stored else ""
    _title(f"{story.name}: {loaded.stored + loaded.duplicates} messages in {loaded.sessions} sessions{again}")
    out.print(
        f"learned {counts.entities} entities, {counts.attributes} facts and {counts.dependencies} dependencies; "
        f"{status.supersession.applied} facts were superseded"
    )
    for entity in sorted(client.entities(limit=1000).items, key=lambda one: -one.mentions)[:8]:
        facts = entity.attribute_count + entity.constraint_count
        out.print(f"  {entity.name} [dim]{entity.type.value}, {entity.mentions} mentions, {facts} facts[/dim]")
    with contextlib.suppress(GraphmemError):
        _show_change(client)
    _show_recall(client)
    with contextlib.suppress(GraphmemError):
        _show_expansion(client)
    with contextlib.suppress(GraphmemError):
        _show_impact(client)


def _show_change(client: GraphmemClient) -> None:
    _title("A change of mind")
    for one in reversed(client.supersessions(status="applied", limit=3).items):
        old, new = client.fact(one.old_id), client.fact(one.new_id)
        signals = ", ".join(signal.name for signal in one.signals) or one.method
        out.print(f"  was  {old['content']}  [dim]until {old['validTo'][:10]}[/dim]")
        out.print(f"  is   {new['content']}  [dim]since {new['validFrom'][:10]}; {signals}, {one.confidence:.2f}[/dim]")


def _show_recall(client: GraphmemClient) -> None:
    _title(f"recall: {QUESTION}")
    for hit in client.recall(query=QUESTION, limit=3).hits:
        source = f"{hit.session_id} {', '.join(hit.message_ids)}" if hit.message_ids else hit.id
        out.print(f"  {hit.score:.2f}  {_short(hit.text)}  [dim]{hit.kind}, from {source}[/dim]")


def _show_expansion(client: GraphmemClient) -> None:
    _title(f"expand: {SUBJECT}")
    expansion = client.expand(entity=SUBJECT, max_tokens=600)
    for fact in expansion.constraints:
        out.print(f"  constraint  {_short(fact.content)}")
    for aspect in expansion.aspects:
        for fact in aspect.attributes:
            if fact.kind == "attribute":
                out.print(f"  {aspect.name}  {_short(fact.content)}  [dim]{', '.join(fact.message_ids)}[/dim]")


def _show_impact(client: GraphmemClient) -> None:
    _title(f"impact: what breaks if {CHANGED} changes")
    for group in client.impact(entity_id=CHANGED).groups:
        names = ", ".join(f"{one.name} ({one.confidence:.2f})" for one in group.entities)
        out.print(f"  {group.depth}  {group.label:<17} {names}")


def _show_addresses(settings: Settings) -> None:
    _title("Serving until Ctrl-C")
    out.print(f"  API docs       {settings.url}/docs   (header X-Agent-Id: {AGENT})")
    if settings.neo4j_uri is None:
        server = managed_server(settings)
        running = server.running()
        if running and running.http_url:
            out.print(
                f"  Neo4j Browser  {running.http_url}/browser/   user {running.user}, "
                f"password in {server.password_file}"
            )


def _title(text: str) -> None:
    out.print(f"\n[bold]{text}[/bold]")


def _short(text: str, most: int = 110) -> str:
    line = " ".join(text.split()).replace("[", "\\[")
    return line if len(line) <= most else line[: most - 1] + "…"
