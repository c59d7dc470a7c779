"""Seals: digests of messages, memories and facts that the chained history records, and what they tell of a thing later.

A digest covers a random salt that stands on the thing alone. Who alters a thing with its own hashes would have to alter
the history too, whose chain then breaks; and once a thing is erased, its salt is gone, and its digest tells nothing.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal, get_args

from graphmem.model.knowledge import MemoryType
from graphmem.model.sealing import FactSources, LookedAtFact, LookedAtMemory, SaidMessage, Seal
from graphmem.rules.language.keys import canonical_json, content_key, fact_key, normalised, sha256_hex

SEALED = "content_sealed"
"""The kind of the events that hold seals; their subject is what they seal."""
MERGED = "entity_merged"
AT_ODDS = ""
"""The seal of a fact whose key did not match its content by then: it vouches for nothing."""
ALTERED = "altered"
"""Why a fact is in quarantine: a person may bring it back, no feedback and no roll-back does."""
Standing = Literal["unsealed", "whole", "altered"]
FactFault = Literal["key", "altered", "unsure"]


def message_digest(said: SaidMessage, salt: str) -> str:
    """128 bits in hex: two messages that differ in what a seal covers do not share them."""
    return _digest(salt, said.id, said.role, said.name, said.created_at, said.sha256, said.fingerprint)


def memory_digest(memory: LookedAtMemory, salt: str) -> str:
    """As `message_digest`."""
    return _digest(salt, memory.id, memory.type, memory.content)


def fact_digest(fact: LookedAtFact, salt: str) -> str:
    """As `message_digest`. The entity is left out: a merge changes it."""
    return _digest(salt, fact.id, fact.aspect, fact.kind, fact.content)


def _digest(*covered: object) -> str:
    return sha256_hex(canonical_json(covered))[:32]


def sealed_message(said: SaidMessage, salt: str) -> Seal:
    return Seal(said.id, salt, said.sha256, message_digest(said, salt))


def sealed_memory(memory: LookedAtMemory, salt: str) -> Seal:
    """As `sealed_fact`."""
    digest = memory_digest(memory, salt) if keeps_key(memory) else AT_ODDS
    return Seal(memory.id, salt, memory.content, digest)


def keeps_key(memory: LookedAtMemory) -> bool:
    """Whether the key of a memory is that of its words; one that another says has none."""
    return memory.content_key in (None, content_key(memory.content))


def sealed_fact(fact: LookedAtFact, salt: str) -> Seal:
    """The seal of a fact as it is now, which vouches for nothing where its key says that it was altered before."""
    key = fact.active_key if fact.status == "active" else fact.cold_key
    at_odds = key != fact_key(fact.entity_id, fact.content) and (key is not None or fact.status == "active")
    return Seal(fact.id, salt, fact.content, AT_ODDS if at_odds else fact_digest(fact, salt), fact.entity_id)


def told_of(seals: Sequence[Seal]) -> str:
    """What the event of some seals says: JSON."""
    entities = {one.id: one.entity_id for one in seals if one.entity_id is not None}
    digests = {one.id: one.digest for one in seals}
    return json.dumps({"sealed": len(seals), "digests": digests} | ({"entities": entities} if entities else {}))


class Seals:
    """What the history of an agent seals. Things are looked up once each; those that nobody looked up are gone.

    Of several digests of one thing all must hold: a later event cannot talk an earlier one round.
    """

    def __init__(self) -> None:
        self._digests: dict[str, list[str]] = {}
        self._entities: dict[str, set[str]] = {}
        self._into: dict[str, str] = {}
        self._unseen: set[str] = set()

    def add(self, after: Mapping[str, Any]) -> None:
        """Take in an event of seals."""
        for id_, digest in after["digests"].items():
            self._unseen.add(id_)
            if digest != AT_ODDS:
                self._digests.setdefault(id_, []).append(digest)
        for id_, entity_id in after.get("entities", {}).items():
            if id_ in self._digests:
                self._entities.setdefault(id_, set()).add(entity_id)

    def merge(self, from_id: str, into_id: str) -> None:
        """Take in that an entity was merged into another; a fact of one may be one of the other, then and since."""
        self._into[self._root(from_id)] = self._root(into_id)

    def of_message(self, said: SaidMessage, salt: str | None) -> Standing:
        self._unseen.discard(said.id)
        return self._standing(said.id, salt and message_digest(said, salt))

    def of_memory(self, memory: LookedAtMemory) -> Standing:
        self._unseen.discard(memory.id)
        return self._standing(memory.id, memory.salt and memory_digest(memory, memory.salt))

    def of_fact(self, fact: LookedAtFact) -> Standing:
        self._unseen.discard(fact.id)
        if not self.says(fact):
            return "altered"
        if fact.id not in self._digests:
            return "unsealed"
        return "whole" if self.entity_of(fact) == fact.entity_id else "altered"

    def says(self, fact: LookedAtFact) -> bool:
        """Whether no seal contradicts what the fact says."""
        return self._standing(fact.id, fact.salt and fact_digest(fact, fact.salt)) != "altered"

    def vouches_for(self, id_: str) -> bool:
        """Whether there is a seal of a thing."""
        return id_ in self._digests

    def entity_of(self, fact: LookedAtFact) -> str:
        """Whose fact it is: its own word, unless the seals say otherwise."""
        sealed = self._entities.get(fact.id, set())
        roots = {self._root(one) for one in sealed}
        return fact.entity_id if not sealed or roots == {self._root(fact.entity_id)} else min(sealed)

    def gone(self, erased: Collection[str]) -> list[str]:
        """What was sealed, was not looked up and was not erased, sorted."""
        return sorted(self._unseen.difference(erased))

    def _standing(self, id_: str, digest: str | None) -> Standing:
        sealed = self._digests.get(id_)
        if not sealed:
            return "unsealed"
        return "whole" if all(one == digest for one in sealed) else "altered"

    def _root(self, entity_id: str) -> str:
        while (into := self._into.get(entity_id, entity_id)) != entity_id:
            entity_id = into
        return entity_id


def wanted_key(fact: LookedAtFact) -> str | None:
    """The key a fact should have: only active facts have one, so that each is stored once."""
    return fact_key(fact.entity_id, fact.content) if fact.status == "active" else None


def fault_of(fact: LookedAtFact, standing: Standing) -> FactFault | None:
    """What is wrong with a fact: it says something else than it said, or has another key than it should. Unsure where
    only its sources can tell whether it may have the key of what it says."""
    if fact.quarantined:
        return None
    if standing == "altered":
        return "altered"
    wanted = wanted_key(fact)
    if fact.active_key == wanted:
        return None
    return "key" if wanted is None or standing == "whole" else "unsure"


def confirmed(fact: LookedAtFact, sources: FactSources) -> bool:
    """Whether a statement says the fact, which itself has the key of its words, and is from messages as they came."""
    said = f" {normalised(fact.content)} "
    return any(
        one.whole and content_key(one.content) == one.content_key and said in f" {normalised(one.content)} "
        for one in sources.statements
    )


def original_of(fact: LookedAtFact, sources: FactSources, seals: Seals) -> LookedAtFact | None:
    """The fact as it was, where something that is there still says so: what its seal proves, else what its key does.

    A key is that of folded words: restored by it, a fact may differ in capitals and final points from what it was.
    """
    contents = dict.fromkeys((*_texts(sources), fact.content))
    if seals.vouches_for(fact.id):
        whose = replace(fact, entity_id=seals.entity_of(fact))
        aspects = dict.fromkeys((fact.aspect, *(name for name, _ in sources.hung)))
        tried: Iterable[LookedAtFact] = (
            replace(whose, content=content, aspect=aspect, kind=kind)
            for content, aspect, kind in product(contents, aspects, ("attribute", "constraint"))
        )
        return next((one for one in tried if seals.says(one)), None)
    key = fact.active_key if fact.status == "active" else fact.cold_key
    entities = dict.fromkeys((fact.entity_id, *(entity_id for _, entity_id in sources.hung)))
    tried = (replace(fact, content=c, entity_id=e) for c, e in product(contents, entities))
    return next((one for one in tried if fact_key(one.entity_id, one.content) == key), None)


def original_memory(memory: LookedAtMemory, texts: Sequence[str], seals: Seals) -> LookedAtMemory | None:
    """As `original_of`."""
    if seals.vouches_for(memory.id):
        types = dict.fromkeys((memory.type, *get_args(MemoryType)))
        tried = (replace(memory, content=c, type=t) for c, t in product((memory.content, *texts), types))
        return next((one for one in tried if seals.of_memory(one) == "whole"), None)
    found = next((text for text in texts if content_key(text) == memory.content_key), None)
    return replace(memory, content=found) if found else None


def _texts(sources: FactSources) -> Iterator[str]:
    yield from sources.texts
    for one in sources.statements:
        yield one.content
        yield from one.texts
