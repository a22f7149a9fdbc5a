"""Results of metrics against people, and what is said and drawn of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import (
    CORRELATIONS,
    HUMAN_SCORES,
    left_out_on_pages,
)
from analysis.analyses.metrics.metric_parts import (
    BOOTSTRAP,
    CALIBRATED,
    HOW_TO_READ,
    SOFT,
    TITLES,
    WILLIAMS,
    MetricTests,
    agreement_of_metrics,
    systems_by_metric,
)
from analysis.analyses.resampling import small_intervals
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.columns import Code, Column, Count, Estimated, Number, NumberedAnnotator, Text
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import briefly, counted, listed, literal
from figures.metrics.metrics_people import SIGNIFICANT, SMALLEST_SHOWN
from metrics.meta_evaluation import (
    Estimate,
    HumanScore,
    Jackknife,
    PairwiseTests,
    PartAgreement,
    SentenceAgreement,
    first_place,
)
from metrics.meta_evaluation.estimates import NOTHING_RESAMPLED
from metrics.meta_evaluation.sentence_level import CEILING
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class MetricAgainstPeople:
    """One metric against people.

    Attributes:
        signature: signature for repeating its scores; "" if not known.
        cluster: among the metrics by soft pairwise accuracy, 1 being the best; None where it has none.
        pearson: Pearson's r of the scores of systems.
        spearman: Spearman's rho.
        kendall: Kendall's tau-b.
        accuracy: share of the pairs of systems that it orders as people do.
        spa: soft pairwise accuracy.
        jackknife: each coefficient without each system.
        resampled: whether the intervals resample the metric too.
        scored_sentences: of the compared sentences, those of which it scores all systems; None where only
            scores of systems are known. Two metrics are tested on the sentences that both score.
        scores: by system.
        sentences: agreement by sentences.
        sentence_cluster: among the metrics by acc*eq; None where it has none.
    """

    signature: str
    cluster: int | None
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    accuracy: Estimate
    spa: Estimate
    jackknife: Mapping[Coefficient, Jackknife]
    resampled: bool
    scored_sentences: int | None
    scores: Mapping[str, float | None]
    sentences: SentenceAgreement
    sentence_cluster: int | None


@dataclass(frozen=True, slots=True)
class MetricsAgainstPeople:
    """All metrics against people.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        level: "system": of what the first figures of each metric are.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        compared_sentences: how many metrics score.
        judged_pairs: how many pairs of different outputs were judged.
        permutations: of the tests by permutations.
        without_z_scores: by annotator, why they have no z-scores.
        metrics: by name, best soft pairwise accuracy first.
        ceiling: one annotator against the others, in the figures that metrics have
            (`metrics.meta_evaluation.human_ceiling`).
        ceiling_annotators: of how many annotators these figures by systems are the mean.
        tests: which metric agrees better, by the name of the test: "williams", "bootstrap" (of Pearson's r),
            "spa" and "acc*eq" (PERM-BOTH).
    """

    signature: str
    level: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    judged_sentences: int
    compared_sentences: int
    judged_pairs: int
    permutations: int
    without_z_scores: Mapping[str, str]
    metrics: Mapping[str, MetricAgainstPeople]
    ceiling: MetricAgainstPeople
    ceiling_annotators: int
    tests: Mapping[str, PairwiseTests]


Row = tuple[str, MetricAgainstPeople]
"""A metric with its name, or one annotator against the others."""

COUNTS = ("concordant", "discordant", "metric_ties", "judge_ties", "both_tie")


def with_ceiling(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics, then one annotator against the others where that is known by systems."""
    return [*result.metrics.items(), *_ceiling(result, result.ceiling.accuracy)]


def _ceiling(result: MetricsAgainstPeople, figure: Estimate) -> list[Row]:
    return [] if figure.value is None else [(CEILING, result.ceiling)]


def about_ceiling(result: MetricsAgainstPeople) -> str:
    """What the row of annotators is; empty without one."""
    if result.ceiling.accuracy.value is None:
        return ""
    return (
        f"*{CEILING.capitalize()}*: agreement of one annotator’s scores of systems with those of all others, "
        f"the mean of {counted(result.ceiling_annotators, 'annotator')} who have a score of every system."
    )


def by_sentences(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics with agreement by sentences, the best first."""
    compared = [(name, metric) for name, metric in result.metrics.items() if metric.sentences.calibrated]
    return sorted(compared, key=lambda row: -(_calibrated("accuracy", row) or 0.0))


def _of(path: str) -> Callable[[Row], Any]:
    """Reads an attribute of the metric."""
    read = attrgetter(path)
    return lambda row: read(row[1])


def _calibrated(name: str, row: Row) -> Any:
    calibrated = row[1].sentences.calibrated
    return getattr(calibrated, name) if calibrated else None


def _pairs(name: str, row: Row) -> Any:
    pairs = row[1].sentences.pairs
    return getattr(pairs, name) if pairs else None


def _sentence_reason(row: Row) -> str | None:
    return row[1].sentences.reason or _calibrated("reason", row)


def _estimate(path: str, label: str, heading: str = "") -> Column:
    return Estimated("", label, _of(path), heading=heading, is_shaded=True)


def _how_scored(computed: Computed, row: Row) -> str:
    """Differences from other metrics: how this one was resampled, and which sentences it scores."""
    metric, compared = row[1], computed.result.compared_sentences
    words = [] if metric.resampled else ["not resampled"]
    if metric.scored_sentences is not None and metric.scored_sentences < compared:
        words.append(f"scores {metric.scored_sentences:,} of {compared:,} sentences")
    return ", ".join(words)


def about_systems(computed: Computed, naming: Naming) -> str:
    """What the intervals are of, and what the row of annotators is."""
    intervals = small_intervals(
        computed, "of the agreement that these systems would show on all sentences like these."
    )
    return "\n\n".join(filter(None, [intervals, about_ceiling(computed.result)]))


SYSTEMS = Table(
    rows=lambda computed: with_ceiling(computed.result),
    columns=lambda computed: (
        MetricName("", "Metric", itemgetter(0), note=partial(_how_scored, computed)),
        _estimate("spa", "SPA"),
        *(_estimate(name, name.capitalize(), title) for name, title in CORRELATIONS.items()),
        _estimate("accuracy", "Accuracy"),
        Count("", "Cluster", _of("cluster")),
    ),
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
            Number("acc_eq", value=partial(_calibrated, "accuracy")),
            Count("acc_eq_cluster", value=_of("sentence_cluster")),
            Text("no_interval", value=_of("pearson.reason")),
            Text("metric_signature", value=_of("signature")),
        ),
        caption="",
    ),
    note=about_systems,
)
SENTENCES = Table(
    rows=lambda computed: [
        *by_sentences(computed.result),
        *_ceiling(computed.result, computed.result.ceiling.sentences.tau),
    ],
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        Number(
            "", "acc*eq", partial(_calibrated, "accuracy"), hint=lambda row: _calibrated("reason", row) or ""
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
            *_ceiling(computed.result, computed.result.ceiling.sentences.tau),
        ],
        columns=(
            MetricName("metric", value=itemgetter(0)),
            Count("cluster", value=_of("sentence_cluster")),
            Number("acc_eq", value=partial(_calibrated, "accuracy")),
            Number("epsilon", value=partial(_calibrated, "epsilon")),
            Count("acc_eq_sentences", value=partial(_calibrated, "sentences")),
            Count("acc_eq_pairs", value=partial(_calibrated, "pairs")),
            Count("acc_eq_human_ties", value=partial(_calibrated, "human_ties")),
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
    "missing": MISSING,
    "sentences": SENTENCES,
    "annotators": _tau_by("Annotator", NumberedAnnotator, lambda sentences: sentences.by_judge),
    "domains": _tau_by("Domain", Text, lambda sentences: sentences.by_domain),
    **{name: tests.table() for name, tests in TESTS.items()},
    "signatures": SIGNATURES,
}


MOST_OVERTURNING = 3
"""Systems without which another metric is first that a heading names."""


def headline(computed: Computed, naming: Naming) -> str:
    """The result in a sentence: metrics from which the one of the highest r is not separated."""
    result: MetricsAgainstPeople = computed.result
    tests = result.tests[BOOTSTRAP]
    r = {name: each.pearson.value for name, each in result.metrics.items()}
    compared = sorted(tests.metrics, key=lambda name: -(r[name] or 0.0))
    if len(compared) < 2:
        [name, *others] = result.metrics
        if others or r[name] is None:
            return "These judgments do not say which metric agrees best with people"
        return f"{title_of_metric(name)} correlates with people at r = {r[name]:.2f}"
    of_best = dict(zip(tests.metrics, tests.holm[tests.metrics.index(compared[0])], strict=True))
    leading = [title_of_metric(name) for name in compared if not _is_significant(of_best[name])]
    if len(leading) == 1:
        return f"{leading[0]} agrees best with people{_while(result, compared[0], naming)}"
    if len(leading) == len(compared):
        return "No metric agrees significantly better with people than another one"
    return f"{briefly(leading)} agree best with people; the judgments do not separate them"


def _while(result: MetricsAgainstPeople, metric: str, naming: Naming) -> str:
    """The systems that a metric's first place depends on, as the end of a sentence; empty if no few do."""
    apart = [system for system in result.systems if naming.roles.get(system) in NO_SYSTEMS]
    first = first_place(result.systems, {name: each.scores for name, each in result.metrics.items()}, [apart])
    if first is None or first.metric != metric or not first.overturned:
        return ""
    overturned = {
        tuple(map(naming.label, systems)): title_of_metric(name) for systems, name in first.overturned.items()
    }
    if len(overturned) == 1:
        [(systems, other)] = overturned.items()
        counts, them = ("counts", "it") if len(systems) == 1 else ("count", "them")
        return f", but only while {listed(systems)} {counts}: without {them}, {other} does"
    named = [listed(systems) for systems in overturned][:MOST_OVERTURNING]
    more = "others" if len(overturned) > len(named) else named.pop()
    return f", but another metric does without {', '.join(named)} or {more}"


def _is_significant(p: float | None) -> bool:
    return p is not None and p <= SIGNIFICANT


def lead(computed: Computed, naming: Naming) -> str:
    """Which metrics, systems and sentences are compared."""
    result: MetricsAgainstPeople = computed.result
    judged, compared = result.judged_sentences, result.compared_sentences
    sentences = (
        f"the {counted(judged, 'judged sentence')}"
        if judged == compared
        else f"{counted(compared, 'sentence')}, {judged:,} of them judged"
    )
    return (
        f"{counted(len(result.metrics), 'metric')} against {HUMAN_SCORES[result.human]} of "
        f"{counted(len(result.systems), 'system')}, on {sentences}.{left_out_on_pages(computed, naming)}"
    )


def unscored_pairs(result: MetricsAgainstPeople) -> int:
    """How many judged pairs are left out, because some metric does not score them."""
    return max((metric.sentences.not_scored for metric in result.metrics.values()), default=0)


def about_sentences(computed: Computed, naming: Naming) -> str:
    """The outputs that are compared by sentences, and those left out."""
    result: MetricsAgainstPeople = computed.result
    said = (
        "Tau counts the pairs of outputs that people ordered, ties of the metric being wrong (WMT10); tau-b "
        "counts ties of either side. acc\\*eq is pairwise accuracy with tie calibration (Deutsch et al. "
        "2023)."
    )
    if result.ceiling.sentences.tau.value is not None:
        said += (
            " Annotators tie outputs more often than most metrics, and tau and accuracy count their ties as "
            "wrong too: tau-b compares one annotator with metrics more evenly."
        )
    if left_out := unscored_pairs(result):
        names = [title_of_metric(name) for name, metric in by_sentences(result) if metric.sentences.unscored]
        do = "does" if len(names) == 1 else "do"
        said += (
            f"\n\n{left_out:,} of {result.judged_pairs:,} judged pairs of outputs are left out for all "
            f"metrics, because {', '.join(map(literal, names))} {do} not score them."
        )
    return said


FIGURES = {
    "agreement": agreement_of_metrics(
        lambda computed: f"Agreement of metrics with {HUMAN_SCORES[computed.result.human]}",
        lambda computed: HUMAN_SCORES[computed.result.human],
        of_table="systems",
    ),
    "metric": systems_by_metric("Systems", "Hollow: the source and references."),
    **{f"test-{name}": tests.figure(of_table=name) for name, tests in TESTS.items()},
}

SECTIONS = [
    Section(title="By sentences", text=about_sentences, tables=["sentences"], is_folded=True),
    Section(title="Tau by annotator", tables=["annotators"], is_folded=True),
    Section(title="Tau by domain", tables=["domains"], is_folded=True),
    Section(
        title="Tests between metrics",
        text="The chance of so large a difference between two metrics if they agreed equally well with "
        f"people: {HOW_TO_READ} The test shown first is [PERM-BOTH](/glossary/#perm-both) of "
        "[SPA](/glossary/#spa), soft pairwise accuracy.",
        tables=["spa"],
        is_folded=True,
    ),
    *(
        Section(title=tests.title, tables=[name], is_folded=True)
        for name, tests in TESTS.items()
        if name != SOFT
    ),
    Section(title="Systems by metric and people", figures=["metric"], is_folded=True),
    Section(title="Signatures of the scores", tables=["signatures"], is_folded=True),
]

EXPLANATION = f"""
Each metric scores the same systems that people judged, on the sentences that they judged or, if this is
asked for, on all. Errors of both scores, which resampled sentences show, weaken the agreement that is
observed, so an interval may lie mostly beyond the value. Where errors are more than half of the differences
between systems, there is none. Intervals of ρ, τ and accuracy are wider in proportion, and still less sure
than those of r where several systems are almost equal, because their order decides. SPA is soft pairwise
accuracy (Thompson et al. 2024): for each pair of systems it compares how sure people and the metric are
that one is better. Accuracy is the share of pairs of systems that the metric orders as people do. A metric
that does not score a sentence, for example because it has no reference, is compared on the others, and two
metrics are tested on the sentences that both score. Higher scores of a metric have to mean better outputs.
From the best metric down, a new cluster begins with each metric that some metric of the current cluster
beats by PERM-BOTH at p ≤ {SIGNIFICANT}, not corrected (Freitag et al. 2024); so two metrics of different
clusters need not differ significantly from each other. PERM-BOTH takes people’s judgments as they are; the
heading takes their errors into account, by the test of Pearson’s r below after Holm’s correction.
"""
