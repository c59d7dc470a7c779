"""The values that a stretch of words gives: amounts, times, dates, names, numbers of things."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.claims import ValueKind
from graphmem.model.parsed import Token
from graphmem.rules.claims.words import CURRENCIES, NUMBERS, TITLES, UNITS, WEEKDAY
from graphmem.rules.language.relative_dates import MONTHS

_CLOCK = re.compile(
    r"(?P<hour>[01]?\d|2[0-3])(?:[:h](?P<minute>[0-5]\d)(?P<half>am|pm)?|(?<=\d)(?P<alone>am|pm))", re.IGNORECASE
)
_HALF_DAY = frozenset({"am", "pm", "a.m.", "p.m.", "o'clock"})
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,3}(?:-[\w.]+)?", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<sign>[€$£])?(?P<digits>[-+]?\d+(?:[.,]\d+)*)(?P<unit>[a-zA-Z%€$£°]{0,4})")
_IDENTIFIER = re.compile(r"(?=.*[A-Za-z])(?=.*[\d_./:@-])[\w./:@+-]{2,}")
_CAMEL = re.compile(r"[A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_ISO_PARTS = 5
"""So many tokens a date may be cut into: 2026, -, 05, -, 01."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?")
_TIMES = {"k": 1_000, "thousand": 1_000, "million": 1_000_000, "hundred": 100}
_PER = frozenset({"per", "a", "an", "each", "every", "/"})
_FUNCTION = frozenset({"ADP", "ADV", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ", "VERB"})
_LONGEST_ACRONYM = 4


@dataclass(slots=True)
class Found:
    """A value in tokens [first, last)."""

    kind: ValueKind
    key: str
    unit: str
    first: int
    last: int


def find_values(tokens: Sequence[Token], first: int, last: int, named: Mapping[int, tuple[int, str]]) -> list[Found]:
    """The values in tokens [first, last), in order and apart. `named`: where a known name begins, the token behind it
    and what it is called."""
    found: list[Found] = []
    place = first
    while place < last:
        value = (
            _date(tokens, place, first, last)
            or _clock(tokens, place, last)
            or _known(place, last, named)
            or _counted(tokens, place, first, last, found[-1] if found else None)
            or _name(tokens, place, last)
        )
        if value is None:
            place += 1
            continue
        while found and found[-1].last > value.first:
            found.pop()
        found.append(value)
        place = value.last
    return found


def _date(tokens: Sequence[Token], place: int, first: int, last: int) -> Found | None:
    token = tokens[place]
    word = token.text.lower().rstrip(".")
    for length in (1, _ISO_PARTS):
        if iso := _ISO.fullmatch("".join(one.text for one in tokens[place : min(place + length, last)])):
            return Found("date", f"{int(iso[2])}-{int(iso[3])}", "", place, place + length)
    if word in WEEKDAY:
        return Found("weekday", WEEKDAY[word], "", place, place + 1)
    if word not in MONTHS or (token.pos != "PROPN" and word in ("may", "mar", "march")):
        return None
    after = _DAY.fullmatch(tokens[place + 1].text) if place + 1 < last else None
    before = _DAY.fullmatch(tokens[place - 1].text) if place > first else None
    if not token.text[:1].isupper() and not (after or before):
        return None
    start, end = place - (before is not None and after is None), place + 1 + (after is not None)
    while end < last and (
        _YEAR.fullmatch(tokens[end].text)
        or (tokens[end].text == "," and end + 1 < last and _YEAR.fullmatch(tokens[end + 1].text))
    ):
        end += 1
    day = after or before
    key = f"{MONTHS[word]}-{int(day[1])}" if day else str(MONTHS[word])
    return Found("date", key, "" if day else "month", start, end)


def _clock(tokens: Sequence[Token], place: int, last: int) -> Found | None:
    word = tokens[place].text.lower()
    following = [token.text.lower() for token in tokens[place + 1 : min(place + 3, last)]]
    if word == "half" and following[:1] == ["past"] and following[-1] in NUMBERS:
        return Found("clock", f"{NUMBERS[following[-1]]}:30?", "", place, place + 3)
    shape = _CLOCK.fullmatch(word)
    half = following[0].replace(".", "") if following and following[0] in _HALF_DAY else ""
    if shape is None and not (half and word.isdigit()):
        return None
    hour, minute, said = (shape["hour"], shape["minute"], shape["half"]) if shape else (word, "", "")
    half = (said or "").lower() or half
    late = half == "pm" and int(hour) < 12
    known = half in ("am", "pm") or int(hour) > 12 or len(hour) == 2
    key = f"{int(hour) + 12 * late}:{minute or '00'}{'' if known else '?'}"
    return Found("clock", key, "", place, place + 1 + bool(half and not said))


def same_time(one: str, other: str) -> bool:
    """Whether two times of day may be the same: where one of them does not tell the half of the day, any will do.

    >>> same_time("14:30", "2:30?"), same_time("14:30", "15:30")
    (True, False)
    """
    (hour, minute), (other_hour, other_minute) = (time.rstrip("?").split(":") for time in (one, other))
    if minute != other_minute:
        return False
    apart = abs(int(hour) - int(other_hour))
    return apart == 0 or (apart == 12 and "?" in one + other)


def _counted(tokens: Sequence[Token], place: int, first: int, last: int, before_it: Found | None) -> Found | None:
    """An amount, a version, a year, or the number of a thing, such as of the name `before_it`."""
    token = tokens[place]
    word = token.text.lower()
    if _VERSION.fullmatch(word):
        return Found("version", word.removeprefix("v"), "", place, place + 1)
    shape = _NUMBER.fullmatch(token.text)
    spelled = word in NUMBERS and token.pos == "NUM" and not (word == "one" and not _counts(tokens, place, last))
    if not shape and not spelled:
        return None
    digits = str(NUMBERS[word]) if spelled or shape is None else shape["digits"]
    unit = _unit(shape["sign"] or shape["unit"]) if shape else ""
    start, end = place, place + 1
    digits, end = _multiplied(digits, shape["unit"] if shape else "", tokens, end, last)
    before = tokens[place - 1] if place > first else None
    if before is not None and (money := _unit(before.text)) and UNITS[money][0] in CURRENCIES:
        unit, start = money, place - 1
    if not unit:
        unit, end = _unit_behind(tokens, end, last, belongs_before=token.head < place)
    elif end < last and _unit(tokens[end].text) == unit:
        end += 1
    if not unit and before_it is not None and before_it.kind == "name" and before_it.last == place:
        return Found("label", digits, before_it.key, before_it.first, end)
    if not unit:
        hash_ = before is not None and before.text == "#"
        named = place - 1 - hash_
        if named >= first and _may_be_numbered(tokens[named]):
            return Found("label", digits, tokens[named].lemma.lower(), named, end)
        if _YEAR.fullmatch(digits):
            return Found("year", digits, "", start, end)
    rate, end = _rate(tokens, end, last) if unit else ("", end)
    key, unit = _standard(digits, unit)
    if unit == "s" and before_it is not None and before_it.unit == "s" and _joined(tokens, before_it.last, start):
        return Found("amount", f"{float(before_it.key) + float(key):.12g}", "s", before_it.first, end)
    return Found("amount", key, unit + rate, start, end)


def _multiplied(digits: str, suffix: str, tokens: Sequence[Token], place: int, last: int) -> tuple[str, int]:
    """A number with what multiplies it, "250k" or "thirty thousand", and where it ends."""
    times = _TIMES.get(suffix.lower(), 1)
    while place < last and (more := _TIMES.get(tokens[place].text.lower(), 1)) > 1 and len(tokens[place].text) > 1:
        times, place = times * more, place + 1
    if times == 1:
        return digits, place
    try:
        return f"{float(digits.replace(',', '')) * times:.12g}", place
    except ValueError:
        return digits, place


def _joined(tokens: Sequence[Token], place: int, start: int) -> bool:
    """Two hours and ten minutes."""
    return place == start or (place + 1 == start and tokens[place].text.lower() == "and")


def _counts(tokens: Sequence[Token], place: int, last: int) -> bool:
    return place + 1 < last and tokens[place + 1].pos == "NOUN"


def _may_be_numbered(token: Token) -> bool:
    """Port 7000, pH 7.4, React 18: the number belongs to what stands before it."""
    return token.text.isalpha() and token.pos not in _FUNCTION and token.text.lower() not in MONTHS


def _unit(word: str) -> str:
    """The unit that a word stands for, '' for none."""
    return word.lower().rstrip(".") if word.lower().rstrip(".") in UNITS else ""


def _unit_behind(tokens: Sequence[Token], place: int, last: int, *, belongs_before: bool) -> tuple[str, int]:
    """The unit or the counted noun behind a number, and where it ends; no noun where the number belongs to the one
    before it: "Flight 1612 departs"."""
    noun = place
    while noun < last and tokens[noun].pos == "ADJ" and noun - place < 2:
        noun += 1
    if noun >= last:
        return "", place
    if unit := _unit(tokens[noun].text):
        return unit, noun + 1
    if tokens[noun].pos != "NOUN" or belongs_before:
        return "", place
    while noun + 1 < last and tokens[noun].dep == "compound" and tokens[noun + 1].pos == "NOUN":
        noun += 1
    return tokens[noun].lemma.lower(), noun + 1


def _rate(tokens: Sequence[Token], place: int, last: int) -> tuple[str, int]:
    """ "per month" behind an amount, and where it ends."""
    if place + 1 >= last or tokens[place].text.lower() not in _PER or tokens[place + 1].pos != "NOUN":
        return "", place
    noun = place + 1
    while noun + 1 < last and tokens[noun].dep == "compound" and tokens[noun + 1].pos == "NOUN":
        noun += 1
    return f"/{tokens[noun].lemma.lower()}", noun + 1


def _standard(digits: str, unit: str) -> tuple[str, str]:
    """A number in the unit that others of its dimension are counted in."""
    base, worth = UNITS.get(unit, (unit, 1.0))
    try:
        number = float(digits.replace(",", "")) if digits.count(".") < 2 else None
    except ValueError:
        number = None
    return (digits, base) if number is None else (f"{number * worth:.12g}", base)


def _known(place: int, last: int, named: Mapping[int, tuple[int, str]]) -> Found | None:
    end, name = named.get(place, (0, ""))
    return Found("name", name.lower(), "", place, end) if name and end <= last else None


def _name(tokens: Sequence[Token], place: int, last: int) -> Found | None:
    """A run of proper names, or an identifier; none where an article makes an acronym a common noun: "the PI"."""
    token = tokens[place]
    if not any(letter.isalnum() for letter in token.text):
        return None
    identifier = _IDENTIFIER.fullmatch(token.text) and (token.text[0].isalpha() or "." in token.text)
    capital = token.text[0].isupper()
    strange = token.rare and capital
    if not (token.pos == "PROPN" and capital) and not strange and not identifier and not _CAMEL.fullmatch(token.text):
        return None
    end = place + 1
    while end < last and tokens[end].pos == "PROPN" and not _is_time(tokens[end]):
        end += 1
    short = end - place == 1 and token.text.isupper() and len(token.text) <= _LONGEST_ACRONYM
    if short and place and (tokens[place - 1].pos in ("DET", "PRON") or tokens[place - 1].text.lower() == "as"):
        return None
    words = [one.text.lower() for one in tokens[place:end]]
    key = " ".join(word for word in words if word not in TITLES) or words[0]
    return Found("name", key, "", place, end)


def _is_time(token: Token) -> bool:
    return token.text.lower() in MONTHS or token.text.lower() in WEEKDAY
