"""The origin of imported messages: their ids, and the metadata of their sessions."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from api.transcripts.shape import MENDED, Gathered, fitting_id, fitting_name, instant, mended, short_hash
from graphmem import __version__
from graphmem.errors import InvalidInput

NO_TIME = "times that cannot be read; the message has the time of the import"
LONGEST_ID = 256
LONGEST_PREFIX = 100
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f/?#%\ud800-\udfff]")
_MILLISECONDS = 100_000_000_000
"""Numbers from here on count milliseconds since 1970: as seconds they lie beyond the year 5000."""


@dataclass(frozen=True)
class Origin:
    """One import. `kind` is the program that wrote the file; `import_id` separates its rows from those of other
    files."""

    kind: str
    namespace: str
    agent: str
    import_id: str

    @classmethod
    def of(cls, kind: str, file: Path, agent: str, namespace: str | None, import_id: str | None) -> "Origin":
        """The origin of a file; its import id is derived from the file's path unless one is given.

        Errors: InvalidInput for a namespace or import id that cannot begin an id.
        """
        given = {"--namespace": namespace or kind, "--import-id": import_id or path_hash(file)}
        for option, value in given.items():
            if fitting_id(value) is None or len(value) > 100:
                raise InvalidInput.at(option, msg="must have 1 to 100 characters, none of them '/', '?' or '#'")
        return cls(kind, given["--namespace"], agent, given["--import-id"])

    def session_id(self, source_session: str) -> str:
        """`<namespace>:<agent>:<source session>`; characters that an id cannot have are percent-encoded, a long one is
        cut and ends in a hash."""
        plain = _UNFIT.sub(lambda found: quote(found[0], safe="", errors="surrogatepass"), source_session)
        whole = f"{self.namespace}:{self.agent}:{plain}"
        return whole if len(whole) <= LONGEST_ID else f"{whole[: LONGEST_ID - 25]}~{short_hash(whole)}"

    def open(self, gathered: Gathered, source_session: str, facts: Mapping[str, object]) -> str:
        """A session in `gathered`; further information about it goes into its metadata."""
        session_id = self.session_id(source_session)
        about: dict[str, Any] = {"importedFrom": self.kind, "importId": self.import_id}
        about |= {"importedBy": f"graphmem {__version__}"}
        about |= {"sourceSessionId": source_session}
        metadata, count = mended(about | {key: value for key, value in facts.items() if value not in (None, "")})
        gathered.left_out.update({MENDED: count} if count else {})
        return gathered.open(session_id, source=fitting_name(session_id) or self.namespace, metadata=metadata)

    def add(self, gathered: Gathered, session_id: str, row: object, index: int = 0, **fields: Any) -> None:
        """Add message number `index` of a row, identified by the import and the row."""
        given, count = mended(fields)
        gathered.left_out.update({MENDED: count} if count else {})
        given["metadata"] = {"importedFrom": self.kind, "sourceMessageId": row} | given.get("metadata", {})
        message_id = f"{self.import_id}:{row}" + (f".{index}" if index else "")
        gathered.add(session_id, f"message {row}", message_id=message_id, **given)


def path_hash(file: Path) -> str:
    return hashlib.sha256(str(file.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def source_time(value: object, gathered: Gathered) -> str | None:
    """A time of the source: seconds or milliseconds since 1970, or ISO 8601, in UTC where it names no zone."""
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value.strip())
            value = (read if read.tzinfo else read.replace(tzinfo=UTC)).isoformat()
        except ValueError:
            value = None
    elif isinstance(value, int | float) and abs(value) >= _MILLISECONDS:
        value = value / 1000
    found = instant(value)
    if found is None:
        gathered.left_out[NO_TIME] += 1
    return found
