"""The page of metrics without people: table, figures, people's verdict beside it, and files."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.maege import MAEGE, MaegeVerdict
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.reproduction.published_maege import TABLE_2, Row
from analysis.runs.queries import kept
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign, Corpus, User
from annotate.models.listed import campaigns
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of, title_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.parameters import ParameterError
from figures.maege import DrawnMetric, correlations_figure, people_figure, sensitivity_figure
from metrics.validation.maege import MetricVerdict, SeedEstimate, VerdictsCompared, compared_with_people

FIGURES = ("spearman", "pearson", "tau", "tau_b")
COLUMNS = (
    "metric",
    *(f"{name}{end}" for name in FIGURES for end in ("", "_sd", "_low", "_high", "_p", "_reason")),
    "paper_spearman",
    "paper_pearson",
    "paper_tau",
    "tied",
    "not_scored",
    "metric_signature",
    "signature",
)
TYPE_COLUMNS = ("type", "edits", "metric", "change", "low", "high", "scored", "reason", "signature")


@dataclass(frozen=True, slots=True)
class Shown:
    """A metric in the table.

    Attributes:
        title: as people call it.
        figures: estimates, each with what the paper prints; None where it prints nothing.
        verdict: all there is.
    """

    title: str
    figures: list[tuple[SeedEstimate, float | None]]
    verdict: MetricVerdict


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """People's verdict on the metrics, in one campaign.

    Attributes:
        campaign: in which systems of this corpus were judged.
        compared: MAEGE's Spearman and people's Pearson by metric, with their correlations.
        rows: the same by what people call metrics.
    """

    campaign: Campaign
    compared: VerdictsCompared
    rows: list[tuple[str, float, float]]


def context(request: Request, result: MaegeVerdict, user: User) -> dict[str, Any]:
    """Metrics, best first, what figures are asked for, and people's verdict where there is one."""
    beside = list(_beside_people(request.corpus, result))
    return {
        "headline": headline(result),
        "metrics": [_shown(name, verdict) for name, verdict in in_order(result)],
        "corpora": list(enumerate(zip(result.corpora.expected, result.corpora.drawn, strict=True))),
        "beside": beside,
        "people_drawn": any(each.rows for each in beside),
        "seeds": request.parameters.seeds,
        "query": query_of(request.parameters),
    }


register_page(AnalysisPage(MAEGE.name, "analysis/maege.html", context))


def in_order(result: MaegeVerdict) -> list[tuple[str, MetricVerdict]]:
    """Metrics with the highest Spearman first, those without one last."""
    return sorted(
        result.metrics.items(),
        key=lambda item: (item[1].spearman.value is None, -(item[1].spearman.value or 0.0)),
    )


def headline(result: MaegeVerdict) -> str:
    """The result in a sentence."""
    ordered = [(name, verdict) for name, verdict in in_order(result) if verdict.spearman.value is not None]
    if not ordered:
        return "No metric orders the corpora."
    name, best = ordered[0]
    against = [
        title_of_metric(each)
        for each, verdict in ordered
        if verdict.spearman.high is not None and verdict.spearman.high < 0
    ]
    text = f"{title_of_metric(name)} follows the order of corrections best (ρ {best.spearman.value:.2f})"
    if not against:
        return f"{text}."
    verb = "prefers" if len(against) == 1 else "prefer"
    return f"{text}; {_joined(against)} {verb} corpora with fewer corrections."


@researcher
@require_safe
def correlations_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by ρ, r and τ, with intervals and the paper's figures."""
    corpus = corpus_or_404(uuid)
    result: MaegeVerdict = result_or_404(request, MAEGE, corpus)
    chart = correlations_figure(_drawn(result), title=f"{corpus}: agreement with the order of corrections")
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def sensitivity_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Mean change of each metric by type of edit."""
    corpus = corpus_or_404(uuid)
    result: MaegeVerdict = result_or_404(request, MAEGE, corpus)
    title = f"{corpus}: change of score by type of edit, in thousandths"
    chart = sensitivity_figure(_drawn(result), result.types, title=title)
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def people_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by MAEGE and by people, a panel for each campaign of the corpus."""
    corpus = corpus_or_404(uuid)
    result: MaegeVerdict = result_or_404(request, MAEGE, corpus)
    judged = {title_of(each.campaign): each.rows for each in _beside_people(corpus, result) if each.rows}
    if not judged:
        raise Http404
    return image_of(people_figure(judged), request, image, signature=result.signature)


def _shown(name: str, verdict: MetricVerdict) -> Shown:
    row = _published(name)
    papers = (None, None, None) if row is None else (row.spearman, row.pearson, row.tau)
    estimates = (verdict.spearman, verdict.pearson, verdict.tau)
    return Shown(title_of_metric(name), list(zip(estimates, papers, strict=True)), verdict)


def _published(name: str) -> Row | None:
    return TABLE_2.get(name.partition(":")[0])


def _drawn(result: MaegeVerdict) -> list[DrawnMetric]:
    drawn = []
    for name, verdict in in_order(result):
        row = _published(name)
        published = None if row is None else (row.spearman, row.pearson, row.tau)
        drawn.append(
            DrawnMetric(
                title_of_metric(name),
                verdict.spearman,
                verdict.pearson,
                verdict.tau,
                published,
                verdict.changes,
            )
        )
    return drawn


def _beside_people(corpus: Corpus, result: MaegeVerdict) -> Iterator[BesidePeople]:
    """Campaigns of the corpus of which metrics against people are computed, with the usual parameters."""
    ours = {name: verdict.spearman.value for name, verdict in result.metrics.items()}
    for campaign in campaigns().filter(corpus=corpus).order_by("name"):
        try:
            judged = kept(request_of(METRICS_PEOPLE, campaign, MetricsPeopleParameters()))
        except ParameterError:
            continue
        if judged is None:
            continue
        theirs = {name: metric.pearson.value for name, metric in judged.metrics.items()}
        compared = compared_with_people(ours, theirs)
        rows = [(title_of_metric(name), *both) for name, both in compared.metrics.items()]
        yield BesidePeople(campaign, compared, rows)


def _rows(result: MaegeVerdict) -> Iterator[list[object]]:
    for name, verdict in in_order(result):
        row = _published(name)
        estimates: list[SeedEstimate] = [getattr(verdict, each) for each in FIGURES]
        yield [
            guarded(name),
            *(
                value
                for each in estimates
                for value in (each.value, each.sd, each.low, each.high, each.p_value, each.reason or "")
            ),
            *((None, None, None) if row is None else (row.spearman, row.pearson, row.tau)),
            verdict.tied,
            verdict.not_scored,
            verdict.signature,
            result.signature,
        ]


def _latex(result: MaegeVerdict) -> Iterator[str]:
    columns = ["Metric", "$\\rho$", "sd", "$r$", "sd", "$\\tau$", "sd", "$\\tau_b$"]
    return tabular(
        columns,
        (
            [
                escaped(title_of_metric(name)),
                *(
                    number(value, 3)
                    for each in (verdict.spearman, verdict.pearson, verdict.tau)
                    for value in (each.value, each.sd)
                ),
                number(verdict.tau_b.value, 3),
            ]
            for name, verdict in in_order(result)
        ),
        comments=[result.signature],
    )


def _type_rows(result: MaegeVerdict) -> Iterator[list[object]]:
    for kind, edits in result.types.items():
        for name, verdict in in_order(result):
            change = verdict.changes[kind]
            yield [
                guarded(kind),
                edits,
                guarded(name),
                change.value,
                change.low,
                change.high,
                change.edits,
                change.reason or "",
                result.signature,
            ]


def _latex_types(result: MaegeVerdict) -> Iterator[str]:
    ordered = in_order(result)
    return tabular(
        ["Type", "Edits", *(escaped(title_of_metric(name)) for name, _ in ordered)],
        (
            [
                escaped(kind),
                str(edits),
                *(number(verdict.changes[kind].value, 4) for _, verdict in ordered),
            ]
            for kind, edits in result.types.items()
        ),
        comments=[result.signature],
    )


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


table = table_view(MAEGE, ResultTable(COLUMNS, _rows, _latex), name="maege")
types_table = table_view(MAEGE, ResultTable(TYPE_COLUMNS, _type_rows, _latex_types), name="maege-types")
