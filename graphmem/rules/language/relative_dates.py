"""Dates in words, made absolute by the day they were said."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
"""The number of each month, by its name and short forms, in small letters."""
_MONTH_NAMES = {
    number: name.capitalize() for name, number in reversed(MONTHS.items()) if len(name) > 3 or name == "may"
}
WEEKDAYS = {
    name: number
    for number, name in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "a": 1, "an": 1, "couple of": 2, "a couple of": 2, "a couple": 2}
_CLOCK_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}

Tense = Literal["past", "perfect", "present", "scheduled", "coming", "future"]
"""`perfect`: of what still is ("has lived"); `scheduled`: the present tense of a deed; `coming`: a present that is said
of what comes ("is leaving", "ends")."""
Relation = Literal["in", "since", "until", "before", "other"]
"""How a time bounds what is said: it holds in it, from its beginning, until its end, before it; `other`: not so."""

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DAY = "(?:" + "|".join(WEEKDAYS) + ")"
_YEAR = r"(?:19|20)\d\d"
_ORDINAL = r"(?:st|nd|rd|th)?"
_COUNT = r"\d{1,3}|half an?|a couple of|couple of|an?|" + "|".join(list(_NUMBERS)[1:16])
_UNITS = r"minute|hour|day|week|month|year"
_TO = r"to|until|till|through|and|[-–]"
_PREP = (
    r"(?:(?<!\w)(?P<prep>since|starting(?: on| from| in)?|beginning(?: on| in)?|as of|effective|from|between|and|"
    r"by|until|till|through|before|after|due(?: on)?|on|in|during|at|around|of|for|to|[-–])\s+)?"
)
_DATE = re.compile(
    _PREP + r"(?<!\w)(?:(?:the\s+)?(?P<near>day before yesterday|day after tomorrow|yesterday|today|tomorrow|"
    r"tonight|last night|this (?:morning|afternoon|evening))(?:\s+(?:morning|afternoon|evening|night))?"
    r"|(?P<which>last|next|this past|this coming|this)\s+(?P<unit>week|weekend|month|year|quarter|"
    rf"{_DAY}|{_MONTH})"
    rf"|(?P<count>{_COUNT})\s+(?P<units>{_UNITS})s?(?:\s+(?P<way>ago|from now(?! on)))?"
    rf"|(?:{_DAY},?\s+)?(?P<iso>\d{{4}}-\d\d-\d\d)(?![\d-])"
    rf"|(?:(?P<wday>{_DAY}),?\s+)?(?P<month>{_MONTH})\s+(?P<dom>\d{{1,2}}){_ORDINAL}(?:,?\s+(?P<doy>{_YEAR}))?(?![\d:])"
    rf"|(?:(?P<wday2>{_DAY}),?\s+)?(?:the\s+)?(?P<dom2>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?(?P<month2>{_MONTH})(?:,?\s+(?P<doy2>{_YEAR}))?"
    rf"|(?:the\s+)?(?P<dom3>\d{{1,2}}){_ORDINAL}(?=\s+(?:{_TO})\s+(?:the\s+)?\d{{1,2}}{_ORDINAL}\s+(?:of\s+)?"
    rf"(?P<month3>{_MONTH})(?:,?\s+(?P<doy3>{_YEAR}))?)"
    r"|(?:the\s+)?(?P<part>beginning|start|middle|end)\s+of\s+(?:(?:the|this)\s+)?"
    rf"(?:(?P<whole>week|month|year)|(?P<part_month>{_MONTH})(?:\s+(?P<part_year>{_YEAR}))?|(?P<part_year2>{_YEAR}))"
    rf"|(?P<part2>early|mid|late)[- ](?P<part_month2>{_MONTH})(?:\s+(?P<part_year3>{_YEAR}))?"
    rf"|Q(?P<quarter>[1-4])(?:\s+(?P<quarter_year>{_YEAR}))?"
    rf"|(?P<month4>{_MONTH})(?:\s+(?P<year4>{_YEAR})|(?!\s+\d))"
    rf"|(?P<weekday>{_DAY})(?:\s+(?:morning|afternoon|evening|night))?(?!s)"
    rf"|(?P<year>{_YEAR}))\b",
    re.IGNORECASE,
)
_MONTH_GROUPS = ("month", "month2", "month3", "month4", "part_month", "part_month2")
_DATED_GROUPS = ("month", "month2", "month3")
_OTHER_WORDS = frozenset({"may", "mar", "march"})
_YEAR_GROUPS = ("doy", "doy2", "doy3", "year4", "part_year", "part_year2", "part_year3", "quarter_year", "year", "iso")
_BARE = {
    "year": "in by since until till through before after between",
    "month": "in by since until till through before after between from starting effective as beginning",
}
"""The prepositions behind which a year or a month stands that nothing else tells to be one."""
_NOT_A_DAY = re.compile(r"(?i)\b(?:every|each|any|black|good|casual|most|all|many|non|happy)\s*$")
_YEARLY = re.compile(r"(?i)\b(?:birthdays?|born|anniversar\w+|every year|yearly|annual\w*)\b")
_FUTURE = re.compile(
    r"(?i)\b(?:will|'ll|won't|shall|going to|plan(?:s|ning)?|due|deadline|upcoming|scheduled|until|by|"
    r"must|next|tomorrow|"
    r"(?:is|are|am|'m|'re) \w+ing)\b"
)
_PRESENT = re.compile(r"(?i)\b(?:is|are|am|has|have)\b|['’](?:s|re|m|ve)\b")
_NO_PREPOSITION = re.compile(r"(?i)(?:\b(?:is|was|to|the|be|than)|[:=(–-])\s*$")
_RELATIONS: dict[str, Relation] = {"before": "before"}
_RELATIONS |= dict.fromkeys(("", "on", "in", "during", "at"), "in")
_RELATIONS |= dict.fromkeys(("since", "starting", "beginning", "as", "effective", "from", "between"), "since")
_RELATIONS |= dict.fromkeys(("until", "till", "through"), "until")
_ON = re.compile(r"\s+(?:on|onwards?|forward)\b", re.IGNORECASE)
_AHEAD = re.compile(rf"\s+(?:{_TO})\s+(?:{_YEAR}|{_MONTH})\b", re.IGNORECASE)
_MONTHS_BEHIND = re.compile(rf"\s+(?:{_TO})\s+{_MONTH}(?!\s+\d{{1,2}}\b)(?:\s+(?P<year>{_YEAR}))?", re.IGNORECASE)
_THIRD = 10
"""Days of an early part of a month, and of its middle; also of the beginning of a year."""


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A time named at [start, end): its absolute `wording`, when it `begins` and `ends` (exclusive), how it bounds what
    is said, and whether a fact begins with it. `is_range`: it and the next one, or the one before, are one stretch."""

    start: int
    end: int
    wording: str
    begins: datetime
    ends: datetime
    relation: Relation
    starts_fact: bool
    is_range: bool = False


@dataclass(frozen=True, slots=True)
class _Period:
    """From `first` up to `beyond`, which is outside; the preposition that `wording` needs where none was said."""

    first: date
    beyond: date
    wording: str
    lead: str


TenseAt = Callable[[int], Tense | None]


def find_dates(text: str, said_at: datetime | None, tense_at: TenseAt | None = None) -> tuple[FoundDate, ...]:
    """The times named in a sentence, resolved in the zone of `said_at`; nothing when that is unknown.

    *Shape*: in order, without overlap. A weekday or a date without a year is the last one in a sentence about the past,
    the coming one in one about the future, else the nearer one. Weeks begin on Monday, days at midnight. A future time
    starts a fact only after words such as "from" or "starting": a plan already holds today. `tense_at` tells the tense
    of the verb that the word at a place belongs to; without it words of the sentence tell it.

    >>> from datetime import UTC
    >>> (found,) = find_dates("The bridge is closed until the end of March.", datetime(2026, 2, 10, tzinfo=UTC))
    >>> found.wording, f"{found.ends:%Y-%m-%d}", found.relation
    ('until the end of March 2026', '2026-04-01', 'until')
    """
    if said_at is None:
        return ()
    found: list[FoundDate] = []
    before: re.Match[str] | None = None
    for match in _DATE.finditer(text):
        joined = before is not None and bool(found) and _joins(text, before, match)
        if not _is_date(text, match, joined=joined):
            before = None
            continue
        tense = tense_at(match.end() - 1) if tense_at else None
        if not joined and _is_yearly(text, match, tense):
            before = None
            continue
        reading = _Reading(
            match, said_at, tense or _guessed(text), found[-1] if joined else None, sure=tense is not None
        )
        if (one := reading.found(text)) is None:
            before = None
            continue
        if joined and before is not None:
            found[-1] = _with_end(found[-1], one, undated=_lacks_year(before) and not _lacks_year(match))
        found.append(one)
        before = match
    return tuple(found)


def _is_yearly(text: str, match: re.Match[str], tense: Tense | None) -> bool:
    """Whether a stretch of months is one of each year: "closed from November to March"."""
    bare = match["month4"] and not match["year4"] and tense in ("present", "scheduled")
    behind = _MONTHS_BEHIND.match(text, match.end()) if bare else None
    return bool(behind and not behind["year"] and _prep(match) in ("from", "between"))


def _guessed(text: str) -> Tense:
    return "future" if _FUTURE.search(text) else "present" if _PRESENT.search(text) else "past"


def _prep(match: re.Match[str]) -> str:
    """The first word of the preposition, in small letters."""
    return (match["prep"] or "").lower().partition(" ")[0]


def _joins(text: str, before: re.Match[str], match: re.Match[str]) -> bool:
    """Whether two times are the ends of one stretch: from A to B, between A and B, 3 to 9 May."""
    if text[before.end() : match.start()].strip():
        return False
    first, prep = _prep(before), _prep(match)
    return prep == "and" if first == "between" else prep in ("to", "until", "till", "through", "-", "–")


def _is_date(text: str, match: re.Match[str], *, joined: bool) -> bool:
    if any(match[group] and not _is_month(match[group], dated=group in _DATED_GROUPS) for group in _MONTH_GROUPS):
        return False
    if match["weekday"] and _NOT_A_DAY.search(text, 0, match.start("weekday")):
        return False
    prep = _prep(match)
    dated = prep not in ("", "on") or match["doy"] or match["doy2"]
    if _YEARLY.search(text) and (match["month"] or match["month2"]) and not dated:
        return False
    alone = "year" if match["year"] else "month" if match["month4"] and not match["year4"] else ""
    if not alone or joined or prep in _BARE[alone].split():
        return True
    return prep == "from" and bool(_ON.match(text, match.end()) or _AHEAD.match(text, match.end()))


def _is_month(word: str, *, dated: bool) -> bool:
    """Whether a word is a month: in small letters only beside a day, and where it is no other word."""
    return word[0].isupper() or (dated and word.lower().rstrip(".") not in _OTHER_WORDS)


def _lacks_year(match: re.Match[str]) -> bool:
    return not any(match[group] for group in _YEAR_GROUPS) and any(match[group] for group in _MONTH_GROUPS)


def _with_end(first: FoundDate, second: FoundDate, *, undated: bool) -> FoundDate:
    """The first end of a stretch; an `undated` one is of the year that its other end is said to be in, or before."""
    shift = second.begins.year - first.begins.year if undated else 0
    shift -= undated and first.begins.replace(year=first.begins.year + shift) > second.begins
    begins, ends = (at.replace(year=at.year + shift) for at in (first.begins, first.ends))
    wording = first.wording.replace(str(first.begins.year), str(begins.year))
    return FoundDate(first.start, first.end, wording, begins, ends, "since", True, True)


class _Reading:
    """One match on its way to a time; `begun` is the first end of the stretch that it ends."""

    def __init__(
        self, match: re.Match[str], said_at: datetime, tense: Tense, begun: FoundDate | None, *, sure: bool
    ) -> None:
        self._match, self._said_at, self._tense, self._begun, self._sure = match, said_at, tense, begun, sure
        self._today = said_at.date()
        self._prep = _prep(match)
        self.relation: Relation = "until" if begun else _RELATIONS.get(self._prep, "other")
        if begun:
            self._today = begun.begins.date()
        self._towards = self._direction()

    def _direction(self) -> int:
        """-1: the last such time, 1: the coming one, 0: the nearer one."""
        if self._begun:
            return 1
        if self._prep == "since":
            return -1
        past = self._tense in ("past", "perfect")
        ahead = self._prep in ("by", "due", "to") or (self._prep == "for" and self._sure)
        if self.relation == "until" or ahead:
            return -1 if past and self.relation == "until" else 1
        if self.relation == "since":
            return -1 if past else int(self._tense == "future")
        return -1 if past else int(self._tense != "present")

    def found(self, text: str) -> FoundDate | None:
        match = self._match
        try:
            if match["count"]:
                return self._counted()
            period = self._period()
        except (ValueError, OverflowError):
            return None
        if period is None:
            return None
        begins, ends = self._at(period.first), self._at(period.beyond)
        lead = self._lead(text, period.lead)
        since = self.relation == "since"
        starts = since or (self.relation == "in" and lead != "" and begins <= self._said_at)
        return FoundDate(
            match.start(), match.end(), lead + period.wording, begins, ends, self.relation, starts, bool(self._begun)
        )

    def _at(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=self._said_at.tzinfo)

    def _lead(self, text: str, default: str) -> str:
        """The preposition before the absolute date: the original where it still fits, else the one it needs."""
        match, prep = self._match, self._match["prep"] or ""
        if prep and prep.lower() not in ("on", "in", "at", "during"):
            return f"{prep} "
        if not prep and (
            match["iso"] or _NO_PREPOSITION.search(text, 0, match.start()) or text.startswith(("'s", "’s"), match.end())
        ):
            return ""
        return default

    def _counted(self) -> FoundDate | None:
        """ "Three days ago", "in two weeks", "for two years" of what still is."""
        match, way, prep = self._match, (self._match["way"] or "").lower(), self._prep
        words = match["count"].lower()
        number = 0.5 if words.startswith("half") else int(words) if words.isdigit() else _NUMBERS[words]
        ahead = way == "from now" or (not way and prep == "in" and self._tense in ("future", "coming"))
        lasting = not way and prep == "for" and self._tense == "perfect"
        if not (way or ahead or lasting) or (number == 0.5 and match["units"].lower() != "hour"):
            return None
        relation: Relation = "since" if lasting else "in" if ahead else self.relation
        lead = "" if prep in ("", "in", "for", "on", "at") else f"{match['prep']} "
        if step := _CLOCK_UNITS.get(match["units"].lower()):
            begins = self._said_at + (1 if ahead else -1) * number * step
            ends, wording, before = begins + min(number, 1) * step, f"{begins:%H:%M on %Y-%m-%d}", "at "
        else:
            period = self._from_now(int(number) * (1 if ahead else -1), match["units"].lower())
            begins, ends = self._at(period.first), self._at(period.beyond)
            wording, before = period.wording, period.lead
        said = match[0] if lasting else (lead or before) + wording
        starts = relation == "since" or (relation == "in" and not ahead)
        return FoundDate(match.start(), match.end(), said, begins, ends, relation, starts)

    def _from_now(self, number: int, unit: str) -> _Period:
        if unit == "day":
            return _day(self._today + timedelta(days=number))
        if unit == "week":
            return _week(self._today + timedelta(weeks=number))
        if unit == "month":
            return _month(_months_later(self._today, number))
        return _year(self._today.year + number)

    def _period(self) -> _Period | None:
        match, today = self._match, self._today
        if match["near"]:
            return _near(match["near"].lower(), self._said_at.date())
        if match["which"]:
            return self._relative(match["which"].lower(), match["unit"].lower().rstrip("."))
        if match["iso"]:
            return _day(date.fromisoformat(match["iso"]))
        if match["weekday"]:
            offset = (WEEKDAYS[match["weekday"].lower()] - today.weekday()) % 7
            last = self._towards < 0 or (self.relation == "since" and not self._begun and self._tense == "perfect")
            return _day(today + timedelta(days=offset - 7 if last and offset else offset))
        if match["quarter"]:
            first = 3 * int(match["quarter"]) - 2
            return _quarter(date(self._year(match["quarter_year"], first, 1), first, 1))
        if part := match["part"] or match["part2"]:
            return self._part(part.lower())
        for month, dom, year in (("month", "dom", "doy"), ("month2", "dom2", "doy2"), ("month3", "dom3", "doy3")):
            if match[dom]:
                number, day = _number_of(match[month]), int(match[dom])
                named = None if match[year] else _on_weekday(number, day, match["wday"] or match["wday2"], today)
                return _day(named or date(self._year(match[year], number, day), number, day))
        if match["month4"]:
            number = _number_of(match["month4"])
            return _month(date(self._year(match["year4"], number, 1), number, 1))
        return _year(int(match["year"]))

    def _year(self, said: str | None, month: int, dom: int) -> int:
        return int(said) if said else _year_of(month, dom, self._today, self._towards)

    def _part(self, part: str) -> _Period:
        """The beginning, middle or end of a month or a year; the end is its last day, but the late third of a month."""
        match, today = self._match, self._today
        month = match["part_month"] or match["part_month2"]
        if match["whole"] == "week":
            monday = today - timedelta(days=today.weekday())
            return _day(monday + timedelta(days={"end": 6, "middle": 2}.get(part, 0)))
        year = match["part_year"] or match["part_year2"] or match["part_year3"]
        if month:
            number = _number_of(month)
            first = date(self._year(year, number, 1), number, 1)
            beyond = _months_later(first, 1)
        elif match["whole"] == "month":
            first, beyond = today.replace(day=1), _months_later(today, 1)
        else:
            first = date(int(year) if year else today.year, 1, 1)
            beyond = date(first.year + 1, 1, 1)
        name = str(first.year) if beyond.year > first.year and beyond.month == 1 and first.month == 1 else ""
        name = name or f"{_MONTH_NAMES[first.month]} {first.year}"
        said = f"{part} {name}" if part in ("early", "mid", "late") else f"the {part} of {name}"
        lead = f"{match['prep']} " if match["prep"] else ""
        if part == "end":
            return _Period(beyond - timedelta(days=1), beyond, said, lead)
        third = timedelta(days=_THIRD)
        middle = first + (third if beyond - first < timedelta(days=40) else (beyond - first) / 2)
        if part in ("middle", "mid"):
            return _Period(middle, middle + third, said, lead)
        return (
            _Period(middle + third, beyond, said, lead) if part == "late" else _Period(first, first + third, said, lead)
        )

    def _relative(self, which: str, unit: str) -> _Period | None:
        today = self._today
        step = {"last": -1, "this past": -1, "next": 1, "this coming": 1}.get(which, 0)
        monday = today - timedelta(days=today.weekday())
        if unit == "week":
            return _week(monday + timedelta(weeks=step))
        if unit == "weekend":
            saturday = monday + timedelta(weeks=step, days=5)
            return _Period(saturday, saturday + timedelta(days=2), f"the weekend of {saturday}", "on ")
        if unit == "month":
            return _month(_months_later(today, step))
        if unit == "quarter":
            return _quarter(_months_later(today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1), 3 * step))
        if unit == "year":
            return _year(today.year + step)
        if unit in WEEKDAYS:
            offset = (WEEKDAYS[unit] - today.weekday()) % 7
            if which == "next":
                return _day(monday + timedelta(weeks=1, days=WEEKDAYS[unit]))
            if step == -1:
                return _day(today + timedelta(days=offset - 7))
            return _day(monday + timedelta(days=WEEKDAYS[unit]) if not step else today + timedelta(days=offset or 7))
        number = MONTHS.get(unit)
        if number is None:
            return None
        return _month(date(_year_of(number, 1, today, step or self._towards or -1, strict=step != 0), number, 1))


def _number_of(month: str) -> int:
    return MONTHS[month.lower().rstrip(".")]


def _near(words: str, today: date) -> _Period:
    days = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1, "day after tomorrow": 2}
    return _day(today + timedelta(days=days.get(words, 0)))


def _day(day: date) -> _Period:
    return _Period(day, day + timedelta(days=1), day.isoformat(), "on ")


def _week(day: date) -> _Period:
    monday = day - timedelta(days=day.weekday())
    return _Period(monday, monday + timedelta(weeks=1), f"the week of {monday}", "in ")


def _month(day: date) -> _Period:
    first = day.replace(day=1)
    return _Period(first, _months_later(first, 1), f"{_MONTH_NAMES[day.month]} {day.year}", "in ")


def _quarter(first: date) -> _Period:
    return _Period(first, _months_later(first, 3), f"Q{(first.month + 2) // 3} {first.year}", "in ")


def _year(year: int) -> _Period:
    return _Period(date(year, 1, 1), date(year + 1, 1, 1), str(year), "in ")


def _on_weekday(month: int, dom: int, weekday: str | None, today: date) -> date | None:
    """The day of this, the last or the coming year that is such a weekday; None where none is, or none was said."""
    days = (date(year, month, dom) for year in (today.year, today.year + 1, today.year - 1)) if weekday else ()
    return next((day for day in days if day.weekday() == WEEKDAYS[(weekday or "").lower()]), None)


def _months_later(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _year_of(month: int, dom: int, today: date, towards: int, *, strict: bool = False) -> int:
    """The year of the last (-1), the coming (1) or the nearer (0) such day; `strict` leaves the current month out."""
    here = (month, 0 if strict else dom)
    now = (today.month, 0 if strict else today.day)
    coming = today.year + (here < now or (strict and here == now))
    last = today.year - (here > now or (strict and here == now))
    if towards:
        return coming if towards > 0 else last
    # What is half as far back as ahead is meant as often.
    ahead, back = (date(year, month, min(dom, 28)).toordinal() - today.toordinal() for year in (coming, last))
    return last if -2 * back < ahead else coming
