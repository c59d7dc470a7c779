"""Presets hold settings that exist, for windows without a gap."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.keeping.presets import PRESETS, WINDOWS, PresetName, Step, steps, suggested, window_of
from graphmem.settings import Settings

LADDER = list(PRESETS.values())


def test_every_name_has_its_preset_and_every_preset_the_same_settings() -> None:
    assert tuple(PRESETS) == get_args(PresetName)
    assert {tuple(preset.values) for preset in LADDER} == {tuple(LADDER[0].values)}


@pytest.mark.parametrize("name", PRESETS)
def test_the_values_of_a_preset_are_valid_settings(name: str) -> None:
    values = PRESETS[name].values
    settings = Settings.model_validate(values)
    assert {setting: getattr(settings, setting) for setting in values} == values


def test_a_larger_window_never_has_a_smaller_value() -> None:
    for smaller, larger in pairwise(LADDER):
        assert smaller.from_tokens < larger.from_tokens
        assert all(smaller.values[name] <= larger.values[name] for name in smaller.values)


@given(st.integers(1, 10**8))
def test_every_window_has_the_one_preset_that_begins_beneath_it(window: int) -> None:
    found = suggested(window)
    assert found.from_tokens <= window
    assert not [other for other in LADDER if found.from_tokens < other.from_tokens <= window]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_one_for_the_window_in_its_name(name: str) -> None:
    size = name.removeprefix("context_")
    assert suggested(int(size[:-1]) * {"k": 1_000, "m": 1_000_000}[size[-1]]).name == name


@pytest.mark.parametrize("family", WINDOWS)
def test_a_model_is_known_by_its_family_and_not_by_part_of_a_word(family: str) -> None:
    for name in (family, f"{family}-mini", f"maker/{family.upper()}-2026-11-22", f" {family}:8b "):
        assert window_of(name) == WINDOWS[family]
    assert window_of(f"my-{family}") is None
    assert window_of(f"{family}x") is None


def test_the_longest_family_counts() -> None:
    assert window_of("gpt-4.1-mini") == WINDOWS["gpt-4.1"]


def test_what_is_explicit_is_kept_and_what_is_so_already_is_said() -> None:
    preset = LADDER[2]
    name, value = next(iter(preset.values.items()))
    other = dict.fromkeys(preset.values, -1)
    assert steps(preset, other, frozenset())[0] == Step(name, "set", -1, value)
    assert steps(preset, other, frozenset({name, "port"}))[0] == Step(name, "keep", -1, value)
    assert {step.action for step in steps(preset, preset.values, frozenset())} == {"same"}
