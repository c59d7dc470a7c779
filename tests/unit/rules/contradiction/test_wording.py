"""Labelled pairs in many wordings: thirty of them to read, all of them as data, with totals per class.

The rows of `tests/data/wording/contradictions.jsonl` say what a reader would: does the newer statement, so many days
later, end the older one? `contradictions_totals.json` says how many of each class are judged rightly today.
"""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.contradiction.candidates import Candidates
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.traits import traits_of

WORDING = Path(__file__).parents[3] / "data" / "wording"
JANUARY = datetime(2026, 1, 1, tzinfo=UTC)

ENDED = [
    ("Alice lives in NYC", "Alice lives in LA"),
    ("auth is enabled", "auth is disabled"),
    ("uses PostgreSQL", "migrated from PostgreSQL to MongoDB"),
    ("Jon is dating Mia", "Jon broke up with Mia"),
    ("The timeout is 30s", "changed the timeout to 60s"),
    ("Rosa has never been to Japan.", "Rosa went to Japan in April."),
    ("Kim is married to Ole.", "Kim has divorced Ole."),
    ("The contract ends on 31 March 2026.", "The contract ends on 30 April 2026."),
    ("Ana takes care of the HR newsletter.", "Ana no longer takes care of the HR newsletter."),
    ("The CEO of Lark is Otto Brandt.", "Otto Brandt stepped down, and his daughter is CEO of Lark."),
    ("Leo is the owner of the kiosk.", "Mira has taken over the kiosk."),
    ("I drive to work.", "These days I cycle to work."),
    ("The reader accepts PDF files only.", "The reader also accepts EPUB files."),
    ("A. Berg lives in Ulm.", "Anna Berg lives in Kiel."),
    ("Антон курит.", "Антон больше не курит."),
    ("The price of Pro is $20.", "The price of Pro is €20."),
    ("Our price is £5.", "Our price is $5."),
    ("Ana is in apartment 4.", "Ana is in apartment 5."),
    ("The gateway listens on port 80.", "The gateway listens on port 81."),
    ("uses Node 18", "uses Node 20"),
    ("东京办公室在五楼。", "东京办公室在六楼。"),
]
BESIDE = [
    ("uses Redis", "uses PostgreSQL"),
    ("The timeout is 60 minutes", "The timeout is 1 hour"),
    ("auth is enabled", "plans to disable auth"),
    ("auth is enabled", "Bob said auth is disabled"),
    ("auth is enabled in staging", "auth is disabled in production"),
    ("The alarm is enabled", "If smoke is seen, the alarm is disabled"),
    ("Max lives in Berlin", "Max lives in Kreuzberg, Berlin"),
    ("Rosa has never been to Japan.", "Rosa has been to Korea twice."),
    ("Kim is the CEO of Lark.", "Ole is the CEO of Wren."),
    ("The contract ends on 31 March 2026.", "The contract ends on 2026-03-31."),
    ("Ana takes care of the HR newsletter.", "Ana no longer takes care of the press newsletter."),
    ("Hedda is going out with Nils.", "Hedda's sister is currently single."),
    ("The library is closed.", "The library café is open."),
    ("I drive to work.", "These days I cycle at weekends."),
    ("A. Berg lives in Ulm.", "B. Berg lives in Kiel."),
    ("handles region 1", "handles region 2"),
    ("The gateway calls endpoint 12.", "The gateway calls endpoint 13."),
    ("The bot closed ticket 12.", "The bot closed ticket 15."),
    ("Ana looks after ward 4.", "Ana looks after ward 5."),
    ("port 7000", "The port is 7000."),
    ("The timeout is 60 s.", "The timeout is 1 minute."),
    ("Ana lives in Rome.", "Ana lives in Rome, Italy."),
    ("The launch is on 3 May.", "The launch is on May 3rd."),
    ("The price of Pro is $20.", "The price of Pro is 20 dollars."),
    ("Антон курит.", "Антон больше не играет в шахматы."),
]


@dataclass(frozen=True)
class Pair:
    """Two statements so many days apart; `signal` is one that has to be among those that fire, where it is given."""

    sort: str
    old: str
    new: str
    days: float
    conflict: bool
    signal: str | None

    @property
    def label(self) -> str:
        return f"{self.sort}, {'ends' if self.conflict else 'stays'}"


def pairs() -> list[Pair]:
    lines = (WORDING / "contradictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Pair(row["class"], row["old"], row["new"], row["days"], row["conflict"], row.get("signal")) for row in rows]


PAIRS = pairs()


def judge(old: str, new: str, days: float = 40) -> Contradiction:
    return check(Claim(content=old, created_at=JANUARY), Claim(content=new, created_at=JANUARY + timedelta(days=days)))


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_is_said_otherwise_ends(old: str, new: str) -> None:
    assert judge(old, new).conflict


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_what_can_stand_beside_it_stays(old: str, new: str) -> None:
    assert not judge(old, new).conflict


def test_as_many_pairs_of_each_class_are_judged_rightly_as_are_written_down() -> None:
    right: Counter[str] = Counter()
    wrong = []
    for pair in PAIRS:
        verdict = judge(pair.old, pair.new, pair.days)
        assert all(signal.evidence for signal in verdict.signals), verdict
        assert verdict.confidence == max((signal.confidence for signal in verdict.signals), default=0.0)
        if verdict.conflict is pair.conflict and pair.signal in {None, *(one.name for one in verdict.signals)}:
            right[pair.label] += 1
        else:
            wrong.append(f"{pair.label}: {pair.old} | {pair.new}: {verdict}")
    of = Counter(pair.label for pair in PAIRS)
    totals = json.loads((WORDING / "contradictions_totals.json").read_text(encoding="utf-8"))
    assert {label: [right[label], of[label]] for label in of} == totals, "\n".join(["judged wrongly:", *wrong])


def test_what_ends_is_among_what_a_sweep_compares() -> None:
    ending = [pair for pair in PAIRS if judge(pair.old, pair.new, pair.days).conflict]
    assert len(ending) > 800
    assert [pair for pair in ending if Candidates([*map(traits_of, (pair.old, pair.new))]).of(0) != {1}] == [], (
        "passed over"
    )


def test_no_statement_ends_itself() -> None:
    for said in dict.fromkeys(text for pair in PAIRS for text in (pair.old, pair.new)):
        assert not judge(said, said).signals, said
