"""Whether two statements exclude each other, compared as bags (`rules.gists`): the same topic, and values of one kind
that cannot both be."""

from collections.abc import Collection

from graphmem.model.knowledge import SignalName
from graphmem.rules import antonyms as table
from graphmem.rules.alike import HAD, MOVERS, ROLES, SAME
from graphmem.rules.antonyms import ADDITIVE
from graphmem.rules.gists import Gist
from graphmem.rules.single_valued import DONE, KIN, MANY, MANY_BUT, PLACED, SINGLE, VALUED

_IS = frozenset({"is", "are", "hav", "wear"})
_ASIDE = frozenset({"since", "after", "as", "following", "because", "due"})
"""Behind these stands what the value does not depend on."""
_SCOPING = frozenset({"on", "at", "for", "during", "with", "without", "via", "under", "by", "of", "per"})
_OUTERMOST = table.stems("minimum maximum least most lowest highest newest oldest latest limit version")
_VALUED = VALUED | HAD
HELD = _VALUED | ROLES
"""Of what these words say, there is one."""
_OF_AMOUNTS = frozenset(
    one[:5] if len(one) > 5 else one
    for one in table.stems("period people person price limit size total count time amount number duration participant")
)
"""What an amount is of, where that goes without saying."""
_STRICT = table.stems("store park keep locate hang dock moor bury archive house stash")
_WHERE = frozenset({"in", "on", "at", "with", "under", "near", "by", "behind", "inside"})
_TARGETS = frozenset({"to", "into", "in", "onto", "with"})
_ONE_OBJECT = table.stems("drive ride study edit captain rent command major")
_MOVABLE = _ONE_OBJECT | table.stems(
    """live host run store deploy keep park sit stay locate base house train rehearse build meet write commute travel
    use is are work stand sleep reside build code assign hang belong report track file log publish handle teach play"""
)
LIFE = frozenset(
    SAME.get(one, one)
    for one in table.stems(
        """pending waiting merged received arrived approved rejected unresolved investigated resolved solved fixed
        pregnant delivered unemployed hired student graduated engaged married divorced reopened planned scheduled
        cancelled canceled scrapped broken replaced functional recovered sick died missing lost found sold unsold
        finished completed underway vacant present away single"""
    )
)
_SCOPES = frozenset({"in", "on", "during"})
"""States with an end, and what ends them."""
_PLACED = PLACED | DONE | table.stems("host live base locate")


def excludes(old: Gist, new: Gist) -> tuple[SignalName, str] | None:
    """How the newer statement excludes the older one, and by which words; None where it does not."""
    if gone := _replaced(old, new):
        return "value_conflict", f"the newer text says that '{gone}' is gone"
    if more := _more_than_only(old, new):
        return "value_conflict", f"'only' in the older text, and '{more}' in the newer"
    if old.over or old.adds - {"only"} or (new.adds and not new.over and old.denied == new.denied and not old.every):
        return None
    if new.over and not old.past:
        over = _is_over(old, new)
        return ("negation", f"'{new.over}' in the newer text ends '{over}'") if over else None
    if old.denied % 2 != new.denied % 2:
        both = _denied(old, new)
        return ("negation", f"one side denies what the other says: {both}") if both else None
    if old.denied or new.denied or old.adds or (old.past and not old.changed) or (new.past and not new.changed):
        return None
    if words := _other_kind(old, new):
        return "antonym", f"'{words[0]}' against '{words[1]}'"
    if (
        "than" in old.full
        and old.words == new.words
        and old.subject == new.behind & new.names
        and old.subject != new.subject
    ):
        return "value_conflict", f"'{_shown(old.subject)}' against '{_shown(new.subject)}'"
    values = _other_amount(old, new) or _other_value(old, new) or _moved(old, new)
    return ("value_conflict", f"'{values[0]}' against '{values[1]}'") if values else None


def _shown(keys: Collection[str]) -> str:
    return " ".join(sorted(keys))


def _replaced(old: Gist, new: Gist) -> str | None:
    """What the newer statement says is gone, if the older one says it of the same."""
    if new.left is None or old.denied or old.past or new.denied:
        return None
    gone, rest = new.left
    gone = frozenset(_met(one, old.words) for one in gone)
    if not gone <= old.words or gone & rest or not gone <= old.names | old.behind:
        return None
    topic = old.words - gone
    known = topic & rest
    named = gone <= old.names and len(known) >= 2
    return _shown(gone) if topic and (topic <= rest or named) else None


def _met(word: str, words: Collection[str]) -> str:
    """The word itself, or another form of the name: the Kowalskis, the Kowalski family."""
    return next((one for one in words if len(one) >= 5 and (one + "s") == word), word)


def _is_over(old: Gist, new: Gist) -> str | None:
    """What the newer statement says of the older one is over."""
    said = new.words
    if old.denied or not said or not said <= old.words or old.owners & said != new.owners & said:
        return None
    if old.subject - said and old.subject & old.names - said:
        return None  # "Ana dances tango" is not over because dancing tango is for somebody else
    if not {one for one, _ in new.amounts} <= {one for one, _ in old.amounts}:
        return None
    return _shown(said)


def _denied(old: Gist, new: Gist) -> str | None:
    """What one side denies, and the other says with whatever more."""
    denied, said = (old, new) if old.denied % 2 else (new, old)
    lasting = old.denied and old.denies_all and not old.past
    if (
        (old.past != new.past and not lasting)
        or old.adds
        or new.adds
        or len(denied.full) < 2
        or not denied.full <= said.full
    ):
        return None
    if denied.denied > 1 or denied.owners != said.owners & denied.words:
        return None
    more = said.words - denied.words
    if said is new and any(new.under.get(one, "") in _SCOPING for one in more):
        return None
    return None if more & said.subject else _shown(denied.words)


def _other_kind(old: Gist, new: Gist) -> tuple[str, str] | None:
    for kind in old.kinds.keys() & new.kinds.keys():
        (mine, one), (yours, other) = old.kinds[kind], new.kinds[kind]
        if mine == yours or (new.amounts and old.amounts != new.amounts and not old.every):
            continue
        if _same_topic(old, new, {one}, {other}) or _follows(old, new, one, other):
            return one, other
    return None


def _follows(old: Gist, new: Gist, one: str, other: str) -> bool:
    """Whether the newer statement tells of the same subject what came of it, with whatever more: "is unemployed", "has
    found a job at the mill"."""
    if not old.subject or old.subject != new.subject or one not in LIFE or other not in LIFE or new.adds:
        return False
    return len(old.words - {one} - old.subject) <= 1 and not any(
        new.under.get(w) in _SCOPES for w in new.words - old.words
    )


def _more_than_only(old: Gist, new: Gist) -> str | None:
    """Another one, of which the older statement said that there is no other."""
    if "only" not in old.adds or not new.adds & {"also", "too", "as well", "another"} or old.denied or new.denied:
        return None
    shared, more = old.words & new.words, new.words - old.words
    if ("only" == old.opens) != (not old.words - new.words - old.subject and bool(old.words - new.words)):
        return None
    if not shared - old.names or not more or len(more) > 2 or old.owners - new.words or "only" in new.adds:
        return None
    return _shown(more)


def _other_amount(old: Gist, new: Gist) -> tuple[str, str] | None:
    both = {*old.amounts} & {*new.amounts}
    mine, yours = ([one for one in side.amounts if one not in both] for side in (old, new))
    if not mine or not yours or old.limits != new.limits or old.opens != new.opens:
        return None
    if sorted(sort for _, sort in mine) != sorted(sort for _, sort in yours):
        sorts = [{sort for _, sort in side} for side in (mine, yours)]
        if not (
            sorts[0] & sorts[1]
            and sorts[0] | sorts[1] <= {"weekday", "clock", "month", "number "}
            and "weekday" in sorts[0]
        ):
            return None
    if any(_are_dated(side) for side in (mine, yours)):
        return None
    if {old.verb, new.verb} & MANY and not old.words & new.words & _OUTERMOST:
        return None
    if not _same_measure(old, new):
        return None
    first = mine[0][0], yours[0][0]
    if any(one.startswith(f"{other}.") for one, other in (first, first[::-1])):
        return None  # 3.11 is a 3
    return _shown({one for one, _ in mine}), _shown({one for one, _ in yours})


def _are_dated(amounts: Collection[tuple[str, str]]) -> bool:
    """Whether a number that is no day stands beside a date: what each of two days or months had."""
    sorts = [sort for _, sort in amounts]
    dated = any(sort in ("month", "weekday") for sort in sorts)
    return dated and any(
        sort.startswith("number") and int(float(one)) > 31 for one, sort in amounts if sort == "number "
    )


def _other_value(old: Gist, new: Gist) -> tuple[str, str] | None:
    """Another name, or another value of what a thing has one of."""
    mine, yours = old.words - new.words, new.words - old.words
    shared = old.words & new.words
    if not mine or not yours or not shared or old.amounts != new.amounts or old.owners & mine or new.owners & yours:
        return None
    behind = mine <= old.behind and yours <= new.behind
    leads = [{side.under.get(one, "") for one in part} for side, part in ((old, mine), (new, yours))]
    if (
        shared & _VALUED - old.owners - old.behind
        and behind
        and {old.verb, new.verb} <= _IS
        and not ({*leads[0], *leads[1]} - {""} and leads[0] != leads[1])
    ):
        return _shown(mine), _shown(yours)
    if behind and old.verb == new.verb and old.verb in _STRICT and leads[0] | leads[1] <= _WHERE:
        return _shown(mine), _shown(yours)
    if not (mine <= old.names and yours <= new.names):
        return None
    if any(
        side.verb in MANY and (side.verb, min(lead)) not in MANY_BUT
        for side, lead in zip((old, new), leads, strict=True)
    ):
        return None
    if (shared & ROLES) - old.owners - ({old.verb} & {new.verb}):
        return _shown(mine), _shown(yours)
    if (
        old.verb in _IS
        and new.verb in _IS
        and any(
            old.under[one] == new.under[one] == "" for one in (shared - old.names) & old.definite & new.definite - KIN
        )
    ):
        return _shown(mine), _shown(yours)
    if not behind or old.verb != new.verb or leads[0] != leads[1]:
        return None
    single = any(f"{old.verb} {lead}".strip() in SINGLE for lead in leads[0]) or (
        old.verb in _PLACED and "" not in leads[0]
    )
    single |= old.verb in _ONE_OBJECT and leads[0] == {""} or old.verb in ("is", "are") and leads[0] <= {"in", "at"}
    return (_shown(mine), _shown(yours)) if single else None


def _moved(old: Gist, new: Gist) -> tuple[str, str] | None:
    """The newer statement moves its subject to somewhere or something, and the older one said where or what it is."""
    if not new.moves or old.subject != new.subject or old.amounts or new.amounts or not old.behind or not new.behind:
        return None
    place = {word for word in new.behind if new.under.get(word) in _TARGETS} - old.words
    mine = old.behind - new.behind
    if not place or not mine or new.behind - place - old.behind - MOVERS or old.verb in MANY | ADDITIVE - _ONE_OBJECT:
        return None
    if old.verb in ("is", "are") and not any(old.under.get(word) in ("in", "on", "at", "with", "to") for word in mine):
        return None
    if old.verb not in _MOVABLE:
        return None
    return _shown(mine), _shown(place)


def _same_measure(old: Gist, new: Gist) -> bool:
    """Whether both amounts are of the same, told by the same words but for those that any amount has."""
    if _same_topic(old, new, MOVERS, MOVERS):
        return True
    before, after = _roots(old), _roots(new)
    gone, more = before - after, after - before
    if old.owners - {*old.amounts} - new.words or new.owners - old.words or (gone and more):
        return False
    return len(before & after) >= 2 and (gone | more) <= _OF_AMOUNTS


def _roots(side: Gist) -> frozenset[str]:
    """The words of a topic as far as nouns and verbs of one root have them in common."""
    return frozenset(word[:5] if len(word) > 5 else word for word in side.words - MOVERS)


def _same_topic(old: Gist, new: Gist, mine: Collection[str], yours: Collection[str]) -> bool:
    """Whether but for these words both speak of the same; what the newer one adds tells since when or why."""
    before, after = old.words - {*mine}, new.words - {*yours}
    if not before & after or old.owners - {*mine} - after or new.owners - {*yours} - before:
        return False
    return before <= after and all(new.under.get(one, "") in _ASIDE for one in after - before)
