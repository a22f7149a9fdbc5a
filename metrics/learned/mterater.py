"""MTeRater: a linear SVM that learns to rank two outputs of a sentence (Parton et al. 2011, section 4.3).

The SVM learns from differences of the features of two outputs that an annotator ordered, as Joachims's
SVM-rank does. Its score of an output is a weighted sum of features; only differences within a sentence mean
anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import InputError
from metrics.learned.folds import computed_folds
from metrics.learned.gmeg import DIGITS
from metrics.learned.outputs import MTERATER, OutputFeatures
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from ranking import PairwiseTau, pairwise_tau

C = 0.01
"""Penalty of errors against the size of the weights. Fixed before any result was seen."""

FOLDS = 5

MOST_DIFFERENCES = 200_000_000
"""Pairs times features: 1.6 GB."""


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

    def score(self, values: FloatArray) -> FloatArray:
        """The score of features of shape (..., F); NaN where one is missing."""
        return np.asarray(values @ self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """N judged pairs of outputs that differ, whose features are all known.

    Attributes:
        sentence: shape (N,), numbered as in the features.
        first: shape (N,), the number of a system.
        second: shape (N,), that of another one.
        outcome: shape (N,), 1 if the first was judged better, -1 if the second was.
        not_scored: ordered pairs left out, since a feature of one output is missing.
    """

    sentence: IntArray
    first: IntArray
    second: IntArray
    outcome: NDArray[np.int8]
    not_scored: int

    @property
    def sentences(self) -> IntArray:
        """The sentences with pairs, in order."""
        return np.unique(self.sentence)

    def differences(self, values: FloatArray, chosen: NDArray[np.bool_]) -> FloatArray:
        """Features of the first output minus those of the second, of some of the pairs."""
        sentence = self.sentence[chosen]
        return values[sentence, self.first[chosen]] - values[sentence, self.second[chosen]]

    def distinct_differences(
        self, values: FloatArray, chosen: NDArray[np.bool_]
    ) -> tuple[FloatArray, IntArray]:
        """Features of better outputs minus those of worse ones, of some of the pairs.

        Annotators share pairs and systems share outputs, so several pairs have the same difference.

        Returns:
            The D distinct differences, shape (D, F), and how many pairs have each, shape (D,).
        """
        systems = np.stack([self.first, self.second])[:, chosen]
        better, worse = np.where(self.outcome[chosen] > 0, systems, systems[::-1])
        start = self.sentence[chosen] * values.shape[1]
        places, of_place = np.unique(np.stack([start + better, start + worse]), return_inverse=True)
        outputs, of_output = np.unique(
            values.reshape(-1, values.shape[2])[places], axis=0, return_inverse=True
        )
        distinct, repeats = np.unique(of_output.ravel()[of_place], axis=1, return_counts=True)
        return outputs[distinct[0]] - outputs[distinct[1]], repeats

    def lead(self, scores: FloatArray) -> FloatArray:
        """Lead of the first output of each pair, shape (N,), by scores of shape (n, S).

        Scores are rounded to `DIGITS`, so that those which differ by the order of summing only tie.
        """
        scores = scores.round(DIGITS)
        return scores[self.sentence, self.first] - scores[self.sentence, self.second]


def ranked_pairs(judged: JudgedPairs, features: OutputFeatures) -> RankedPairs:
    """The pairs that judges ordered and whose features are known; each judgment of a pair counts.

    Args:
        judged: pairs of outputs; their sentences and systems are numbered as in the features.
        features: of all judged outputs.

    Raises:
        InputError: there are none, or more than `MOST_DIFFERENCES` allows.
    """
    ordered = judged.only(judged.outcome != 0)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(features.values).all(axis=2))
    both = known[ordered.sentence, ordered.first] & known[ordered.sentence, ordered.second]
    kept = ordered.only(both)
    if not len(kept.sentence):
        raise InputError(
            "people ordered no two outputs whose features are known: judgments that prefer one of two scored "
            "outputs are needed, not only ties"
        )
    if len(kept.sentence) * len(features.names) > MOST_DIFFERENCES:
        raise InputError(
            f"{len(kept.sentence):,} pairs of {len(features.names)} features do not fit in memory: at most "
            f"{MOST_DIFFERENCES // len(features.names):,} pairs"
        )
    sentence, first, second = (each.astype(np.int64) for each in (kept.sentence, kept.first, kept.second))
    return RankedPairs(sentence, first, second, kept.outcome, int(np.count_nonzero(~both)))


def fit_ranking(
    features: tuple[str, ...], differences: FloatArray, repeats: IntArray, *, c: float = C
) -> RankingModel:
    """Fit a linear SVM with squared hinge loss and no intercept (scikit-learn's `LinearSVC`, primal).

    Differences are divided by their root mean square, and every second one is turned to give both classes,
    which changes nothing else.

    Args:
        features: names of the F features.
        differences: shape (D, F), see `RankedPairs.distinct_differences`.
        repeats: shape (D,), how often each counts.
        c: penalty of errors.

    Raises:
        InputError: there are fewer than two differences.
    """
    from sklearn.svm import LinearSVC

    if len(repeats) < 2:
        raise InputError("fewer than two different judged pairs are left to learn from")
    spread = np.sqrt(np.average(np.square(differences), axis=0, weights=repeats))
    scale = np.where(spread > 0, spread, 1.0)
    target = np.where(np.arange(len(repeats)) % 2, -1, 1)
    svm = LinearSVC(C=c, fit_intercept=False, dual=False)
    svm.fit(differences / scale * target[:, None], target, sample_weight=repeats)
    return RankingModel(features, svm.coef_[0] / scale, spread)


def train(features: OutputFeatures, pairs: RankedPairs, *, c: float = C) -> RankingModel:
    """Learn from all pairs."""
    everything = np.ones(len(pairs.outcome), dtype=bool)
    return fit_ranking(features.names, *pairs.distinct_differences(features.values, everything), c=c)


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
    """Lead of the first output of each pair by a model that has seen no pair of its sentence; shape (N,).

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

    def of_fold(fold: int) -> tuple[NDArray[np.bool_], FloatArray]:
        held = fold_of == fold
        model = fit_ranking(features.names, *pairs.distinct_differences(features.values, ~held), c=c)
        return held, model.score(pairs.differences(features.values, held))

    lead = np.empty(len(pairs.outcome))
    for held, scores in computed_folds(of_fold, folds, threads=threads, progress=progress):
        lead[held] = scores
    return lead


def tau(pairs: RankedPairs, lead: FloatArray) -> PairwiseTau:
    """Kendall's tau as in WMT10, by both rules for ties of the metric, of leads of shape (N,)."""
    return pairwise_tau(pairs.outcome, lead, np.zeros(len(lead)))


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
