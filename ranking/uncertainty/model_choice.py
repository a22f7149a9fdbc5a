"""Choice of a method by how well its rankings predict held-out comparisons (GJG15, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Advance
from ranking.judgments.grouped_pairs import Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS, PairCounts
from ranking.judgments.snapshot import Basis
from ranking.uncertainty.bootstrap import ResamplingError, rank_clusters, rank_ranges, win_probabilities
from ranking.uncertainty.methods import Method, point_scores, replicate_scores


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of held-out comparisons that a ranking predicts, over the folds of a cross-validation.

    Attributes:
        mean: of the shares of the folds; None where no fold has a comparison to predict.
        standard_error: of `mean`, as if folds were independent; None for fewer than two.
        folds: the shares of the folds that have a comparison to predict.
    """

    mean: float | None
    standard_error: float | None
    folds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Predictions:
    """Accuracies of a method on held-out comparisons.

    Attributes:
        total_order: share of decided comparisons won by the system with the better score; equal scores count
            half.
        clusters: share of all comparisons that are won by the system of the better cluster, or are ties of
            systems of one cluster.
    """

    total_order: Accuracy
    clusters: Accuracy


def cross_validate(
    snapshot: pd.DataFrame,
    method: Method,
    unit: Unit = Unit.PAIR,
    *,
    by: Basis = BY_RANKS,
    folds: int = 100,
    replicates: int = 100,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> Predictions:
    """Predict each fold from the ranking of all others (GJG15, Table 4, with 100 folds and 100 replicates).

    Folds are made of shuffled units, and units are resampled for the clusters of each fold. The paper used
    pairs for both, so that pairs of one judgment are on both sides. `progress` gets the number of
    replicates finished, of folds * replicates.

    Raises `ResamplingError` unless there are two folds and for each a unit, and as `ranking.rank_ranges`
    does; `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = group_pairs(snapshot, unit, by)
    groups = len(pairs.starts) - 1
    if not 2 <= folds <= groups:
        raise ResamplingError(f"{folds} folds cannot be made of {groups} units ({unit})")
    shuffle, *seeds = np.random.SeedSequence(seed).generate_state(folds + 1).tolist()
    fold_of = np.random.default_rng(shuffle).permutation(groups) % folds
    ordered, clustered = [], []
    for fold, fold_seed in enumerate(seeds):
        training, held_out = pairs.only(fold_of != fold), pairs.only(fold_of == fold).counts
        drawn = replicate_scores(
            method, training, range(replicates), fold_seed, threads=threads, progress=progress
        )
        ordered += _by_order(held_out, point_scores(method, training.counts))
        clustered += _by_clusters(held_out, rank_clusters(*rank_ranges(drawn, confidence)))
    return Predictions(_accuracy(ordered), _accuracy(clustered))


def _by_order(held_out: PairCounts, scores: FloatArray) -> list[float]:
    """The share of decided comparisons that go with the scores, shape (S,); nothing where none is decided."""
    decided = held_out.wins.sum()
    ahead = win_probabilities(scores[np.newaxis])
    return [float(np.sum(held_out.wins * ahead) / decided)] if decided else []


def _by_clusters(held_out: PairCounts, clusters: IntArray) -> list[float]:
    """The share of all comparisons that go with the clusters, shape (S,); nothing if there is none."""
    total = held_out.wins.sum() + held_out.ties.sum() // 2
    better, same = clusters[:, np.newaxis] < clusters, clusters[:, np.newaxis] == clusters
    right = held_out.wins[better].sum() + held_out.ties[same].sum() // 2
    return [float(right / total)] if total else []


def _accuracy(shares: Sequence[float]) -> Accuracy:
    return Accuracy(
        mean=float(np.mean(shares)) if shares else None,
        standard_error=float(np.std(shares, ddof=1) / np.sqrt(len(shares))) if len(shares) > 1 else None,
        folds=tuple(shares),
    )
