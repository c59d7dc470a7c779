"""Quest or chat: points from structure, not from characters that stand for other things too."""

import pytest

from graphmem.rules.turns.mode import Spoken, files_in, mode_of

CALL = Spoken("assistant", "", calls=True, called='{"path": "src/app.py"}')


def said(text: str, times: int = 1, role: str = "assistant") -> list[Spoken]:
    return [Spoken(role, text)] * times


def test_an_empty_conversation_is_a_chat() -> None:
    assert (mode_of([]).mode, mode_of([]).score) == ("chat", 0)


def test_points_are_given_for_more_than_the_thresholds() -> None:
    call, code, file = Spoken("assistant", "", calls=True), said("```\nx\n```")[0], said("see app.py")[0]
    for turn, threshold, part, points in ((call, 5, "tools", 3), (code, 3, "code", 2), (file, 5, "files", 2)):
        assert mode_of([turn] * threshold).parts[part] == 0
        assert mode_of([turn] * (threshold + 1)).parts[part] == points


def test_structure_is_the_mean_over_the_turns_that_are_analysed() -> None:
    high = Spoken("user", "x", scores=(6, 0, 0, 0, 5, 4.1, 0))
    assert mode_of([high, Spoken("user", "y")]).parts["structure"] == 3
    assert mode_of([high, Spoken("user", "y", scores=(0,) * 7)]).parts["structure"] == 0


def test_tools_and_files_make_a_quest_and_code_and_files_do_not() -> None:
    assert mode_of([CALL] * 6).mode == "quest"
    verdict = mode_of(said("```\nx\n```\nin app.py", 20))
    assert (verdict.mode, verdict.score, verdict.parts) == (
        "chat",
        4,
        {"tools": 0, "structure": 0, "code": 2, "files": 2},
    )


@pytest.mark.parametrize(
    "text",
    [
        "> a quote",
        "a -> b and 3 > 2",
        "<b>bold</b>",
        "my python ate the mouse",
        "Write: me soon!",
        "use ``` for code",
        "I like Node.js and Next.js",
    ],
)
def test_what_only_looks_like_work_gives_no_points(text: str) -> None:
    assert mode_of(said(text, 50, "user")).score == 0


def test_a_line_written_as_a_call_counts_and_a_user_who_quotes_one_does_not() -> None:
    assert mode_of(said("Let me look.\nBash: npm test", 6)).parts["tools"] == 3
    assert mode_of(said("Bash: npm test", 6, "user")).parts["tools"] == 0


def test_files_are_found_by_their_names() -> None:
    assert files_in("src/a.b.test.ts, ./x.py (README.md.) .gitignore a@b.py v1.2 end.") == [
        "src/a.b.test.ts",
        "./x.py",
        "README.md",
    ]
