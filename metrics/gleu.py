"""GLEU: n-gram precision that rewards corrections and penalises errors that were left in."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import Metric, NotScored, Reduce, Rows, pick_counts

SEED_STEP = 101
"""Iteration j draws references from a stream with the seed j * 101."""

ITERATIONS_AT_ONCE = 50
"""Number of iterations whose draws are held in memory together."""

CORPORA_AT_ONCE = 250
"""Corpora whose sums are held in memory together: 10 MB for 500 iterations, and as much by sentence."""

OUTPUTS_AT_ONCE = 20_000
"""Outputs whose scores are computed together."""


@dataclass(frozen=True, slots=True)
class GleuParameters:
    """Options of GLEU."""

    order: int = parameter(
        4, label="Longest n-gram", help="Tokens in the longest n-grams.", minimum=1, maximum=10
    )
    iterations: int = parameter(
        500,
        label="Iterations",
        help="How often a reference is drawn for each sentence; one iteration if there is one reference.",
        minimum=1,
        maximum=10_000,
        changes_statistics=False,
    )


@dataclass(frozen=True, slots=True)
class CharGleuParameters(GleuParameters):
    """Options of GLEU over characters."""

    order: int = parameter(
        5, label="Longest n-gram", help="Characters in the longest n-grams.", minimum=1, maximum=20
    )


class UnitGleu(Metric[GleuParameters]):
    """GLEU over some unit of text (Napoles et al. 2016, "GLEU without tuning").

    A row per reference holds the lengths of output and reference, then numerator and denominator of the
    precision of each order. A sentence scores the mean over its references, with statistics of 0 taken as 1.
    A corpus scores the mean over iterations that draw a reference for each sentence. The draws belong to
    positions, so the order of sentences matters; in a resampled corpus a sentence keeps the draws of its
    position. The methods `value`, `sentence_value` and `draws` are those of the official tool.
    """

    perfect = 1.0
    by_frequency: ClassVar[bool] = False
    """How n-grams are matched; see `metrics.kernels.gleu_kernel.matches`."""

    @abstractmethod
    def units(self, text: str) -> Sequence[str]:
        """The units of n-grams."""

    def value(self, statistics: FloatArray) -> FloatArray:
        """Scores, shape (...), of sums of rows, shape (..., 2 + 2 * order)."""
        return gleu(statistics)

    def sentence_value(self, statistics: FloatArray) -> FloatArray:
        """Scores, shape (...), of rows, shape (..., 2 + 2 * order)."""
        return gleu(np.where(statistics == 0, 1.0, statistics))

    def draws(self, iterations: range, sentences: IntArray, sizes: IntArray) -> IntArray:
        """References drawn for U sentences, shape (U, iterations): see `reference_draws`."""
        return reference_draws(iterations, sentences, sizes)

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (references, 2 + 2 * order)."""
        from metrics.kernels.gleu_kernel import matches

        references = required_references(data)
        order = self.parameters.order
        numbers: dict[str, int] = {}

        def encoded(text: str) -> IntArray:
            return np.array([numbers.setdefault(unit, len(numbers)) for unit in self.units(text)], np.int64)

        prepared: dict[int, tuple[IntArray, list[IntArray]]] = {}

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            if sentence not in prepared:
                texts = [encoded(text) for text in references[sentence]]
                prepared[sentence] = encoded(data.sources[sentence]), texts
            source, texts = prepared[sentence]
            tokens = encoded(output)
            parts = [source, tokens, *texts]
            bounds = np.cumsum([0, *(len(part) for part in parts)])
            rows = np.empty((len(texts), 2 + 2 * order))
            rows[:, 0] = len(tokens)
            rows[:, 1] = [len(text) for text in texts]
            rows[:, 2::2] = matches(np.concatenate(parts), bounds, order, self.by_frequency)
            rows[:, 3::2] = np.maximum(len(tokens) - np.arange(order), 0)
            return rows

        return reduce

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """The mean over the references; some outputs at once, which takes a part of the memory."""
        scores = np.empty(len(rows.sizes))
        for first in range(0, len(scores), OUTPUTS_AT_ONCE):
            some = slice(first, first + OUTPUTS_AT_ONCE)
            values, sizes = rows.values[some], rows.sizes[some]
            present = np.arange(values.shape[1]) < sizes[:, None]
            by_reference = np.where(present, self.sentence_value(values), 0.0)
            scores[some] = by_reference.sum(axis=1) / np.maximum(sizes, 1)
        return scores

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """The mean over iterations."""
        parts = [
            self.value(self._iteration_sums(rows, picks[first : first + CORPORA_AT_ONCE])).mean(axis=1)
            for first in range(0, len(picks), CORPORA_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def _iteration_sums(self, rows: Rows, picks: IntArray) -> FloatArray:
        """The sums of the statistics of each corpus in each iteration, shape (B, iterations, K)."""
        chosen, counts = pick_counts(picks, len(rows.sizes))
        values, sizes, sentences = rows.values[chosen], rows.sizes[chosen], rows.sentences[chosen]
        references = values.shape[1]
        iterations = self.parameters.iterations if references > 1 else 1
        sums = np.repeat((counts @ values[:, 0])[:, None], iterations, axis=1)
        if references == 1:
            return sums
        # Outputs of a sentence share its draws: what they have more by a reference than by the first one is
        # summed by sentence before it is summed by iteration.
        order = np.argsort(sentences, kind="stable")
        drawn_sentences, starts = np.unique(sentences[order], return_index=True)
        more = (values[:, 1:] - values[:, :1])[order]
        counts = counts[:, order]
        # The lengths of the output and of its n-grams are those of the first reference's row.
        columns = (1, *range(2, values.shape[2], 2))
        by_sentence = {
            column: np.concatenate(
                [
                    np.add.reduceat(counts * more[:, reference, column], starts, axis=1)
                    for reference in range(references - 1)
                ],
                axis=1,
            )
            for column in columns
        }
        for first in range(0, iterations, ITERATIONS_AT_ONCE):
            block = range(first, min(first + ITERATIONS_AT_ONCE, iterations))
            draws = self.draws(block, drawn_sentences, sizes[order][starts])
            drawn = np.concatenate([draws == reference for reference in range(1, references)])
            for column, parts in by_sentence.items():
                sums[:, block.start : block.stop, column] += parts @ drawn.astype(np.float64)
        return sums


class Gleu(UnitGleu):
    """GLEU over tokens, equal to the official tool as of 2016."""

    name = "gleu"
    label = "GLEU"
    summary = "n-gram precision against references, minus errors kept from the source."
    Parameters = GleuParameters

    def units(self, text: str) -> Sequence[str]:
        """Tokens."""
        return text.split()


class CharGleu(UnitGleu):
    """GLEU over characters (Napoles et al. 2019); blanks between tokens count as characters."""

    name = "chargleu"
    label = "charGLEU"
    summary = "GLEU over characters."
    Parameters = CharGleuParameters

    def units(self, text: str) -> Sequence[str]:
        """Characters, with one blank between tokens."""
        return " ".join(text.split())


def gleu(statistics: FloatArray) -> FloatArray:
    """GLEU of statistics, shape (..., 2 + 2 * order); 0 if any of them is 0."""
    defined = np.asarray((statistics > 0).all(axis=-1))
    safe = np.where(defined[..., None], statistics, 1.0)
    brevity = np.minimum(0.0, 1.0 - safe[..., 1] / safe[..., 0])
    precision = np.log(safe[..., 2::2] / safe[..., 3::2]).mean(axis=-1)
    return np.where(defined, np.exp(brevity + precision), 0.0)


def reference_draws(iterations: range, sentences: IntArray, sizes: IntArray) -> IntArray:
    """The reference drawn for each of U outputs in the given iterations, shape (U, iterations).

    They are those of the official tool under Python 2, whose `randint(0, R - 1)` is int(R * random()). The
    streams of Python and of NumPy are the same Mersenne Twister, started from the same array of one seed.

    Args:
        iterations: numbers of the iterations.
        sentences: shape (U,), the output's sentence, which is its position in the stream of an iteration.
        sizes: shape (U,), its number of references.
    """
    length = int(sentences.max()) + 1
    generator = np.random.RandomState()
    streams = np.empty((len(iterations), length))
    for row, iteration in enumerate(iterations):
        generator.seed([iteration * SEED_STEP])
        streams[row] = generator.random_sample(length)
    return np.asarray((streams[:, sentences] * sizes).astype(np.int64).T)
