"""Several people's corrections of each sentence, and when two of them are the same correction.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 2.1 and appendix D.
"""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from metrics.index_match import changed_words
from metrics.meta_evaluation.coverage.unseen import (
    CorrectionDistribution,
    CoverageError,
    answer_histogram,
    unseen_distribution,
)

NOT_A_WORD = re.compile(r"\W+")


class Normalisation(StrEnum):
    """Normalisation of texts before they are compared."""

    WORDS = "words"
    """Letters and digits in lower case; everything else separates words, as in the paper."""

    TOKENS = "tokens"
    """Tokens as they are."""


class Match(StrEnum):
    """Conditions on which two corrections of a sentence count as the same."""

    EXACT = "exact"
    """They have the same words."""

    INDEX = "index"
    """They change the same words of the source, to any words (the paper's exact index match)."""

    INDEX_AND_LENGTH = "index-and-length"
    """They also add the same number of words.

    The released figures were counted this way: it reproduces 24 of the 48 released histograms, and
    `INDEX` none.
    """


@dataclass(frozen=True, slots=True)
class AnsweredSentence:
    """A sentence that several people corrected.

    Attributes:
        source: the sentence as written.
        answers: one correction per person.
    """

    source: str
    answers: tuple[str, ...]


def words_of(text: str, normalisation: Normalisation) -> tuple[str, ...]:
    """The normalised words of a text."""
    if normalisation == Normalisation.WORDS:
        text = NOT_A_WORD.sub(" ", text).lower()
    return tuple(text.split())


def in_need_of_correction(
    sentences: Sequence[AnsweredSentence],
    *,
    unchanged_below: float = 0.44,
    normalisation: Normalisation = Normalisation.WORDS,
) -> tuple[AnsweredSentence, ...]:
    """The sentences that fewer than this share of people left unchanged.

    The paper discards sentences that "almost half the workers" left unchanged: 22 of 50.
    """
    kept = []
    for sentence in sentences:
        source = words_of(sentence.source, normalisation)
        unchanged = sum(words_of(answer, normalisation) == source for answer in sentence.answers)
        if unchanged < unchanged_below * len(sentence.answers):
            kept.append(sentence)
    return tuple(kept)


def distributions(
    sentences: Sequence[AnsweredSentence],
    match: Match = Match.EXACT,
    normalisation: Normalisation = Normalisation.WORDS,
) -> tuple[CorrectionDistribution, ...]:
    """The distribution of valid corrections of each sentence.

    Raises:
        CoverageError: nothing can be estimated for a sentence; the message names it.
    """
    estimated = []
    for number, sentence in enumerate(sentences, 1):
        histogram = answer_histogram(corrections(sentence, match, normalisation))
        try:
            estimated.append(unseen_distribution(histogram))
        except CoverageError as error:
            raise CoverageError(f"sentence {number} ({sentence.source[:60]!r}): {error}") from None
    return tuple(estimated)


def corrections(sentence: AnsweredSentence, match: Match, normalisation: Normalisation) -> Counter[Hashable]:
    """How often each distinct correction was given."""
    answers = [words_of(answer, normalisation) for answer in sentence.answers]
    if match == Match.EXACT:
        return Counter(answers)
    source = words_of(sentence.source, normalisation)
    changed = [changed_words(source, answer) for answer in answers]
    if match == Match.INDEX:
        return Counter(changed)
    added = [max(0, len(answer) - len(source)) for answer in answers]
    return Counter(zip(changed, added, strict=True))


def variants_and_mass(
    estimated: Sequence[CorrectionDistribution], thresholds: Sequence[float]
) -> tuple[FloatArray, FloatArray]:
    """Means over sentences: number of corrections with at least this frequency, and their total probability.

    Table 1 of the paper. Both of shape (thresholds,).
    """
    numbers = [[each.variants(threshold) for threshold in thresholds] for each in estimated]
    masses = [[each.mass(threshold) for threshold in thresholds] for each in estimated]
    return np.mean(numbers, axis=0), np.mean(masses, axis=0)
