"""Judges that need no model, to stand beside every machine: a judge that merely counts edits can look good.

Each gives every output a value and prefers the higher one. Values of all judges have the shape (sentences,
S), as sentence scores of metrics have, which are judges by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray

RANDOM: Final = "random"
ALWAYS_TIES: Final = "always ties"
LONGEST: Final = "longest"
SHORTEST: Final = "shortest"
SOURCE_LIKES: Final = "source-likes"
MOST_EDITS: Final = "most edits"

BASELINES = (RANDOM, ALWAYS_TIES, LONGEST, SHORTEST, SOURCE_LIKES, MOST_EDITS)


@dataclass(frozen=True, slots=True, eq=False)
class OutputLooks:
    """What the baselines see of the outputs of S systems for n sentences; all have the shape (n, S).

    Attributes:
        characters: length of the output; NaN where there is none.
        edits: Levenshtein distance to the source over tokens between white space; NaN where there is none.
        alike: the place of the first system with the same text.
    """

    characters: FloatArray
    edits: FloatArray
    alike: IntArray


def output_looks(sources: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> OutputLooks:
    """Length and edits of the outputs of S systems for n sentences, and which of them are the same."""
    columns = list(outputs.values())
    alike = np.zeros((len(sources), len(columns)), dtype=np.int64)
    for row, places in enumerate(alike):
        texts = [column[row] for column in columns]
        places[:] = [texts.index(text) for text in texts]
    return OutputLooks(output_lengths(outputs), output_edits(sources, outputs), alike)


def baseline_values(
    sources: Sequence[str], outputs: Mapping[str, Sequence[str]], *, seed: int = 0
) -> dict[str, FloatArray]:
    """The values that each baseline gives the outputs of S systems for n sentences, shape (n, S).

    Length is in characters. Edits are the Levenshtein distance to the source over tokens between white space;
    *source-likes* prefers few. Equal texts have equal random values.
    """
    return values_of_looks(output_looks(sources, outputs), seed=seed)


def values_of_looks(looks: OutputLooks, *, seed: int = 0) -> dict[str, FloatArray]:
    """The values that each baseline gives outputs that look like this, shape (n, S) each."""
    drawn = np.random.default_rng(seed).random(looks.alike.shape)
    return {
        RANDOM: np.take_along_axis(drawn, looks.alike, axis=1),
        ALWAYS_TIES: np.zeros(looks.alike.shape),
        LONGEST: looks.characters,
        SHORTEST: -looks.characters,
        SOURCE_LIKES: -looks.edits,
        MOST_EDITS: looks.edits,
    }


def output_lengths(outputs: Mapping[str, Sequence[str]]) -> FloatArray:
    """Characters of the outputs of S systems for n sentences, shape (n, S)."""
    return np.array([[len(text) for text in texts] for texts in outputs.values()], dtype=np.float64).T


def output_edits(
    sources: Sequence[str], outputs: Mapping[str, Sequence[str]], *, step: Callable[[], None] = lambda: None
) -> FloatArray:
    """Levenshtein distances of the outputs to the sources, over tokens between white space, shape (n, S).

    `step` is called after each system; it may stop the work by raising an error.
    """
    distances = np.empty((len(sources), len(outputs)))
    for place, texts in enumerate(outputs.values()):
        distances[:, place] = [token_edits(source, text) for source, text in zip(sources, texts, strict=True)]
        step()
    return distances


def token_edits(source: str, text: str) -> int:
    """Levenshtein distance of a text to its source over tokens between white space."""
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(source.split(), text.split()))
