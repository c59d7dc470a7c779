"""Why two statements speak of different subjects, though their words are alike: what is Ana's is not Ana, the train
from Ulm is not the train to Ulm, Mr Novak is not Mrs Novak."""

import re
from operator import ne

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.alike import KINDS, ROLES, SAME
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.gists import Gist, gist, shared_key
from graphmem.rules.contradiction.heads import has_more, headed_apart
from graphmem.rules.contradiction.idioms import in_plain_words
from graphmem.rules.contradiction.namesakes import are_namesakes
from graphmem.rules.contradiction.objects import parts_from_another
from graphmem.rules.contradiction.subjects import begin_apart, has_a_prefix, has_another_head, of_theirs
from graphmem.rules.language.stems import entries, stem, stems, word_set
from graphmem.rules.language.text import fold, words

_LETTERED = re.compile(r"^(?:The |the )?(?P<noun>\w+) (?P<letter>[A-Z])\b")
_LETTER_BEFORE = re.compile(r"\b[Tt]he (?P<letter>[A-Z]) (?P<noun>[a-z]+)\b")
"""Things that are told apart by a letter."""


def of_another(old: str, new: str) -> bool:
    """Whether one speaks of somebody, and the other of what is theirs: "Ana doesn't ski", "Ana's children ski"."""
    owners = [table.OWNER.match(fold(text)) for text in (old, new)]
    return any(
        mine is not None and yours is None and re.match(rf"{re.escape(mine[1])}\b(?!'s)", fold(text)) is not None
        for mine, yours, text in ((owners[0], owners[1], new), (owners[1], owners[0], old))
    )


def of_kin(old: str, new: str) -> bool:
    """Whether one speaks of somebody, and the other of their kin or pets."""
    kin = [_KIN_OF.match(fold(text)) for text in (old, new)]
    return any(
        mine is not None and yours is None and re.match(rf"{re.escape(mine[1])}\b(?!')", fold(text)) is not None
        for mine, yours, text in ((kin[0], kin[1], new), (kin[1], kin[0], old))
    )


_KIN_OF = re.compile(
    rf"(\S+?)'s? (?:\w+ )?(?:{'|'.join(single.KIN_NAMES.split())})s?\b(?! (?:is|are) (?!in |at |on )[a-z])"
)


def told_apart(old: str, new: str) -> bool:
    """Whether small words tell two subjects apart: his and her, this one and the other, hall A and hall B."""
    starts = [words(text)[:4] for text in (old, new)]
    for one, other in zip(*starts, strict=False):
        if one != other:
            parted = table.TELLING.get(one), table.TELLING.get(other)
            if None not in parted and parted[0] != parted[1]:
                return True
            break
    labels = [_LABEL.match(fold(text)) for text in (old, new)]
    if all(labels) and len({label[1] for label in labels if label}) == 2:
        return True
    for pattern in (_LETTERED, _LETTER_BEFORE):
        one, other = pattern.search(old), pattern.search(new)
        if one and other and one["noun"].lower() == other["noun"].lower() and one["letter"] != other["letter"]:
            return True
    return False


_LABEL = re.compile(
    r"(?:the |its |his |her |our |their |an? )?(id|key|name|title|label|slug|code|index|version|type)s? (?:is|has) "
)
"""What any record has more than one of, though each is a small word."""


def in_another_identifier(old: str, new: str) -> bool:
    """Whether a word of one is in the other only as a part of an identifier: "users" is not `user_settings`."""
    if "_" not in old and "_" not in new:
        return False
    squashed = [_JOINTS.sub("", fold(text)) for text in (old, new)]
    for one, other, whole in ((old, new, squashed[1]), (new, old, squashed[0])):
        strange = [name for name in _IDENTIFIER.findall(fold(one)) if _JOINTS.sub("", name) not in whole]
        parts = {key(part) for name in strange for part in name.split("_") if part}
        rest = {key(word) for word in words(_IDENTIFIER.sub(" ", fold(one)))}
        if (parts - rest) & {key(word) for word in words(_IDENTIFIER.sub(" ", fold(other)))}:
            return True
    return False


_IDENTIFIER = re.compile(r"\b\w+_\w+\b")
_JOINTS = re.compile(r"[\s_-]")


def of_some(old: str, new: str) -> bool:
    """Whether both speak of some of the same things: of those some may be so, and the others not."""
    shares = [_SOME.match(fold(text)) for text in (old, new)]
    return all(shares) and {share[0] for share in shares if share} != {"most"}


_SOME = re.compile(
    r"(?:some|(?:only |quite )?a few|several|many|half|most|not all|not every)\b(?! (?:time|day|night)s?\b)"
)


def speak_of_others(old: str, new: str) -> bool:
    """Whether two statements that seem to contradict each other are about two subjects after all.

    >>> speak_of_others("The train to Ulm is full.", "The train from Ulm is empty.")
    True
    >>> speak_of_others("The train to Ulm is full.", "The train to Ulm is empty.")
    False
    """
    before, after = gist(old), gist(new)
    part = _of_a_part(old, new) or _of_a_part(new, old)
    if (
        part
        or _owned_apart(old, new)
        or _in_another_name(old, new)
        or _in_another_name(new, old)
        or _in_anothers(old, new)
        or _in_anothers(new, old)
        or _is_impersonal(before, after)
        or _described_apart(old, new)
        or _joined_apart(old, new)
        or _in_other_roles(old, new)
        or _is_newer(old, new)
        or _of_a_longer_name(old, new)
        or has_more(old, new)
        or headed_apart(old, new)
        or begin_apart(old, new)
        or has_another_head(old, new)
        or of_theirs(old, new)
        or has_a_prefix(old, new)
        or parts_from_another(old, new)
    ):
        return True
    return (
        _go_another_way(before, after)
        or are_namesakes(old, new)
        or _are_for_others(in_plain_words(old), in_plain_words(new))
    )


def _of_a_longer_name(old: str, new: str) -> bool:
    """Whether the newer one says it of Acme Labs, and the older one of Acme. The other way round it may be short."""
    known, told = (_NAME_OF.match(text) or _NAMES.match(text) for text in (old, new))
    if known is None or told is None:
        return False
    nouns = [words(side["noun"].removesuffix(" of"))[-1:] for side in (known, told)]
    names = {known["name"], told["name"]}
    return nouns[0] == nouns[1] and (
        told["name"].startswith(f"{known['name']} ")
        or any({name, f"{way} {name}"} == names for name in names for way in _WAYS)
    )


_WAYS = ("New", "North", "South", "East", "West", "Upper", "Lower", "Great", "Little")
_NAMES = re.compile(
    r"(?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,3})'s (?P<noun>[\w -]+?) (?=(?:is|are|was|has|have|\w+s) )"
)
_NAME_OF = re.compile(
    r"(?P<noun>[\w' -]+? (?:of|at|for)) (?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,3})"
    r" (?=(?:is|are|was|has|have|\w+s) )"
)


def _described_apart(old: str, new: str) -> bool:
    """Whether two of one name are told apart by what is said of them aside: Eva Roth, the baker, and Eva Roth, the
    judge."""
    sides = [_DESCRIBED.match(text) for text in (old, new)]
    if not all(sides) or _NO_MORE.search(new):
        return False
    names = [fold(side["name"]) for side in sides if side]
    whats = [_WHERE.split(side["what"], maxsplit=1)[0] for side in sides if side]
    told = [{*map(stem, words(what))} - table.EMPTY - _SMALL for what in whats]
    return names[0] == names[1] and all(told) and not told[0] & told[1]


_DESCRIBED = re.compile(
    r"(?P<name>[A-ZÀ-Þ][\w.'-]*(?: [A-ZÀ-Þ][\w'-]+){0,3})"
    r"(?:, (?=(?:the|our|my|his|her|their|an?|who)\b)| \(| (?=the [a-z]))"
    r"(?P<what>(?<=, )[^,;]{2,60}(?=, )|(?<=\()[^)]{2,40}(?=\))|the [\w-]+(?= (?:is|has|was|does|can|[a-z]+s)\b))"
)
_WHERE = re.compile(r" (?:in|on|at|of|from|near|for|with) ")
_NO_MORE = re.compile(r"\b(?:no longer|any ?more|now|instead)\b")
_SMALL = frozenset(map(stem, ("is", "are", "was", "has", "new", "old")))


def _joined_apart(old: str, new: str) -> bool:
    """Whether what both speak of has a hyphenated name, of which one part is the same and another one is not: check-in,
    check-out."""
    if "-" not in old or "-" not in new:
        return False
    names = [{name for name in _JOINED.findall(fold(text)) if "-" in name} for text in (old, new)]
    heads = [gist(text).subject for text in (old, new)]
    return any(
        _differ_in_one(one, other) and _keys_of(one) <= heads[0] and _keys_of(other) <= heads[1]
        for one in names[0] - names[1]
        for other in names[1] - names[0]
    )


def _keys_of(name: str) -> set[str]:
    return {shared_key(key(part)) for part in name.split("-") if part not in table.PREPOSITIONS | {"out"}}


def _differ_in_one(one: str, other: str) -> bool:
    parts = one.split("-"), other.split("-")
    return len(parts[0]) == len(parts[1]) and sum(map(ne, *parts)) == 1


def _in_other_roles(old: str, new: str) -> bool:
    """Whether one tells who is the team lead, and the other who is the tech lead."""
    roles = [_ROLE.match(fold(text)) or _ROLE_LAST.search(fold(text)) for text in (old, new)]
    sorts = [(role["sort"], stem(role["noun"])) for role in roles if role]
    if len(sorts) < 2 or sorts[0][1] != sorts[1][1] or sorts[0][1] not in ROLES | {"lead"}:
        return False
    one, other = (SAME.get(stem(sort), stem(sort)) for sort, _ in sorts)
    return one != other and not {sorts[0][0], sorts[1][0]} & _NO_SORT


def _is_newer(old: str, new: str) -> bool:
    """Whether one speaks of the old kiln, and the other of the new one; of Ole Berg senior, and of junior."""
    born = [{age[0].lower() for age in _BORN.findall(text)} for text in (old, new)]
    if all(born) and not born[0] & born[1]:
        return True
    aged = [{(noun, age) for age, noun in _AGED.findall(fold(text))} for text in (old, new)]
    return any(noun == other and age != newer for noun, age in aged[0] for other, newer in aged[1])


_BORN = re.compile(r"\b[A-ZÀ-Þ][\w'-]+,? (Sr|Jr|[Ss]enior|[Jj]unior)\b\.?,? (?=(?:is|has|was|does|can|[a-z]+s)\b)")
_AGED = re.compile(r"\b(?:the|our|my|his|her|their|'s) (old|new) ([\w-]+)")
_ROLE = re.compile(r"(?:the|our) (?P<sort>[\w-]+) (?P<noun>[\w-]+) (?:is|are)\b")
_ROLE_LAST = re.compile(r"\bis (?:the|our) (?P<sort>[\w-]+) (?P<noun>[\w-]+)[.!]?$")
_NO_SORT = word_set("new old current present former other next last only first real main actual sole")


_OTHER_WAYS = tuple(
    frozenset(pair.split())
    for pair in entries("to from; into from; before after; above below; inside outside; with without; under over")
)


def _go_another_way(old: Gist, new: Gist) -> bool:
    """Whether the subject of one leads where that of the other comes from: the bus to and from the airport."""
    if not {"to", "from"}.isdisjoint(old.under.values()) and _UP_OR_DOWN.search(old.said):
        ways = [set(_UP_OR_DOWN.findall(side.said)) for side in (old, new)]
        if all(ways) and not ways[0] & ways[1]:
            return True
    return any(
        frozenset({old.under.get(word, ""), new.under.get(word, "")}) in _OTHER_WAYS
        for word in old.subject & new.subject
    )


_UP_OR_DOWN = re.compile(r"^(?:the |a )?[\w -]+? (up|down|there|back|out|in) (?:to|from|into|of)\b")


def _in_another_name(known: str, other: str) -> bool:
    """Whether a word before the verb of one is in the other only as a part of a hyphenated name: orders-archive."""
    told = {*_JOINED.findall(fold(other))}
    if not any("-" in whole for whole in told):
        return False
    said, parts, heads = {*_JOINED.findall(fold(known))}, {*words(known)}, gist(known).subject
    return any(
        key(part) in heads and part not in told and not {*whole.split("-")} <= parts
        for whole in told - said
        for part in whole.split("-")
        if part in said and "-" in whole and _JOINTS.sub("", whole) not in said
    )


_JOINED = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _owned_apart(old: str, new: str) -> bool:
    """Whether one speaks of her name, and the other of its name."""
    owners = [{(noun, _PERSONAL[word]) for word, noun in _OWNERS.findall(fold(text))} for text in (old, new)]
    return any(noun == other and who != whose for noun, who in owners[0] for other, whose in owners[1])


_OWNERS = re.compile(r"\b(his|her|its) (?:new |old |first |last )?([\w-]+)")
_PERSONAL = {"his": "he", "her": "she", "its": "it"}


def _in_anothers(known: str, other: str) -> bool:
    """Whether one says it of the editor, and the other of Wiebke's editor."""
    said = {*words(known)}
    return any(
        owner not in said and re.search(rf"\b(?:in|on|at|for|with|under) (?:the|our) {re.escape(noun)}\b", fold(known))
        for owner, noun in _ANOTHERS.findall(fold(other))
    )


_ANOTHERS = re.compile(r"\b(?:in|on|at|for|with|under) (?:the |our )?([\w-]+)'s ([\w-]+)")


def _is_impersonal(old: Gist, new: Gist) -> bool:
    """Whether only one says "it takes an hour to walk there", and the other nothing of walking there."""
    told = [_IT_TAKES.match(side.said) is not None for side in (old, new)]
    return told[0] != told[1] and not (old.words - {old.verb, new.verb}) & new.words


_IT_TAKES = re.compile(r"it (?:takes?|took|costs?|needs?|is|was) .*\bto [a-z]+")


def _are_for_others(old: str, new: str) -> bool:
    """Whether one is on or open for some, and the other off or closed for others."""
    mine, yours = (_FOR.search(fold(text)) for text in (old, new))
    if not mine or not yours or mine["so"] == yours["so"]:
        return False
    known = [stem(side["so"]) in KINDS or side["so"] in _ON for side in (mine, yours)]
    whom = [{*map(key, words(side["whom"]))} - table.EMPTY for side in (mine, yours)]
    return all(known) and all(whom) and not whom[0] & whom[1] and not any(map(_NOBODY.search, (mine[0], yours[0])))


_FOR = re.compile(r"\b(?P<so>[\w-]+) for (?P<whom>[\w' -]{2,40}?)[.!]?$")
_NOBODY = re.compile(
    r"\d|\b(?:now|good|ever|today|days?|weeks?|months?|years?|hours?|time|being|repairs?|maintenance|renovations?"
    r"|cleaning|works?|all|everyone|everybody|anyone|\w+ing)\b"
)
"""For how long or why, and not for whom."""


def _of_a_part(whole: str, part: str) -> bool:
    """Whether one says what something is, and the other what a part of it is: the library, the library's book drop."""
    owned = _OWNED.match(fold(part)) or _PART_OF.match(fold(part))
    if not owned:
        return False
    said = _IS_SO.match(fold(whole))
    if not said or words(said["who"]) != words(owned["who"]) or not (stem(said["so"]) in KINDS or said["so"] in _ON):
        return False
    noun = [key(word) for word in words(owned["what"])]
    return bool(noun) and noun[-1] not in {*map(key, words(whole))} | single.VALUED | ROLES | _ASPECTS


_THE = r"(?:the |an? |our |my |his |her |its |their )?"
_BE = r"(?:is|are|isn't|aren't|was|were|has been|have been|stays?|remains?)"
_OWNED = re.compile(rf"{_THE}(?P<who>[\w-]+(?: [\w-]+){{0,2}}?)'s? (?P<what>[\w-]+(?: [\w-]+){{0,2}}?) {_BE}\b")
_PART_OF = re.compile(
    rf"{_THE}(?P<what>[\w-]+(?: [\w-]+){{0,2}}?) (?:of|in|at|inside|outside|behind|beside|near|next to|opposite) {_THE}"
    rf"(?P<who>[\w-]+(?: [\w-]+){{0,2}}?) {_BE}\b"
)
_IS_SO = re.compile(
    rf"{_THE}(?P<who>[\w-]+(?: [\w-]+){{0,2}}?) {_BE} (?:(?:now|still|not|always|very|too) )*"
    r"(?P<so>[\w-]+)\b(?! (?:to|by)\b)"
)
_ON = frozenset({"on", "off", "up", "down"})
_ASPECTS = stems(
    """place position post office home address state status condition health job work name price cost size length time
    hour date end start beginning opening future life season day team staff marriage relationship relation diet
    website account access membership doors subscription contract service operation use entry entrance doors gate site
    version rest whole whereabouts location release launch plan date trip project idea departure licence"""
)
"""Nouns for what is said of the whole by what is said of them: the museum is closed, its doors are."""
