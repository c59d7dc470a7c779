"""Output that is pasted into a message without a fence is no talk, and what it says is read by its form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.turns.pasted import results_in, without_pasted
from graphmem.rules.turns.sentences import said

PYTEST = """\
============================= test session starts ==============================
collected 12 items

tests/test_pump.py ...F......                                            [ 83%]
tests/test_flow.py ..                                                    [100%]

=================================== FAILURES ===================================
______________________________ test_dry_run_stops ______________________________

    def test_dry_run_stops():
>       assert pump.state == "stopped"
E       AssertionError: assert 'running' == 'stopped'

tests/test_pump.py:31: AssertionError
=========================== short test summary info ============================
FAILED tests/test_pump.py::test_dry_run_stops - AssertionError: assert 'running' == 'stopped'
========================= 1 failed, 11 passed in 0.42s ========================="""
TRACE = """\
Traceback (most recent call last):
  File "/srv/well/main.py", line 31, in <module>
    run()
  File "/srv/well/pump.py", line 8, in run
    level = sensors["well"]
KeyError: 'well'"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: the well is dry
    at garden.Pump.start(Pump.java:41)
    at garden.Main.main(Main.java:12)
Caused by: java.io.IOException: pin 7
    ... 2 more"""
GO = """\
--- FAIL: TestDryRun (0.00s)
    pump_test.go:31: got running, want stopped
FAIL
FAIL	garden/pump	0.012s"""
DIFF = """\
diff --git a/pump.py b/pump.py
index 3b1f2aa..9c0d1ee 100644
--- a/pump.py
+++ b/pump.py
@@ -1,3 +1,3 @@
-PIN = 6
+PIN = 7
 RATE = 2"""
GCC = """\
src/pump.c:14:5: error: 'level' undeclared (first use in this function)
   14 |     level = read_pin(7);
      |     ^~~~~
src/pump.c:20:1: warning: control reaches end of non-void function [-Wreturn-type]"""
PRINTED = {"pytest": PYTEST, "python": TRACE, "java": JAVA, "go": GO, "diff": DIFF, "gcc": GCC}


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_what_a_machine_printed_is_taken_out_whole(printed: str, between: str) -> None:
    rest, pieces = without_pasted(f"I get this:{between}{printed}{between}The pump must stop when the well is dry.")
    assert [line for line in rest.split("\n") if line] == ["I get this:", "The pump must stop when the well is dry."]
    assert pieces == [printed]


@pytest.mark.parametrize(
    "text",
    [
        "The plan:\n1. Dig the well.\n2. Lay the pipe (50 mm).\n3. Test the pump.",
        "Names so far\n- Ida\n- Runa\n- Nils\nThat is all",
        "| pump | rate |\n|---|---|\n| small | 4.2 |\n| large | 9.0 |",
        "An error: I said Tuesday\nIt is Wednesday\nSorry",
        "Dear Dr. Oduya,\n\nthe well is dry\nand the pump failed twice.\n\nYours\nIda",
        'The config now:\n{"pin": 7,\n "rate": 2}\nDo you agree?',
    ],
)
def test_words_and_data_stay(text: str) -> None:
    assert without_pasted(text) == (text, [])


def test_a_turn_says_only_what_somebody_said() -> None:
    assert said(f"It fails again:\n\n{PYTEST}\n\nWe use pin 7.") == ["It fails again:", "We use pin 7."]


@pytest.mark.parametrize("sent", [PYTEST, f"```\n{PYTEST}\n```", f"```text\n{GO}\n```\nand then\n\n{PYTEST}"])
def test_what_failed_is_read_with_a_fence_and_without(sent: str) -> None:
    last = results_in(f"I ran it:\n\n{sent}\n\nWhat now?")[-1]
    assert last.lines[0].told == "Tests failed: 1 failed, 11 passed"
    assert any("test_dry_run_stops" in line.told for line in last.lines)


@given(st.lists(st.sampled_from([PYTEST, TRACE, DIFF, "We dig.", "", "a: b", "=== x ==="]) | st.text(max_size=60)))
def test_nothing_is_lost(parts: list[str]) -> None:
    """Each line is either kept or in one piece."""
    text = "\n".join(parts)
    rest, pieces = without_pasted(text)
    told = [line for part in (rest, *pieces) for line in part.split("\n") if line]
    assert sorted(told) == sorted(line for line in text.split("\n") if line)
