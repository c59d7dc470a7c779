"""Imports of languages that tree-sitter reads, and where they lead in a repository."""

import pytest

from graphmem.adapters.code_reader import read_code
from graphmem.rules.code.graph import code_graph


def imports(files: dict[str, str]) -> set[tuple[str, str, float]]:
    """Which file imports what, by name."""
    made = code_graph("repo", {path: outline for path, text in files.items() if (outline := read_code(path, text))})
    return {
        (made.entities[one.source].name, made.entities[one.target].name, one.confidence)
        for one in made.edges.values()
        if one.type == "imports"
    }


def of(path: str, files: dict[str, str]) -> set[str]:
    return {target for source, target, _ in imports(files) if source == path}


SCRIPTS = {"src/b.ts": "", "src/c.js": "", "src/dir/index.tsx": "", "src/types.d.ts": "", "pkg/main.mjs": ""}


@pytest.mark.parametrize(
    ("line", "imported"),
    [
        ("import b from './b'", "src/b.ts"),
        ("import b from './b.js'", "src/b.ts"),
        ("import './c.js'", "src/c.js"),
        ("export * from './dir'", "src/dir/index.tsx"),
        ("const x = require('./c')", "src/c.js"),
        ("const x = await import('../pkg/main.mjs')", "pkg/main.mjs"),
        ("import type { T } from './types'", "src/types.d.ts"),
        ("import x = require('./b')", "src/b.ts"),
        ("import x from '@scope/name/deep'", "@scope/name"),
        ("import x from 'left-pad/lib'", "left-pad"),
    ],
)
def test_script_imports(line: str, imported: str) -> None:
    assert of("src/a.ts", SCRIPTS | {"src/a.ts": line}) == {imported}


@pytest.mark.parametrize(
    "line", ["import fs from 'fs'", "import fs from 'node:fs'", "import x from './gone'", "f('./b')"]
)
def test_script_imports_nothing_of_the_repository(line: str) -> None:
    assert of("src/a.ts", SCRIPTS | {"src/a.ts": line}) == set()


def test_jsx_is_read() -> None:
    files = {"a.jsx": "import B from './b'\nexport default () => <B/>", "b.tsx": "export default () => <p/>"}
    assert imports(files) == {("a.jsx", "b.tsx", 1.0)}


def test_go_imports_packages_by_the_module_they_are_in() -> None:
    files = {
        "go.mod": "module example.com/me\n\nrequire example.com/lib/v2 v2.0.0\n",
        "main.go": 'package main\n\nimport (\n\t"fmt"\n\tu "example.com/me/util"\n\t"example.com/lib/v2/deep"\n)\n',
        "util/one.go": "package util\n",
        "util/two.go": "package util\n",
        "util/two_test.go": 'package util\n\nimport "testing"\n',
    }
    assert of("main.go", files) == {"util", "example.com/lib/v2"}
    made = code_graph("repo", {path: outline for path, text in files.items() if (outline := read_code(path, text))})
    assert {key[1] for key in made.edges if key[0] == "repo:util/" and key[2] == "requires"} == {
        "repo:util/one.go",
        "repo:util/two.go",
    }


def test_java_imports_classes_by_package() -> None:
    files = {
        "src/main/java/org/me/a/One.java": "package org.me.a;\npublic class One { static class Inner {} }\n",
        "src/main/java/org/me/a/Two.java": "package org.me.a;\n",
        "App.java": (
            "package org.me;\nimport org.me.a.One;\nimport java.util.List;\nimport static org.me.a.Two.of;\n"
            "import org.me.a.One.Inner;\n"
        ),
        "Wild.java": "package org.me;\nimport org.me.a.*;\n",
    }
    found = imports(files)
    one, two = (f"src/main/java/org/me/a/{name}.java" for name in ("One", "Two"))
    assert {edge for edge in found if edge[0] == "App.java"} == {("App.java", one, 1.0), ("App.java", two, 1.0)}
    assert {edge for edge in found if edge[0] == "Wild.java"} == {("Wild.java", one, 0.4), ("Wild.java", two, 0.4)}


RUST = {
    "Cargo.toml": '[package]\nname = "my-crate"\n[dependencies]\nserde-json = "1"\n',
    "src/lib.rs": "mod a;\nmod deep;\n",
    "src/a.rs": "pub struct A;\n",
    "src/deep/mod.rs": "pub mod leaf;\n",
    "src/deep/leaf.rs": "",
    "tests/it.rs": "use my_crate::a::A;\n",
}


def test_rust_modules_are_declared() -> None:
    assert of("src/lib.rs", RUST) == {"src/a.rs", "src/deep/mod.rs"}
    assert of("src/deep/mod.rs", RUST) == {"src/deep/leaf.rs"}
    assert of("tests/it.rs", RUST) == {"src/a.rs"}


@pytest.mark.parametrize(
    ("line", "imported"),
    [
        ("use crate::a::A;", {"src/a.rs"}),
        ("use crate::{a::{self, A}, deep::*};", {"src/a.rs", "src/deep/mod.rs"}),
        ("use super::super::a::A as B;", {"src/a.rs"}),
        ("use super::sibling;", {"src/deep/mod.rs"}),
        ("mod inner { use super::super::super::a::A; }", {"src/a.rs"}),
        ("fn f() { use crate::a; }", {"src/a.rs"}),
        ("use serde_json::Value;", {"serde-json"}),
        ("use std::io;", set()),
        ("use Shape::*;", set()),
    ],
)
def test_rust_uses(line: str, imported: set[str]) -> None:
    assert of("src/deep/leaf.rs", RUST | {"src/deep/leaf.rs": line}) == imported


def test_broken_file_gives_what_can_be_read_of_it() -> None:
    assert of("a.ts", {"a.ts": "import b from './b'\nfunction {{{", "b.ts": ""}) == {"b.ts"}


def test_deep_file_ends() -> None:
    assert of("a.js", {"a.js": "import './b'\n" + "[" * 20_000, "b.js": ""}) == {"b.js"}
