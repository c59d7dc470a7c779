"""What all readings have in common: receipts are routine, the rest is named by its size, and nothing takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.printed import read_tool_result

RECEIPTS = [
    "File created successfully at: /srv/loft/_stairs.py",
    "The file /srv/loft/beam.py has been updated successfully.",
    "The file b.py has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n"
    "    10→def a():\n    11→    raise ValueError\n",
    "Todos have been modified successfully. Please proceed with the current tasks if applicable",
    "OK",
    "Done.",
    "✓ Saved",
    "Wrote 120 lines to docs/beam.md",
    "Successfully replaced 1 occurrence in src/a.ts",
    "Applied 2 edits to src/main.rs",
    "Deleted file: tmp/x.log",
    "(no output)",
    "",
    "   \n\n",
    "Exit code 0",
    "[exit code: 0]",
    "Process exited with code 0",
    '{"ok": true}',
    '{"status": "success", "error": null}',
    "Die Datei wurde erfolgreich gespeichert: notizen/plan.md",
    "Le fichier a été enregistré : notes/plan.md",
]
NO_RECEIPTS = [
    "The file could not be created at /srv/loft",
    "File created at /srv/loft.py but 3 tests failed",
    "Error: file not found",
    "Exit code 1",
    "Port 7171 is used by the ledger",
    "OK, 3 of 4 replicas are ready",
    "Deleted 14 rows of the table invoices",
    "Updated the ledger to PostgreSQL because Redis lost writes",
    "No matches were found",
    '{"ok": false}',
    '{"status": "queued", "id": 4}',
]


@pytest.mark.parametrize("text", RECEIPTS)
def test_a_receipt_is_routine(text: str) -> None:
    reading = read_tool_result(text, "Write")
    assert (reading.kind, reading.verdict, reading.routine) == ("done", "passed", True)


@pytest.mark.parametrize("text", NO_RECEIPTS)
def test_what_says_more_or_that_it_failed_is_no_receipt(text: str) -> None:
    assert not read_tool_result(text, "Write").routine


def test_what_has_no_form_is_named_by_its_tool_and_size_and_a_short_one_is_shown() -> None:
    manual = "\n".join(f"Paragraph {number} tells how to trim the wick." for number in range(40))
    (line,) = read_tool_result(manual, "Fetch").lines
    assert line.told == f"Fetch: 40 lines, {len(manual)} characters"
    assert [line.told for line in read_tool_result("Port 7171 is used by the ledger").lines] == [
        "Port 7171 is used by the ledger"
    ]


def test_a_failure_of_no_form_says_why() -> None:
    output = "installing the boiler\n" * 5 + "bash: valve: command not found\nExit code 127"
    reading = read_tool_result(output, "Bash")
    assert reading.verdict == "failed"
    assert [line.told for line in reading.lines[1:]] == [
        "Failed: Exit code 127",
        "First error: bash: valve: command not found",
    ]


@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from(["FAILED a::b", "1 failed", "{", "\x1b[", "a:1:", "\r"])).map("\n".join)
)
def test_any_text_is_read_and_each_line_leads_to_its_place(text: str) -> None:
    reading = read_tool_result(text)
    assert reading == read_tool_result(text)
    assert reading.lines
    for line in reading.lines:
        assert 0 <= line.start <= line.end <= len(text)
        assert "\n" not in line.told
        assert len(line.told) < 800


UNITS = [
    "a.b:",
    "1 failed, ",
    "● a › ",
    "at f (a.js:1:2) ",
    "FAILED a::",
    "error: ",
    "((",
    "panicked at '",
    "Error: ",
    "  ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_long_lines_of_anything_that_begins_a_format_are_read_in_time(unit: str) -> None:
    """A pattern that went over a line again for each of its characters would take minutes."""
    assert read_tool_result("\n".join([unit * (2_000 // len(unit))] * 200)).lines
