"""Trains how much a sentence of a conversation is worth to somebody who comes back, on the labelled stories, and says
how many must-haves the best sentences hold in stories that it is not trained on, leaving out one after the other.

python scripts/train_standing.py           train, write the weights, print the table
python scripts/train_standing.py --dry     print the table, write nothing
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from api.eval_continuity import analysed
from api.eval_stories import stories
from graphmem.model.labels_story import Story
from graphmem.rules.language.text import count_tokens
from graphmem.rules.turns.sentences import said
from graphmem.rules.turns.standing import WEIGHTED, WEIGHTS_FILE, SpokenTurn, Standing, weighted

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "graphmem" / "rules" / "weights" / WEIGHTS_FILE
EXAMPLES = ROOT / "tests" / "data" / "stories"
TRAINED_ON = ("tuned", "practice")
"""`held` is only reported: nothing is trained on it."""
STRENGTH = 5.0
"""How far the weights may go: of their squares."""
RIGHT = 0.3
"""What all must-haves together weigh, compared with all other sentences."""
SIZES = (300, 1000, 2500, 4000)
LINE_TOKENS = 8
"""Tokens of a line beside its sentence."""
Numbers = np.ndarray


@dataclass(frozen=True)
class Example:
    """The sentences of a story: their features, whether they say a must-have, their tokens (infinite for what was
    replaced), and for each must-have the sentences that say it."""

    id: str
    features: Numbers
    wanted: Numbers
    tokens: Numbers
    saying: tuple[frozenset[int], ...]


def read(story: Story) -> Example:
    turns = [
        SpokenTurn(
            turn.role, said(turn.text) if turn.role in ("user", "assistant") else (), turn.importance, turn.shift
        )
        for turn in analysed(story.messages)
    ]
    standing = Standing(turns)
    ids = [message.message_id for message in story.messages]
    points = standing.points
    labelled = {
        point.number
        for one in story.must
        for point in points
        if ids[point.place] in one.messages and one.said_by(point.text)
    }
    return Example(
        story.id,
        np.array([weighted(standing.features(point)) for point in points], dtype=float),
        np.array([point.number in labelled for point in points], dtype=float),
        np.array([np.inf if point.over else count_tokens(point.text) + LINE_TOKENS for point in points]),
        tuple(frozenset(point.number for point in points if one.said_by(point.text)) for one in story.must),
    )


def train(examples: Sequence[Example]) -> Numbers:
    """A weight for each of `WEIGHTED`: logistic regression, must-haves against the rest."""
    features = np.vstack([one.features for one in examples])
    wanted = np.concatenate([one.wanted for one in examples])
    weight = np.where(wanted > 0, RIGHT * (len(wanted) - wanted.sum()) / wanted.sum(), 1.0)
    held = np.array([0.0, *[STRENGTH] * (len(WEIGHTED) - 1)])

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        scores = features @ weights
        value = float(weight @ (np.logaddexp(0, scores) - wanted * scores) + held @ weights**2 / 2)
        return value, features.T @ (weight * (expit(scores) - wanted)) + held * weights

    return np.asarray(minimize(loss, np.zeros(len(WEIGHTED)), jac=True, method="L-BFGS-B").x)


def held_in(example: Example, weights: Numbers, tokens: int) -> int:
    """How many must-haves the best sentences say that fit, by their worth for their size, as a recap fills its room."""
    worth = expit(example.features @ weights) / np.sqrt(example.tokens)
    order = [one for one in np.argsort(-worth) if np.isfinite(example.tokens[one])]
    shown, left = set[int](), float(tokens)
    for one in order:
        if example.tokens[one] <= left:
            shown.add(int(one))
            left -= example.tokens[one]
    return sum(bool(saying & shown) for saying in example.saying)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the weights alone")
    given = parser.parse_args(arguments)
    examples = [read(story) for folder in TRAINED_ON for story in stories(EXAMPLES / folder)]
    print(f"| story left out | {' | '.join(f'{size} tokens' for size in SIZES)} |\n|---|{'---:|' * len(SIZES)}")
    for example in examples:
        weights = train([other for other in examples if other is not example])
        print(f"| {example.id} | {' | '.join(str(held_in(example, weights, size)) for size in SIZES)} |")
    weights = train(examples)
    if not given.dry:
        table = {name: round(float(weight), 3) for name, weight in zip(WEIGHTED, weights, strict=True)}
        WEIGHTS.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
