"""Pages of analyses of some metrics, which a parameter names: the first metric, and the choice of another."""

from dataclasses import replace

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.new_metric.analysis import NEW_METRIC
from analysis.analyses.metrics.new_metric.compared import NewMetric
from analysis.analyses.metrics.sensitivity.metric_causes import METRIC_CAUSES, MetricCauses
from analysis.pages.disagreements import metrics_of_interest
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from analysis.runs.sources import Subject
from annotate.models import Campaign, User
from annotate.scores.queries import score_sets
from annotate.web.parameter_forms import query_of
from core.results import Computed


def each_metric(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """The metrics, each with the query of its result."""
    result: MetricCauses | NewMetric = computed.result
    shown = [each.metric for each in result.new] if isinstance(result, NewMetric) else [result.causes.metric]
    options = [
        (title_of_metric(name), query_of(replace(request.parameters, of=name)), name in shown)
        for name in result.available
    ]
    return {"choices": [("Metric", options)]}


def first_metric(subject: Subject) -> dict[str, str]:
    """The metric of most interest that still has scores: a recommended one, or else that of the highest r."""
    if not isinstance(subject, Campaign):
        return {}
    names = metrics_of_interest(subject)
    there = set(score_sets(subject.corpus).values_list("name", flat=True)) if names else set()
    return next(({"of": name} for name in names if name in there), {})


register_page(replace(declared_page(METRIC_CAUSES, each_metric), first=first_metric))


def first_as_new(subject: Subject) -> dict[str, str]:
    """The metric that is taken as new where nobody uploaded any: that of most interest."""
    if isinstance(subject, Campaign) and score_sets(subject.corpus).filter(is_uploaded=True).exists():
        return {}
    return first_metric(subject)


register_page(replace(declared_page(NEW_METRIC, each_metric), first=first_as_new))
