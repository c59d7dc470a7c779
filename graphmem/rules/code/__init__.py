"""Source code and related files: readers of single files, the graph derived from them, reports of a diff."""

from graphmem.rules.code.diffs import read_diff
from graphmem.rules.code.graph import changes
from graphmem.rules.code.manifests import MANIFESTS, read_manifest
from graphmem.rules.code.markdown import read_markdown
from graphmem.rules.code.owners import OWNER_FILES, read_owners
from graphmem.rules.code.python import Unreadable, read_python
from graphmem.rules.code.report import as_markdown, as_text, never_read, not_of_it, unique_sayings, united
from graphmem.rules.code.services import read_documents

__all__ = [
    "MANIFESTS",
    "OWNER_FILES",
    "Unreadable",
    "as_markdown",
    "as_text",
    "changes",
    "never_read",
    "not_of_it",
    "read_diff",
    "read_documents",
    "read_manifest",
    "read_markdown",
    "read_owners",
    "read_python",
    "unique_sayings",
    "united",
]
