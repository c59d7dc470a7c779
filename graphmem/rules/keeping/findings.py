"""What the doctor can find: the severity of each finding, what to do about it, and whether a program can do it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphmem.model.answers import Finding

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Kind:
    """`fix` says what a person has to do, or, if it can be repaired, what `graphmem doctor --repair` does."""

    severity: Severity
    fix: str
    repairable: bool = True


FINDINGS: Mapping[str, Kind] = {
    "schema_mismatch": Kind("error", "Run the version of graphmem that made this schema.", repairable=False),
    "schema_behind": Kind("error", "applies them, as `graphmem migrate` does."),
    "index_missing": Kind("error", "makes them again; searches that need them fail until then."),
    "index_failed": Kind(
        "error", "drops them and makes them again. Look into Neo4j's log first: the disk may be full."
    ),
    "index_populating": Kind("warning", "waits for them; searches find less until then."),
    "index_out_of_sync": Kind("error", "drops them and makes them again from the texts."),
    "embedder_off": Kind(
        "warning",
        "Set GRAPHMEM_EMBEDDING_URL right, or run `graphmem setup` and start again.",
        repairable=False,
    ),
    "setting_doubtful": Kind(
        "warning",
        "Change the setting, or leave it if that is meant; `graphmem settings` explains it.",
        repairable=False,
    ),
    "memory_empty": Kind(
        "warning",
        "Send a session's messages, or check the agent: X-Agent-Id, the key, or GRAPHMEM_AGENT_ID.",
        repairable=False,
    ),
    "ordinals_with_gaps": Kind(
        "error",
        "numbers the messages that are there anew and counts them again. Messages that are gone come back by "
        "`graphmem restore` only: look for a backup that holds them first.",
    ),
    "chain_broken": Kind("error", "links each message to the next one again."),
    "source_lineage": Kind("warning", "gives them their session's source and project; `unknown` where there is none."),
    "message_oversized": Kind("warning", "moves their texts to payload files; they stay findable."),
    "message_inline_base64": Kind("warning", "moves the files in them to payload files, byte for byte."),
    "archive_incomplete": Kind("warning", "carries the archiving, or the restoring, of these sessions to its end."),
    "orphans": Kind(
        "error",
        "hangs them up again where their own properties say where they belong; a memory whose words are gone comes "
        "back by `graphmem restore` only.",
    ),
    "text_without_vector": Kind("error", "has them embedded."),
    "text_without_grams": Kind(
        "warning", "makes them, so that grep finds these texts; `graphmem serve` does it in time."
    ),
    "memory_altered": Kind(
        "error",
        "lets them say again what they said, where their seals or keys still prove it. Somebody wrote to the database "
        "past graphmem; the others come back by `graphmem restore` only.",
    ),
    "fact_altered": Kind(
        "error",
        "lets them say again what they said, where their seals or keys still prove it, and puts the others in "
        "quarantine: nothing is deleted. Somebody wrote to the database past graphmem; facts that are gone come back "
        "by `graphmem restore` only.",
    ),
    "fact_quarantined": Kind(
        "warning",
        "They were altered, and stay out of every answer. Look at each (`GET /api/memory/{id}`): remember what is "
        "right, then erase it; or bring it back as it is (`POST /api/memory/{id}/restore`).",
        repairable=False,
    ),
    "fact_key_wrong": Kind("error", "makes their keys anew, so that a fact is kept once."),
    "supersession_broken": Kind(
        "error",
        "makes link and record agree with the facts, and opens circles at their youngest link; a successor that is "
        "gone comes back by `graphmem restore` only.",
    ),
    "entity_disliked": Kind(
        "warning",
        "Look at what is kept of them, and correct it or send it away; good feedback on it ends this too.",
        repairable=False,
    ),
    "payload_damaged": Kind(
        "error",
        "Put the folder `payloads` of the data folder back from a backup, or send these messages' content again, which "
        "writes the files anew.",
        repairable=False,
    ),
    "message_altered": Kind(
        "error",
        "Somebody wrote to the database past graphmem. Put the messages back from a backup: `graphmem restore`.",
        repairable=False,
    ),
    "summary_altered": Kind(
        "error",
        "Somebody wrote to the database past graphmem. Put the summaries back from a backup: `graphmem restore`.",
        repairable=False,
    ),
    "input_missing": Kind(
        "error",
        "What they were made of comes back by `graphmem restore` only; `GET /api/provenance/{id}` tells what hangs on "
        "them.",
        repairable=False,
    ),
    "input_changed": Kind(
        "warning",
        "Of statements, read the sessions again (`graphmem sessions extract`); summaries keep telling what was said "
        "then, and arcs are made anew (`POST /api/repair/condense`). "
        "`GET /api/provenance/{id}` tells what hangs on them.",
        repairable=False,
    ),
    "secrets_stored": Kind(
        "warning", "They came before GRAPHMEM_REDACT was set. Change the secrets they hold.", repairable=False
    ),
    "events_unsealed": Kind(
        "warning", "chains them; `graphmem serve` and `graphmem work` do, with GRAPHMEM_EVENT_SEAL_INTERVAL_S above 0."
    ),
    "history_broken": Kind(
        "error",
        "Somebody wrote to the database past graphmem. Compare with a backup, and restore it if you trust it more.",
        repairable=False,
    ),
    "jobs_failed": Kind("warning", "queues them again. Read their reasons in the status first."),
    "chore_failed": Kind("warning", "does it once more. Read its error in the status first."),
}
"""Every code the doctor knows; a test compares the doctor, its repairs and the documents with it."""


def finding(code: str, detail: str) -> Finding:
    """A finding with its severity and what to do.

    >>> finding("text_without_vector", "1 Message nodes: m1.").fix
    '`graphmem doctor --repair text_without_vector` has them embedded.'
    """
    kind = FINDINGS[code]
    fix = f"`graphmem doctor --repair {code}` {kind.fix}" if kind.repairable else kind.fix
    return Finding(code=code, severity=kind.severity, detail=detail, fix=fix)
