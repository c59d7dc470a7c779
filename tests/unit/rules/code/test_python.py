"""Python files: what each says, and the edges that follow from all of them."""

from collections.abc import Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import DependencyType
from graphmem.rules.code.affected import affected
from graphmem.rules.code.link_python import link_python
from graphmem.rules.code.python import Unreadable, read_python
from graphmem.rules.code.python_names import PythonNames

Edge = tuple[str, str, float]


def edges(files: dict[str, str], type_: DependencyType) -> set[Edge]:
    outlines = {path: read_python(text) for path, text in files.items()}
    return {
        (
            drawn.source.file + (f"::{drawn.source.symbol}" if drawn.source.symbol else ""),
            f"{drawn.target.file}::{drawn.target.symbol}"
            if drawn.target and drawn.target.symbol
            else drawn.target.file
            if drawn.target
            else f"<{drawn.package}>",
            drawn.confidence,
        )
        for found in link_python(outlines).edges.values()
        for drawn in found
        if drawn.type is type_
    }


def imports(files: dict[str, str]) -> set[tuple[str, str]]:
    return {(source, target) for source, target, _ in edges(files, DependencyType.IMPORTS)}


def calls(files: dict[str, str]) -> set[Edge]:
    return edges(files, DependencyType.CALLS)


@pytest.mark.parametrize(
    ("importing", "line", "imported"),
    [
        ("pkg/a.py", "import pkg.b", "pkg/b.py"),
        ("pkg/a.py", "import pkg.b as other", "pkg/b.py"),
        ("pkg/a.py", "from pkg import b", "pkg/b.py"),
        ("pkg/a.py", "from . import b", "pkg/b.py"),
        ("pkg/a.py", "from .b import x", "pkg/b.py"),
        ("pkg/sub/c.py", "from ..b import x", "pkg/b.py"),
        ("pkg/sub/c.py", "from .. import b", "pkg/b.py"),
        ("pkg/__init__.py", "from .b import x", "pkg/b.py"),
        ("pkg/a.py", "def f():\n    from pkg.b import x", "pkg/b.py"),
        ("pkg/a.py", "try:\n    import pkg.b\nexcept ImportError:\n    pass", "pkg/b.py"),
        ("elsewhere.py", "from pkg.b import *", "pkg/b.py"),
    ],
)
def test_import_leads_to_the_file(importing: str, line: str, imported: str) -> None:
    files = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/b.py": "x = 1", "pkg/a.py": ""}
    assert (importing, imported) in imports(files | {importing: line})


def test_src_layout_and_scripts_beside_each_other() -> None:
    assert imports({"src/pkg/__init__.py": "", "src/pkg/a.py": "", "tests/t.py": "import pkg.a"}) == {
        ("tests/t.py", "src/pkg/a.py")
    }
    assert imports({"tools/one.py": "import two", "tools/two.py": ""}) == {("tools/one.py", "tools/two.py")}


def test_of_two_modules_of_one_name_the_nearer_is_meant() -> None:
    files = {f"{side}/{name}": "" for side in ("left", "right") for name in ("tests/__init__.py", "tests/helpers.py")}
    found = imports(files | {"right/tests/test_it.py": "from tests.helpers import x"})
    assert found == {("right/tests/test_it.py", "right/tests/helpers.py")}


def test_packages_outside_are_named_and_the_standard_library_is_not() -> None:
    assert imports({"a.py": "import os, httpx.client, _typeshed\nfrom yaml import load\nfrom .gone import x"}) == {
        ("a.py", "<httpx>"),
        ("a.py", "<yaml>"),
    }


def test_name_that_a_package_hands_on_leads_to_its_definition() -> None:
    files = {
        "pkg/__init__.py": "from pkg.deep import Thing",
        "pkg/deep/__init__.py": "from .core import Thing as Thing",
        "pkg/deep/core.py": "class Thing:\n    pass",
        "user.py": "from pkg import Thing\n\nclass Other(Thing):\n    def make(self):\n        return Thing()",
    }
    assert {target for source, target in imports(files) if source == "user.py"} == {
        "pkg/__init__.py",
        "pkg/deep/core.py",
    }
    assert edges(files, DependencyType.INHERITS) == {("user.py::Other", "pkg/deep/core.py::Thing", 0.95)}
    assert calls(files) == {("user.py::Other.make", "pkg/deep/core.py::Thing", 0.8)}


def test_modules_that_import_each_other_end() -> None:
    assert calls({"a.py": "from b import f\nf()", "b.py": "from a import f"}) == set()


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("def f(): pass\ndef g(): f()", {("a.py::g", "a.py::f", 0.8)}),
        ("def f(): pass\nf()", {("a.py", "a.py::f", 0.8)}),
        ("class C:\n  def f(self): pass\n  def g(self): self.f()", {("a.py::C.g", "a.py::C.f", 0.8)}),
        ("class B:\n  def f(self): pass\nclass C(B):\n  def g(self): self.f()", {("a.py::C.g", "a.py::B.f", 0.8)}),
        (
            "class B:\n  def f(self): pass\nclass C(B):\n  def f(self): super().f()",
            {("a.py::C.f", "a.py::B.f", 0.8)},
        ),
        ("def f(): pass\ndef g():\n  def h(): f()\n  h()", {("a.py::g", "a.py::f", 0.8)}),
        ("class C:\n  def weigh_it(self): pass\ndef g(x): x.weigh_it()", {("a.py::g", "a.py::C.weigh_it", 0.4)}),
    ],
)
def test_call_leads_to_what_is_called(text: str, called: set[Edge]) -> None:
    assert calls({"a.py": text}) == called


@pytest.mark.parametrize(
    "text",
    [
        "def f(): pass\ndef g(f): f()",  # an argument
        "def f(): pass\ndef g():\n  f = 1\n  f()",  # a value of its own
        "def f(): pass\ng = [f() for f in ()]",
        "def f(): pass\ng = lambda f: f()",
        "class C:\n  def append(self): pass\ndef g(x): x.append()",  # a list has it too
        "class C:\n  def weigh_it(self): pass\nclass D:\n  def weigh_it(self): pass\ndef g(x): x.weigh_it()",
        "import httpx\nclass C:\n  def weigh_it(self): pass\nhttpx.weigh_it()",
    ],
)
def test_call_of_something_else_leads_nowhere(text: str) -> None:
    assert calls({"a.py": text}) == set()


def test_module_attribute_is_called() -> None:
    files = {"pkg/__init__.py": "", "pkg/b.py": "def f(): pass\nclass C:\n  @classmethod\n  def make(cls): pass"}
    for line in ("import pkg.b\npkg.b.f()", "import pkg.b as q\nq.f()", "from pkg import b\nb.f()"):
        assert ("a.py", "pkg/b.py::f", 0.8) in calls(files | {"a.py": line}), line
    assert ("a.py", "pkg/b.py::C.make", 0.8) in calls(files | {"a.py": "from pkg.b import C\nC.make()"})


@pytest.mark.parametrize("text", ["def f(:", "x = \0", "(" * 5000, "\tif\n x"])
def test_file_that_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_python(text)


def test_symbols_have_their_lines_with_decorators() -> None:
    (symbol,) = read_python("import x\n\n@x.y\n@x.z\ndef f(\n    a,\n):\n    return 1\n").symbols
    assert (symbol.name, symbol.line, symbol.end) == ("f", 3, 8)


def test_warnings_of_the_text_are_not_ours() -> None:
    assert read_python('x = "\\d"').symbols == ()


def test_modules_are_named_from_their_package() -> None:
    outlines = {path: read_python("") for path in ("lib/pkg/__init__.py", "lib/pkg/a.py", "src/one.py", "run.py")}
    assert {path: file.dotted for path, file in PythonNames(outlines).files.items()} == {
        "lib/pkg/__init__.py": "pkg",
        "lib/pkg/a.py": "pkg.a",
        "src/one.py": "one",
        "run.py": "run",
    }


PATHS = ("pkg/__init__.py", "pkg/a.py", "pkg/b.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "run.py")
MODULES = st.sampled_from(("pkg", "pkg.a", "pkg.b", "pkg.sub", "pkg.sub.a", ".", ".a", ".b", "..a"))
SYMBOLS = st.sampled_from(("a", "f", "K", "L", "M"))
LINES = st.one_of(
    st.builds("from {} import {}".format, MODULES, SYMBOLS),
    st.builds("from {} import {} as {}".format, MODULES, SYMBOLS, SYMBOLS),
    st.builds("from {} import *".format, MODULES),
    st.builds("import {}".format, st.sampled_from(("pkg", "pkg.a", "pkg.sub.a"))),
    st.builds("def {}():\n    return {}()".format, SYMBOLS, SYMBOLS),
    st.builds("class {}({}):\n    def {}(self):\n        self.{}()".format, SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS),
    st.builds("{}.{}()".format, SYMBOLS, SYMBOLS),
    st.builds("pkg.{}.{}()".format, SYMBOLS, SYMBOLS),
    st.builds("x().{}()".format, SYMBOLS),
)
TEXTS = st.lists(LINES, min_size=2, max_size=5).map("\n".join)


@given(st.fixed_dictionaries(dict.fromkeys(PATHS, TEXTS)), st.sampled_from(PATHS), LINES)
def test_edges_after_a_change_are_those_of_a_first_reading(files: dict[str, str], path: str, line: str) -> None:
    old = {path: read_python(text) for path, text in files.items()}
    new = old | {path: read_python(f"{line}\n{files[path]}")}
    assert link_python(new, like=link_python(old)).edges == link_python(new).edges


def test_only_files_that_speak_of_what_changed_are_linked_anew() -> None:
    files = {
        "base.py": "class Base:\n    def run(self): pass\n",
        "named.py": "from base import Base as Other\n",
        "derived.py": "from named import Other\nclass Derived(Other): pass\n",
        "user.py": "from derived import Derived\nDerived.stop()\n",
        "apart.py": "from base import missing\nmissing()\n",
    }
    old = PythonNames({path: read_python(text) for path, text in files.items()})

    def after(base: str) -> Set[str]:
        changed = {path: file.outline for path, file in old.files.items()} | {"base.py": read_python(base)}
        return affected(old, PythonNames(changed, old))

    base = files["base.py"]
    assert after("# a line more\n" + base) == {"base.py"}
    assert after(base + "    def stop(self): pass\n") == {"base.py", "user.py"}
    otherwise = base.replace("Base", "Base(Exception)")
    assert after(otherwise) == {"base.py", "named.py", "derived.py", "user.py"}
    assert after(base + "def missing(): pass\n") == {"base.py", "apart.py"}
    assert after("from derived import *\n" + base) == set(files)
