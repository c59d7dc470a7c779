"""Presets: settings that go together, by the size of the context window that the memory serves.

Explicit settings take precedence over a preset, so it never changes what an operator chose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

PresetName = Literal["context_32k", "context_128k", "context_200k", "context_400k", "context_1m"]
Action = Literal["set", "keep", "same"]


@dataclass(frozen=True)
class Preset:
    """Values by the names of settings, for context windows of at least `from_tokens`."""

    name: PresetName
    from_tokens: int
    values: Mapping[str, int]


@dataclass(frozen=True)
class Step:
    """The effect of a preset on one setting. keep: it was set explicitly and stays. same: it has the value already."""

    name: str
    action: Action
    now: object
    then: int


# A single text may fill 1 to 3 percent of the window before it moves to a payload file, at 4 characters a token. The
# tail grows slower than the window: what a task needs word for word does not grow with it.
_ALL = (
    Preset("context_32k", 1, {"payload_threshold_chars": 4_000, "fresh_tail": 16}),
    Preset("context_128k", 100_000, {"payload_threshold_chars": 12_000, "fresh_tail": 32}),
    Preset("context_200k", 180_000, {"payload_threshold_chars": 16_000, "fresh_tail": 64}),
    Preset("context_400k", 300_000, {"payload_threshold_chars": 24_000, "fresh_tail": 96}),
    Preset("context_1m", 800_000, {"payload_threshold_chars": 48_000, "fresh_tail": 128}),
)
PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _ALL}

WINDOWS: Mapping[str, int] = {
    "claude": 200_000,
    "deepseek": 128_000,
    "gemini-2": 1_048_576,
    "gemini-3": 1_048_576,
    "gpt-4.1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-5": 400_000,
    "llama-3": 128_000,
    "mistral-large": 128_000,
    "o3": 200_000,
    "o4": 200_000,
}
"""Context windows as the vendors of the models state them, by the prefixes of names. A client may cap them."""


def suggested(context_window: int) -> Preset:
    """The preset for a context window, in tokens.

    >>> suggested(200_000).name, suggested(8_000).name, suggested(2_000_000).name
    ('context_200k', 'context_32k', 'context_1m')
    """
    return next(preset for preset in reversed(_ALL) if preset.from_tokens <= max(context_window, 1))


def window_of(model: str) -> int | None:
    """The context window of a model by its name, with or without a provider before it; None for one we do not know.

    >>> window_of("openai/GPT-4o-mini"), window_of("claude-sonnet-4-5"), window_of("o3x"), window_of("mine")
    (128000, 200000, None, None)
    """
    name = model.strip().lower().rpartition("/")[2]
    # What follows a family's name is a version or a size, never the rest of another word.
    known = [family for family in WINDOWS if name.startswith(family) and not name[len(family) :][:1].isalpha()]
    return WINDOWS[max(known, key=len)] if known else None


def steps(preset: Preset, now: Mapping[str, object], explicit: frozenset[str]) -> list[Step]:
    """The effects of the preset on the current settings, of which some were set explicitly."""

    def action(name: str, then: int) -> Action:
        if name in explicit:
            return "keep"
        return "same" if now[name] == then else "set"

    return [Step(name, action(name, then), now[name], then) for name, then in preset.values.items()]
