"""A machine's correction of differences that are watched, which keeps their intervals valid at all looks.

People judge sentences one after another, a machine has judged all. At a look, the difference of two systems
differs from the true one by about the sum of the influences psi of the people's sentences. What the machine
said of the same comparisons has influences phi, taken about its mean over all of its sentences, and so mean 0
for sentences that are drawn at random, or weighted by their inclusion probabilities. The corrected
difference leaves out the sum of lambda phi, which is prediction-powered inference (PPI++, Angelopoulos, Duchi
and Zrnic 2023).

A lambda that is chosen anew from all judgments at each look would not do: the terms of a confidence sequence
must have mean 0 given what came before. Here a sentence has the lambda that the looks before its first
judgment suggest, and keeps it. So lambda does not depend on the sentence, psi - lambda phi has mean 0 like
psi, and the theorem of `ranking.planning.watching` holds for these terms as it does for psi (Kilian,
Cortinovis and Caron 2025, *Anytime-valid, Bayes-assisted, Prediction-Powered Inference*, do so for means). A
poor lambda costs width, not validity.

The machine's mean is over finitely many sentences, N. With sigma the standard deviation of phi, and beta the
lambda that is best in the end, the corrected difference of n sentences has an error with the covariance
tau^2 / m + gamma^2 between looks at n and at m >= n, where gamma = beta sigma / sqrt(N): an error of the
machine that all looks share. That is the covariance of a mean of tau^2 / (tau^2 / n + gamma^2) independent
terms, fewer than n, which also grow from look to look. Intervals for means therefore hold if the standard
error is that of both parts. Their half width in standard errors is that of n terms; that of the fewer terms
differs by less than 1 %, since the width is flat around the planned number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd, sparse
from ranking.judgments.grouped_pairs import Unit, cells_of_groups, group_pairs
from ranking.judgments.snapshot import Basis, system_names, without_systems

FEWEST_TO_TUNE = 10
"""Sentences of people from which a lambda is chosen; it is 0 for these."""


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedSums:
    """W differences, corrected at a look.

    Attributes:
        shift: shape (W,), what the machine adds to the differences.
        errors: shape (N, W), the part of each sentence in the errors of the corrected differences.
        lasting: shape (W,), the variance that remains however many sentences people judge.
    """

    shift: FloatArray
    errors: FloatArray
    lasting: FloatArray


class MachineCorrection:
    """What a machine said of N sentences, of which people judge the first n one after another.

    Attributes:
        weights: shape (n, W); lambda of each sentence for each difference, 0 before its first judgment.
    """

    def __init__(
        self,
        machine: pd.DataFrame,
        by: Basis,
        *,
        systems: tuple[str, ...],
        sentences: pd.Index[Any],
        differences: int,
    ) -> None:
        """`machine` is a snapshot, whose outputs are compared `by` ranks or scores.

        `systems` are those of people, in alphabetical order, and `sentences` the ids of the people's, in the
        order in which they were first judged; W is the number of `differences`.
        """
        strange = set(system_names(machine)).difference(systems)
        judged = group_pairs(without_systems(machine, strange) if strange else machine, Unit.SENTENCE, by)
        size, groups = len(systems) ** 2, len(judged.names)
        rows = pd.Index(sentences.astype("str")).get_indexer(pd.Index(judged.names)).astype(np.int64)
        rows[rows < 0] = len(sentences) + np.arange(np.count_nonzero(rows < 0))
        number = int(max(rows.max(initial=-1) + 1, len(sentences)))
        codes = _codes_of_all(systems, judged.systems)[judged.codes]
        cells = cells_of_groups(replace(judged, codes=codes), np.arange(2 * size))
        self._pair_of = _pairs_of_codes(len(systems))
        self._spread = sparse.csr_array(
            (np.ones(2 * size), (self._pair_of, np.arange(2 * size))), shape=(size, 2 * size)
        )
        times = sparse.csr_array(cells @ self._spread.T)
        group = np.repeat(np.arange(groups, dtype=np.int32), np.diff(cells.indptr))
        shares = cells.data
        if len(group):  # Without cells, SciPy gives a table instead of an array.
            shares = shares / times[group, self._pair_of[cells.indices]]
        placed = sparse.csr_array((np.ones(groups), (rows, np.arange(groups))), shape=(number, groups))
        self._shares = placed @ sparse.csr_array((shares, cells.indices, cells.indptr), shape=cells.shape)
        self._answered = placed @ times.sign()
        self._number = np.maximum(self._answered.sum(axis=0), 1)
        self._means = self._shares.sum(axis=0) / self._number[self._pair_of]
        self._asked: sparse.csr_array[Any, Any] = sparse.csr_array((number, size))
        self._beside: sparse.csr_array[Any, Any] = sparse.csr_array((number, 2 * size))
        self._sentences = 0
        self.weights = np.zeros((len(sentences), differences))
        self._next = np.zeros(differences)

    def add(self, compared: sparse.csr_array[Any, Any], sentences: int) -> None:
        """Add people's comparisons since the last look, after which they have judged so many sentences.

        `compared` has the shape (n, 2 * S * S), with the kinds of `ranking.GroupedPairs`.
        """
        cells = compared.tocoo()
        added = sparse.csr_array((cells.data, (cells.row, self._pair_of[cells.col])), shape=self._asked.shape)
        added = added.multiply(self._answered).tocsr()
        self._asked = self._asked + added
        self._beside = self._beside + (added @ self._spread).multiply(self._shares).tocsr()
        self.weights[self._sentences : sentences] = self._next
        self._sentences = sentences

    def corrected(self, sums: FloatArray, influences: FloatArray) -> CorrectedSums:
        """The correction of differences, and the lambdas of the sentences of the next look.

        `sums` has the shape (n, W), the influences of the people's sentences; `influences` (2 * S * S, W),
        those of one comparison of each kind.
        """
        means = self._by_pair(self._means[:, np.newaxis] * influences)
        own = (self._beside @ influences - self._asked @ means)[: len(sums)]
        within = sums - self.weights * own
        errors = self._everywhere(self._asked[: len(sums)].T @ self.weights, influences, means)
        errors[: len(sums)] += within
        total = np.asarray(self._asked.sum(axis=0))[:, np.newaxis] * np.ones(sums.shape[1])
        seen, all_at_1 = slice(self._sentences), self._everywhere(total, influences, means)
        if self._sentences >= FEWEST_TO_TUNE:
            by_people = sums[seen] - sums[seen].mean(axis=0)
            all_at_1[: len(sums)] -= own
            self._next = tuned(by_people, -all_at_1[seen], (all_at_1**2).sum(axis=0))
        lasting = np.maximum((errors**2).sum(axis=0) - (within**2).sum(axis=0), 0)
        return CorrectedSums(-(self.weights * own).sum(axis=0), errors, lasting)

    def _everywhere(self, asked: FloatArray, influences: FloatArray, means: FloatArray) -> FloatArray:
        """The part of each of N sentences in the machine's means, shape (N, W), at these weights of pairs."""
        by_pair = asked / self._number[:, np.newaxis]
        part: FloatArray = self._shares @ (by_pair[self._pair_of] * influences)
        return part - self._answered @ (by_pair * means)

    def _by_pair(self, values: FloatArray) -> FloatArray:
        return np.asarray(self._spread @ values, dtype=np.float64)


def tuned(people: FloatArray, machine: FloatArray, squares: FloatArray) -> FloatArray:
    """The lambdas of the least variance, from 0 to 1, shape (W,).

    From the influences of the sentences so far by people and by the machine, shape (n, W) each, and the sums
    of squares of the machine's over all sentences. They are shrunk by their own uncertainty (James and Stein
    1961), to 0 where that is as large as they are.
    """
    products = people * machine
    covariance = products.sum(axis=0)
    noise = (products**2).sum(axis=0)
    positive = (covariance > 0) & (squares > 0)
    best = np.divide(covariance, squares, out=np.zeros(len(squares)), where=positive)
    shrunk = 1 - np.divide(noise, covariance**2, out=np.ones(len(squares)), where=positive)
    lambdas: FloatArray = np.clip(best * np.maximum(shrunk, 0), 0, 1)
    return lambdas


def _codes_of_all(systems: tuple[str, ...], some: tuple[str, ...]) -> IntArray:
    """The kind of comparison among all systems of each kind among some of them."""
    places = np.searchsorted(systems, some)
    both = (places[:, np.newaxis] * len(systems) + places).ravel()
    return np.concatenate([both, len(systems) ** 2 + both])


def _pairs_of_codes(systems: int) -> IntArray:
    """The pair of systems of each kind of comparison, shape (2 * S * S,)."""
    first, second = np.divmod(np.arange(systems**2), systems)
    pair = np.minimum(first, second) * systems + np.maximum(first, second)
    return np.concatenate([pair, pair])
