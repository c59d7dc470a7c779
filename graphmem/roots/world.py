"""What all subjects share: the settings, the database, the models, and the files beside the graph."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from graphmem.adapters.language_model import EndpointModel, ModelSettings
from graphmem.adapters.parsing import SpacyParser
from graphmem.adapters.payloads import PayloadFiles
from graphmem.adapters.reranking import EndpointReranker, RerankSettings
from graphmem.graph.connection import Database
from graphmem.model.answers import DatabaseInfo
from graphmem.opening import make_room
from graphmem.services.ports import Embedder, LanguageModel, Reranker
from graphmem.settings import Settings


@dataclass(frozen=True)
class World:
    """`model` and `reranker` are None where the settings ask for none; `answering_model` is `model` unless the settings
    set one apart for answers."""

    settings: Settings
    database: Database
    info: DatabaseInfo
    embedder: Embedder
    parser: SpacyParser
    payload_files: PayloadFiles
    model: LanguageModel | None
    answering_model: LanguageModel | None
    reranker: Reranker | None

    @classmethod
    def of(cls, settings: Settings, database: Database, embedder: Embedder, info: DatabaseInfo) -> Self:
        model = make_model(settings)
        return cls(
            settings=settings,
            database=database,
            info=info,
            embedder=embedder,
            parser=SpacyParser(),
            payload_files=PayloadFiles(payload_folder(settings), make_room(settings).require),
            model=model,
            answering_model=make_expansion_model(settings) or model,
            reranker=make_reranker(settings),
        )

    async def close(self) -> None:
        if self.model:
            await self.model.close()
        if self.answering_model and self.answering_model is not self.model:
            await self.answering_model.close()
        if self.reranker:
            await self.reranker.close()
        await self.embedder.close()
        await self.database.close()


def make_model(settings: Settings) -> LanguageModel | None:
    """The language model the settings ask for; None where they ask for none."""
    if not settings.model_url:
        return None
    return EndpointModel(
        ModelSettings(
            url=settings.model_url,
            names=settings.model_name,
            key=settings.model_key.get_secret_value() if settings.model_key else None,
            timeout_s=settings.model_timeout_s,
            retries=settings.model_retries,
            tokens_per_hour=settings.model_tokens_per_hour,
            tokens_per_day=settings.model_tokens_per_day,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def make_expansion_model(settings: Settings) -> LanguageModel | None:
    """The model that answers questions, where the settings set one apart; None where the one for all else does."""
    if not settings.expansion_model_name:
        return None
    main = settings.model_url if settings.expansion_model_url is None else settings.expansion_model_url
    assert main is not None  # noqa: S101 - the settings refuse a name without an address
    key = settings.expansion_model_key or (settings.model_key if settings.expansion_model_url is None else None)
    return EndpointModel(
        ModelSettings(
            url=main,
            names=settings.expansion_model_name,
            key=key.get_secret_value() if key else None,
            timeout_s=settings.expansion_timeout_s,
            retries=settings.model_retries,
            tokens_per_hour=settings.model_tokens_per_hour,
            tokens_per_day=settings.model_tokens_per_day,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def make_reranker(settings: Settings) -> Reranker | None:
    """The reranker the settings ask for; None where they ask for none."""
    if not settings.rerank_url:
        return None
    return EndpointReranker(
        RerankSettings(
            url=settings.rerank_url,
            model=settings.rerank_model,
            key=settings.rerank_key.get_secret_value() if settings.rerank_key else None,
            timeout_s=settings.rerank_timeout_s,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def payload_folder(settings: Settings) -> Path:
    return settings.data_dir / "payloads"
