"""Lines of a graph: whatever they hold, each is a value or an error of its batch."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.rules.keeping.importing import batches

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = "record source target confidence name type aliases entity aspect content kind slot value validFrom id"
LINES = st.dictionaries(
    st.sampled_from(FIELDS.split()), VALUES | st.sampled_from(["entity", "attribute", "dependency"]), max_size=6
).map(lambda line: json.dumps(line).encode())


@given(
    st.lists(LINES | st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=6), st.integers(1, 3)
)
@example([b"[" * 100_000, b'{"record": "\\ud800"}', b"\xff", b" "], 2)
@example([b'{"source": "a", "target": "b"}', b'{"record": "entity", "name": "c"}'], 1)
def test_each_line_is_read_or_told(lines: list[bytes], most: int) -> None:
    told = list(batches(lines, most, first=5))
    assert sum(batch.count for batch in told) == sum(bool(line.strip()) for line in lines)
    places = [n for batch in told for n in sorted([*batch.numbers, *(error.line for error in batch.errors)])]
    assert places == [n for n, line in enumerate(lines, 5) if line.strip()]
    for batch in told:
        assert batch.count == len(batch.lines) + len(batch.errors) <= most
        assert all(error.message for error in batch.errors)
