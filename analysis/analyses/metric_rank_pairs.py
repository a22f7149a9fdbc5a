"""How often metrics order two outputs as people do, by the ranks that people gave, for commands and pages."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.analyses.base import Analysis, Table, register, stated, with_controls, with_excluded
from analysis.analyses.metrics_people import RENEWED_AFTER_SECONDS, resolved, too_much
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    intervals_in_words,
    replicates_of_intervals,
    seed_of_everything,
    with_references,
    without_named_systems,
    without_the_source,
)
from analysis.analyses.metrics_people_result import left_out_in_words
from analysis.analyses.ranking import RATED, tie_width_parameter
from analysis.analyses.scored_judgments import ScoredJudgments
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics import InputError
from metrics.validation import MetricByRanks, rank_pairs


@dataclass(frozen=True, slots=True)
class RankPairsParameters:
    """Options of the pairs. Attributes: see the help of each."""

    last_rank: int = parameter(
        10,
        label="Last rank",
        help="Pairs with an output that a judge ranked lower are left out.",
        minimum=2,
        maximum=20,
    )
    replicates: int = replicates_of_intervals()
    confidence: float = confidence_of_intervals()
    tie_width: float | None = tie_width_parameter()
    seed: int = seed_of_everything()
    without_source: bool = without_the_source()
    references: bool = with_references()
    exclude_systems: str | None = without_named_systems()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class MetricsByRankPairs:
    """All metrics by pairs of ranks.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        metrics: by name, in the order of the scores.
        beyond: judged pairs that are left out, since one of the ranks is beyond the last.
        not_scored: judged pairs that are left out, since some metric does not score them.
    """

    signature: str
    left_out: tuple[str, ...]
    judged_sentences: int
    metrics: Mapping[str, MetricByRanks]
    beyond: int
    not_scored: int


def metric_rank_pairs(
    inputs: ScoredJudgments, parameters: RankPairsParameters, progress: Progress
) -> MetricsByRankPairs:
    """Count how often metrics order two outputs as people do (`metrics.validation.rank_pairs`).

    Raises:
        ParameterError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0)
    except InputError as error:
        raise ParameterError(str(error)) from error
    progress.begin("Resampling")
    by_ranks = rank_pairs(
        data,
        last_rank=parameters.last_rank,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    return MetricsByRankPairs(
        signature=inputs.signature(stated("metric-rank-pairs", parameters)),
        left_out=inputs.unmatched,
        judged_sentences=len(data.people.judged_sentences),
        metrics=by_ranks.metrics,
        beyond=by_ranks.beyond,
        not_scored=by_ranks.not_scored,
    )


def tables(result: MetricsByRankPairs) -> tuple[Table, ...]:
    """The result for the terminal: a row for each pair of ranks, a column for each metric."""
    scored = {name: metric for name, metric in result.metrics.items() if metric.whole is not None}
    cells = {
        name: {(cell.better, cell.worse): cell.share for cell in metric.cells}
        for name, metric in scored.items()
    }
    ranks = next(iter(cells.values()), {})
    shown = [
        Table(
            f"Accuracy by the ranks of two outputs, {result.judged_sentences:,} judged sentences",
            ("Ranks", "Pairs", *scored),
            tuple(
                (
                    f"{pair[0]} and {pair[1]}",
                    share.pairs,
                    *(cells[name][pair].accuracy.value for name in scored),
                )
                for pair, share in ranks.items()
            ),
        )
    ]
    reasons = [(name, metric.reason or "") for name, metric in result.metrics.items() if metric.whole is None]
    if reasons:
        shown.append(Table("What is missing", ("Metric", "Reason"), tuple(reasons)))
    return tuple(shown)


def methods(parameters: RankPairsParameters, result: MetricsByRankPairs) -> list[str]:
    """The comparison in sentences for a paper."""
    scored = [metric for metric in result.metrics.values() if metric.whole is not None]
    sentences = [
        f"{len(scored)} metrics are compared with people on pairs of outputs by the ranks that people gave "
        f"the two, up to rank {parameters.last_rank}, over {result.judged_sentences:,} judged sentences.",
        f"{result.beyond:,} pairs with a lower rank and {result.not_scored:,} that some metric does not "
        "score are left out.",
    ]
    return [*sentences, *intervals_in_words(parameters), *left_out_in_words(result.left_out)]


METRIC_RANK_PAIRS = register(
    Analysis(
        name="metric-rank-pairs",
        title="Metrics by pairs of ranks",
        help="How often metrics order two outputs as people do, by the ranks that people gave the two.",
        parameters=RankPairsParameters,
        result=MetricsByRankPairs,
        inputs=ScoredJudgments,
        columns=RATED,
        compute=metric_rank_pairs,
        tables=tables,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
