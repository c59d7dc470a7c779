"""Two statements laid side by side: the frame of words that they share, and the one place where they differ.

`rules.contradiction` reads clauses by their verbs, and a verb that it does not know is nothing to it. Here no verb need
be known: what stands on both sides says that both speak of the same thing, and what differs says how.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules import antonyms as table
from graphmem.rules.antonyms import key, opposites, respell, stem
from graphmem.rules.text import fold, words

_TITLES = re.compile(r"\b(?:mrs?|ms|dr|prof)\b\.? ")
LEADS = re.compile(
    r"^(?:(?:oh|oops|sorry|correction|update|actually|in fact|my mistake|my bad|i was wrong|i misspoke|no|wait"
    r"|to be precise|rather|apologies|scratch that|i meant|it turns out(?: that)?)\s*[,:;.—–-]?\s+)+"
    r"|^since (?:[^,]{1,40},|\w+)\s+"
)
"""What is said before the statement itself."""
_NAMES = (
    (r"^(.+?) is where (.+)$", r"\2 in \1"),
    (r"^(?!the |a |an )([^,;]{1,40}) is ([\w-]+'s [\w-]+)$", r"\2 is \1"),
    (r" (?:is|are) employed (?:by|at) ", "'s employer is "),
    (r" (?:has |have )?changed (?:his|her|its|their) name to ", " is named "),
    (r" (?:has |have )?changed (?:his|her|its|their) ([\w-]+) (?:from \S+ )?to ", r"'s \1 is "),
    (
        r" (?:(?:was|were|is|has been|have been|has|have) )?renamed (?:itself |themselves )?(?:from \S+ )?"
        r"(?:to |as |into |(?=\w))",
        " is named ",
    ),
    (r" (?:is|are) (?:implemented|coded|programmed|developed|built) in ", " is written in "),
    (r" (?:reside|dwell)(s?) in ", r" live\1 in "),
    (r" (?:is|are) (?:located|situated|headquartered) in ", " is based in "),
    (r" works for ", " works at "),
    (
        r" (?:has |have )?(?:(?:recently|now|just) )*(?:switched|changed|moved|started|began|begun) (?:over )?(?:to )?"
        r"(?=\w{3,}ing\b)",
        " ",
    ),
    (r"\b(in|for|of|on|until|by|since|\d{1,2}) may\b", r"\1 5"),
    (
        r" (?:now )?(?:goes by|is (?:now )?known as|is (?:now )?(?:called|titled|published as|labelled)"
        r"(?! (?:by|from|in|on|at|when|with|for|to|once|off|up)\b)) ",
        " is named ",
    ),
    (r"'s (?:name|title) is ", " is named "),
    (r" (?:name|title) is ", " is named "),
    (
        r" (?:has |have |was |were |is |are )?(?:been )?(?:delayed|postponed|rescheduled|brought forward|pushed back"
        r"|pushed|put off|moved|shifted) (?:from .{1,30}? )?to (?=\S*\d|.*\b(?:\w+day|week|month)\b)",
        " is on ",
    ),
    (r" (?:is|are) (?:now )?(?:set|scheduled|due|planned) (?:for|on|in) ", " is on "),
    (r" (?:takes|take) place (?:on|in|at) ", " is on "),
    (r" (?:happens|happen) (?:on|in|at) ", " is on "),
    (r" is (?:at|in) (?=\d)", " is on "),
)
FORMS = tuple((re.compile(pattern), form) for pattern, form in _NAMES)
"""Ways to say the same, brought to one: who is whose, what is called how, when something is."""
RENAMED = re.compile(
    r"\brenamed\b|\b(?:has|have) become\b|\bnow goes by\b|\bnow (?:called|named)\b|\bchanged .{1,20}name\b"
)
ENDED = re.compile(
    r"\b(?:(?:has|have|had|was|were|is|are) )?(?:been )?(?:stopped|quit|ceased(?: to)?|(?:given|gave) up(?: on)?"
    r"|(?:abandoned|dropped|scrapped|shelved)(?: the (?:idea|plan) (?:of|to)| plans to)?|cancelled|canceled"
    r"|(?:resigned|withdrawn|withdrew|retired|dropped out|unsubscribed|stepped down|stepped back|departed)"
    r" (?:from|of|as)|left|finished(?: being)?|discontinued|(?:broken|broke|called) off|decided (?:against|not to)"
    r"|got rid of|no longer|phased out"
    r"|parted with|done with|decommissioned|shut down|dissolved)\b(?! to )"
)
"""What ends a state. What is ended stands behind it, or, where it is said in the passive, before it."""
_PASSIVE = re.compile(r"^(?:has|have|had|was|were|is|are) (?:been )?(?!no )")
_OVER_UNTIL = re.compile(r"\b(?:until|up to|till|before)\b.*$")
_USED_TO = re.compile(r"\bused to\b")
_CUT = re.compile(
    r"[;,]|\b(?:since|because|after|when|until|as of)\b"
    r"|\b(?:in|on|at) (?=(?:[a-z]+day|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|spring|summer|autumn|winter|\d{4}|the (?:spring|summer|autumn|winter|end))\b)"
)
GONE = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<before>.*?)\b(?:instead of|rather than|in place of|as opposed to) (?P<gone>.+)$",
        r"(?P<came>.+?) (?:has |have )?(?:taken|took|takes) the place of (?P<gone>.+?)"
        r"(?P<after> (?:for|in|as|on) .+)?$",
        r"(?P<came>.+?) (?:has |have )?(?:replaced|replaces|superseded|supersedes|succeeded|succeeds) "
        r"(?P<gone>.+?)(?P<after> (?:for|in|as|on) .+)?$",
        r"(?P<gone>.+?) (?:was|has been|is|were|have been) (?:replaced|superseded|succeeded) (?:by|with) (?P<came>.+?)"
        r"(?P<after> (?:for|in|as|on) .+)?$",
        r"(?P<before>.+?) (?:has |have )?(?:replaced|swapped|exchanged|traded) (?P<gone>.+?) (?:with|for|by) "
        r"(?P<came>.+)$",
        r"(?P<before>.+?) from (?P<gone>.+?) (?:over )?to (?P<came>.+)$",
    )
)
_CHANGES = re.compile(
    r"\b(?:moved?|migrated?|switched|changed|renamed|transferred|converted|relocated|ported|shifted|went|upgraded"
    r"|downgraded|raised|lowered|increased|reduced|cut)\b"
)
_MANY = table.stems(
    """belong rely depend donate subscribe speak talk integrate work support handle contain accept allow offer play
    review sort write call come mention send contribute interest participate take listen test respond interact
    compatible available skill good fluent afraid allergic member fond experience involve one friend serve connect
    translate export import ship deliver travel invest believe compete cooperate partner visit appear know teach
    post push upload sync forward reply apply cater appeal sing dance perform collaborate
    share hang meet affect fix break add remove solve mention cause hit concern use treat need recommend see require
    like love cite sponsor help join visit read"""
)
_MANY_BUT = {("write", "in"), ("writ", "in"), ("play", "for"), ("work", "at"), ("work", "for"), ("work", "as")}
_MANY_BUT |= {
    ("ship", "with"),
    ("teach", "at"),
    ("work", "from"),
    ("play", "at"),
    ("take", "at"),
    ("take", ""),
    ("meet", "in"),
    ("meet", "on"),
    ("meet", "at"),
}
"""Words of which the other end can be many; with these prepositions it is one all the same."""
_PLACED = table.stems(
    """live reside dwell sit stay sleep lodge camp meet rehearse gather convene train park dock land depart arrive leave
    start end begin bind listen point resolve route redirect default map report run deploy stand hang lie store keep
    save hold operate work study major enroll commute go pay authenticate build compile expire rotate put track file
    archive log print publish host ship serve open close travel rent rank rely depend write play teach"""
)
"""Verbs of which the place, the way or the means is one at a time; of others it can be many."""
_DONE = table.stems(
    """base locate employ own manage lead sign process power collect pay bill look assign guard clean insure back fund
    finance handle maintain chair head organize organise deliver carry water paint wrap sell"""
)
"""The same of what is done by, in or with something."""
_ZONES = table.word_set("utc gmt cet cest est edt cst cdt mst mdt pst pdt bst ist jst")
_HOLDERS = table.stems("head lead chair captain manage run own maintain direct coordinate oversee supervise edit host")
_VALUED = (
    table.stems(
        """type size dish colour color number address target model format level rank grade mascot motto slogan currency
    meal drink song film book food sport surname nickname birthday supervisor boss mentor password username hostname
    domain branch channel colour interval unit encoding engine day date month"""
    )
    | table.ANY_VALUE
)
"""Nouns for what a thing has one of, whatever the value looks like."""
_FOREIGN_NO = table.word_set("не ні нет нема није nicht kein keine non pas ne δεν μη لا ليس لم नहीं न मत")
_BEFORE_PLACES = table.word_set("в у во на из з із σε στη στην στο στον στα στις στους από في من إلى 在 于")
_BEHIND_PLACES = table.word_set("में पर से को に で へ から")
_WIDE_PARTS = re.compile(
    r"\d+(?:[.:]\d+)*|[月火水木金土日](?=曜)|[\u4e00-\u9fff]|[\u3040-\u30ff]+|[^\W\d_]+", re.UNICODE
)
_WIDE_NO = frozenset({"不", "没", "沒", "無", "ない", "ません"})
_WIDE_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_DROPPED = (
    table.FILLERS
    | table.word_set(
        """a an the do does did don't doesn't didn't that this these those its his her their our my your any all every
    each both also can got больше більше ещё уже πλέον started start started's has have had been recently since"""
    )
    | table.NEGATIONS
)
_STAYING = table.stems("job membership subscription contract position role post account habit idea plan work")
"""What may be named along with what is ended: "quit his job at the bakery"."""
_DOES = table.word_set("has have had")
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "de")
_SCRIPTED = re.compile(r"[^\x00-\u024f\W\d_]")
_ADDRESS = re.compile(r"\S+://\S+|[\w.+-]{1,64}@[\w.-]+|\b\w+(?:_\w+)+")
"""What is one value, though it has marks inside."""
_YEAR = re.compile(r"(?:19|20)\d\d")


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
    raw = text = respell(_TITLES.sub("", LEADS.sub("", fold(content).strip().rstrip(".!。।"))))
    for pattern, form in FORMS:
        text = pattern.sub(form, text)
    wide = bool(_WIDE_SCRIPT.search(text))
    found = _WIDE_PARTS.findall(text) if wide else words(_ADDRESS.sub(_as_word, text))
    no = _WIDE_NO if wide else table.NEGATIONS | _FOREIGN_NO | {"without", "nothing"}
    denied = sum(word in no for word in found)
    kept = [
        (word, "be" if (word in table.BE and "n't" not in word) or word == "be" else _key(word))
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


def _key(word: str) -> str:
    return word if word in table.AUX else key(word)


def _is_owning(found: Sequence[str], index: int) -> bool:
    """Whether "has" is the verb itself, not the auxiliary of a perfect."""
    step = next((word for word in found[index + 1 :] if word not in table.FILLERS), "")
    return not (step == "been" or _is_participle(step))


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or (word in table.IRREGULAR and table.IRREGULAR[word] != word and not word.endswith("s"))


def _is_past(found: Sequence[str]) -> bool:
    for index, word in enumerate(found):
        before = next((w for w in reversed(found[:index]) if w not in table.FILLERS | table.NEGATIONS), "")
        if word in table.WAS and word != "had":
            return True
        if index and _is_participle(word) and before not in table.AUX | {"get", "gets", "the", "a", "an", "being"}:
            return before not in table.PREPOSITIONS and not before.endswith(("'s", "ly")) and index < 4
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


def _verb(laid: Laid, upto: int) -> int | None:
    """Where a verb stands among the first words, which both statements share."""
    if upto and laid.keys[upto - 1] == "be":
        return upto - 1
    for index in range(upto):
        word = laid.said[index]
        if laid.keys[index] == "be" or word in table.AUX:
            return index
        owner = index and laid.said[index - 1].endswith("'s")
        if (
            index
            and not owner
            and (stem(word) in table.VERBS or (word.endswith("s") and not word.endswith(("ss", "'s"))))
        ):
            after = laid.said[index + 1] if index + 1 < len(laid.said) else ""
            if after in table.AUX or laid.keys[index + 1 : index + 2] == ("be",):
                continue
            return index
    if upto and stem(laid.said[0]) in table.VERBS | _MANY | _PLACED:
        return 0  # "runs on port 8080": the subject is left out
    if (
        upto >= 2
        and laid.raw.startswith((laid.said[0], f"the {laid.said[0]}"))
        and laid.said[0].endswith("s")
        and not laid.said[0].endswith(("ss", "'s", "us", "is"))
    ):
        return 1  # "backups go to", "orders reach"
    return None


def denies(old: Laid, new: Laid) -> str | None:
    """Both say the same, and only one of them denies it. What both say, or None."""
    if (old.denied + new.denied) % 2 == 0 or old.past != new.past:
        return None
    where = place(old, new)
    if where.old or where.new:
        return None
    content = [one for one in old.keys if one not in table.EMPTY and one != "be"]
    least = 1 if _SCRIPTED.search(old.text) else 2
    return " ".join(old.said) if len(content) >= least else None


def opposed(old: Laid, new: Laid) -> tuple[str, str] | None:
    """One word on each side, in the same frame, and the two exclude each other."""
    where = place(old, new)
    if old.denied != new.denied or old.past != new.past or not (where.before or where.behind):
        return None
    if old.denied:
        return None
    one = old.said[len(where.before) : len(where.before) + len(where.old)]
    other = new.said[len(where.before) : len(where.before) + len(where.new)]
    if not where.before or not (1 <= len(one) <= 2 and 1 <= len(other) <= 2):
        return None
    for mine, yours in opposites(old.said, new.said):
        if mine in one and yours in other and {*one} - {mine} == {*other} - {yours}:
            return mine, yours
    if len(one) == len(other) == 1 and (are_prefixed(one[0], other[0]) or {one[0], other[0]} == {"on", "off"}):
        return one[0], other[0]
    return None


def are_prefixed(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix (or ending) that turns it round: complete and incomplete."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 4 and any(long == prefix + short for prefix in _PREFIXES):
        return True
    bare = {one.removesuffix("ful").removesuffix("less"), other.removesuffix("ful").removesuffix("less")}
    return len(bare) == 1 and {one, other} == {f"{min(bare)}ful", f"{min(bare)}less"}


def other_value(old: Laid, new: Laid, names: frozenset[str], changed: bool = False) -> tuple[str, str] | None:
    """One slot, in a frame that both share, is filled otherwise, and can be filled only once. The two values, or None.

    `names`: the keys of words written as names. `changed`: the newer one says, later, what holds now.
    """
    where = place(old, new)
    if old.denied or new.denied or old.past or new.past or not where.old or not where.new:
        return None
    if len(where.old) > 6 or len(where.new) > 6:
        return None
    one = old.said[len(where.before) : len(where.before) + len(where.old)]
    other = new.said[len(where.before) : len(where.before) + len(where.new)]
    told = (" ".join(one), " ".join(other))
    if are_short(one, other):
        return None
    if {*one, *other} & (table.AUX | table.TAIL) or "be" in where.old or "be" in where.new:
        return None
    mine, yours = _content(where.old), _content(where.new)
    if not mine or not yours or mine <= yours or yours <= mine:
        return None
    if _SCRIPTED.search(old.text) and _SCRIPTED.search(new.text):
        verb = _verb(old, len(where.before)) if re.search(r"[a-z]{3}", old.text) else None
        if verb is None:
            return told if _foreign(where, one, other) else None
    verb = _verb(old, len(where.before))
    if verb is None:
        first = next(iter(words(old.raw)), "")
        held = (not where.before or first in table.PREPOSITIONS) and len(where.behind) >= 2
        held = held and all(word in names or _SCRIPTED.search(word) for word in mine | yours)
        return told if held and _held(where.behind, old) else None
    return told if _one_only(old, new, where, verb, names, changed) else None


def are_short(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one is made of the first letters of the other: AWS, Amazon Web Services."""
    short, long = sorted((one, other), key=len)
    return len(short) == 1 and len(long) > 1 and short[0] == "".join(word[0] for word in long)


def shortened(old: Laid, new: Laid) -> bool:
    """Whether both say the same, once in full and once by first letters."""
    where = place(old, new)
    start = len(where.before)
    return are_short(old.said[start : start + len(where.old)], new.said[start : start + len(where.new)])


def _content(said: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in said if word not in table.PREPOSITIONS and word not in table.EMPTY)


_THE_ONE = re.compile(r"\b(?:is|are) (?:the|\S+'s) (?!same\b|only one\b)")


def _held(behind: Sequence[str], laid: Laid) -> bool:
    """Whether the predicate says what only one can be or do: heads the group, is the person to ask."""
    first = behind[0]
    if first == "be":
        return len(behind) > 2 and bool(_THE_ONE.search(laid.text))
    return first in _HOLDERS


def _foreign(where: Place, one: Sequence[str], other: Sequence[str]) -> bool:
    """In scripts whose words are not known: another number, weekday or place, behind the subject."""
    if not where.before:
        return False
    numbers = [[word for word in side if word[0].isdigit()] for side in (one, other)]
    if all(numbers):
        return [word for word in one if word not in numbers[0]] == [word for word in other if word not in numbers[1]]
    if {*one, *other} <= set("月火水木金土日"):
        return True
    if set(where.behind[:1]) & _BEHIND_PLACES:
        return True
    led = set(where.before[-1:]) & _BEFORE_PLACES or (one[0] in _BEFORE_PLACES and other[0] in _BEFORE_PLACES)
    return bool(led) and len(where.before) >= 2


def _one_only(old: Laid, new: Laid, where: Place, verb: int, names: frozenset[str], changed: bool) -> bool:
    if where.before[verb] in table.AUX - table.BE and verb + 1 < len(where.before):
        verb += 1
    lemma, rest = where.before[verb], where.before[verb + 1 :]
    mine, yours = _content(where.old), _content(where.new)
    numbers = [sorted(word for word in side if word[0].isdigit()) for side in (mine, yours)]
    led = [side[0] if side[0] in table.PREPOSITIONS else "" for side in (where.old, where.new)]
    ways = all(led) and changed and not set(led) & {"in", "on", "at"}
    if (led[0] != led[1] and not ways) or table.PREPOSITIONS & {*where.old[1:], *where.new[1:]} - {"of", "near", "by"}:
        return False
    near = next((word for word in reversed(rest[-3:]) if word in table.PREPOSITIONS), "")
    preposition = led[0] or near
    named = all(word in names or any(sign.isdigit() for sign in word) for word in mine | yours)
    if where.behind and where.behind[0] in ("for", "as") and named:
        return True
    if any(word in _MANY and (word, preposition) not in _MANY_BUT for word in (rest if lemma == "be" else [lemma])):
        return False
    if any(numbers):
        return all(numbers) and _other_number(mine, yours, numbers, preposition)
    if rest[:1] == (_NAMED,):
        return True
    days = [bool(side & table.WEEKDAYS) for side in (mine, yours)]
    if any(days):
        return all(days) and sum(word not in table.PREPOSITIONS for word in rest) <= (lemma == "be")
    if (mine | yours) & table.SCOPES:
        return False
    if near == "of" and lemma == "be" and rest[:1] != ("part",):
        return False
    if lemma == "be" and rest and preposition and not named and not changed and near != rest[0]:
        return rest[0] in _PLACED | _DONE
    placed = changed or (_is_placed(lemma, preposition, named) and not _has_indefinite(old, rest))
    if lemma != "be" and preposition and not placed:
        return False
    if preposition and (lemma != "be" or rest[:1] != (near,) or led[0]):
        return lemma != "be" or named or bool(rest and not led[0] and (near != "of" or rest[0] == "part"))
    if lemma != "be":
        return False
    if rest:
        return named or rest == ("at",)
    subject = where.before[:verb]
    articled = (old.articles | new.articles) & {*old.said, *new.said}
    owned = any(word.endswith("'s") for word in old.said[:verb]) or "of" in subject or old.text.startswith("the ")
    if articled & {*old.said[len(where.before) :], *new.said[len(where.before) :]}:
        return False
    return bool(set(subject) & _VALUED) or (owned and named)


def _is_placed(lemma: str, preposition: str, named: bool) -> bool:
    return lemma in _PLACED and (named or (lemma, preposition) not in {("work", "in"), ("work", "on"), ("run", "in")})


def _has_indefinite(laid: Laid, rest: Sequence[str]) -> bool:
    return bool({key(word) for word in laid.articles} & {*rest})


def _other_number(
    mine: frozenset[str], yours: frozenset[str], numbers: Sequence[Sequence[str]], preposition: str
) -> bool:
    if preposition in ("in", "of") and any(_YEAR.fullmatch(number) for side in numbers for number in side):
        return False
    first = [side[0] for side in numbers]
    if any(one.startswith(f"{other}.") for one, other in (first, first[::-1])):
        return False  # 3.11 is a 3
    units = [re.sub(r"[\d.,:]+", "", number) for number in first]
    if (mine ^ yours) & _ZONES:
        return False  # the same hour elsewhere
    return (mine - {*numbers[0]} == yours - {*numbers[1]} and units[0] == units[1]) or bool(preposition)


_NAMED = key("named")
_ONLY = re.compile(
    r"(?<!-)\b(?:only|solely|exclusively|sole|nothing but|nobody but|no one but|no \w+ (?:except|but"
    r"|other than|besides)"
    r"|none but)\b"
)
_AND = re.compile(r"\b(?:and|also|plus|as well)\b")


def adds_to_only(old: Laid, new: Laid) -> str | None:
    """The older statement said that there is no other one, and the newer names another one. The word, or None."""
    only = _ONLY.search(old.raw)
    if not only or _ONLY.search(new.raw) or new.denied or new.past:
        return None
    bare = lay(_ONLY.sub("", old.raw))
    if bare.denied:
        return None
    known = _content(bare.keys) - {"be"}
    if known < _content(new.keys) and _AND.search(new.raw):
        return only[0]
    where = place(bare, new)
    verb = _verb(bare, len(where.before))
    direct = verb == len(where.before) - 1 and where.old and where.new and not where.behind
    return only[0] if direct and not {*where.new} & table.PREPOSITIONS else None


def renames(old: Laid, new: Laid) -> str | None:
    """The older statement tells a name, and the newer one that this was changed. The new name, or None."""
    before, called, name = old.text.partition(" is named ")
    if not called or not RENAMED.search(new.raw):
        return None
    subject, now, other = new.text.rpartition(" is named ")
    if not now:
        subject, now, other = new.text.rpartition(" become ")
    if not now or not _all_keys(other) or _all_keys(other) == _all_keys(name):
        return None
    said = _all_keys(subject)
    return other if _all_keys(before) <= said and _all_keys(name) & said else None


def ends(old: Laid, new: Laid) -> str | None:
    """The newer statement says that what the older one tells is over: the words by which it does, or None."""
    if (old.denied and not new.denied) or old.past:
        return None
    known = {*old.keys, *map(_key, old.said)}
    used = _USED_TO.search(new.raw)
    if used or (new.past and _OVER_UNTIL.search(new.raw)):
        told = lay(_OVER_UNTIL.sub("", _USED_TO.sub("", new.raw)).strip())
        mark = used or _OVER_UNTIL.search(new.raw)
        return mark[0] if mark and told.keys == old.keys else None
    found = ENDED.search(new.raw)
    if not found or ENDED.search(old.raw):
        return None
    head, tail = new.raw[: found.start()], new.raw[found.end() :]
    tail = _CUT.split(tail.strip(), maxsplit=1)[0] if tail.strip() else ""
    subject, what = _all_keys(head), _all_keys(tail)
    what = what - _STAYING or what
    if _PASSIVE.match(found[0]) and not what:
        return found[0] if len(subject) >= 2 and subject <= known else None
    if not what or not _covered(what, known) or not _covered(subject, known) or not subject:
        return None
    return found[0]


def _all_keys(text: str) -> frozenset[str]:
    return _content([one for one in lay(text).keys if one != "be"])


def _covered(part: frozenset[str], whole: set[str]) -> bool:
    """Whether all is there, a noun also as the verb it comes from: engagement, engaged."""
    return all(one in whole or (len(one) > 6 and any(two[:5] == one[:5] for two in whole)) for one in part)


def replaces(old: Laid, new: Laid) -> str | None:
    """The newer statement names what is gone, and the older one says it of the same thing: what is gone, or None."""
    for pattern in GONE:
        match = pattern.match(new.raw)
        if not match:
            continue
        groups = match.groupdict()
        if pattern is GONE[-1] and not _CHANGES.search(groups["before"]):
            continue
        gone = _all_keys(groups["gone"])
        rest = _all_keys(" ".join(groups.get(name) or "" for name in ("before", "after")))
        known = set(old.keys)
        if not gone or not gone <= known or old.denied or old.past:
            return None
        verb = _verb(old, len(old.keys))
        told = known - gone - {"be"}
        if verb is not None and gone & set(old.keys[:verb]) and not rest:
            return None
        if "renamed" in new.raw and "named" not in old.raw and old.keys[verb or 0] != "be":
            return None
        subject = set(old.keys[: verb or 0])
        shared = rest & told
        if _all_keys(groups.get("came") or "") & known:
            return None
        return groups["gone"] if shared and (not subject or shared & subject or not rest & subject) else None
    return None
