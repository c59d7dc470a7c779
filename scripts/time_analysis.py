"""Prints the processor time that the analysis of one turn takes without its embedding, by how long its session is.

python scripts/time_analysis.py
"""

import random
import time

from graphmem.model.turns import KnownNear, TurnSettings, WaitingTurn
from graphmem.rules.turns.analysis import Past, analyse_all
from graphmem.rules.turns.novelty import CALIBRATIONS
from graphmem.rules.turns.overlays import anchor_texts, anchors_of

EMBEDDER = "all-MiniLM-L6-v2"
DIMENSIONS = 384
TIMED = 200
TEXT = "deploy the parser module, test and review a token as we said earlier for each order in src/app.py 3 * 4"


def main() -> None:
    chance = random.Random(7)

    def vector() -> tuple[float, ...]:
        return tuple(chance.gauss(0, 1) for _ in range(DIMENSIONS))

    def turn(place: int) -> WaitingTurn:
        known = tuple(
            KnownNear(f"k{n}-{place}", f"Order {place} must be tested by {n}", "constraint", 0.6) for n in range(6)
        )
        words = " ".join(chance.choice(TEXT.split()) for _ in range(120))
        return WaitingTurn(f"i{place}", f"m{place}", place, "user", words, None, vector(), known)

    anchors = anchors_of([vector() for _ in anchor_texts()], EMBEDDER)
    print("| turns before | processor time a turn, ms |\n|---|---|")
    for before in (0, 100, 1_000, 10_000):
        past = Past(10)
        settings = TurnSettings()
        analyse_all([turn(place) for place in range(before)], past, anchors, settings, CALIBRATIONS[EMBEDDER])
        turns = [turn(before + place) for place in range(TIMED)]
        started = time.process_time()
        analyse_all(turns, past, anchors, settings, CALIBRATIONS[EMBEDDER])
        print(f"| {before:,} | {(time.process_time() - started) / TIMED * 1000:.2f} |")


if __name__ == "__main__":
    main()
