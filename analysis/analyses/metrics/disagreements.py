"""Analysis that lists the sentences in which a metric and people disagree most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter, itemgetter

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import METRIC, MetricName, title_of_metric
from analysis.analyses.metrics.against_people import (
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    ComparedWithPeople,
    left_out_in_words,
    left_out_on_pages,
    resolved,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from core.arrays import FloatArray, IntArray
from core.columns import Count, Estimated, Number, Spread, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import are, counted, literal
from figures.drawing import Chart
from figures.metrics.disagreement import disagreement_figure
from metrics import in_usual_order
from metrics.meta_evaluation import Disagreement, disagreements

BINS = 20
"""Bins of the distribution of disagreement, each 1 / BINS wide; the first begins above 0."""

NORMAL_95 = 1.96
"""Standard errors from a mean to the ends of its 95 % interval."""

SHOWN = 20
"""Sentences of each metric in a table for terminals and papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementsParameters(ComparedWithPeople):
    """Options of the list of sentences. The help of each parameter describes it."""

    kept: int = parameter(
        200,
        label="Sentences listed",
        help="Number of sentences listed, overall and for each domain, most disagreement first.",
        minimum=1,
        maximum=1000,
    )
    fewest_pairs: int = parameter(
        1,
        label="Fewest pairs",
        help="Sentences in which people ordered fewer pairs of outputs are left out.",
        minimum=1,
        maximum=1000,
    )


@dataclass(frozen=True, slots=True)
class PartDisagreement:
    """All sentences, or those of a domain.

    Attributes:
        sentences: in how many people ordered outputs that the metric scores.
        agreed: in how many of these the metric orders all pairs as people do.
        mean: mean disagreement; None without sentences.
        low: lower end of its 95 % interval, from the deviation over sentences; None for fewer than two.
        high: upper end.
    """

    sentences: int
    agreed: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, eq=False)
class MetricDisagreements:
    """The sentences in which one metric disagrees most with people: the first ones of all, and of each
    domain.

    Attributes:
        sentences: shape (N,), their numbers, those with most disagreement first.
        sizes: shape (N,), the disagreement, above 0 and at most 1.
        pairs: shape (N,), pairs of outputs that people ordered and the metric scores.
        against: shape (N,), those of them that the metric ties or orders the other way round.
        overall: how many rows are the first ones of all; further rows are among the first of their domain.
        domains: the domain of each row; empty where domains are not known.
        whole: all sentences.
        by_domain: those of each domain.
        distribution: number of sentences with a disagreement above 0 and up to 1 / 20, up to 2 / 20, and so
            on.
        reason: why there is nothing, in words; None where there is.
    """

    sentences: IntArray
    sizes: FloatArray
    pairs: IntArray
    against: IntArray
    overall: int
    domains: tuple[str, ...]
    whole: PartDisagreement
    by_domain: Mapping[str, PartDisagreement]
    distribution: tuple[int, ...]
    reason: str | None

    def rows(self, domain: str = "") -> list[int]:
        """The rows of a domain, or of all, in their order."""
        if not domain:
            return list(range(self.overall))
        return [row for row, its_domain in enumerate(self.domains) if its_domain == domain]


@dataclass(frozen=True, slots=True, eq=False)
class Disagreements:
    """The sentences on which each metric disagrees with people.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        systems: those that were compared, in alphabetical order.
        metrics: by name, in their usual order.
        judged: shape (U,), numbers of all sentences that some metric lists, ascending.
        human: shape (U, S), the human score of each system in these sentences; NaN where there is none.
    """

    signature: str
    left_out: tuple[str, ...]
    systems: tuple[str, ...]
    metrics: Mapping[str, MetricDisagreements]
    judged: IntArray
    human: FloatArray

    def human_scores(self, sentence: int) -> dict[str, float]:
        """The human score of each system in a listed sentence; those without one are left out."""
        row = self.human[int(np.searchsorted(self.judged, sentence))]
        return {
            system: score
            for system, score in zip(self.systems, row.tolist(), strict=True)
            if np.isfinite(score)
        }


def listed_disagreements(
    inputs: ScoredJudgments, parameters: DisagreementsParameters, progress: Progress
) -> Disagreements:
    """List the sentences with most disagreement (`metrics.meta_evaluation.disagreement`).

    Raises:
        InputError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared(tie_width=parameters.tie_width or 0.0)
    progress.begin("Comparing metrics with people", total=len(data.people.judged.outcome))
    of_metrics = disagreements(data, fewest_pairs=parameters.fewest_pairs, progress=progress.advance)
    numbers = np.arange(inputs.sentences) if inputs.positions is None else inputs.positions
    listed = {name: _listed(each, data.domains, parameters.kept) for name, each in of_metrics.items()}
    judged = np.unique(
        np.concatenate([of_metrics[name].sentences[rows] for name, (rows, _) in listed.items()])
    )
    return Disagreements(
        signature=inputs.signature(stated("disagreements", parameters)),
        left_out=inputs.unmatched,
        systems=data.systems,
        metrics={
            name: _of_metric(of_metrics[name], rows, overall, data.domains, numbers)
            for name in in_usual_order(listed)
            for rows, overall in [listed[name]]
        },
        judged=numbers[judged],
        human=data.people.scores[judged],
    )


def _listed(disagreement: Disagreement, domains: Sequence[str], kept: int) -> tuple[IntArray, int]:
    """Rows of the sentences to list, by size: the first of all, then those that are first in their domain."""
    order = disagreement.largest_first
    order = order[disagreement.sizes[order] > 0]
    further: list[int] = []
    if domains:
        seen: dict[str, int] = {}
        for place, row in enumerate(order.tolist()):
            domain = domains[disagreement.sentences[row]]
            seen[domain] = seen.get(domain, 0) + 1
            if place >= kept and domain and seen[domain] <= kept:
                further.append(row)
    return np.array([*order[:kept].tolist(), *further], dtype=np.int64), min(kept, len(order))


def _of_metric(
    disagreement: Disagreement, rows: IntArray, overall: int, domains: Sequence[str], numbers: IntArray
) -> MetricDisagreements:
    of_rows = (
        np.array([domains[sentence] for sentence in disagreement.sentences], dtype=object)
        if domains
        else None
    )
    bins = np.ceil(disagreement.sizes[disagreement.sizes > 0] * BINS - 1e-9).astype(np.int64) - 1
    return MetricDisagreements(
        sentences=numbers[disagreement.sentences[rows]],
        sizes=disagreement.sizes[rows],
        pairs=disagreement.pairs[rows],
        against=disagreement.against[rows],
        overall=overall,
        domains=() if of_rows is None else tuple(of_rows[rows].tolist()),
        whole=_part(disagreement.sizes),
        by_domain={}
        if of_rows is None
        else {
            name: _part(disagreement.sizes[of_rows == name]) for name in sorted(set(of_rows.tolist())) if name
        },
        distribution=tuple(np.bincount(np.clip(bins, 0, BINS - 1), minlength=BINS).tolist()),
        reason=disagreement.reason,
    )


def _part(sizes: FloatArray) -> PartDisagreement:
    mean = float(sizes.mean()) if len(sizes) else None
    low = high = None
    if mean is not None and len(sizes) > 1:
        width = NORMAL_95 * float(sizes.std(ddof=1)) / np.sqrt(len(sizes))
        low, high = max(mean - width, 0.0), min(mean + width, 1.0)
    return PartDisagreement(len(sizes), int(np.count_nonzero(sizes == 0)), mean, low, high)


def metric_of(computed: Computed) -> MetricDisagreements:
    """The chosen metric."""
    metric: MetricDisagreements = computed.result.metrics[computed.chosen["metric"]]
    return metric


def usual_metric(computed: Computed) -> str:
    """The first metric that disagrees anywhere, or else the first."""
    metrics: Mapping[str, MetricDisagreements] = computed.result.metrics
    listed = [name for name, metric in metrics.items() if metric.overall]
    return next(iter([*listed, *metrics]), "")


@dataclass(frozen=True, slots=True)
class Row:
    """A listed sentence.

    Attributes:
        metric: name of the metric.
        sentence: its number.
        domain: its domain; None where domains are not known.
        disagreement: from 0 to 1.
        pairs: pairs of outputs that people ordered and the metric scores.
        against: those of them that the metric ties or orders the other way round.
    """

    metric: str
    sentence: int
    domain: str | None
    disagreement: float
    pairs: int
    against: int


def rows(computed: Computed, domain: str = "") -> list[Row]:
    """The sentences that the chosen metric lists, of a domain or of all."""
    metric = metric_of(computed)
    return [
        Row(
            computed.chosen["metric"],
            int(metric.sentences[row]),
            metric.domains[row] if metric.domains else None,
            float(metric.sizes[row]),
            int(metric.pairs[row]),
            int(metric.against[row]),
        )
        for row in metric.rows(domain)
    ]


def sentences_table(sources: Mapping[int, str], domain: str = "") -> Table:
    """The sentences that the chosen metric lists, of a domain or of all, with the texts that are given."""
    return Table(
        rows=lambda computed: rows(computed, domain)[:SHOWN],
        columns=(
            Count("", "Sentence", attrgetter("sentence")),
            Text("", "Domain", attrgetter("domain"), on_paper=False),
            Number("", "Disagreement", attrgetter("disagreement")),
            Text("", "Pairs against", lambda row: f"{row.against} of {row.pairs}"),
            Text("", "Source", lambda row: sources.get(row.sentence, ""), on_page=False),
        ),
        caption=lambda computed: (
            f"Sentences in which {title_of_metric(computed.chosen['metric'])} disagrees most"
        ),
        comment=lambda computed: f"{title_of_metric(computed.chosen['metric'])} against people",
        by="metric",
        long=Table(
            rows=lambda computed: rows(computed, domain),
            columns=(
                Text("metric"),
                Count("sentence"),
                Text("domain"),
                Number("disagreement"),
                Count("pairs"),
                Count("against"),
                Text("source", value=lambda row: sources.get(row.sentence)),
            ),
            caption="",
        ),
    )


def by_mean(computed: Computed) -> list[tuple[str, MetricDisagreements]]:
    """The metrics, the smallest mean disagreement first; those without one come last."""

    def place(row: tuple[str, MetricDisagreements]) -> float:
        return inf if row[1].whole.mean is None else row[1].whole.mean

    return sorted(computed.result.metrics.items(), key=place)


METRICS = Table(
    rows=by_mean,
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        Estimated(
            "",
            "Mean disagreement",
            lambda row: Spread(row[1].whole.mean, row[1].whole.low, row[1].whole.high, row[1].reason),
        ),
        Count("", "All pairs as people", lambda row: row[1].whole.agreed, heading="Sentences as people"),
        Count("", "Sentences", lambda row: row[1].whole.sentences),
    ),
    caption="Disagreement of each metric with people",
    in_files=False,
    note="With 95 % intervals over sentences. *Sentences as people*: the metric orders all outputs so.",
)


def headline(computed: Computed, naming: Naming) -> str:
    """The result in a sentence."""
    metric, title = metric_of(computed), title_of_metric(computed.chosen["metric"])
    if metric.reason:
        return f"{title} cannot be compared with people by sentences: {metric.reason}"
    whole = metric.whole
    sentences = counted(whole.sentences, "sentence")
    if whole.mean is None:
        return f"No sentence has outputs that people ordered and {title} scores"
    if whole.agreed == whole.sentences:
        return f"{title} orders all outputs as people do in {sentences}"
    differing = whole.sentences - whole.agreed
    return f"{title} orders outputs differently from people in {differing:,} of {sentences}"


def _mean_in_words(whole: PartDisagreement) -> str:
    """The mean disagreement with its interval, as the end of a sentence; empty without a mean."""
    if whole.mean is None:
        return ""
    ends = "" if whole.low is None else f" (95 % interval {whole.low:.2f} to {whole.high:.2f})"
    return f"; the mean over sentences is {whole.mean:.2f}{ends}"


def lead(computed: Computed, naming: Naming) -> str:
    """The scale, which sentences count, where the means of other metrics are, and the systems left out."""
    whole, title = metric_of(computed).whole, literal(title_of_metric(computed.chosen["metric"]))
    counts = (
        f" {counted(whole.sentences, 'sentence')} with outputs that people ordered and {title} scores "
        f"{are(whole.sentences)} compared. One pair that it ties or orders otherwise makes a "
        "sentence different."
        if whole.sentences
        else ""
    )
    said = (
        "The disagreement of a sentence is 0 where the metric orders all its outputs as people do, and 1 "
        f"where it reverses their clearest preferences{_mean_in_words(whole)}.{counts}"
    )
    means = [(metric.whole.mean, name) for name, metric in by_mean(computed) if metric.whole.mean is not None]
    if len(means) > 1:
        ends = [f"{mean:.2f} ({literal(title_of_metric(name))})" for mean, name in (means[0], means[-1])]
        said += f" The means of the {len(means)} metrics go from {ends[0]} to {ends[1]}."
    return f"{said}{left_out_on_pages(computed, naming)}"


def methods(parameters: DisagreementsParameters, result: Disagreements) -> list[str]:
    """The comparison in sentences for a paper."""
    fewest = parameters.fewest_pairs
    return [
        f"{len(result.metrics)} metrics are compared with people sentence by sentence, over the outputs of "
        f"{len(result.systems)} systems, in sentences in which people ordered at least {fewest} "
        f"pair{'s' if fewest != 1 else ''} of outputs.",
        f"Of each metric, the {parameters.kept} sentences with most disagreement are listed.",
        *left_out_in_words(result.left_out),
    ]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """How far the chosen metric disagrees, over all sentences."""
    metric, name = metric_of(computed), computed.chosen["metric"]
    title = f"{naming.title}: disagreement of {title_of_metric(name)} with people"
    return disagreement_figure(metric.distribution, metric.whole.agreed, metric.whole.mean, title=title)


EXPLANATION = """
For each pair of outputs of a sentence that people ordered: 0 if the metric orders them as people do;
otherwise how clearly people prefer one (share of judgments for it less share against it) times (1 +
distance) / 2. Distance is the difference of the two by the metric, as the share of all its differences that
are no larger; 0 for a tie. The disagreement of a sentence is the mean over its pairs, from 0 to 1, which
only the clearest and largest errors reach. Pairs on which people are evenly split are left out. The human
score of an output is the mean of its ratings, or, of rankings, the share of its decided comparisons in the
sentence that it won. Equal values share a rank. Only sentences count in which people ordered outputs that
the metric scores; the interval is that of the mean over them.
"""

DISAGREEMENTS = register(
    Analysis(
        **OF_METRICS,
        name="disagreements",
        title="Disagreements with people",
        group=Group.METRICS,
        question="Which sentences do metrics and people order differently?",
        defined_in="metrics-against-people.md#where-metrics-and-people-disagree",
        help="Texts, ranks and scores, from the largest disagreement down.",
        parameters=DisagreementsParameters,
        result=Disagreements,
        compute=listed_disagreements,
        tables={"metrics": METRICS, "metric": sentences_table({})},
        figures={
            "metric": Figure(
                caption=lambda computed: (
                    f"Disagreement of {title_of_metric(computed.chosen['metric'])} with people, by sentence"
                ),
                draw=draw,
                has_content=lambda computed: bool(metric_of(computed).whole.sentences),
                by="metric",
                note="Hollow: no disagreement at all. Dashed: the mean.",
            )
        },
        choices={"metric": replace(METRIC, usual=usual_metric)},
        headline=headline,
        lead=lead,
        sections=[
            Section(title=f"The first {SHOWN} sentences as a table", tables=["metric"], is_folded=True),
            Section(title="All metrics", tables=["metrics"], is_folded=True),
        ],
        explanation=EXPLANATION,
        fields=("fewest_pairs", "with_source", "references", "excluded"),
        template="analysis/disagreements.html",
        route="metric-disagreements",
        label="Where they differ",
        place=10,
        methods=methods,
        resolve=resolved,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
