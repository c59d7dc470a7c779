"""Which statements can contradict each other at all: found by what they share, so that not all pairs are compared.

Each signal of `rules.contradiction` needs something that both statements have: a verb with one value, opposite words, a
frame up to the verb, what one of them ends. A statement *shows* such traits and *seeks* them; two of which neither
shows what the other seeks contradict in no order and at no time apart, and need never be compared.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules import antonyms as table
from graphmem.rules import single_valued as single
from graphmem.rules.agents import ANY_AGENT, BY_AGENT
from graphmem.rules.alike import OTHER_WORDS
from graphmem.rules.antonyms import sides, stem
from graphmem.rules.assertions import MAX_CHARS, Clause, read
from graphmem.rules.bygones import bygone
from graphmem.rules.contradiction import MARKERS, MAX_WORDS
from graphmem.rules.deeds import thing_of
from graphmem.rules.differences import NAMED, PREFIXES, amounts_of, verbs_at
from graphmem.rules.endings import RENAMED, ending_of, leaving_of, only_of
from graphmem.rules.essence import joined, spelt, tellings
from graphmem.rules.exclusion import GONE_NOW, LIFE, OF_AMOUNTS, held_by, may_be_single, may_move, roots, wider_of
from graphmem.rules.gists import ROOT, Gist, gist
from graphmem.rules.laying import SCRIPTED, Laid, lay
from graphmem.rules.measures import measured, sided_of, topic_of
from graphmem.rules.outcomes import has_course
from graphmem.rules.scripts import is_scripted
from graphmem.rules.soleness import sole, sought
from graphmem.rules.states import REPLACED, states
from graphmem.rules.text import fold
from graphmem.rules.turnabouts import does, may_turn

Trait = Hashable
_ANYTHING = "anything"
_MARKS = frozenset(map(stem, MARKERS))
_SUBJECTS = single.ANY_VALUE | single.NAMED_VALUE
_PARTING = ("broke up", "split up", "broken up", "parted ways", "separated", "divorced")
_CARRIED = table.PREPOSITIONS | table.WEEKDAYS | {"be", NAMED}


@dataclass(frozen=True)
class Traits:
    """What a statement shows to others, and what it looks for in them."""

    shows: frozenset[Trait]
    seeks: frozenset[Trait]


class Candidates:
    """Statements by their traits, found by their places in the sequence.

    `asked`: the places of those that matter, None for all; two others are never laid beside each other, so that a new
    statement beside a thousand costs a look at each and not at each pair.
    """

    def __init__(self, contents: Sequence[str], asked: Collection[int] | None = None) -> None:
        self._traits = [_all_traits(tellings(content[:MAX_CHARS])) for content in contents]
        self._asked = frozenset(range(len(contents)) if asked is None else asked)
        self._showing: dict[Trait, list[int]] = defaultdict(list)
        self._seeking: dict[Trait, list[int]] = defaultdict(list)
        matters = [self._traits[place] for place in self._asked]
        sought = frozenset[Trait]().union(*(traits.seeks for traits in matters))
        shown = frozenset[Trait]().union(*(traits.shows for traits in matters))
        for place, traits in enumerate(self._traits):
            for trait in traits.shows & sought:
                self._showing[trait].append(place)
            for trait in traits.seeks & shown:
                self._seeking[trait].append(place)
        self._sought = frozenset(self._seeking)  # most of what a statement shows nobody seeks
        self._beside: dict[int, set[int]] = defaultdict(set)
        if len(self._asked) < len(contents):
            for place in self._asked:
                for other in self._met_by(place) - self._asked:
                    self._beside[other].add(place)

    def of(self, place: int) -> set[int]:
        """The places of all statements that may contradict this one, or be contradicted by it; of one that was not
        asked about, of those that were."""
        return self._met_by(place) if place in self._asked else set(self._beside.get(place, ()))

    def _met_by(self, place: int) -> set[int]:
        traits, found = self._traits[place], set[int]()
        for trait in traits.seeks:
            found.update(self._showing.get(trait, ()))
        for trait in traits.shows & self._sought:
            found.update(self._seeking[trait])
        return found - {place}


def _all_traits(told: tuple[str, ...]) -> Traits:
    told = tuple(dict.fromkeys((*told, *map(spelt, told), *map(joined, told))))
    if len(told) == 1:
        return traits_of(told[0])
    parts = [traits_of(one) for one in told]
    return Traits(
        frozenset().union(*(part.shows for part in parts)), frozenset().union(*(part.seeks for part in parts))
    )


@lru_cache(maxsize=4_096)
def traits_of(content: str) -> Traits:
    """What a statement shows and seeks.

    >>> one, other, third = map(traits_of, ("Ana lives in Rome", "Ana lives in Oslo", "Ana likes tea"))
    >>> bool(one.seeks & other.shows), bool(one.seeks & third.shows or third.seeks & one.shows)
    (True, False)
    """
    clauses, laid = read(content), lay(content)
    shows: set[Trait] = {_ANYTHING}
    seeks: set[Trait] = set()
    for clause in clauses:
        _add_clause(clause, shows, seeks)
    if len(laid.keys) <= MAX_WORDS:
        _add_laid(laid, shows, seeks)
    for state in states(content):
        shows.add(("state", state.relation))
        if state.relation in BY_AGENT:
            shows.add(("state", ANY_AGENT))
        if state.changed or (state.relation not in REPLACED and not state.weak):
            seeks.add(("state", state.relation))
    _add_gist(gist(content), shows, seeks)
    _add_measures(content, shows, seeks)
    if one := sole(content):
        shows.update(("same", word) for word in one.who | one.rest)
        seeks.add(_met(_rarest(sought(one))))
    bag = gist(content)
    shows.add(("does", does(bag)))
    did, off = may_turn(bag)
    seeks.update(map(_met, sorted(off, key=len)[-8:]))
    if did:
        seeks.add(("does", did))
    if has_course(content) and bag.words:
        seeks.add(_met(_rarest(bag.subject or bag.words)))
        seeks.add(_met(_rarest(bag.behind or bag.words)))
    if (thing := gist(thing_of(content)).full) and not bag.denied:
        seeks.add(_met(_rarest(thing)))
    seeks.update(("begins", word[:5]) for word in bygone(content)[1])
    if any(words in fold(content) for words in _PARTING):
        seeks.add(_ANYTHING)
    return Traits(frozenset(shows), frozenset(seeks))


def _add_clause(clause: Clause, shows: set[Trait], seeks: set[Trait]) -> None:
    """What the signals of two clauses need."""
    told = clause.content - clause.subject
    shows.update(("says", key) for key in clause.content)
    shows.update(("tells", key) for key in told)
    if clause.negated and told:
        seeks.add(("says", _rarest(told)))  # all that is denied is said by the other side
    if clause.lemma in table.HOLDS:
        shows.update(("holds", key) for key in clause.head)
    seeks.update(("holds", key) for key in clause.ended)
    if not clause.negated:
        _add_opposites("clause", clause.words, shows, seeks)
    if _MARKS & {stem(word) for word in clause.words} and clause.lemma and clause.lemma not in table.ADDITIVE:
        # One of the words that both share is, on one side at least, no part of the subject.
        noise = _MARKS | {clause.lemma}
        seeks.update(("tells", key) for key in clause.content - noise)
        seeks.update(("says", key) for key in told - noise)
    subject = clause.subject - table.TYPE_WORDS or clause.subject
    for trait in _values(clause):
        # A clause without a subject is about the entity, whatever the other one's subject is.
        shows |= {(trait, subject), (trait, _ANYTHING)}
        seeks |= {(trait, subject), (trait, frozenset())} if subject else {(trait, _ANYTHING)}


def _values(clause: Clause) -> Iterator[Trait]:
    """What two clauses share that give different values of the same."""
    if not clause.head:
        return
    if clause.slot:
        yield "slot", clause.verb, clause.slot
        return
    if any(word[0].isdigit() for word in clause.value):
        yield "number", clause.verb
    if clause.verb == "be":
        yield from (("is", key) for key in clause.subject & _SUBJECTS)
    elif clause.verb in single.SINGLE or clause.verb in ("be in", "be at", "be on"):
        yield "verb", clause.verb


def _add_opposites(where: Hashable, said: Sequence[str], shows: set[Trait], seeks: set[Trait]) -> None:
    for pair, found in sides(said).items():
        if len(found) == 1:
            side = next(iter(found))
            shows.add((where, pair, side))
            seeks.add((where, pair, 1 - side))


def _add_laid(laid: Laid, shows: set[Trait], seeks: set[Trait]) -> None:
    """What two statements laid side by side need."""
    shows.update(("begins", key[:5]) for key in (*laid.keys, *laid.said))
    if is_scripted(laid.raw):
        starts = {("starts", word[:2]) for word in laid.said}
        shows |= starts
        seeks |= starts
    shows.update(("front", laid.keys[:end]) for end in range(1, len(laid.keys) + 1))
    shows.add(("all", laid.keys, laid.denied % 2))
    seeks.add(("all", laid.keys, 1 - laid.denied % 2))
    if laid.keys and not laid.denied:
        _add_opposites(laid.keys[0], laid.said, shows, seeks)
        _add_turned(laid, shows, seeks)
        if not laid.past:
            _add_frames(laid, shows, seeks)
    if " is named " in laid.text:
        shows.add("named")
    if RENAMED.search(laid.raw):
        seeks.add("named")
    if over := ending_of(laid):
        if over.told is not None:
            seeks |= {("all", over.told, 0), ("all", over.told, 1)}
        else:
            seeks.add(_known(over.what or over.subject))
    if left := leaving_of(laid):
        seeks.add(_known(left.gone))
    if only := only_of(laid):
        known = frozenset(only[1].keys) - table.PREPOSITIONS - table.EMPTY - {"be"}
        seeks.add(_known(known) if known else _ANYTHING)
        seeks.update(("front", only[1].keys[: verb + 1]) for verb in verbs_at(only[1]))
        seeks.update(("begins", key[:5]) for key in only[1].keys[-1:])  # of another subject


def _add_turned(laid: Laid, shows: set[Trait], seeks: set[Trait]) -> None:
    """Words that a prefix or an ending turns round: complete and incomplete; on and off."""
    first = laid.keys[0]
    for word in laid.said:
        shows.add((first, word))
        if word.startswith(PREFIXES):
            seeks.update((first, word.removeprefix(prefix)) for prefix in PREFIXES if word.startswith(prefix))
        if word.endswith("ful"):
            seeks.add((first, f"{word[:-3]}less"))
        elif word == "on":
            seeks.add((first, "off"))


def _add_frames(laid: Laid, shows: set[Trait], seeks: set[Trait]) -> None:
    """What both say up to the verb, or behind the subject."""
    if SCRIPTED.search(laid.text):
        shows.add(("script", laid.keys[0]))
        seeks.add(("script", laid.keys[0]))
    for rest in amounts_of(laid):
        shows.add(("amount", rest))
        seeks.add(("amount", rest))
    for verb in verbs_at(laid):
        if any(key in _CARRIED or key[0].isdigit() for key in laid.keys[verb:]):
            seeks.add(("front", laid.keys[: verb + 1]))
    for start, key in enumerate(laid.keys[:-1]):
        if key == "be" or key in single.HOLDERS:
            shows.add(("back", laid.keys[start:]))
            seeks.add(("back", laid.keys[start:]))


def _add_measures(content: str, shows: set[Trait], seeks: set[Trait]) -> None:
    """A sort of value, with a word that what is measured shares."""
    if (told := measured(content)) is None:
        return
    sided = sided_of(told)
    for sort in (*told.values, *(["state"] if sided else [])):
        topic = topic_of(told, sort) - (sided if sort == "state" else frozenset())
        shows.update((sort, "topic", word) for word in topic)
        if topic:
            seeks.add((sort, "topic", _rarest(topic)))


def _add_gist(bag: Gist, shows: set[Trait], seeks: set[Trait]) -> None:
    """What two statements compared as bags need: a word of the topic, besides values of one kind."""
    shows.update(("same", word) for word in bag.full if word in OTHER_WORDS)
    shows.update(("begins", word[:5]) for word in bag.full)
    shows.update(map(_met, wider_of(bag)))
    shows.update(("begins", word[2:7]) for word in bag.full if word.startswith("un"))
    for word in bag.full:
        if word.startswith(PREFIXES):
            turned = (word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix))
            seeks.update(_met(one) for one in turned if len(one) >= 4)
    if bag.every and bag.words:
        seeks.add(_met(_rarest(bag.words)))
    if (bag.over or bag.denied % 2 or GONE_NOW.search(bag.said)) and bag.full:
        seeks.add(_met(_topical(bag.words or bag.full, bag)))
        seeks.update(_met(_topical(words, bag)) for words in [bag.words - bag.subject] if words)
    for gone in bag.left[0] if bag.left else ():
        seeks |= {_met(gone), _met(gone.removesuffix("s"))}
    if bag.denied:
        return
    sorts: list[tuple[Trait, frozenset[str]]] = [(kind, bag.words - {word}) for kind, (_, word) in bag.kinds.items()]
    sorts += [("any amount", roots(bag) - OF_AMOUNTS)] if bag.amounts else []
    life = {("life", kind, bag.subject) for kind, (_, word) in bag.kinds.items() if word in LIFE}
    shows |= life | {("life", kind, _ANYTHING) for _, kind, _ in life}
    seeks |= {("life", kind, _ANYTHING if bag.bare else bag.subject) for _, kind, _ in life}
    for sort, topic in sorts:
        own = (
            topic - bag.subject - {word[:ROOT] for word in bag.subject}
        )  # what one statement says of the entity itself, another may say without naming it
        shows.update((sort, word) for word in topic)
        if not own:
            shows.add((sort, _ANYTHING))
            seeks.add((sort, _ANYTHING))
        for words in (topic, own):
            if words:
                seeks.add((sort, _topical(words, bag)))
    if "only" in bag.adds:
        seeks.update(_met(word) for word in bag.words - bag.names)
    held: set[Trait] = {("held", word) for word in held_by(bag)}
    if may_be_single(bag):
        held |= {("at", bag.verb, bag.subject), ("at", bag.verb, _ANYTHING)}
    shows |= held
    seeks |= held
    if may_move(bag):
        shows.add(("about", bag.subject))
    if bag.moves:
        seeks.add(("about", bag.subject))
    if "than" in bag.limits and bag.words:
        seeks.add(_met(_rarest(bag.words)))


def _topical(words: frozenset[str], bag: Gist) -> str:
    """The rarest of the words, if it may be one that is no name of the entity that all is about."""
    return _rarest({word for word in words - bag.names if not word[0].isdigit()} or words)


def _met(word: str) -> Trait:
    """That the other side says a word, or the same by another one."""
    return ("same", word) if word in OTHER_WORDS else ("begins", word[:5])


def _known(keys: Iterable[str]) -> Trait:
    """That the other side says all of these is seen by one of them; nouns are met by how they begin."""
    return "begins", _rarest(keys)[:5]


def _rarest(keys: Iterable[str]) -> str:
    """The longest: long words are rare. Any of them would do."""
    return max(keys, key=lambda key: (len(key), key))
