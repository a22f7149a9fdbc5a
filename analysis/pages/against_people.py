"""Contents of the pages of metrics against people beside the result."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

from django.urls import reverse

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE, MetricAdviceParameters
from analysis.analyses.metrics.metric_advice_verdicts import MetricAdvice
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import MetricsAgainstPeople, unscored_pairs
from analysis.analyses.metrics.sensitivity.metric_rank_pairs import METRIC_RANK_PAIRS
from analysis.analyses.metrics.sensitivity.metric_sweep import METRIC_SWEEP
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page, routes_of
from analysis.results.shared_files import naming_of
from analysis.runs.queries import kept
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign, JudgmentState, OutputScore, User
from annotate.scores.queries import finished_sets
from annotate.web.parameter_forms import query_of
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed
from core.tables import PageTable
from core.wording import briefly
from metrics import in_usual_order

OF_ONE_SWEEP = ("of", "over", "low", "high", "step")
"""Parameters that make no sense for another metric or parameter."""


COMPARED = (JudgmentState.COMPLETE, JudgmentState.AUTO)
"""States of judgments that compare outputs, be it that all of an item are the same."""


def judged_without_reference(campaign: Campaign) -> list[int]:
    """The positions of the judged sentences that have no reference."""
    judged = campaign.judgments.filter(state__in=COMPARED).values("item__sentence")
    without = campaign.corpus.sentences.filter(pk__in=judged, references=None)
    return list(without.values_list("position", flat=True))


def not_scoring(campaign: Campaign, positions: Sequence[int]) -> list[str]:
    """The titles of the computed metrics that leave outputs of these sentences without a score, in order."""
    sets = [each for each in finished_sets(campaign.corpus) if not each.is_uploaded]
    unscored = OutputScore.objects.filter(score_set__in=sets, position__in=positions, score=None)
    there = set(unscored.values_list("score_set", flat=True).distinct())
    return [title_of_metric(name) for name in in_usual_order(each.name for each in sets if each.pk in there)]


def unscored(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """How many judged sentences have no reference, and which metrics do not score them.

    Nothing if all metrics score all pairs.
    """
    result = computed.result
    is_due = unscored_pairs(result) if isinstance(result, MetricsAgainstPeople) else result.not_scored
    positions = judged_without_reference(request.campaign) if is_due else []
    names = not_scoring(request.campaign, positions) if positions else []
    return {
        "without_reference": len(positions),
        "not_scoring": briefly(names, "does", "do") if names else "",
        "references": reverse("references", args=[request.corpus.uuid]),
    }


def swept(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """By title of the metric, the parameters that may vary; nothing if there is one at most.

    Of each its label, the query, whether it varies here, and whether that takes longer.
    """
    stated = dict(parse_qsl(query_of(request.parameters)))
    kept = {name: text for name, text in stated.items() if name not in OF_ONE_SWEEP}
    sweep = computed.result.sweep
    by_metric: dict[str, list[tuple[str, str, bool, bool]]] = {}
    for each in computed.result.available:
        by_metric.setdefault(title_of_metric(each.metric), []).append(
            (
                each.label,
                urlencode({**kept, "of": each.metric, "over": each.parameter}),
                (each.metric, each.parameter) == (sweep.metric, sweep.parameter),
                each.reduces_anew,
            )
        )
    return {"swept": by_metric if len(computed.result.available) > 1 else {}}


def beside_agreement(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """Pairs that are not scored, the verdicts of the checks of metrics, and a link to their page."""
    advice = reverse(routes_of(request.subject).page, args=[request.subject.uuid, METRIC_ADVICE.name])
    naming = naming_of(request.subject, request.parameters, may_see_names=user.may_see_names)
    checks = checks_of_metrics(request.campaign, naming)
    return {**unscored(request, computed, user), "advice": advice, "checks": checks}


def checks_of_metrics(campaign: Campaign, naming: Naming) -> PageTable | None:
    """The verdicts of the advice on metrics; None if it has not been computed, or compares no metrics."""
    try:
        request = request_of(METRIC_ADVICE, campaign, MetricAdviceParameters())
    except ParameterError:
        return None
    advice: MetricAdvice | None = kept(request)
    if advice is None or not advice.lines:
        return None
    shown = METRIC_ADVICE.shown(request.parameters, advice)
    return METRIC_ADVICE.filled_tables(shown, naming)["verdicts"].page()


register_page(declared_page(METRICS_PEOPLE, beside_agreement))
register_page(declared_page(METRIC_RANK_PAIRS, unscored))
register_page(declared_page(METRIC_SWEEP, swept))
