"""Diffs: which lines they change, and how a report of what that touches is written."""

import difflib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.model.answers import AffectedEntity, ImpactGroup
from graphmem.model.changes import ChangedFile, ChangeReport, Saying, TouchedOwner
from graphmem.model.knowledge import Dependency, DependencyType, EntityType, NamedRef
from graphmem.rules.code.diffs import read_diff
from graphmem.rules.code.report import as_markdown, as_text, never_read, not_of_it, united

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_git_diff_of_several_files() -> None:
    diff = """diff --git a/one.py b/one.py
index 1..2 100644
--- a/one.py
+++ b/one.py
@@ -1,3 +1,4 @@ def f():
 a
+b
 c
 d
@@ -10,2 +11,1 @@
-x
-y
+z
diff --git a/old.py b/new.py
similarity index 100%
rename from old.py
rename to new.py
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/made.py b/made.py
new file mode 100644
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
"""
    assert read_diff(diff) == [
        ChangedFile("one.py", "changed", ((1, 2), (10, 11))),
        ChangedFile("old.py", "renamed", ()),
        ChangedFile("gone.py", "removed", ()),
        ChangedFile("made.py", "added", ()),
        ChangedFile("pic.png", "changed", ()),
    ]


def test_line_that_looks_like_a_header_is_none() -> None:
    diff = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a comment\n-+++ x\n+++ more\n+-- b\n"
    diff += "--- a/y\n+++ b/y\n@@ -5 +5 @@\n-a\n+b\n"
    assert [(file.path, file.lines) for file in read_diff(diff)] == [("x.sql", ((1, 2),)), ("y", ((5, 5),))]


@pytest.mark.parametrize("text", ["hello", "@@ -1 +1 @@\n-a\n+b\n"])
def test_text_that_is_no_diff_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_diff(text)


def test_empty_diff_changes_nothing() -> None:
    assert read_diff("") == []


LINES = st.lists(st.sampled_from(["a", "b", "--- c", "+++ d", "@@ -1 +1 @@", "", "diff --git a/q b/q"]), max_size=12)


@given(before=LINES, after=LINES)
def test_changed_lines_are_those_that_difflib_changes(before: list[str], after: list[str]) -> None:
    diff = "\n".join(difflib.unified_diff(before, after, "a/x", "b/x", lineterm=""))
    found = read_diff(diff + "\n" if diff else "")
    if before == after:
        assert found == []
        return
    (file,) = found
    touched = {line for first, last in file.lines for line in range(first, last + 1)}
    for kind, start, end, _, _ in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind in ("replace", "delete"):
            assert set(range(start + 1, end + 1)) <= touched
        if kind == "insert":
            assert {start, start + 1} & touched


# --- reports --------------------------------------------------------------------------------------------------------


def affected(name: str, depth: int, confidence: float, reason: str = "imports, a.py line 1") -> AffectedEntity:
    edge = Dependency(
        id=f"e-{name}",
        source=NamedRef(id=name, name=name),
        target=NamedRef(id="t", name="t"),
        type=DependencyType.IMPORTS,
        confidence=confidence,
        strength=0.5,
        reason=reason,
        valid_from=NOW,
        valid_to=None,
        message_ids=(),
        extraction_level=1,
    )
    return AffectedEntity(
        id=name,
        name=name,
        type=EntityType.MODULE,
        depth=depth,
        confidence=confidence,
        weakest_edge=edge,
        path=(edge,),
    )


def group(depth: int, *entities: AffectedEntity) -> ImpactGroup:
    return ImpactGroup(depth=depth, label="WILL BREAK", entities=entities)


def test_several_radii_become_one() -> None:
    one = [group(1, affected("x", 1, 0.8)), group(2, affected("y", 2, 0.9), affected("own", 2, 1.0))]
    other = [group(1, affected("y", 1, 0.5)), group(3, affected("z", 3, 0.4))]
    groups, total = united([one, other], frozenset({"own"}), 10)
    assert [(g.depth, g.label, [(e.name, e.depth, e.confidence) for e in g.entities]) for g in groups] == [
        (1, "WILL BREAK", [("y", 1, 0.9), ("x", 1, 0.8)]),
        (3, "MAY NEED TESTING", [("z", 3, 0.4)]),
    ]
    assert total == 3
    assert united([one, other], frozenset(), 1)[1] == 4


def report(**more: object) -> ChangeReport:
    empty = {"repository": "r", "files": 1, "unknown": (), "touched": (), "groups": (), "total": 0}
    return ChangeReport.model_validate(empty | {"truncated": False, "owners": (), "decisions": ()} | more)


def test_markdown_of_a_pull_request_holds_nothing_that_acts() -> None:
    said = Saying(
        entity_id="e",
        entity="x",
        kind="memory",
        id="m",
        type="decision",
        text="<img src=x> @everyone | `a` [b](c)",
        file=None,
        line=None,
        at=NOW,
    )
    owner = TouchedOwner(id="o", name="@core", files=("a.py", "b.py", "c.py", "d.py"))
    text = as_markdown(report(decisions=(said,), owners=(owner,), groups=(group(1, affected("x", 1, 1.0)),), total=1))
    decision = next(line for line in text.splitlines() if line.startswith("- "))
    assert "<img" not in decision
    assert "@everyone" not in decision
    assert "](c)" not in decision.replace("\\]", "")
    assert "| @core | `a.py, b.py, c.py and 1 more` |" in text


def test_text_tells_how_many_are_not_shown() -> None:
    many = tuple(affected(f"m{n:02}", 1, 1.0) for n in range(30))
    text = as_text(report(groups=(group(1, *many),), total=30, unknown=("new.py",)))
    assert "… and 5 more" in text
    assert "30 entities depend on what is touched" in text
    assert text.endswith("Not in the last reading of the repository\n  new.py")


def test_a_report_that_was_cut_says_so() -> None:
    said = [
        Saying(
            entity_id="e", entity="x", kind="memory", id=f"m{n}", type="fact", text=f"{n}", file=None, line=None, at=NOW
        )
        for n in range(30)
    ]
    cut = report(truncated=True, decisions=tuple(said))
    for text in (as_text(cut), as_markdown(cut)):
        assert "a limit was reached" in text
        assert "… and 5 more" in text
        assert "a limit was reached" not in as_text(report())


def test_a_change_of_which_nothing_is_known_is_told_with_what_is() -> None:
    assert "Did you mean shop?" in never_read("shopp", ["depot", "shop"])
    assert "Did you mean" not in never_read("x", ["depot", "shop"])
    assert "only depot, shop;" in never_read("x", ["depot", "shop"])
    told = not_of_it("shop", ["a.py", "b.py", "c.py", "d.py"], ["depot", "shop"])
    assert told.startswith("None of the 4 files")
    assert "a.py, b.py, c.py and 1 more" in told
    assert "Is it a diff of depot?" in told
    assert "Is it a diff of" not in not_of_it("shop", ["a.py"], ["shop"])
