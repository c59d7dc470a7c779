"""Makes the classes of words that `graphmem/rules/word_classes.py` reads, out of the local embedding model.

The words are the whole words in small letters among the model's own tokens; those whose vectors lie together make a
class. The scorers have to be trained anew behind it (`make train-extractor`): they know the classes by their numbers.
"""

import asyncio
import gzip
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from tokenizers import Tokenizer

from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.model_assets import ensure_minilm
from graphmem.settings import load_settings

OUT = Path(__file__).resolve().parent.parent / "graphmem" / "rules" / "weights" / "word-classes.json.gz"
NARROW, WIDE = 800, 100


def main() -> None:
    cache = load_settings().cache_dir
    tokens = Tokenizer.from_file(str(ensure_minilm(cache) / "tokenizer.json")).get_vocab()
    words = sorted(one for one in tokens if one.isalpha() and one.isascii() and one.islower() and len(one) > 1)
    vectors = np.array(asyncio.run(LocalEmbedder(cache).embed(words)))
    vectors -= vectors.mean(axis=0)
    narrow = KMeans(NARROW, n_init=1, max_iter=30, random_state=0).fit(_unit(vectors))
    wide = KMeans(WIDE, n_init=3, random_state=0).fit(_unit(narrow.cluster_centers_))
    table = {"words": " ".join(words), "narrow": narrow.labels_.tolist(), "wide": wide.labels_.tolist()}
    OUT.write_bytes(gzip.compress(json.dumps(table, separators=(",", ":")).encode(), mtime=0))
    print(f"{len(words)} words in {NARROW} and {WIDE} classes, {OUT.stat().st_size / 1024:.0f} KiB")


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


if __name__ == "__main__":
    main()
