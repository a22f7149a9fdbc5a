"""What pages say and draw of metrics by pairs of ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import METRIC, MetricName, missing_table, title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    intervals_in_words,
    left_out_in_words,
    left_out_on_pages,
    resolved,
)
from analysis.analyses.metrics.leading_metrics import not_separated
from analysis.analyses.metrics.metric_parts import HOW_TO_READ, MetricTests, below_highest, drawn_estimate
from analysis.analyses.metrics.sensitivity.pairs_of_ranks import (
    MetricsByRankPairs,
    RankPairsParameters,
    metric_rank_pairs,
)
from analysis.analyses.resampling import small_intervals
from core.columns import Amount, Column, Count, Estimated, Text
from core.names import Naming
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import are, counted, percent, whole_percent
from figures.drawing import Chart
from figures.metrics.rank_pairs import rank_pairs_figure
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import Estimate, MetricByRanks, PairShare


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
        below_highest(_accuracies(computed), computed.result.tests, itemgetter(0), "Below the highest"),
        *map(column, apart(computed)),
        TIED,
    )


TIED = Amount("", "Ties", lambda row: whole_percent(_whole(row).ties / _whole(row).pairs), heading="Tied")


def _with_pairs(what: str, share: PairShare) -> str:
    return f"{what} ({counted(share.pairs, 'pair')})"


def _accuracy_apart(difference: int, row: tuple[str, MetricByRanks]) -> Estimate:
    return row[1].by_difference[difference].accuracy


def _columns_of_closest(computed: Computed) -> Sequence[Column]:
    """The metric, and its accuracy on the closest pairs and on those farthest apart, on one scale."""
    differences = apart(computed) or [1]
    nearest, farthest = differences[0], differences[-1]
    near = drawn_estimate(
        str(nearest),
        partial(_accuracy_apart, nearest),
        "Accuracy",
        heading=f"{counted(nearest, 'rank')} apart",
        percent_digits=0,
    )
    if nearest == farthest:
        return (MetricName("", "Metric", itemgetter(0)), near, TIED)
    return (
        MetricName("", "Metric", itemgetter(0)),
        replace(
            near,
            beside=partial(_accuracy_apart, farthest),
            interval=f"Interval, {counted(nearest, 'rank')} apart",
        ),
        Amount(
            "",
            str(farthest),
            lambda row: whole_percent(_accuracy_apart(farthest, row).value),
            heading=f"{counted(farthest, 'rank')} apart",
        ),
        Amount(
            "",
            "All",
            lambda row: whole_percent(_whole(row).accuracy.value),
            heading="All pairs",
            is_aside=True,
        ),
        TIED,
    )


def _about_closest(computed: Computed, naming: Naming) -> str:
    """What the dots and lines are, and what accuracy is."""
    differences = apart(computed)
    dots = (
        f"Filled: outputs {counted(differences[0], 'rank')} apart; hollow: {differences[-1]} ranks apart."
        if len(differences) > 1
        else ""
    )
    accuracy = (
        "Accuracy: share of judged pairs that the metric orders as the annotator did. *Tied*: share of all "
        "pairs that it scores equally."
    )
    return " ".join(filter(None, [dots, small_intervals(computed, "over resampled sentences."), accuracy]))


CLOSEST = Table(
    rows=_by_accuracy,
    columns=_columns_of_closest,
    caption="Accuracy of each metric on outputs whose ranks are closest, and on those farthest apart",
    in_files=False,
    note=_about_closest,
)
DIFFERENCES = Table(
    rows=_by_accuracy,
    columns=_columns_of_differences,
    caption="Accuracy of each metric by the number of ranks between two outputs",
    in_files=False,
    note=f"*Clearly* below: p ≤ {SIGNIFICANT} in the tests between metrics, after Holm’s correction.",
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
TESTS = MetricTests("Difference in accuracy on all pairs", attrgetter("tests"))
MISSING = missing_table(
    lambda computed: [
        (name, metric.reason) for name, metric in computed.result.metrics.items() if metric.whole is None
    ]
)


def headline(computed: Computed, naming: Naming) -> str:
    """How many close and how many distant pairs the most accurate metric orders as people do."""
    for name, metric in _by_accuracy(computed):
        near, far = min(metric.by_difference), max(metric.by_difference)
        title, pairs = title_of_metric(name), "of the pairs of outputs"
        if near == far:
            return f"{title} orders {_percent(_whole((name, metric)))} {pairs} as people do"
        of_near, of_far = (_percent(metric.by_difference[each]) for each in (near, far))
        said = f"{title} orders {of_far} {pairs} {counted(far, 'rank')} apart as people do"
        closer = f"those {counted(near, 'rank')} apart ({of_near})"
        if metric.gain is None or metric.gain.low is None or metric.gain.high is None:
            return f"{said}, and {of_near} of those {counted(near, 'rank')} apart"
        if metric.gain.low <= 0 <= metric.gain.high:
            return f"{said}, not clearly more or less than of {closer}"
        return f"{said}, clearly {'more' if metric.gain.low > 0 else 'less'} than of {closer}"
    return "These judgments have no pair of outputs that metrics could order"


def _percent(share: PairShare) -> str:
    return whole_percent(share.agreed / share.pairs)


def _leading(computed: Computed) -> list[str]:
    """The metric of the highest accuracy on all pairs, and those that are not clearly below."""
    return not_separated(_accuracies(computed), computed.result.tests)


def _accuracies(computed: Computed) -> dict[str, float | None]:
    return {row[0]: _whole(row).accuracy.value for row in _by_accuracy(computed)}


def usual_metric(computed: Computed) -> str:
    """The metric that the heading begins with, or else the first."""
    return next(iter([*_leading(computed), *computed.result.metrics]), "")


def lead(computed: Computed, naming: Naming) -> str:
    """Which pairs are counted, and which are not."""
    result: MetricsByRankPairs = computed.result
    said = (
        f"{_gain_in_words(computed)}Pairs of outputs on "
        f"{counted(result.judged_sentences, 'judged sentence')}; the metric of the highest accuracy on all "
        "pairs first. A tie of the metric counts as wrong, so a metric with many ties may fall below 50 %."
    )
    if result.not_scored:
        counts = [_whole(row).pairs for row in _by_accuracy(computed)[:1]]
        pairs = result.not_scored + result.beyond + sum(counts)
        said += (
            f" {result.not_scored:,} of {counted(pairs, 'pair')} {are(result.not_scored)} left out because "
            "some metric does not score them."
        )
    if result.beyond:
        beyond = f"{result.beyond:,} with a rank beyond {computed.parameters.last_rank}"
        said += f" {beyond} {are(result.beyond)} left out."
    return said + left_out_on_pages(computed, naming)


def _gain_in_words(computed: Computed) -> str:
    """The intervals of the shares in the heading and of their difference; empty where there are none."""
    for _, metric in _by_accuracy(computed)[:1]:
        gain, ends = metric.gain, (min(metric.by_difference), max(metric.by_difference))
        if gain is None or gain.value is None or gain.low is None or gain.high is None:
            return ""
        near, far = (_with_interval(metric.by_difference[each].accuracy) for each in ends)
        is_close_to_0 = any(end and not round(100 * end) for end in (gain.low, gain.high))
        value, low, high = (
            f"{100 * each:z.{int(is_close_to_0)}f}" for each in (gain.value, gain.low, gain.high)
        )
        return (
            f"The difference is {value} points ({percent(computed.parameters.confidence)} interval {low} to "
            f"{high}) between {far} and {near}, all on the same resampled sentences. "
        )
    return ""


def _with_interval(share: Estimate) -> str:
    if share.low is None or share.high is None:
        return whole_percent(share.value)
    return f"{whole_percent(share.value)} ({round(100 * share.low)} to {round(100 * share.high)})"


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
judgment of a pair counts. Ties of annotators are left out, and all metrics are compared on the same pairs. A
tie of a metric counts as wrong, so one that scores many outputs alike comes out low; *A new metric* counts it
as half. Ranks are those that the annotator gave; where outputs were scored, the places of the scores within
the judgment. Two metrics are tested on all pairs: the difference of their accuracies is compared with a
normal distribution that has its standard deviation in resamples of the sentences, widened a little.
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
        tables={
            "closest": CLOSEST,
            "differences": DIFFERENCES,
            "missing": MISSING,
            "rank-pairs": CELLS,
            "tests": TESTS.table(),
        },
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
        sections=[
            Section(title="All pairs, and by ranks apart", tables=["differences"], is_folded=True),
            Section(title="By pair of ranks", figures=["metric"], tables=["rank-pairs"], is_folded=True),
            Section(title="Tests between metrics", text=HOW_TO_READ, tables=["tests"], is_folded=True),
        ],
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
