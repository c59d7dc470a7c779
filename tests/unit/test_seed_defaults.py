"""Thresholds that the seeds name: each is a setting, has their default, and says which document it is from."""

import pytest

from graphmem.settings import Settings

SEEDED = {
    "compaction_threshold": (0.75, "hermes-lcm, LCM_CONTEXT_THRESHOLD"),
    "fresh_tail": (64, "hermes-lcm, LCM_FRESH_TAIL_COUNT"),
    "compaction_leaf_tokens": (20_000, "hermes-lcm, LCM_LEAF_CHUNK_TOKENS"),
    "compaction_dynamic": (False, "hermes-lcm, LCM_DYNAMIC_LEAF_CHUNK_ENABLED"),
    "compaction_leaf_max_tokens": (40_000, "hermes-lcm, LCM_DYNAMIC_LEAF_CHUNK_MAX"),
    "compaction_fan_in": (4, "hermes-lcm's code, LCM_CONDENSATION_FANIN"),
    "compaction_bullet_ratio": (0.5, "Signet, pattern 2, level 2"),
    "compaction_cut_tokens": (512, "Signet, pattern 2, level 3"),
    "model_failures": (2, "hermes-lcm, LCM_SUMMARY_CIRCUIT_BREAKER_FAILURE_THRESHOLD"),
    "model_rest_s": (300, "hermes-lcm, LCM_SUMMARY_CIRCUIT_BREAKER_COOLDOWN_SECONDS"),
    "model_timeout_s": (60, "hermes-lcm, LCM_SUMMARY_TIMEOUT_MS"),
    "expansion_timeout_s": (120, "hermes-lcm, LCM_EXPANSION_TIMEOUT_MS"),
    "expansion_context_tokens": (32_000, "hermes-lcm, LCM_EXPANSION_CONTEXT_TOKENS"),
    "retain_depth": (2, "hermes-lcm, LCM_NEW_SESSION_RETAIN_DEPTH"),
    "injection_window": (50, "SIGMA, windowSize"),
    "injection_top": (5, "SIGMA, maxContextTurns"),
    "injection_minimum": (0.35, "SIGMA, minRelevance"),
    "injection_snippet_chars": (500, "SIGMA, maxSnippetLength"),
    "compression_target": (40_000, "SIGMA, target_size"),
    "preserve_threshold": (7, "SIGMA, preserve_threshold"),
    "routine_threshold": (3, "SIGMA, routine_threshold"),
    "overlay_threshold": (5, "SIGMA, overlay_threshold"),
    "paradigm_shift_threshold": (0.7, "SIGMA, paradigm_shift_threshold"),
    "novelty_window": (10, "SIGMA"),
    "semantic_edge_threshold": (0.7, "SIGMA"),
    "min_turns": (5, "Signet, pipeline.minTurns"),
    "min_entity_overlap": (1, "Signet, pipeline.minEntityOverlap"),
    "novelty_threshold": (0.15, "Signet's code, pipeline.noveltyThreshold"),
    "arc_sessions": (8, "Signet, pattern 4"),
    "epoch_arcs": (4, "Signet, pattern 4"),
    "max_new_entities_per_chunk": (10, "Signet, maxNewEntitiesPerChunk"),
    "max_new_attributes_per_entity": (20, "Signet, maxNewAttributesPerEntity"),
    "max_new_attributes_per_project": (30, "Signet, pattern 2"),
    "max_new_attributes_per_person": (15, "Signet, pattern 2"),
    "max_new_attributes_per_unknown": (5, "Signet, pattern 2"),
    "supersession_min_confidence": (0.7, "Signet's supersession, supersessionMinConfidence"),
}


@pytest.mark.parametrize(("name", "default", "source"), [(name, *seed) for name, seed in SEEDED.items()])
def test_a_threshold_of_the_seeds_is_a_setting_with_their_default(name: str, default: float, source: str) -> None:
    field = Settings.model_fields[name]
    assert (field.default, type(field.default) is bool) == (default, type(default) is bool)
    assert f"Source: {source}" in (field.description or "")


def test_no_setting_names_a_source_without_being_held_to_it() -> None:
    named = {name for name, field in Settings.model_fields.items() if "Source: " in (field.description or "")}
    assert named - SEEDED.keys() == {
        "idle_end_minutes",
        "recap_max_tokens",
        "importance_formula",
        "compaction_patience_s",
    }
    assert (Settings().recap_max_tokens, Settings().compaction_patience_s) == (4_000, 120)
