"""Which words in small letters are names."""

from graphmem.rules.reading.bare_names import things_in


def test_heard_name_is_found_wherever_it_stands_alone() -> None:
    found = things_in("Vesper is up, see vesper.log and `vesper`", {"vesper"})
    assert [(one.start, one.known.name) for one in found if one.known.name == "vesper"] == [
        (0, "vesper"),
        (34, "vesper"),
    ]


def test_without_heard_names_only_what_is_known_is_found() -> None:
    assert [one.known.name for one in things_in("vesper uses Redis", ())] == ["Redis"]
