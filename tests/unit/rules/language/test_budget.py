"""Budgets: whatever comes, what is handed out fits."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.budget import fit
from graphmem.rules.language.text import count_tokens

TEXTS = st.lists(st.text(max_size=60), max_size=8)


@given(TEXTS, st.integers(0, 60))
def test_what_fits_never_exceeds_the_budget(texts: list[str], most: int) -> None:
    fitted = fit(texts, most)
    assert fitted.used_tokens == sum(map(count_tokens, fitted.texts)) <= most
    whole = len(fitted.texts) == len(texts) and all(a == b for a, b in zip(fitted.texts, texts, strict=True))
    assert fitted.truncated == (not whole)


@given(TEXTS, st.integers(0, 60))
def test_texts_are_kept_whole_and_in_order_but_for_a_first_one_cut(texts: list[str], most: int) -> None:
    fitted = fit(texts, most)
    if len(fitted.texts) > 1 or not fitted.truncated:
        assert list(fitted.texts) == texts[: len(fitted.texts)]
    elif fitted.texts:
        assert texts[0].startswith(fitted.texts[0])


@given(TEXTS)
def test_enough_room_keeps_everything(texts: list[str]) -> None:
    assert fit(texts, sum(map(count_tokens, texts))) == fit(texts, 10**6)
    assert not fit(texts, 10**6).truncated


def test_a_first_text_is_cut_at_a_sentence() -> None:
    assert fit(["One sentence here. And a second one that does not fit any more.", "c"], 6).texts == (
        "One sentence here.",
    )
