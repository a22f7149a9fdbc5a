"""How the judging of a snapshot went: judges, systems two by two, reliability. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd

from ranking import (
    Agreement,
    Alpha,
    Basis,
    HeadToHead,
    IntraclassCorrelation,
    JudgeCounts,
    Method,
    PairCounts,
    Scores,
    SplitHalf,
    SystemChanges,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    bradley_terry,
    count_pairs,
    expected_wins,
    head_to_head,
    intraclass_correlation,
    judge_counts,
    scored_outputs,
    split_half,
    system_changes,
    system_means,
)
from ranking.pairs import BY_RANKS
from ranking.resampling import Progress

Result = TypeVar("Result")

PARTS_OF_JUDGING = 7
"""How often `judging` tells its progress."""

LARGEST_HALF = 4
"""Judges in each of two groups: GMEG, section 4.3, took 4 of 8."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """How scalar judging went.

    Attributes:
        split_half: how the scores of two groups of judges correlate.
        intraclass: how much of the variance of scores the outputs explain.
        changes: by system, the shares of sentences unchanged and of those whose meaning changed.
    """

    split_half: SplitHalf
    intraclass: IntraclassCorrelation
    changes: tuple[SystemChanges, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """How the judging went, whatever the method of ranking.

    Attributes:
        head_to_head: each system against each other.
        judges: counts per judge.
        agreement: kappa between judges and within each.
        alpha_of_pairs: Krippendorff's alpha, nominal over pairs of outputs.
        alpha_of_ratings: ordinal over ranks, or interval over scores.
        scores: by method that needs no resampling the score of each system; None where it has none.
        scoring: what scores tell beyond their pairs; None for rankings.
    """

    head_to_head: HeadToHead
    judges: JudgeCounts
    agreement: Agreement
    alpha_of_pairs: Alpha
    alpha_of_ratings: Alpha
    scores: Mapping[Method, Mapping[str, float | None]]
    scoring: Scoring | None


def judging(
    snapshot: pd.DataFrame,
    by: Basis = BY_RANKS,
    *,
    source: str | None = None,
    progress: Progress | None = None,
) -> Judging:
    """Compare the systems two by two, and the judges, `by` ranks or scores.

    `source` is the system that leaves every sentence as it is; None where it is not known. `progress` is told
    of each of the `PARTS_OF_JUDGING`.
    """

    def part(finished: Result) -> Result:
        if progress is not None:
            progress(1)
        return finished

    counts = count_pairs(snapshot, by)
    scored = isinstance(by, Scores)
    return Judging(
        head_to_head=part(head_to_head(counts)),
        judges=part(judge_counts(snapshot, by)),
        agreement=part(agreement(snapshot, by=by)),
        alpha_of_pairs=part(alpha_over_pairs(snapshot, by)),
        alpha_of_ratings=part(alpha_over_scores(snapshot) if scored else alpha_over_ranks(snapshot)),
        scores=part(_scores_at_once(snapshot, counts, scored=scored)),
        scoring=part(scoring_of(snapshot, source) if scored else None),
    )


def _scores_at_once(
    snapshot: pd.DataFrame, counts: PairCounts, *, scored: bool
) -> dict[Method, dict[str, float | None]]:
    pairwise: dict[Method, dict[str, float | None]] = {
        Method.EXPECTED_WINS: {row.system: row.score for row in expected_wins(counts).scores},
        Method.BRADLEY_TERRY: {row.system: row.strength for row in bradley_terry(counts).strengths},
    }
    if not scored:
        return pairwise
    return {Method.MEAN_SCORE: {mean.system: mean.score for mean in system_means(snapshot)}, **pairwise}


def scoring_of(snapshot: pd.DataFrame, source: str | None) -> Scoring:
    """Reliability and changes."""
    return Scoring(
        split_half=split_half_of(snapshot),
        intraclass=intraclass_correlation(snapshot),
        changes=system_changes(snapshot, source),
    )


def split_half_of(snapshot: pd.DataFrame) -> SplitHalf:
    """Reliability by halves; one has half the judges of the median output, up to `LARGEST_HALF`."""
    judges = scored_outputs(snapshot).groupby(["sentence", "output"])["annotator"].nunique()
    half = int(judges.median()) // 2 if len(judges) else 0
    return split_half(snapshot, group_size=min(max(half, 1), LARGEST_HALF), seed=0)
