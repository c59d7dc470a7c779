"""Whether two statements exclude each other, compared as bags (`rules.contradiction.gists`): the same topic, and values
of one kind that cannot both be."""

import re
from collections.abc import Collection
from dataclasses import replace

from graphmem.model.knowledge import SignalName
from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import HAD, MOVERS, ROLES, SAME, wider
from graphmem.rules.contradiction.antonyms import ADDITIVE
from graphmem.rules.contradiction.differences import STANDING, are_prefixed
from graphmem.rules.contradiction.gists import GIVEN_UP, ROOT, Gist
from graphmem.rules.contradiction.single_valued import DONE, HOLDERS, KIN, MANY, MANY_BUT, PLACED, SINGLE
from graphmem.rules.language.stems import stem, stems
from graphmem.rules.language.text import words as words_of

_IS = frozenset({"is", "are", "hav", "wear", "has"})
_BECOMES = _IS | stems("become name appoint elect serve act take promote step see")
_ASIDE = frozenset({"since", "after", "as", "following", "because", "due"})
"""Behind these stands what the value does not depend on."""
_BESIDE = _ASIDE | {"with", "from", "between", "despite", "thanks"}
_LIMITED = frozenset({"on", "at", "for", "during", "with", "without", "via", "under", "by", "of", "per"})
_OUTERMOST = stems("minimum maximum least most lowest highest newest oldest latest limit version")
_OF_ANY_SORT = stems(
    """status state phase stage mode priority colour color size type format level rank grade password passphrase motto
    slogan username hostname encoding branch favorite favourite preferred default currency nationality religion breed
    species diet"""
)
"""Nouns for what a thing has one of, whatever the value looks like."""
OF_AMOUNTS = frozenset(
    one[:ROOT]
    for one in stems("period people person price limit size total count time amount number duration participant start")
)
"""What an amount is of, where that goes without saying."""
_ALLOWING = frozenset(
    SAME.get(one, one)[:ROOT]
    for one in stems("allow permit limit cap restrict accept grant require need take hold carry")
)
OF_AMOUNTS |= _ALLOWING
_STRICT = stems("store park keep locate hang dock moor bury archive house stash")
_WHERE = frozenset({"in", "on", "at", "with", "under", "near", "by", "behind", "inside"})
_TARGETS = frozenset({"to", "into", "in", "onto", "with"})
_ONE_OBJECT = stems("drive ride study edit captain rent command major")
_DONE_WITH = _ONE_OBJECT | stems("commute travel write play train work cook heat pay go teach")
"""What somebody does, of which another way is told by "switched to"."""
_BEING = stems(
    """live host run store deploy keep park stay locate base house train rehearse meet stand sleep reside assign hang
    log track file publish"""
)
"""Where something is, of which another place is told by "moved to"."""
LIFE = frozenset(
    SAME.get(one, one)
    for one in stems(
        """pending waiting merged received arrived approved rejected unresolved investigated resolved solved fixed
        pregnant delivered unemployed hired student graduated engaged married divorced reopened planned scheduled
        cancelled canceled scrapped broken replaced functional recovered sick died granted missing lost found sold
        unsold         finished completed underway vacant present away single"""
    )
)
"""States with an end, and what ends them."""
_ATTRIBUTES = (MANY | ADDITIVE | stems("want collect wear paint")) - stems("eat test take")
_DOES_ALONE = stems("train teach manage coach lead maintain own handle edit host conduct chair")
_ALONE = ROLES | _DOES_ALONE | HOLDERS
_HAD_ONE = _OF_ANY_SORT | HAD
_MOVING = _BEING | _DONE_WITH
_SCOPES = frozenset({"in", "on", "during"})
_PLACED = PLACED | DONE | stems("host live base locate")


def excludes(old: Gist, new: Gist) -> tuple[SignalName, str] | None:
    """How the newer statement excludes the older one, and by which words; None where it does not."""
    if old.bare != new.bare and not (
        old.owners & old.subject or new.owners & new.subject
    ):  # both are about one entity, which one of them leaves out
        old, new = (
            replace(side, words=side.words - side.subject, subject=frozenset(), bare=True, moves="")
            for side in (old, new)
        )
    if gone := _replaced(old, new):
        return "value_conflict", f"the newer text says that '{gone}' is gone"
    if more := _more_than_only(old, new):
        return "value_conflict", f"'only' in the older text, and '{more}' in the newer"
    if old.over:
        return None
    if old.adds - {"only"} or (
        new.adds - {"both", "only"} and not new.over and old.denied == new.denied and not old.every
    ):
        return None
    if not old.denied and not old.past and GONE_NOW.search(new.said) and new.subject and old.verb in _HAS:
        lost = new.subject <= old.words and bool(new.subject & old.behind)
        return ("negation", f"the newer text says that '{_shown(new.subject)}' is gone") if lost else None
    if new.over in _ONCE and new.adds & {"also", "too", "as well"}:
        return None  # who is there now may have been there before
    if new.over:
        over = _is_over(old, new)
        return ("negation", f"'{new.over}' in the newer text ends '{over}'") if over else None
    if old.denied % 2 != new.denied % 2:
        both = _denied(old, new)
        if not both and old.every and new.denied and not old.past and not new.past:
            both = _excepted(old, new)
        return ("negation", f"one side denies what the other says: {both}") if both else None
    if old.every and not old.past and not new.past and not new.denied % 2 and (one := _excepted(old, new)):
        return "negation", f"the older text says it of all, and the newer one denies it: {one}"
    if old.denied % 2 and new.denied % 2 and not old.past and not new.past and (pair := _turned(old, new)):
        return "antonym", f"not '{pair[0]}' against not '{pair[1]}'"
    if old.denied % 2 or new.denied % 2 or old.adds - {"only"} or (old.past and not old.changed) or not _holds_now(new):
        return None
    if words := _other_kind(old, new) or _turned(old, new):
        return "antonym", f"'{words[0]}' against '{words[1]}'"
    values = _other_amount(old, new) or _other_value(old, new) or _moved(old, new)
    return ("value_conflict", f"'{values[0]}' against '{values[1]}'") if values else None


_ONCE = frozenset({"once", "formerly", "previously", "once had", "once was", "once were"})


def _holds_now(new: Gist) -> bool:
    """Whether what is told holds since then, also where it is told in the past: "was granted"."""
    return not new.past or new.changed or any(word in LIFE for _, word in new.kinds.values())


def _shown(keys: Collection[str]) -> str:
    return " ".join(sorted(keys))


def _replaced(old: Gist, new: Gist) -> str | None:
    """What the newer statement says is gone, if the older one says it of the same."""
    if new.left is None or old.denied or (old.past and not old.changed and not new.past) or new.denied:
        return None
    gone, rest = new.left
    gone = frozenset(_met(one, old.words) for one in gone)
    if not gone <= old.words or gone & rest or not gone <= old.names | old.behind:
        return None
    topic = old.words - gone - _INTENDS
    if topic and topic <= rest:
        return _shown(gone)
    if gone & old.names and gone == new.subject and old.verb in _RUNS_ON and not rest - new.names:
        return _shown(gone)  # whatever it is that used it, it is replaced
    held = topic - {old.verb, SAME.get(old.verb, old.verb)}
    if (
        gone <= old.subject & old.names
        and old.verb in HOLDERS
        and held
        and held <= rest
        and _TOOK_OVER.search(new.said)
    ):
        return _shown(gone)
    if gone <= old.subject | old.behind and gone & old.names:  # who had it has handed it on
        left = topic - _OF_ROLES
        if left and left <= rest and left != topic:
            return _shown(gone)
    doing = {old.verb, SAME.get(old.verb, old.verb)} | MOVERS
    told = topic - doing - old.subject
    same = old.subject == new.subject if old.subject or new.subject else old.bare and new.bare
    return _shown(gone) if same and told <= rest and old.verb not in _FEELS and not gone <= old.subject else None


_TOOK_OVER = re.compile(r"\b(?:took|taken|takes) over\b")
_RUNS_ON = stems("use run rely depend")
_INTENDS = stems("intend plan want hope mean aim wish submit send")
_OF_ROLES = (
    ROLES
    | HOLDERS
    | stems(
        """product project team lead person contact in-charge care charge responsible responsibility maintain
    maintainer look after keep manager manage run handle supervise coordinate organise organize own chair edit host
    teach tutor mentor coach duty main primary chief deputy acting interim job task answer represent"""
    )
    | {SAME.get(one, one) for one in ROLES | HOLDERS}
)
"""Words for what somebody is for something, which need not be said again where it is handed on."""
_OF_ROLES |= {SAME.get(one, one) for one in _OF_ROLES}
_FEELS = stems("like love enjoy hate know remember visit see read watch meet sell buy")


def _met(word: str, words: Collection[str]) -> str:
    """The word itself, or another form of the name: the Kowalskis, the Kowalski family."""
    return next((one for one in words if len(one) >= 5 and f"{one}s" == word), word)


def _more_than_only(old: Gist, new: Gist) -> str | None:
    """Another one, of which the older statement said that there is no other."""
    if "only" not in old.adds or "only" in new.adds or new.denied or old.denied or new.past or new.over or old.over:
        return None
    mine, yours = old.words - _SOLE, new.words - _SOLE
    shared, gone, more = mine & yours, mine - yours, yours - mine
    if not more or len(more) > 4 or old.owners - new.words - old.subject:
        return None
    if (old.subject & old.names) - yours - old.behind - gone and old.opens != "only":
        return None
    if old.only_of and (
        new.owners - old.words or (old.owners - new.words and not new.bare) or (old.subject & old.names) - yours
    ):
        return None
    if not (shared if old.only_of else shared - old.names) and (
        not (old.bare and new.bare and old.verb == new.verb) or old.verb in _IS
    ):
        return None
    when = [{*side.amounts} for side in (old, new)]
    if any(sort in _TIMES for _, sort in when[0] ^ when[1]) and all(when):
        return None
    added = bool(new.adds & _ADDED) or "second" in new.full or (new.changed and old.verb != new.verb)
    if not new.adds & _ADDED and old.verb not in (new.verb, SAME.get(new.verb, "")) and len(more) > 1:
        return None  # "runs only in Frankfurt", "is now monitored in Dublin"
    if not added and (old.verb not in (new.verb, SAME.get(new.verb, "")) or len(more) > 2):
        return None
    doing = {old.verb, SAME.get(old.verb, old.verb)}
    if old.only_of:  # "the only piano": another piano, not another thing
        told = old.only_of <= yours | new.full | wider(more) or (
            new.verb in old.only_of and not old.only_of & old.names
        )
        named = old.behind <= old.names and more <= new.names and new.verb in old.only_of
        return _shown(more) if told or named else None
    if old.opens == "only":  # "only Ana has a key": who else has it, not what else she has
        context = old.full - old.subject - _SOLE - _IDLE
        return (
            _shown(more) if context and context <= new.full and more <= new.subject and not gone & new.subject else None
        )
    same = old.subject - _SOLE <= yours and (doing & {*yours, new.verb} or not doing & mine)
    behind = more <= new.behind or (old.subject and old.subject <= new.behind)  # or in the passive
    return _shown(more) if same and behind and gone <= old.behind | doing else None


_SOLE = stems("sole only other just alone else besides alongside together")
_TIMES = frozenset({"weekday", "month", "clock"})
_IDLE = frozenset({"1", "one", "be", "hav", "get", "use", "us", "mak", "tak", "do"})
_ADDED = frozenset(
    {
        "also",
        "too",
        "as well",
        "another",
        "additionally",
        "besides",
        "in addition",
        "plus",
        "alongside",
        "additional",
        "together with",
    }
)


_SPANS = frozenset({"number s", "number mo"})
_LEFT = re.compile(r"\bleft\b")
_BELONGS = stems("is are be belong work play sing study live attend volunteer row serve train teach go") | {
    "is",
    "are",
}
_HAS = stems("have own drive ride keep use rent lease run breed raise wear play") | {"hav"}
GONE_NOW = re.compile(
    r"\b(?:is|are|was|were|has been|have been) (?:now )?(?:sold|gone|dead|stolen|lost|scrapped|given away"
    r"|no more)(?: now)?$"
    r"|\b(?:has |have )?(?:closed|shut)(?: down| for good| in \d{4})$|\b(?:was|were|has been"
    r"|have been) (?:closed down|demolished|torn down|pulled down|removed|dismantled)\b"
)
_IS_GONE = re.compile(
    r"\b(?:sold|died|dead|gone|stolen|scrapped|given away|retired|removed|demolished|thrown out|decommissioned"
    r"|shut down|over|discontinued)\b"
)
WHEN = frozenset({"after", "before", "since", "because", "when", "during", "until", "as"})
_RAN_OUT = re.compile(r"ran out|expired|lapsed|came to an end")
"""What tells an end by itself, so that a month beside it says when that was."""


def _is_over(old: Gist, new: Gist) -> str | None:
    """What the newer statement says of the older one is over."""
    said = new.words
    if old.words <= said and len(old.words) > 1:  # when it ended or why, beside all that the older one says
        said = said - {one for one in said - old.words if one in new.behind and new.under.get(one) in WHEN}
    if old.denied or old.past or not said or not said <= old.words:
        return None
    if _LEFT.search(new.over) and not (old.verb in _BELONGS and len(said) > 1):
        return None
    planned = len(said) > 1 and GIVEN_UP.search(new.over)
    gone = said <= old.behind and old.verb in _HAS and _IS_GONE.search(new.over)
    if not old.subject - table.TYPE_WORDS <= said and not planned and not gone:
        return None  # "the old ferry sells tea" is not over because the ferry sells none
    amounts = {
        (one, sort)
        for one, sort in new.amounts
        if not (
            (new.past or new.over.startswith(("until", "before"))) and sort in _SPANS - {two for _, two in old.amounts}
        )
        and not (sort == "month" and _RAN_OUT.match(new.over))
    }
    if not amounts <= {*old.amounts}:
        return None
    return _shown(said)


def _denied(old: Gist, new: Gist) -> str | None:
    """What one side denies, and the other says with whatever more."""
    denied, said = (old, new) if old.denied % 2 else (new, old)
    lasting = old.denies_all and not old.past and said is new
    if (old.past != new.past and not lasting) or old.adds or (new.adds - {"both"} and not old.every):
        return None
    enough = len(denied.full) > 1
    if denied is old and (wide := denied.words & wider_of(said) - said.words):
        denied = replace(denied, words=denied.words - wide, full=denied.full - wide)
    light = len(denied.words) > 1 and denied.words <= said.words and {*denied.amounts} <= {*said.amounts}
    light = light and (said.verb not in said.words - denied.words or (said is old and said.every))
    if not enough or not denied.full or not (denied.full <= said.full or light) or denied.denied > 1:
        return None
    more = said.words - denied.words
    none = denied is old and denied.opens in _NONE
    if (denied.owners ^ (said.owners & denied.words)) - said.subject - denied.subject and not none:
        return None
    passive = denied.verb in ("is", "are") and denied.subject <= said.behind
    if more & said.subject and not none and not (said is old and (said.every or passive)):
        return None
    limits = frozenset() if denied is old and denied.denies_all else _LIMITED | {"in"}
    limiting = [
        one for one in more if said is new and new.under.get(one) in limits and not (none and one in new.subject)
    ]
    if any(new.under[one] != "in" or one in table.SCOPES or one in new.names for one in limiting):
        return None
    return _shown(denied.words)


def wider_of(side: Gist) -> frozenset[str]:
    """What the words of a statement name a kind of: of a brother, a sibling."""
    return wider(side.words | {stem(word) for word in words_of(side.said)})


_NONE = frozenset({"nobody", "none", "no", "nothing", "neither"})
"""Who says these first says it of all."""


_ANY_DAY = stems("day time occasion person people one thing week")


def _excepted(old: Gist, new: Gist) -> str | None:
    """What the older statement says of all, and the newer one denies of one."""
    said = old.words - _ANY_DAY
    turned = {word[2:] for word in new.words if word.startswith("un") and word[2:] in said}
    if old.denied % 2 or (new.denied + len(turned)) % 2 == 0 or len(said) < 2 or not said <= new.words | turned:
        return None
    return _shown(said) if not new.adds - _PARTS else None


_PARTS = frozenset({"some", "half", "many", "few", "several", "most"})


def _other_kind(old: Gist, new: Gist) -> tuple[str, str] | None:
    for kind in old.kinds.keys() & new.kinds.keys():
        (mine, one), (yours, other) = old.kinds[kind], new.kinds[kind]
        if mine == yours or (new.amounts and old.amounts != new.amounts and not old.every):
            continue
        if not {old.verb, new.verb} & _ATTRIBUTES and _same_topic(old, new, {one}, {other}):
            return one, other
        if _follows(old, new, one, other):
            return one, other
    return None


def _turned(old: Gist, new: Gist) -> tuple[str, str] | None:
    """A word, and the same with a prefix that turns it round, of the same: complete and incomplete."""
    for one in old.words - new.words:
        for other in new.words - old.words:
            if are_prefixed(one, other) and _same_topic(old, new, {one}, {other}) and old.amounts == new.amounts:
                return one, other
    return None


def _follows(old: Gist, new: Gist, one: str, other: str) -> bool:
    """Whether the newer statement tells of the same subject what came of it, with whatever more: "is unemployed", "has
    found a job at the mill"."""
    if not (old.subject or old.bare) or old.subject != new.subject or one not in LIFE or other not in LIFE:
        return False
    more = new.words - old.words
    return len(old.words - {one} - old.subject) <= 1 and not any(new.under.get(word) in _SCOPES for word in more)


def _other_amount(old: Gist, new: Gist) -> tuple[str, str] | None:
    """Another amount, day or time of the same."""
    both = {*old.amounts} & {*new.amounts}
    mine, yours = ([one for one in side.amounts if one not in both] for side in (old, new))
    if not mine or not yours or old.limits != new.limits or old.opens != new.opens:
        return None
    sorts = [sorted(_alike(sort) for _, sort in side) for side in (mine, yours)]
    once = {old.verb, new.verb} <= _IS
    days = [{sort for _, sort in side} for side in (mine, yours)]
    if all("weekday" in side and side <= {"weekday", "ordinal"} for side in days):
        sorts = [["weekday"], ["weekday"]]  # every second Wednesday, every Monday
    if sorts[0] != sorts[1] and not (once and {*sorts[0]} & {*sorts[1]} and {*sorts[0], *sorts[1]} <= _DATES):
        return None
    if "weekday" in sorts[0] and old.full & STANDING:
        return None  # who is open on Mondays may be open on Sundays
    if len({*sorts[0]}) > 1 and not once and not {*sorts[0]} <= {"month", "number ", "year"}:
        return None  # "opens at 9 on Mondays" stays beside "opens at 10 on Tuesdays"
    if ({old.verb, new.verb} & MANY and not old.words & new.words & _OUTERMOST) or not _same_measure(old, new):
        return None
    first = mine[0][0], yours[0][0]
    if any(one.startswith(f"{other}.") for one, other in (first, first[::-1])):
        return None  # 3.11 is a 3
    if [sort for _, sort in mine] != [sort for _, sort in yours] and _is_as_long(*first):
        return None
    return _shown({one for one, _ in mine}), _shown({one for one, _ in yours})


def _alike(sort: str) -> str:
    """Months are spans of time like all others."""
    return sort.replace("number mo", "number s")


def sorts_of(side: Gist) -> frozenset[str]:
    """Of what sorts the amounts of a statement are; two without a common one are not amounts of the same."""
    return frozenset(_alike(sort) for _, sort in side.amounts)


def _is_as_long(one: str, other: str) -> bool:
    """Whether a span of months is as long as one in days or weeks, as people count."""
    spans = [
        float(span[:-2]) * _MONTH_S if span.endswith("mo") else float(span[:-1])
        for span in (one, other)
        if span[-1] in "so"
    ]
    return len(spans) == 2 and 0.9 < spans[0] / (spans[1] or 1) < 1.1


_MONTH_S = 2_629_800
_DATES = frozenset({"weekday", "clock", "month", "number ", "year"})


def _other_value(old: Gist, new: Gist) -> tuple[str, str] | None:
    """Another name, or another value of what a thing has one of."""
    mine, yours = old.words - new.words, new.words - old.words
    shared = old.words & new.words
    if not mine or not yours or not shared or old.amounts != new.amounts or old.owners & mine or new.owners & yours:
        return None
    leads, others = ({side.under.get(one, "") for one in part} for side, part in ((old, mine), (new, yours)))
    behind = mine <= old.behind and yours <= new.behind
    if any(part & side.subject and part & side.behind for side, part in ((old, mine), (new, yours))):
        return None  # the youth choir is not the choir
    be = {old.verb, new.verb} <= _IS
    if behind and be and leads == others == {""} and shared & _OF_ANY_SORT - old.owners - old.behind:
        return _shown(mine), _shown(yours)
    if behind and old.verb == new.verb and old.verb in _STRICT and leads | others <= _WHERE:
        return _shown(mine), _shown(yours)
    if not (mine <= old.names and yours <= new.names) or _shortened(mine, yours):
        return None
    pairs = ((old.verb, min(leads)), (new.verb, min(others)))
    if any(verb in MANY and (verb, lead) not in MANY_BUT for verb, lead in pairs):
        return None
    named = leads | others <= {"", "by", "as", "to"}
    nouns = shared - old.names
    roles = (shared & ROLES) - old.owners - ({old.verb} & {new.verb}) - old.indefinite - new.indefinite
    roles |= frozenset(one for one in nouns if len(one) > 5 and one.endswith("est") and one not in _NO_SUPERLATIVE)
    if named and roles and {old.verb, new.verb} <= _BECOMES | roles | {""}:
        return _shown(mine), _shown(yours)
    heads = {one for one in nouns & old.definite & new.definite - KIN if old.under[one] == new.under[one] == ""}
    if (
        named
        and {old.verb, new.verb} <= {"is", "are"}
        and (heads or (nouns & HAD - old.owners - old.indefinite and behind))
    ):
        return _shown(mine), _shown(yours)
    if others == {"by"} and new.verb in ("is", "are") and mine <= old.subject and _holds(old) and old.verb in nouns:
        return _shown(mine), _shown(yours)
    if not behind or old.verb != new.verb or leads != others:
        return None
    return (_shown(mine), _shown(yours)) if _is_single(old.verb, leads) else None


_NO_SUPERLATIVE = frozenset(
    {"forest", "interest", "request", "harvest", "protest", "contest", "honest", "modest", "arrest"}
)


def _holds(side: Gist) -> bool:
    """Whether the verb says what one does for a group or a thing: runs, teaches, maintains."""
    return side.verb in HOLDERS | _DOES_ALONE


def _is_single(verb: str, leads: Collection[str]) -> bool:
    """Whether of what stands behind the verb with these prepositions there is one."""
    if verb in _PLACED and "" not in leads:
        return True
    if verb in ("is", "are"):
        return {"in", "at"}.issuperset(leads)
    return any(f"{verb} {lead}".strip() in SINGLE for lead in leads) or (verb in _ONE_OBJECT and {*leads} == {""})


def held_by(side: Gist) -> frozenset[str]:
    """The words for what there is one of, by which a statement may be excluded by another value of it."""
    roles = side.words & _ALONE
    heads = side.words & (side.definite | _HAD_ONE) if side.verb in _IS else frozenset()
    return (roles if side.verb in _BECOMES | roles | {"", "is", "are"} else frozenset()) | heads


def may_be_single(side: Gist) -> bool:
    """Whether a statement says something by its verb of which there is one, so that another name excludes it."""
    if side.verb in _STRICT:
        return True
    leads = [side.under.get(one, "") for one in side.behind & side.names]
    return any(_is_single(side.verb, {lead}) for lead in leads)


def _shortened(mine: Collection[str], yours: Collection[str]) -> bool:
    """Whether one may be the other by its first letters."""
    short, long = sorted((mine, yours), key=len)
    return len(short) == 1 and len(long) > 1 and sorted(*short) == sorted(word[0] for word in long)


def _moved(old: Gist, new: Gist) -> tuple[str, str] | None:
    """The newer statement moves its subject to somewhere or something, and the older one said where or what it is."""
    if not new.moves or old.subject != new.subject or old.amounts or new.amounts or _EACH.search(old.said):
        return None
    place = {word for word in new.behind if new.under.get(word) in _TARGETS} - old.words
    mine = old.behind - new.behind
    if not place or not mine or new.behind - place - old.behind - MOVERS:
        return None
    # From the shed to the garage; but nobody is "in the garden" for long.
    things = place <= new.definite and not old.subject & old.names
    known = old.names | old.definite if things else old.names
    return (_shown(mine), _shown(place)) if _stands(old, mine, known, new.moves == "place") else None


_EACH = re.compile(r"\b(?:every|each|whenever|when|after)\b")


def _stands(side: Gist, words: Collection[str], known: frozenset[str], placed: bool) -> bool:
    """Whether these words, if they are known as places where something is, say where the subject is or, but for
    places, what it is done with."""
    leads = {side.under.get(word, "") for word in words}
    if side.verb in ("is", "are"):
        where = {"in", "at", "on", "from"} if _FROM_THERE.search(side.said) else {"in", "at", "on"}
        named = known >= {*words} and leads <= where
        done = _BEING if placed else _BEING | _DONE_WITH
        return named or (leads != {""} and bool(side.behind & done))
    return (side.verb in _BEING and "" not in leads) if placed else side.verb in _BEING | _DONE_WITH


_FROM_THERE = re.compile(r"\b(?:served|run|operated|hosted|delivered|managed|shipped|broadcast|published) from\b")


def may_move(side: Gist) -> bool:
    """Whether a statement may say where its subject is, so that a move excludes it."""
    return side.verb in _MOVING or (side.verb in ("is", "are") and bool(side.behind))


def _same_measure(old: Gist, new: Gist) -> bool:
    """Whether both amounts are of the same, told by the same words but for those that any amount has."""
    if _same_topic(old, new, MOVERS, MOVERS):
        return True
    before, after = roots(old), roots(new)
    gone, more = before - after, after - before
    if old.owners - new.words - table.TYPE_WORDS or new.owners - old.words - table.TYPE_WORDS:
        return False
    if gone & table.TYPE_WORDS and more & table.TYPE_WORDS:
        return False
    gone, more = gone - table.TYPE_WORDS, more - table.TYPE_WORDS
    return (
        len(before & after) >= 2
        and (gone | more) <= OF_AMOUNTS
        and (not (gone and more) or bool(gone & _ALLOWING and more & _ALLOWING))
    )


def roots(side: Gist) -> frozenset[str]:
    """The words of a topic as far as nouns and verbs of one root have them in common."""
    return frozenset(word if word in side.names else word[:ROOT] for word in side.words - MOVERS)


def _same_topic(old: Gist, new: Gist, mine: Collection[str], yours: Collection[str]) -> bool:
    """Whether but for these words both speak of the same; what the newer one adds tells since when or why."""
    before, after = old.words - {*mine}, new.words - {*yours}
    if bool(old.subject) != bool(new.subject) and not old.bare and not new.bare and old.verb == new.verb:
        return False  # the app server and the scheduler: a noun that mostly says little may be all there is
    kinds = (before ^ after) & table.TYPE_WORDS
    if not (before & kinds and after & kinds):
        before, after = before - kinds or before, after - kinds or after
    if before == after and (before or old.bare or old.words | new.words <= {*mine, *yours}):
        return True
    if not before & after:
        return False
    if old.owners - {*mine} - after or new.owners - {*yours} - before:
        return False
    more, less = after - before, before - after
    if before <= after and all(new.under.get(one, "") in _ASIDE for one in more):
        return True
    # What stands behind the word itself says how or since when; the subject is the same.
    if (
        not old.subject
        or not (old.subject - {*mine}) & (new.subject - {*yours})
        or (old.subject ^ new.subject) - {*mine, *yours} - less - more
    ):
        return False
    if {new.under.get(one, "") for one in more} & {old.under.get(one, "") for one in less}:
        return False  # "patient with children" stays beside "impatient with printers"
    told = [new.under.get(one, "") in _BESIDE for one in more] + [old.under.get(one, "") in _BESIDE for one in less]
    return all(told) and bool(mine) and mine is not MOVERS
