"""The tables of the recall benchmark: by system, by category, by signal, and how sure the figures are."""

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmarks.locomo import Key, Question
from benchmarks.service import BenchmarkFailed, percentile, table

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
HEADLINE = (1, 2, 3, 4)
DEPTHS = (5, 10, 20)
TUNED_ON = ("conv-26", "conv-30", "conv-41")
"""The conversations on which the weights of recall were tuned; of the others only figures were looked at."""
GOALS = Path(__file__).with_name("recall_goals.json")
WANTED = "goals, never tuned on"
"""What of the file says how good recall is to be; the rest is how good it was, by the data."""
TOLERATED = 0.015
"""How far a figure may fall below the one that is kept before the run fails."""
RESAMPLES = 2000
Mode = Literal["separate", "pooled"]


class Asked(NamedTuple):
    """A question with what came back: turns, best first, the seconds it took, how many words graphmem's hits have, and
    its first 100 where so many are asked for, each with its signals."""

    question: Question
    ranked: tuple[Key, ...]
    seconds: float
    words: int = 0
    more: tuple[Key, ...] = ()
    signals: tuple[Mapping[str, float], ...] = ()


class Scores(NamedTuple):
    """Means over questions: recall by depth k, the reciprocal rank of the first evidence turn, and the share of
    questions all evidence of which is among the first 10."""

    questions: int
    recall: dict[int, float]
    mrr: float
    complete: float = 0.0


Answers = Mapping[str, Sequence[Asked]]
"""What each system answered, by its name; ours comes first."""


def score(asked: Iterable[Asked]) -> Scores:
    """Scores of the questions that have evidence; zeros when there are none."""
    counted = [item for item in asked if item.question.gold]
    recall = dict.fromkeys(DEPTHS, 0.0)
    reciprocal = complete = 0.0
    for item in counted:
        gold, ranked = item.question.gold, item.ranked
        for depth in DEPTHS:
            recall[depth] += len(gold.intersection(ranked[:depth])) / len(gold)
        first = next((rank for rank, key in enumerate(ranked[: max(DEPTHS)], start=1) if key in gold), None)
        reciprocal += 1 / first if first else 0.0
        complete += gold <= set(ranked[:10])
    count = max(len(counted), 1)
    means = {depth: total / count for depth, total in recall.items()}
    return Scores(len(counted), means, reciprocal / count, complete / count)


def system_table(answers: Answers) -> str:
    """A row for each system: its scores in categories 1–4, and how long a question took."""
    rows = []
    for system, asked in answers.items():
        scores = score(of_categories(asked, HEADLINE))
        seconds = [item.seconds for item in asked]
        times = [f"{percentile(seconds, share) * 1000:.2f}" for share in (0.5, 0.95)]
        recalls = [f"{scores.recall[depth]:.3f}" for depth in DEPTHS]
        rows.append([system, *recalls, f"{scores.mrr:.3f}", *times])
    return table(["categories 1–4", *(f"R@{depth}" for depth in DEPTHS), "MRR", "p50 ms", "p95 ms"], rows)


def category_table(answers: Answers) -> str:
    """A row for each category, and for each conversation (categories 1–4); a column with R@10 for each system."""
    groups = {f"{number} {name}": _by_category(number) for number, name in CATEGORIES.items()}
    conversations = sorted({item.question.conversation for asked in answers.values() for item in asked})
    groups |= {f"1–4, {name}": _by_conversation(name) for name in conversations}
    rows = []
    for name, chosen in groups.items():
        scores = [score(chosen(asked)) for asked in answers.values()]
        rows.append([name, str(scores[0].questions), *(f"{part.recall[10]:.3f}" for part in scores)])
    return table(["R@10 by category", "questions", *answers], rows)


def own_table(asked: Sequence[Asked]) -> str:
    """graphmem alone: each category at each depth, all evidence at 10, and the words a question is answered with."""
    rows = []
    groups = {f"{number} {name}": _by_category(number) for number, name in CATEGORIES.items()}
    for name, chosen in ({"1–4 together": lambda every: of_categories(every, HEADLINE)} | groups).items():
        part = chosen(asked)
        scores = score(part)
        words = sum(item.words for item in part) / max(len(part), 1)
        recalls = [f"{scores.recall[depth]:.3f}" for depth in DEPTHS]
        rows.append([name, *recalls, f"{scores.mrr:.3f}", f"{scores.complete:.3f}", f"{words:.0f}"])
    return table(
        ["graphmem by category", *(f"R@{depth}" for depth in DEPTHS), "MRR", "all evidence@10", "words in 20 hits"],
        rows,
    )


def split_table(asked: Sequence[Asked]) -> str:
    """Conversations that were tuned on and those that were not, with intervals over the questions."""
    rows = []
    headline = of_categories(asked, HEADLINE)
    tuned = [item for item in headline if item.question.conversation in TUNED_ON]
    others = [item for item in headline if item.question.conversation not in TUNED_ON]
    for name, part in {"tuned on": tuned, "never tuned on": others}.items():
        if part:
            scores, (low, high) = score(part), interval(part)
            multi = score(of_categories(part, (1,))).recall[10]
            rows.append(
                [
                    name,
                    str(scores.questions),
                    f"{scores.recall[10]:.3f} [{low:.3f}–{high:.3f}]",
                    f"{scores.recall[20]:.3f}",
                    f"{scores.mrr:.3f}",
                    f"{multi:.3f}",
                ]
            )
    goals = kept_figures(WANTED)
    columns = ("R@10", "R@20", "MRR", "multi-hop R@10")
    rows.append([WANTED, "", *(f"≥ {goals[name]:.2f}" for name in columns)])
    return table(["conversations", "questions", "R@10 [95 %]", *columns[1:]], rows)


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
    headline = [item._replace(ranked=item.more) for item in of_categories(asked, HEADLINE)]
    signals = sorted({name for item in headline for why in item.signals for name in why})
    whole = score(headline)
    rows = [["all signals", *_cells(whole, whole)]]
    rows += [
        [f"without {name}", *_cells(score([_without(item, name) for item in headline]), whole)] for name in signals
    ]
    return table(["the first 100 hits in order", "R@5", "R@10", "R@20", "MRR", "R@10 lost"], rows)


def figures(asked: Sequence[Asked], mode: Mode) -> dict[str, float]:
    """The figures that are kept from run to run."""
    headline = of_categories(asked, HEADLINE)
    others = [item for item in headline if item.question.conversation not in TUNED_ON]
    chosen = {"all": headline, "never tuned on": others}
    return {f"{mode}, {name}, R@10": round(score(part).recall[10], 4) for name, part in chosen.items() if part}


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


def of_categories(asked: Sequence[Asked], categories: tuple[int, ...]) -> list[Asked]:
    return [item for item in asked if item.question.category in categories]


def _without(item: Asked, signal: str) -> Asked:
    """The question as it would be answered without a signal, among the hits there are."""
    scored = [
        (-sum(part for name, part in why.items() if name != signal), place)
        for place, why in enumerate(item.signals[: len(item.ranked)])
    ]
    return item._replace(ranked=tuple(item.ranked[place] for _, place in sorted(scored)))


def _cells(scores: Scores, whole: Scores) -> list[str]:
    recalls = [f"{scores.recall[depth]:.3f}" for depth in DEPTHS]
    return [*recalls, f"{scores.mrr:.3f}", f"{whole.recall[10] - scores.recall[10]:+.3f}"]


def _by_category(number: int) -> Callable[[Sequence[Asked]], list[Asked]]:
    return lambda asked: of_categories(asked, (number,))


def _by_conversation(name: str) -> Callable[[Sequence[Asked]], list[Asked]]:
    return lambda asked: [item for item in of_categories(asked, HEADLINE) if item.question.conversation == name]
