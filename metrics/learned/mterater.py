"""MTeRater: a linear SVM that learns to rank two outputs of a sentence (Parton et al. 2011, section 4.3).

The SVM learns from differences of the features of two outputs that an annotator ordered, as Joachims's
SVM-rank does. Its score of an output is a weighted sum of features; only differences within a sentence mean
anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import sparse
from core.progress import Advance
from metrics.base.evaluation_sets import InputError
from metrics.learned.folds import computed_folds
from metrics.learned.gmeg import DIGITS
from metrics.learned.outputs import MTERATER, OutputFeatures
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from ranking import PairwiseTau
from ranking.agreement.pairwise_tau import tau_of_table
from ranking.judgments.pairs import PAIRS_PER_BLOCK

C = 0.01
"""Penalty of errors against the size of the weights. Fixed before any result was seen."""

FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class RankingModel:
    """Weights of F features.

    Attributes:
        features: their names, in order.
        weights: shape (F,), of the features as they are.
        spread: shape (F,), the root mean square of each feature's differences in training: weight times
            spread says how far a usual difference moves the score.
    """

    features: tuple[str, ...]
    weights: FloatArray
    spread: FloatArray

    def score(self, values: FloatArray | sparse.csr_array) -> FloatArray:
        """The score of features of shape (..., F); NaN where one is missing."""
        return np.asarray(values @ self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """P pairs of outputs of a sentence, of which people judged one better than the other.

    If some judged A better and others B, there are two pairs.

    Attributes:
        sentence: shape (P,), ascending, numbered as in the features.
        better: shape (P,), the number of a system.
        worse: shape (P,), that of another one.
        times: shape (P,), the number of judgments that say so.
        not_scored: judgments left out, since a feature of one output is missing.
    """

    sentence: IntArray
    better: IntArray
    worse: IntArray
    times: IntArray
    not_scored: int = 0

    @property
    def sentences(self) -> IntArray:
        """The sentences with pairs, in order."""
        return np.unique(self.sentence)

    @property
    def judgments(self) -> int:
        """The number of judgments."""
        return int(self.times.sum())

    def differences(self, features: OutputFeatures) -> sparse.csr_array:
        """Features of better outputs minus those of worse ones, sparse, shape (P, F)."""
        outputs = sparse.csr_array(features.values.reshape(-1, len(features.names)))
        start = self.sentence * len(features.systems)
        return outputs[start + self.better] - outputs[start + self.worse]

    def lead(self, scores: FloatArray) -> FloatArray:
        """Lead of the better output of each pair, shape (P,), by scores of shape (m, S).

        Scores are rounded to `DIGITS`, so that those which differ by the order of summing only tie.
        """
        scores = scores.round(DIGITS)
        return scores[self.sentence, self.better] - scores[self.sentence, self.worse]

    def drawn_sentences(self, most: int, seed: int) -> IntArray:
        """Sentences drawn at random that have `most` pairs at most, ascending; all if these have no more."""
        sentences, pairs = np.unique(self.sentence, return_counts=True)
        if len(self.times) <= most:
            return sentences
        order = np.random.default_rng(seed).permutation(len(sentences))
        return np.sort(sentences[order[np.cumsum(pairs[order]) <= most]])

    def of_sentences(self, sentences: IntArray) -> RankedPairs:
        """The pairs of these sentences, which are numbered by their places in the array, ascending."""
        some = self._only(np.isin(self.sentence, sentences))
        return replace(some, sentence=np.searchsorted(sentences, some.sentence))

    def with_features(self, features: OutputFeatures) -> RankedPairs:
        """The pairs whose features are known.

        Raises:
            InputError: there are none.
        """
        is_known = np.asarray(np.isfinite(features.values).all(axis=2))
        known = is_known[self.sentence, self.better] & is_known[self.sentence, self.worse]
        if not known.any():
            raise InputError(
                "people ordered no two outputs whose features are known: judgments that prefer one of two "
                "scored outputs are needed, not only ties"
            )
        return replace(self._only(known), not_scored=int(self.times[~known].sum()))

    def _only(self, chosen: NDArray[np.bool_]) -> RankedPairs:
        return replace(
            self,
            sentence=self.sentence[chosen],
            better=self.better[chosen],
            worse=self.worse[chosen],
            times=self.times[chosen],
        )


def ranked_pairs(judged: JudgedPairs, systems: int) -> RankedPairs:
    """The pairs that judges ordered; each judgment of a pair counts.

    Args:
        judged: N comparisons of S systems.
        systems: S.
    """
    sentences = 1 + int(judged.sentence.max()) if len(judged.sentence) else 0
    counts = np.zeros(sentences * systems * systems, dtype=np.int64)
    for begin in range(0, len(judged.outcome), PAIRS_PER_BLOCK):
        block = judged.only(slice(begin, begin + PAIRS_PER_BLOCK))
        for sign, better, worse in ((1, block.first, block.second), (-1, block.second, block.first)):
            chosen = block.outcome == sign
            output = block.sentence[chosen].astype(np.int64) * systems + better[chosen]
            np.add.at(counts, output * systems + worse[chosen], 1)
    cells = np.flatnonzero(counts)
    outputs = cells // systems
    return RankedPairs(outputs // systems, outputs % systems, cells % systems, counts[cells])


def fit_ranking(
    features: tuple[str, ...], differences: sparse.csr_array, times: IntArray, *, c: float = C
) -> RankingModel:
    """Fit a linear SVM with squared hinge loss and no intercept (scikit-learn's `LinearSVC`, primal).

    Differences are divided by their root mean square, and every second one is turned to give both classes,
    which changes nothing else.

    Args:
        features: names of the F features.
        differences: sparse, shape (P, F), see `RankedPairs.differences`.
        times: shape (P,), how often each counts.
        c: penalty of errors.

    Raises:
        InputError: there are fewer than two differences.
    """
    from sklearn.svm import LinearSVC

    if len(times) < 2:
        raise InputError("fewer than two different judged pairs are left to learn from")
    scaled = differences.copy()
    scaled.data **= 2
    spread = np.sqrt(times @ scaled / times.sum())
    scale = np.where(spread > 0, spread, 1.0)
    target = np.where(np.arange(len(times)) % 2, -1, 1)
    np.divide(differences.data, scale[scaled.indices], out=scaled.data)
    scaled.data *= np.repeat(target, np.diff(scaled.indptr))
    svm = LinearSVC(C=c, fit_intercept=False, dual=False)
    svm.fit(scaled, target, sample_weight=times)
    return RankingModel(features, svm.coef_[0] / scale, spread)


def train(features: OutputFeatures, pairs: RankedPairs, *, c: float = C) -> RankingModel:
    """Learn from all pairs."""
    return fit_ranking(features.names, pairs.differences(features), pairs.times, c=c)


def sentence_folds(sentences: IntArray, folds: int, seed: int) -> IntArray:
    """The fold of each sentence, shape (m,): a random permutation dealt out in turn.

    Raises:
        InputError: there are fewer sentences than folds.
    """
    if len(sentences) < folds:
        raise InputError(
            f"{folds} folds need at least {folds} judged sentences, not {len(sentences)}: take fewer folds, "
            "or judge more"
        )
    numbers = np.empty(len(sentences), dtype=np.int64)
    numbers[np.random.default_rng(seed).permutation(len(sentences))] = np.arange(len(sentences)) % folds
    return numbers


def out_of_fold(
    features: OutputFeatures,
    pairs: RankedPairs,
    *,
    folds: int = FOLDS,
    c: float = C,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> FloatArray:
    """Lead of the better output of each pair by a model that has seen no pair of its sentence; shape (P,).

    Args:
        features: of all outputs.
        pairs: what annotators ordered.
        folds: in which sentences are divided.
        c: penalty of errors.
        seed: of the folds.
        threads: in which folds are trained; the numbers do not depend on it.
        progress: called with the number of folds finished.

    Raises:
        InputError: there are fewer sentences than folds.
    """
    sentences = pairs.sentences
    fold_of = sentence_folds(sentences, folds, seed)[np.searchsorted(sentences, pairs.sentence)]

    differences = pairs.differences(features)

    def of_fold(fold: int) -> tuple[NDArray[np.bool_], FloatArray]:
        held = fold_of == fold
        model = fit_ranking(features.names, differences[~held], pairs.times[~held], c=c)
        return held, model.score(differences[held])

    lead = np.empty(len(pairs.times))
    for held, scores in computed_folds(of_fold, folds, threads=threads, progress=progress):
        lead[held] = scores
    return lead


def tau(pairs: RankedPairs, lead: FloatArray) -> PairwiseTau:
    """Kendall's tau as in WMT10, by both rules for ties of the metric, of leads of shape (P,)."""
    table = np.zeros((3, 3), dtype=np.int64)
    np.add.at(table[2], np.sign(lead).astype(np.int64) + 1, pairs.times)
    return tau_of_table(table)


def variants(groups: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The learned metrics that are compared: by name, the groups of features of each.

    MTeRater has the checker's groups, MTeRater-Plus all. The other metrics alone, and with one further group,
    show what a group adds (Parton et al. 2011, Table 1); all groups but one, what is lost without it.
    """
    own = tuple(group for group in groups if group in MTERATER)
    others = tuple(group for group in groups if group not in MTERATER)
    named: dict[str, tuple[str, ...]] = {"MTeRater-Plus": tuple(groups)}
    if own and others:
        named["MTeRater"] = own
        named["all without MTeRater"] = others
    if "metrics" in groups:
        named["metrics"] = ("metrics",)
        for added in others:
            if added != "metrics":
                named[f"metrics + {added}"] = ("metrics", added)
        if own:
            named["metrics + MTeRater"] = ("metrics", *own)
    if len(groups) > 2:
        for left_out in groups:
            named.setdefault(f"all without {left_out}", tuple(group for group in groups if group != left_out))
    distinct = {frozenset(each): name for name, each in reversed(named.items())}
    return {name: each for name, each in named.items() if distinct[frozenset(each)] == name}
