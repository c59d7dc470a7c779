"""A clause as words in order: what stands before a verb, and what behind it.

The parser's small model is often wrong about names it has never seen; the order of words is what they are read by.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.verbs import Verb
from graphmem.rules.reading.facts import Sentence
from graphmem.rules.reading.frames import CHANGES, CODE_PLACES, GENERIC, OUTPUTS, PHRASES, PREPOSITIONS, VERBS
from graphmem.rules.reading.mentions import THINGS, Mention, is_system_noun

Need = tuple[Mention, Mention, DependencyType]
_REACH = 16
"""How many words behind a verb are looked at."""
ADVERBS = word_set(
    """also now currently still already only directly just actually really mostly usually mainly then all always
    fully partly finally recently internally officially instead both each even itself themselves never-ever solely
    exclusively again both basically simply today nowadays entirely completely turn in temporarily permanently"""
)
_AUXILIARIES = word_set(
    """is are was were be been being 's ’s 're ’re 've ’ve has have get gets got do does started begun began will 'll
    ’ll wo decided chose agreed going opted"""
)
_SETTLED = word_set("decided chose agreed going opted started began")
"""With "to" and a verb: that was decided or begun."""
_BE = word_set("is are was were be been being 's ’s 're ’re get gets got getting")
NEGATIVE = word_set("not n't n’t never cannot no-longer stopped stop stops quit without dropped hardly")
_UNSURE = word_set(
    """may might could would should must shall can ca 'd ’d had did want wants wanted hope hopes try tries trying tried
    wish need needs like"""
)
_OPENS_DOUBT = word_set("if whether unless until before how why what where when whenever once till")
_RELATIVE = word_set("which that who")
_ENDS = word_set(
    """; but because since although though while whereas so when if unless until whether which that who where then
    whose for as than after before once except : — – -"""
)
_DASHES = word_set("— – - : --")
_QUOTES = word_set("` `` '' \" “ ” * ** _ ' ( ) [ ]")
_SKIPPED_TARGET = word_set("not than exception except")
_NOUN_TAGS = ("NN", "JJ", "CD", "DT", "PD", "PR", "VBN", "VBG", "POS", "HY", "AFX")
_GROUP = re.compile(
    r"(?i)\b(?:all (?:two|three|four|five|six|\d)|all (?:\w+ )?of (?:them|these|those)|"
    r"both(?: of them)?|they(?: all)?|each of them)$"
)


class Item(NamedTuple):
    """A word of the clause, or a mention as one word."""

    text: str
    start: int
    mention: Mention | None
    token: Token


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a clause: things named before it in the sentence, and what a common noun is one of: the thing
    talked about, or the project."""

    before: Sequence[Mention] = ()
    topic: Mention | None = None
    speaker: Mention | None = None


@dataclass(slots=True)
class Reading:
    items: Sequence[Item]
    around: Around
    needs: list[Need] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    """Indices of the mentions that are objects of a verb, so that they are no subjects."""
    last: tuple[Mention, ...] = ()
    place: Mention | None = None
    """What "there" means: the thing that the verb before led to."""

    @property
    def named(self) -> frozenset[int]:
        """Indices of the mentions that no verb leads to."""
        return frozenset(at for at, item in enumerate(self.items) if item.mention and at not in self.taken)


def items_of(clause: Sentence) -> list[Item]:
    items: list[Item] = []
    for token in clause.tokens:
        inside = next((m for m in clause.mentions if m.start <= token.start < m.end), None)
        if inside and items and items[-1].mention is inside:
            continue
        if inside is None and token.text in _QUOTES:
            continue
        text = "" if inside else token.text.lower()
        if text in ("'s", "’s") and token.tag == "POS" and items and items[-1].mention:
            items[-1] = items[-1]._replace(mention=replace(items[-1].mention, possessive=True))
        items.append(Item(text, token.start, inside, token))
    return items


def is_noun(reader: Reading, index: int, verb: Verb) -> bool:
    """Whether a form that may be a noun is one: "the calls", "its exports to", "our needs"."""
    token, before = reader.items[index].token, reader.items[index - 1] if index else None
    if "base" in verb.forms and not verb.forms & {"past", "participle"} and token.tag[:2] in ("NN", "JJ"):
        return True
    if before is None:
        return "participle" not in verb.forms
    if before.token.tag in ("DT", "PRP$", "JJ", "POS", "CD") and before.mention is None and token.tag[:2] != "VB":
        return True
    return bool(before.mention and before.mention.possessive)


class Lead(NamedTuple):
    """What stands between subject and verb, read from right to left."""

    at: int
    """Index of the last word of the subject."""
    passive: bool
    denied: bool
    unsure: bool
    helped: bool
    past: bool
    planned: bool


def lead_of(reader: Reading, index: int) -> Lead:
    passive = denied = unsure = helped = past = planned = False
    at = index - 1
    while at >= 0 and reader.items[at].mention is None:
        word = reader.items[at].text
        longer = word == "longer" and at and reader.items[at - 1].text == "no"
        if longer or (word in NEGATIVE and word != "without"):
            denied = True
            at -= longer
        elif word in _UNSURE:
            unsure = True
        elif word == "to":
            unsure = unsure or not at or reader.items[at - 1].text not in _SETTLED
        elif word in _AUXILIARIES:
            helped = True
            passive = passive or word in _BE
            past = past or word in ("was", "were")
            planned = planned or word in ("will", "'ll", "’ll", "going")
        elif word not in ADVERBS:
            break
        at -= 1
    return Lead(at, passive, denied, unsure, helped, past, planned)


def is_present(verb: Verb, lemma: str, lead: Lead, passive: bool) -> bool:
    """Whether it holds now: present, or a change whose outcome lasts."""
    if passive:
        return not lead.past or lemma in CHANGES
    if verb.forms & {"past", "participle"} and not verb.forms & {"base", "third"}:
        return lemma in CHANGES
    if verb.forms == {"ing"}:
        return lead.helped or lemma == "use"
    return True


def is_reduced(reader: Reading, lead: Lead, verb: Verb) -> bool:
    """Whether a participle hangs on a noun or opens a list entry: "a job written in Go", "served by Caddy"."""
    if "past" in verb.forms and "participle" in verb.forms and lead.at >= 0 and reader.items[lead.at].mention:
        after = next(
            (i for i in reader.items if i.start > reader.items[lead.at].start and i.text in PREPOSITIONS), None
        )
        return bool(after and after.text == "by")
    return not lead.helped and verb.forms <= {"participle", "past"}


def phrasal(reader: Reading, index: int, lemma: str) -> tuple[str, int]:
    """The verb with the words that make it another one ("take care of", "look after"), and where its objects begin."""
    for size in (3, 2, 1):
        words = " ".join(i.text for i in reader.items[index + 1 : index + 1 + size])
        if f"{lemma} {words}" in PHRASES:
            return PHRASES[f"{lemma} {words}"], index + 1 + size
    return lemma, index + 1


def subjects_of(reader: Reading, at: int) -> tuple[Mention, ...]:
    """What the words before the verb name; where they only join or leave it out, what the verb before has."""
    items = reader.items
    if at < 0:
        return reader.last
    item = items[at]
    if item.mention is not None:
        if at in reader.taken and item.mention.found != "pronoun":
            return reader.last or (item.mention,)
        return () if item.mention.possessive else _together(reader, at)
    if item.text in _RELATIVE:
        back = next((i for i in range(at - 1, max(-1, at - 5), -1) if items[i].mention), None)
        plain = back is not None and all(i.text in (",", "in") or i.text in CODE_PLACES for i in items[back + 1 : at])
        return (named,) if plain and back is not None and (named := items[back].mention) else ()
    if item.text in ("and", "but", ",", "or", "&") or item.text in _DASHES:
        return reader.last or _heading(reader, at)
    if _GROUP.search(" ".join(i.text for i in items[max(0, at - 4) : at + 1])):
        return _listed(reader, at)
    return _of_common_noun(reader, at)


def _together(reader: Reading, at: int) -> tuple[Mention, ...]:
    """A mention with those joined to it before: "A, B and C"."""
    found: list[Mention] = []
    position: int | None = at
    while position is not None:
        mention = reader.items[position].mention
        if mention is None or mention.possessive or (found and position in reader.taken):
            break
        found.append(mention)
        before = position - 1
        while before >= 0 and reader.items[before].text in ("the", "our", "a"):
            before -= 1
        joined = before
        while joined >= 0 and reader.items[joined].text in (",", "and", "&", "as", "well", "both"):
            joined -= 1
        position = joined if joined < before and joined >= 0 else None
    return tuple(reversed(found))


def _listed(reader: Reading, at: int) -> tuple[Mention, ...]:
    """The first things that are joined to one another before: what "all three of them" are."""
    for position in range(at):
        if reader.items[position].mention:
            joined = [p for p in range(position, at) if reader.items[p].mention]
            for last in reversed(joined):
                if len(group := _together(reader, last)) > 1:
                    return group
    return ()


def _heading(reader: Reading, at: int) -> tuple[Mention, ...]:
    """The name that a list entry opens with: "tides — computes forecasts"."""
    first = reader.items[0].mention or (reader.items[1].mention if len(reader.items) > 1 else None)
    return (first,) if first and not first.possessive and at >= 0 else ()


def _of_common_noun(reader: Reading, at: int) -> tuple[Mention, ...]:
    """Whose a common noun is: "the index of X", "X's index"; else it belongs to what is talked about."""
    items = reader.items
    if items[at].token.tag[:2] not in ("NN", "VB", "CD"):
        return ()
    first = at
    while first > 0 and items[first - 1].mention is None and items[first - 1].token.tag.startswith(_NOUN_TAGS):
        first -= 1
    before = items[first - 1] if first else None
    if before and before.mention and before.mention.type is not EntityType.PERSON:
        return () if items[first].token.tag == "POS" and _is_output(items[at]) else (before.mention,)
    if before and before.token.tag == "IN" and before.text in ("of", "for", "in"):
        return ()
    if before and before.text in ("the", "this", "that", "my", "his", "her", "a", "an"):
        return _new_thing(reader, first, at)
    if items[first].text in ("the", "this", "that", "a", "an"):
        return _new_thing(reader, first + 1, at)
    named = [m for m in reader.around.before if m.type in THINGS and m.type is not EntityType.TOOL]
    topic = named[0] if named else reader.around.topic
    return (topic,) if topic else ()


def _new_thing(reader: Reading, first: int, last: int) -> tuple[Mention, ...]:
    """A thing that nobody has named as one yet: "the export queue", "the thumbnailer"."""
    words = reader.items[first : last + 1]
    nouns = [i for i in words if i.token.tag in ("NN", "NNP", "VBG") and i.token.text.isalnum()]
    if not 1 <= len(nouns) == len(words) <= 3 or words[-1].text in GENERIC:
        return ()
    if len(words) == 1 and not is_system_noun(words[0].text):
        return ()
    name = " ".join(i.token.text for i in words)
    return (Mention(words[0].start, words[-1].token.end, name, EntityType.CONCEPT, "phrase"),)


def _is_output(item: Item) -> bool:
    return item.text in OUTPUTS


def is_doubtful(reader: Reading, at: int) -> bool:
    """Whether the subject stands behind "if", "until" and the like."""
    for position in range(at, max(-1, at - 8), -1):
        item = reader.items[position]
        if item.text in _OPENS_DOUBT:
            return True
        if item.text in (",", ";", "and", "because", "since", ":") or (item.text in VERBS and position < at):
            return False
    return False


def objects_of(reader: Reading, first: int) -> list[tuple[int, str, Mention]]:
    """The mentions behind a verb, each with where it stands and the preposition that it hangs on ("" for none)."""
    found: list[tuple[int, str, Mention]] = []
    preposition, skipping = "", False
    for at in range(first, min(len(reader.items), first + _REACH)):
        item = reader.items[at]
        if item.mention is not None:
            if not item.mention.possessive and not skipping:
                found.append((at, preposition, item.mention))
            continue
        if item.text in _SKIPPED_TARGET or (item.text == "of" and reader.items[at - 1].text == "instead"):
            skipping = True
        elif item.text in ("and", ",") and (_next_clause(reader, at) or _is_apposed(reader, at)):
            break
        elif item.text in ("it", "them") and (meant := _it(reader, found)):
            found.append((at, preposition, meant))
        elif item.text == ":" and at + 1 < len(reader.items) and reader.items[at + 1].mention:
            continue
        elif item.text in _ENDS and at > first:
            break
        elif item.text == "there" and (place := reader.place or next(reversed(reader.around.before), None)):
            found.append((at, preposition or "to", place))
        elif item.text in PREPOSITIONS:
            nested = preposition in ("for", "on") and PREPOSITIONS[item.text] in ("from", "by")
            preposition = preposition if nested and not found else PREPOSITIONS[item.text]
    return found


def _is_apposed(reader: Reading, at: int) -> bool:
    """Whether a comma only adds what the thing before it is: ", our mail thing"."""
    after = reader.items[at + 1].text if at + 1 < len(reader.items) else ""
    return reader.items[at].text == "," and after in ("a", "an", "our")


def _next_clause(reader: Reading, at: int) -> bool:
    """Whether what is joined here is another clause: a verb, or a subject and its verb."""
    for position in range(at + 1, min(len(reader.items), at + 7)):
        item = reader.items[position]
        if item.text in _RELATIVE:
            return True
        finite = item.token.tag in ("VBZ", "VBP", "VBD", "MD") and item.mention is None
        if finite or (item.text in VERBS and item.mention is None and item.token.tag != "VBG"):
            return True
        if item.text in PREPOSITIONS or item.text in (",", "and", "."):
            return False
    return False


def _it(reader: Reading, found: Sequence[tuple[int, str, Mention]]) -> Mention | None:
    """What an object "it" means: the thing named last before the clause that is not its subject."""
    subjects = {m.name for m in reader.last}
    things = [m for m in reader.around.before if m.type in THINGS and m.type is not EntityType.TOOL]
    things += [reader.around.topic] if reader.around.topic else []
    return next((m for m in things if m.name not in subjects), None) if not found else None
