"""Words that mean something similar, as numbered classes: what was learned of "allergic" holds for "asthmatic" too.

`scripts/word_classes.py` makes them.
"""

import gzip
import json
from functools import cache
from importlib.resources import files


@cache
def word_class(word: str) -> tuple[str, str]:
    """The narrow and the wide class of a word in small letters; '' twice for a word that has none.

    >>> word_class("mother") == word_class("father"), word_class("qzx")
    (True, ('', ''))
    """
    return _classes().get(word, ("", ""))


@cache
def _classes() -> dict[str, tuple[str, str]]:
    table = json.loads(
        gzip.decompress(files("graphmem.rules").joinpath("weights", "word-classes.json.gz").read_bytes())
    )
    wide = table["wide"]
    return {
        word: (str(narrow), str(wide[narrow]))
        for word, narrow in zip(table["words"].split(), table["narrow"], strict=True)
    }
