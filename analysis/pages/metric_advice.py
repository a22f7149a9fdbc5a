"""The page *Which metric to report*: where metrics that were not tried under stress can be."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from analysis.analyses.metric_titles import UPLOADED, title_of_metric
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metric_advice_verdicts import untried
from analysis.analyses.metrics.stress import STRESS
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from analysis.runs.sources import source_of
from annotate.models import User
from core.results import Computed
from core.wording import listed


def under_stress(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """Where faults under stress are shown, and the computed metrics that nobody tried, or why not."""
    names = [name for name in untried(computed.result) if not name.endswith(UPLOADED)]
    address = reverse("corpus-analysis", args=[request.corpus.uuid, STRESS.name])
    if not names:
        return {"faults": address}
    return {
        "faults": address,
        "untried": _in_words(names, len(computed.result.lines)),
        "address": f"{address}?{urlencode({'metric': ','.join(names)})}",
        "why_untried": source_of(STRESS).why_not(request.corpus, STRESS),
    }


def _in_words(names: Sequence[str], metrics: int) -> str:
    if len(names) == metrics:
        return "No metric has been tried under stress."
    return f"Not tried under stress: {listed([title_of_metric(name) for name in names])}."


register_page(declared_page(METRIC_ADVICE, under_stress))
