"""A repository in a seeded graph, and for the parameters of the statements of `cypher/code/` values that mean something
in it."""

from typing import Any

from graphmem.adapters.code_reader import read_code
from graphmem.adapters.identity import new_uuid7
from graphmem.app import Graphmem
from graphmem.graph.impact.code import CodeStore
from graphmem.model.caller import Caller
from graphmem.model.code import FoundFile
from graphmem.opening import make_repositories
from graphmem.rules.code.graph import code_graph
from graphmem.rules.language.keys import dependency_key

NAME = "depot"
FILES = {
    "depot/tools.py": "class DepotTool:\n    pass\n",
    "depot/use.py": "from depot.tools import DepotTool\n\n\ndef use_it():\n    return DepotTool()\n",
    "SECURITY.md": "# Security\n\nWhoever finds a vulnerability in `depot/tools.py` writes to us at once.\n",
    "CODEOWNERS": "* @depot\n",
}


async def read_repository(graphmem: Graphmem, caller: Caller) -> None:
    """Read it, and leave a file as a run leaves it that ended too early."""
    files = [FoundFile(path, path, text) for path, text in FILES.items()]
    await make_repositories(graphmem.database).ingest(caller, NAME, files, {})
    store = CodeStore(graphmem.database, new_uuid7)
    await store.pend(caller.agent_id, NAME, {"late.py": read_code("late.py", "")}, ["gone.py"])


async def values(graphmem: Graphmem, agent_id: str) -> dict[str, Any]:
    graph = code_graph(NAME, {path: outline for path, text in FILES.items() if (outline := read_code(path, text))})
    key, entity = f"{NAME}:depot/tools.py", "depot/tools.py"
    ids = {}
    for path in ("depot/tools.py", "depot/use.py"):
        found = await graphmem.knowledge.entities.entity_page(agent_id, path)
        ids[path] = found.entity.id
    source, target = ids["depot/use.py"], ids["depot/tools.py"]
    edge = {
        "id": new_uuid7(),
        "sourceId": source,
        "targetId": target,
        "activeKey": dependency_key(source, target, "imports"),
        "type": "imports",
        "confidence": 1.0,
        "reason": "imports",
        "file": entity,
        "line": 1,
        "how": "imports",
    }
    return {
        "repository": NAME,
        "within": f"repository:{NAME}",
        "keys@knowledge/names[unkept]": [key],
        "keys@code/passages_gone": list(graph.passages),
        "paths@code/files_note[forget]": ["depot/use.py"],
        "paths@code/files[known]": ["depot/use.py"],
        "ids@code/about": [target],
        "ids@code/owners": [target],
        "rows@code/files_note[pend]": [{"path": "new.py", "pending": None, "gone": False}],
        "rows@code/files_note[settle]": [{"path": "late.py", "sha256": "1", "reader": "1"}],
        "rows@code/entities_adopt": [
            {"canonical": "ledger", "key": "depot:ledger", "name": "ledger", "search": "ledger"}
        ],
        "rows@code/entities_merge": [
            {"key": "depot:new.py", "id": new_uuid7(), "name": "new.py", "search": "new", "type": "module"}
            | {"file": "new.py", "line": None, "end": None}
        ],
        "rows@code/names_add": [{"canonical": "the tools", "surface": "the tools", "key": key}],
        "rows@code/names_drop": [{"canonical": entity, "key": key}],
        "rows@code/edges_merge": [edge],
        "rows@code/edges_retire": [edge],
        "rows@code/passages_merge": [
            {"id": new_uuid7(), "key": "k", "content": "c", "file": "README.md", "line": 1, "end": 2, "ordinal": 9}
            | {"importance": 0.5, "turnImportance": 5, "o2": 1.0, "o4": 1.0, "o5": 1.0, "o6": 1.0, "mentions": [target]}
        ],
        "rows@code/touched": [{"file": entity, "ranges": [[1, 1]]}],
    }
