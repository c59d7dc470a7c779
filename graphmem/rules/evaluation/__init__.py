"""The quality of extraction, supersession and continuity, compared with a careful reader."""

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
