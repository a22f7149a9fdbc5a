"""What pages say and draw of metrics in windows of neighbouring systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from operator import itemgetter

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.leading import clearly_leading
from analysis.analyses.metric_titles import METRIC, MetricName, missing_table, title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    CORRELATIONS,
    HUMAN_SCORES,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    human_scores_of_systems,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_systems,
    true_intervals_in_words,
)
from analysis.analyses.metrics.metric_parts import drawn_estimate
from analysis.analyses.metrics.sensitivity.windows_of_systems import (
    MetricsInWindows,
    MetricWindowsParameters,
    metric_windows,
)
from analysis.analyses.resampling import UNSHADED, small_intervals
from core.columns import Column, Count, Estimated, Identifiers, Number, System, Text
from core.names import Naming
from core.results import Choice, Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import beginning, briefly, counted, listed, literal, some_of
from figures.drawing import Chart
from figures.metrics.metric_windows import window_course_figure, windows_figure
from metrics.meta_evaluation import (
    Estimate,
    MetricInWindows,
    Window,
    WindowAgreement,
)
from ranking import Coefficient

ACCURACY = "accuracy"
FIGURES = {**CORRELATIONS, ACCURACY: "Accuracy"}
"""Figures that can be shown of each window, by name in addresses."""

FIGURE = Choice("Figure", lambda computed: FIGURES)


def of_figure(agreement: WindowAgreement, figure: str) -> Estimate:
    """The figure of this name in `FIGURES`."""
    return agreement.accuracy if figure == ACCURACY else agreement.correlations[Coefficient(figure)]


def estimates(metric: MetricInWindows, computed: Computed) -> list[Estimate]:
    """The chosen figure of a metric on all systems, then in each window."""
    return [of_figure(each, computed.chosen["figure"]) for each in (metric.whole, *metric.windows)]


def title_of_window(window: Window) -> str:
    """The ranks of its systems."""
    return f"{window.first}–{window.last}"


def _unsure(computed: Computed) -> list[int]:
    """The windows, from 1, in which no metric has an interval although sentences were resampled."""
    metrics = computed.result.metrics.values()
    if not computed.parameters.replicates:
        return []
    return [
        place
        for place in range(1, len(computed.result.windows) + 1)
        if all(estimates(metric, computed)[place].low is None for metric in metrics)
    ]


def columns(computed: Computed) -> Sequence[Column]:
    """The metric, all systems and each window; pages have only windows with intervals, if there are some."""
    unsure = _unsure(computed)
    hidden = unsure if len(unsure) < len(computed.result.windows) else []

    def column(place: int, label: str, heading: str) -> Column:
        return Estimated(
            "",
            label,
            lambda row: estimates(row[1], computed)[place],
            heading=heading,
            is_shaded=True,
            on_page=place not in hidden,
        )

    return (
        MetricName("", "Metric", itemgetter(0)),
        column(0, "All", f"All {len(computed.result.systems)} systems"),
        *(
            column(place, f"{window.first}--{window.last}", f"Ranks {title_of_window(window)}")
            for place, window in enumerate(computed.result.windows, start=1)
        ),
    )


def _in_files(computed: Computed) -> Iterator[tuple[str, Window, WindowAgreement]]:
    systems = tuple(computed.result.systems)
    windows = (Window(1, len(systems), systems), *computed.result.windows)
    for name, metric in computed.result.metrics.items():
        for window, agreed in zip(windows, (metric.whole, *metric.windows), strict=True):
            yield name, window, agreed


def _of_row(figure: str, row: tuple[str, Window, WindowAgreement]) -> Estimate:
    return of_figure(row[2], figure)


def _missing(computed: Computed) -> list[tuple[str, str]]:
    result: MetricsInWindows = computed.result
    reasons = {
        (name, each.reason or "")
        for name, metric in result.metrics.items()
        for each in estimates(metric, computed)
        if each.value is None
    }
    return [*sorted(reasons), *([("all metrics", result.reason)] if result.reason else [])]


def by_agreement(computed: Computed) -> list[tuple[str, MetricInWindows]]:
    """The metrics, the highest of the chosen figure on all systems first; those without one come last."""
    figure = computed.chosen["figure"]

    def place(row: tuple[str, MetricInWindows]) -> float:
        value = of_figure(row[1].whole, figure).value
        return inf if value is None else -value

    return sorted(computed.result.metrics.items(), key=place)


def usual_metric(computed: Computed) -> str:
    """The metric that the heading names, or else the first of the table."""
    return next(iter([*_ahead(computed), *(name for name, _ in by_agreement(computed))]), "")


def _best_columns(computed: Computed) -> Sequence[Column]:
    """The metric, its agreement among the best systems, and on all."""
    result: MetricsInWindows = computed.result
    figure = FIGURES[computed.chosen["figure"]]
    return (
        MetricName("", "Metric", itemgetter(0)),
        drawn_estimate(
            figure.split()[-1],
            lambda row: estimates(row[1], computed)[1],
            f"{figure} among the {result.windows[0].last} best systems",
        ),
        Number(
            "", "All", lambda row: estimates(row[1], computed)[0].value, heading=_all(result), is_aside=True
        ),
    )


def _all(result: MetricsInWindows) -> str:
    return f"All {len(result.systems)} systems"


def _without_interval(computed: Computed) -> str:
    """The metrics that have no interval among the best systems, with the reasons; empty if all have one."""
    by_reason: dict[str, list[str]] = {}
    among_the_best = _among_the_best(computed)
    for name, _ in by_agreement(computed):
        estimate = among_the_best.get(name)
        if estimate is not None and estimate.value is not None and estimate.low is None and estimate.reason:
            by_reason.setdefault(estimate.reason, []).append(literal(title_of_metric(name)))
    said = [f"{briefly(names)} ({literal(reason)})" for reason, names in by_reason.items()]
    return f"No interval (–): {'; '.join(said)}." if said else ""


BEST = Table(
    rows=lambda computed: by_agreement(computed) if computed.result.windows else [],
    columns=lambda computed: _best_columns(computed) if computed.result.windows else (),
    caption=lambda computed: f"{FIGURES[computed.chosen['figure']]} of each metric among the best systems",
    in_files=False,
    note=lambda computed, naming: " ".join(
        filter(
            None,
            [
                small_intervals(computed, "of the agreement of these systems on all sentences like these."),
                _without_interval(computed),
            ],
        )
    ),
)
WINDOWS = Table(
    rows=by_agreement,
    columns=columns,
    caption=lambda computed: (
        f"{FIGURES[computed.chosen['figure']]} of each metric with people, by ranks of systems"
    ),
    long=Table(
        rows=_in_files,
        columns=(
            Text("metric", value=itemgetter(0)),
            Count("first_rank", value=lambda row: row[1].first),
            Count("last_rank", value=lambda row: row[1].last),
            Identifiers("systems", value=lambda row: row[1].systems),
            *(Estimated(name, value=partial(_of_row, name)) for name in FIGURES),
        ),
        caption="",
    ),
    comment=lambda computed: f"{computed.chosen['figure']}, by ranks of systems",
    note=lambda computed, naming: " ".join(filter(None, [UNSHADED, _not_shown(computed)])),
)
SYSTEMS = Table(
    rows=lambda computed: [
        (system, rank, score) for rank, (system, score) in enumerate(computed.result.systems.items(), start=1)
    ],
    columns=lambda computed: (
        System("", "System", itemgetter(0)),
        Count("", "Rank", itemgetter(1)),
        Number("", beginning(HUMAN_SCORES[computed.result.human]), itemgetter(2)),
    ),
    caption="Systems by rank",
    in_files=False,
)


def headline(computed: Computed, naming: Naming) -> str:
    """The result in a sentence: which metric agrees most among the best systems, if one is clearly ahead.

    A few systems correlate highly by chance.
    """
    result: MetricsInWindows = computed.result
    if result.reason:
        return result.reason
    best = f"the {result.windows[0].last} best systems"
    if all(each.value is None for each in _among_the_best(computed).values()):
        return f"No metric can be compared with people on {best}"
    there = [each for each in _among_the_best(computed).values() if each.value is not None]
    chance = 0.5 if computed.chosen["figure"] == ACCURACY else 0.0
    certain = sum(each.low is not None and each.low > chance for each in there)
    if all(each.low is None or (each.high is not None and each.low <= chance <= each.high) for each in there):
        few = {1: "the only metric", 2: "either metric"}
        metrics = few.get(len(there), f"any of {len(there)} metrics")
        systems = f"{best} of {len(result.systems)}"
        return f"These judgments do not tell whether {metrics} agrees with people among {systems}"
    agree = some_of(certain, len(there), "metric", does="clearly agrees", do="clearly agree")
    said = f"Among {best} of {len(result.systems)}, {agree} with people"
    ahead = list(map(title_of_metric, _ahead(computed)))
    if ahead and len(there) > 1:
        return f"{said}, {listed(ahead)} clearly more than the others"
    return f"{said}, none clearly more than the others" if certain > 1 else said


def _among_the_best(computed: Computed) -> dict[str, Estimate]:
    """The chosen figure of each metric in the window of the best systems; empty without windows."""
    metrics: Mapping[str, MetricInWindows] = computed.result.metrics
    figure = computed.chosen["figure"]
    return {name: of_figure(each.windows[0], figure) for name, each in metrics.items() if each.windows}


def _ahead(computed: Computed) -> list[str]:
    """The metrics that clearly lead among the best systems; most often none."""
    return clearly_leading(_among_the_best(computed))


def _not_shown(computed: Computed) -> str:
    """Which windows have no interval, in a sentence; empty if all have."""
    unsure = [computed.result.windows[place - 1] for place in _unsure(computed)]
    if not unsure:
        return ""
    ranks = listed(list(map(title_of_window, unsure)), "has", "have")
    return (
        f"Ranks {ranks} no interval: errors are more than half of the differences between those systems, so "
        "these values are mostly chance and only files have them."
        if len(unsure) < len(computed.result.windows)
        else "No window has an interval: errors are more than half of the differences between its systems."
    )


def lead(computed: Computed, naming: Naming) -> str:
    """Which systems and sentences are compared."""
    result: MetricsInWindows = computed.result
    said = (
        f"{counted(len(result.systems), 'system')} in the order of {HUMAN_SCORES[result.human]}, on "
        f"{counted(result.compared_sentences, 'sentence')}."
    )
    if result.windows:
        best = result.windows[0].systems
        said += f" The {len(best)} best: {listed([literal(naming.label(system)) for system in best])}."
    if result.unranked:
        said += f" Without a human score: {', '.join(map(literal, result.unranked))}."
    return said + left_out_on_pages(computed, naming)


def methods(parameters: MetricWindowsParameters, result: MetricsInWindows) -> list[str]:
    """The comparison in sentences for a paper."""
    sentences = [
        f"{len(result.metrics)} metrics are compared with {human_scores_of_systems(result.human)} from "
        f"people on {len(result.systems)} systems and on each of {len(result.windows)} windows of "
        f"{parameters.size} neighbouring systems, over {result.compared_sentences:,} sentences."
    ]
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


def draw_windows(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """All metrics by window."""
    result: MetricsInWindows = computed.result
    values = {title_of_metric(name): estimates(metric, computed) for name, metric in by_agreement(computed)}
    names = ["all", *map(title_of_window, result.windows)]
    title = f"{naming.title}: agreement with {human_scores_of_systems(result.human)}"
    return windows_figure(values, names, name=FIGURES[computed.chosen["figure"]], title=title)


def draw_course(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The chosen metric from window to window."""
    result: MetricsInWindows = computed.result
    metric = result.metrics[computed.chosen["metric"]]
    whole, *values = estimates(metric, computed)
    return window_course_figure(
        values,
        [title_of_window(window) for window in result.windows],
        whole=whole,
        name=FIGURES[computed.chosen["figure"]],
        title=f"{naming.title}: {title_of_metric(metric.metric)} in windows of systems",
    )


def about_course(computed: Computed, naming: Naming) -> str:
    """The meaning of the dashed line and of hollow dots."""
    whole, *values = estimates(computed.result.metrics[computed.chosen["metric"]], computed)
    said = "Dashed: all systems" + ("." if whole.value is None else f", {whole.value:.2f}.")
    unsure = any(each.low is None for each in values) and any(each.low is not None for each in values)
    return f"{said} Hollow: mostly chance, without an interval." if unsure else said


def _has_any(computed: Computed) -> bool:
    metrics = computed.result.metrics.values()
    return any(each.value is not None for metric in metrics for each in estimates(metric, computed))


def _has_course(computed: Computed) -> bool:
    _, *values = estimates(computed.result.metrics[computed.chosen["metric"]], computed)
    return any(each.value is not None for each in values)


FAINT_NUMBERS = "Faint numbers: the interval includes 0, or there is none."
EXPLANATION = """
Systems are put in the order of their human scores, and neighbouring ones form a window, in which metrics are
compared with people as on all systems (Kobayashi et al. 2024). A metric that tells bad systems from good ones
may still not order the best. Correlations of few systems vary by chance, so look at the intervals: a metric
clearly agrees with people if its interval lies above 0, or above a half for accuracy. Where errors are more
than half of the differences between systems, there is none. Intervals of ρ, τ and accuracy are wider in
proportion, and still less sure than those of r, because the order of almost equal systems decides. Systems
with equal human scores are ordered by name.
"""

METRIC_WINDOWS = register(
    Analysis(
        **OF_METRICS,
        name="metric-windows",
        title="Metrics in windows of systems",
        group=Group.METRICS,
        question="Do metrics still agree with people among the best systems?",
        defined_in="metrics-against-people.md#in-windows-of-systems",
        help="Correlations of each metric within windows of neighbouring systems.",
        parameters=MetricWindowsParameters,
        result=MetricsInWindows,
        compute=metric_windows,
        tables={"best": BEST, "windows": WINDOWS, "missing": missing_table(_missing), "systems": SYSTEMS},
        figures={
            "windows": Figure(
                caption=lambda computed: (
                    f"{FIGURES[computed.chosen['figure']]} of metrics in windows of neighbouring systems"
                ),
                draw=draw_windows,
                has_content=_has_any,
                of_table="windows",
                note=lambda computed, naming: FAINT_NUMBERS if computed.parameters.replicates else "",
            ),
            "metric": Figure(
                caption=lambda computed: (
                    f"{FIGURES[computed.chosen['figure']]} of {title_of_metric(computed.chosen['metric'])} "
                    "from window to window; dashed: on all systems"
                ),
                draw=draw_course,
                has_content=_has_course,
                by="metric",
                note=about_course,
            ),
        },
        choices={"figure": FIGURE, "metric": replace(METRIC, usual=usual_metric)},
        headline=headline,
        lead=lead,
        sections=[
            Section(title="All windows", tables=["windows"], is_folded=True),
            Section(title="Windows of one metric", figures=["metric"], is_folded=True),
            Section(title="Systems by human score", tables=["systems"], is_folded=True),
        ],
        explanation=EXPLANATION,
        fields=("size", "human", "whole_set", *CHOOSING),
        route="metric-windows",
        tab="Sensitivity",
        label="Windows",
        place=20,
        methods=methods,
        resolve=resolved_of_systems,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
