"""Embedding vectors: as rows of a matrix, and their similarity."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from graphmem.errors import InvalidInput

Vectors: TypeAlias = npt.NDArray[np.float32]
DECIMALS = 4
"""Decimal places of cosines: further ones depend on the order of a machine's sums."""


def unit(vectors: Sequence[Sequence[float]]) -> Vectors:
    """The vectors as rows of length 1; a zero vector stays zero.

    Errors: InvalidInput where they differ in length, or contain what is not a number.
    """
    if len({len(vector) for vector in vectors}) > 1:
        raise InvalidInput("The vectors do not have the same number of dimensions: they come from different embedders.")
    rows = np.asarray(vectors, dtype=np.float64).reshape(len(vectors), -1)
    if not np.isfinite(rows).all():
        raise InvalidInput("A vector holds what is no number.")
    # Divided by the largest first: squares of very large or small numbers would overflow or underflow.
    rows = rows / np.maximum(np.abs(rows).max(axis=1, initial=0.0, keepdims=True), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Vectors = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return found


def cosines(rows: Vectors, vector: Vectors) -> Vectors:
    """The cosine of each row to a vector, -1 to 1; all have length 1, or 0: a zero vector is similar to nothing."""
    found: Vectors = np.round(np.clip(rows @ vector, -1.0, 1.0), DECIMALS)
    return found
