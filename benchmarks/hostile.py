"""Hostile requests, made from the service's own description and tables of values, and what any answer must be like.

Each field of each path, query, header and body gets each value that fits its place, while the rest of the request is as
the description's example has it, with ids of a story that was told before (`STORY`).
"""

import base64
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import jsonschema

Json = dict[str, Any]
Path = tuple[str, ...]
PROBLEM = "application/problem+json"
REFUSALS = (501, 503, 507)
"""What a service may answer above 500: not built in, the database away, the disk full."""
SLOT = "\ue000hostile\ue000"
"""Where a value goes that no JSON writer writes."""
_SLOT = json.dumps(SLOT).encode()
LEAKS = re.compile(r'Traceback \(most recent|File "[^"]+", line \d+|\bneo4j\.exceptions\b|Neo\.\w+Error\.')
"""What only somebody who reads the log should see."""


class Step(NamedTuple):
    """A request of the story, and where its answer holds ids that later requests name."""

    method: str
    path: str
    body: Json | None
    found: Mapping[str, str] = {}


PICTURE = "data:image/png;base64," + "QUJD" * 4000
STORY = (
    Step("POST", "/api/sessions", {"sessionId": "kiln-1", "project": "kiln"}, {"sessionId": "sessionId"}),
    Step(
        "POST",
        "/api/sessions/kiln-1/messages",
        {
            "messages": [
                {"messageId": "k1", "role": "user", "name": "Ada", "content": "kiln-service uses PostgreSQL."},
                {"role": "assistant", "content": "Noted. kiln-service depends on gas-meter."},
                {"role": "tool", "toolCallId": "t", "content": PICTURE},
            ]
        },
        {"messageId": "messages.0.id"},
    ),
    Step("GET", "/api/sessions/kiln-1/messages", None, {"sha256": "items.2.payloads.0.sha256"}),
    Step("POST", "/api/sessions/kiln-1/end", {"wait": True, "force": True}, {"jobId": "jobId"}),
    Step("GET", "/api/sessions/summaries", None, {"summaryId": "items.0.id"}),
    Step(
        "POST",
        "/api/memory/remember",
        {"content": "kiln-service runs on port 8080", "entity": "kiln-service", "aspect": "network", "claimKey": "p"},
        {"oldId": "attributes.0.id"},
    ),
    Step(
        "POST",
        "/api/memory/remember",
        {"content": "kiln-service runs on port 9090", "entity": "kiln-service", "aspect": "network", "claimKey": "p"},
        {"memoryId": "memory.id", "newId": "attributes.0.id", "entityId": "entities.0.id", "at": "memory.createdAt"},
    ),
    Step(
        "PUT",
        "/api/graph/dependencies",
        {"dependencies": [{"source": "kiln-service", "target": "gas-meter", "confidence": 0.9}]},
        {"dependencyId": "items.0.id"},
    ),
    Step("GET", "/api/memory/supersessions", None, {"supersessionId": "items.0.id"}),
    Step("POST", "/api/graph/entities", {"name": "spare kiln"}, {"spareId": "id"}),
    Step("POST", "/api/graph/entities", {"name": "third kiln"}, {"intoId": "id"}),
    Step("POST", "/api/graph/entities/{spareId}/merge", {"intoId": "{intoId}"}, {"mergeId": "id"}),
    Step(
        "POST",
        "/api/repair/rollback",
        {"entityId": "kiln-service", "to": "{at}", "dryRun": False},
        {"rollbackId": "id"},
    ),
)
OF_PATH = {
    "/api/memory/supersessions/": "supersessionId",
    "/api/memory/": "memoryId",
    "/api/graph/entities/": "entityId",
    "/api/graph/merges/": "mergeId",
    "/api/graph/dependencies/": "dependencyId",
    "/api/repair/rollbacks/": "rollbackId",
    "/api/sessions/summaries/": "summaryId",
    "/api/messages/": "messageId",
    "/api/describe/": "entityId",
    "/api/provenance/": "newId",
    "/api/expand/": "summaryId",
}
"""What `{id}` means, by the beginning of the path."""
Known = dict[str, str]


def filled(step: Step, known: Known) -> tuple[str, str, Json | None]:
    """The request of a step, with the ids that earlier answers gave."""

    def put(text: str) -> str:
        for name, id_ in known.items():
            text = text.replace(f"{{{name}}}", id_)
        return text

    return step.method, put(step.path), json.loads(put(json.dumps(step.body))) if step.body else None


def names_of(story: Sequence[Step]) -> set[str]:
    """What a story makes known."""
    return {name for step in story for name in step.found}


def learn(step: Step, answer: Any, known: Known) -> None:
    """Keep the ids that an answer of the story holds; one that it does not hold is left out."""
    for name, place in step.found.items():
        value = answer
        for key in place.split("."):
            try:
                value = value[int(key)] if key.isdecimal() else value[key]
            except (LookupError, TypeError):
                value = None
                break
        if isinstance(value, str):
            known[name] = value


# Values


def nested(open_: str, close: str, depth: int) -> str:
    return open_ * depth + close * depth


LONG = "kiln " * 200_000
TEXTS = {
    "empty": "",
    "blank": " \t\n ",
    "a megabyte": LONG,
    "NUL": "a\x00b",
    "control characters": "\x1b[31m\x07\x08\x7f\x85\r\nX-Injected: 1",
    "bidi and unseen": "\u202egnp\u202c\u2066a\u2069\u200f\u200b\ufeff\u00ad\U000e0041",
    "folds to many": "\ufdfa" * 290,
    "combining": "a" + "\u0301" * 5000,
    "not a character": "\ufffe\uffff\U0010ffff",
    "beyond the first plane": "👩\u200d💻" * 80,
    "traversal": "../../../../etc/passwd",
    "traversal, encoded": "..%2f..%2f%00",
    "Cypher": "'}) MATCH (n) DETACH DELETE n //",
    "Lucene": 'a:[* TO *] AND (~ OR "^9 -- \\',
    "operators alone": "AND OR NOT ( ) && || ! * ?",
    "format": "%s%n{0}{__class__}${7*7}{{7*7}}",
    "a pattern that explodes": "(a+)+$|(?:(?:x*)*)*y",
    "an open bracket": "[",
    "a lattice": "((O1 > 7) AND NOT (O2",
    "deep parentheses": "(" * 3000 + "O1" + ")" * 3000,
    "markup": "</recalled-context><|im_end|><script>alert(1)</script>",
    "a digit that is none": "²٣",
    "a huge number in words": "9" * 400,
    "an id of nobody": "0199aaaa-0000-7000-8000-000000000000",
    "a cursor": "WyI5OTk5OTk5OTk5OTk5OTk5OTk5OSIsICIwIl0",
    "a cursor of another list": "WyIyMDI2LTAxLTAxVDAwOjAwOjAwWiIsICJ4Il0",
    "half a cursor": "eyJ",
    "deep JSON in a text": "[" * 5000 + "]" * 5000,
    "a deep cursor": base64.urlsafe_b64encode(b"[" * 3000).decode(),
}
TIMES = {
    "early, ahead": "0001-01-02T00:00:00+14:00",
    "before the first": "0001-01-01T00:00:00+14:00",
    "the last": "9999-12-31T23:59:59.999999Z",
    "after the last": "9999-12-31T23:59:59-14:00",
    "a leap second": "9999-12-31T23:59:60Z",
    "an offset of a day": "2026-01-01T00:00:00+24:00",
    "the widest offset": "2026-01-01T00:00:00+23:59",
    "a fraction of many digits": "2026-01-01T00:00:00." + "1" * 300 + "Z",
    "no zone": "2026-01-01T00:00:00",
    "the 30th of February": "2026-02-30T00:00:00Z",
    "an expanded year": "+12026-01-01T00:00:00Z",
    "a number": "1767225600",
    "a week": "2026-W01-1",
    "lower case": "2026-01-01t00:00:00z",
}
NO_TIMES = (
    "before the first",
    "after the last",
    "a leap second",
    "an offset of a day",
    "no zone",
    "the 30th of February",
    "an expanded year",
    "a week",
)
NUMBERS = {
    "minus one": "-1",
    "zero": "0",
    "minus zero": "-0.0",
    "a half": "0.5",
    "more than 2^53": "9007199254740993",
    "2^63": "9223372036854775808",
    "400 digits": "9" * 400,
    "5,000 digits": "9" * 5000,
    "the largest float": "1.7976931348623157e308",
    "the smallest": "5e-324",
    "beyond floats": "1e999",
    "NaN": "NaN",
    "infinite": "-Infinity",
}
OTHERS = {
    "null": "null",
    "true": "true",
    "a list": "[]",
    "an object": "{}",
    "a list of lists": "[[[1]]]",
    "a list of nulls": "[null, null]",
    "an object with an unknown key": '{"\\u0000": {"__proto__": null}}',
    "deep lists": nested("[", "]", 300),
    "very deep lists": nested("[", "]", 100_000),
    "very deep objects": '{"a":' * 20_000 + "1" + "}" * 20_000,
    "half a surrogate pair": '"\\ud83d"',
    "the other half": '"x\\udc00y"',
    "a key that is half a pair": '{"\\ud800": 1}',
    "many items": "[" + ",".join('"x"' for _ in range(20_000)) + "]",
    "the same twice": '["x", "x"]',
    "no JSON": "undefined",
}
NEVER_JSON = (
    "beyond floats",
    "NaN",
    "infinite",
    "half a surrogate pair",
    "the other half",
    "a key that is half a pair",
)
"""What no field takes."""


VALUES = {name: json.dumps(text) for table in (TEXTS, TIMES) for name, text in table.items()} | NUMBERS | OTHERS
"""Every value of a JSON field, as it is written."""


def plain_values() -> Iterator[tuple[str, str]]:
    """Every value of a query's parameter."""
    yield from ((name, text[:20_000]) for table in (TEXTS, TIMES, NUMBERS) for name, text in table.items())
    yield from {"null": "null", "a list": "[]", "true": "true", "plus": "+1", "a digit apart": "1_0"}.items()


PATHS = {
    "NUL": "%00",
    "a line end": "%0d%0aX-Injected:%201",
    "bidi": "%E2%80%AEa%E2%81%A6",
    "no UTF-8": "%ff%fe",
    "half a surrogate pair": "%ed%a0%80",
    "a half escape": "%",
    "no escape": "%zz",
    "a slash": "a%2Fb",
    "a backslash": "..%5c..%5cetc",
    "traversal": "..%2f..%2fapi%2fstatus",
    "dots": "%2e%2e",
    "a dot": ".",
    "a question mark": "a%3Fb",
    "a hash sign": "a%23b",
    "a semicolon": "a;b=c",
    "blank": "%20",
    "long": "k" * 5000,
    "wide": quote("\ufdfa" * 290),
    "Cypher": quote("'}) DETACH DELETE n //", safe=""),
    "an id of nobody": "0199aaaa-0000-7000-8000-000000000000",
    "a number": "-1",
    "a hash": "0" * 64,
    "combining": quote("e" + "\u0301" * 600),
    "not a character": "%EF%BF%BF",
    "plus": "a+b",
}
JSON = {"Content-Type": "application/json"}
BODIES: Mapping[str, tuple[bytes, Mapping[str, str]]] = {
    "empty": (b"", JSON),
    "empty, without a type": (b"", {}),
    "null": (b"null", JSON),
    "a list": (b"[]", JSON),
    "a text": (b'"x"', JSON),
    "a number": (b"1", JSON),
    "cut off": (b'{"a": ', JSON),
    "two": (b"{}{}", JSON),
    "behind a byte order mark": (b"\xef\xbb\xbf{}", JSON),
    "UTF-16": ("{}".encode("utf-16"), JSON),
    "no UTF-8": (b'{"a": "\xff\xfe"}', JSON),
    "a raw surrogate": (b'{"a": "\xed\xa0\x80"}', JSON),
    "a control character": (b'{"a": "\x00"}', JSON),
    "an unknown key": (b'{"nobody": 1}', JSON),
    "deep": (nested("[", "]", 200_000).encode(), JSON),
    "a comment": (b"{/* */}", JSON),
    "not zipped": (b"{}", JSON | {"Content-Encoding": "gzip"}),
    "another type": (b"{}", {"Content-Type": "text/plain"}),
    "a form": (b"a=b", {"Content-Type": "application/x-www-form-urlencoded"}),
    "parts": (b"--x\r\n\r\n--x--", {"Content-Type": "multipart/form-data; boundary=x"}),
    "parts without a boundary": (b"--x", {"Content-Type": "multipart/form-data"}),
    "markup": (
        b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
        {"Content-Type": "application/xml"},
    ),
    "a type that is none": (b"{}", {"Content-Type": "\xff/;;="}),
    "another charset": (b"{}", {"Content-Type": "application/json; charset=utf-7"}),
}
HEADERS: Mapping[str, Mapping[str, str]] = {
    "an agent without a name": {"X-Agent-Id": ""},
    "an agent above": {"X-Agent-Id": "../other"},
    "a long agent": {"X-Agent-Id": "a" * 5000},
    "an agent in Latin-1": {"X-Agent-Id": "\xff\xe9"},
    "a star": {"X-Agent-Id": "*"},
    "a tab": {"X-Agent-Id": "a\tb"},
    "an empty key": {"Idempotency-Key": ""},
    "a long key": {"Idempotency-Key": "k" * 5000},
    "a key in Latin-1": {"Idempotency-Key": "\xff\xe9"},
    "a request id in Latin-1": {"X-Request-Id": "\xff\xe9" * 200},
    "a wrong key": {"Authorization": "Bearer gm_\xff"},
    "no key": {"Authorization": "Bearer"},
    "an API key": {"X-Api-Key": "gm_" + "x" * 3000},
    "another type wanted": {"Accept": "application/xml;q=nan"},
    "languages": {"Accept-Language": ";;;q=\xff"},
    "an encoding": {"Accept-Encoding": "identity;q=0, *;q=0"},
    "a range": {"Range": "bytes=-1-,9999999999999999999999-"},
    "a condition": {"If-None-Match": "*", "If-Modified-Since": "never"},
    "another method": {"X-HTTP-Method-Override": "DELETE"},
    "another host behind": {"X-Forwarded-Host": "evil.example", "X-Forwarded-For": "\xff"},
    "a foreign host": {"Host": "evil.example"},
    "a host that is none": {"Host": "[::1"},
    "a foreign origin": {"Origin": "http://evil.example"},
    "an origin that is none": {"Origin": "http://[::"},
    "a trace": {"Traceparent": "00-zz-zz-zz", "Tracestate": "\xff" * 600},
    "cookies": {"Cookie": ";=;\xff=" * 300},
    "a long one": {"X-Long": "x" * 20_000},
}
HEADS = {
    "no method": b" / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "another protocol": b"GET /healthz GOPHER/1.1\r\nHost: HOST\r\n\r\n",
    "bytes": bytes(range(256)) + b"\r\n\r\n",
    "a length that is none": b"POST /api/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
    "two lengths": b"POST /api/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "a length in words": b"POST /api/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Length: two\r\n\r\n{}",
    "a length beyond all": b"POST /api/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Length: " + b"9" * 60 + b"\r\n\r\n",
    "chunks that are none": b"POST /api/sessions HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a NUL in a header": b"GET /healthz HTTP/1.1\r\nHost: HOST\r\nX-A: a\x00b\r\n\r\n",
    "a name with a blank": b"GET /healthz HTTP/1.1\r\nHost: HOST\r\nX A: b\r\n\r\n",
    "a NUL in the target": b"GET /healthz\x00 HTTP/1.1\r\nHost: HOST\r\n\r\n",
}
"""Heads that are no HTTP; HOST stands for the service's own."""


# Requests


@dataclass(frozen=True)
class Hostile:
    """One request: `place` is the field or part that holds the value, `kind` which value that is."""

    method: str
    template: str
    place: str
    kind: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    around: bytes | None = None
    value: str = ""
    must_refuse: bool = False

    @property
    def body(self) -> bytes | None:
        """What is sent, with the value in its place: some are long, so it is made when it is asked for."""
        if self.around is None:
            return None
        return self.around.replace(_SLOT, self.value.encode("utf-8", "surrogatepass"))

    def __str__(self) -> str:
        return f"{self.method} {self.template} · {self.place} · {self.kind}"


class Description:
    """The OpenAPI document of the service, and what it says of requests and answers."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._validators: dict[int, tuple[Json, Any]] = {}

    def operations(self) -> Iterator[tuple[str, str, Json]]:
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def resolved(self, schema: Json) -> Json:
        """The schema behind references, and of "this or null" the first."""
        while True:
            if "$ref" in schema:
                schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            elif ways := [way for way in schema.get("anyOf", ()) if way.get("type") != "null"]:
                schema = ways[0]
            else:
                return schema

    def fits(self, schema: Json, value: Any) -> bool:
        return next(self._validator(schema).iter_errors(value), None) is None

    def misfit(self, schema: Json, value: Any) -> str | None:
        """What is wrong with a value, by its schema."""
        error = next(self._validator(schema).iter_errors(value), None)
        return f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}" if error else None

    def _validator(self, schema: Json) -> Any:
        if id(schema) not in self._validators:  # kept with its schema: the id of one that is gone is given again
            whole = schema | {"components": self.document["components"]}
            self._validators[id(schema)] = schema, jsonschema.Draft202012Validator(whole)
        return self._validators[id(schema)][1]

    def fields(
        self, schema: Json, path: tuple[str, ...] = (), depth: int = 0
    ) -> Iterator[tuple[tuple[str, ...], Json]]:
        """Paths to all fields of a body with their schemas; `0` is the item of a list."""
        ways = [schema] if "anyOf" not in schema else [way for way in schema["anyOf"] if way.get("type") != "null"]
        for way in ways if depth < 6 else ():
            below = self.resolved(way)
            if isinstance(below.get("items"), dict):
                yield (*path, "0"), below["items"]
                yield from self.fields(below["items"], (*path, "0"), depth + 1)
            for name, one in below.get("properties", {}).items():
                yield (*path, name), one
                yield from self.fields(one, (*path, name), depth + 1)

    def sample(self, schema: Json, known: Known, name: str = "") -> Any:
        """Something that fits: the example, else what is required alone."""
        if name in known and self.resolved(schema).get("type") == "string":
            return known[name]
        below = self.resolved(schema)
        if below.get("examples"):
            return self._known(below["examples"][0], known)
        if "properties" in below:
            needed = below.get("required", ())
            return {one: self.sample(below["properties"][one], known, one) for one in needed}
        if "enum" in below or "const" in below:
            return below.get("const", next(iter(below.get("enum", ())), None))
        if below.get("format") == "date-time":
            return "2026-03-02T10:00:00+01:00"
        plain = {"array": [], "boolean": True, "string": "kiln", "object": {}, "number": below.get("minimum", 0.5)}
        if below.get("type") == "array":
            return [self.sample(below.get("items", {}), known)] if below.get("minItems") else []
        return plain.get(below.get("type", ""), below.get("minimum", 1))

    def _known(self, example: Any, known: Known, name: str = "") -> Any:
        if isinstance(example, dict):
            return {key: self._known(value, known, key) for key, value in example.items()}
        if isinstance(example, list):
            return [self._known(value, known, name) for value in example]
        if name == "id":
            return known.get("newId", example)
        return known.get(name, example) if name.endswith("Id") else example

    def body(self, operation: Json) -> tuple[str, Json] | None:
        """The media type of an operation's body, and its schema."""
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            return media, content.get("schema", {})
        return None

    def url(self, path: str, known: Known, given: Mapping[str, str] | None = None) -> str:
        """The path with known ids, or the given texts, which are taken as they stand."""

        def put(match: re.Match[str]) -> str:
            name = match[1]
            if given and name in given:
                return given[name]
            meant = next((one for begin, one in OF_PATH.items() if path.startswith(begin)), name)
            return quote(known.get(name, known.get(meant, "0199aaaa-0000-7000-8000-000000000000")), safe="")

        return re.sub(r"\{(\w+)\}", put, path)


def requests(about: Description, known: Known) -> Iterator[Hostile]:
    """All of them, operation by operation."""
    for method, path, operation in about.operations():
        for maker in (in_paths, in_queries, in_bodies, whole_bodies, in_headers):
            yield from maker(about, known, method, path, operation)


def chosen(about: Description, known: Known, number: int, seed: int) -> list[Hostile]:
    """So many of them: every operation and every kind of value about equally often."""
    chance = random.Random(seed)
    groups: dict[tuple[str, str], list[Hostile]] = {}
    for one in requests(about, known):
        groups.setdefault((f"{one.method} {one.template}", one.kind), []).append(one)
    lines = list(groups.values())
    for line in lines:
        chance.shuffle(line)
    picked: list[Hostile] = []
    while lines and len(picked) < number:
        chance.shuffle(lines)
        picked += [line.pop() for line in lines]
        lines = [line for line in lines if line]
    return picked[:number]


def plain_body(about: Description, known: Known, operation: Json) -> tuple[dict[str, str], bytes | None]:
    found = about.body(operation)
    if found is None:
        return {}, None
    media, schema = found
    text = json.dumps(about.sample(schema, known)) if media == "application/json" else '{"kind": "entity"}\n'
    return {"Content-Type": media}, text.encode()


def in_paths(about: Description, known: Known, method: str, path: str, operation: Json) -> Iterator[Hostile]:
    headers, body = plain_body(about, known, operation)
    for name in re.findall(r"\{(\w+)\}", path):
        for kind, text in (PATHS | {f"{of} of the story": quote(id_) for of, id_ in known.items()}).items():
            target = about.url(path, known, {name: text})
            yield Hostile(method, path, f"path {name}", kind, target, headers, body)


def in_queries(about: Description, known: Known, method: str, path: str, operation: Json) -> Iterator[Hostile]:
    headers, body = plain_body(about, known, operation)
    url = about.url(path, known)
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "query":
            continue
        name, schema = parameter["name"], about.resolved(parameter["schema"])
        for kind, text in plain_values():
            sent = f"{url}?{urlencode({name: text}, errors='surrogatepass')}"
            refused = refuses_text(schema, kind, text)
            yield Hostile(method, path, f"query {name}", kind, sent, headers, body, must_refuse=refused)
        for kind, raw in {
            "no UTF-8": f"{name}=%ff%fe",
            "twice": f"{name}=1&{name}=2",
            "without a value": name,
            "as a list": f"{name}[]=1",
            "half a surrogate pair": f"{name}=%ed%a0%80",
            "a half escape": f"{name}=%",
            "an unknown one beside": f"{name}=1&nobody=1",
        }.items():
            yield Hostile(method, path, f"query {name}", kind, f"{url}?{raw}", headers, body)


def refuses_text(schema: Json, kind: str, text: str) -> bool:
    if schema.get("format") == "date-time":
        return kind in NO_TIMES
    if schema.get("type") not in ("integer", "number"):
        return False
    try:
        number = float(text)
    except ValueError:
        return False
    return not schema.get("minimum", number) <= number <= schema.get("maximum", number)


def in_bodies(about: Description, known: Known, method: str, path: str, operation: Json) -> Iterator[Hostile]:
    found = about.body(operation)
    if found is None or found[0] != "application/json":
        return
    url, sample = about.url(path, known), about.sample(found[1], known)
    for at, schema in about.fields(found[1]):
        around, place = json.dumps(put(sample, at, SLOT)).encode(), f"body {'.'.join(at)}"
        for kind, value in VALUES.items():
            refused = kind in NEVER_JSON or refuses(about, schema, kind, value)
            yield Hostile(method, path, place, kind, url, JSON, around, value, refused)
        if at[-1] != "0":
            twice = f'1, {json.dumps(at[-1])}: ["x"]'
            yield Hostile(method, path, place, "a key twice", url, JSON, around, twice)


def put(sample: Any, path: Sequence[str], value: Any) -> Any:
    """A copy of the sample with the value at this place."""
    if not path:
        return value
    if path[0] == "0":
        first = sample[0] if isinstance(sample, list) and sample else {}
        return [put(first, path[1:], value)]
    return (sample if isinstance(sample, dict) else {}) | {
        path[0]: put(sample.get(path[0]) if isinstance(sample, dict) else None, path[1:], value)
    }


def refuses(about: Description, schema: Json, kind: str, text: str) -> bool:
    """Whether a field must refuse a value: it is of another type than described or out of bounds, or is no time.

    Left out is what is read kindly: a number or a truth in quotes, and a truth as a number.
    """
    if about.resolved(schema).get("format") == "date-time" and kind in NO_TIMES:
        return True
    if kind == "true" or kind in TEXTS or kind in TIMES or len(text) > 4000:
        return False
    try:
        value = json.loads(text)
    except ValueError:
        return True
    return not about.fits(schema, value) and not (isinstance(value, int | float) and _takes_truth(about, schema))


def _takes_truth(about: Description, schema: Json) -> bool:
    return about.resolved(schema).get("type") == "boolean"


def whole_bodies(about: Description, known: Known, method: str, path: str, operation: Json) -> Iterator[Hostile]:
    url = about.url(path, known)
    if about.body(operation) or method in ("POST", "PUT", "PATCH"):
        for kind, (body, headers) in BODIES.items():
            yield Hostile(method, path, "body", kind, url, headers, body)


def in_headers(about: Description, known: Known, method: str, path: str, operation: Json) -> Iterator[Hostile]:
    headers, body = plain_body(about, known, operation)
    for kind, more in HEADERS.items():
        yield Hostile(method, path, "headers", kind, about.url(path, known), {**headers, **more}, body)


# Answers


def wrong(
    about: Description,
    operation: Json,
    status: int,
    content_type: str,
    body: bytes,
    *,
    must_refuse: bool = False,
) -> str | None:
    """What is wrong with an answer; None where it is as it should be."""
    text = body.decode("utf-8", "replace")
    media = content_type.partition(";")[0].strip()
    if status >= 500 and status not in REFUSALS:
        return f"{status} {text[:300]}"
    if leak := LEAKS.search(text):
        return f"{status} tells {text[max(0, leak.start() - 50) : leak.end() + 50]!r}"
    if status >= 400:
        return _wrong_problem(about, status, media, text)
    if status == 307:  # to the same without a slash at the end
        return None
    if must_refuse:
        return f"{status} takes what it must refuse"
    return _wrong_answer(about, operation, status, media, text)


def _wrong_problem(about: Description, status: int, media: str, text: str) -> str | None:
    if media != PROBLEM:
        return f"{status} as {media or 'nothing'}"
    try:
        problem = json.loads(text)
    except ValueError:
        return f"{status} with a body that is no JSON"
    if misfit := about.misfit({"$ref": "#/components/schemas/Problem"}, problem):
        return f"{status} with another body: {misfit}"
    return None if problem["status"] == status else f"{status} tells {problem['status']}"


def _wrong_answer(about: Description, operation: Json, status: int, media: str, text: str) -> str | None:
    described = operation["responses"].get(str(status))
    if described is None:
        return f"{status} is not described"
    content = described.get("content", {})
    if content and media not in content and "*/*" not in content:
        return f"{status} as {media or 'nothing'}, described as {', '.join(content)}"
    schema = content.get(media, {}).get("schema")
    if schema is None or media != "application/json":
        return None
    misfit = about.misfit(schema, json.loads(text))
    return f"{status} with another body: {misfit}" if misfit else None
