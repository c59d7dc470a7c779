"""Patterns for session ids, beside a reading of them that knows no regular expressions."""

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.rules.privacy.globs import glob_match, is_glob

patterns = st.text("ab:*.+?[\\", min_size=1, max_size=8).filter(is_glob)
keys = st.text("ab:.+?[\\", max_size=8)


def fits(pattern: str, key: str) -> bool:
    """Star by star: each takes nothing, or one character more, `*` none that is a colon."""
    if not pattern:
        return not key
    if pattern[0] != "*":
        return key[:1] == pattern[0] and fits(pattern[1:], key[1:])
    across = pattern[:2] == "**"
    taken = bool(key) and (across or key[0] != ":")
    return fits(pattern[2 if across else 1 :], key) or (taken and fits(pattern, key[1:]))


@given(pattern=patterns, key=keys)
@example(pattern="a:*", key="a:")
@example(pattern="a:*", key="a:b:a")
@example(pattern="a:**", key="a:b:a")
@example(pattern="*:*", key="a:b")
@example(pattern="**a*", key="b:ab:")
@example(pattern="a.b", key="a+b")
def test_a_star_stays_in_its_segment_and_two_cross_them(pattern: str, key: str) -> None:
    assert (glob_match([pattern], key) is not None) == fits(pattern, key)


@given(told=st.lists(patterns, max_size=4), session_id=keys, source=keys | st.none())
def test_the_first_pattern_that_fits_the_id_the_source_or_both_is_named(
    told: list[str], session_id: str, source: str | None
) -> None:
    known_by = [session_id] if source is None else [session_id, source, f"{source}:{session_id}"]
    expected = next((pattern for pattern in told if any(fits(pattern, key) for key in known_by)), None)
    assert glob_match(told, session_id, source) == expected


@given(literal=keys.filter(bool), key=keys)
def test_all_but_stars_is_literal(literal: str, key: str) -> None:
    assert glob_match([literal], literal) == literal
    assert (glob_match([literal], key) is not None) == (literal == key)
