"""Matching of words by form and stem, as in METEOR, and an edit rate, as in TER, as features of an output.

METEOR itself also matches synonyms and paraphrases from English resources, and TER moves blocks of words;
neither is done here.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from core.arrays import FloatArray

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weight of precision in the harmonic mean, and the penalty of fragments (Banerjee and Lavie 2005)."""

FEATURES = (
    "matched precision",
    "matched recall",
    "matched fragments",
    "matched score",
    "edit rate",
)


def matching_features(output: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
    """`FEATURES` of an output, shape (5,): the matches with the reference of the highest score.

    Words match if they are equal in lower case, then if their stems are (Lancaster stemmer, as in ERRANT).
    Equal words match in the order of the text. The edit rate is the least word edit distance to a reference,
    divided by its length.
    """
    from rapidfuzz.distance import Levenshtein

    matched = max((_matched(output, reference) for reference in references), key=lambda each: each[-1])
    rate = min(Levenshtein.distance(output, each) / max(1, len(each)) for each in references)
    return np.array([*matched, rate])


def _matched(output: Sequence[str], reference: Sequence[str]) -> tuple[float, float, float, float]:
    """Precision, recall, fragments for each match, and METEOR's score; 1, 1, 0 and 1 for two empty texts."""
    if not output and not reference:
        return 1.0, 1.0, 0.0, 1.0
    pairs = sorted(_aligned([word.lower() for word in output], [word.lower() for word in reference]))
    if not pairs:
        return 0.0, 0.0, 1.0, 0.0
    precision, recall = len(pairs) / len(output), len(pairs) / len(reference)
    breaks = sum(later != (word + 1, other + 1) for (word, other), later in pairwise(pairs))
    fragments = (breaks + 1) / len(pairs) if breaks else 0.0
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return precision, recall, fragments, mean * (1 - GAMMA * fragments**BETA)


def _aligned(output: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int]]:
    """Places of matching words, each in at most one pair."""
    pairs = _pairs(dict(enumerate(output)), dict(enumerate(reference)))
    taken, given = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    return pairs + _pairs(
        {place: _stem(word) for place, word in enumerate(output) if place not in taken},
        {place: _stem(word) for place, word in enumerate(reference) if place not in given},
    )


def _pairs(output: dict[int, str], reference: dict[int, str]) -> list[tuple[int, int]]:
    """Places of equal words: the first one of the output with the first one of the reference, and so on."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in reference.items():
        places[word].append(place)
    used: Counter[str] = Counter()
    pairs = []
    for place, word in output.items():
        if used[word] < len(places.get(word, ())):
            pairs.append((place, places[word][used[word]]))
            used[word] += 1
    return pairs


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from errant.en.lancaster import LancasterStemmer

    return LancasterStemmer()
