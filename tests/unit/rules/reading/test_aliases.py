"""One thing told by two names is one entity with both."""

import pytest

from api.extracting import draw
from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction
from graphmem.model.inputs import NewMessage
from graphmem.settings import load_settings

PARSER = SpacyParser()


def found(*texts: str) -> Extraction:
    messages = [NewMessage(role="user", content=text) for text in texts]
    return draw(messages, None, PARSER, load_settings().extraction_limits)


def names(*texts: str) -> set[tuple[str, str]]:
    return {(entity.name, other) for entity in found(*texts).entities for other in entity.stated}


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("Osprey, also known as the tariff service, uses MySQL.", "Osprey", "tariff service"),
        ("The tariff service (aka tarry) runs on port 7001.", "tariff service", "tarry"),
        ("Our label printer, formerly called Quill, uses CUPS.", "label printer", "Quill"),
        ("Theodore Marsh, or Theo for short, leads the sales team.", "Theodore Marsh", "Theo"),
        ("Theodore Marsh (short Theo) leads the sales team.", "Theodore Marsh", "Theo"),
        ("We call the tariff service Osprey.", "tariff service", "Osprey"),
        ("We renamed Quill to Nib.", "Nib", "Quill"),
        ("quill-api was renamed to nib-api.", "nib-api", "quill-api"),
        ("Philippa goes by Pip.", "Philippa", "Pip"),
        ("The old name of Nib is Quill.", "Nib", "Quill"),
        ("Philippa's nickname is Pip.", "Philippa", "Pip"),
        ("Eastern Harbour Works (EHW) runs on SAP.", "Eastern Harbour Works", "EHW"),
        ("quill-api is the same service as nib-api.", "quill-api", "nib-api"),
    ],
)
def test_ways_to_tell_another_name(text: str, name: str, other: str) -> None:
    assert names(text) == {(name, other)}


@pytest.mark.parametrize(
    "text",
    [
        "Philippa is not called Pip.",
        "The tariff service is called every minute.",
        "The tariff service calls Stripe.",
        "We use the scheduler, known for its bugs.",
        "Philippa, formerly at Siemens, leads the sales team.",
        "We moved to Postgres, previously MariaDB was used.",
        "Philippa is known as a good cook.",
        "Philippa and Theo are the same age.",
        "I go by Pip.",
        "We use Redis (or Valkey) for that, people call it fast.",
        "Redis, or Valkey, is the cache of the tariff service.",
        "My cat is called Biscuit.",
    ],
)
def test_no_other_name_is_told_by(text: str) -> None:
    assert names(text) == set()


def test_facts_told_by_either_name_are_of_one_entity() -> None:
    said = found(
        "Quill, also known as the label printer, uses CUPS.", "The label printer is owned by Omar.", "Quill uses Redis."
    )
    assert {edge.target for edge in said.dependencies if edge.source == "Quill"} == {"CUPS", "Omar", "Redis"}
    assert "label printer" not in {entity.name for entity in said.entities}
    assert "CUPS" not in {entity.name for entity in said.entities if entity.stated}


def test_the_other_name_keeps_its_place_in_the_message() -> None:
    text = "Philippa goes by Pip."
    (entity,) = (one for one in found(text).entities if one.stated)
    assert {text[one.start : one.end] for one in entity.mentions} == {"Philippa", "Pip"}
