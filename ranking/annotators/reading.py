"""Reading rates that follow from the time of an answer, a check that needs no other annotators.

Judging a screen takes reading its sentence at least once, and answering takes some keys. The time on a
screen, less the time for the keys, gives a reading rate in words per minute. Adults read English silently at
238 words per minute, most of them at 175 to 300 (Brysbaert 2019, "How many words do we read per minute?", a
meta-analysis of 190 studies). The other texts on a screen are not counted, so even those who only compare
marked edits stay far below `FASTEST`: the median of the eleven annotators of GJG15 and SEEDA is 9 to 44 words
per minute, and none of their 2,873 screens reaches it. A good typist takes 0.12 s for a key (Card, Moran and
Newell 1980, "The keystroke-level model").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray

FASTEST = 600
"""Words per minute that nobody reads: twice the rate of fast readers."""

SECONDS_A_KEY = 0.12

LEAST_SECONDS = 0.1
"""Time for reading that is assumed where the keys alone take all of it."""


def reading_rate(words: ArrayLike, keys: ArrayLike, seconds: ArrayLike) -> FloatArray:
    """The words per minute at which somebody reads who takes `seconds` for a sentence and its keys.

    Args:
        words: shape (n,), of the sentence; characters in scripts without blanks between words.
        keys: shape (n,), the fewest that answer the screen.
        seconds: shape (n,), active time on it; NaN where it is unknown.

    Returns:
        Shape (n,); NaN where the time is unknown.
    """
    left = np.asarray(seconds, dtype=float) - SECONDS_A_KEY * np.asarray(keys, dtype=float)
    rate: FloatArray = 60 * np.asarray(words, dtype=float) / np.maximum(left, LEAST_SECONDS)
    return rate


def least_seconds(words: float, keys: float, rate: float = FASTEST) -> float:
    """The time on a screen at which the reading rate is `rate` words per minute."""
    return 60 * words / rate + SECONDS_A_KEY * keys
