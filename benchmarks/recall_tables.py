"""The tables of the recall benchmarks: by system, by kind of question, by signal, and how sure the figures are."""

import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.asking import COUNTED, Answers, Asked, Found
from benchmarks.conversations import Key
from benchmarks.service import BenchmarkFailed, percentile, say, table

DEPTHS = (5, 10, COUNTED)
BUDGETS = (500, 1500, 3000)
"""Words that a reader, or a model, has room for."""
GOALS = Path(__file__).with_name("recall_goals.json")
TOLERATED = 0.015
"""How far a figure may fall below the one that is kept before the run fails."""
RESAMPLES = 2000


class Scores(NamedTuple):
    """Means over questions: recall by depth k, the reciprocal rank of the first evidence turn, and the share of
    questions all evidence of which is among the first 10."""

    questions: int
    recall: dict[int, float]
    mrr: float
    complete: float = 0.0


Groups = Mapping[str, Callable[[Asked], bool]]
"""Which questions each row of a table is about, by its name."""


def score(asked: Iterable[Asked]) -> Scores:
    """Scores of the questions that have evidence; zeros when there are none."""
    counted = [item for item in asked if item.question.gold]
    recall = dict.fromkeys(DEPTHS, 0.0)
    reciprocal = complete = 0.0
    for item in counted:
        gold = item.question.gold
        for depth in DEPTHS:
            recall[depth] += _share_of(gold, item.hits[:depth])
        first = next((rank for rank, hit in enumerate(item.hits, start=1) if not gold.isdisjoint(hit.keys)), None)
        reciprocal += 1 / first if first else 0.0
        complete += _share_of(gold, item.hits[:10]) == 1
    count = max(len(counted), 1)
    means = {depth: total / count for depth, total in recall.items()}
    return Scores(len(counted), means, reciprocal / count, complete / count)


def within(asked: Iterable[Asked], budget: int) -> float:
    """The mean share of the evidence in the first hits that have at most `budget` words together: the first that has
    no room ends it."""
    counted = [item for item in asked if item.question.gold]
    return sum(_share_of(item.question.gold, _fitting(item.more, budget)) for item in counted) / max(len(counted), 1)


def _fitting(hits: Sequence[Found], budget: int) -> Sequence[Found]:
    words = 0
    for place, hit in enumerate(hits):
        words += hit.words
        if words > budget:
            return hits[:place]
    return hits


def _share_of(gold: frozenset[Key], hits: Iterable[Found]) -> float:
    return len(gold.intersection(key for hit in hits for key in hit.keys)) / len(gold)


def words_in(asked: Iterable[Asked], depth: int) -> float:
    """The mean number of words in the first hits of questions that have evidence."""
    counted = [item for item in asked if item.question.gold]
    return sum(hit.words for item in counted for hit in item.hits[:depth]) / max(len(counted), 1)


def separation(asked: Iterable[Asked]) -> float:
    """How well the score of the first hit tells questions with evidence from those that nothing answers: the area under
    the ROC curve, the share of pairs in which the former has more, ties by half. nan without both."""
    tops: dict[bool, list[float]] = {True: [], False: []}
    for item in asked:
        if item.question.gold or not item.question.answerable:
            tops[item.question.answerable].append(item.hits[0].score if item.hits else 0.0)
    pairs = [(some, none) for some in tops[True] for none in tops[False]]
    return sum((some > none) + (some == none) / 2 for some, none in pairs) / len(pairs) if pairs else float("nan")


def by_exchange(asked: Iterable[Asked], exchange_of: Mapping[Key, Key]) -> list[Asked]:
    """The same questions and hits with exchanges in place of turns: a hit leads to the exchange it belongs to."""

    def moved(hits: Iterable[Found]) -> tuple[Found, ...]:
        return tuple(hit._replace(keys=tuple(exchange_of.get(key, key) for key in hit.keys)) for hit in hits)

    return [
        item._replace(
            question=replace(item.question, gold=frozenset(exchange_of[key] for key in item.question.gold)),
            hits=moved(item.hits),
            more=moved(item.more),
        )
        for item in asked
    ]


def system_table(answers: Answers, name: str) -> str:
    """A row for each system: its scores, and how long a question took."""
    rows = []
    for system, asked in answers.items():
        seconds = [item.seconds for item in asked]
        times = [f"{percentile(seconds, share) * 1000:.2f}" for share in (0.5, 0.95)]
        rows.append([system, *_cells(score(asked)), *times])
    return table([name, *_COLUMNS, "p50 ms", "p95 ms"], rows)


def budget_table(answers: Answers, name: str) -> str:
    """A row for each system: its scores, the evidence within so many words, and the words in ten hits."""
    rows = [
        [
            system,
            *_cells(score(asked)),
            *(f"{within(asked, budget):.3f}" for budget in BUDGETS),
            f"{words_in(asked, 10):.0f}",
        ]
        for system, asked in answers.items()
    ]
    return table([name, *_COLUMNS, *(f"in {budget:,} words" for budget in BUDGETS), "words in 10 hits"], rows)


def filled_table(asked: Sequence[Asked], name: str) -> str:
    """What fills each budget of tokens: the share of the evidence in it, the words, and the hits."""
    counted = [item for item in asked if item.question.gold]
    rows = []
    for tokens in sorted({tokens for item in counted for tokens in item.filled}):
        evidence = sum(_share_of(item.question.gold, item.filled[tokens]) for item in counted) / len(counted)
        words = sum(hit.words for item in counted for hit in item.filled[tokens]) / len(counted)
        hits = sum(len(item.filled[tokens]) for item in counted) / len(counted)
        rows.append([f"{tokens:,} tokens", f"{evidence:.3f}", f"{words:.0f}", f"{hits:.1f}"])
    return table([name, "evidence", "words", "hits"], rows)


def group_table(answers: Answers, groups: Groups, name: str) -> str:
    """A row for each group of questions; a column with R@10 for each system."""
    rows = []
    for group, belongs in groups.items():
        scores = [score(filter(belongs, asked)) for asked in answers.values()]
        rows.append([group, str(scores[0].questions), *(f"{part.recall[10]:.3f}" for part in scores)])
    return table([name, "questions", *answers], rows)


def own_table(asked: Sequence[Asked], groups: Groups, name: str) -> str:
    """graphmem alone: each group of questions at each depth, all evidence at 10, and the words a question is answered
    with."""
    rows = []
    for group, belongs in groups.items():
        part = list(filter(belongs, asked))
        scores = score(part)
        rows.append([group, *_cells(scores), f"{scores.complete:.3f}", f"{words_in(part, COUNTED):.0f}"])
    return table([name, *_COLUMNS, "all evidence@10", f"words in {COUNTED} hits"], rows)


def interval(asked: Sequence[Asked], seed: int = 1) -> tuple[float, float]:
    """A 95 % bootstrap interval of R@10 over questions. Those of one conversation lean on each other: in truth it is
    wider."""
    each = [score([item]).recall[10] for item in asked if item.question.gold]
    if not each:
        return 0.0, 0.0
    drawn = random.Random(seed)
    means = sorted(sum(drawn.choices(each, k=len(each))) / len(each) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def ablation_table(asked: Sequence[Asked]) -> str:
    """What each signal is worth: the first 100 hits put in order without it."""
    every = [item._replace(hits=item.more[:COUNTED]) for item in asked]
    signals = sorted({name for item in asked for hit in item.more for name in hit.why})
    whole = score(every)
    rows = [["all signals", *_cells(whole), "+0.000"]]
    for name in signals:
        without = score(_without(item, name) for item in asked)
        rows.append([f"without {name}", *_cells(without), f"{whole.recall[10] - without.recall[10]:+.3f}"])
    return table(["the first 100 hits in order", *_COLUMNS, "R@10 lost"], rows)


def fallen(found: Mapping[str, float], kept: Mapping[str, float]) -> list[str]:
    """What got worse than is tolerated."""
    return [
        f"{name} fell from {kept[name]:.3f} to {value:.3f}"
        for name, value in found.items()
        if name in kept and value < kept[name] - TOLERATED
    ]


def kept_figures(name: str, path: Path = GOALS) -> dict[str, float]:
    """The figures kept under a name, as the digest of a file of data; none for one that was not measured before."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise BenchmarkFailed(f"{path} is not JSON: {error}") from error
    figures_of: dict[str, float] = kept.get(name, {})
    return figures_of


def keep_figures(data_digest: str, found: Mapping[str, float], path: Path = GOALS) -> None:
    """Keep the better of what was kept and what was found."""
    every: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    before = every.get(data_digest, {})
    every[data_digest] = before | {name: max(value, before.get(name, 0.0)) for name, value in found.items()}
    path.write_text(json.dumps(every, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def fell(data_digest: str, found: Mapping[str, float]) -> int:
    """Says what fell, keeps the better figures, and returns the exit code."""
    lost = fallen(found, kept_figures(data_digest))
    for loss in lost:
        say(loss)
    keep_figures(data_digest, found)
    return 1 if lost else 0


def line(system: str, asked: Asked) -> dict[str, Any]:
    """One question of the per-question file: by number, so that the file holds no words of the data."""
    question = asked.question
    return {
        "retriever": system,
        "conversation": question.conversation,
        "question": question.number,
        "kind": question.kind,
        "gold": sorted(question.gold),
        "ranked": [hit.keys for hit in asked.hits],
        "score": asked.hits[0].score if asked.hits else 0.0,
        "recall": score([asked]).recall,
        "ms": round(asked.seconds * 1000, 1),
    }


def of_kinds(asked: Iterable[Asked], kinds: Collection[str]) -> list[Asked]:
    return [item for item in asked if item.question.kind in kinds]


def by_kind(kind: str) -> Callable[[Asked], bool]:
    return lambda item: item.question.kind == kind


def _without(item: Asked, signal: str) -> Asked:
    """The question as it would be answered without a signal, among the hits there are."""
    scored = [
        (-sum(part for name, part in hit.why.items() if name != signal), place) for place, hit in enumerate(item.more)
    ]
    return item._replace(hits=tuple(item.more[place] for _, place in sorted(scored)[:COUNTED]))


_COLUMNS = (*(f"R@{depth}" for depth in DEPTHS), "MRR")


def _cells(scores: Scores) -> list[str]:
    return [*(f"{scores.recall[depth]:.3f}" for depth in DEPTHS), f"{scores.mrr:.3f}"]
