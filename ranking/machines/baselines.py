"""Judges that need no model, to stand beside every machine: a judge that merely counts edits can look good.

Each gives every output a value and prefers the higher one. Values of all judges have the shape (sentences,
S), as sentence scores of metrics have, which are judges by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.arrays import FloatArray

RANDOM: Final = "random"
ALWAYS_TIES: Final = "always ties"
LONGEST: Final = "longest"
SHORTEST: Final = "shortest"
SOURCE_LIKES: Final = "source-likes"
MOST_EDITS: Final = "most edits"

BASELINES = (RANDOM, ALWAYS_TIES, LONGEST, SHORTEST, SOURCE_LIKES, MOST_EDITS)


def baseline_values(
    sources: Sequence[str], outputs: Mapping[str, Sequence[str]], *, seed: int = 0
) -> dict[str, FloatArray]:
    """The values that each baseline gives the outputs of S systems for n sentences, shape (n, S).

    Length is in characters. Edits are the Levenshtein distance to the source over tokens between white space;
    *source-likes* prefers few. Equal texts have equal random values.
    """
    length, edits = output_lengths(outputs), output_edits(sources, outputs)
    drawn = np.random.default_rng(seed).random(length.shape)
    columns = list(outputs.values())
    for row, values in enumerate(drawn):
        texts = [column[row] for column in columns]
        values[:] = values[[texts.index(text) for text in texts]]
    return {
        RANDOM: drawn,
        ALWAYS_TIES: np.zeros(length.shape),
        LONGEST: length,
        SHORTEST: -length,
        SOURCE_LIKES: -edits,
        MOST_EDITS: edits,
    }


def output_lengths(outputs: Mapping[str, Sequence[str]]) -> FloatArray:
    """Characters of the outputs of S systems for n sentences, shape (n, S)."""
    return np.array([[len(text) for text in texts] for texts in outputs.values()], dtype=np.float64).T


def output_edits(sources: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> FloatArray:
    """Levenshtein distances of the outputs to the sources, over tokens between white space, shape (n, S)."""
    from rapidfuzz.distance import Levenshtein

    tokens = [source.split() for source in sources]
    distances = [
        [Levenshtein.distance(source, text.split()) for source, text in zip(tokens, texts, strict=True)]
        for texts in outputs.values()
    ]
    return np.array(distances, dtype=np.float64).T
