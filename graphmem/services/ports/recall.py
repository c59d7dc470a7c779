"""Finding what answers a question, and the changes of feedback."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from graphmem.model.answering import NearMessage
from graphmem.model.answers import FilterName, UnreadSession
from graphmem.model.caller import Caller
from graphmem.model.exploring import Neighbour
from graphmem.model.feedback import FadedRow, FeedbackReceipt, GiveFeedback, GivenStanding
from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import Attribute
from graphmem.model.lattice import Member, PlacedTurn, TurnPlace
from graphmem.model.stored import (
    Filters,
    FoundText,
    GrepCandidate,
    GrepFilters,
    GrepKind,
    GrepPlace,
    Moment,
    OnEntity,
    ReadText,
    Said,
    WithoutGrams,
)
from graphmem.model.turns import Turn
from graphmem.services.ports.world import NewId


class Retrieval(Protocol):
    """Finding texts."""

    async def near(
        self, agent_id: str, vector: Sequence[float], filters: Filters, limits: Mapping[HitKind, int]
    ) -> dict[HitKind, list[str]]: ...
    async def matching(
        self, agent_id: str, query: str, filters: Filters, limits: Mapping[HitKind, int]
    ) -> dict[HitKind, list[str]]: ...
    async def unread_sessions(self, agent_id: str) -> list[UnreadSession]: ...
    async def known_filters(self, agent_id: str, given: Mapping[FilterName, str]) -> set[FilterName]: ...
    async def read_texts(
        self,
        agent_id: str,
        ids: Mapping[HitKind, Sequence[str]],
        vector: Sequence[float] | None,
        filters: Filters,
        chars: int,
    ) -> list[tuple[HitKind, ReadText]]: ...
    async def cold(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        terms: Sequence[str],
        query: str,
        vector: Sequence[float] | None,
        filters: Filters,
        limit: int,
    ) -> dict[HitKind, list[ReadText]]: ...
    async def found(self, agent_id: str, ids: Mapping[HitKind, Sequence[str]], when: Moment) -> list[FoundText]: ...
    async def on_entities(
        self, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
    ) -> list[OnEntity]: ...


class AnswerReads(Protocol):
    """Messages with their direct neighbours."""

    async def around(self, agent_id: str, ids: Sequence[str], when: Moment) -> list[NearMessage]: ...


if TYPE_CHECKING:  # rules that take long to import, and that no caller of these needs
    from graphmem.rules.recall.expansion import FactInShort


class ExpansionReads(Protocol):
    """Facts of an entity in short form, then in full those that are shown."""

    async def facts_in_short(
        self,
        agent_id: str,
        id_: str,
        aspect: str | None,
        vector: Sequence[float] | None,
        limit: int,
        when: Moment,
        *,
        superseded: bool,
    ) -> "list[FactInShort]": ...
    async def facts_whole(
        self, agent_id: str, id_: str, fact_ids: Sequence[str], when: Moment, *, superseded: bool
    ) -> list[Attribute]: ...


class Neighbours(Protocol):
    async def neighbours(self, agent_id: str, entity_id: str, now: datetime, *, cold: bool) -> list[Neighbour]: ...


if TYPE_CHECKING:  # rules that take long to import, and that no caller of these needs
    from graphmem.rules.lattice.terms import Term


class LatticeReads(Protocol):
    async def turns(
        self, agent_id: str, session_id: str | None, terms: "Sequence[Term]", after: TurnPlace, limit: int
    ) -> list[PlacedTurn]: ...
    async def members(
        self, agent_id: str, session_id: str | None, sets: "Sequence[Sequence[Term]]", limit: int
    ) -> list[Member]: ...
    async def vectors(self, agent_id: str, ids: Sequence[str]) -> dict[str, list[float]]: ...
    async def turns_of(self, agent_id: str, ids: Sequence[str]) -> dict[str, Turn]: ...


class FeedbackRecords(Protocol):
    async def give(self, caller: Caller, given: GiveFeedback, new_id: NewId, now: datetime) -> FeedbackReceipt: ...


class FadingStandings(Protocol):
    async def agent_after(self, agent_id: str) -> str | None: ...
    async def session_ends(self, agent_id: str, limit: int) -> list[datetime]: ...
    async def standings(self, agent_id: str, after: str, limit: int) -> tuple[str | None, list[GivenStanding]]: ...
    async def fade(self, agent_id: str, rows: Sequence[FadedRow], new_id: NewId, now: datetime) -> list[str]: ...


class GrepTexts(Protocol):
    """Texts by the grams in them, and newest first."""

    async def counts(self, agent_id: str, queries: Mapping[GrepKind, Sequence[str]], bound: int) -> list[int]: ...
    async def matching(
        self,
        agent_id: str,
        queries: Mapping[GrepKind, str],
        filters: GrepFilters,
        before: GrepPlace,
        *,
        scan: int,
        best: int,
        chars: int,
        limit: int,
    ) -> list[GrepCandidate]: ...
    async def newest(
        self, agent_id: str, from_: datetime | None, before: GrepPlace, *, chars: int, limit: int
    ) -> list[GrepCandidate]: ...
    async def texts(self, agent_id: str, ids: Sequence[str]) -> dict[str, Said]: ...
    async def items(self, agent_id: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]: ...
    async def without_grams(self, limit: int) -> list[WithoutGrams]: ...
    async def store_grams(self, grams: Mapping[str, str]) -> int: ...
