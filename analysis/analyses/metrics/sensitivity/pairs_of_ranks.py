"""How often metrics order two outputs as people do, by the ranks that people gave."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.analyses.base import stated
from analysis.analyses.metrics.against_people import (
    ResampledAgainstPeople,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from core.parameters import parameter
from core.progress import Progress
from metrics import in_usual_order
from metrics.meta_evaluation import MetricByRanks, PairwiseTests, rank_pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPairsParameters(ResampledAgainstPeople):
    """Options of the pairs. Attributes: see the help of each."""

    last_rank: int = parameter(
        10,
        label="Last rank",
        help="Pairs with an output that an annotator ranked lower are left out.",
        minimum=2,
        maximum=20,
    )


@dataclass(frozen=True, slots=True)
class MetricsByRankPairs:
    """All metrics by pairs of ranks.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        metrics: by name, in their usual order.
        tests: which metric has the higher accuracy on all pairs, of those with scores of sentences.
        beyond: judged pairs that are left out, since one of the ranks is beyond the last.
        not_scored: judged pairs that are left out, since some metric does not score them.
    """

    signature: str
    left_out: tuple[str, ...]
    judged_sentences: int
    metrics: Mapping[str, MetricByRanks]
    tests: PairwiseTests
    beyond: int
    not_scored: int


def metric_rank_pairs(
    inputs: ScoredJudgments, parameters: RankPairsParameters, progress: Progress
) -> MetricsByRankPairs:
    """Count how often metrics order two outputs as people do
    (`metrics.meta_evaluation.sensitivity.rank_pairs`).

    Raises:
        InputError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared(tie_width=parameters.tie_width or 0.0)
    pairs = len(data.people.judged.outcome)
    progress.begin("Comparing metrics with people", total=(1 + len(data.metrics)) * pairs)
    by_ranks = rank_pairs(
        data,
        last_rank=parameters.last_rank,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        progress=progress.advance,
    )
    return MetricsByRankPairs(
        signature=inputs.signature(stated("metric-rank-pairs", parameters)),
        left_out=inputs.unmatched,
        judged_sentences=len(data.people.judged_sentences),
        metrics={name: by_ranks.metrics[name] for name in in_usual_order(by_ranks.metrics)},
        tests=by_ranks.tests,
        beyond=by_ranks.beyond,
        not_scored=by_ranks.not_scored,
    )
