"""A statement laid out as the words that carry it, in order, so that it can be laid beside another one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key, respell
from graphmem.rules.language.stems import IRREGULAR, word_set
from graphmem.rules.language.text import fold, words

_TITLES = re.compile(r"\b(?:mrs?|ms|dr|prof|professor)\b\.? ")
LEADS = re.compile(
    r"^(?:(?:oh|oops|sorry|correction|update|actually|in fact|my mistake|my bad|i was wrong|i misspoke|(?:no"
    r"|rather)(?=\s*[,:;.—–-])|wait"
    r"|to be precise|apologies|scratch that|i meant|it turns out(?: that)?)\s*[,:;.—–-]?\s+)+"
    r"|^since (?:[^,]{1,40},|\w+)\s+"
)
"""What is said before the statement itself."""
_NAMES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    ((" is where ",), r"^(.+?) is where (.+)$", r"\2 in \1"),
    ((" employed ",), r" (?:is|are) employed (?:by|at) ", "'s employer is "),
    (
        ("renamed ",),
        r" (?:(?:was|were|is|has been|have been|has|have) )?renamed (?:itself |themselves )?(?:from \S+ )?"
        r"(?:to |as |into |(?=\w))",
        " is named ",
    ),
    (
        ("located in ", "situated in ", "headquartered in "),
        r" (?:is|are) (?:located|situated|headquartered) in ",
        " is based in ",
    ),
    ((" works for ",), r" works for ", " works at "),
    (
        ("ing",),
        r" (?:has |have )?(?:(?:recently|now|just) )*(?:switched|changed|moved|started|began|begun) (?:over )?(?:to )?"
        r"(?=\w{3,}ing\b)",
        " ",
    ),
    ((" may",), r"\b(in|for|of|on|until|by|since|\d{1,2}) may\b", r"\1 5"),
    (
        (" to ", " until ", " till "),
        r" (?:has |have |was |were |is |are )?(?:been )?(?:delayed|postponed|rescheduled|brought forward|pushed back"
        r"|pushed|put off|moved|shifted) (?:from .{1,30}? )?(?:to|until|till) "
        rf"(?=\S*\d|.*\b(?:\w+day|week|month|{table.MONTH_NAMES})\b)",
        " is on ",
    ),
    (
        ("set ", "scheduled ", "due ", "planned "),
        r" (?:is|are) (?:now )?(?:set|scheduled|due|planned) (?:for|on|in) ",
        " is on ",
    ),
    ((" stay", " remain"), r" (?:stays?|remains?) ", " is "),
    ((" happen",), r" (?:happens|happen) (?:on|in|at) ", " is on "),
)
FORMS = tuple((marks, re.compile(pattern), form) for marks, pattern, form in _NAMES)
"""Ways to say the same, brought to one: who is whose, what is called how, when something is. A text without any of the
marks cannot match the pattern: looking for them costs next to nothing."""
_FOREIGN_FORMS = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"(?:переехал[аи]?|перебрал(?:ся|ась|ись)|переселил(?:ся|ась|ись))(?: (?:из|с) \S+)? (в|на) ", r"живет \1 "),
        (r"(?:живе|мешкає|проживає) (?:в|у) ", "живе в "),
        (r"(?:живёт|живут|проживает) ", "живет "),
        (r"μετακόμισ(?:ε|αν) (σ\w+)", r"μένει \1"),
        (r"(?:现在|目前|已经|已經|如今|刚刚|最近)", ""),
        (r"(?:搬到|搬去|移居到|搬家到|迁往|搬進|居住在)了?", "住在"),
        (r"(?:今は|現在は?|もう|すでに)、?", ""),
        (r"に(?:引っ越しました|引っ越した|移りました|移住しました|住んでいる|移住した)", "に住んでいます"),
        (
            r"(.+?)は(.+?)の(部長|社長|課長|店長|校長|監督|担当|リーダー|キャプテン|代表|会長|院長|先生|責任者)です",
            r"\2の\3は\1です",
        ),
        (r"ていません|ていない", "ています ない "),
    )
)
"""The same in other scripts: who moved lives there, and what is denied by an ending is denied by a word."""
_DIGITS = re.compile(r"[٠-٩۰-۹०-९]{1,18}")
_FOREIGN_NO = word_set(
    "не ні нет нема није אין לא אינו אינה 안 못 아니다 아닙니다 nicht kein keine non pas ne δεν μη لا ليس لم नहीं न मत"
)
_NO = table.NEGATIONS | _FOREIGN_NO | {"without", "nothing"}
_WIDE_PARTS = re.compile(
    r"\d+(?:[.:]\d+)*|[月火水木金土日](?=曜)|[\u4e00-\u9fff]|[\u3040-\u30ff]+|[^\W\d_]+", re.UNICODE
)
_WIDE_NO = frozenset({"不", "没", "沒", "無", "ない", "ません"})
_WIDE_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_DROPPED = (
    table.FILLERS
    | word_set(
        """a an the do does did don't doesn't didn't that this these those its his her their our my your any all every
    each both also can got больше більше ещё уже теперь сейчас πλέον πια τώρα है हैं अब अभी
        يعد الآن حاليا 了 再 已 started start started's has have had been recently since"""
    )
    | table.NEGATIONS
)
_DOES = word_set("has have had")
SCRIPTED = re.compile(r"[^\x00-\u024f\W\d_]")
_ADDRESS = re.compile(r"\S+://\S+|[\w.+-]{1,64}@[\w.-]+|\b\w+(?:_\w+)+")
"""What is one value, though it has marks inside."""
_ADDRESS_MARK = re.compile("[@_]|://")
"""One of them is in each address, and looking for it alone takes a tenth of the time."""


@dataclass(frozen=True)
class Laid:
    """A statement as laid out: `keys` and the `said` words they stand for, how often it denies, and how it is told."""

    said: tuple[str, ...]
    keys: tuple[str, ...]
    denied: int
    past: bool
    articles: frozenset[str]
    text: str
    raw: str


@lru_cache(maxsize=4_096)
def lay(content: str) -> Laid:
    """The words that carry the statement, in order, with what says the same in other words brought to one form."""
    return _lay(fold(content).strip().rstrip(".!。।"))


@lru_cache(maxsize=4_096)
def _lay(folded: str) -> Laid:
    """The same of a text without capitals, so that what was lowered before is not laid out anew."""
    raw = text = respell(_TITLES.sub("", LEADS.sub("", folded)))
    for marks, pattern, form in FORMS:
        for mark in marks:  # no any(): this runs for each form of each statement
            if mark in text:
                text = pattern.sub(form, text)
                break
    if not text.isascii():
        text = _DIGITS.sub(lambda found: str(int(found[0])), text)
        for pattern, form in _FOREIGN_FORMS:
            text = pattern.sub(form, text)
    wide = bool(_WIDE_SCRIPT.search(text))
    found = (
        _WIDE_PARTS.findall(text)
        if wide
        else words(_ADDRESS.sub(_as_word, text) if _ADDRESS_MARK.search(text) else text)
    )
    no = _WIDE_NO if wide else _NO
    denied = sum(word in no for word in found)
    kept = [
        (word, "be" if (word in table.BE and "n't" not in word) or word == "be" else key_of(word))
        for index, word in enumerate(found)
        if word not in no and not (word in _DROPPED and not (word in _DOES and _is_owning(found, index)))
    ]
    articles = frozenset(found[i + 1] for i in range(len(found) - 1) if found[i] in ("a", "an"))
    return Laid(
        said=tuple(word for word, _ in kept),
        keys=tuple(one for _, one in kept),
        denied=denied,
        past=_is_past(found),
        articles=articles,
        text=text,
        raw=raw,
    )


def _as_word(match: re.Match[str]) -> str:
    return re.sub(r"[\W_]", "", match[0])


def key_of(word: str) -> str:
    return word if word in table.AUX else key(word)


def _is_owning(found: Sequence[str], index: int) -> bool:
    """Whether "has" is the verb itself, not the auxiliary of a perfect."""
    step = next((word for word in found[index + 1 :] if word not in table.FILLERS), "")
    return not (step == "been" or is_participle(step))


def is_participle(word: str) -> bool:
    """Whether a word looks like a past participle."""
    return word.endswith("ed") or (word in IRREGULAR and IRREGULAR[word] != word and not word.endswith("s"))


_BETWEEN = table.FILLERS | table.NEGATIONS
_PAST_ALONE = word_set(
    """went began became took wrote broke woke spoke drove ate drank knew rang sang swam gave saw came fell flew grew
    threw rode chose stole shook bit blew sank tore wore hid"""
)
"""Forms that are nothing but a past, also far behind in a sentence."""
_BEFORE_STATES = table.AUX | {"get", "gets", "the", "a", "an", "being"}


def _is_past(found: Sequence[str]) -> bool:
    for index, word in enumerate(found):
        if word in table.WAS and word != "had":
            return True
        if not index or not is_participle(word):
            continue
        before = next((w for w in reversed(found[:index]) if w not in _BETWEEN), "")
        if before not in _BEFORE_STATES:
            return (
                before not in table.PREPOSITIONS
                and not before.endswith(("'s", "ly"))
                and index < (8 if word in _PAST_ALONE else 4)
            )
    return False


@dataclass(frozen=True)
class Place:
    """Where two statements differ: what both say before and behind it, and what each says there."""

    before: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    behind: tuple[str, ...]


def place(old: Laid, new: Laid) -> Place:
    """The one stretch that differs, as short as it can be."""
    start = 0
    shortest = min(len(old.keys), len(new.keys))
    while start < shortest and old.keys[start] == new.keys[start]:
        start += 1
    end = 0
    while end < shortest - start and old.keys[-1 - end] == new.keys[-1 - end]:
        end += 1
    return Place(
        old.keys[:start],
        old.keys[start : len(old.keys) - end],
        new.keys[start : len(new.keys) - end],
        old.keys[len(old.keys) - end :] if end else (),
    )
