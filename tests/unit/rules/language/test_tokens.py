"""The token counter beside real tokenizers: how far it is off by kind of text, in both directions, and its price.

The bounds are those of the table in docs/decisions/0017-count-tokens-with-our-own-counter.md. The texts are ours:
documents, sources, statements, the sample story, and `samples/`; JSON and logs are made from a fixed seed.
"""

import base64
import json
import random
import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from graphmem.rules.language.text import TOKEN_COUNTER, count_tokens, fit_tokens
from tests.effort import little_work

ROOT = Path(__file__).resolve().parents[4]
RECORD = ROOT / "docs" / "decisions" / "0017-count-tokens-with-our-own-counter.md"
SAMPLES = ROOT / "tests" / "data" / "samples"
TOKENIZERS = ("o200k_base", "cl100k_base")
ROW = re.compile(r"^\| (\w[^|]*?) \| .*\| −(\d+) % to \+(\d+) % \|$", re.MULTILINE)


def files(*patterns: str) -> str:
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    assert found, patterns
    return "".join(path.read_text(encoding="utf-8") for path in found)


def sample(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8")


def story() -> str:
    rows = (json.loads(line) for line in files("examples/atlas-shop.jsonl").splitlines())
    return "\n".join(row["content"] for row in rows if isinstance(row["content"], str))


def tool_output(**how: object) -> str:
    """What a tool answers: ids, numbers, times, names."""
    chance = random.Random(17)
    rows = [
        {
            "id": str(UUID(int=chance.getrandbits(128))),
            "status": chance.choice(["ok", "failed", "queued"]),
            "durationMs": round(chance.random() * 900, 2),
            "createdAt": f"2026-03-{chance.randint(1, 28):02d}T10:{chance.randint(0, 59):02d}:07Z",
            "host": f"node-{chance.randint(1, 40)}.eu-west-1",
            "labels": {"app": "checkout-api", "tier": "backend", "replicas": chance.randint(1, 9)},
        }
        for _ in range(40)
    ]
    return json.dumps(rows, **how)  # type: ignore[arg-type]


def log_lines() -> str:
    chance = random.Random(18)
    return "\n".join(
        f"2026-03-02T10:{chance.randint(0, 59):02d}:07.{chance.randint(100, 999)}Z INFO "
        f"[worker-{chance.randint(1, 9)}] request handled in time: "
        f"GET /api/v1/orders/{chance.randint(1000, 99999)} 200 {chance.randint(1, 900)}ms"
        for _ in range(40)
    )


@cache
def texts() -> dict[str, dict[str, str]]:
    """Kind of text → name → text."""
    noise = random.Random(19)
    return {
        "English prose": {"README": files("README.md"), "documents": files("docs/*.md"), "story": story()},
        "code": {
            "Python": files("graphmem/rules/[c-t]*/*.py"),
            "doors": files("api/*.py"),
            "Cypher": files("cypher/*/*.cypher"),
        },
        "JSON and logs": {
            "indented": tool_output(indent=2),
            "one line": tool_output(),
            "compact": tool_output(separators=(",", ":")),
            "transcript": files("examples/*.jsonl"),
            "log": log_lines(),
        },
        "chat with emoji": {"emoji": sample("emoji")},
        "Chinese, Japanese, Korean": {name: sample(name) for name in ("chinese", "japanese", "korean")},
        "other European": {name: sample(name) for name in ("german", "russian")},
        "Arabic, Hindi": {name: sample(name) for name in ("arabic", "hindi")},
        "random letters": {
            "hex": noise.randbytes(1500).hex(),
            "base64": base64.b64encode(noise.randbytes(1500)).decode(),
        },
    }


@cache
def tokenizer(name: str) -> Any:
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # of how it reads its own files
        import bpe_openai

        return bpe_openai.get_encoding(name)


def bounds() -> dict[str, tuple[int, int]]:
    return {kind: (-int(below), int(above)) for kind, below, above in ROW.findall(RECORD.read_text(encoding="utf-8"))}


def test_the_record_bounds_every_kind_of_text_and_names_the_counter() -> None:
    assert bounds().keys() == texts().keys()
    assert f"`{TOKEN_COUNTER}`" in RECORD.read_text(encoding="utf-8")


def _parts(text: str, most: int = 200_000) -> list[str]:
    """A text in pieces that the tokenizer takes, cut at ends of lines."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if len(parts[-1]) + len(line) > most:
            parts.append("")
        parts[-1] += line
    return parts


@pytest.mark.parametrize("encoding", TOKENIZERS)
@pytest.mark.parametrize("kind", texts())
def test_the_count_is_within_the_stated_error_of_a_real_tokenizer(kind: str, encoding: str) -> None:
    below, above = bounds()[kind]
    for name, text in texts()[kind].items():
        real = sum(len(tokenizer(encoding).encode_ordinary(part)) for part in _parts(text))
        assert real > 190, f"{name} is too short to tell"
        error = 100 * (count_tokens(text) - real) / real
        assert below <= error <= above, f"{name}: {error:+.1f} %"


def test_what_a_budget_lets_through_is_no_more_than_a_tenth_over_it_in_english_code_and_json() -> None:
    for kind in ("English prose", "code", "JSON and logs"):
        for name, text in texts()[kind].items():
            cut = fit_tokens(text, 500)
            assert len(tokenizer("o200k_base").encode_ordinary(cut)) <= 550, name


def test_counting_is_cheap() -> None:
    text = texts()["English prose"]["documents"]
    with little_work(len(text) * 1e-5):
        count_tokens(text)


def test_a_long_text_is_cut_without_being_read_to_its_end() -> None:
    text = "all work and no play " * 2_000_000
    with little_work(1):
        assert count_tokens(fit_tokens(text, 100)) == 100
