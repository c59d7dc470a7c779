"""Test runs in the formats of their runners: the verdict, the failed tests, and the first error with its place.

All outputs are made up."""

import pytest

from graphmem.model.printed import ToolReading
from graphmem.rules.printed import read_tool_result

PYTEST = """
============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.1.0, pluggy-1.4.0
rootdir: /srv/lighthouse
collected 214 items

tests/test_beam.py ....................................                  [ 17%]
tests/test_fog.py ........F.......                                       [ 24%]
tests/test_tide.py ..................................................... [100%]

=================================== FAILURES ===================================
____________________________ test_horn_in_dense_fog ____________________________

    def test_horn_in_dense_fog():
        horn = Horn(visibility=40)
>       assert horn.period() == 30
E       assert 45 == 30
E        +  where 45 = period()

tests/test_fog.py:58: AssertionError
=========================== short test summary info ============================
FAILED tests/test_fog.py::test_horn_in_dense_fog - assert 45 == 30
================== 1 failed, 212 passed, 1 skipped in 4.71s ====================
"""
PYTEST_DEEP = """
____________________________ test_chart_is_drawn[north] ____________________________
tests/test_chart.py:12: in test_chart_is_drawn
    draw(chart)
.venv/lib/python3.12/site-packages/plotter/core.py:88: in draw
    self.prepare()
src/charts/layers.py:141: in prepare
    return LAYERS[name]
E   KeyError: 'soundings'
=========================== short test summary info ============================
FAILED tests/test_chart.py::test_chart_is_drawn[north] - KeyError: 'soundings'
FAILED tests/test_chart.py::test_chart_is_drawn[south] - KeyError: 'soundings'
2 failed, 9 passed in 0.88s
"""
PYTEST_COLLECT = """
==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_dock.py ______________________
ImportError while importing test module '/srv/dock/tests/test_dock.py'.
tests/test_dock.py:3: in <module>
    from dock.crane import Hook
E   ModuleNotFoundError: No module named 'dock.crane'
=========================== short test summary info ============================
ERROR tests/test_dock.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 0.21s ===============================
"""
UNITTEST = """
..F.E
======================================================================
ERROR: test_mooring (harbour.tests.BerthTest.test_mooring)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/harbour/tests.py", line 31, in test_mooring
    berth.moor(None)
  File "/srv/port/berth.py", line 77, in moor
    self.lines += ship.lines
AttributeError: 'NoneType' object has no attribute 'lines'

======================================================================
FAIL: test_width (harbour.tests.BerthTest.test_width)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/harbour/tests.py", line 19, in test_width
    self.assertEqual(berth.width, 12)
AssertionError: 11 != 12

----------------------------------------------------------------------
Ran 5 tests in 0.014s

FAILED (failures=1, errors=1)
"""
JEST = """
\x1b[0m\x1b[7m\x1b[1m\x1b[31m FAIL \x1b[39m\x1b[22m\x1b[27m\x1b[0m \x1b[2msrc/\x1b[22m\x1b[1mbasket.test.ts\x1b[22m
  Basket
    \x1b[32m✓\x1b[39m \x1b[2mis empty at first (3 ms)\x1b[22m
    \x1b[31m✕\x1b[39m \x1b[2madds up the prices (5 ms)\x1b[22m

\x1b[1m\x1b[31m  \x1b[1m● \x1b[22m\x1b[1mBasket › adds up the prices\x1b[39m\x1b[22m

    \x1b[2mexpect(\x1b[22m\x1b[31mreceived\x1b[39m\x1b[2m).\x1b[22mtoBe\x1b[2m(\x1b[22m\x1b[32mexpected\x1b[39m\x1b[2m)\x1b[22m

    Expected: \x1b[32m30.5\x1b[39m
    Received: \x1b[31m30.499\x1b[39m

    \x1b[0m \x1b[90m 14 |\x1b[39m   basket.add(apple)\x1b[0m
    \x1b[0m\x1b[31m\x1b[1m>\x1b[22m\x1b[39m\x1b[90m 15 |\x1b[39m   expect(basket.total()).toBe(30.5)\x1b[0m

      \x1b[2mat Object.<anonymous> (\x1b[22msrc/basket.test.ts\x1b[2m:15:26)\x1b[22m

\x1b[1mTest Suites: \x1b[22m\x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m, \x1b[1m\x1b[32m8 passed\x1b[39m\x1b[22m, 9 total
\x1b[1mTests:       \x1b[22m\x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m, \x1b[1m\x1b[32m73 passed\x1b[39m\x1b[22m, 74 total
\x1b[1mSnapshots:   \x1b[22m0 total
\x1b[1mTime:\x1b[22m        2.31 s
Ran all test suites.
"""
VITEST = """
 ❯ src/route.test.ts (12 tests | 1 failed) 41ms
   × planner > avoids the ferry at night 8ms
     → expected 'ferry' to deeply equal 'bridge'

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/route.test.ts > planner > avoids the ferry at night
AssertionError: expected 'ferry' to deeply equal 'bridge'
 ❯ src/route.test.ts:44:31
     42|   const way = plan("23:40")

 Test Files  1 failed | 6 passed (7)
      Tests  1 failed | 81 passed (82)
   Start at  10:02:11
   Duration  1.42s
"""
MOCHA = """
  Ledger
    ✔ opens a book
    1) refuses a negative entry

  12 passing (34ms)
  1 failing

  1) Ledger
       refuses a negative entry:
     AssertionError [ERR_ASSERTION]: Missing expected exception.
      at Context.<anonymous> (test/ledger.js:27:12)
      at process.processImmediate (node:internal/timers:476:21)
"""
GO = """
=== RUN   TestGear
=== RUN   TestGear/reverse
    gear_test.go:63: ratio of reverse: got 3.1, want 2.9
--- FAIL: TestGear (0.00s)
    --- PASS: TestGear/first (0.00s)
    --- FAIL: TestGear/reverse (0.00s)
=== RUN   TestClutch
--- PASS: TestClutch (0.00s)
FAIL
FAIL\texample.org/tractor/gear\t0.004s
ok  \texample.org/tractor/seat\t0.002s
FAIL
"""
CARGO = """
   Compiling almanac v0.3.0 (/srv/almanac)
warning: unused variable: `epoch`
  --> src/moon.rs:9:9
   |
9  |     let epoch = 4;
    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.10s
     Running unittests src/lib.rs (target/debug/deps/almanac-1f)

running 42 tests
test moon::tests::full_moon_in_may ... FAILED
test moon::tests::new_moon ... ok

failures:

---- moon::tests::full_moon_in_may stdout ----

thread 'moon::tests::full_moon_in_may' panicked at src/moon.rs:118:9:
assertion `left == right` failed: day of the full moon
  left: 22
 right: 23
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    moon::tests::full_moon_in_may

test result: FAILED. 41 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s

   Doc-tests almanac

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s

error: test failed, to rerun pass `--lib`
"""
MAVEN = """
[INFO] Running org.acme.loom.ThreadTest
[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in org.acme.ThreadTest
[ERROR] org.acme.loom.ThreadTest.tension -- Time elapsed: 0.008 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <7> but was: <9>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:39)
\tat org.acme.loom.ThreadTest.tension(ThreadTest.java:52)
[INFO]
[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   ThreadTest.tension:52 expected: <7> but was: <9>
[INFO]
[ERROR] Tests run: 18, Failures: 1, Errors: 0, Skipped: 2
[INFO]
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
"""
GRADLE = """
> Task :test

LoomTest > holds the weft() FAILED
    org.opentest4j.AssertionFailedError at LoomTest.java:31

9 tests completed, 1 failed

> Task :test FAILED

FAILURE: Build failed with an exception.
"""
JUNIT_XML = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="mill" tests="6" failures="1" errors="0" skipped="1" time="0.12">
<testcase classname="mill.WheelTest" name="turns" time="0.01"/>
<testcase classname="mill.WheelTest" name="stops at dusk" file="mill/wheel_test.py" line="40">
<failure message="still turning at 21:00">Traceback ...</failure></testcase>
</testsuite></testsuites>
"""
DOTNET = """
  Determining projects to restore...
  Failed Kiln.Tests.GlazeTests.FiresAtCone6 [14 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 1222
Actual:   1186
  Stack Trace:
     at Kiln.Tests.GlazeTests.FiresAtCone6() in /srv/kiln/tests/GlazeTests.cs:line 33

Failed!  - Failed:     1, Passed:    27, Skipped:     0, Total:    28, Duration: 61 ms - Kiln.Tests.dll (net8.0)
"""
RSPEC = """
..F

Failures:

  1) Orchard when it freezes covers the trees
     Failure/Error: expect(orchard.covered?).to be(true)

       expected true
            got false
     # ./spec/orchard_spec.rb:21:in `block (3 levels) in <top (required)>'

Finished in 0.02 seconds (files took 0.1 seconds to load)
3 examples, 1 failure

Failed examples:

rspec ./spec/orchard_spec.rb:19 # Orchard when it freezes covers the trees
"""
PHPUNIT = """
PHPUnit 11.0.3 by Sebastian Bergmann and contributors.

..F.                                                                4 / 4 (100%)

There was 1 failure:

1) Bakery\\Tests\\DoughTest::testRises
Failed asserting that 11 is identical to 12.

/srv/bread/DoughTest.php:29

FAILURES!
Tests: 4, Assertions: 9, Failures: 1.
"""
GTEST = """
[==========] Running 3 tests from 1 test suite.
[ RUN      ] Valve.Closes
valve_test.cc:45: Failure
Expected equality of these values:
  valve.angle()
    Which is: 4
  0
[  FAILED  ] Valve.Closes (0 ms)
[==========] 3 tests from 1 test suite ran. (0 ms total)
[  PASSED  ] 2 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Valve.Closes

 1 FAILED TEST
"""
TAP = """
TAP version 13
1..3
ok 1 - opens the gate
not ok 2 - closes the gate
  ---
  error: 'the gate is still open'
  location: '/srv/gate/test/gate.test.js:17:5'
  ...
ok 3 - paints the gate
# tests 3
# pass 2
# fail 1
"""
NODE = """
✔ counts the sheep (0.9ms)
✖ counts the lambs (1.2ms)
ℹ tests 2
ℹ suites 0
ℹ pass 1
ℹ fail 1
ℹ duration_ms 61

✖ failing tests:

test at test/flock.test.mjs:12:1
✖ counts the lambs (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      at TestContext.<anonymous> (file:///srv/flock/test/flock.test.mjs:14:10)
"""
PLAYWRIGHT = """
Running 9 tests using 3 workers

  1) [chromium] › tests/login.spec.ts:8:5 › signs in with a key ─────────────────────────

    Error: expect(locator).toBeVisible() failed

      11 |   await page.click("#in")
    > 12 |   await expect(page.locator("#hello")).toBeVisible()
        at /srv/web/tests/login.spec.ts:12:40

  1 failed
    [chromium] › tests/login.spec.ts:8:5 › signs in with a key
  8 passed (6.1s)
"""
EXUNIT = """
  1) test rings at noon (Bell.TowerTest)
     test/tower_test.exs:15
     Assertion with == failed
     code:  assert Tower.rings(12) == 12
     left:  11
     right: 12

Finished in 0.05 seconds
14 tests, 1 failure
"""
NEXTEST = """
        PASS [   0.004s] (1/3) bridge span::holds
        FAIL [   0.006s] (2/3) bridge span::sways
  stderr ───

    thread 'span::sways' panicked at src/span.rs:71:5:
    sway of 14 mm is too much
────────────
     Summary [   0.010s] 3 tests run: 2 passed, 1 failed, 0 skipped
        FAIL [   0.006s] (2/3) bridge span::sways
error: test run failed
"""
CTEST = """
1/3 Test #1: pump_starts ......................   Passed    0.01 sec
2/3 Test #2: pump_primes ......................***Failed    0.02 sec
3/3 Test #3: pump_stops .......................   Passed    0.01 sec

67% tests passed, 1 tests failed out of 3

The following tests FAILED:
\t  2 - pump_primes (Failed)
Errors while running CTest
"""
DENO = """
running 2 tests from ./tent_test.ts
pitches ... ok (2ms)
folds ... FAILED (3ms)

 ERRORS

folds => ./tent_test.ts:9:6
error: AssertionError: Values are not equal.
    at assertEquals (https://deno.land/std/assert.ts:1:2)
    at file:///srv/tent_test.ts:10:3

FAILED | 1 passed | 1 failed (12ms)
"""
MINITEST = """
.F

Failure:
GateTest#test_closes [test/gate_test.rb:12]:
Expected: 1
  Actual: 2

2 runs, 3 assertions, 1 failures, 0 errors, 0 skips
"""
XCTEST = """
/srv/GateTest.swift:14: error: -[Gate.GateTest testCloses] : XCTAssertEqual failed: ("1") is not equal to ("2")
Test Case '-[Gate.GateTest testCloses]' failed (0.002 seconds).
Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds
"""
# Output, counts that are told, a failed test that is named, words of the first error, its place.
FAILED = [
    (PYTEST, "1 failed, 212 passed", "test_horn_in_dense_fog", "assert 45 == 30", "tests/test_fog.py:58"),
    (
        PYTEST_DEEP,
        "2 failed, 9 passed",
        "test_chart_is_drawn[south]",
        "KeyError: 'soundings'",
        "src/charts/layers.py:141",
    ),
    (PYTEST_COLLECT, "1 error", "tests/test_dock.py", "No module named 'dock.crane'", "tests/test_dock.py:3"),
    (
        UNITTEST,
        "1 failed, 1 error, 3 passed",
        "BerthTest.test_width",
        "has no attribute 'lines'",
        "/srv/port/berth.py:77",
    ),
    (JEST, "1 failed, 73 passed", "Basket › adds up the prices", "Received: 30.499", "src/basket.test.ts:15"),
    (VITEST, "1 failed, 81 passed", "planner > avoids the ferry", "expected 'ferry'", "src/route.test.ts:44"),
    (MOCHA, "1 failed, 12 passed", "", "Missing expected exception", "test/ledger.js:27"),
    (GO, "1 failed", "TestGear/reverse", "got 3.1, want 2.9", "gear_test.go:63"),
    (CARGO, "1 failed, 44 passed", "moon::tests::full_moon_in_may", "right: 23", "src/moon.rs:118"),
    (MAVEN, "1 failed, 15 passed, 2 skipped", "ThreadTest.tension", "expected: <7> but was: <9>", "ThreadTest.java:52"),
    (GRADLE, "1 failed, 8 passed", "LoomTest > holds the weft()", "AssertionFailedError", "LoomTest.java:31"),
    (JUNIT_XML, "1 failed, 4 passed, 1 skipped", "stops at dusk", "still turning at 21:00", "mill/wheel_test.py:40"),
    (
        DOTNET,
        "1 failed, 27 passed",
        "Kiln.Tests.GlazeTests.FiresAtCone6",
        "Values differ",
        "/srv/kiln/tests/GlazeTests.cs:33",
    ),
    (RSPEC, "1 failed, 2 passed", "Orchard when it freezes", "expect(orchard.covered?)", "./spec/orchard_spec.rb:21"),
    (
        PHPUNIT,
        "1 failed, 3 passed",
        "DoughTest::testRises",
        "11 is identical to 12",
        "/srv/bread/DoughTest.php:29",
    ),
    (GTEST, "1 failed, 2 passed", "Valve.Closes", "Expected equality", "valve_test.cc:45"),
    (TAP, "1 failed, 2 passed", "closes the gate", "still open", "/srv/gate/test/gate.test.js:17"),
    (NODE, "1 failed, 1 passed", "counts the lambs", "strictly equal", "/srv/flock/test/flock.test.mjs:14"),
    (PLAYWRIGHT, "1 failed, 8 passed", "signs in with a key", "toBeVisible", "/srv/web/tests/login.spec.ts:12"),
    (EXUNIT, "1 failed, 13 passed", "test rings at noon", "left:  11".replace("  ", " "), "test/tower_test.exs:15"),
    (NEXTEST, "1 failed, 2 passed", "bridge span::sways", "sway of 14 mm", "src/span.rs:71"),
    (CTEST, "1 failed", "pump_primes", "", ""),
    (DENO, "1 failed, 1 passed", "folds", "Values are not equal", "/srv/tent_test.ts:10"),
    (MINITEST, "1 failed, 1 passed", "GateTest#test_closes", "Expected: 1 Actual: 2", "test/gate_test.rb:12"),
    (XCTEST, "1 failed, 4 passed", "testCloses", "is not equal to", "/srv/GateTest.swift:14"),
    ("Ran 5 tests in 1.2s\n\nFAILED (errors=1)\n", "1 error, 4 passed", "", "", ""),
]


def told(reading: ToolReading) -> str:
    return "\n".join(line.told for line in reading.lines)


@pytest.mark.parametrize(("output", "counts", "name", "error", "place"), FAILED)
def test_a_failed_run_is_its_verdict_its_failed_tests_and_its_first_error(
    output: str, counts: str, name: str, error: str, place: str
) -> None:
    reading = read_tool_result(output, "Bash")
    assert (reading.kind, reading.verdict, reading.routine) == ("tests", "failed", False)
    assert reading.lines[0].told.startswith(f"Tests failed: {counts}"), told(reading)
    assert name in told(reading)
    if error:
        (first,) = [line for line in reading.lines if line.label == "First error"]
        assert error in first.text, told(reading)
        assert first.place == place, told(reading)
        assert error.split()[0].strip("'") in output[first.start : first.end].replace("\x1b[31m", "")
    assert len(told(reading)) < 900


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("............................. [100%]\n47 passed, 2 warnings in 3.02s\n", "Tests passed: 47 passed"),
        ("Ran 3 tests in 0.001s\n\nOK (skipped=1)\n", "Tests passed: 2 passed, 1 skipped"),
        ("Found 2 test(s).\n..\nRan 2 tests in 0.1s\n\nOK\nDestroying test database\n", "Tests passed: 2 passed"),
        ("ok  \texample.org/mill\t0.021s\nok  \texample.org/race\t(cached)\n", "Tests passed"),
        ("OK (12 tests, 30 assertions)\n", "Tests passed: 12 passed"),
        ("1..2\nok 1 - a\nok 2 - b\n# tests 2\n# pass 2\n# fail 0\n", "Tests passed: 2 passed"),
        (
            "[INFO] Tests run: 18, Failures: 0, Errors: 0, Skipped: 2\n[INFO] BUILD SUCCESS\n",
            "Tests passed: 16 passed, 2 skipped",
        ),
        ("Bestanden!   : Fehler:     0, erfolgreich:    40, gesamt:    40, Dauer: 9 ms\n", "Tests passed: 40 passed"),
        (
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s\n" * 2,
            "Tests passed: 6 passed, 2 skipped",
        ),
    ],
)
def test_a_run_that_passed_is_its_counts_and_nothing_else(output: str, expected: str) -> None:
    reading = read_tool_result(output)
    assert (reading.kind, reading.verdict) == ("tests", "passed")
    assert reading.lines[0].told.startswith(expected)


def test_a_run_in_another_language_is_a_run() -> None:
    output = (
        "Fehler! : Fehler:     2, erfolgreich:    40, übersprungen:     1, gesamt:    43, Dauer: 90 ms - O.dll (net8)"
    )
    assert told(read_tool_result(output)) == "Tests failed: 2 failed, 40 passed, 1 skipped"


def test_the_verdict_is_found_where_the_beginning_or_the_end_is_cut_off() -> None:
    behind = read_tool_result(PYTEST[PYTEST.index("assert 45") :])
    assert told(behind).splitlines()[0] == "Tests failed: 1 failed, 212 passed, 1 skipped"
    before = read_tool_result(
        "tests/test_oar.py::test_long PASSED     [ 10%]\n"
        "tests/test_oar.py::test_short FAILED    [ 20%]\n"
        "tests/test_oar.py::test_lost PASSED     [ 30%]\ntests/test_oa"
    )
    assert told(before) == "Tests failed: 1 failed\nFailed tests: tests/test_oar.py::test_short"


def test_stamps_of_a_runner_and_several_processes_do_not_hide_a_run() -> None:
    stamped = "\n".join(f"2031-04-01T10:00:00.1234567Z {line}" for line in VITEST.split("\n"))
    assert told(read_tool_result(stamped)) == told(read_tool_result(VITEST))
    spread = "[gw1] [ 33%] PASSED tests/test_a.py::test_one\n[gw0] [ 66%] FAILED tests/test_b.py::test_zwei[größe]\n"
    reading = read_tool_result(
        spread + "E   ValueError: Größe fehlt\n\nsrc/größe.py:5: ValueError\n1 failed, 1 passed in 1s"
    )
    assert told(reading).splitlines() == [
        "Tests failed: 1 failed, 1 passed",
        "First error: ValueError: Größe fehlt (src/größe.py:5)",
        "Failed tests: tests/test_b.py::test_zwei[größe]",
    ]


def test_of_many_failed_tests_some_are_named_and_the_others_counted() -> None:
    failed = [f"FAILED tests/test_rope.py::test_knot_{number} - KeyError: {number}" for number in range(40)]
    reading = read_tool_result("\n".join([*failed, "40 failed, 2 passed in 1.2s"]))
    named = next(line.text for line in reading.lines if line.label == "Failed tests")
    assert named.startswith("tests/test_rope.py::test_knot_0, ")
    assert named.endswith(f"and {40 - named.count('::')} more")


BUILT = "> tsc && vite build\n✓ 212 modules transformed.\n✓ built in 2.14s\n"
LINT = "app/rooms.py:44: error: Incompatible return value type\nFound 1 error in 1 file (checked 9 source files)\n"


def test_of_a_build_and_a_test_run_the_one_that_failed_goes_first() -> None:
    tests = read_tool_result(BUILT + VITEST)
    assert (tests.kind, tests.verdict) == ("tests", "failed")
    assert told(tests).splitlines()[-1] == "Build passed: ✓ built in 2.14s"
    build = read_tool_result("....\n11 passed in 0.31s\n" + LINT)
    assert (build.kind, build.verdict) == ("build", "failed")
    assert told(build).splitlines()[-1] == "Tests passed: 11 passed"


def test_what_a_passing_test_prints_is_no_failure() -> None:
    printed = "out.c:3:1: error: expected by the test\nTraceback (most recent call last):\n"
    printed += '  File "a.py", line 3, in b\n    c()\nValueError: expected, too\n'
    assert read_tool_result(printed + "4 passed in 0.2s\n").verdict == "passed"


@pytest.mark.parametrize(
    "text",
    [
        "We had 3 failed attempts and 2 passed exams.\nThe report says errors: 4.",
        "  12→FAILED tests/test_a.py::test_b - E\n  13→1 failed, 2 passed in 3s\n",
        "diff --git a/o b/o\n--- a/o\n+++ b/o\n@@ -1 +1 @@\n-1 failed in 1s\n+1 passed in 1s\n",
        '{"note": "1 failed, 2 passed in 0.1s"}',
        "README.md:3:FAILED tests/test_a.py::test_b\nREADME.md:4:1 failed in 2s\n",
    ],
)
def test_what_only_speaks_of_a_run_is_none(text: str) -> None:
    assert read_tool_result(text).kind != "tests"
