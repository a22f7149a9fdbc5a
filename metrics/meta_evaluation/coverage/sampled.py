"""The score of a perfect corrector by any metric, against M references drawn from people's corrections.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", sections 2.2 and 4: if a metric has no closed form, references and the output are drawn
from people's corrections.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import stats
from core.progress import Advance
from metrics.base.evaluation_sets import Annotation, EvaluationSet
from metrics.base.scoring import Scored
from metrics.meta_evaluation.coverage.collected_corrections import AnsweredSentence, Normalisation, words_of
from metrics.meta_evaluation.coverage.unseen import CoverageError
from metrics.meta_evaluation.coverage.word_edits import word_edits
from metrics.meta_evaluation.estimates import Estimate

PERFECT = "perfect corrector"
LUCKY = "lucky corrector"
REPLICATES_AT_ONCE = 100


class Draw(StrEnum):
    """How output and references are drawn from the answers to a sentence."""

    PEOPLE = "people"
    """Without replacement: each is of another person, so the score is unbiased for few answers too."""

    ANSWERS = "answers"
    """With replacement, as in the paper: with few answers, a reference is often the output itself."""


@dataclass(frozen=True, slots=True)
class SampledTestSet:
    """A test set drawn from a pilot, with the output of a perfect corrector.

    Attributes:
        sources: of n sentences.
        references: for each sentence the most references that it is compared with, in the order drawn.
        perfect: output of a perfect corrector: drawn as the references are.
        lucky: for each sentence a number from 0 to 1: which of the references a lucky corrector hits.
        pilot: for each sentence the number of the pilot's sentence that it was drawn from; -1 where no
            correction is needed.
    """

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    perfect: tuple[str, ...]
    lucky: tuple[float, ...]
    pilot: tuple[int, ...]

    def against(self, references: int) -> tuple[EvaluationSet, dict[str, list[str]]]:
        """The test set with the first references of each sentence.

        Returns:
            The test set, whose gold edits are those of the word alignment with the fewest changes; and the
            outputs of the perfect corrector, and of the lucky one, which is always one of the references.
        """
        edits = cache(word_edits)
        compared = tuple(texts[:references] for texts in self.references)
        data = EvaluationSet(
            self.sources,
            compared,
            tuple(
                tuple(Annotation(str(place), edits(source, text)) for place, text in enumerate(texts))
                for source, texts in zip(self.sources, compared, strict=True)
            ),
        )
        hit = [texts[int(share * references)] for texts, share in zip(compared, self.lucky, strict=True)]
        return data, {PERFECT: list(self.perfect), LUCKY: hit}


def sampled_test_set(
    answered: Sequence[AnsweredSentence],
    references: int,
    *,
    sentences: int = 1312,
    correct: int = 136,
    draw: Draw = Draw.PEOPLE,
    normalisation: Normalisation = Normalisation.WORDS,
    seed: int = 0,
) -> SampledTestSet:
    """Draw a test set from a pilot.

    Sentences are drawn uniformly with replacement, then the output and the references of each from its
    answers. Texts are compared, and hence scored, as normalised.

    Args:
        answered: the pilot.
        references: number of references per sentence.
        sentences: number of sentences of the test set.
        correct: number of sentences that need no correction: output and references are the source.
        draw: whether an answer can be drawn repeatedly.
        normalisation: normalisation of all texts.
        seed: seed of all draws.

    Raises:
        CoverageError: a sentence has too few answers; the message names it.
    """
    with_replacement = draw == Draw.ANSWERS
    needed = 1 if with_replacement else references + 1
    for number, each in enumerate(answered, 1):
        if len(each.answers) < needed:
            raise CoverageError(
                f"sentence {number} ({each.source[:60]!r}) has {len(each.answers)} answers; an output and "
                f"{references} references of different people need {needed}"
            )
    generator = np.random.default_rng(seed)
    normal = [[" ".join(words_of(text, normalisation)) for text in each.answers] for each in answered]
    sources = [" ".join(words_of(each.source, normalisation)) for each in answered]
    drawn = generator.integers(len(answered), size=sentences).tolist()
    texts = [
        [
            normal[number][pick]
            for pick in generator.choice(len(normal[number]), references + 1, replace=with_replacement)
        ]
        for number in drawn[: sentences - correct]
    ]
    texts += [[sources[number]] * (references + 1) for number in drawn[sentences - correct :]]
    return SampledTestSet(
        sources=tuple(sources[number] for number in drawn),
        references=tuple(tuple(each[1:]) for each in texts),
        perfect=tuple(each[0] for each in texts),
        lucky=tuple(generator.random(sentences).tolist()),
        pilot=(*drawn[: sentences - correct], *[-1] * min(correct, sentences)),
    )


def corpus_estimate(
    scored: Scored,
    system: str,
    *,
    pilot: Sequence[int] | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Advance | None = None,
) -> Estimate:
    """A system's corpus score with its BCa interval over sentences (Efron 1987, by `scipy.stats`).

    Sentences that the metric does not score add nothing, as in the score itself. A sentence that a test set
    drew several times tells no more of other sentences than once. So where they were drawn from a pilot, the
    pilot's sentences are resampled, each with all that was drawn from it.

    Args:
        scored: the scores.
        system: the system.
        pilot: as in `SampledTestSet`: sentences of equal number are resampled together, those of number -1
            are in all replicates. If None, each sentence is resampled by itself.
        confidence: confidence level of the interval.
        replicates: number of bootstrap replicates; 0 for no interval.
        seed: seed of the replicates.
        progress: called with the number of corpora scored, of the replicates and one without each sentence
            that is resampled.
    """
    picks = scored.picks[system]
    score = scored.corpus(system)
    if score.value is None:
        return Estimate(None, None, None, score.reason)
    if not replicates:
        return Estimate(score.value, None, None, "nothing was resampled")

    together = _together(range(len(picks)) if pilot is None else pilot)
    if len(together.of_units) < 2:
        return Estimate(score.value, None, None, "fewer than two sentences can be resampled")

    def scores(numbers: IntArray, axis: int = -1) -> FloatArray:
        values = []
        for units in np.atleast_2d(numbers):
            drawn = np.concatenate([together.always, *(together.of_units[unit] for unit in units)])
            values.append(scored.metric.corpus_scores(scored.rows, picks[np.newaxis, drawn])[0])
        if progress:
            progress(len(values))
        return np.array(values).reshape(numbers.shape[:-1])

    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        interval = stats.bootstrap(
            (np.arange(len(together.of_units)),),
            scores,
            confidence_level=confidence,
            n_resamples=replicates,
            batch=REPLICATES_AT_ONCE,
            method="BCa",
            vectorized=True,
            rng=np.random.default_rng(seed),
        ).confidence_interval
    if not np.isfinite(interval).all():
        return Estimate(score.value, None, None, "the score is the same in every resample of the sentences")
    return Estimate(score.value, float(interval.low), float(interval.high), None)


class _Together(NamedTuple):
    """The sentences, from 0, that are in all replicates, and those of each unit that is resampled."""

    always: IntArray
    of_units: list[IntArray]


def _together(pilot: Sequence[int]) -> _Together:
    numbers = np.asarray(pilot, dtype=np.int64)
    order = np.argsort(numbers, kind="stable")
    _, starts = np.unique(numbers[order], return_index=True)
    parts = np.split(order, starts[1:])
    if len(numbers) and numbers.min() < 0:
        return _Together(parts[0], parts[1:])
    return _Together(np.empty(0, dtype=np.int64), parts)
