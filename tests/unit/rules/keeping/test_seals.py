"""What a seal tells of a thing later, and what talks it round: nothing."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from graphmem.model.sealing import FactSources, LookedAtFact, Statement
from graphmem.rules.keeping.seals import (
    AT_ODDS,
    Seals,
    confirmed,
    fault_of,
    original_of,
    sealed_fact,
    told_of,
)
from graphmem.rules.language.keys import content_key, fact_key
from graphmem.rules.privacy.payloads import Outgoing, as_it_came, whole

SAYS = "Depot closes at nine."
FACT = LookedAtFact(
    id="t",
    entity_id="depot",
    aspect="hours",
    kind="attribute",
    content=SAYS,
    status="active",
    active_key=fact_key("depot", SAYS),
    cold_key=None,
    salt="s",
    quarantined=False,
)
SUPERSEDED = replace(FACT, status="superseded", active_key=None)


def sealing(*facts: LookedAtFact) -> Seals:
    seals = Seals()
    for fact in facts:
        seals.add(json.loads(told_of([sealed_fact(fact, fact.salt or "s")])))
    return seals


def forged(fact: LookedAtFact, **how: object) -> LookedAtFact:
    """Altered, with the key of its words."""
    made = replace(fact, **how)  # type: ignore[arg-type]
    return replace(made, active_key=fact_key(made.entity_id, made.content)) if made.status == "active" else made


@pytest.mark.parametrize("fact", [FACT, SUPERSEDED])
@pytest.mark.parametrize(
    "how",
    [{"content": "Depot never closes."}, {"kind": "constraint"}, {"aspect": "x"}, {"entity_id": "x"}, {"salt": None}],
)
def test_whatever_of_a_sealed_fact_is_altered_is_found(fact: LookedAtFact, how: dict[str, object]) -> None:
    assert sealing(fact).of_fact(fact) == "whole"
    assert sealing(fact).of_fact(forged(fact, **how)) == "altered"


def test_a_later_seal_or_one_at_odds_talks_no_seal_round() -> None:
    other = forged(FACT, content="Depot never closes.", salt="other")
    assert sealing(FACT, other).of_fact(other) == "altered"
    assert sealing(FACT, replace(other, active_key="x")).of_fact(other) == "altered"


def test_what_is_at_odds_with_its_key_gets_a_seal_that_vouches_for_nothing() -> None:
    for odd in (replace(FACT, active_key="x"), replace(FACT, active_key=None), replace(SUPERSEDED, cold_key="x")):
        assert sealed_fact(odd, "s").digest == AT_ODDS
        assert sealing(odd).of_fact(odd) == "unsealed"
    assert fault_of(replace(FACT, active_key="x"), "unsealed") == "unsure"
    assert fault_of(replace(FACT, active_key="x"), "whole") == "key"
    assert fault_of(replace(SUPERSEDED, active_key="x"), "unsealed") == "key", "to take a key away makes nothing true"


def test_a_merge_moves_facts_and_nothing_else_does() -> None:
    seals = sealing(FACT)
    seals.merge("depot", "station")
    seals.merge("station", "hub")
    assert seals.of_fact(forged(FACT, entity_id="hub")) == "whole"
    assert seals.of_fact(forged(FACT, entity_id="vault")) == "altered"
    assert seals.entity_of(forged(FACT, entity_id="vault")) == "depot"


def test_what_was_sealed_and_is_not_met_is_gone_unless_it_was_erased() -> None:
    seals = sealing(FACT, replace(FACT, id="u"))
    seals.of_fact(FACT)
    assert seals.gone(()) == ["u"]
    assert seals.gone({"u"}) == []


@pytest.mark.parametrize(
    ("words", "key", "whole_", "sure"),
    [
        (f"So {SAYS}", None, True, True),
        ("So Depot closes at ninety.", None, True, False),
        ("Depot opens at nine.", None, True, False),
        (f"So {SAYS}", "x", True, False),
        (f"So {SAYS}", None, False, False),
    ],
)
def test_only_a_statement_that_is_as_it_was_confirms_a_fact(
    words: str, key: str | None, whole_: bool, sure: bool
) -> None:
    said = Statement(words, key or content_key(words), (), whole=whole_)
    assert confirmed(FACT, FactSources((), (said,), ())) == sure


def test_the_original_is_what_the_seal_proves_else_the_key() -> None:
    lie = forged(FACT, content="Depot never closes.", entity_id="vault", kind="constraint")
    sources = FactSources(("depot closes at nine", SAYS), (), (("hours", "depot"),))
    found = original_of(lie, sources, sealing(FACT))
    assert found == replace(FACT, active_key=lie.active_key)
    assert original_of(lie, FactSources(("Depot never closes.",), (), ()), sealing(FACT)) is None
    unkeyed = replace(FACT, content="Depot never closes.")
    assert original_of(unkeyed, sources, Seals()) == replace(FACT, content="depot closes at nine")
    assert original_of(replace(unkeyed, active_key="x"), sources, Seals()) is None


def test_a_message_is_put_together_again_however_often_it_was_made_lighter() -> None:
    out = Outgoing()
    arrived = out.inline("see data:text/plain;base64," + "QUJD" * 64 + " and more")
    later = Outgoing()
    lighter = later.inline(arrived.replace("and more", "data:text/plain;base64," + "REVG" * 64))
    original = arrived.replace("and more", "data:text/plain;base64," + "REVG" * 64)
    emptied, placeholder = whole(lighter, "text/plain")
    held = {one.sha256: one.data for one in (*out.payloads, *later.payloads, emptied)}
    proof = sha256(original.encode()).hexdigest()
    assert as_it_came(placeholder, "text", held, proof)
    assert as_it_came(lighter, "text", held, proof)
    assert not as_it_came(f"{placeholder} not", "text", held, proof)
    assert not as_it_came("anything", "text", held, proof)
    parts = f'[{{"text":"{placeholder}","type":"text"}}]'
    assert as_it_came(parts, "parts", held, sha256(lighter.encode()).hexdigest()), "moved as a whole"
