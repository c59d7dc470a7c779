"""States that are told in other words, or by a noun on one side and by a verb on the other, are met all the same."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.contradiction.state_words import TELLINGS
from graphmem.rules.contradiction.states import states


def test_who_took_over_is_the_value_and_what_is_the_subject() -> None:
    (owner,) = states("Mira has taken over the kiosk.")
    assert (owner.relation, owner.subject, owner.value, owner.changed) == (
        "owner",
        frozenset({"kiosk"}),
        frozenset({"mira"}),
        True,
    )


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert all(state.value for state in states(text))


def test_every_telling_names_whose_value_it_is() -> None:
    """Patterns are compiled when they are first asked for: here is where a broken one is seen."""
    assert [telling.words for telling in TELLINGS if "v" not in telling.pattern.groupindex] == []
