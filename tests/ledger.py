"""What the rules of the service keep of what is said to them one after the other, without a graph or a clock."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.change import Change
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.model.inputs import Remember
from graphmem.model.parsed import ParsedText
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.claims import holding, left, main_topic, main_value, packed, topics, unpacked
from graphmem.rules.extraction import extract
from graphmem.rules.keeping.drafts import Place, Setting, Whole, draft, draft_remembered
from graphmem.rules.language.own_words import own_words
from graphmem.rules.reading.as_read import as_read
from graphmem.rules.supersession import with_confirmations, with_supersessions

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
STEP = timedelta(hours=5)
PARSER = SpacyParser()
_PARSED: dict[str, ParsedText] = {}


def parsed_at_once(texts: Iterable[str]) -> None:
    """Parse texts that are said later: many at once take half the time."""
    new = sorted({as_read(text).text for text in texts} - _PARSED.keys())
    _PARSED.update(zip(new, PARSER.parse(new), strict=True))


class Ledger:
    """Facts as `services.knowledge.learning` keeps them: extracted, drafted, confirmed, compared with the active facts
    of their entities and with those that the store finds by topic and value."""

    def __init__(self) -> None:
        self.facts: list[ActiveFact] = []
        self._known: dict[str, KnownEntity] = {}
        self._numbers = count()
        self._now = START

    @property
    def active(self) -> list[ActiveFact]:
        return [fact for fact in self.facts if fact.superseded_by is None]

    def say(self, text: str, *, remembered: bool) -> None:
        """Say something in a message, or give it to `remember`."""
        self._now += STEP
        text = as_read(text if remembered else own_words(text)).text
        parsed_at_once([text])
        message = SourceMessage(role="user", text=text, created_at=self._now)
        change = self._drafted(text, extract([message], [_PARSED[text]], known=self._known.keys()), remembered)
        known = [self._known[row.canonical] for row in change.entities if row.canonical in self._known]
        found = self._found(change, {one.id for one in known})
        if remembered:
            change = with_confirmations(change, known, found, self._now)
        change = with_supersessions(
            change, known, found, min_confidence=0.7, shadow=False, new_id=self._new_id, now=self._now
        )
        self._keep(change)

    def _drafted(self, text: str, drawn: Extraction, remembered: bool) -> Change:
        if remembered:
            whole = Whole(holding(drawn.claims, self._now))
            return draft_remembered(Remember(content=text), drawn, Setting(None, None, self._now), self._new_id, whole)
        return draft(drawn, [Place("m", self._now)], Setting(None, "s", self._now), self._new_id)

    def _found(self, change: Change, entities: set[str]) -> list[ActiveFact]:
        told = [claim for row in change.attributes for claim in row.claims]
        about, gone = frozenset[str]().union(*map(topics, told)), frozenset[str]().union(*map(left, told))
        return [
            fact
            for fact in self.active
            if fact.entity_id in entities
            or main_topic(unpacked(fact.claims)) in about
            or main_value(unpacked(fact.claims)) in gone
        ]

    def _keep(self, change: Change) -> None:
        for row in change.entities:
            entity = KnownEntity(row.canonical, row.canonical, row.canonical, row.name, row.type, pinned=False)
            self._known.setdefault(row.canonical, entity)
        there = {(fact.entity_id, fact.content) for fact in self.active}
        new = [
            ActiveFact(
                id=row.id,
                entity_id=row.entity,
                aspect=row.aspect,
                content=row.content,
                kind=row.kind,
                claim_key=row.claim_key,
                confidence=row.confidence,
                explicit=row.explicit,
                pinned=row.pinned,
                valid_from=row.valid_from,
                created_at=self._now,
                claims=packed(row.claims) if row.claims else None,
                said_at=row.said_at,
                session_ids=row.session_ids,
            )
            for row in change.attributes
            if (row.entity, row.content) not in there
        ]
        retired = {row.old: row.new for row in (*change.applied, *change.moved)}
        self.facts = [
            replace(fact, superseded_by=retired[fact.id]) if fact.id in retired else fact
            for fact in (*self.facts, *new)
        ]

    def _new_id(self) -> str:
        return f"{next(self._numbers):06}"
