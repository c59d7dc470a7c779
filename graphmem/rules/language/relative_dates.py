"""Dates in words, made absolute by the day they were said."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

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
_MONTH_NAMES = [
    "_",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = {
    name: number
    for number, name in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "a couple": 2}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DAY = "(?:" + "|".join(WEEKDAYS) + ")"
_PREP = (
    r"\b(?:(?P<prep>since|starting(?: on| from)?|as of|effective|from|by|until|till|before|after|"
    r"due(?: on)?|on|in|during|at|around|of|for|to)\s+)?"
)
_DATE = re.compile(
    _PREP + r"(?:(?:the\s+)?(?P<near>day before yesterday|day after tomorrow|yesterday|today|tomorrow|"
    r"tonight|last night|"
    r"this (?:morning|afternoon|evening))(?:\s+(?:morning|afternoon|evening|night))?"
    r"|(?P<which>last|next|this past|this coming|this)\s+(?P<unit>week|weekend|month|year|quarter|"
    + _DAY
    + "|"
    + _MONTH
    + ")"
    r"|(?P<count>\d{1,3}|a couple of|couple of|an?|"
    + "|".join(list(_NUMBERS)[1:13])
    + r")\s+(?P<units>day|week|month|year)s?\s+ago"
    r"|(?P<iso>\d{4}-\d\d-\d\d)(?![\d-])"
    r"|(?P<month>" + _MONTH + r")\s+(?P<dom>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?P<doy>(?:19|20)\d\d))?(?![\d:])"
    r"|(?:the\s+)?(?P<dom2>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month2>"
    + _MONTH
    + r")(?:,?\s+(?P<doy2>(?:19|20)\d\d))?"
    r"|(?P<month3>" + _MONTH + r")\s+(?P<year3>(?:19|20)\d\d)"
    r"|(?P<weekday>" + _DAY + r")(?:\s+(?:morning|afternoon|evening|night))?(?!s)"
    r"|(?<=in )(?P<month4>"
    + _MONTH
    + r")(?!\s+\d)|(?<=since )(?P<month5>"
    + _MONTH
    + r")(?!\s+\d)|(?<=(?:in|by) )(?P<year>(?:19|20)\d\d)"
    r"|(?<=since )(?P<year2>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_NOT_A_DAY = re.compile(r"(?i)\b(?:every|each|any|black|good|casual|most|all|many|non|happy)\s*$")
_YEARLY = re.compile(r"(?i)\b(?:birthdays?|born|anniversar\w+|every year|yearly|annual\w*)\b")
_FUTURE = re.compile(
    r"(?i)\b(?:will|'ll|won't|shall|going to|plan(?:s|ning)?|due|deadline|upcoming|scheduled|until|by|"
    r"must|next|tomorrow|"
    r"(?:is|are|am|'m|'re) \w+ing)\b"
)
_NO_PREPOSITION = re.compile(r"(?i)(?:\b(?:is|was|to|the|be|than)|[:=(–-])\s*$")
_DUE = re.compile(
    r"(?i)\b(?:ships?|launch(?:es)?|release|due|deadline|decided|plan(?:s|ned)?|going|flying|starts?|begins?|until|till|by)\b"
)
"""Words before a day without a year that mark it as future, even without a verb."""
_BEGINS = re.compile(r"(?i)since|starting|as of|effective|from")
_ENDS = re.compile(r"(?i)by|until|till|before|due|to|for|after|around|of")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date named at [start, end): its absolute `wording`, when it begins, and whether the fact begins then too."""

    start: int
    end: int
    wording: str
    begins: datetime
    starts_fact: bool


def find_dates(text: str, said_at: datetime | None) -> tuple[FoundDate, ...]:
    """The dates in a sentence, resolved in the zone of `said_at`; nothing when that is unknown.

    *Shape*: in order, without overlap. A bare weekday or month is the last one, or the coming one in a sentence about
    the future. Weeks begin on Monday, `begins` is midnight. A future date starts a fact only after words such as "from"
    or "starting": a plan already holds today.
    """
    if said_at is None:
        return ()
    future = bool(_FUTURE.search(text))
    found = []
    for match in _DATE.finditer(text):
        if match["weekday"] and _NOT_A_DAY.search(text, 0, match.start("weekday")):
            continue
        if any(match[g] and not match[g][0].isupper() for g in ("month", "month2", "month3", "month4", "month5")):
            continue
        if _YEARLY.search(text) and (match["month"] or match["month2"]) and not (match["doy"] or match["doy2"]):
            continue
        try:
            begun = (match["prep"] or "").lower() == "since" or bool(match["month5"])
            due = _DUE.search(text, 0, match.start()) is not None and not begun
            resolved = _resolve(match, said_at.date(), (future or due) and not begun)
        except (ValueError, OverflowError):
            continue
        if resolved is None:
            continue
        day, wording, default = resolved
        begins = datetime.combine(day, time(), tzinfo=said_at.tzinfo)
        prep = (match["prep"] or "").lower()
        bounded = bool(_ENDS.match(prep)) and not _BEGINS.match(prep)
        lead = _lead(text, match, default)
        starts = not bounded and lead != "" and (begins <= said_at or bool(_BEGINS.match(prep)))
        found.append(FoundDate(match.start(), match.end(), lead + wording, begins, starts))
    return tuple(found)


def _lead(text: str, match: re.Match[str], default: str) -> str:
    """The preposition before the absolute date: the original where it still fits, else the one the wording needs."""
    prep = match["prep"] or ""
    if prep and prep.lower() not in ("on", "in", "at", "during"):
        return f"{prep} "
    if not prep and (
        match["iso"] or _NO_PREPOSITION.search(text, 0, match.start()) or text.startswith(("'s", "’s"), match.end())
    ):
        return ""
    return default


def _resolve(match: re.Match[str], today: date, future: bool) -> tuple[date, str, str] | None:
    """First day, wording, and the preposition the wording needs when none was said."""
    if match["near"]:
        return _near(match["near"].lower(), today)
    if match["which"]:
        return _relative(match["which"].lower(), match["unit"].lower().rstrip("."), today, future)
    if match["count"]:
        return _ago(match["count"].lower(), match["units"].lower(), today)
    if match["iso"]:
        return _day(date.fromisoformat(match["iso"]))
    if match["weekday"]:
        offset = (WEEKDAYS[match["weekday"].lower()] - today.weekday()) % 7
        return _day(today + timedelta(days=offset if future else (offset - 7 if offset else 0)))
    month = match["month"] or match["month2"]
    if month:
        number, dom = MONTHS[month.lower().rstrip(".")], int(match["dom"] or match["dom2"])
        said_year = match["doy"] or match["doy2"]
        year = int(said_year) if said_year else _year_of(number, dom, today, future)
        return _day(date(year, number, dom))
    month = match["month3"] or match["month4"] or match["month5"]
    if month:
        number = MONTHS[month.lower().rstrip(".")]
        year = int(match["year3"]) if match["year3"] else _year_of(number, 1, today, future)
        return _month(date(year, number, 1))
    year = int(match["year"] or match["year2"])
    return date(year, 1, 1), str(year), "in "


def _near(words: str, today: date) -> tuple[date, str, str]:
    days = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1, "day after tomorrow": 2}
    return _day(today + timedelta(days=days.get(words, 0)))


def _relative(which: str, unit: str, today: date, future: bool) -> tuple[date, str, str] | None:
    step = {"last": -1, "this past": -1, "next": 1, "this coming": 1}.get(which, 0)
    monday = today - timedelta(days=today.weekday())
    if unit == "week":
        return monday + timedelta(weeks=step), f"the week of {monday + timedelta(weeks=step)}", "in "
    if unit == "weekend":
        saturday = monday + timedelta(weeks=step, days=5)
        return saturday, f"the weekend of {saturday}", "on "
    if unit == "month":
        return _month(_months_later(today, step))
    if unit == "quarter":
        first = _months_later(today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1), 3 * step)
        return first, f"Q{(first.month + 2) // 3} {first.year}", "in "
    if unit == "year":
        return date(today.year + step, 1, 1), str(today.year + step), "in "
    if unit in WEEKDAYS:
        offset = (WEEKDAYS[unit] - today.weekday()) % 7
        if which == "next":
            return _day(monday + timedelta(weeks=1, days=WEEKDAYS[unit]))
        if step == -1:
            return _day(today + timedelta(days=offset - 7))
        return _day(monday + timedelta(days=WEEKDAYS[unit])) if not step else _day(today + timedelta(days=offset or 7))
    number = MONTHS.get(unit)
    if number is None:
        return None
    return _month(date(_year_of(number, 1, today, step > 0 or (not step and future), strict=step != 0), number, 1))


def _ago(count: str, unit: str, today: date) -> tuple[date, str, str]:
    number = int(count) if count.isdigit() else _NUMBERS[count]
    if unit == "day":
        return _day(today - timedelta(days=number))
    if unit == "week":
        day = today - timedelta(weeks=number)
        monday = day - timedelta(days=day.weekday())
        return monday, f"the week of {monday}", "in "
    if unit == "month":
        return _month(_months_later(today, -number))
    return date(today.year - number, 1, 1), str(today.year - number), "in "


def _day(day: date) -> tuple[date, str, str]:
    return day, day.isoformat(), "on "


def _month(day: date) -> tuple[date, str, str]:
    return day.replace(day=1), f"{_MONTH_NAMES[day.month]} {day.year}", "in "


def _months_later(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _year_of(month: int, dom: int, today: date, future: bool, *, strict: bool = False) -> int:
    """The year of the last, or the coming, such day; `strict` leaves the current month out."""
    here = (month, 0 if strict else dom)
    now = (today.month, 0 if strict else today.day)
    if future:
        return today.year + (here < now or (strict and here == now))
    return today.year - (here > now or (strict and here == now))
