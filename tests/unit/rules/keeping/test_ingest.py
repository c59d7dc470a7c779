"""Which messages of a batch are new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import MessageChanged
from graphmem.model.stored import KnownMessage
from graphmem.rules.keeping.ingest import Incoming, reconcile


def stored(words: str) -> list[KnownMessage]:
    """A session that holds one message for each letter."""
    return [KnownMessage(f"id{n}", f"id{n}", n, letter) for n, letter in enumerate(words)]


def batch(words: str) -> list[Incoming]:
    """Messages without an id of their own."""
    return [Incoming(f"new{n}", False, letter) for n, letter in enumerate(words)]


def held(session: str, sent: str) -> list[int | None]:
    """For each message of a batch the ordinal of the stored one it repeats."""
    whole = stored(session)
    found = reconcile(batch(sent), {}, whole[-len(sent) :] if sent else [], len(whole))
    return [one.ordinal if one else None for one in found]


@pytest.mark.parametrize(
    ("session", "sent", "answer"),
    [
        ("", "ab", [None, None]),
        ("ab", "ab", [0, 1]),
        ("ab", "abc", [0, 1, None]),
        ("a", "ab", [0, None]),
        ("abc", "bcd", [1, 2, None]),
        ("abc", "bc", [1, 2]),
        ("abc", "cd", [None, None]),  # one equal message is no replay
        ("abc", "c", [None]),  # people repeat themselves
        ("a", "a", [None]),
        ("abc", "ab", [None, None]),  # not the end of the session
        ("abab", "abab", [0, 1, 2, 3]),
        ("abab", "abc", [2, 3, None]),
        ("aaa", "aa", [1, 2]),
        ("aaa", "aaaa", [0, 1, 2, None]),
        ("ab", "xab", [None, None, None]),  # a replay begins the batch
    ],
)
def test_a_batch_without_ids_is_a_replay_only_from_its_beginning(
    session: str, sent: str, answer: list[int | None]
) -> None:
    assert held(session, sent) == answer


def test_a_message_with_an_id_is_known_by_it_wherever_it_stands() -> None:
    known = {"m1": KnownMessage("id0", "m1", 0, "a")}
    sent = [Incoming("m9", True, "z"), Incoming("m1", True, "a")]
    assert reconcile(sent, known, [], 5) == [None, known["m1"]]


def test_the_same_words_under_another_id_are_another_message() -> None:
    known = {"m1": KnownMessage("id0", "m1", 0, "a")}
    assert reconcile([Incoming("m2", True, "a")], known, list(known.values()), 1) == [None]


def test_an_id_with_other_words_is_refused_by_name() -> None:
    known = {"m1": KnownMessage("id0", "m1", 0, "a")}
    with pytest.raises(MessageChanged, match="'m1'"):
        reconcile([Incoming("m0", True, "n"), Incoming("m1", True, "b")], known, [], 1)


def test_messages_with_ids_end_the_part_that_may_be_a_replay() -> None:
    whole = stored("ab")
    sent = [Incoming("new0", False, "a"), Incoming("m", True, "b")]
    assert reconcile(sent, {}, whole, 2) == [None, None]


LETTERS = st.text("abc", max_size=6)


@given(LETTERS, LETTERS)
def test_what_is_held_is_a_beginning_of_the_batch_and_says_the_same(session: str, sent: str) -> None:
    found = held(session, sent)
    length = sum(one is not None for one in found)
    assert all(one is not None for one in found[:length])
    assert all(one is None for one in found[length:])
    ordinals = [one for one in found if one is not None]
    assert [session[ordinal] for ordinal in ordinals] == list(sent[:length])
    assert ordinals == list(range(len(session) - length, len(session))), "the end of the session, in order"
    assert length != 1 or (len(session) == 1 and len(sent) > 1)


@given(LETTERS.filter(lambda text: len(text) > 1), LETTERS)
def test_sending_the_whole_story_again_stores_only_what_is_new(session: str, more: str) -> None:
    found = held(session, session + more)
    assert found[: len(session)] == list(range(len(session))) or len(found) - found.count(None) > len(session)


@given(LETTERS.filter(lambda text: len(text) > 1))
def test_a_batch_twice_is_a_batch_once(sent: str) -> None:
    assert held(sent, sent) == list(range(len(sent)))
