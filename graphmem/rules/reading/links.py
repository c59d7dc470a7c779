"""Who needs whom, read word by word: each verb that links things, what stands before it, and what behind it.

A verb counts where it is asserted: no question, no guess, not denied, not over.
"""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.language.gazetteer import is_team
from graphmem.rules.language.verbs import Verb
from graphmem.rules.reading.facts import Sentence
from graphmem.rules.reading.frames import (
    AGENTS,
    CHANGES,
    CODE_PLACES,
    CONFIGURATION,
    DOES,
    FRAMES,
    HANDED,
    MEANS,
    OWNING,
    STARTS,
    UNTIL,
    VERBS,
)
from graphmem.rules.reading.mentions import THINGS, Mention
from graphmem.rules.reading.word_order import (
    ADVERBS,
    NEGATIVE,
    Around,
    Item,
    Need,
    Reading,
    is_doubtful,
    is_noun,
    is_present,
    is_reduced,
    items_of,
    lead_of,
    objects_of,
    phrasal,
    subjects_of,
)

D = DependencyType


def read_links(clause: Sentence, around: Around) -> tuple[Need, ...]:
    """Who needs whom by what the clause asserts, each pair once.

    *Shape*: (source, target, type), in the order they are said; `is mine` leads to `around.speaker`.
    """
    reader = Reading(items_of(clause), around)
    for index, item in enumerate(reader.items):
        verb = VERBS.get(item.text) if item.mention is None else None
        if verb is not None and not is_noun(reader, index, verb):
            _read_verb(reader, index, verb)
        elif item.text in UNTIL:
            _read_until(reader, index)
    pairs: dict[frozenset[str], Need] = {}
    for need in reader.needs:
        if need[0].name != need[1].name:
            pairs.setdefault(frozenset((need[0].name, need[1].name)), need)
    return tuple(pairs.values())


def _read_verb(reader: Reading, index: int, verb: Verb) -> None:
    lead = lead_of(reader, index)
    lemma, end = phrasal(reader, index, verb.lemma)
    passive = "participle" in verb.forms and (lead.passive or is_reduced(reader, lead, verb))
    reduced = passive and not lead.passive and lead.at not in reader.named
    subjects = (reader.last if reduced else ()) or subjects_of(reader, lead.at)
    if subjects:
        reader.last = subjects
    objects = objects_of(reader, end)
    reader.place = next((m for _, preposition, m in objects if preposition), reader.place)
    if lead.denied:
        if lemma in STARTS:
            _read_start(reader, subjects, objects)
        reader.taken.update(at for at, _, _ in objects)
        return
    asserted = not lead.unsure and (not lead.planned or lemma == "take")
    if asserted and not is_doubtful(reader, lead.at) and is_present(verb, lemma, lead, passive):
        _link(reader, lemma, subjects, objects, passive=passive, planned=lead.planned, index=index)
    reader.taken.update(at for at, _, _ in objects)


def _link(
    reader: Reading,
    lemma: str,
    subjects: Sequence[Mention],
    objects: Sequence[tuple[int, str, Mention]],
    *,
    passive: bool,
    planned: bool,
    index: int,
) -> None:
    owners = [s for s in subjects if _is_somebody(s)]
    things = [s for s in subjects if not s.group or s.type is EntityType.PROJECT]
    direct = next((m for _, preposition, m in objects if not preposition), None)
    for at, preposition, target in objects:
        owning = lemma in OWNING or (lemma == "take" and planned)
        if owning and not passive and owners and not preposition and target.type is not EntityType.TOOL:
            reader.needs += [(target, owner, D.OWNED_BY) for owner in owners if _may_be_owned(target)]
        elif passive and preposition == "by" and _is_somebody(target):
            if lemma in OWNING:
                reader.needs += [(s, target, D.OWNED_BY) for s in things if _may_be_owned(s)]
        elif lemma in HANDED and preposition == "to" and _is_somebody(target) and _takes_over(lemma, target):
            moved = [direct] if direct is not None and not passive else things
            reader.needs += [(s, target, D.OWNED_BY) for s in moved if _may_be_owned(s)]
        else:
            moves = (
                lemma in CHANGES - {"replace", "swap"} and direct is not None and direct is not target and not passive
            )
            sources = [direct] if moves and direct is not None and direct.type is not EntityType.TOOL else things
            for source in sources:
                kind = _kind(reader, lemma, preposition, at, index, target, source, passive=passive)
                reader.needs += [need] if kind and (need := _need(source, target, *kind)) else []
    if lemma in DOES and not passive:
        _read_done(reader, subjects, objects)
    if lemma == "be":
        _read_whose(reader, things, index)


def _takes_over(lemma: str, target: Mention) -> bool:
    """Whether what goes to somebody is theirs: a page that goes to a firm is hosted there."""
    return lemma not in ("go", "move") or target.type is EntityType.PERSON or is_team(target.name)


def _kind(
    reader: Reading,
    lemma: str,
    preposition: str,
    at: int,
    index: int,
    target: Mention,
    subject: Mention,
    *,
    passive: bool,
) -> tuple[DependencyType, bool] | None:
    """The type of the need, and whether the object has it."""
    if passive and preposition == "by":
        return AGENTS.get(lemma, (D.USES, False) if target.type in THINGS else None)
    if passive and not preposition:
        return None
    named = subject is not reader.around.topic and subject.found != "speaker"
    after = reader.items[at + 1].text if at + 1 < len(reader.items) else ""
    code = target.type in (EntityType.MODULE, EntityType.PACKAGE, EntityType.FILE) or after in CODE_PLACES
    if named and preposition == "in" and lemma in ("be", "live", "sit") and code:
        return D.PART_OF, False
    found = FRAMES.get((lemma, preposition))
    if found and found[0] is D.CONSUMES and not found[1] and _is_configured(reader, index, at):
        return D.USES, False
    if found and found[0] is D.CONSUMES and target.type is EntityType.ORGANISATION:
        return D.DEPENDS_ON, False
    if lemma == "be" and preposition and target.type is not EntityType.TOOL:
        return None
    if found and found[0] is D.CALLS and target.type is EntityType.TOOL:
        return D.USES, False
    if found and not named:
        return (D.USES, False) if found[0] is D.CONSUMES else found
    if (
        found is None
        and named
        and preposition in MEANS
        and target.type is EntityType.TOOL
        and lemma not in ("be", "wait")
    ):
        return D.USES, False
    if found is None and lemma == "be" and not preposition:
        return _attribute(reader, index, at, target)
    return found


def _is_configured(reader: Reading, first: int, last: int) -> bool:
    return any(item.text in CONFIGURATION for item in reader.items[max(0, first - 2) : last])


def _attribute(reader: Reading, index: int, at: int, target: Mention) -> tuple[DependencyType, bool] | None:
    """ "is a Redis cluster", "is a Go service": what a thing is made with."""
    words = [i.text for i in reader.items[index + 1 : at]]
    of_another = any(item.token.tag == "IN" for item in reader.items[max(0, index - 4) : index])
    bare = not of_another and all(word in ADVERBS for word in words)
    made = target.type is EntityType.TOOL and (bare or words[:1] in (["a"], ["an"], ["our"])) and len(words) < 5
    return (D.USES, False) if made else None


def _goes_on(after: Sequence[Item]) -> bool:
    """Whether a noun follows "Anna's"."""
    return len(after) > 2 and (after[2].mention is not None or after[2].token.tag[:2] in ("NN", "JJ"))


def _read_whose(reader: Reading, things: Sequence[Mention], index: int) -> None:
    """ "is mine", "is Anna's"."""
    after = [item for item in reader.items[index + 1 : index + 4] if item.text not in ADVERBS]
    owner = after[0].mention if after else None
    if after and after[0].token.text.lower() == "mine":
        owner = reader.around.speaker
    elif owner is None or len(after) < 2 or after[1].token.tag != "POS" or _goes_on(after):
        return
    if owner is not None and (_is_somebody(owner) or owner.certain):
        owned = [s for s in things if _may_be_owned(s) and s is not reader.around.topic]
        reader.needs += [(s, replace(owner, possessive=False), D.OWNED_BY) for s in owned]


def _read_done(reader: Reading, subjects: Sequence[Mention], objects: Sequence[tuple[int, str, Mention]]) -> None:
    """What a tool does is done with it: for the thing that it is done to, else for what is talked about."""
    tools = [s for s in subjects if s.type is EntityType.TOOL]
    direct = [m for _, preposition, m in objects if not preposition and m.type in THINGS]
    served = direct or ([reader.around.topic] if reader.around.topic else [])
    for tool in tools:
        reader.needs += [need for m in served[:1] if (need := _need(m, tool, D.USES, False))]


def _read_start(reader: Reading, subjects: Sequence[Mention], objects: Sequence[tuple[int, str, Mention]]) -> None:
    """ "can't start without Y"."""
    for _, preposition, target in objects:
        if preposition == "without":
            reader.needs += [need for s in subjects if (need := _need(s, target, D.REQUIRES, False))]


def _read_until(reader: Reading, index: int) -> None:
    """ "won't start until Y is up", "blocks unless Y answers": who does not go on without whom."""
    before = [at for at in range(index) if reader.items[at].text in VERBS or reader.items[at].text in STARTS]
    words = {item.text for item in reader.items[:index]}
    stays = words & NEGATIVE or words & {"blocks", "waits", "hangs", "wait", "block"}
    if not stays or not before or not reader.last:
        return
    for item in reader.items[index + 1 : index + 4]:
        if item.mention is not None and not item.mention.possessive:
            found = [_need(s, item.mention, D.REQUIRES, False) for s in reader.last]
            reader.needs += [need for need in found if need]
            return


def _need(source: Mention, target: Mention, kind: DependencyType, turned: bool) -> Need | None:
    source, target = (target, source) if turned else (source, target)
    if not _may_need(source) or not _may_be_needed(target):
        return None
    return source, target, kind


def _is_somebody(mention: Mention) -> bool:
    if mention.group or mention.found == "software":
        return False
    return mention.type in (EntityType.PERSON, EntityType.ORGANISATION) or (
        mention.found == "name" and mention.type is EntityType.PLACE
    )


def _may_be_owned(mention: Mention) -> bool:
    kinds = (EntityType.PERSON, EntityType.PLACE, EntityType.TOOL, EntityType.ORGANISATION)
    return mention.type not in kinds and not mention.group and mention.found != "speaker"


def _may_need(mention: Mention) -> bool:
    if mention.group or mention.certain or mention.type in (EntityType.PLACE, EntityType.FILE):
        return False
    return mention.type is not EntityType.PERSON


def _may_be_needed(mention: Mention) -> bool:
    return not (mention.group or mention.certain or mention.found == "speaker") and mention.type not in (
        EntityType.PERSON,
        EntityType.PLACE,
    )
