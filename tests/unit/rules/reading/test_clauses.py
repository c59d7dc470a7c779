"""Templates are tried where they may fit, and nowhere else."""

from pathlib import Path

import pytest

from api.cli_eval import conversations
from api.extracting import draw
from graphmem.adapters.parsing import SpacyParser
from graphmem.rules.reading import clauses
from graphmem.settings import load_settings

TUNED = Path(__file__).parents[3] / "data" / "extraction" / "tuned"


@pytest.mark.parametrize("every", [pytest.param(6, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_what_is_not_tried_would_not_have_fitted(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    parser, limits = SpacyParser(), load_settings().extraction_limits
    told = conversations(TUNED)[::every]
    tried: list[int] = []
    sieve = clauses._sieve()

    class Counting:
        def tried(self, text: str) -> frozenset[int]:
            chosen = sieve.tried(text)
            tried.append(len(chosen))
            return chosen

    monkeypatch.setattr(clauses, "_sieve", Counting)
    chosen = [draw(one.messages, one.project, parser, limits) for one in told]
    everything = frozenset(range(len(clauses._TABLE)))

    class Everything:
        def tried(self, _text: str) -> frozenset[int]:
            return everything

    monkeypatch.setattr(clauses, "_sieve", Everything)
    assert [draw(one.messages, one.project, parser, limits) for one in told] == chosen
    assert sum(len(one.dependencies) for one in chosen) > 20 / every
    assert 0 < sum(tried) < 0.25 * len(everything) * len(tried)


@pytest.mark.parametrize("text", ["\ue000 USES \ue001.", "\ue000 depends upon \ue001", "\ue000 is a tool"])
def test_case_and_masks_hide_nothing(text: str) -> None:
    fits = {
        place
        for place, one in enumerate(clauses._TABLE)
        if (one.pattern if isinstance(one, clauses.Template) else one).search(text)
    }
    assert fits
    assert fits <= clauses._sieve().tried(text)
