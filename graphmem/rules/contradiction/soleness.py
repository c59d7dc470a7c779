"""What a statement says there is one alone of, and whether a newer one tells of another.

"The only language Piet speaks is Dutch", "Piet has no language but Dutch", "nobody but Piet has a key": each says that
there is no other one, by whatever words. `rules.contradiction.exclusion` compares such a statement with one that is
built like it; here it is read as who, what it limits, and the one that there is."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import LIGHT, SAME, wider
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.concepts import concept, concepts
from graphmem.rules.contradiction.gists import Gist, gist
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.language.marks import Marks
from graphmem.rules.language.stems import entries, stems
from graphmem.rules.language.text import words

_BE = r"(?:is|are|was|were)"
_ONE = r"(?:the |an? )?(?:only|sole|one|single)"
_JUST = r"(?:only|just|nothing but|nothing except|nothing other than|exclusively|solely|purely|nobody but|no one but)"
_ALONE = r"(?:alone|only|exclusively|solely|purely|and nothing else|and nobody else|and no one else|and nowhere else)"
_BUT = r"(?:other than|except(?: for)?|but|besides|apart from)"
_SHAPES = tuple(
    (tuple(marks.split(";")), re.compile(rf"^{pattern}$"))
    for marks, pattern in (
        # of whom, and what
        (
            "only;sole;the one ;single",
            rf"{_ONE} (?P<noun>[\w' -]+?) (?:that |which |whom )?(?P<who>(?:(?:the|our|my|his|her|their) )?[\w'-]+"
            rf"(?: [\w'-]+)?) (?P<verb>(?!{_BE}\b)[a-z]+s|ha[sd]|have) (?:\w+ )?{_BE} (?P<one>.+)",
        ),
        (
            "only;sole;the one ;single",
            rf"{_ONE} (?P<noun>[\w' -]+?) (?:of|in|at|for|on) (?P<who>[^,]+?) {_BE} (?P<one>.+)",
        ),
        (
            "the only ;the sole ;the one ",
            rf"(?P<one>.+?) {_BE} the (?:only|sole|one) (?P<noun>(?!one\b|person\b)(?:(?!of\b|in\b|on\b|at\b|for\b|to\b"
            rf"|with\b)[\w'-]+ )+?)(?:that |which |whom )?(?!of\b|in\b|on\b|at\b|for\b|to\b|with\b)"
            rf"(?P<who>(?:(?:the|our|my|his|her|their) )?[\w'-]+(?: [\w'-]+)?) (?P<verb>[a-z]+s|ha[sd]|have)",
        ),
        ("only;sole", rf"(?P<who>.+?)'s? (?:only|sole) (?P<noun>[\w -]+?) {_BE} (?P<one>.+)"),
        (
            "just one ;only one ;single ",
            r"(?P<who>.+?) (?P<verb>has|have|keeps|owns|uses|speaks) (?:just|only|a single|exactly) (?:one )?"
            r"(?P<noun>[\w -]+?)[,:] (?P<one>.+)",
        ),
        (
            " no ",
            rf"(?P<who>.+?) (?P<verb>has|have|[a-z]+s) no (?:other )?(?P<noun>[\w -]+?) {_BUT} (?P<one>.+)",
        ),
        (
            "no ",
            rf"no (?:other )?(?P<noun>[\w -]+?) {_BUT} (?P<one>[\w' -]+?) {_BE} (?P<verb>\w+) (?:at|in|on|by|for) "
            r"(?P<who>.+)",
        ),
        (
            "the only ;the sole ",
            rf"(?P<one>[\w'-]+(?: [\w'-]+)?) {_BE} the (?:only|sole) (?P<noun>(?:[\w-]+ )?(?:language|database"
            rf"|source|sport"
            r"|browser|platform|instrument|colour|color|pet|drink|currency|vehicle|method|format)) (?:of|in|at|for|on)"
            r" (?P<who>.+)",
        ),
        (
            "only;sole;the one ;single",
            rf"{_ONE} (?P<noun>[\w' -]+?) (?:of|in|at|for) (?P<who>[^,]+?) (?:leads|goes|opens|looks) (?:to|into"
            rf"|onto|on)"
            r" (?P<one>.+)",
        ),
        (
            " and no other",
            r"(?P<who>.+?) (?P<verb>has|have|keeps|owns|uses|speaks) (?:just |only |exactly )?one (?P<noun>[\w -]+?)"
            r",? and no others?[,:] (?P<one>.+)",
        ),
        (
            " no other ",
            r"(?P<who>.+?) (?:is|are|can be|may be) (?P<verb>\w+)(?P<noun>) (?P<lead>as|on|in|at|to|with|from|by"
            r"|for|via)"
            r" (?P<one>[\w' -]+?),? and (?:\w+ )?no other \w+",
        ),
        (
            "nothing ",
            r"nothing (?:but|except|other than) (?P<one>[\w'-]+(?: [\w'-]+)?) (?P<verb>[a-z]+s)(?P<noun>)"
            r" (?P<lead>in|on|at) (?P<who>.+)",
        ),
        # who alone
        (
            "no ",
            rf"no (?:other )?(?P<sort>[\w-]+) {_BUT} (?P<one>[\w'-]+) (?P<rest>(?!{_BE}\b|has\b)[a-z]+s .+)",
        ),
        (
            "nobody;no one;none",
            rf"(?:nobody|no one|none)(?: (?:in|on|at|of|from|among) .+?)? (?P<rest>[a-z]+s .+?) {_BUT}"
            r" (?P<one>[\w'-]+(?: [\w'-]+)?)",
        ),
        ("nobody;no one;none", rf"(?:nobody|no one|none) {_BUT} (?P<one>[\w'-]+(?: [\w'-]+)?) (?P<rest>.+)"),
        ("only ", r"only (?P<one>(?:(?:the|our|my) )?[\w'-]+) (?P<rest>(?:is|has|can|may|knows|[a-z]+s) .+)"),
        (" alone ", r"(?P<one>(?:(?:the|our|my) )?[\w'-]+) alone (?P<rest>(?:is|has|can|may|knows|[a-z]+s) .+)"),
        (
            "the only one ;the only person ;the sole ",
            rf"(?P<one>.+?) {_BE} the (?:only|sole) (?:one|person|member) (?:who|that|with|to|in|at|of)"
            r" (?P<rest>.+)",
        ),
        (
            "the only ;the sole ",
            rf"(?P<one>(?:(?:the|our|my) )?[\w'-]+(?: [\w'-]+)?) {_BE} the (?:only|sole) "
            r"(?P<rest>[\w -]+? (?:on|in|at|of|for|with|from) .+)",
        ),
        # by which way
        (
            "alone;only;exclusively;solely;purely;else",
            rf"(?P<who>.+?) (?P<verb>is|are|has|have|[a-z]+[a-rt-z]s)(?P<noun>)"
            rf"(?: (?P<lead>on|in|at|to|with|from|by|for|over|via))? (?P<one>[\w' -]+?),? {_ALONE}",
        ),
        (
            "only;just;nothing but;exclusively;solely;purely",
            rf"(?P<who>.+?) (?P<verb>are|(?!is\b|has\b|was\b)[a-z]+s) {_JUST}(?P<noun>) (?P<lead>on|in|at|to|with"
            rf"|from|by|for|over|via)?"
            r" ?(?P<one>[\w' -]+)",
        ),
    )
)
_MARKS = Marks([marks for marks, _ in _SHAPES])
_ADDED = re.compile(
    r"\b(?:also|too|as well|another|in addition(?: to)?|besides|alongside|as a second|added|adds|second)\b"
)
_SINCE = re.compile(r"\b(?:now|by now|these days|was given|were given|got|can be|has been|have been|new)\b")
_NOT_SURE = re.compile(
    r"\b(?:not|no|never|nobody|none|nothing|neither|only|if|unless|used to|would|could|might|wants?|plans?|hopes?"
    r"|no longer|sometimes|once)\b|n't\b"
)


@dataclass(frozen=True)
class Sole:
    """Of whom (`who`) a statement says that of a `noun`, or by a `verb` and the preposition `lead`, there is `one`
    alone; with `rest`, who alone does what `rest` says. Sets hold concepts."""

    who: frozenset[str]
    noun: frozenset[str]
    verb: str
    one: frozenset[str]
    rest: frozenset[str]
    lead: str


_PLACE = re.compile(r" (?:on|in|at|during|for) ")


@lru_cache(maxsize=4_096)
def sole(content: str) -> Sole | None:
    """The statement read so, None where it says nothing of the kind.

    >>> one = sole("The only language Piet speaks is Dutch.")
    >>> one and (sorted(one.who), sorted(one.noun), sorted(one.one))
    (['piet'], ['languag'], ['dutch'])
    """
    raw = lay(content).raw
    for place in _MARKS.found(raw):
        found = _SHAPES[place][1].match(raw)
        if found is None:
            continue
        groups = {name: part or "" for name, part in found.groupdict().items()}
        groups["one"] = _PLACE.split(groups["one"], maxsplit=1)[0]
        said = {name: concepts(groups.get(name, ""), _NAMING) for name in ("who", "noun", "one", "rest")}
        if said["one"] and len(said["one"]) <= _MOST_ONE and (said["who"] or said["rest"]):
            return Sole(verb=concept(key(groups.get("verb", ""))), lead=groups.get("lead", ""), **said)
    return None


_MOST_ONE = 4
"""Words by which the one that there is may be told."""
_NAMING = frozenset({"only", "called", "named"})


def tells_another(old: str, new: str) -> str | None:
    """Another one than the newer statement tells of, where the older one says that there is no other; None without."""
    one = sole(old)
    if one is None:
        return None
    laid = lay(new)
    if laid.denied or _NOT_SURE.search(laid.raw):
        return None
    said = concepts(laid.raw, _NAMING)
    more = said - one.who - one.noun - one.one - one.rest - LIGHT - {one.verb}
    if not more or len(more) > 7:
        return None
    added = bool(_ADDED.search(laid.raw))
    since = added or bool(_SINCE.search(laid.raw))
    if laid.past and not since:
        return None
    bag = gist(new)
    if one.rest:
        topic = one.rest - _HAVING
        topic = topic - _CHANGING if said & _CHANGING else topic
        by = _BY.search(laid.raw)
        who = concepts(by["by"]) if by else bag.subject
        another = len(topic) > 1 and topic <= said and not one.one & said and who and not topic & who
        return " ".join(sorted(more)) if another else None
    if not one.who - LIGHT - HOUSEHOLD <= said:
        return None
    if one.noun & _KINDS and _wider(more) and not _wider(more) & one.noun:
        return None  # the only instrument that she plays, and a sport
    verb = concept(bag.verb)
    if _told_by_verb(one, verb, said, bag, laid.raw) or _goes_elsewhere(one, old, bag):
        return " ".join(sorted(more))
    if not since and verb not in LIGHT | _EXISTS | _HAVING | {one.verb, ""}:
        return None  # takes no cards, and sells holders for them
    if verb in _HAVING - LIGHT - _EXISTS and " belongs to " not in laid.raw and bag.subject - one.who - one.one - LIGHT:
        return None  # his sister keeps one
    if one.noun and one.verb not in LIGHT | said | {""} and not {one.verb, verb} <= _HAVING:
        return None  # offers one sport, and has members in the rowing club
    extra = bag.subject - one.who - one.one - LIGHT - _PART
    if one.verb == verb and one.who <= bag.subject and extra and not _same_category(one.one, extra):
        return None  # the shop next door
    if _when(gist(old)) and _when(bag) and _when(gist(old)) != _when(bag) and not _when(gist(old)) & one.one:
        return None  # on Mondays, on Fridays
    alike = bool(_wider(more) & (_wider(one.one) | one.noun & _KINDS)) or _same_category(one.one, more)
    direct = one.verb not in LIGHT | _OF_ANYTHING and any(
        concept(key(word)) == one.verb and after and not after.endswith("ly") and after not in table.PREPOSITIONS
        for word, after in pairwise((*words(laid.raw), ""))
    )
    told = bool(one.noun) and (one.noun <= said - one.who or direct)
    led = not one.lead or f" {one.lead} " in f" {laid.raw} "
    partly = bool(_PARTLY.match(laid.raw)) and led and not _when(bag)
    as_other = one.lead == "as" and one.verb in said and led
    found = (
        alike or as_other or partly or (told if one.noun else one.verb in said - LIGHT and (added or (since and led)))
    )
    return " ".join(sorted(more)) if found else None


def _told_by_verb(one: Sole, verb: str, said: frozenset[str], bag: Gist, raw: str) -> bool:
    """Whether somebody else does what the noun says: Bo edits, beside the only editor; or another one is in use."""
    if _ELSEWHERE.search(raw) or one.one & said or not one.noun:
        return False
    does = verb in one.noun or any(key(word) in one.noun and word.endswith("s") for word in words(raw))
    if verb in _OFFERING and bag.subject == one.who and one.noun & _LANGUAGE:
        return _same_category(one.one, said)
    doer = does and not bag.subject & one.who and bool(bag.subject) and one.who <= bag.behind
    return doer or (one.verb in _USING and verb in _USING and one.noun <= said and one.who <= bag.subject)


def _goes_elsewhere(one: Sole, old: str, bag: Gist) -> bool:
    """Whether a line that serves one place goes to another."""
    if one.verb != "serv" or bag.subject != one.who or bag.verb not in _GOING:
        return False
    return bool(one.one & gist(old).names) and any(bag.under.get(name) == "to" for name in bag.names)


_ELSEWHERE = re.compile(r"\b(?:another|other|former)\b")
_OFFERING = frozenset(map(concept, stems("teach offer provide give")))
_LANGUAGE = frozenset(map(concept, stems("language")))
_USING = frozenset(map(concept, stems("talk read write use query connect store call access load fetch")))
_CHANGING = frozenset(map(concept, stems("touch change modify edit alter")))
_GOING = stems("go goes run fly flies sail drive call")
_BY = re.compile(r"\b(?:is|are|can be|may be) (?:\w+ )?\w+(?:ed|en|ne|ld|nt|ght|de|ut) by (?P<by>[\w'-]+(?: [\w'-]+)?)")
_PARTLY = re.compile(r"(?:part|parts|some|half|most|a third|a quarter) of (?:the|our) ")
_PART = frozenset(map(concept, stems("part parts half third quarter")))
_KINDS = frozenset(concept(one) for one in stems("pet instrument language sport drink vehicle sibling child database"))
"""Nouns of which `alike.wider` knows the kinds."""


def _wider(said: frozenset[str]) -> frozenset[str]:
    return frozenset(map(concept, wider(said)))


def _when(side: Gist) -> frozenset[str]:
    return frozenset(one for one, sort in side.amounts if sort in ("weekday", "month", "clock"))


_EXISTS = frozenset(map(concept, stems("exist offer include contain support available belong is are has have")))
_HAVING = frozenset(map(concept, stems("be is are have has get own hold carry keep")))
_OF_ANYTHING = frozenset(
    SAME.get(one, one)
    for one in stems("offer buy have make use sell keep get take want need own see visit know like love find")
)
"""Verbs whose object may be of another kind than the one that there is one alone of."""


def sought(one: Sole) -> frozenset[str]:
    """The words of which another statement must say one to tell of another."""
    return one.rest - _CHANGING or one.rest or one.who - HOUSEHOLD or one.who


HOUSEHOLD = frozenset(map(key, ("household", "family", "home", "house")))
_CATEGORIES = entries(
    """english german french spanish italian portuguese dutch polish russian turkish greek arabic hindi chinese mandarin
    japanese korean czech danish swedish norwegian finnish hungarian romanian basque catalan; linux windows macos mac
    ios android ipad ipads iphone web browser; cash card cards credit debit transfer paypal; monday tuesday wednesday
    thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends;
    morning afternoon evening night mornings afternoons evenings nights; email phone post chat sms fax letter; bus train
    tram metro ferry plane car bike; vegetarian vegan meat fish"""
)
_CATEGORY: dict[str, int] = {
    concept(key(word)): place for place, entry in enumerate(_CATEGORIES) for word in entry.split()
}
"""By word, the sort of thing it is, of which another one may be told: languages, systems, ways to pay, days."""


def _same_category(one: frozenset[str], more: frozenset[str]) -> bool:
    sorts = {_CATEGORY[word] for word in one if word in _CATEGORY}
    return any(_CATEGORY.get(word) in sorts for word in more)
