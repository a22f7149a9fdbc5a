"""Errors that a grammar checker finds in texts, and in documents of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import sparse
from core.progress import Advance
from metrics.base.evaluation_sets import Checker

CHECKED_AT_ONCE = 50
"""Texts that the checker reads between two reports of progress."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Errors in D texts.

    Attributes:
        rules: names of R rules of the checker.
        counts: sparse, shape (D, 1 + R), in all and by rule.
        tokens: shape (D,), of each text.
    """

    rules: tuple[str, ...]
    counts: sparse.csr_array
    tokens: IntArray

    def for_each_token(self, texts: IntArray) -> FloatArray:
        """Errors for each token of the texts with these numbers, in all and by rule: shape (..., 1 + R)."""
        chosen = texts.ravel()
        rates = self.counts[chosen].toarray() / np.maximum(self.tokens[chosen], 1)[:, None]
        return np.asarray(rates.reshape(*texts.shape, 1 + len(self.rules)))

    def in_documents(self, texts: IntArray, documents: IntArray) -> Errors:
        """Errors in documents of S systems.

        Args:
            texts: shape (m, S), the number of each system's text of a sentence.
            documents: shape (m,), the number of the document that has the sentence.

        Returns:
            Those of system s in document d as the text d S + s.
        """
        systems = texts.shape[1]
        of_system = documents[:, None] * systems + np.arange(systems)
        parts = sparse.csr_array(
            (np.ones(texts.size, dtype=np.int64), (of_system.ravel(), texts.ravel())),
            shape=(of_system.max(initial=-1) + 1, len(self.tokens)),
        )
        return Errors(self.rules, parts @ self.counts, parts @ self.tokens)


def errors_of(
    checker: Checker, texts: Sequence[str], report: Advance, rules: Sequence[str] | None = None
) -> Errors:
    """The errors that a checker finds.

    Args:
        checker: reads each text once.
        texts: D texts of tokens separated by blanks.
        report: called with the number of texts whenever some are read.
        rules: those to count; others count in the total. None for all that some text breaks, by the alphabet.

    Raises:
        CheckerError: the checker does not answer.
    """
    broken: list[Mapping[str, int]] = []
    for begin in range(0, len(texts), CHECKED_AT_ONCE):
        block = texts[begin : begin + CHECKED_AT_ONCE]
        broken += checker.check(block)
        report(len(block))
    if rules is None:
        rules = sorted({rule for each in broken for rule in each})
    columns = {rule: column for column, rule in enumerate(rules, 1)}
    cells = (
        (row, column, times)
        for row, each in enumerate(broken)
        for column, times in [
            (0, sum(each.values())),
            *((columns[rule], times) for rule, times in each.items() if rule in columns),
        ]
    )
    rows, places, counts = np.fromiter(cells, dtype=np.dtype((np.int64, 3))).T
    return Errors(
        tuple(rules),
        sparse.csr_array((counts, (rows, places)), shape=(len(texts), 1 + len(columns))),
        np.array([len(text.split()) for text in texts], dtype=np.int64),
    )
