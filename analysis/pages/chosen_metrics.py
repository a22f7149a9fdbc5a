"""Pages of analyses of some metrics, which a parameter names: the choice of another metric."""

from dataclasses import replace

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.metric_causes import METRIC_CAUSES, MetricCauses
from analysis.analyses.metrics.new_metric import NEW_METRIC, NewMetric
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.models import User
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


register_page(declared_page(METRIC_CAUSES, each_metric))
register_page(declared_page(NEW_METRIC, each_metric))
