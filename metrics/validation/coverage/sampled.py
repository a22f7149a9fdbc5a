"""The score of a perfect corrector by any metric, against M references drawn from people's corrections.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 2.2: if a metric has no closed form, references and the output are drawn from
people's corrections.
"""

import warnings
from collections.abc import Sequence

import numpy as np
from scipy.stats import DegenerateDataWarning, bootstrap

from metrics.base import FloatArray, IntArray
from metrics.inputs import Annotation, EvaluationSet
from metrics.scoring import Scored
from metrics.validation.coverage.answers import AnsweredSentence, Normalisation, words_of
from metrics.validation.coverage.word_edits import word_edits
from metrics.validation.estimates import Estimate

PERFECT = "perfect corrector"
REPLICATES_AT_ONCE = 100


def sampled_test_set(
    answered: Sequence[AnsweredSentence],
    references: int,
    *,
    sentences: int = 1312,
    correct: int = 136,
    normalisation: Normalisation = Normalisation.WORDS,
    seed: int = 0,
) -> tuple[EvaluationSet, dict[str, list[str]]]:
    """A test set drawn from a pilot, with the output of a perfect corrector.

    Sentences are drawn uniformly, then the references and the output of each from its answers, all with
    replacement. Texts are compared, and hence scored, as normalised. The edits of references are those of the
    word alignment with the fewest changes.

    Args:
        answered: the pilot.
        references: number of references per sentence.
        sentences: number of sentences of the test set.
        correct: number of sentences that need no correction: their output and references are the source.
        normalisation: normalisation of all texts.
        seed: seed of all draws.

    Returns:
        The test set, and the outputs of its one system.
    """
    generator = np.random.default_rng(seed)
    normal = [[" ".join(words_of(text, normalisation)) for text in each.answers] for each in answered]
    sources = [" ".join(words_of(each.source, normalisation)) for each in answered]
    drawn = generator.integers(len(answered), size=sentences)
    texts = []
    for number in drawn[: sentences - correct].tolist():
        picks = generator.integers(len(normal[number]), size=references + 1)
        texts.append([normal[number][pick] for pick in picks.tolist()])
    texts += [[sources[number]] * (references + 1) for number in drawn[sentences - correct :].tolist()]
    chosen = [sources[number] for number in drawn.tolist()]
    data = EvaluationSet(
        tuple(chosen),
        tuple(tuple(each[1:]) for each in texts),
        tuple(
            tuple(Annotation(str(place), word_edits(source, text)) for place, text in enumerate(each[1:]))
            for source, each in zip(chosen, texts, strict=True)
        ),
    )
    return data, {PERFECT: [each[0] for each in texts]}


def corpus_estimate(
    scored: Scored, system: str, *, confidence: float = 0.95, replicates: int = 1000, seed: int = 0
) -> Estimate:
    """A system's corpus score with its BCa interval over sentences (Efron 1987, by `scipy.stats`).

    Sentences that the metric does not score add nothing, as in the score itself.
    """
    picks = scored.picks[system]
    score = scored.corpus(system)
    if score.value is None:
        return Estimate(None, None, None, score.reason)

    def scores(numbers: IntArray, axis: int = -1) -> FloatArray:
        drawn = picks[np.atleast_2d(numbers)]
        return scored.metric.corpus_scores(scored.rows, drawn).reshape(numbers.shape[:-1])

    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", DegenerateDataWarning)
        interval = bootstrap(
            (np.arange(len(picks)),),
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
