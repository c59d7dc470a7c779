"""How well extraction, supersession and continuity do, next to what a careful reader would say."""

from graphmem.rules.evaluation.tally import KINDS, Kind, Tally, compare, retirement, tally_pair
from graphmem.rules.evaluation.turn_agreement import Agreement, SeenTurn, Share, agreement, whole

__all__ = [
    "KINDS",
    "Agreement",
    "Kind",
    "SeenTurn",
    "Share",
    "Tally",
    "agreement",
    "compare",
    "retirement",
    "tally_pair",
    "whole",
]
