"""Variants and fragments: what a statement's file may say, and where it is refused."""

import re

import pytest

from graphmem.errors import SetupFailed
from graphmem.graph.statements import (
    Fragment,
    all_statement_names,
    cypher_folder,
    fragments,
    parse_fragments,
    parse_statement,
    statement,
)

PAGE = """// purpose: entities, those in use or the archived
// params: agent_id STRING, now ZONED DATETIME
// returns: id STRING
// mode: read
// variants: active | cold
// fragments: holds
MATCH (e:Entity {agent_id: $agent_id}) // [active]
// MATCH (e:ColdEntity {agent_id: $agent_id}) // [cold]
// WHERE holds(e) // [cold]
RETURN e.id AS id
"""
HOLDS = {"holds": Fragment("holds", ("thing",), "thing.validFrom <= $now")}


def test_lines_of_a_variant_are_its_own_and_the_others_are_shared() -> None:
    active, cold = (parse_statement(f"knowledge/page[{variant}]", PAGE, HOLDS) for variant in ("active", "cold"))
    assert active.text == "MATCH (e:Entity {agent_id: $agent_id})\nRETURN e.id AS id"
    assert cold.text == "MATCH (e:ColdEntity {agent_id: $agent_id})\nWHERE e.validFrom <= $now\nRETURN e.id AS id"
    assert (active.params, cold.params) == (("agent_id",), ("agent_id", "now"))
    assert (active.name, active.checksum == cold.checksum) == ("knowledge/page[active]", False)


@pytest.mark.parametrize("name", ["knowledge/page", "knowledge/page[new]", "knowledge/page[]", "page[cold]"])
def test_name_that_is_none_of_the_variants_is_refused(name: str) -> None:
    with pytest.raises(SetupFailed, match=r"there is no such statement; variants: active, cold"):
        parse_statement(name, PAGE, HOLDS)


def test_variant_of_a_file_without_variants_is_refused() -> None:
    with pytest.raises(SetupFailed, match=r"variants: none"):
        statement("backup/size[cold]")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("// WHERE holds(e) // [cold]", "// WHERE holds(e) // [warm]", r"page\.cypher, line 9: no such variant: warm"),
        ("// WHERE holds(e) // [cold]", "WHERE holds(e) // [cold]", r"line 9: as it stands .* variant active"),
        ("MATCH (e:Entity {", "// MATCH (e:Entity {", r"line 7: as it stands .* variant active"),
        ("active | cold\n", "active | cold | gone\n", r"line 5: no line has the mark of gone"),
        ("// variants: active | cold\n", "", r"there is no such statement"),
        ("// mode: read", "// moed: read", r"line 4: no header has the key moed"),
        ("fragments: holds", "fragments: held", r"line 6: no such fragment: held"),
        ("// WHERE holds(e) // [cold]\n", "", r"line 6: no text uses holds"),
        ("now ZONED DATETIME", "now ZONED DATETIME, limit INTEGER", r"line 2: no text uses limit"),
        ("// fragments: holds\n", "", r"line 2: no text uses now"),
        ("holds(e)", "holds(e, o)", r"line 9: holds has other parameters"),
        ("holds(e)", "holds((e))", r"line 9: the arguments of holds must be names"),
        ("RETURN e.id", "// RETURN e.id", r"line 10: a mark is the last of its line"),
        ("e.id AS id", "e.id AS id //[cold]", r"line 10: a mark is the last of its line"),
        ("// mode: read\n", "", r"its header lacks mode"),
    ],
)
def test_file_that_says_what_it_must_not_is_refused_with_the_place(line: str, instead: str, said: str) -> None:
    assert PAGE.count(line) == 1
    broken = PAGE.replace(line, instead)
    with pytest.raises(SetupFailed, match=said):
        [parse_statement(f"knowledge/page[{variant}]", broken, HOLDS) for variant in ("active", "cold")]


def test_fragment_is_about_the_variables_that_it_is_given() -> None:
    found = Fragment("row", ("fact",), "{id: fact.id, fact: 'fact', factId: t.fact, at: $fact, n: (fact:Fact)}")
    assert found.with_arguments(("t",)) == "{id: t.id, t: 'fact', factId: t.fact, at: $fact, n: (t:Fact)}"


def test_fragment_may_use_those_before_it_and_no_others() -> None:
    source = "// Words for people.\n// fragment: a(x)\nx.id = $id\n\n// fragment: b(x, y)\na(x) AND a(y)\n"
    a, b = parse_fragments("fragments/some", source, {})
    assert b.with_arguments(("e", "o")) == "e.id = $id AND o.id = $id"
    with pytest.raises(SetupFailed, match=r"fragments/some\.cypher, line 1: a has other parameters"):
        list(parse_fragments("fragments/some", "// fragment: c(x)\na()\n", {"a": a}))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x.id = $id\n", r"line 1: stands in no fragment"),
        ("// fragment: a(x)\n\n// fragment: b(x)\nx.id\n", r"line 1: the fragment a is there already, or has no text"),
        ("// fragment: a(x)\nx.id\n// fragment: a(x)\nx.id\n", r"line 3: the fragment a is there already"),
    ],
)
def test_fragments_that_are_none_are_refused(source: str, said: str) -> None:
    with pytest.raises(SetupFailed, match=said):
        list(parse_fragments("fragments/some", source, {}))


def test_text_with_a_fragment_that_its_header_does_not_name_is_refused() -> None:
    header = "// purpose: p\n// params: now\n// returns: x\n// mode: read\n"
    source = header + "MATCH (e) WHERE holds(e) AND e.at < $now\nRETURN 1 AS x"
    with pytest.raises(SetupFailed, match=r"line 5: the header does not name the fragment holds"):
        parse_statement("knowledge/page", source, HOLDS)


def test_every_statement_loads_and_every_fragment_is_used() -> None:
    names = all_statement_names()
    assert len(names) == len({statement(name).text for name in names}), "two statements have the same text"
    assert not [name for name in names if name.startswith(("fragments/", "browser/"))]
    sources = [path.read_text(encoding="utf-8") for path in cypher_folder().rglob("*.cypher")]
    for one in fragments(cypher_folder() / "fragments"):
        assert sum(len(re.findall(rf"\b{one}\(", source)) for source in sources) > 1, f"nothing uses {one}"
