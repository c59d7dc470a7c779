"""Bars: on a terminal they show how far something has come; elsewhere nothing is printed."""

import pytest

from api.progress import bars, waiting


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    with bars() as tell:
        tell("nodes", 1, 4)
        tell("nodes", 2, 4)
        tell("payloads", 5, 4)
    with waiting("Looking"):
        pass
    told = capsys.readouterr()
    assert told.out == ""
    if not terminal:
        assert told.err == ""
        return
    for shown in ("Nodes", "50%", "Payloads", "100%", "Looking"):
        assert shown in told.err
