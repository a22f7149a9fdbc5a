"""Agreement of the judges of a snapshot, and the reliability of their scores. Pure."""

from dataclasses import dataclass

import pandas as pd

from analysis.analyses.judging import split_half_of
from formats.snapshots import content_hash
from ranking import (
    Agreement,
    Alpha,
    Basis,
    IntraclassCorrelation,
    Scores,
    SplitHalf,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    intraclass_correlation,
)


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far the judges of a snapshot agree.

    Attributes:
        judges: kappa over pairs of outputs.
        alphas: Krippendorff's alpha over pairs, ranks and scores; with a reason where these are none.
        intraclass: how much of the variance of scores the outputs explain; with a reason for rankings.
        split_half: how the scores of two groups of judges correlate; with reasons for rankings.
        signature: what was computed and on which snapshot.
    """

    judges: Agreement
    alphas: dict[str, Alpha]
    intraclass: IntraclassCorrelation
    split_half: SplitHalf
    signature: str


def judge_agreement(snapshot: pd.DataFrame, by: Basis) -> JudgeAgreement:
    """Compare the judges, `by` ranks or scores.

    Raises `SnapshotError` as `ranking.agreement` does.
    """
    judges = agreement(snapshot, by=by)
    scored = isinstance(by, Scores)
    over_scores = f"|by:scores|tie-width:{by.tie_width:g}" if scored else ""
    return JudgeAgreement(
        judges,
        alphas={
            "pairs": alpha_over_pairs(snapshot, by),
            "ranks": alpha_over_ranks(snapshot, by),
            "scores": alpha_over_scores(snapshot) if scored else Alpha(None, 0, 0, "ranks are no scores"),
        },
        intraclass=intraclass_correlation(snapshot),
        split_half=split_half_of(snapshot),
        signature=(
            f"agreement|pairs:unexpanded{over_scores}|min-comparisons:{judges.min_comparisons}"
            f"|snapshot:{content_hash(snapshot)[:16]}"
        ),
    )
