"""By what statements are found that can contradict each other at all (`rules.contradiction.candidates`).

Each signal of `rules.contradiction.detector` needs something that both statements have: a verb with one value, opposite
words, a frame up to the verb, what one of them ends. A statement *shows* such traits and *seeks* them; two of which
neither shows what the other seeks contradict in no order and at no time apart, and need never be compared."""

import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.alike import OTHER_WORDS
from graphmem.rules.contradiction.antonyms import sides
from graphmem.rules.contradiction.assertions import MAX_CHARS, Clause, read
from graphmem.rules.contradiction.detector import MARKERS, MAX_WORDS
from graphmem.rules.contradiction.differences import NAMED, PREFIXES, amounts_of, verbs_at
from graphmem.rules.contradiction.endings import ending_of, leaving_of, only_of
from graphmem.rules.contradiction.essence import tellings
from graphmem.rules.contradiction.exclusion import (
    GONE_NOW,
    LIFE,
    OF_AMOUNTS,
    WHEN,
    held_by,
    may_be_single,
    may_move,
    roots,
    sorts_of,
    wider_of,
)
from graphmem.rules.contradiction.gists import ROOT, Gist, gist
from graphmem.rules.contradiction.laying import SCRIPTED, Laid, lay
from graphmem.rules.contradiction.states import REPLACED, states
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import fold

Trait = str | tuple[Hashable, ...]
_ANYTHING = "anything"
_MARKS = frozenset(map(stem, MARKERS))
_SUBJECTS = single.ANY_VALUE | single.NAMED_VALUE
_PARTING = ("broke up", "split up", "broken up", "parted ways", "separated", "divorced")
_TYPES = frozenset(word[:ROOT] for word in table.TYPE_WORDS)
_CARRIED = table.PREPOSITIONS | table.WEEKDAYS | {"be", NAMED}


_SIGN_BYTES = 8
_COUNT = struct.Struct("<H")


@dataclass(frozen=True, slots=True)
class Traits:
    """What a statement shows to others, and what it looks for in them: numbers of 32 bits, the same in every process.
    Two traits that have one number by chance have two statements compared in vain."""

    shows: frozenset[int]
    seeks: frozenset[int]


@lru_cache(maxsize=4_096)
def traits_of(content: str) -> Traits:
    """What a statement shows and seeks, in whatever words it can be told.

    >>> one, other, third = map(traits_of, ("Ana lives in Rome", "Ana lives in Oslo", "Ana likes tea"))
    >>> bool(one.seeks & other.shows), bool(one.seeks & third.shows or third.seeks & one.shows)
    (True, False)
    """
    told = tellings(content[:MAX_CHARS])
    parts = [_of_telling(one) for one in told]
    if len(parts) == 1:
        return parts[0]
    nothing = frozenset[int]()
    return Traits(nothing.union(*(part.shows for part in parts)), nothing.union(*(part.seeks for part in parts)))


def pack(content: str, rules: str) -> bytes:
    """The traits of a statement to be kept beside it, about 200 bytes. `rules` names the code that finds them."""
    traits = traits_of(content)
    shows = sorted(traits.shows)
    numbers = struct.pack(f"<{len(shows) + len(traits.seeks)}I", *shows, *sorted(traits.seeks))
    return _sign(content, rules) + _COUNT.pack(len(shows)) + numbers


def unpack(packed: bytes | None, content: str, rules: str) -> Traits | None:
    """What `pack` made of the same content by the same rules, None for all else: then it is to be found anew.

    >>> unpack(pack("Ana likes tea", "1"), "Ana likes tea", "1") == traits_of("Ana likes tea")
    True
    >>> unpack(pack("Ana likes tea", "1"), "Ana likes tea", "2") is None
    True
    """
    if not packed or packed[:_SIGN_BYTES] != _sign(content, rules):
        return None
    (count,) = _COUNT.unpack_from(packed, _SIGN_BYTES)
    start = _SIGN_BYTES + _COUNT.size
    numbers = struct.unpack_from(f"<{(len(packed) - start) // 4}I", packed, start)
    return Traits(frozenset(numbers[:count]), frozenset(numbers[count:]))


def _sign(content: str, rules: str) -> bytes:
    return blake2b(content.encode(), key=rules.encode(), digest_size=_SIGN_BYTES).digest()


def _of_telling(content: str) -> Traits:
    clauses, laid = read(content), lay(content)
    shows: set[Trait] = {_ANYTHING}
    seeks: set[Trait] = set()
    for clause in clauses:
        _add_clause(clause, shows, seeks)
    if len(laid.keys) <= MAX_WORDS:
        _add_laid(laid, shows, seeks)
    for state in states(content):
        shows.add(("state", state.relation))
        if state.changed or (state.relation not in REPLACED and not state.weak):
            seeks.add(("state", state.relation))
    about = frozenset[str]().union(*(clause.subject for clause in clauses))
    _add_gist(gist(content), about, shows, seeks)
    if any(words in fold(content) for words in _PARTING):
        seeks.add(_ANYTHING)
    return Traits(frozenset(map(_number, shows)), frozenset(map(_number, seeks)))


def _number(trait: Trait) -> int:
    return crc32(repr(trait).encode())


def _key(words: Iterable[str]) -> Trait:
    """Words as one part of a trait, in an order that is the same in every process."""
    return tuple(sorted(words))


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
        shows |= {(trait, _key(subject)), (trait, _ANYTHING)}
        seeks |= {(trait, _key(subject)), (trait, ())} if subject else {(trait, _ANYTHING)}


def _values(clause: Clause) -> Iterator[Trait]:
    """What two clauses share that give different values of the same."""
    if not clause.head:
        return
    if clause.slot:
        yield "slot", clause.verb, _key(clause.slot)
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
    shows.update(("front", laid.keys[:end]) for end in range(1, len(laid.keys) + 1))
    shows.add(("all", laid.keys, laid.denied % 2))
    seeks.add(("all", laid.keys, 1 - laid.denied % 2))
    if laid.keys and not laid.denied:
        _add_opposites(laid.keys[0], laid.said, shows, seeks)
        _add_turned(laid, shows, seeks)
        if not laid.past:
            _add_frames(laid, shows, seeks)
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
        shows.add(("amount", _key(rest)))
        seeks.add(("amount", _key(rest)))
    for verb in verbs_at(laid):
        if any(key in _CARRIED or key[0].isdigit() for key in laid.keys[verb:]):
            seeks.add(("front", laid.keys[: verb + 1]))
    for start, key in enumerate(laid.keys[:-1]):
        if key == "be" or key in single.HOLDERS:
            shows.add(("back", laid.keys[start:]))
            seeks.add(("back", laid.keys[start:]))


def _add_gist(bag: Gist, about: frozenset[str], shows: set[Trait], seeks: set[Trait]) -> None:
    """What two statements compared as bags need: a word of the topic, besides values of one kind. `about`: the words of
    its subjects, as its clauses tell them."""
    shows.update(("same", word) for word in bag.full if word in OTHER_WORDS)
    shows.update(("begins", word[:5]) for word in bag.full)
    shows.update(map(_met, wider_of(bag)))
    shows.update(("begins", word[2:7]) for word in bag.full if word.startswith("un"))
    for word in bag.full:
        if word.startswith(PREFIXES):
            turned = (word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix))
            seeks.update(_met(one) for one in turned if len(one) >= 4)
        if word.endswith("less"):
            seeks.add(_met(f"{word[:-4]}ful"))
    if bag.every and bag.words:
        seeks.add(_met(_rarest(bag.words)))
    lost = GONE_NOW.search(bag.said)
    if (bag.over or bag.denied % 2 or lost) and bag.full:
        # The subject may be left out on the other side, and when something ended too; all else is said there.
        said = frozenset(word for word in bag.words - bag.subject if bag.under.get(word) not in WHEN)
        if lost or not said:
            seeks.add(_met(_topical((bag.subject if lost else bag.words) or bag.full, bag)))
        if said:
            seeks.add(_met(_topical(said - about or said, bag)))
    for gone in bag.left[0] if bag.left else ():
        seeks |= {_met(gone), _met(gone.removesuffix("s"))}
    if bag.denied:
        return
    sorts: list[tuple[Hashable, frozenset[str]]] = [(kind, bag.words - {word}) for kind, (_, word) in bag.kinds.items()]
    amounts: set[Hashable] = {("amount of", sort) for sort in sorts_of(bag)}
    sorts += [(sort, roots(bag) - OF_AMOUNTS) for sort in amounts]
    subject = _key(bag.subject)
    life = {("life", kind, subject) for kind, (_, word) in bag.kinds.items() if word in LIFE}
    shows |= life | {("life", kind, _ANYTHING) for _, kind, _ in life}
    seeks |= {("life", kind, _ANYTHING if bag.bare else subject) for _, kind, _ in life}
    for sort, topic in sorts:
        own = (
            topic - bag.subject - {word[:ROOT] for word in bag.subject}
        )  # what one statement says of the entity itself, another may say without naming it
        shows.update((sort, word) for word in topic)
        if not own:
            shows.add((sort, _ANYTHING))
            seeks.add((sort, _ANYTHING))
        for words in (own,) if own - _TYPES and sort in amounts else (topic, own):
            if words:
                seeks.add((sort, _topical(words, bag)))
    if "only" in bag.adds:
        seeks.update(_met(word) for word in bag.words - bag.names)
    held: set[Trait] = {("held", word) for word in held_by(bag)}
    if may_be_single(bag):
        held |= {("at", bag.verb, subject), ("at", bag.verb, _ANYTHING)}
    shows |= held
    seeks |= held
    if may_move(bag):
        shows.add(("about", subject))
    if bag.moves:
        seeks.add(("about", subject))
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
