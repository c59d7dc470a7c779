"""Messages that nobody analysed yet, weighed by their words: what analysis found stands, and a shift says that it is
one."""

from dataclasses import replace
from datetime import UTC, datetime

from graphmem.model.compaction import BacklogMessage
from graphmem.model.turns import TurnSettings
from graphmem.rules.turns.unread import weighed

NOW = datetime(2026, 3, 2, tzinfo=UTC)
BY = TurnSettings()
ASIDE = "The crane on quay {n} lifted its crates of tea, and the tide turned at noon as on other days."
SHIFT = "Forget the timetable, bad news: the ticket office leaked its passwords, so revoke every credential first."


def said(*texts: str) -> list[BacklogMessage]:
    roles = ("user", "assistant")
    return [
        BacklogMessage(n, roles[n % 2], None, text, 20, None, NOW, False, None)  # type: ignore[arg-type]
        for n, text in enumerate(texts)
    ]


TALK = said(*(SHIFT if n == 8 else ASIDE.format(n=n) for n in range(12)))


def test_only_what_goes_elsewhere_is_a_shift() -> None:
    found = weighed(TALK, [], BY)
    assert [message.ordinal for message in found if message.shift] == [8]
    assert all(message.importance for message in found)
    assert [replace(message, shift=False, importance=None) for message in found] == TALK


def test_nobody_shifts_but_the_user() -> None:
    told = [replace(message, role="assistant") for message in TALK]
    assert not any(message.shift for message in weighed(told, [], BY))


def test_new_words_alone_are_no_shift() -> None:
    """Without vectors all that is in other words looks new, however near it is."""
    other = (
        "Our goal is a module whose interface hides how passwords are encrypted from everybody in the ticket office."
    )
    talk = [*TALK[:8], replace(TALK[8], text=other)]
    assert not weighed(talk, [], BY)[-1].shift


def test_what_analysis_found_stands_and_counts_as_said_before() -> None:
    analysed = [replace(message, importance=9, shift=message.ordinal == 2) for message in TALK[:8]]
    found = weighed([*analysed, *TALK[8:]], [], BY)
    assert found[:8] == analysed
    assert [message.ordinal for message in found if message.shift] == [2, 8]


def test_a_piece_behind_what_was_said_before_is_weighed_as_within_the_whole() -> None:
    whole = weighed(TALK, [], BY)
    assert weighed(TALK[5:], whole[:5], BY) == whole[5:]
