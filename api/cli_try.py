"""`graphmem try RULE`: a rule tried on JSON lines, without a service or a database.

Each line of the input is answered by one line, in order. A line that cannot be read is answered with its error, and the
rest continues: the answer to line n is line n.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from pydantic import BeforeValidator, Field, JsonValue, ValidationError, model_validator

from api.cli_try_lattice import LatticeTrial, lattice
from api.cli_try_recap import RECAP_RULES
from api.cli_try_turns import TURN_RULES
from api.try_gate import TriedGate, try_gate
from graphmem.errors import EntityNotFound, GraphmemError, InvalidInput, QueryInvalid
from graphmem.model.answers import AffectedEntity, ImpactReport
from graphmem.model.extraction import ExtractedAttribute, ExtractedDependency
from graphmem.model.inputs import ContradictionQuestion, ImpactQuestion, Name, NewDependency, NewMessage
from graphmem.model.knowledge import Dependency, Entity, NamedRef
from graphmem.model.value import Value
from graphmem.rules.contradiction import check
from graphmem.rules.impact import radius
from graphmem.rules.language.gazetteer import type_of_thing
from graphmem.rules.language.text import canonical_name
from graphmem.rules.privacy.globs import glob_match
from graphmem.rules.privacy.redaction import CATALOGUE, PatternName, pattern_names, redact_text, redact_value
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.adapters.parsing import SpacyParser

Json = dict[str, Any]


class Redact(Value):
    text: str | None = None
    tool_calls: JsonValue = None
    patterns: Annotated[tuple[PatternName, ...], BeforeValidator(pattern_names)] = CATALOGUE

    @model_validator(mode="after")
    def _one(self) -> "Redact":
        if len(self.model_fields_set & {"text", "tool_calls"}) != 1:
            raise ValueError("give text or toolCalls, one of the two")
        return self


class Glob(Value):
    patterns: tuple[Annotated[str, Field(min_length=1)], ...]
    session_id: str
    source: str | None = None


class Extract(Value):
    messages: Annotated[tuple[NewMessage, ...], Field(min_length=1, max_length=1000)]
    project: Name | None = None


class Impact(ImpactQuestion):
    dependencies: tuple[NewDependency, ...]


def _redact(given: Redact) -> Json:
    if given.text is not None:
        text, spans = redact_text(given.text, given.patterns)
        return {"text": text, "redactions": [asdict(span) for span in spans]}
    calls, found = redact_value(given.tool_calls, given.patterns)
    return {"toolCalls": calls, "redactions": [asdict(one) for one in found]}


def _glob(given: Glob) -> Json:
    pattern = glob_match(given.patterns, given.session_id, given.source)
    return {"match": pattern is not None, "pattern": pattern}


def _contradiction(given: ContradictionQuestion) -> Json:
    return check(given.old, given.new, load_settings().supersession_min_confidence).model_dump(mode="json")


def _extract(given: Extract) -> Json:
    """As the service would with an empty graph; `message`, `start` and `end` give the place of each piece."""
    from api.extracting import draw  # the parser takes a second to load

    found = draw(given.messages, given.project, _parser(), load_settings().extraction_limits)

    def told(one: ExtractedAttribute | ExtractedDependency) -> Json:
        source = found.statements[one.statement].source.model_dump(mode="json")
        return one.model_dump(mode="json", exclude={"statement", "kind"}) | source

    facts = {kind: [told(one) for one in found.attributes if one.kind == kind] for kind in ("attribute", "constraint")}
    return {
        "entities": [entity.model_dump(mode="json") for entity in found.entities],
        "attributes": facts["attribute"],
        "constraints": facts["constraint"],
        "dependencies": [told(one) for one in found.dependencies],
        "extractionLevel": found.level,
    }


@cache
def _parser() -> "SpacyParser":
    from graphmem.adapters.parsing import SpacyParser

    return SpacyParser()


def _impact(given: Impact) -> Json:
    """As the route would answer if there were only these dependencies; an entity's id is its canonical name."""
    if given.known_at:
        raise InvalidInput.at("knownAt", msg="asks what a store knew, and there is none here; asOf is understood")
    ends = dict.fromkeys(end for one in given.dependencies for end in (one.source, one.target))
    names = {canonical_name(end): end for end in reversed(ends)}
    start = canonical_name(given.entity_id)
    if start not in names:
        raise EntityNotFound(given.entity_id)
    edges = {(edge.source.id, edge.target.id, edge.type): edge for edge in _edges(given, names)}
    by_id = {edge.id: edge for edge in edges.values()}
    ways = ("upstream", "downstream") if given.direction == "both" else (given.direction,)
    walks = [{found.id: found for found in _walk(given, start, way, list(by_id.values()))} for way in ways]
    reached = radius.merge(walks)
    listed = radius.nearest(reached.values(), given.limit)
    affected = [
        AffectedEntity(
            id=found.id,
            name=names[found.id],
            type=type_of_thing(names[found.id]),
            depth=found.depth,
            confidence=found.confidence,
            weakest_edge=min((by_id[id_] for id_ in found.path), key=lambda edge: edge.confidence),
            path=tuple(by_id[id_] for id_ in found.path),
        )
        for found in listed
    ]
    entity = Entity(id=start, name=names[start], type=type_of_thing(names[start]))
    report: ImpactReport = radius.report(entity, given.direction, affected, len(reached), capped=False)
    return report.model_dump(mode="json")


def _edges(given: Impact, names: Mapping[str, str]) -> Iterator[Dependency]:
    now = datetime.now(UTC)
    held = (one for one in given.dependencies if one.valid_from is None or one.valid_from <= (given.as_of or now))
    for number, one in enumerate(held, 1):
        source, target = canonical_name(one.source), canonical_name(one.target)
        yield Dependency(
            id=f"dependency-{number:06}",
            source=NamedRef(id=source, name=names[source]),
            target=NamedRef(id=target, name=names[target]),
            type=one.type,
            confidence=1.0 if one.confidence is None else one.confidence,
            strength=0.5 if one.strength is None else one.strength,
            reason=one.reason,
            valid_from=one.valid_from or now,
            valid_to=None,
            message_ids=(),
            extraction_level=1,
        )


def _walk(given: Impact, start: str, way: str, dependencies: list[Dependency]) -> list[radius.Reached]:
    edges = [
        radius.Edge(
            one.id,
            *((one.target.id, one.source.id) if way == "upstream" else (one.source.id, one.target.id)),
            one.confidence,
        )
        for one in dependencies
        if one.confidence >= given.min_confidence and (given.types is None or one.type in given.types)
    ]
    return radius.radiate(start, edges, given.max_depth, given.min_path_confidence or 0.0)


@dataclass(frozen=True)
class Rule:
    takes: type[Value]
    answer: Callable[[Any], Json]


RULES: Mapping[str, Rule] = {
    "redact": Rule(Redact, _redact),
    "glob": Rule(Glob, _glob),
    "contradiction": Rule(ContradictionQuestion, _contradiction),
    "extract": Rule(Extract, _extract),
    "impact": Rule(Impact, _impact),
    "gate": Rule(TriedGate, try_gate),
    "lattice": Rule(LatticeTrial, lattice),
    **{name: Rule(takes, answer) for name, (takes, answer) in {**TURN_RULES, **RECAP_RULES}.items()},
}


def try_lines(rule: str) -> None:
    """Answer each line of standard input. Errors: InvalidInput for an unknown rule."""
    if rule not in RULES:
        raise InvalidInput(f"there is no rule {rule!r} to try; there are {', '.join(RULES)}")
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answered(RULES[rule], line), ensure_ascii=False) + "\n")
        sys.stdout.flush()


def answered(rule: Rule, line: bytes) -> Json:
    """The answer of a rule to one line; `{"error": …}` where the line is not valid input."""
    try:
        return rule.answer(rule.takes.model_validate(_read(line)))
    except ValidationError as error:
        wrong = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors(include_url=False)]
        message = "; ".join(f"{place}: {why}" if place else why.removeprefix("Value error, ") for place, why in wrong)
        return _error(InvalidInput.code, message)
    except _Unreadable as error:
        return _error("invalid_json", str(error), position=error.position)
    except QueryInvalid as error:
        return _error(error.code, str(error), kind=error.kind, position=error.position)
    except GraphmemError as error:
        return _error(error.code, str(error))


class _Unreadable(Exception):
    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


def _read(line: bytes) -> Any:
    """The value of a line, parsed as strictly as a body of the service. Errors: _Unreadable."""
    try:
        text = line.decode().removesuffix("\n")
        value = json.loads(text, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except json.JSONDecodeError as error:
        raise _Unreadable(f"the line is no JSON: {error.msg}", error.pos) from None
    except UnicodeDecodeError as error:
        raise _Unreadable("the line is not UTF-8", error.start) from None
    except UnicodeEncodeError:
        raise _Unreadable("the line holds half of a surrogate pair") from None
    except RecursionError:
        raise _Unreadable("the line is nested too deep") from None
    except ValueError as error:
        raise _Unreadable(f"the line is no JSON: {error}") from None
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _error(code: str, message: str, **more: Any) -> Json:
    return {
        "error": {"code": code, "message": message} | {key: value for key, value in more.items() if value is not None}
    }
