"""Features of an output's text for learned metrics (Parton et al. 2011, MTeRater, section 4.2)."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.ngrams import Vocabulary, characters, ngram_counts

WORD_ORDERS = 6
CHARACTER_ORDERS = 10

FEATURES: tuple[str, ...] = (
    "words_to_source",
    "words_to_reference",
    "characters_to_source",
    "characters_to_reference",
    *(f"word_precision_{order}" for order in range(1, WORD_ORDERS + 1)),
    *(f"word_recall_{order}" for order in range(1, WORD_ORDERS + 1)),
    *(f"character_precision_{order}" for order in range(1, CHARACTER_ORDERS + 1)),
    *(f"character_recall_{order}" for order in range(1, CHARACTER_ORDERS + 1)),
    "words_in_source",
)
"""Names of the features, in order.

Ratios of lengths are output to source or reference, of the reference closest in length; equal lengths have
the ratio 1, and a length of 0 is divided by as 1. n-gram precision and recall are those against the reference
where they are highest; without n-grams of an order on one side they are 0, on both sides 1. `words_in_source`
is the share of output words that stand in the source, a heuristic for words out of vocabulary. One blank
between tokens counts as a character.
"""


def features_of(
    data: EvaluationSet, outputs: Sequence[tuple[int, str]], progress: Advance = lambda outputs: None
) -> FloatArray:
    """The features of outputs, each with its sentence counted from 0, shape (D, 37).

    A sentence without references has NaN for all features; `progress` gets the number of outputs finished.

    Raises:
        InputError: there are no references.
    """
    features = _reader(data)
    values = np.empty((len(outputs), len(FEATURES)))
    for number, each in enumerate(outputs):
        values[number] = features(*each)
        progress(1)
    return values


def _reader(data: EvaluationSet) -> Callable[[int, str], FloatArray]:
    references_of, vocabulary = required_references(data), Vocabulary()

    @lru_cache(maxsize=1)  # Outputs of a sentence follow each other.
    def source_and_references(sentence: int) -> list[tuple[IntArray, IntArray]]:
        texts = (data.sources[sentence], *references_of[sentence])
        return [(vocabulary.words(text), _letters(text)) for text in texts]

    def features_of(sentence: int, output: str) -> FloatArray:
        if not references_of[sentence]:
            return np.full(len(FEATURES), np.nan)
        by_word, by_letter = vocabulary.words(output), _letters(output)
        (source, *references), (source_letters, *reference_letters) = zip(
            *source_and_references(sentence), strict=True
        )
        lengths = [
            _ratio(by_word, source),
            _closest_ratio(by_word, references),
            _ratio(by_letter, source_letters),
            _closest_ratio(by_letter, reference_letters),
        ]
        in_source = set(source.tolist())
        copied = sum(word in in_source for word in by_word.tolist()) / max(1, len(by_word))
        overlaps = [
            *_overlaps(by_word, references, WORD_ORDERS),
            *_overlaps(by_letter, reference_letters, CHARACTER_ORDERS),
        ]
        return np.concatenate([lengths, *overlaps, [copied]])

    return features_of


def _letters(text: str) -> IntArray:
    """The characters of a text, with one blank between tokens."""
    return characters(" ".join(text.split()))


def _ratio(output: IntArray, other: IntArray) -> float:
    if len(output) == len(other):
        return 1.0
    return len(output) / max(1, len(other))


def _closest_ratio(output: IntArray, references: Sequence[IntArray]) -> float:
    """The shorter one of two that are equally close, as for BLEU."""
    closest = min(references, key=lambda each: (abs(len(each) - len(output)), len(each)))
    return _ratio(output, closest)


def _overlaps(output: IntArray, references: Sequence[IntArray], orders: int) -> tuple[FloatArray, FloatArray]:
    """Highest precision and recall over references, by order."""
    ngrams = ngram_counts([output, *references], orders)
    matches = ngrams.by_order(np.minimum(ngrams.counts[0], ngrams.counts[1:]))
    totals = ngrams.by_order(ngrams.counts)
    nothing = (totals[0] == 0) & (totals[1:] == 0)
    precision = np.where(nothing, 1.0, matches / np.maximum(totals[0], 1))
    recall = np.where(nothing, 1.0, matches / np.maximum(totals[1:], 1))
    return precision.max(axis=0), recall.max(axis=0)
