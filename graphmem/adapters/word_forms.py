"""Parts of speech and lemmas of parsed words, computed once for each word with its tag and relation.

spaCy's attribute ruler tries 179 patterns at every token of every text, and its lemmatizer looks each word up. All but
8 patterns depend on one token alone, on its letters, tag and relation: their result, and the lemma that follows, is the
same in every text. Texts in which one of the 8 matches go through both components unchanged.
"""

from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

RULER, LEMMATIZER = "attribute_ruler", "lemmatizer"
"""The components whose results are cached here; a pipeline runs without them."""
MOST_KEPT = 50_000
_GAP = "|"
"""Separates words that are processed together, so that no two of them are adjacent."""

Key = tuple[int, int, int]


class WordForms:
    """The word forms of one pipeline. Not thread-safe."""

    def __init__(self, language: "Language") -> None:
        from spacy.matcher import Matcher

        self._vocab = language.vocab
        self._components: list[Any] = [language.get_pipe(RULER), language.get_pipe(LEMMATIZER)]
        self._several = Matcher(language.vocab)
        for rule in self._components[0].patterns:
            if several := [pattern for pattern in rule["patterns"] if len(pattern) > 1]:
                self._several.add(str(several), several)
        self._kept: dict[Key, tuple[int, str]] = {}

    def lemmas(self, doc: "Doc") -> list[str]:
        """The lemma of each token of a doc that has tags and relations; sets the parts of speech of its tokens."""
        if not len(doc):
            return []
        if self._several(doc):
            return [token.lemma_ for token in self._through(doc)]
        keys: list[Key] = [(word, tag, dep) for word, tag, dep in doc.to_array(["ORTH", "TAG", "DEP"]).tolist()]
        if new := [key for key in dict.fromkeys(keys) if key not in self._kept]:
            if len(self._kept) + len(new) > MOST_KEPT:
                self._kept, new = {}, list(dict.fromkeys(keys))
            self._keep(new)
        found = [self._kept[key] for key in keys]
        doc.from_array(["POS"], cast(Any, np.array([[pos] for pos, _ in found], dtype=np.uint64)))
        return [lemma for _, lemma in found]

    def _keep(self, keys: list[Key]) -> None:
        from spacy.tokens import Doc

        words, tags, deps = ([self._vocab.strings[one] for one in column] for column in zip(*keys, strict=True))
        doc = self._through(
            Doc(
                self._vocab,
                words=list(chain.from_iterable((word, _GAP) for word in words)),
                tags=list(chain.from_iterable((tag, "SYM") for tag in tags)),
                deps=list(chain.from_iterable((dep, "dep") for dep in deps)),
                heads=list(range(2 * len(keys))),
            )
        )
        self._kept.update(zip(keys, [(token.pos, token.lemma_) for token in doc][::2], strict=True))

    def _through(self, doc: "Doc") -> "Doc":
        for component in self._components:
            doc = component(doc)
        return doc
