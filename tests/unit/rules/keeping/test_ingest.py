"""Which messages of a batch are new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import MessageChanged
from graphmem.model.stored import KnownMessage, StoredTail
from graphmem.rules.keeping.ingest import reconcile
from graphmem.rules.keeping.replay import Incoming, wanted


def stored(words: str) -> list[KnownMessage]:
    """A session that holds one message for each letter."""
    return [KnownMessage(f"id{n}", f"id{n}", n, letter) for n, letter in enumerate(words)]


def batch(words: str) -> list[Incoming]:
    """Messages without an id of their own; S is of the system."""
    return [
        Incoming(f"new{n}", False, letter, role="system" if letter == "S" else "user") for n, letter in enumerate(words)
    ]


def held(session: str, sent: str) -> list[int | None]:
    """For each message of a batch the ordinal of the stored one it repeats."""
    whole = stored(session)
    head, tail = wanted(batch(sent))
    found = reconcile(batch(sent), StoredTail(len(whole), {}, whole[-tail:] if tail else [], whole[:head]))
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
        ("abc", "ab", [None, None]),  # people begin in the same way again
        ("abcd", "abc", [0, 1, 2]),  # an old list
        ("abcd", "abcx", [0, 1, 2, None]),  # an old list that went on in another way
        ("abaxx", "aba", [None, None, None]),  # two different messages tell nothing
        ("Sabcd", "Sa", [0, 1]),  # nobody says a system message twice
        ("Sabcd", "Sx", [0, None]),
        ("xSab", "Sy", [None, None]),
        ("xabcy", "abc", [None, None, None]),  # neither beginning nor end
        ("abcabc", "abc", [3, 4, 5]),  # equal readings: the end
        ("abcdab", "abcde", [0, 1, 2, 3, None]),  # the longest counts
        ("abab", "abab", [0, 1, 2, 3]),
        ("abab", "abc", [2, 3, None]),
        ("aaa", "aa", [1, 2]),
        ("aaa", "aaaa", [0, 1, 2, None]),
        ("ab", "xab", [None, None, None]),  # "yes" and "done" are said again and again
        ("Sabcde", "S*deN", [0, None, 4, 5, None]),  # compacted: only the note and what is new
        ("Sabcde*N", "S*deNM", [0, 6, 4, 5, 7, None]),  # the next time
        ("Sabcde*N", "S+eNM", [0, None, None, None, None]),  # a note within: better twice than not at all
        ("Sabcde*NM", "S+NMO", [0, None, 7, 8, None]),  # compacted once more
        ("abcdef", "*defN", [None, 3, 4, 5, None]),
        ("abcdef", "*efN", [None, None, None, None]),  # two of the end, and a strange beginning
        ("abcdef", "a*efN", [0, None, 4, 5, None]),
        ("abcdef", "cadefN", [2, 0, 3, 4, 5, None]),
        ("abyy", "abyyy", [0, 1, 2, 3, None]),  # said once more
        ("xabab", "ababab", [1, 2, 3, 4, None, None]),
    ],
)
def test_a_batch_without_ids_is_a_replay_only_from_its_beginning(
    session: str, sent: str, answer: list[int | None]
) -> None:
    assert held(session, sent) == answer


def test_a_message_with_an_id_is_known_by_it_wherever_it_stands() -> None:
    known = {"m1": KnownMessage("id0", "m1", 0, "a")}
    sent = [Incoming("m9", True, "z"), Incoming("m1", True, "a")]
    assert reconcile(sent, StoredTail(5, known, [])) == [None, known["m1"]]


def test_the_same_words_under_another_id_are_another_message() -> None:
    known = {"m1": KnownMessage("id0", "m1", 0, "a")}
    assert reconcile([Incoming("m2", True, "a")], StoredTail(1, known, list(known.values()))) == [None]


def test_an_id_with_other_words_is_refused_by_name() -> None:
    known = {name: KnownMessage(f"id{name}", name, place, "a") for place, name in enumerate(("m1", "m2", "m3"))}
    sent = [Incoming("m0", True, "n"), Incoming("m1", True, "b"), Incoming("m2", True, "a"), Incoming("m3", True, "b")]
    with pytest.raises(MessageChanged, match=r"'m1', 'm3': .*onChanged 'skip'"):
        reconcile(sent, StoredTail(3, known, []))
    assert reconcile(sent, StoredTail(3, known, []), refuse=False) == [None, *known.values()]


def test_messages_with_ids_end_the_part_that_may_be_a_replay() -> None:
    whole = stored("ab")
    sent = [Incoming("new0", False, "a"), Incoming("m", True, "b")]
    assert reconcile(sent, StoredTail(2, {}, whole)) == [None, None]


LETTERS = st.text("abc", max_size=6)


@given(LETTERS, LETTERS)
def test_what_is_held_says_the_same_and_stands_for_one_message(session: str, sent: str) -> None:
    pairs = [(letter, one) for letter, one in zip(sent, held(session, sent), strict=True) if one is not None]
    assert all(session[ordinal] == letter for letter, ordinal in pairs)
    assert len({ordinal for _, ordinal in pairs}) == len(pairs)
    assert len(pairs) != 1 or len(session) == 1 < len(sent), "people repeat themselves"


@given(LETTERS, LETTERS, LETTERS)
def test_what_was_said_since_the_last_list_is_never_taken_for_it(session: str, note: str, more: str) -> None:
    """A compacted list with a note and the last three messages: all behind these is new."""
    told = f"S{session}xyz"
    found = held(told, f"S{'*' * len(note)}xyz{more}")
    assert found[len(found) - len(more) :] == [None] * len(more)
    assert found[: len(found) - len(more)] == [0, *[None] * len(note), *range(len(told) - 3, len(told))]


@given(LETTERS.filter(lambda text: len(text) > 1), LETTERS)
def test_sending_the_whole_story_again_stores_only_what_is_new(session: str, more: str) -> None:
    found = held(session, session + more)
    assert found[: len(session)] == list(range(len(session))) or len(found) - found.count(None) > len(session)


@given(LETTERS.filter(lambda text: len(text) > 1))
def test_a_batch_twice_is_a_batch_once(sent: str) -> None:
    assert held(sent, sent) == list(range(len(sent)))
