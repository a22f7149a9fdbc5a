"""Pages of analyses of some metrics, which a parameter names: the first metric, and the choice of another."""

from dataclasses import replace

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE, MetricAdvice
from analysis.analyses.metrics.metric_causes import METRIC_CAUSES, MetricCauses
from analysis.analyses.metrics.new_metric.analysis import NEW_METRIC
from analysis.analyses.metrics.new_metric.compared import NewMetric
from analysis.pages.disagreements import usual_result
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


def recommended(subject: Subject) -> dict[str, str]:
    """The metric that *Which metric to report* recommends, if it recommends any that still has scores."""
    if not isinstance(subject, Campaign):
        return {}
    advice: MetricAdvice | None = usual_result(METRIC_ADVICE, subject)
    if advice is None or not advice.recommended:
        return {}
    there = set(score_sets(subject.corpus).values_list("name", flat=True))
    return next(({"of": name} for name in advice.recommended if name in there), {})


register_page(replace(declared_page(METRIC_CAUSES, each_metric), first=recommended))
register_page(declared_page(NEW_METRIC, each_metric))
