"""Oracle re-ranking: the candidate that the best possible re-ranker picks, by number of references.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.3 and Figure 2: against few references it keeps more of the source.
"""

import numpy as np

from core.arrays import FloatArray, IntArray


def oracle_choices(scores: FloatArray, references: int, *, draws: int = 10, seed: int = 0) -> IntArray:
    """The best candidate of each sentence against random references, shape (draws, n).

    A candidate's score against several references is its best score against one of them. Ties go to the first
    candidate, so lists should begin with the system's preferred one.

    Args:
        scores: shape (n, k, R), of each candidate against each single reference; NaN if a sentence has fewer
            than k candidates.
        references: number drawn for each sentence, without replacement; with all R, every draw is the same.
        draws: number of draws.
        seed: seed of the drawn references; a draw does not depend on the number of draws.

    Raises:
        ValueError: more references than there are, or none.
    """
    sentences, _, available = scores.shape
    if not 1 <= references <= available:
        raise ValueError(f"{references} of {available} references cannot be drawn")
    comparable = np.where(np.isnan(scores), -np.inf, scores)
    generator = np.random.default_rng(seed)
    choices = np.empty((draws, sentences), dtype=np.int64)
    for number in range(draws):
        order = generator.permuted(np.tile(np.arange(available), (sentences, 1)), axis=1)
        drawn = np.take_along_axis(comparable, order[:, None, :references], axis=2)
        choices[number] = drawn.max(axis=2).argmax(axis=1)
    return choices
