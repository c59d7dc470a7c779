"""Which words in small letters are names."""

import pytest

from graphmem.rules.reading.bare_names import heard_systems, things_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the export runs on fennimore. Fennimore belongs to the data office", {"fennimore"}),
        ("orbit talks to basalt. basalt is written in Go, and we restart orbit by hand", {"orbit", "basalt"}),
        ("a service named drumlin renders the pages", {"drumlin"}),
        ("the cron table is on the server vistula. It is old", {"vistula"}),
        ("shipping relies on rates, and rating depends on shipping.", {"shipping"}),
        ("billing is owned by Mara, and search runs on port 9000", {"billing", "search"}),
    ],
)
def test_word_that_stands_as_a_name_is_one(text: str, expected: set[str]) -> None:
    assert heard_systems([text]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "lunch is at noon, and lunch belongs to the perks",
        "it depends on weather and runs on coffee",
        "the queue stores jobs. queue depth is on the wall",
        "production runs on Kubernetes",
        "testing relies on fixtures",
        "redis talks to redis",
        "everybody uses email, email depends on the provider",
        "billing takes two days, and search needs patience",
        "the search is owned by nobody, search depends on luck",
    ],
)
def test_common_words_are_no_names(text: str) -> None:
    assert (
        heard_systems([text])
        & {"lunch", "coffee", "queue", "production", "testing", "email", "redis", "billing", "search"}
        == set()
    )


def test_heard_name_is_found_wherever_it_stands_alone() -> None:
    found = things_in("Vesper is up, see vesper.log and `vesper`", {"vesper"})
    assert [(one.start, one.known.name) for one in found if one.known.name == "vesper"] == [
        (0, "vesper"),
        (34, "vesper"),
    ]


def test_without_heard_names_only_what_is_known_is_found() -> None:
    assert [one.known.name for one in things_in("vesper uses Redis", ())] == ["Redis"]
