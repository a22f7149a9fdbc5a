"""How often metrics order two outputs as people do, by the ranks that people gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import METRIC, MetricName, missing_table, title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    ResampledAgainstPeople,
    intervals_in_words,
    left_out_in_words,
    left_out_on_pages,
    resolved,
)
from analysis.analyses.metrics.leading_metrics import leading
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.resampling import small_intervals
from core.columns import Column, Count, Estimated, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import are, briefly, counted, whole_percent
from figures.drawing import Chart
from figures.metrics.rank_pairs import rank_pairs_figure
from metrics import in_usual_order
from metrics.meta_evaluation import Estimate, MetricByRanks, PairShare, rank_pairs


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
        beyond=by_ranks.beyond,
        not_scored=by_ranks.not_scored,
    )


@dataclass(frozen=True, slots=True)
class SharesOfMetrics:
    """A row of a table.

    Attributes:
        ranks: of the two outputs.
        shares: by metric; all metrics are compared on the same pairs.
    """

    ranks: tuple[int, int]
    shares: Mapping[str, PairShare]

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return next(iter(self.shares.values())).pairs


def scored_metrics(result: MetricsByRankPairs) -> dict[str, MetricByRanks]:
    """The metrics with scores of sentences."""
    return {name: metric for name, metric in result.metrics.items() if metric.whole is not None}


def cells(computed: Computed) -> list[SharesOfMetrics]:
    """The pairs of ranks."""
    by_metric = {name: metric.cells for name, metric in scored_metrics(computed.result).items()}
    return [
        SharesOfMetrics((cell.better, cell.worse), {name: by_metric[name][place].share for name in by_metric})
        for place, cell in enumerate(next(iter(by_metric.values()), ()))
    ]


def apart(computed: Computed) -> list[int]:
    """By how many ranks two outputs are apart."""
    return sorted({difference for each in _by_accuracy(computed) for difference in each[1].by_difference})


def _by_accuracy(computed: Computed) -> list[tuple[str, MetricByRanks]]:
    """The metrics with scores of sentences, the highest accuracy on all pairs first."""
    return sorted(
        scored_metrics(computed.result).items(), key=lambda row: -(_whole(row).accuracy.value or 0.0)
    )


def _whole(row: tuple[str, MetricByRanks]) -> PairShare:
    whole = row[1].whole
    assert whole is not None  # noqa: S101  # only metrics with scores of sentences have rows
    return whole


class Ranks(Column):
    """Two ranks, of the better output and of the other."""

    def text(self, value: tuple[int, int], naming: Naming) -> str:
        """The two ranks in words, on one line."""
        return f"{value[0]}\N{NO-BREAK SPACE}and\N{NO-BREAK SPACE}{value[1]}"

    def paper(self, value: tuple[int, int], naming: Naming) -> str:
        """The two ranks with a comma between them."""
        return f"{value[0]}, {value[1]}"


def _columns_of_cells(computed: Computed) -> Sequence[Column]:
    """The ranks, the number of pairs and the accuracy of each metric, the most accurate first."""
    return (
        Ranks("", "Ranks", attrgetter("ranks")),
        Count("", "Pairs", attrgetter("pairs")),
        *(
            Estimated("", title_of_metric(name), partial(_accuracy, name), is_shaded=True)
            for name, _ in _by_accuracy(computed)
        ),
    )


def _accuracy(name: str, row: SharesOfMetrics) -> Estimate:
    return row.shares[name].accuracy


def _columns_of_differences(computed: Computed) -> Sequence[Column]:
    """The metric, its accuracy on all pairs, and on those so many ranks apart."""
    ordered = _by_accuracy(computed)
    if not ordered:
        return ()
    _, of_one = ordered[0]  # all metrics are compared on the same pairs

    def of_all(row: tuple[str, MetricByRanks]) -> Estimate:
        return _whole(row).accuracy

    def column(difference: int) -> Column:
        return Estimated(
            "",
            str(difference),
            lambda row: row[1].by_difference[difference].accuracy,
            heading=_with_pairs(f"{counted(difference, 'rank')} apart", of_one.by_difference[difference]),
            is_shaded=True,
        )

    return (
        MetricName("", "Metric", itemgetter(0)),
        Estimated("", "All", of_all, heading=_with_pairs("All", _whole(ordered[0])), is_shaded=True),
        *map(column, apart(computed)),
    )


def _with_pairs(what: str, share: PairShare) -> str:
    return f"{what} ({counted(share.pairs, 'pair')})"


DIFFERENCES = Table(
    rows=_by_accuracy,
    columns=_columns_of_differences,
    caption="Accuracy of each metric by the number of ranks between two outputs",
    in_files=False,
    note=lambda computed, naming: " ".join(
        filter(
            None,
            [
                "Share of judged pairs that the metric orders as the annotator did.",
                small_intervals(computed, "over resampled sentences."),
            ],
        )
    ),
)
CELLS = Table(
    rows=cells,
    columns=_columns_of_cells,
    caption="Accuracy of each metric by pair of ranks",
    long=Table(
        rows=lambda computed: [
            (name, cell) for name, metric in scored_metrics(computed.result).items() for cell in metric.cells
        ],
        columns=(
            Text("metric", value=itemgetter(0)),
            Count("better_rank", value=lambda row: row[1].better),
            Count("worse_rank", value=lambda row: row[1].worse),
            Count("pairs", value=lambda row: row[1].share.pairs),
            Count("agreed", value=lambda row: row[1].share.agreed),
            Count("ties", value=lambda row: row[1].share.ties),
            Estimated("accuracy", value=lambda row: row[1].share.accuracy),
        ),
        caption="",
    ),
)
MISSING = missing_table(
    lambda computed: [
        (name, metric.reason) for name, metric in computed.result.metrics.items() if metric.whole is None
    ]
)


def headline(computed: Computed, naming: Naming) -> str:
    """The result in a sentence: how far it is easier to order outputs that people put far apart."""
    scored = scored_metrics(computed.result)
    if not scored:
        return "These judgments have no pair of outputs that metrics could order"
    best = _leading(computed)
    titles = [title_of_metric(name) for name in best]
    shares = dict.fromkeys(whole_percent(value) for value in (min(best.values()), max(best.values())))
    start = (
        f"{briefly(titles, 'orders', 'order')} the most pairs of outputs as people do ({' to '.join(shares)})"
    )
    by_difference = scored[next(iter(best))].by_difference
    near, far = min(by_difference), max(by_difference)
    if near == far:
        return start
    of_near, of_far = (whole_percent(by_difference[apart].accuracy.value) for apart in (near, far))
    whose = f"{titles[0]} " if len(titles) > 1 else ""
    return (
        f"{start}: {whose}{of_near} of those {counted(near, 'rank')} apart, and {of_far} of those "
        f"{counted(far, 'rank')} apart"
    )


def _leading(computed: Computed) -> dict[str, float]:
    """The metrics of the highest accuracy on all pairs."""
    scored = scored_metrics(computed.result).items()
    return leading({name: metric.whole.accuracy for name, metric in scored if metric.whole is not None})


def usual_metric(computed: Computed) -> str:
    """The metric that the heading begins with, or else the first."""
    return next(iter([*_leading(computed), *computed.result.metrics]), "")


def lead(computed: Computed, naming: Naming) -> str:
    """Which pairs are counted, and which are not."""
    result: MetricsByRankPairs = computed.result
    said = (
        "Judged pairs of outputs by the ranks that the annotator gave them, on "
        f"{counted(result.judged_sentences, 'judged sentence')}. Ties of a metric count as wrong, so one "
        "that scores many outputs alike comes out low; *A new metric* counts them as half."
    )
    if result.not_scored:
        pairs = counted(result.not_scored, "pair")
        said += f" {pairs} that some metric does not score {are(result.not_scored)} left out."
    if result.beyond:
        beyond = f"{result.beyond:,} with a rank beyond {computed.parameters.last_rank}"
        said += f" {beyond} {are(result.beyond)} left out."
    return said + left_out_on_pages(computed, naming)


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


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The pairs of ranks of the chosen metric."""
    name = computed.chosen["metric"]
    title = f"{naming.title}: accuracy of {title_of_metric(name)} by ranks"
    return rank_pairs_figure(computed.result.metrics[name], title=title)


EXPLANATION = """
Accuracy is the share of pairs that the metric orders as the annotator did (Kobayashi et al. 2024). Each
judgment of a pair counts. Ties of annotators are left out, and all metrics are compared on the same pairs.
Ranks are those that the annotator gave; where outputs were scored, the places of the scores within the
judgment.
"""

METRIC_RANK_PAIRS = register(
    Analysis(
        **OF_METRICS,
        name="metric-rank-pairs",
        title="Metrics by pairs of ranks",
        group=Group.METRICS,
        question="Do metrics order outputs as people do when their ranks are close?",
        defined_in="metrics-against-people.md#by-pairs-of-ranks",
        help="Accuracy of each metric by the ranks that people gave two outputs.",
        parameters=RankPairsParameters,
        result=MetricsByRankPairs,
        compute=metric_rank_pairs,
        tables={"differences": DIFFERENCES, "missing": MISSING, "rank-pairs": CELLS},
        figures={
            "metric": Figure(
                caption=lambda computed: (
                    f"Accuracy of {title_of_metric(computed.chosen['metric'])} by the ranks of two outputs"
                ),
                draw=draw,
                has_content=lambda computed: bool(computed.result.metrics[computed.chosen["metric"]].cells),
                by="metric",
            )
        },
        choices={"metric": replace(METRIC, usual=usual_metric)},
        headline=headline,
        lead=lead,
        sections=[Section(title="By pair of ranks", figures=["metric"], tables=["rank-pairs"])],
        explanation=EXPLANATION,
        fields=("last_rank", *CHOOSING),
        template="analysis/against_people.html",
        route="metric-rank-pairs",
        tab="Sensitivity",
        label="Pairs of ranks",
        place=30,
        methods=methods,
        resolve=resolved,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
