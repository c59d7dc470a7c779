"""What a newer statement says is over or gone, and whether an older one told it."""

import re
from dataclasses import dataclass

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.differences import content_of, verb_at
from graphmem.rules.contradiction.laying import Laid, key_of, lay, place
from graphmem.rules.language.stems import stems, word_set

ENDED = re.compile(
    r"\b(?:(?:has|have|had|was|were|is|are) )?(?:been )?(?:stopped(?! (?:at|in|near|for|off|outside|here|there)\b)"
    r"|quit|ceased(?: to)?|(?:given|gave) up(?: on)?"
    r"|(?:abandoned|dropped|scrapped|shelved)(?: the (?:idea|plan) (?:of|to)| plans to)?|cancelled|canceled"
    r"|(?:resigned|withdrawn|withdrew|retired|dropped out|unsubscribed|stepped down|stepped back|departed)"
    rf" (?:from|of|as)|{table.LEFT}|finished(?: being)?|discontinued|(?:broken|broke|called) off"
    r"|decided (?:against|not to)"
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
    (marks, re.compile(pattern))
    for marks, pattern in (
        (
            ("instead of ", "rather than ", "in place of ", "as opposed to "),
            r"(?P<before>.*?)\b(?:instead of|rather than|in place of|as opposed to) (?P<gone>.+)$",
        ),
        (
            (" the place of ",),
            r"(?P<came>.+?) (?:has |have )?(?:taken|took|takes) the place of (?P<gone>.+?)"
            r"(?P<after> (?:for|in|as|on) .+)?$",
        ),
        (
            (" replace", " supersede", " succeed"),
            r"(?P<came>.+?) (?:has |have )?(?:replaced|replaces|superseded|supersedes|succeeded|succeeds) "
            r"(?P<gone>.+?)(?P<after> (?:for|in|as|on) .+)?$",
        ),
        (
            (" replaced ", " superseded ", " succeeded "),
            r"(?P<gone>.+?) (?:was|has been|is|were|have been) (?:replaced|superseded|succeeded) (?:by|with) "
            r"(?P<came>.+?)(?P<after> (?:for|in|as|on) .+)?$",
        ),
        (
            (" replaced ", " swapped ", " exchanged ", " traded "),
            r"(?P<before>.+?) (?:has |have )?(?:replaced|swapped|exchanged|traded) (?P<gone>.+?) (?:with|for|by) "
            r"(?P<came>.+)$",
        ),
        ((" from ",), r"(?P<before>.+?) from (?P<gone>.+?) (?:over )?to (?P<came>.+)$"),
    )
)
"""A text without any of the marks cannot match the pattern."""
_CHANGES = re.compile(
    r"\b(?:moved?|migrated?|switched|changed|renamed|transferred|converted|relocated|ported|shifted|went|upgraded"
    r"|downgraded|raised|lowered|increased|reduced|cut)\b"
)
_STAYING = stems("job membership subscription contract position role post account habit idea plan work")
"""What may be named along with what is ended: "quit his job at the bakery"."""
_ONLY = re.compile(
    r"(?<!-)\b(?:only|solely|exclusively|sole|nothing but|nobody but|no one but|no \w+ (?:except|but"
    r"|other than|besides)"
    r"|none but)\b"
)
_AND = re.compile(r"\b(?:and|also|plus|as well)\b")


def adds_to_only(old: Laid, new: Laid) -> str | None:
    """The older statement said that there is no other one, and the newer names another one. The word, or None."""
    only = only_of(old)
    if only is None or _ONLY.search(new.raw) or new.denied or new.past:
        return None
    word, bare = only
    known = content_of(bare.keys) - {"be"}
    if known < content_of(new.keys) and _AND.search(new.raw):
        return word
    where = place(bare, new)
    if where.before[:1] and where.before[0] in table.PREPOSITIONS and len(where.before) < 3:
        return None  # when it is, and not who does it
    verb = verb_at(bare, len(where.before))
    if verb != 0 and old.raw.startswith(word):  # "only Ana has a key": who else has it, not what else she has
        others = not where.before and where.old and where.new and len(where.behind) >= 2
        return word if others and not {*where.old, *where.new} & (table.PREPOSITIONS | {"be"}) else None
    plain = len(where.behind) <= 1 and not {*where.behind} & table.PREPOSITIONS
    direct = verb == len(where.before) - 1 and where.old and where.new and plain
    return word if direct and not {*where.new} & table.PREPOSITIONS else None


def only_of(old: Laid) -> tuple[str, Laid] | None:
    """The word by which a statement says that there is no other one, and the statement without it; None without."""
    only = _ONLY.search(old.raw)
    bare = lay(_ONLY.sub("", old.raw)) if only else None
    return (only[0], bare) if only and bare and not bare.denied else None


@dataclass(frozen=True)
class Ending:
    """What a statement says is over: `told` words in their order, or `what` of which `subject`. `mark`: by which words.
    Without `what` it is the subject that is over."""

    mark: str
    told: tuple[str, ...] | None
    subject: frozenset[str]
    what: frozenset[str]


def ending_of(new: Laid) -> Ending | None:
    """What the statement says is over, if it says so of anything."""
    used = _USED_TO.search(new.raw) if "used to" in new.raw else None
    if mark := used or (_OVER_UNTIL.search(new.raw) if new.past else None):
        told = lay(_OVER_UNTIL.sub("", _USED_TO.sub("", new.raw)).strip())
        return Ending(mark[0], told.keys, frozenset(), frozenset())
    found = ENDED.search(new.raw)
    if not found:
        return None
    head, tail = new.raw[: found.start()], new.raw[found.end() :]
    if table.NOT_SO.search(head):
        return None
    tail = _CUT.split(tail.strip(), maxsplit=1)[0] if tail.strip() else ""
    subject, what = _all_keys(head), _all_keys(tail)
    what = what - _STAYING or what
    known = len(subject) >= 2 and _PASSIVE.match(found[0]) if not what else subject
    return Ending(found[0], None, subject, what) if known else None


def ends(old: Laid, new: Laid) -> str | None:
    """The newer statement says that what the older one tells is over: the words by which it does, or None."""
    over = None if (old.denied and not new.denied) or old.past else ending_of(new)
    if over is None:
        return None
    if over.told is not None:
        return over.mark if over.told == old.keys else None
    if ENDED.search(old.raw):
        return None
    known = {*old.keys, *map(key_of, old.said)}
    if not over.what:
        return over.mark if over.subject <= known else None
    return over.mark if _covered(over.what, known) and _covered(over.subject, known) else None


_SPEAKING = re.compile(r"(?:i|we|they|you|people|one|everyone|everybody|it|he|she)\b")


def _subject_of(side: Laid) -> frozenset[str]:
    """The keys before the verb; none where no verb is found."""
    verb = verb_at(side, len(side.keys))
    return content_of(side.keys[:verb]) if verb else frozenset()


def _all_keys(text: str) -> frozenset[str]:
    return content_of([one for one in lay(text).keys if one != "be"])


def _covered(part: frozenset[str], whole: set[str]) -> bool:
    """Whether all is there, a noun also as the verb it comes from: engagement, engaged."""
    return all(one in whole or (len(one) > 6 and any(_comes_of(one, two) for two in whole)) for one in part)


def _comes_of(one: str, other: str) -> bool:
    shared = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1), min(len(one), len(other))
    )
    return shared > 4 and _OF_A_VERB.issuperset((one[shared:], other[shared:]))


_OF_A_VERB = word_set("ment ement ion ation ition al ure ship er or ence ance ing ity") | {""}


@dataclass(frozen=True)
class Leaving:
    """What a statement says is gone, by its keys, what came instead, and what it says beside that."""

    shown: str
    gone: frozenset[str]
    came: frozenset[str]
    rest: frozenset[str]


def leaving_of(new: Laid) -> Leaving | None:
    """What the statement says was replaced, if it says so of anything."""
    for marks, pattern in GONE:
        match = pattern.match(new.raw) if any(mark in new.raw for mark in marks) else None
        if not match or (pattern is GONE[-1][1] and not _CHANGES.search(match["before"])):
            continue
        groups = match.groupdict()
        gone = _all_keys(groups["gone"])
        rest = _all_keys(" ".join(groups.get(name) or "" for name in ("before", "after")))
        return Leaving(groups["gone"], gone, _all_keys(groups.get("came") or ""), rest) if gone else None
    return None


def replaces(old: Laid, new: Laid) -> str | None:
    """The newer statement names what is gone, and the older one says it of the same thing: what is gone, or None."""
    left = None if old.denied or old.past else leaving_of(new)
    known = set(old.keys)
    if left is None or not left.gone <= known or left.came & known:
        return None
    verb = verb_at(old, len(old.keys))
    if verb is not None and left.gone & set(old.keys[:verb]) and not left.rest:
        return None
    if "renamed" in new.raw and "named" not in old.raw and old.keys[verb or 0] != "be":
        return None
    subject = set(old.keys[: verb or 0])
    shared = left.rest & (known - left.gone - {"be"})
    others = _subject_of(new) - table.TYPE_WORDS - left.came
    strange = subject and others - known and not subject & (left.rest | left.gone | others)
    if strange and not _SPEAKING.match(new.raw):
        return None  # invoices go out by email, and reminders by letter instead
    apart = subject - left.rest - table.TYPE_WORDS
    if apart and shared & subject and left.rest - known - table.EVENTS:
        return None  # "the Christmas market" is not the Friday market
    return left.shown if shared and (not subject or shared & subject or not left.rest & subject) else None
