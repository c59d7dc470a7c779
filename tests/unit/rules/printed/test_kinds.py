"""Tool results by their kind: builds, traces, diffs, searches, listings, JSON and logs, with what is said of each."""

import tomllib
from pathlib import Path

import pytest

from graphmem.rules.printed import read_tool_result

DATA = Path(__file__).parents[3] / "data" / "printed" / "kinds.toml"
RESULTS = tomllib.loads(DATA.read_text(encoding="utf-8"))["result"]
COLOURABLE = [
    one for one in RESULTS if one["kind"] in ("build", "trace", "diff", "search") and one["output"].count("\n") > 2
]


@pytest.mark.parametrize("given", RESULTS, ids=[one["id"] for one in RESULTS])
def test_a_result_is_read_as_what_it_is(given: dict[str, str]) -> None:
    reading = read_tool_result(given["output"])
    assert (reading.kind, reading.verdict or "", reading.routine) == (given["kind"], given["verdict"], False)
    assert "\n".join(line.told for line in reading.lines) == given["told"]
    for line in reading.lines:
        assert given["output"][line.start : line.end].strip()


@pytest.mark.parametrize("given", COLOURABLE, ids=[one["id"] for one in COLOURABLE])
def test_colours_and_the_stamps_of_a_runner_change_nothing(given: dict[str, str]) -> None:
    lines = given["output"].split("\n")
    coloured = "\n".join(f"\x1b[2m\x1b[31m{line}\x1b[0m\r" for line in lines)
    stamped = "\n".join(f"2031-05-06T07:08:09.1234567Z {line}" for line in lines)
    for output in (coloured, stamped):
        reading = read_tool_result(output)
        assert (reading.kind, reading.verdict or "") == (given["kind"], given["verdict"])
        assert "\n".join(line.told for line in reading.lines) == given["told"]
