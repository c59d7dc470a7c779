"""Traits of a statement are the same wherever they are found, and those that are kept are read only where they hold."""

import subprocess
import sys

import pytest

from graphmem.rules.contradiction.traits import pack, traits_of, unpack

SAID = (
    "Ana lives in Rome",
    "The auth service uses PostgreSQL 16 as the primary database and no longer runs on port 8080",
    "Ana isn't married, and her manager is Piotr",
    "Ana's dog died in March",
    "Олена живе у Києві",
    "",
)


@pytest.mark.parametrize("content", SAID)
def test_what_is_kept_is_read_as_it_was_found(content: str) -> None:
    packed = pack(content, "rules of today")
    assert unpack(packed, content, "rules of today") == traits_of(content)
    assert traits_of(content).shows
    assert len(packed) < 1_000


def test_what_was_found_in_other_words_or_by_other_rules_is_not_read() -> None:
    packed = pack(SAID[0], "rules of today")
    assert unpack(packed, SAID[1], "rules of today") is None
    assert unpack(packed, SAID[0], "rules of tomorrow") is None
    assert unpack(None, SAID[0], "rules of today") is None
    assert unpack(b"", SAID[0], "rules of today") is None


def test_traits_are_the_same_in_every_process() -> None:
    told = (
        "import sys; from graphmem.rules.contradiction.traits import pack; "
        "[print(pack(one, 'r').hex()) for one in sys.argv[1:]]"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", told, *SAID],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {"".join(f"{pack(one, 'r').hex()}\n" for one in SAID)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The gate is locked", "Ole has unlocked the gate"),
        ("Ole has a car", "Ole's car was stolen"),
        ("the cache does not drain the retry queue", "the cache drains the retry queue"),
    ],
)
def test_statements_that_exclude_each_other_meet(old: str, new: str) -> None:
    one, other = traits_of(old), traits_of(new)
    assert one.seeks & other.shows or other.seeks & one.shows


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Harbour 3 kitchen is disabled", "Harbour 3 kitchen works at Northwind"),
        ("Harbour 3 kitchen was founded in 1998", "Harbour 3 kitchen meets the auditors on Friday"),
        ("Harbour 3 kitchen does not drain the queue", "Harbour 3 kitchen likes tea"),
    ],
)
def test_statements_that_share_their_subject_alone_do_not_meet(old: str, new: str) -> None:
    one, other = traits_of(old), traits_of(new)
    assert not one.seeks & other.shows
    assert not other.seeks & one.shows
