"""Metrics by domain: whether the same metrics agree with people in every domain."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from statistics import fmean

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import check_all_domains
from analysis.analyses.leading import clearly_leading
from analysis.analyses.metric_titles import MetricName, missing_table, title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    CORRELATIONS,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    SystemsAgainstPeople,
    human_scores_of_systems,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_systems,
    true_intervals_in_words,
)
from analysis.analyses.metrics.scored_judgments import NO_JUDGED_DOMAIN, ScoredJudgments
from analysis.analyses.resampling import small_intervals
from analysis.analyses.systems.ranking import THREADS
from core.columns import Column, Count, Estimated, Text
from core.names import Naming
from core.progress import Progress
from core.results import Choice, Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, counted, most_often
from figures.drawing import Chart
from figures.panels import panels_figure
from metrics import InputError
from metrics.meta_evaluation import Estimate, HumanScore, system_scores
from metrics.meta_evaluation.system_level import estimates
from ranking import Coefficient

MOST_DOMAINS = 24
"""Domains that are compared, those with the most judged sentences: each is a panel and a column."""

ACCURACY = "accuracy"
MEASURES = {**CORRELATIONS, ACCURACY: "Accuracy"}
"""What can be shown of each domain, by name in addresses."""


@dataclass(frozen=True, slots=True)
class MetricInDomain:
    """One metric against people on the sentences of a domain, by systems.

    Attributes:
        pearson: Pearson's r of the scores of systems.
        spearman: Spearman's rho.
        kendall: Kendall's tau-b.
        accuracy: share of the pairs of systems that it orders as people do.
    """

    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class DomainOfMetrics:
    """All metrics against people on the sentences of a domain.

    Attributes:
        domain: its name.
        judged_sentences: how many of its sentences were judged.
        compared_sentences: how many metrics score.
        systems: how many were both judged and scored.
        metrics: by name; empty if nothing can be compared.
        reason: why nothing can, in words; None if something can.
    """

    domain: str
    judged_sentences: int
    compared_sentences: int
    systems: int
    metrics: Mapping[str, MetricInDomain]
    reason: str | None


@dataclass(frozen=True, slots=True)
class MetricsByDomain:
    """All metrics against people in each domain.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        domains: in alphabetical order.
        left_out: systems that were judged and not scored, or scored and not judged.
        more_domains: number of domains beyond `MOST_DOMAINS`.
    """

    signature: str
    human: HumanScore
    domains: tuple[DomainOfMetrics, ...]
    left_out: tuple[str, ...]
    more_domains: int


def metrics_by_domain(
    inputs: ScoredJudgments, parameters: SystemsAgainstPeople, progress: Progress
) -> MetricsByDomain:
    """Compare metrics with people on the sentences of each domain (GMEG, section 6 and Table 8).

    Metrics score systems as on a corpus of just these sentences.

    Raises:
        SnapshotError: the judgments lack something.
    """
    progress.begin("Reading the scores")
    held = inputs.held()
    named = np.array(inputs.domains or ("",) * inputs.sentences)
    judged = Counter(named[inputs.judgments.snapshot["sentence"].unique()].tolist())
    judged.pop("", None)
    compared = sorted(domain for domain, _ in judged.most_common(MOST_DOMAINS))
    progress.begin("Resampling", total=len(compared) * parameters.replicates)
    return MetricsByDomain(
        signature=inputs.signature(stated("metrics-by-domain", parameters)),
        human=parameters.human or HumanScore.EXPECTED_WINS,
        domains=tuple(
            _of_domain(domain, judged[domain], held.in_domain(domain), parameters, progress)
            for domain in compared
        ),
        left_out=inputs.unmatched,
        more_domains=len(judged) - len(compared),
    )


def _of_domain(
    domain: str,
    judged: int,
    inputs: ScoredJudgments,
    parameters: SystemsAgainstPeople,
    progress: Progress,
) -> DomainOfMetrics:
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0, only_judged=not parameters.whole_set)
        scores = system_scores(
            data,
            parameters.human or HumanScore.EXPECTED_WINS,
            whole_set=parameters.whole_set,
            replicates=parameters.replicates,
            seed=parameters.seed,
            threads=THREADS,
            progress=progress.advance,
        )
    except InputError as error:
        return DomainOfMetrics(domain, judged, 0, 0, {}, str(error))
    agreed = {}
    for place, metric in enumerate(data.metrics):
        of, accuracy = estimates(data.systems, scores, place, parameters.confidence, parameters.seed)
        agreed[metric.name] = MetricInDomain(
            of[Coefficient.PEARSON], of[Coefficient.SPEARMAN], of[Coefficient.KENDALL], accuracy
        )
    return DomainOfMetrics(domain, judged, len(scores.sentences), len(data.systems), agreed, None)


MEASURE = Choice("Figure", lambda computed: MEASURES)


def _shown(computed: Computed, domain: DomainOfMetrics, metric: str) -> Estimate | None:
    """The chosen figure of a metric in a domain; None where nothing can be compared."""
    there = domain.metrics.get(metric)
    return None if there is None else attrgetter(computed.chosen["figure"])(there)


def _metrics(computed: Computed) -> list[str]:
    """The metrics by the mean of the chosen figure over the domains, best first; those without come last."""
    names = dict.fromkeys(name for domain in computed.result.domains for name in domain.metrics)
    means = {}
    for name in names:
        shown = (_shown(computed, domain, name) for domain in computed.result.domains)
        values = [each.value for each in shown if each is not None and each.value is not None]
        means[name] = fmean(values) if values else float("-inf")
    return sorted(names, key=lambda name: (-means[name], name))


def _columns(computed: Computed) -> Sequence[Column]:
    return (
        MetricName("", "Metric", str),
        *(
            Estimated(
                "",
                domain.domain,
                partial(_shown, computed, domain),
                heading=f"{domain.domain} ({counted(domain.compared_sentences, 'sentence')})",
                is_shaded=True,
            )
            for domain in computed.result.domains
        ),
    )


def _in_files(computed: Computed) -> Iterator[tuple[str, str, MetricInDomain]]:
    for domain in computed.result.domains:
        for name, metric in domain.metrics.items():
            yield domain.domain, name, metric


def _of_row(measure: str, row: tuple[str, str, MetricInDomain]) -> Estimate:
    estimate: Estimate = getattr(row[2], measure)
    return estimate


METRICS = Table(
    rows=_metrics,
    columns=_columns,
    caption=lambda computed: f"{MEASURES[computed.chosen['figure']]} of each metric with people, by domain",
    long=Table(
        rows=_in_files,
        columns=(
            Text("domain", value=itemgetter(0)),
            MetricName("metric", value=itemgetter(1)),
            *(Estimated(name, value=partial(_of_row, name)) for name in MEASURES),
            Text("reason", value=lambda row: row[2].pearson.reason),
        ),
        caption="",
    ),
    comment=lambda computed: f"{computed.chosen['figure']}, by domain",
    note=lambda computed, naming: small_intervals(
        computed,
        "of the agreement that these systems would show on all sentences like those of the domain. Where "
        "errors are more than half of the differences between the systems, there is none. A metric clearly "
        "agrees most in a domain if its interval lies above those of all others there; this is not corrected "
        "for the number of domains.",
    ),
)

DOMAINS = Table(
    rows=lambda computed: computed.result.domains,
    columns=(
        Text("domain", "Domain"),
        Count("judged_sentences", "Judged sentences"),
        Count("compared_sentences", "Scored by metrics"),
        Count("systems", "Systems"),
    ),
    caption="What is compared in each domain",
)


def _missing(computed: Computed) -> list[tuple[str, str]]:
    """Metrics without a value or interval in a domain, with the reason."""
    result: MetricsByDomain = computed.result
    return [
        *(("all metrics", f"in {each.domain}, {each.reason}") for each in result.domains if each.reason),
        *(
            (name, f"in {domain.domain}, {estimate.reason}")
            for domain in result.domains
            for name in domain.metrics
            if (estimate := _shown(computed, domain, name)) is not None
            and estimate.reason
            and computed.parameters.replicates
        ),
    ]


def _known(computed: Computed) -> dict[str, dict[str, Estimate]]:
    """The chosen figure of each metric that has a value, by domain; domains without any are left out."""
    shown = {
        domain.domain: {name: _shown(computed, domain, name) for name in domain.metrics}
        for domain in computed.result.domains
    }
    known = {
        domain: {name: each for name, each in metrics.items() if each is not None and each.value is not None}
        for domain, metrics in shown.items()
    }
    return {domain: metrics for domain, metrics in known.items() if metrics}


def headline(computed: Computed, naming: Naming) -> str:
    """Which metric agrees most with people, and where, as far as intervals tell."""
    known = _known(computed)
    if not known:
        return "No metric can be compared with people in any domain"
    several = {domain: metrics for domain, metrics in known.items() if len(metrics) > 1}
    if not several:
        return "No domain has two metrics that can be compared with people"
    best = {
        domain: tuple(map(title_of_metric, clearly_leading(metrics))) for domain, metrics in several.items()
    }
    claim = "clearly agrees most with people", "clearly agree most with people"
    clear = {domain: names for domain, names in best.items() if names}
    if not clear and len(best) == 1:
        return f"In {next(iter(best))}, no metric clearly agrees more with people than the others"
    if not clear:
        return "In no domain does one metric clearly agree more with people than the others"
    if len(clear) < len(best):
        named = [f"{briefly(names, *claim)} in {domain}" for domain, names in clear.items()]
        return f"{briefly(named)}; elsewhere, none is clearly ahead"
    alone = "{claim} in {domain}, the only domain that can be compared"
    return most_often(best, claim, one="metric", alone=alone)


def lead(computed: Computed, naming: Naming) -> str:
    """Which systems and sentences are compared."""
    result: MetricsByDomain = computed.result
    systems = max((domain.systems for domain in result.domains), default=0)
    said = (
        f"{counted(len(_metrics(computed)), 'metric')} against {human_scores_of_systems(result.human)} of "
        f"{counted(systems, 'system')} in {counted(len(result.domains), 'domain')}."
    )
    if result.more_domains:
        said += f" Left out: {counted(result.more_domains, 'domain')} with fewer judged sentences."
    return said + left_out_on_pages(computed, naming)


def methods(parameters: SystemsAgainstPeople, result: MetricsByDomain) -> list[str]:
    """The comparison in sentences for a paper."""
    sentences = sum(each.compared_sentences for each in result.domains)
    return [
        f"Metrics are compared with {human_scores_of_systems(result.human)} from people in each of "
        f"{len(result.domains)} domains, over {sentences:,} sentences in all. They score systems on the "
        "sentences of a domain alone.",
        *true_intervals_in_words(parameters),
        *left_out_in_words(result.left_out),
    ]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """A panel for each domain."""
    name = MEASURES[computed.chosen["figure"]]
    order = _metrics(computed)
    panels = {
        domain.domain: [
            (title_of_metric(metric), each.value, each.low, each.high)
            for metric in order
            if (each := _shown(computed, domain, metric)) is not None and each.value is not None
        ]
        for domain in computed.result.domains
    }
    return panels_figure(
        {domain: rows for domain, rows in panels.items() if rows},
        list(map(title_of_metric, order)),
        title=f"{naming.title}: agreement with {human_scores_of_systems(computed.result.human)} by domain",
        axis=name,
        layout=layout,
    )


def resolved(parameters: SystemsAgainstPeople, scored: bool) -> SystemsAgainstPeople:
    """The parameters of a comparison of all domains.

    Raises:
        ParameterError: as `resolved_of_systems`, or a single domain is asked for.
    """
    check_all_domains(parameters)
    return resolved_of_systems(parameters, scored)


METRICS_BY_DOMAIN = register(
    Analysis(
        **OF_METRICS,
        name="metrics-by-domain",
        title="Metrics by domain",
        group=Group.METRICS,
        question="Do the same metrics agree with people in every domain?",
        defined_in="metrics-against-people.md#by-domain",
        help="Correlations and accuracy on the sentences of each domain.",
        parameters=SystemsAgainstPeople,
        result=MetricsByDomain,
        compute=metrics_by_domain,
        tables={
            "metrics": METRICS,
            "missing": missing_table(_missing),
            "domains": DOMAINS,
        },
        figures={
            "metrics": Figure(
                caption=lambda computed: (
                    f"{MEASURES[computed.chosen['figure']]} of each metric with people in each domain"
                ),
                draw=draw,
                has_content=lambda computed: bool(_known(computed)),
                of_table="metrics",
            )
        },
        choices={"figure": MEASURE},
        headline=headline,
        lead=lead,
        sections=(Section(title="What is compared in each domain", tables=("domains",), is_folded=True),),
        explanation="Each domain is compared as on *Metrics against people*, by its own judgments alone. "
        "Metrics score systems as on a corpus of just its sentences, from the statistics of outputs; scores "
        "of systems that were uploaded are of the whole corpus, so these metrics have no value here. Metrics "
        "are in the order of their mean over the domains.",
        nothing=NO_JUDGED_DOMAIN,
        needs_domains=True,
        fields=("human", "whole_set", *(name for name in CHOOSING if name != "domain")),
        tab="Sensitivity",
        label="By domain",
        place=25,
        methods=methods,
        resolve=resolved,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
