"""The code that decides on facts has a name of its own, and other code another one."""

from pathlib import Path

from graphmem.adapters.identity import rules_id


def test_the_code_of_the_rules_has_another_name_wherever_a_line_is_another(tmp_path: Path) -> None:
    for name, line in (("one", "WORDS = 1"), ("same", "WORDS = 1"), ("other", "WORDS = 2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.py").write_text(line)
    one, same, other = (rules_id(tmp_path / name) for name in ("one", "same", "other"))
    assert one == same != other
    assert len(rules_id()) == 32
    assert rules_id() != one
