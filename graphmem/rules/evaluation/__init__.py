"""The quality of truth, extraction, supersession and continuity, compared with a careful reader."""

from graphmem.rules.evaluation.stories import RecapScore, score_answers, score_recap
from graphmem.rules.evaluation.tally import KINDS, Kind, Tally, compare, retirement, tally_pair
from graphmem.rules.evaluation.truth import AskSeen, Figure, Shown, StoryScore, StorySeen, figures, score
from graphmem.rules.evaluation.turn_agreement import Agreement, SeenTurn, Share, agreement, whole

__all__ = [
    "KINDS",
    "Agreement",
    "AskSeen",
    "Figure",
    "Kind",
    "RecapScore",
    "SeenTurn",
    "Share",
    "Shown",
    "StoryScore",
    "StorySeen",
    "Tally",
    "agreement",
    "compare",
    "figures",
    "retirement",
    "score",
    "score_answers",
    "score_recap",
    "tally_pair",
    "whole",
]
