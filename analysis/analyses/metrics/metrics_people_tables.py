"""Tables of metrics against people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import CORRELATIONS
from analysis.analyses.metrics.leading_metrics import why_not_below
from analysis.analyses.metrics.metric_parts import (
    BOOTSTRAP,
    CALIBRATED,
    NOT_TOLD_APART,
    SOFT,
    TITLES,
    WILLIAMS,
    MetricTests,
    below_highest,
    drawn_estimate,
    marked_below,
)
from analysis.analyses.metrics.metrics_people_result import (
    MetricAgainstPeople,
    MetricsAgainstPeople,
    Row,
    by_r,
    by_sentences,
    calibrated,
    ceiling_row,
    with_ceiling,
)
from analysis.analyses.resampling import STRONGER, UNSHADED, small_intervals
from core.columns import Code, Column, Count, Estimated, Number, NumberedAnnotator, Text
from core.names import Naming
from core.results import Computed
from core.tables import Table
from core.wording import counted, with_interval
from figures.metrics.metrics_people import SMALLEST_SHOWN
from metrics.meta_evaluation import PairwiseTests, PartAgreement, SentenceAgreement
from metrics.meta_evaluation.estimates import NOTHING_RESAMPLED
from metrics.meta_evaluation.sentence_level import CEILING

COUNTS = ("concordant", "discordant", "metric_ties", "judge_ties", "both_tie")


def about_ceiling(result: MetricsAgainstPeople) -> str:
    """What the row of annotators is; empty without one."""
    if result.ceiling.accuracy.value is None:
        return ""
    return (
        "Hollow: one annotator’s scores of systems against those of all others, the mean of "
        f"{counted(result.ceiling_annotators, 'annotator')} who have a score of every system."
    )


def _of(path: str) -> Callable[[Row], Any]:
    """Reads an attribute of the metric."""
    read = attrgetter(path)
    return lambda row: read(row[1])


def _pairs(name: str, row: Row) -> Any:
    pairs = row[1].sentences.pairs
    return getattr(pairs, name) if pairs else None


def _sentence_reason(row: Row) -> str | None:
    return row[1].sentences.reason or calibrated("reason", row)


def _estimate(path: str, label: str, heading: str = "") -> Column:
    return Estimated("", label, _of(path), heading=heading, is_shaded=True)


def _how_scored(row: Row) -> str:
    """That the metric was not resampled as others were; empty if it was."""
    return "" if row[1].resampled else "not resampled"


def about_order(result: MetricsAgainstPeople) -> str:
    """Why a metric is not marked as below the highest r although one of higher r is; empty if none is so."""
    tests = result.tests[BOOTSTRAP]
    return why_not_below({name: result.metrics[name].pearson.value or 0.0 for name in tests.metrics}, tests)


DECIDING = (
    "All these p-values are the first table under *Tests between metrics*. *Which to report* asks another "
    "question: whether a metric may be too far behind another one."
)


def about_systems(computed: Computed, naming: Naming) -> str:
    """What the intervals are of, what is hollow, and why lower metrics may have no mark."""
    lines = small_intervals(
        computed, "of the agreement that these systems would show on all sentences like these."
    )
    unsure = NOT_TOLD_APART if about_order(computed.result) else ""
    return " ".join(filter(None, [lines, about_ceiling(computed.result), unsure, DECIDING]))


def about_coefficients(computed: Computed, naming: Naming) -> str:
    """What shades say."""
    return f"{STRONGER} {UNSHADED}" if computed.parameters.replicates else STRONGER


def r_of(result: MetricsAgainstPeople) -> dict[str, float | None]:
    """Pearson's r by metric."""
    return {name: metric.pearson.value for name, metric in result.metrics.items()}


def _systems_columns(computed: Computed) -> Sequence[Column]:
    result: MetricsAgainstPeople = computed.result
    _, *further = CORRELATIONS
    return (
        marked_below("", r_of(result), result.tests[BOOTSTRAP], itemgetter(0)),
        drawn_estimate(
            "Pearson",
            _of("pearson"),
            with_interval(CORRELATIONS["pearson"], computed.parameters.confidence),
            heading="r",
            is_hollow=lambda row: row[0] == CEILING,
        ),
        *(replace(_estimate(name, name.capitalize()), on_page=False) for name in further),
        *(replace(_estimate(name.lower(), name), on_page=False) for name in ("Accuracy", "SPA")),
        Count("", "Cluster", _of("cluster"), on_page=False),
    )


def _coefficients_columns(computed: Computed) -> Sequence[Column]:
    result: MetricsAgainstPeople = computed.result
    scored = {name: metric.scored_sentences for name, metric in result.metrics.items()}
    if {*scored.values()} <= {result.compared_sentences, None}:
        scored = {}
    pearson, *further = (_estimate(name, name.capitalize(), title) for name, title in CORRELATIONS.items())
    return (
        MetricName("", "Metric", itemgetter(0), note=_how_scored),
        pearson,
        below_highest(r_of(result), result.tests[BOOTSTRAP], itemgetter(0), "Below the highest r"),
        *further,
        _estimate("accuracy", "Accuracy"),
        _estimate("spa", "SPA"),
        Count("", "Cluster", _of("cluster"), heading="Cluster of SPA"),
        Count("", "Sentences", lambda row: scored.get(row[0]), heading="Sentences scored"),
    )


SYSTEMS = Table(
    rows=lambda computed: by_r(computed.result),
    columns=_systems_columns,
    caption="Agreement of each metric with people, by systems",
    long=Table(
        rows=lambda computed: with_ceiling(computed.result),
        columns=(
            MetricName("metric", value=itemgetter(0)),
            Count("cluster", value=_of("cluster")),
            *(
                Estimated(name, value=_of(name))
                for name in ("pearson", "spearman", "kendall", "accuracy", "spa")
            ),
            *(
                Estimated(f"sentence_{name}", value=_of(f"sentences.{name}"))
                for name in ("tau", "tau_b", "accuracy")
            ),
            Number("acc_eq", value=partial(calibrated, "accuracy")),
            Count("acc_eq_cluster", value=_of("sentence_cluster")),
            Text("no_interval", value=_of("pearson.reason")),
            Text("metric_signature", value=_of("signature")),
        ),
        caption="",
    ),
    note=about_systems,
)

COEFFICIENTS = Table(
    rows=lambda computed: by_r(computed.result),
    columns=_coefficients_columns,
    caption="All coefficients, by systems",
    in_files=False,
    note=about_coefficients,
)

SENTENCES = Table(
    rows=lambda computed: [
        *by_sentences(computed.result),
        *ceiling_row(computed.result, computed.result.ceiling.sentences.tau),
    ],
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        Number(
            "", "acc*eq", partial(calibrated, "accuracy"), hint=lambda row: calibrated("reason", row) or ""
        ),
        _estimate("sentences.tau", "Tau"),
        _estimate("sentences.tau_b", "Tau-b"),
        _estimate("sentences.accuracy", "Accuracy"),
        Count("", "Cluster", _of("sentence_cluster")),
    ),
    caption="Agreement of each metric with people, by sentences",
    long=Table(
        rows=lambda computed: [
            *computed.result.metrics.items(),
            *ceiling_row(computed.result, computed.result.ceiling.sentences.tau),
        ],
        columns=(
            MetricName("metric", value=itemgetter(0)),
            Count("cluster", value=_of("sentence_cluster")),
            Number("acc_eq", value=partial(calibrated, "accuracy")),
            Number("epsilon", value=partial(calibrated, "epsilon")),
            Count("acc_eq_sentences", value=partial(calibrated, "sentences")),
            Count("acc_eq_pairs", value=partial(calibrated, "pairs")),
            Count("acc_eq_human_ties", value=partial(calibrated, "human_ties")),
            *(Estimated(name, value=_of(f"sentences.{name}")) for name in ("tau", "tau_b", "accuracy")),
            Number("tau_without_ties", value=partial(_pairs, "without_ties")),
            *(Count(name, value=partial(_pairs, name)) for name in COUNTS),
            Count("not_scored", value=_of("sentences.not_scored")),
            Text("reason", value=_sentence_reason),
        ),
        caption="",
    ),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the judgments.

    Attributes:
        name: key of the annotator, or the domain.
        agreed: by metric.
    """

    name: str
    agreed: Mapping[str, PartAgreement]


def _tau(metric: str, part: Part) -> float | None:
    return part.agreed[metric].pairs.value


def _reason(metric: str, part: Part) -> str:
    return part.agreed[metric].reason or ""


def _count(name: str, row: tuple[int, str, str, PartAgreement]) -> int:
    number: int = getattr(row[3].pairs, name)
    return number


def _tau_by(
    label: str, column: type[Column], parts_of: Callable[[SentenceAgreement], Sequence[PartAgreement]]
) -> Table:
    """Tau of each metric within parts of the judgments; all metrics have the same parts."""

    def parts(computed: Computed) -> list[Part]:
        of_metrics = {name: parts_of(metric.sentences) for name, metric in by_sentences(computed.result)}
        return [
            Part(part.part or "no domain", {name: each[place] for name, each in of_metrics.items()})
            for place, part in enumerate(next(iter(of_metrics.values()), ()))
        ]

    def columns(computed: Computed) -> Sequence[Column]:
        return (
            column("", " ", attrgetter("name"), heading=label),
            *(
                Number(
                    "",
                    title_of_metric(name),
                    partial(_tau, name),
                    hint=partial(_reason, name),
                )
                for name, _ in by_sentences(computed.result)
            ),
            Count(
                "",
                "Sentences",
                lambda part: next(iter(part.agreed.values())).sentences,
                on_paper=False,
            ),
        )

    def by_metric(computed: Computed) -> Iterator[tuple[int, str, str, PartAgreement]]:
        for place, (name, metric) in enumerate(by_sentences(computed.result)):
            for part in parts_of(metric.sentences):
                yield place, name, part.part or "no domain", part

    is_of_annotators = column is NumberedAnnotator
    return Table(
        rows=parts,
        columns=columns,
        order=(lambda part, naming: naming.place(part.name)) if is_of_annotators else None,
        caption=f"Tau by {label.lower()}",
        long=Table(
            rows=by_metric,
            order=(lambda row, naming: (row[0], naming.place(row[2]))) if is_of_annotators else None,
            columns=(
                MetricName("metric", value=itemgetter(1)),
                column("part", value=itemgetter(2)),
                Count("sentences", value=lambda row: row[3].sentences),
                Number("tau", value=lambda row: row[3].pairs.value),
                Number("tau_without_ties", value=lambda row: row[3].pairs.without_ties),
                Number("tau_b", value=lambda row: row[3].pairs.tau_b),
                Number("accuracy", value=lambda row: row[3].pairs.accuracy),
                *(Count(name, value=partial(_count, name)) for name in COUNTS),
                Text("reason", value=lambda row: row[3].reason),
            ),
            caption="",
        ),
        note="CSV has tau-b, accuracy and counts too.",
    )


def _missing(computed: Computed) -> list[tuple[str, str, str]]:
    """Metrics without a value or interval, with the figure and the reason."""
    metrics: dict[tuple[str, str], list[str]] = {}
    for name, metric in [*computed.result.metrics.items(), (CEILING, computed.result.ceiling)]:
        for what in _reasons(metric):
            metrics.setdefault(what, []).append(title_of_metric(name))
    return [(", ".join(names), figure, reason) for (figure, reason), names in metrics.items()]


def _reasons(metric: MetricAgainstPeople) -> list[tuple[str, str]]:
    estimates = {
        "Correlations": metric.pearson,
        "Accuracy": metric.accuracy,
        "SPA": metric.spa,
        "Tau": metric.sentences.tau,
        "Tau-b": metric.sentences.tau_b,
    }
    return [
        (figure if estimate.value is None else f"{figure}: interval", estimate.reason)
        for figure, estimate in estimates.items()
        if estimate.reason and estimate.reason != NOTHING_RESAMPLED
    ]


MISSING = Table(
    rows=_missing,
    columns=(
        Text("", "Metrics", itemgetter(0)),
        Text("", "Figure", itemgetter(1)),
        Text("", "Reason", itemgetter(2)),
    ),
    caption="Missing values",
    in_files=False,
)

SIGNATURES = Table(
    rows=lambda computed: computed.result.metrics.items(),
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        Code("", "Signature", lambda row: row[1].signature or "uploaded"),
    ),
    caption="Signatures of the scores",
    in_files=False,
)


def smallest_p(test: str, permutations: int) -> float:
    """The smallest p-value that a test can tell from 0."""
    return max(SMALLEST_SHOWN, 1 / permutations if test in (SOFT, CALIBRATED) else 0)


def _tests(name: str, result: MetricsAgainstPeople) -> PairwiseTests:
    return result.tests[name]


def _smallest_p(name: str, result: MetricsAgainstPeople) -> float:
    return smallest_p(name, result.permutations)


TESTS = {
    ("acc-eq" if name == CALIBRATED else name): MetricTests(
        TITLES[name],
        partial(_tests, name),
        partial(_smallest_p, name),
    )
    for name in (SOFT, WILLIAMS, BOOTSTRAP, CALIBRATED)
}
"""Tables of tests by the name of their file."""

TABLES = {
    "systems": SYSTEMS,
    "coefficients": COEFFICIENTS,
    "missing": MISSING,
    "sentences": SENTENCES,
    "annotators": _tau_by("Annotator", NumberedAnnotator, lambda sentences: sentences.by_judge),
    "domains": _tau_by("Domain", Text, lambda sentences: sentences.by_domain),
    **{name: tests.table() for name, tests in TESTS.items()},
    "signatures": SIGNATURES,
}
