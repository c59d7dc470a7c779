"""Two statements laid side by side: the frame of words that they share, and the one place where they differ.

`rules.contradiction.detector` reads clauses by their verbs, and a verb that it does not know is nothing to it. Here no
verb need be known: what stands on both sides says that both speak of the same thing, and what differs says how."""

import re
from collections.abc import Iterator, Sequence

from graphmem.rules.claims import CURRENCIES
from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key, opposites
from graphmem.rules.contradiction.laying import SCRIPTED, Laid, Place, place
from graphmem.rules.contradiction.scripts import NUMBERS, are_forms, has_many, of_another
from graphmem.rules.contradiction.single_valued import DONE, HOLDERS, KIN, MANY, MANY_BUT, PLACED, VALUED
from graphmem.rules.language.stems import stem, stems, word_set
from graphmem.rules.language.text import words

_ZONES = word_set("utc gmt cet cest est edt cst cdt mst mdt pst pdt bst ist jst")
_BEFORE_PLACES = word_set("в у во на из з із σε στη στην στο στον στα στις στους από في من إلى 在 于")
_BEHIND_PLACES = word_set("में पर से को に で へ から")
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "de")
_YEAR = re.compile(r"(?:19|20)\d\d")


SPOKEN_CLOCK = frozenset({"half", "quarter", "past"})
"""Words of a time of day in words, which says nothing of morning or afternoon: not seen to differ from 14:30."""
NAMED = key("named")
STANDING = stems("open closed shut free available busy full empty quiet crowded staffed")
"""How something stands on a day, as it may on others."""
_SPEAKERS = frozenset(map(key, ("user", "others")))
"""Facts say "the user and others" where people say "we"."""
_KNOWN = table.VERBS | MANY | PLACED


def verb_at(laid: Laid, upto: int) -> int | None:
    """Where a verb stands among the first words, which both statements share."""
    if upto and laid.keys[upto - 1] == "be":
        return upto - 1
    return next((index for index in _verbs(laid) if index < upto), None)


def verbs_at(laid: Laid) -> frozenset[int]:
    """All places where `verb_at` may find a verb, however many words are shared."""
    return frozenset(index for index, one in enumerate(laid.keys) if one == "be") | {*_verbs(laid)}


def _verbs(laid: Laid) -> Iterator[int]:
    """Where the verb stands; where it lies behind what is shared, where else it may."""
    found = False
    for index, word in enumerate(laid.said):
        if laid.keys[index] == "be" or word in table.AUX:
            found = True
            yield index
            break
        owner = index and laid.said[index - 1].endswith("'s")
        if (
            index
            and not owner
            and (stem(word) in table.VERBS or (word.endswith("s") and not word.endswith(("ss", "'s"))))
        ):
            after = laid.said[index + 1] if index + 1 < len(laid.said) else ""
            if after in table.AUX or laid.keys[index + 1 : index + 2] == ("be",):
                continue
            found = True
            yield index
            break
    first = laid.said[0] if laid.said else ""
    if first and stem(first) in _KNOWN and not first.endswith("'s") and (not found or first.endswith("s")):
        yield 0  # "runs on port 8080": the subject is left out
    elif (
        laid.said
        and laid.raw.startswith((laid.said[0], f"the {laid.said[0]}"))
        and laid.said[0].endswith("s")
        and not laid.said[0].endswith(("ss", "'s", "us", "is"))
    ):
        yield 1  # "backups go to", "orders reach"


def denies(old: Laid, new: Laid) -> str | None:
    """Both say the same, and only one of them denies it. What both say, or None."""
    if (old.denied + new.denied) % 2 == 0 or old.past != new.past:
        return None
    where = place(old, new)
    if where.old or where.new:
        return None
    # The last word says something however small it is: "is off", "is over".
    content = {*(one for one in old.keys if one not in table.EMPTY), *old.keys[-1:]} - {"be"} - _SPEAKERS
    least = 1 if SCRIPTED.search(old.text) else 2
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
    if len(short) >= 4 and any(long == prefix + short for prefix in PREFIXES):
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
    mine, yours = content_of(where.old), content_of(where.new)
    if (
        not mine
        or not yours
        or mine <= yours
        or yours <= mine
        or bool(SPOKEN_CLOCK & mine) != bool(SPOKEN_CLOCK & yours)
    ):
        return None
    if _are_kin(where):
        return None
    if SCRIPTED.search(old.text) and SCRIPTED.search(new.text):
        verb = verb_at(old, len(where.before)) if re.search(r"[a-z]{3}", old.text) else None
        if verb is None:
            return told if _foreign(where, one, other) else None
    verb = verb_at(old, len(where.before))
    if verb is None:
        first = next(iter(words(old.raw)), "")
        held = (not where.before or first in table.PREPOSITIONS) and len(where.behind) >= 2
        held = held and all(word in names or SCRIPTED.search(word) for word in mine | yours)
        return told if held and _held(where.behind, old) else None
    return told if _one_only(old, new, where, verb, names, changed) else None


def other_amount(old: Laid, new: Laid) -> tuple[str, str] | None:
    """Both say the same in whatever order, but for one number behind the verb. The two numbers, or None."""
    if old.denied or new.denied or old.past or new.past:
        return None
    first = [next(iter(words(side.raw)), "") for side in (old, new)]
    if first[0] != first[1] and _BOUNDS & {*first}:
        return None
    before, after = amounts_of(old), amounts_of(new)
    for rest in before.keys() & after.keys():
        mine, yours = before[rest], after[rest]
        if (
            mine != yours
            and _unit(mine) == _unit(yours)
            and not any(f"{a}." in b for a, b in ((mine, yours), (yours, mine)))
        ):
            return mine, yours
    return None


def amounts_of(laid: Laid) -> dict[frozenset[str], str]:
    """The numbers behind the verb of which there is one at a time, by all else that the statement says."""
    content = content_of(laid.keys) - _SAYS_NOTHING
    verb = verb_at(laid, len(laid.keys))
    if verb is None or (content & _SEVERAL and not content & _OUTERMOST):
        return {}
    found = {}
    for at, one in enumerate(laid.keys):
        currency = next((unit for unit in laid.keys[at + 1 : at + 2] if unit in CURRENCIES), "")
        rest = content - {one, currency}
        if at <= verb or not one[0].isdigit() or (_YEAR.fullmatch(one) and not currency):
            continue
        if len(rest) > (not currency) and (":" not in one or rest & _DAILY):
            found[rest] = f"{one} {currency}".strip()
    return found


_BOUNDS = word_set("below above under over from up until before after beyond within outside without per")
"""What limits the whole statement, where it begins with it."""
_SAYS_NOTHING = frozenset(map(key, table.PREPOSITIONS)) | {"be"}
_SEVERAL = stems("support accept allow offer work compatible play speak visit meet")
"""Of what is numbered and named so, such as versions that are supported, there are several."""
_OUTERMOST = stems("minimum maximum least most lowest highest newest oldest latest limit")
_DAILY = stems("open close start begin end wake")
"""What happens at one time of a day."""


def _unit(number: str) -> str:
    """The unit of a number; all money is of one kind, so that 20 dollars are not 20 euros."""
    unit = re.sub(r"[\d.,:]+", "", number).strip()
    return "money" if unit in CURRENCIES else unit


def _are_kin(where: Place) -> bool:
    """Whether the value is one of those of whom there can be many: "Ana's sister is Eva", "Tom is Ana's uncle"."""
    told_of = where.before[-2] if where.before[-1:] == ("be",) and len(where.before) > 1 else ""
    told_as = where.behind[-1] if where.behind[:1] == ("be",) else ""
    return told_of in KIN or told_as in KIN


def are_short(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one is made of the first letters of the other: AWS, Amazon Web Services."""
    short, long = sorted((one, other), key=len)
    return len(short) == 1 and len(long) > 1 and short[0] == "".join(word[0] for word in long)


def shortened(old: Laid, new: Laid) -> bool:
    """Whether both say the same, once in full and once by first letters."""
    where = place(old, new)
    start = len(where.before)
    return are_short(old.said[start : start + len(where.old)], new.said[start : start + len(where.new)])


def content_of(said: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in said if word not in table.PREPOSITIONS and word not in table.EMPTY)


_THE_ONE = re.compile(r"\b(?:is|are) (?:the|\S+'s) (?!same\b|only one\b)")


def _held(behind: Sequence[str], laid: Laid) -> bool:
    """Whether the predicate says what only one can be or do: heads the group, is the person to ask."""
    first = behind[0]
    if first == "be":
        return len(behind) > 2 and bool(_THE_ONE.search(laid.text))
    return first in HOLDERS


def _foreign(where: Place, one: Sequence[str], other: Sequence[str]) -> bool:
    """In scripts whose words are not known: another number, weekday or place, behind the subject."""
    if not where.before or has_many(where.before):
        return False
    if of_another(one, other) or (
        len(one) == len(other) and all(are_forms(*pair) for pair in zip(one, other, strict=True))
    ):
        return False
    one, other = ([NUMBERS.get(word, word) for word in side] for side in (one, other))
    numbers = [[word for word in side if word[0].isdigit()] for side in (one, other)]
    if all(numbers):
        return [word for word in one if word not in numbers[0]] == [word for word in other if word not in numbers[1]]
    if {*one, *other} <= set("月火水木金土日"):
        return True
    if set(where.behind[:1]) & _BEHIND_PLACES:
        return True
    if all(word.endswith(("에", "에서")) or word.startswith("ב") for word in (one[-1], other[-1])):
        return True
    led = set(where.before[-1:]) & _BEFORE_PLACES or (one[0] in _BEFORE_PLACES and other[0] in _BEFORE_PLACES)
    return bool(led) and len(where.before) >= 2


def _one_only(old: Laid, new: Laid, where: Place, verb: int, names: frozenset[str], changed: bool) -> bool:
    if where.before[verb] in table.AUX - table.BE and verb + 1 < len(where.before):
        verb += 1
    lemma, rest = where.before[verb], where.before[verb + 1 :]
    mine, yours = content_of(where.old), content_of(where.new)
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
    if any(word in MANY and (word, preposition) not in MANY_BUT for word in (rest if lemma == "be" else [lemma])):
        return False
    if any(numbers):
        return all(numbers) and _other_number(mine, yours, numbers, preposition)
    if rest[:1] == (NAMED,):
        return True
    days = [bool(side & table.WEEKDAYS) for side in (mine, yours)]
    if any(days):
        if {*rest} & STANDING:
            return False  # who is open on Mondays may be open on Sundays
        return all(days) and sum(word not in table.PREPOSITIONS for word in rest) <= (lemma == "be")
    if (mine | yours) & table.SCOPES:
        return False
    if near == "of" and lemma == "be" and rest[:1] != ("part",):
        return False
    if (
        lemma == "be"
        and rest
        and not preposition
        and (old.said[verb + 1].endswith("ing") or rest[0] in MANY)
        and not changed
    ):
        return False  # "is mentoring Jonas" stays beside "is mentoring Ailsa"
    if lemma == "be" and rest and preposition and not named and not changed and near != rest[0]:
        return rest[0] in PLACED | DONE
    if _has_indefinite(old, where.old) != _has_indefinite(new, where.new) and not changed:
        return False  # "lives in a flat" stays beside "lives in Rome"
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
    return bool(set(subject) & VALUED) or (owned and named)


def _is_placed(lemma: str, preposition: str, named: bool) -> bool:
    return lemma in PLACED and (named or (lemma, preposition) not in {("work", "in"), ("work", "on"), ("run", "in")})


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
