"""The ranking page of a campaign: systems, head to head, agreement of annotators."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.annotators.agreement import AGREEMENT, repeats_in_words
from analysis.analyses.annotators.agreement_result import Judging, coefficients
from analysis.analyses.base import UNWEIGHTED, WEIGHTED
from analysis.analyses.ranking_words import METHODS, UNITS
from analysis.analyses.systems.ranking import RANKING, REPLICATES, Ranking, RankingParameters
from analysis.analyses.systems.ranking_headline import not_counted
from analysis.analyses.systems.ranking_tables import MOST_IN_A_MATRIX
from analysis.pages.compare_systems import comparing
from analysis.pages.forest_plot import axis_of
from analysis.pages.tables import agreement_rows, clusters, head_to_head_rows
from analysis.results.analysis_pages import about, checked, coming, offered_by, refusal, shown_fields
from analysis.results.registered_pages import AnalysisPage, register_page
from analysis.results.shared_files import naming_of
from analysis.runs.durations import together
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request, request_beside
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.campaigns.follow_ups.one_sample import asks_about_newcomers
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.parameter_forms import ParametersForm, query_of
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed, named
from figures.systems.head_to_head import LEVEL, MARK
from figures.systems.ranking import even_score
from ranking import MEAN_UNITS, WEIGHTED_METHODS, Method, Unit

SCORES = {"raw": "no", "z": "yes"}

FIELDS_OF_RANKINGS = ("unit", "confidence", "domain", "controls", "excluded")
FIELDS_OF_SCORES = ("unit", "confidence", "z_scores", "tie_width", "domain", "controls", "excluded")

register_page(AnalysisPage(RANKING.name, route="ranking"))
register_page(AnalysisPage(AGREEMENT.name, route="ranking", anchor="#agreement"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requests of a ranking's address.

    Attributes:
        ranking: ranking of the systems.
        agreement: agreement of the annotators, on the same judgments.
    """

    ranking: Request
    agreement: Request

    @property
    def parameters(self) -> RankingParameters:
        """All parameters, resolved."""
        parameters: RankingParameters = self.ranking.parameters
        return parameters


@dataclass(frozen=True, slots=True)
class Uneven:
    """The notice about judgments that were not sampled as usual, with the queries of its links.

    Attributes:
        is_weighted: whether comparisons count by their inverse propensities.
        can_weight: whether the method can.
        other_weights: without weights if there are some, else with.
        expected_wins: by ExpectedWins, which can weigh.
        followed: the campaigns that this one follows.
        is_combined: whether their judgments are among those shown.
        other_judgments: without theirs if they are, else with; empty if they belong together.
    """

    is_weighted: bool
    can_weight: bool
    other_weights: str
    expected_wins: str
    followed: list[Campaign]
    is_combined: bool
    other_judgments: str


def _uneven(
    campaign: Campaign, asked: RankingParameters, resolved: RankingParameters, ranking: Ranking
) -> Uneven | None:
    if ranking.weights is None:
        return None
    can_weight = resolved.scored_by in WEIGHTED_METHODS
    is_weighted = ranking.weights == WEIGHTED
    return Uneven(
        is_weighted=is_weighted,
        can_weight=can_weight,
        other_weights=query_of(replace(asked, weights=UNWEIGHTED if is_weighted else WEIGHTED)),
        expected_wins=query_of(
            replace(asked, method=Method.EXPECTED_WINS, replicates=None, weights=WEIGHTED)
        ),
        followed=campaign.followed,
        is_combined=resolved.combined,
        other_judgments=""
        if asks_about_newcomers(campaign)
        else query_of(replace(asked, combined=not resolved.combined)),
    )


@researcher
@require_safe
def ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign, user = campaign_or_404(uuid), request.user
    form = _form(request, campaign)
    try:
        wanted = _wanted(form, campaign)
        version = JUDGMENTS.version(campaign)
        ranked = current(wanted.ranking, asked_by=user, version=version)
        judged = current(wanted.agreement, asked_by=user, version=version)
    except ParameterError as error:
        return refusal(request, form, error, {**about(campaign), "analysis": RANKING})
    form.show(wanted.parameters)
    query = query_of(wanted.parameters)
    compute_address = f"{reverse('compute-ranking', args=[uuid])}?{query}"
    parts = ((wanted.ranking, ranked), (wanted.agreement, judged))
    jobs, durations = zip(*(coming(*part, version, asked_by=user) for part in parts), strict=True)
    shared = {
        **about(campaign),
        "analysis": RANKING,
        "compute": compute_address,
        "job": next(filter(None, jobs), None),
        "duration": together(durations),
    }
    if ranked.result is None or judged.result is None:
        return render(request, "analysis/nothing_yet.html", {**shared, "what": "Ranking"})
    context = {
        **shared,
        "form": form,
        "query": query,
        "judged_query": query_of(wanted.agreement.parameters),
        "age": _age(ranked, judged),
        "uneven": _uneven(campaign, form.asked or wanted.parameters, wanted.parameters, ranked.result),
        **_choices(form.asked, wanted.parameters, is_scored=judged.result.is_scored),
        **_results(campaign, wanted.parameters, ranked.result, judged.result, user),
    }
    return render(request, "analysis/ranking.html", context)


def _age(ranked: Current, judged: Current) -> dict[str, object]:
    """How old the older of the two results is."""
    return {
        "newer": max(ranked.newer, judged.newer),
        "inputs_changed": ranked.inputs_changed or judged.inputs_changed,
        "is_of_older_rule": ranked.is_of_older_rule or judged.is_of_older_rule,
    }


def _choices(
    asked: RankingParameters | None, resolved: RankingParameters, *, is_scored: bool
) -> dict[str, object]:
    """The methods, each with its query and whether it is shown, and the queries of two ways to resample."""
    asked = asked or resolved

    def stated(method: Method, unit: Unit) -> str:
        too_many = asked.replicates is not None and asked.replicates > REPLICATES[method]
        replicates = None if too_many else asked.replicates
        unit = Unit.SENTENCE if method is Method.MEAN_SCORE and unit not in MEAN_UNITS else unit
        return query_of(replace(asked, method=method, unit=unit, replicates=replicates))

    shown = resolved.scored_by
    offered = [method for method in METHODS if is_scored or method is not Method.MEAN_SCORE]
    return {
        "offered": [(METHODS[method], stated(method, asked.unit), method is shown) for method in offered],
        "by_pair": "" if shown is Method.MEAN_SCORE else stated(shown, Unit.PAIR),
        "by_sentence": stated(shown, Unit.SENTENCE),
        "is_by_pair": resolved.unit is Unit.PAIR,
    }


def _results(
    campaign: Campaign, parameters: RankingParameters, ranking: Ranking, judging: Judging, user: User
) -> dict[str, object]:
    """The template's context for the two results."""
    naming = naming_of(campaign, parameters, may_see_names=user.may_see_names)
    roles, labels = naming.roles, naming.labels
    computed = Computed(parameters, ranking, judging)
    standings = ranking.standings
    even = even_score(standings.method)
    axis = axis_of(standings.systems, even)
    return {
        "labels": labels,
        "naming": naming,
        "parameters": parameters,
        "ranking": ranking,
        "judging": judging,
        "headline": RANKING.finding(computed, naming),
        "not_counted": not_counted(standings, roles, labels),
        "unit_meaning": parameters.unit_meaning,
        "tables": _tables(computed, naming),
        "comparing": comparing(campaign, parameters),
        "has_trueskill": standings.method is Method.TRUESKILL,
        "axis": axis,
        "even": None if even is None else axis.place(even),
        "clusters": clusters(standings, judging.head_to_head, roles, axis),
        "agreement": _agreement_in_words(Computed(parameters, judging), naming),
        "coefficients": coefficients(judging),
        "agreement_rows": list(agreement_rows(judging, naming)),
        "head_to_head_rows": list(head_to_head_rows(standings, judging.head_to_head)),
        "tests_pairs": judging.head_to_head.unit is Unit.PAIR,
        "mark": MARK,
        "level": LEVEL,
        "unit": UNITS[standings.unit],
        "confidence": f"{100 * parameters.confidence:g}",
        "most_in_a_matrix": MOST_IN_A_MATRIX,
    }


def _agreement_in_words(computed: Computed, naming: Naming) -> str:
    """How far annotators agree with each other and with themselves; no line breaks within a coefficient."""
    sentences = [AGREEMENT.finding(computed, naming), repeats_in_words(computed.result)]
    said = " ".join(f"{sentence}." for sentence in sentences if sentence)
    return said.replace("κ = ", "κ\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")


def _tables(computed: Computed, naming: Naming) -> dict[str, dict[str, object]]:
    """The declared tables that the page shows as they are, and what to note below them, by name."""
    return {
        name: {"page": table.page(), "note": named(table.table.note, shown, naming)}
        for analysis, shown in RANKING.with_beside(computed)
        for name, table in analysis.filled_tables(shown, naming).items()
        if name in ("methods", "changes", "annotators")
    }


@researcher
@require_POST
def compute_ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a new ranking of a large campaign, with the parameters of the address."""
    campaign, user = campaign_or_404(uuid), request.user
    form = _form(request, campaign)
    try:
        wanted = _wanted(form, campaign)
    except ParameterError as error:
        return refusal(request, form, error, {**about(campaign), "analysis": RANKING})
    for part in (wanted.ranking, wanted.agreement):
        compute_anew(part, asked_by=user)
    return redirect(f"{reverse('ranking', args=[uuid])}?{query_of(wanted.parameters)}")


def _form(request: AccountRequest, campaign: Campaign) -> ParametersForm[RankingParameters]:
    """The parameters of an address."""
    stated = request.GET.dict()
    if stated.get("scores") in SCORES:  # Used in addresses before the API and the page shared names.
        stated["z_scores"] = SCORES[stated.pop("scores")]
    fields = FIELDS_OF_SCORES if JUDGMENTS.has_scores(campaign) else FIELDS_OF_RANKINGS
    of_follow_up = ("weights", "combined") if campaign.follows else ()
    shown = shown_fields((*fields, *of_follow_up), RANKING, campaign)
    return ParametersForm(RankingParameters, stated, shown=shown, offered=offered_by(campaign, shown))


def _wanted(form: ParametersForm[RankingParameters], campaign: Campaign) -> Wanted:
    """The request of the form.

    Raises:
        ParameterError: a parameter is impossible.
    """
    ranking = checked(form, RANKING, campaign)
    return Wanted(ranking, request_beside(ranking))
