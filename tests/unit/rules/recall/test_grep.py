"""Grep's rules: what is in a text is among its grams, terms keep what people write, snippets show what was found."""

import doctest
import unicodedata

import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from graphmem.errors import InvalidInput
from graphmem.model.inputs import Grep, Recall
from graphmem.rules.language import folding, grams, regex_literals
from graphmem.rules.language.folding import fold_marks
from graphmem.rules.language.grams import EVERYTHING, MADE_BY, SIZE, loose, needed, spoken
from graphmem.rules.language.regex_literals import literals
from graphmem.rules.recall import expressions, grep, snippets
from graphmem.rules.recall.expressions import Expression
from graphmem.rules.recall.grep import (
    Limits,
    Term,
    fullest,
    holding_all,
    holding_literals,
    holding_most,
    looked_for,
    terms,
)
from graphmem.rules.recall.snippets import AROUND, MAX_SHOWN

TEXTS = st.text(
    st.one_of(
        st.sampled_from("aAbBiIİıſßẞﬁéø\u0301\u00ad\u200b\u0640\u064eد ¨Ａ漢字かゝ\u3099🚀\n\t-+.?\"'"),
        st.characters(codec="utf-8"),
    )
)

unhurried = settings(deadline=None)


@pytest.mark.parametrize("module", [folding, grams, grep, snippets, regex_literals])
def test_examples_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def has(text: str, pieces: list[str]) -> bool:
    """What the index is asked: whether each gram is one of the text's or the beginning of one."""
    made_by, *of_text = grams.grams(text).split(" ")
    assert made_by == MADE_BY
    return of_text == [EVERYTHING] or all(
        gram in of_text if len(gram) == SIZE else any(one.startswith(gram) for one in of_text)
        for piece in pieces
        for gram in needed(piece)
    )


@unhurried
@given(TEXTS, st.data())
@example("Straße", None)
def test_a_term_that_is_part_of_a_text_is_found(text: str, data: st.DataObject | None) -> None:
    folded = fold_marks(text)
    start, end = 0, len(folded)
    if data:
        start = data.draw(st.integers(0, len(folded)))
        end = data.draw(st.integers(start, min(len(folded), start + 40)))
    wanted = terms(folded[start:end].replace('"', ""))
    for term in wanted:
        assume(term.count(folded))  # folding once more may join what was cut
        assert has(text, list(term.words))
        met = looked_for(text, [term], [1.0], 1)
        assert met is not None
        assert 0 < met.score <= 1


@unhurried
@given(TEXTS, TEXTS, TEXTS)
@example("a" * 500, "Groß", "ẞ" * 500)
@example("cafe\u0301 " * 3000, "needle", "")
def test_the_snippet_shows_the_term_as_it_was_written(before: str, said: str, behind: str) -> None:
    words = said.split()
    assume(words and 0 < len(words[0]) < AROUND)
    text = f"{before} {words[0]} {behind}"
    term = next(iter(terms(words[0].replace('"', "") or "x")))
    met = looked_for(text, [term], [1.0], 1)
    assume(met is not None and len(term.text) < AROUND)
    assert met is not None
    shown = met.snippet(text)
    assert shown.removeprefix("…").removesuffix("…") in text
    assert term.count(fold_marks(shown))
    assert len(shown) <= 2 * AROUND + MAX_SHOWN + 2


@pytest.mark.parametrize(
    ("pattern", "text", "shown"),
    [
        ("cafe", "We met at the café.", "café"),
        ("café", "We met at the CAFE.", "CAFE"),
        ("resume", "Her re\u0301sume\u0301 is long.", "re\u0301sume\u0301"),
        ("Lodz smorrebrod", "From Łódź came smørrebrød.", "Łódź came smørrebrød"),
        ("محمد", "قال مُحَمَّـــد ذلك", "مُحَمَّـــد"),
        ("أَحْمَد", "احمد", "احمد"),
        ("שלום", "הוא אמר שָׁלוֹם", "שָׁלוֹם"),
        ("елка", "Новогодняя ёлка", "ёлка"),
        ("password", "the pass\u200bword and", "pass\u200bword"),
        ("pass\u200bword", "the password and", "password"),
        ("Donaudampf", "die Do\u00adnau\u00addampf", "Do\u00adnau\u00addampf"),
        ("\ufeffstart", "the \u200estart", "start"),
    ],
)
def test_marks_and_what_cannot_be_seen_make_no_difference_and_are_shown(pattern: str, text: str, shown: str) -> None:
    wanted = terms(pattern)
    assert all(has(text, term.pieces) for term in wanted)
    met = looked_for(text, wanted, [1.0] * len(wanted), len(wanted))
    assert met is not None
    spans = [span for term in wanted if (span := snippets.place(text, term))]
    assert text[min(spans)[0] : max(spans)[1]] == shown
    assert met.snippet(text) == text


@pytest.mark.parametrize(
    ("pattern", "text"), [("мои", "мой"), ("か", "が"), ("हद", "हिन्दी"), ("가", "각"), ("งาน", "ง่าน")]
)
def test_marks_that_make_another_letter_make_another_word(pattern: str, text: str) -> None:
    assert looked_for(text, terms(pattern), [1.0], 1) is None


def test_an_expression_sees_the_text_as_it_was_written() -> None:
    assert Expression("cafe").matched("the café", None, 1.0) is None
    assert Expression("caf[eé]").matched("the café", None, 1.0)
    assert Expression("pass\u200b?word").matched("pass\u200bword", None, 1.0)
    assert has("pass\u200bword", loose("pass\u200bword").split())


def test_snippet_shows_where_most_terms_stand_together() -> None:
    text = f"red {'x ' * 300} a red fox sat by the old barn {'y ' * 300} barn"
    met = looked_for(text, terms("red fox barn"), [1, 1, 1], 3)
    assert met is not None
    assert "red fox sat by the old barn" in met.snippet(text)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("C++ foo-bar", ["c++", "foo-bar"]),
        ('say "hello  world", 5" x', ["say", "hello world", '5"', "x"]),
        ("“red fox”", ["red fox"]),
        ('"unbalanced', ['"unbalanced']),
        ('5" x 7"', ['5"', "x", '7"']),
        ("AND OR and", ["and", "or"]),
        ("Ｆｕｌｌ　width", ["full", "width"]),
        ('""', ['""']),
        ('" "', []),
    ],
)
def test_terms_are_words_and_phrases(pattern: str, expected: list[str]) -> None:
    assert [term.text for term in terms(pattern)] == expected


@pytest.mark.parametrize(
    ("term", "bare"),
    [
        ("c++", "c"),
        ("caching?", "caching"),
        ("fox~", "fox"),
        ('("a', "a"),
        ("foo-bar", "foo-bar"),
        ("🚀", "🚀"),
        ("?!", None),
    ],
)
def test_punctuation_at_the_edges_can_be_dropped(term: str, bare: str | None) -> None:
    found = Term((term,)).bare()
    assert (found.text if found else None) == bare


def test_a_phrase_holds_over_line_ends_and_only_in_its_order() -> None:
    (phrase,) = terms('"quick brown"')
    assert looked_for("the Quick\n  brown fox", [phrase], [1.0], 1)
    assert not looked_for("the brown quick fox", [phrase], [1.0], 1)


@unhurried
@given(st.lists(st.sampled_from(["red", "fox", "barn", "x1"]), max_size=8), st.integers(0, 2000))
def test_more_terms_always_count_more(words: list[str], filler: int) -> None:
    wanted = terms("red fox barn x1")
    short = looked_for("red fox", wanted, [1, 2, 1.5, 1], 1)
    met = looked_for(" ".join(words) + " z" * filler, wanted, [1, 2, 1.5, 1], 1)
    assert short is not None
    if met and len(met.found) > len(short.found):
        assert met.score > short.score
    if met and len(met.found) < len(short.found):
        assert met.score < short.score
    assert fullest([one for one in (met, short) if one], True) == max(2, len(met.found) if met else 0)


def test_whole_words_short_texts_and_many_finds_are_better() -> None:
    wanted = terms("port")

    def score(text: str) -> float:
        met = looked_for(text, wanted, [1.0], 1)
        assert met
        return met.score

    assert score("a port here") > score("a portal here")
    assert score("a port here") > score("a port here" + " and more" * 50)
    assert score("port to port to port") > score("port to home to town")


@unhurried
@given(st.text(max_size=300), st.text(max_size=20))
def test_queries_are_made_of_escaped_grams_and_bounded(pattern: str, session_id: str) -> None:
    wanted = terms(pattern)[:32]
    if not wanted:
        return
    limits = Limits("k0", session_id or None, "user", None).query(messages=True)
    assert limits.startswith("+agentKey:k0^0")
    for query in (holding_all(wanted), holding_most(wanted, [1.5] * len(wanted))):
        bare = regex.sub(r"\\.", "", query, flags=regex.DOTALL)
        assert bare.count("(") == bare.count(")")
        assert not set(bare) & set('"?!&|{}[]~/-:') - {":"}
        assert bare.count("+") < 1000


def test_query_of_a_very_long_term_stays_small() -> None:
    chars = "".join(chr(0x4E00 + n) for n in range(5_000))
    assert holding_all(terms(chars)).count("+") <= 769
    assert holding_most(terms(chars + " " + chars[::-1]), [1, 1]).count("+") <= 769


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"scope": "session"}, "give sessionId"),
        ({"scope": "all", "sessionId": "s"}, "leave one of them out"),
        ({"from": "2026-03-02", "to": "2026-03-01"}, "give the earlier time as from"),
    ],
)
def test_a_search_that_contradicts_itself_is_refused_with_what_to_do(asked: dict[str, str], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Grep.model_validate({"pattern": "port"} | asked)
    if "from" in asked:
        with pytest.raises(ValidationError, match=told):
            Recall.model_validate({"query": "Which port?"} | asked)


# --- regular expressions ----------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("a", "b", "ab", "abc", ".", "|", "(", ")", "(?:", "(?i)", "(?i:", "(?=", "(?!", "(?<=", "(?P<n>", "(?>"),
        *("[", "]", "[ab]", "[^a]", "*", "+", "?", "{0}", "{1}", "{2}", "{0,1}", "{,2}", "{e<=1}", "{", "}", "^", "$"),
        *("*?", "++", "(?x)", "#", "(?(1)", "[[:alpha:]]", "-", r"\d", r"\b", r"\.", r"\x61", r"\1", r"\p{L}"),
        *("İ", "ı", "ſ", "K", "é", "ß", " ", "e\u0301", r"\N{LATIN SMALL LETTER A}"),
    ]
)


@unhurried
@given(
    st.lists(PIECES, max_size=8).map("".join),
    st.text(st.sampled_from("aAbBcCdDiIİıſsKkKéeE\u0301ßẞ .-{}]1"), max_size=25),
)
@example("(?i)cafe", "CAFE\u0301")
@example("(?i)istanbul", "İSTANBUL")
@example("cafe", "cafe\u0301")
@example("ab|c{0}d", "d")
def test_no_match_is_ever_left_out_by_its_literals(pattern: str, text: str) -> None:
    try:
        found = regex.compile(pattern, cache_pattern=False).search(text, timeout=1)
    except (regex.error, TimeoutError, ValueError):
        return
    ways = literals(pattern)
    if found and ways:
        assert any(all(loose(literal) in loose(text) for literal in way) for way in ways), ways
        assert any(has(text, [p for one in way for p in loose(one).split() if len(p) > 1]) for way in ways)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bsvc-[a-z]+s?[,.?]", [("svc-",)]),
        (r"(?i)error: (timeout|refused)", [("error: ", "timeout"), ("error: ", "refused")]),
        (r"foo|bar+", [("foo",), ("bar",)]),
        (r"colou?r", [("colo", "r")]),
        (r"(abc)?def", [("def",)]),
        (r"(?<=foo)bar(?!baz)", [("bar",)]),
        (r"\{\"key\": \d+\}", [('{"key": ', "}")]),
        (r"[[:alpha:]]abc", []),
        (r"(?:abc){e<=1}", []),
        (r"(?x)a b c", []),
        (r"\w+", []),
        (r"abc|\d", []),
        ("abc(", []),
    ],
)
def test_literals_that_must_occur_are_read(pattern: str, expected: list[tuple[str, ...]]) -> None:
    assert literals(pattern) == expected
    assert bool(holding_literals(pattern)) == bool(expected)


def test_letters_that_are_one_to_an_expression_are_one_to_the_index() -> None:
    """Every letter with several cases, and all that the library takes for it when case does not count."""
    for code in range(0x20, 0x1E943):
        letter = chr(code)
        if letter.isalpha() and (letter.upper() != letter or letter.lower() != letter):
            forms = {letter, *letter.upper(), *letter.lower(), *letter.swapcase()}
            pattern = regex.compile(regex.escape(letter), regex.IGNORECASE, cache_pattern=False)
            alike = [form for form in forms if pattern.fullmatch(form)]
            assert {loose(form) for form in alike} == {loose(letter)}, unicodedata.name(letter, "")


@pytest.mark.parametrize(
    "pattern", ["(", "*a", "a{2,1}", "[z-a]", "(?P=q)", "(" * 9_000, "a" * 10_001, "(a{1000}){1000}"]
)
def test_bad_expression_is_refused_in_words(pattern: str) -> None:
    with pytest.raises(InvalidInput, match=r"^pattern: ") as refused:
        Expression(pattern)
    assert len(str(refused.value)) < 200


def test_large_numbers_are_no_trouble_where_they_are_not_multiplied() -> None:
    for pattern in (r"[0-9a-f]{64}", r"\b[A-Z]{2,40}-\d{1,10}\b", r"(?:\d{1,3}\.){3}\d{1,3}", r"\(a{9}\){9}[{9}]"):
        assert expressions.Expression(pattern)


def test_a_beginning_is_that_of_what_was_said_or_of_the_name() -> None:
    for pattern, start in ((r"^hello", 5), (r"^Ada", 0), (r"hello", 5), (r"(?<!\w)h", 5)):
        met = Expression(pattern).matched("Ada: hello", "Ada", 1.0)
        assert met is not None
        assert met.span is not None
        assert met.span[0] == start
    assert Expression("^ello").matched("Ada: hello", "Ada", 1.0) is None


# --- what is said -----------------------------------------------------------------------------------------------


def test_nested_json_is_read_and_halves_of_characters_are_left() -> None:
    calls = (
        r'[{"function":{"name":"run","arguments":"{\"cmd\": [\"ls\", 3, null, true]}"}},{"x":"{\"h\":\"\\ud83d\"}"}]'
    )
    said = spoken("Ada: hi", calls, '[{"type":"text","text":"hi"},{"type":"image","alt":"a cat"}]')
    assert said.split("\n")[0] == "Ada: hi"
    assert {"name: run", "cmd: ls", "cmd: 3", "cmd: true", "alt: a cat", r'x: {"h":"\ud83d"}'} <= set(said.split("\n"))
    assert said.encode()
    deep = "[" * 50_000
    assert spoken("x", f'["{deep}"]').endswith(deep)


def test_a_text_with_too_many_grams_says_so() -> None:
    many = "".join(chr(0x4E00 + n * 7 % 20_000) for n in range(50_000))
    assert grams.grams(many) == f"{MADE_BY} {EVERYTHING}"
    assert set(grams.grams("word " * 1_000_000).split()) == {MADE_BY, "wor", "ord", "rd", "d", "d_w"}
