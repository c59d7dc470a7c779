"""Who needs whom, as whole messages say it."""

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction.extraction import extract

PARSER = SpacyParser()


def read(*texts: str, project: str | None = None) -> Extraction:
    messages = [SourceMessage(role="user", text=text, name="Lena") for text in texts]
    return extract(messages, PARSER.parse(list(texts)), project=project)


def arrows(found: Extraction) -> set[str]:
    return {f"{edge.source} {edge.type} {edge.target}" for edge in found.dependencies}


def test_what_a_plural_noun_belongs_to_is_the_project() -> None:
    assert arrows(read("uploads go to MinIO.", project="heron")) == {"heron uses MinIO"}


def test_it_means_what_the_message_before_asked_about() -> None:
    found = read("Where does quote-api keep its sessions?", "For a year now it keeps them in Redis.")
    assert arrows(found) == {"quote-api uses Redis"}


def test_a_list_entry_is_said_of_the_name_that_it_opens_with() -> None:
    assert "quote-api uses Caddy" in arrows(read("`quote-api` — computes prices, served by Caddy"))


def test_what_is_mine_is_owned_by_who_speaks() -> None:
    assert arrows(read("quote-api is mine.")) == {"quote-api owned_by Lena"}
