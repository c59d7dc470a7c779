"""Prints the processor time that compaction without a model takes for 500 turns, beside what the database does.

python scripts/compaction_time.py [TURNS]
"""

import random
import sys
import time
from datetime import UTC, datetime

from graphmem.model.compaction import BacklogMessage
from graphmem.rules.language.grams import grams
from graphmem.rules.language.text import count_tokens
from graphmem.rules.summaries.compaction import CompactionBounds, leaf_length, passages
from graphmem.rules.summaries.extractive import extract

THINGS = ("ledger", "cache", "queue", "billing service", "search index", "token store", "deploy job", "audit log")
DOES = ("waits for", "reads from", "was moved behind", "fails without", "is faster than", "writes to", "retries")
RULES = (
    "We decided to keep the {a} on the {b}.",
    "Never restart the {a} before the {b}.",
    "The {a} must log to the {b}.",
)


def turn(chance: random.Random) -> str:
    said = [
        f"{chance.choice(THINGS)} {chance.choice(DOES)} the {chance.choice(THINGS)} by {chance.randint(1, 99)} ms."
        for _ in range(chance.randint(2, 8))
    ]
    if chance.random() < 0.1:
        said.append(chance.choice(RULES).format(a=chance.choice(THINGS), b=chance.choice(THINGS)))
    return " ".join(said)


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    chance = random.Random(8)
    texts = [turn(chance) for _ in range(turns)]
    now = datetime.now(UTC)
    backlog = [
        BacklogMessage(n, "assistant" if n % 2 else "user", None, text, count_tokens(text), None, now, False, None)
        for n, text in enumerate(texts)
    ]
    bounds = CompactionBounds()
    started, leaves, rest = time.process_time(), 0, backlog
    while number := leaf_length(rest, bounds.leaf_tokens):
        leaf, rest = rest[:number], rest[number:]
        found = extract(passages(leaf), sum(message.tokens for message in leaf), bounds.cut_tokens)
        leaves += found is not None and bool(grams(found.text))
    took = time.process_time() - started
    tokens = sum(message.tokens for message in backlog)
    print(f"{turns} turns of {tokens} tokens in {leaves} leaves: {took * 1000:.0f} ms of processor time")


if __name__ == "__main__":
    main()
