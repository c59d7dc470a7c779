"""Writes docs/what-is-understood.md, made from graphmem/rules/claims/slots.toml; with --check it compares and exits
with 1 when the page is stale.

    python scripts/understood_page.py
    python scripts/understood_page.py --check
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from graphmem.rules.claims.understood import UnderstoodSlot, understood

PAGE = Path(__file__).resolve().parent.parent / "docs" / "what-is-understood.md"
INTRO = """# What is understood

<!-- Made by scripts/understood_page.py from graphmem/rules/claims/slots.toml. Change it there. -->

1. What is said in the ways below is understood, whatever the names, nouns and values are: it becomes a fact that can
   be compared and asked for, and a newer value retires the older one. The parser must take a name for a name: one that
   is a verb as well ("Acme Works"), or a noun that looks like none, may be misread.
2. What is said in any other way is kept word for word and found, the newest first; where two texts answer one
   question, the answer says which is older.
3. A caller can always be explicit: `remember` takes the [claim itself](supersession.md#the-caller-decides), and tells
   which facts are near it; one call settles each.
4. What is denied, asked, supposed, made a condition or quoted never becomes a fact that says it is so. A missing fact
   is better than a wrong one.

Grammar decides, not these sentences: they are the ones that tests execute, each row with made-up names and values
(`tests/unit/rules/claims/test_understood.py`), in a message and by `remember`. *X* is what the fact is of, *V* its
value, *U* the value before, *N* a noun that nobody has to know. A slot is three or four lines in `slots.toml`
([why](decisions/0080-keep-slots-in-one-table.md)).

In each way

- a value that is said again in another way of its list retires nothing; by `remember` it confirms the fact where the
  words are the same but for their order;
- a change retires the older value, and leaves the same slot of anything else alone;
- of a slot with many values a new one retires nothing; an ending retires the one that it names.

"""
HEAD = "| said | changed | ended | asked |\n|---|---|---|---|\n"
PLACES = {"{subject}": "*X*", "{value}": "*V*", "{old}": "*U*"}


def page() -> str:
    """The page as Markdown: a table for each slot."""
    return INTRO + "\n".join(map(_section, understood()))


def _section(slot: UnderstoodSlot) -> str:
    several = "many values" if slot.many else "one value"
    kinds = f"Of a {slot.of}; {several}, each a {slot.value}."
    cells = (_cell(slot, ways) for ways in (slot.say, slot.change, slot.end, slot.ask))
    return f"## {slot.name.replace('_', ' ').capitalize()}\n\n{kinds}\n\n{HEAD}| {' | '.join(cells)} |\n"


def _cell(slot: UnderstoodSlot, ways: Sequence[str]) -> str:
    return "<br>".join(_shown(slot, way) for way in ways)


def _shown(slot: UnderstoodSlot, way: str) -> str:
    way = way.replace("{noun}", "*N*" if "{" in slot.noun else slot.noun)
    for place, letter in PLACES.items():
        way = way.replace(place, letter)
    return way


def main() -> int:
    stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if stale:
        print(f"stale: {PAGE.name}; python scripts/understood_page.py", file=sys.stderr)
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
