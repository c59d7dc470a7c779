"""Repositories in the graph: what is read of them, what a second reading changes, and what a diff touches."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import grimp
import httpx
import pytest
from neo4j import AsyncDriver

from api.problems import exit_code_of
from graphmem.adapters.code_reader import is_code, read_code
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.adapters.repository import list_files
from graphmem.app import Graphmem
from graphmem.errors import ChangeUnknown, Conflict
from graphmem.graph.connection import Database
from graphmem.graph.impact.code import CodeStore
from graphmem.model.caller import Caller
from graphmem.model.changes import ChangeReport
from graphmem.model.code import CodeDelta, RepositoryReceipt
from graphmem.model.inputs import ImpactQuestion, Remember
from graphmem.opening import make_repositories
from graphmem.rules.code.diffs import read_diff
from graphmem.rules.code.report import as_markdown
from graphmem.services.impact.code import Repositories

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
SHOP = {
    "shop/__init__.py": "from shop.store import BasketStore\n",
    "shop/errors.py": "class BasketMissing(Exception):\n    pass\n\n\nclass OutOfStock(BasketMissing):\n    pass\n",
    "shop/store.py": (
        "from shop.errors import BasketMissing\n\n\nclass BasketStore:\n    def find_basket(self, id_):\n"
        "        raise BasketMissing(id_)\n"
    ),
    "shop/api.py": (
        "import httpx\nfrom shop import BasketStore\n\n\ndef show_basket(id_):\n    store = BasketStore()\n"
        "    return store.find_basket(id_)\n"
    ),
    "docs/decisions/0001-baskets.md": (
        "# Baskets live in one place\n\n## Decision\n\nOur goal is that only `shop/store.py` reads baskets. "
        "`BasketMissing` says that there is none.\n"
    ),
    "SECURITY.md": "# Security\n\nWhoever finds a vulnerability writes to us; passwords are encrypted at rest.\n",
    "CODEOWNERS": "* @shop/everyone\n/shop/errors.py @shop/core\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["httpx>=0.28"]\n',
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


async def ingest(graphmem: Graphmem, agent_id: str, folder: Path, name: str = "shop") -> RepositoryReceipt:
    listing = list_files(folder, is_code)
    return await make_repositories(graphmem.database).ingest(Caller(agent_id), name, listing.files, listing.skipped)


async def upstream(http: httpx.AsyncClient, entity: str, **more: Any) -> dict[str, Json]:
    """What a change of an entity reaches, by name."""
    answer = await http.post("/api/graph/impact", json={"entityId": entity, "limit": 1000} | more)
    assert answer.status_code == 200, answer.text
    return {one["name"]: one for group in answer.json()["groups"] for one in group["entities"]}


async def status_of(bolt: AsyncDriver, agent_id: str) -> dict[tuple[str, str, str], str]:
    """Each edge with its status."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (a)-[d:DEPENDS_ON {agent_id: $a}]->(b) RETURN a.name AS a, d.type AS type, b.name AS b, "
        "d.status AS status ORDER BY d.createdAt",
        a=agent_id,
    )
    return {(row["a"], row["type"], row["b"]): row["status"] for row in rows}


@pytest.fixture
async def shop(graphmem: Graphmem, agent_id: str, tmp_path: Path) -> Path:
    write(tmp_path, SHOP)
    receipt = await ingest(graphmem, agent_id, tmp_path)
    assert (receipt.read, receipt.problems) == (len(SHOP), ())
    return tmp_path


async def test_impact_over_http_tells_the_reasons_of_the_code(shop: Path, http: httpx.AsyncClient) -> None:
    reached = await upstream(http, "shop/errors.py", maxDepth=5)
    assert reached["shop/store.py"]["path"][0]["reason"] == "imports, shop/store.py line 1"
    assert reached["shop/store.py"]["type"] == "module"
    assert reached["shop/api.py"]["depth"] == 2
    (call,) = (await upstream(http, "BasketStore"))["shop.api.show_basket"]["path"]
    assert (call["type"], call["confidence"], call["reason"]) == ("calls", 0.8, "calls, shop/api.py line 6")
    by_name_alone = await upstream(http, "find_basket", minConfidence=0.4)
    assert by_name_alone["shop.api.show_basket"]["confidence"] == 0.4


async def test_second_reading_writes_nothing(shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver) -> None:
    async def last_written() -> Any:
        rows, _, _ = await bolt.execute_query("MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
        return rows[0]["n"]

    before = await last_written()
    receipt = await ingest(graphmem, agent_id, shop)
    assert (receipt.read, receipt.unchanged, receipt.edges) == (0, len(SHOP), 0)
    assert await last_written() == before


async def test_changed_file_updates_its_edges_and_retires_old_ones(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver
) -> None:
    write(
        shop, {"shop/api.py": "from shop.errors import OutOfStock\n\n\ndef show_basket(id_):\n    raise OutOfStock()\n"}
    )
    receipt = await ingest(graphmem, agent_id, shop)
    assert (receipt.read, receipt.unchanged) == (1, len(SHOP) - 1)
    found = await status_of(bolt, agent_id)
    assert found["shop/api.py", "imports", "shop/errors.py"] == "active"
    assert found["shop.api.show_basket", "calls", "shop.errors.OutOfStock"] == "active"
    assert found["shop.api.show_basket", "calls", "shop.store.BasketStore"] == "superseded"
    assert found["shop/api.py", "imports", "httpx"] == "superseded"
    assert found["shop", "requires", "httpx"] == "active"


async def test_unchanged_file_follows_what_moved_elsewhere(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver
) -> None:
    write(shop, {"shop/baskets.py": SHOP["shop/store.py"], "shop/store.py": "from shop.baskets import BasketStore\n"})
    receipt = await ingest(graphmem, agent_id, shop)
    assert receipt.read == 2
    found = await status_of(bolt, agent_id)
    assert found["shop.api.show_basket", "calls", "shop.baskets.BasketStore"] == "active"
    assert found["shop/api.py", "imports", "shop/baskets.py"] == "active"
    assert found["shop/store.py", "imports", "shop/errors.py"] == "superseded"


async def test_removed_file_goes_cold_and_comes_back(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver, http: httpx.AsyncClient
) -> None:
    async def cold() -> set[str]:
        rows, _, _ = await bolt.execute_query("MATCH (e:ColdEntity {agent_id: $a}) RETURN e.name AS name", a=agent_id)
        return {row["name"] for row in rows}

    (shop / "shop/api.py").unlink()
    (shop / "SECURITY.md").unlink()
    assert (await ingest(graphmem, agent_id, shop)).removed == 2
    assert await cold() == {"shop/api.py", "shop.api.show_basket", "SECURITY.md"}
    assert "shop/api.py" not in await upstream(http, "shop/errors.py")
    assert (await http.post("/api/memory/query", json={"query": "O2[passage]"})).json()["items"] == []
    write(shop, {path: SHOP[path] for path in ("shop/api.py", "SECURITY.md")})
    await ingest(graphmem, agent_id, shop)
    assert await cold() == set()
    assert (await upstream(http, "shop/errors.py"))["shop/api.py"]["depth"] == 2
    assert len((await http.post("/api/memory/query", json={"query": "O2[passage]"})).json()["items"]) == 1


async def test_file_that_cannot_be_read_keeps_what_was_known_of_it(
    shop: Path, graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient
) -> None:
    write(shop, {"shop/api.py": "def broken(:\n", "shop/store.py": SHOP["shop/store.py"] + "\n# more\n"})
    receipt = await ingest(graphmem, agent_id, shop)
    assert [(one.path, one.problem[:6]) for one in receipt.problems] == [("shop/api.py", "line 1")]
    assert receipt.read == 1
    assert "shop.api.show_basket" in await upstream(http, "BasketStore")


async def test_run_that_ended_too_early_leaves_nothing_behind(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver
) -> None:
    class Halting(CodeStore):
        async def draw(self, agent_id: str, repository: str, given: CodeDelta, now: Any) -> None:
            await super().draw(agent_id, repository, given, now)
            raise ConnectionError("the database went away")

    write(shop, {"shop/api.py": "from shop.errors import OutOfStock\n", "shop/extra.py": "import shop.api\n"})
    listing = list_files(shop, is_code)
    store = Halting(graphmem.database, new_uuid7)
    halting = Repositories(store, graphmem.operation.upkeep, read_code, utc_now, new_uuid7)
    with pytest.raises(ConnectionError):
        await halting.ingest(Caller(agent_id), "shop", listing.files, {})
    write(shop, {"shop/api.py": SHOP["shop/api.py"]})
    (shop / "shop/extra.py").unlink()
    await ingest(graphmem, agent_id, shop)
    found = await status_of(bolt, agent_id)
    assert found["shop/api.py", "imports", "shop/errors.py"] == "superseded"
    assert found["shop.api.show_basket", "calls", "shop.store.BasketStore"] == "active"
    assert ("shop/extra.py", "imports", "shop/api.py") not in {key for key, is_ in found.items() if is_ == "active"}
    assert (await ingest(graphmem, agent_id, shop)).unchanged == len(SHOP)


async def test_outlines_kept_in_base_85_are_read_as_well(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver
) -> None:
    """As they were kept before base 64."""
    mine = "MATCH (f:SourceFile {agent_id: $agent}) WHERE f.outline IS NOT NULL"
    kept, _, _ = await bolt.execute_query(f"{mine} RETURN f.path AS path, f.outline AS outline", agent=agent_id)
    rows = [[row["path"], base64.b85encode(base64.b64decode(row["outline"])).decode()] for row in kept]
    assert len(rows) == len(SHOP)
    query = f"UNWIND $rows AS row {mine} AND f.path = row[0] SET f.outline = row[1]"
    await bolt.execute_query(query, rows=rows, agent=agent_id)
    write(shop, {"shop/extra.py": "from shop.store import BasketStore\n"})
    receipt = await ingest(graphmem, agent_id, shop)
    assert (receipt.read, receipt.entities, receipt.edges, receipt.retired) == (1, 1, 2, 0)


async def test_repository_is_read_by_one_at_a_time(
    shop: Path, graphmem: Graphmem, database: Database, agent_id: str
) -> None:
    class Waiting(CodeStore):
        async def files(self, agent_id: str, repository: str) -> Any:
            with pytest.raises(Conflict):
                await ingest(graphmem, agent_id, shop)
            return await super().files(agent_id, repository)

    held = Repositories(Waiting(database, new_uuid7), graphmem.operation.upkeep, read_code, utc_now, new_uuid7)
    assert (await held.ingest(Caller(agent_id), "shop", list_files(shop, is_code).files, {})).read == 0


async def test_edge_that_was_also_said_outlives_the_code(
    shop: Path, graphmem: Graphmem, agent_id: str, bolt: AsyncDriver, http: httpx.AsyncClient
) -> None:
    said = {"source": "shop/api.py", "target": "shop/store.py", "type": "imports", "reason": "we said so"}
    assert (await http.put("/api/graph/dependencies", json={"dependencies": [said]})).status_code == 200
    write(shop, {"shop/api.py": "def show_basket(id_):\n    return None\n"})
    await ingest(graphmem, agent_id, shop)
    assert (await status_of(bolt, agent_id))["shop/api.py", "imports", "shop/store.py"] == "active"


async def test_mentions_in_talk_lead_to_the_code(
    shop: Path, graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient
) -> None:
    said = "We decided that shop/errors.py must stay small, and BasketStore must never log a basket."
    kept = await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content=said))
    named = {one.name for one in kept.entities}
    assert {"shop/errors.py", "shop.store.BasketStore"} <= named


async def test_what_talk_named_first_becomes_the_file(
    graphmem: Graphmem, agent_id: str, tmp_path: Path, http: httpx.AsyncClient
) -> None:
    said = Remember(content="We decided that shop/errors.py must stay small.")
    kept = await graphmem.knowledge.learning.remember(Caller(agent_id), said)
    (before,) = [one.id for one in kept.entities if one.name == "shop/errors.py"]
    write(tmp_path, SHOP)
    await ingest(graphmem, agent_id, tmp_path)
    page = (await http.get("/api/graph/entities/shop.errors")).json()
    assert (page["entity"]["id"], page["entity"]["type"]) == (before, "module")
    assert "shop/store.py" in await upstream(http, "shop/errors.py")


async def test_name_that_becomes_ambiguous_leads_nowhere(
    shop: Path, graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient
) -> None:
    assert (await http.get("/api/graph/entities/errors.py")).json()["entity"]["name"] == "shop/errors.py"
    write(shop, {"other/errors.py": "x = 1\n"})
    await ingest(graphmem, agent_id, shop)
    assert (await http.get("/api/graph/entities/errors.py")).status_code == 404
    assert (await http.get("/api/graph/entities/other/errors.py")).status_code == 200


async def test_two_repositories_keep_apart_what_is_called_alike(
    shop: Path, graphmem: Graphmem, agent_id: str, tmp_path: Path, http: httpx.AsyncClient
) -> None:
    other = tmp_path / "elsewhere"
    write(other, {"shop/errors.py": "x = 1\n", "shop/user.py": "import shop.errors\n"})
    await ingest(graphmem, agent_id, other, "other")
    assert "shop/user.py" not in await upstream(http, "shop:shop/errors.py")
    assert list(await upstream(http, "other:shop/errors.py")) == ["shop/user.py"]


async def test_strangers_see_nothing_of_a_repository(shop: Path, graphmem: Graphmem, tmp_path: Path) -> None:
    stranger = f"stranger-{new_uuid7()}"
    asked = ImpactQuestion(entity_id="diff")
    diff = read_diff("--- a/shop/errors.py\n+++ b/shop/errors.py\n@@ -1,1 +1,1 @@\n-class X:\n+class Y:\n")
    with pytest.raises(ChangeUnknown, match="No repository was read yet"):
        await graphmem.impact.changes.impact(stranger, "shop", diff, asked)


# --- passages -------------------------------------------------------------------------------------------------------


async def embedded(graphmem: Graphmem, agent_id: str) -> None:
    worker = graphmem.worker()
    while await graphmem.operation.upkeep.waiting_vectors(agent_id):
        await worker.embed_once()


async def test_lattice_queries_meet_passages_and_turns(
    shop: Path, graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient, bolt: AsyncDriver
) -> None:
    said = "Whoever finds a vulnerability should write to us; passwords must be encrypted at rest."
    body = {"messages": [{"messageId": "m1", "role": "user", "content": said}]}
    assert (await http.post("/api/sessions/s1/messages", json=body)).status_code == 201
    await embedded(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s1")
    answer = (await http.post("/api/memory/query", json={"query": "O2[passage] ~ O2[user]"})).json()
    (pair,) = answer["pairs"]
    assert (pair["left"], pair["leftSessionId"], pair["right"]) == ("SECURITY.md:3", "repository:shop", "m1")
    assert pair["similarity"] > 0.7
    led = (await http.post("/api/memory/query", json={"query": "O2[user] -> O2[passage]"})).json()
    assert [(one["role"], one["messageId"], one["tags"]) for one in led["items"]] == [
        ("passage", "SECURITY.md:3", ["SECURITY.md"])
    ]


async def test_passages_are_paged_with_turns(
    shop: Path, http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    write(shop, {f"docs/goal-{n}.md": f"# Goal {n}\n\nOur goal is to ship part {n} of the plan.\n" for n in range(5)})
    await ingest(graphmem, agent_id, shop)
    seen: list[str] = []
    cursor = None
    while True:
        asked = {"query": "O4[passage]", "limit": 2, "sessionId": "repository:shop"}
        page = (await http.post("/api/memory/query", json=asked | ({"cursor": cursor} if cursor else {}))).json()
        seen += [one["messageId"] for one in page["items"]]
        cursor = page["nextCursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen))
    assert {f"docs/goal-{n}.md:3" for n in range(5)} <= set(seen)
    assert "docs/decisions/0001-baskets.md:5" in seen


async def test_passage_that_moved_stays_the_same(
    shop: Path, graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient
) -> None:
    async def ask() -> tuple[str, str]:
        (item,) = (await http.post("/api/memory/query", json={"query": "O2[passage]"})).json()["items"]
        return item["id"], item["messageId"]

    before, place = await ask()
    assert place == "SECURITY.md:3"
    write(shop, {"SECURITY.md": "\n\n" + SHOP["SECURITY.md"]})
    await ingest(graphmem, agent_id, shop)
    assert await ask() == (before, "SECURITY.md:5")


# --- diffs ----------------------------------------------------------------------------------------------------------


async def changed(graphmem: Graphmem, agent_id: str, diff: str) -> ChangeReport:
    asked = ImpactQuestion(entity_id="diff", limit=100)
    return await graphmem.impact.changes.impact(agent_id, "shop", read_diff(diff), asked)


async def test_diff_starts_from_the_symbol_and_tells_owners_and_decisions(
    shop: Path, graphmem: Graphmem, agent_id: str
) -> None:
    said = "We decided that BasketMissing must carry the id of the basket."
    await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content=said))
    diff = (
        "diff --git a/shop/errors.py b/shop/errors.py\n--- a/shop/errors.py\n+++ b/shop/errors.py\n"
        "@@ -1,2 +1,2 @@\n class BasketMissing(Exception):\n-    pass\n+    code = 1\n"
        "diff --git a/shop/new.py b/shop/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/shop/new.py\n"
        "@@ -0,0 +1,1 @@\n+x = 1\n"
    )
    report = await changed(graphmem, agent_id, diff)
    assert [one.name for one in report.touched] == ["shop.errors.BasketMissing", "shop/errors.py"]
    assert report.unknown == ("shop/new.py",)
    reached = {one.name: one.depth for one in report.affected}
    assert reached["shop/store.py"] == 1
    assert reached["shop.store.BasketStore.find_basket"] == 1
    assert ("@shop/core", ("shop/errors.py",)) in {(one.name, one.files) for one in report.owners}
    texts = [one.text for one in report.decisions]
    assert said in texts
    assert any("only `shop/store.py` reads baskets" in text for text in texts)
    markdown = as_markdown(report)
    assert "| WILL BREAK | `shop/store.py` | 1.00 | imports, shop/store.py line 1 |" in markdown


async def test_diff_of_one_function_leaves_the_others_alone(shop: Path, graphmem: Graphmem, agent_id: str) -> None:
    changes = "@@ -5,2 +5,2 @@\n class OutOfStock(BasketMissing):\n-    pass\n+    x = 1\n"
    diff = f"--- a/shop/errors.py\n+++ b/shop/errors.py\n{changes}"
    report = await changed(graphmem, agent_id, diff)
    assert [one.name for one in report.touched] == ["shop.errors.OutOfStock", "shop/errors.py"]
    assert "shop.errors.BasketMissing" not in {one.name for one in report.affected}


async def test_diff_of_which_nothing_is_known_is_an_error_that_says_what_was_read(
    shop: Path, graphmem: Graphmem, agent_id: str
) -> None:
    asked = ImpactQuestion(entity_id="diff")
    edit = "--- a/{0}\n+++ b/{0}\n@@ -1,1 +1,1 @@\n-class X:\n+class Y:\n"
    known = read_diff(edit.format("shop/errors.py"))
    with pytest.raises(ChangeUnknown, match=r"'shopp' was read, only shop;.*Did you mean shop\?.*ingest-repo") as told:
        await graphmem.impact.changes.impact(agent_id, "shopp", known, asked)
    assert exit_code_of(told.value) == 8
    with pytest.raises(ChangeUnknown, match=r"None of the 1 files .*: elsewhere/errors.py\. Paths count from"):
        await changed(graphmem, agent_id, edit.format("elsewhere/errors.py"))
    assert (await changed(graphmem, agent_id, edit.format("LICENSE"))).unknown == ("LICENSE",)
    assert (await changed(graphmem, agent_id, edit.format("SECURITY.md"))).files == 1
    assert (await changed(graphmem, agent_id, "")).files == 0


# --- the proof ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_modules_that_break_with_errors_are_those_of_import_linter(
    graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient
) -> None:
    """graphmem's own repository: what needs `graphmem/errors.py`, and what needs it at once, equal to grimp's graph."""
    listing = list_files(ROOT, is_code)
    own = [file for file in listing.files if file.path.startswith(("graphmem/", "api/"))]
    receipt = await make_repositories(graphmem.database).ingest(Caller(agent_id), "graphmem", own, {})
    assert receipt.problems == ()
    graph = grimp.build_graph("graphmem", "api")
    asked = {"types": ["imports"], "minConfidence": 1.0, "maxDepth": 10}
    reached = await upstream(http, "graphmem/errors.py", **asked)
    assert {dotted(name) for name in reached} == graph.find_downstream_modules("graphmem.errors")
    direct = {
        dotted(name)
        for name, one in reached.items()
        if one["depth"] == 1 and "through another module" not in one["path"][0]["reason"]
    }
    assert direct == graph.find_modules_that_directly_import("graphmem.errors")


def dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
