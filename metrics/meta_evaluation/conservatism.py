"""Changes by correctors: words, word order, sentence boundaries, and sentences left as they are.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.2. Only letters and digits count, within words and as words.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import optimize

NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
SENTENCE_END = re.compile(r"[.?!]+(?=\s+\w)")
"""An end of a sentence that more text follows."""


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Changes of a corrector by sentence.

    Attributes:
        changed: words aligned to another word, shape (n,).
        deleted: source words without a counterpart, shape (n,).
        added: words without a counterpart in the source, shape (n,).
        edit_distance: insertions, deletions and substitutions of words (Levenshtein), shape (n,).
        order: Spearman correlation of the places of aligned words, shape (n,); NaN below two aligned words.
        split: whether the text has more sentences than the source, shape (n,).
        joined: whether it has fewer, shape (n,).
        unchanged: whether all words are those of the source, shape (n,).
    """

    changed: IntArray
    deleted: IntArray
    added: IntArray
    edit_distance: IntArray
    order: FloatArray
    split: np.typing.NDArray[np.bool_]
    joined: np.typing.NDArray[np.bool_]
    unchanged: np.typing.NDArray[np.bool_]

    @property
    def words(self) -> IntArray:
        """Words changed, deleted or added by sentence: the paper's WordChange."""
        return self.changed + self.deleted + self.added

    @property
    def mean_order(self) -> float | None:
        """The mean Spearman correlation; None if no sentence has two aligned words."""
        defined = self.order[np.isfinite(self.order)]
        return float(defined.mean()) if len(defined) else None


def words(text: str) -> list[str]:
    """The words of a tokenised text, without other characters than letters and digits."""
    stripped = (NOT_ALPHANUMERIC.sub("", token) for token in text.split())
    return [word for word in stripped if word]


def alignment(source: Sequence[str], text: Sequence[str]) -> IntArray:
    """Pairs of places of aligned words, shape (pairs, 2), in the order of the source.

    A minimum-cost bipartite matching on the words' edit distances, in which a word without a counterpart
    costs its length. Of matchings that cost the same, the one with the most equal words counts, and of these
    the one with the smallest displacement, so that repeated words keep their order.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    size = max(len(source), len(text))
    padded = ([*side, *[""] * (size - len(side))] for side in (source, text))
    distances = cdist(*padded, scorer=Levenshtein.distance).astype(float)
    places = np.arange(size)
    displacement = np.abs(places[:, None] - places)
    # All pairs together cost less than 1/2 for being different, and less than one such pair for displacement.
    different = 1 / (2 * size + 1)
    distances += different * ((distances > 0) + displacement / (size * size + 1))
    rows, columns = optimize.linear_sum_assignment(distances)
    both = (rows < len(source)) & (columns < len(text))
    return np.stack([rows[both], columns[both]], axis=1)


def changes(
    sources: Sequence[str], texts: Sequence[str], *, step: Callable[[], None] = lambda: None
) -> Changes:
    """Changes that one corrector made in these sources.

    Args:
        sources: n tokenised sentences.
        texts: the n corrected ones.
        step: called after each sentence; it may stop the computation by raising an error.

    Raises:
        ValueError: there are more or fewer texts than sources.
    """
    from rapidfuzz.distance import Levenshtein

    if len(sources) != len(texts):
        raise ValueError(f"{len(texts)} texts for {len(sources)} sources")
    counts = np.zeros((5, len(sources)), dtype=np.int64)
    order = np.empty(len(sources))
    for number, (source, text) in enumerate(zip(sources, texts, strict=True)):
        before, after = words(source), words(text)
        pairs = alignment(before, after)
        order[number] = _order(pairs)
        counts[:, number] = (
            sum(before[old] != after[new] for old, new in pairs.tolist()),
            len(before) - len(pairs),
            len(after) - len(pairs),
            Levenshtein.distance(before, after),
            len(SENTENCE_END.findall(text)) - len(SENTENCE_END.findall(source)),
        )
        step()
    changed, deleted, added, distance, ends = counts
    return Changes(changed, deleted, added, distance, order, ends > 0, ends < 0, distance == 0)


def _order(pairs: IntArray) -> float:
    """Spearman's correlation of the places, none of which occurs twice."""
    number = len(pairs)
    if number < 2:
        return float("nan")
    shifts = np.argsort(np.argsort(pairs[:, 1])) - np.arange(number)
    return 1 - 6 * int(shifts @ shifts) / (number * (number**2 - 1))
