"""Analyses in the API: the same results as on the pages, computed by the same jobs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
    Serializer,
    SerializerMethodField,
)
from rest_framework.status import HTTP_202_ACCEPTED

from analysis.analyses.agreement import AGREEMENT, AgreementParameters, Judging, agreement_of
from analysis.analyses.base import Analysis, analyses
from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request as AnalysisRequest
from analysis.runs.requests import request_of
from analysis.runs.results import to_plain_json
from analysis.runs.sources import Subject, source_of
from annotate.api.base import ApiView, Query
from annotate.api.errors import ConflictError
from annotate.api.jobs import JobSerializer, job_or_404
from annotate.api.parameter_queries import query_for, refused
from annotate.judgments.pseudonyms import annotators_by_pseudonym, naming
from annotate.models import Campaign, Corpus
from annotate.web.access import campaign_or_404, corpus_or_404
from core.parameters import ParameterError
from jobs.models import Job
from ranking import Agreement, JudgePair

RankingQuery = query_for(RankingParameters, "RankingQuery")


class FiniteField(FloatField):
    """A number for JSON; infinite numbers, which judgments do not bound, become null."""

    def to_representation(self, value: float) -> float | None:
        """The form that the serializer expects."""
        return value if isfinite(value) else None


OLDER_RULE = "Whether it was computed by an older rule, which Assay no longer uses. POST computes it anew."


class StandingSerializer(Serializer):
    system = CharField()
    score = FiniteField(allow_null=True, help_text="`reason` says why there is none.")
    score_low = FloatField(allow_null=True, help_text="Lower bound of its bootstrap interval.")
    score_high = FloatField(allow_null=True, help_text="Upper bound of its bootstrap interval.")
    spread = FloatField(allow_null=True, help_text="Standard deviation of the score over the replicates.")
    rank_low = IntegerField(allow_null=True, help_text="The best rank in its range; 1 is best.")
    rank_high = IntegerField(allow_null=True, help_text="The worst rank it may have.")
    cluster = IntegerField(allow_null=True, help_text="1 is the best.")
    reason = CharField(allow_null=True)


class BorderSerializer(Serializer):
    below_cluster = IntegerField(source="below")
    stability = FloatField(help_text="Share of the replicates in which the border is clean.")


class RankingSerializer(Serializer):
    signature = CharField(source="ranking.signature", help_text="Equal signatures mean equal numbers.")
    systems = StandingSerializer(source="ranking.standings.systems", many=True, help_text="Best first.")
    borders = BorderSerializer(
        source="ranking.standings.borders", many=True, help_text="Borders between clusters, best first."
    )
    reason = CharField(
        source="ranking.standings.reason", allow_null=True, help_text="Why there are no ranges and clusters."
    )
    warning = CharField(source="ranking.warning", allow_null=True, help_text="A warning, if any.")
    remark = CharField(
        source="ranking.remark", allow_null=True, help_text="A remark on intervals that rest on few units."
    )
    newer_answers = IntegerField(help_text="Number of answers that arrived after this was computed.")
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class KappaSerializer(Serializer):
    value = FloatField(allow_null=True)
    n = IntegerField(help_text="Comparisons that it rests on.")
    observed = FloatField(allow_null=True, help_text="Share of comparisons that agree.")
    expected = FloatField(allow_null=True, help_text="Share that would agree by chance.")
    reason = CharField(allow_null=True, help_text="Why there is no value.")


class JudgePairSerializer(Serializer):
    first = CharField()
    second = CharField(help_text="True for a judge with themselves.")
    kappa = KappaSerializer()


class AgreementSerializer(Serializer):
    judges = ListField(child=CharField(), help_text="Pseudonyms, or names on request.")
    annotator_numbers = SerializerMethodField(help_text="The number shown on pages, by judge.")
    min_comparisons = IntegerField(
        help_text="Minimum number of comparisons for a kappa to count in `inter` and `intra`."
    )
    inter = KappaSerializer(help_text="Between judges: mean, weighted by comparisons.")
    intra = KappaSerializer(help_text="Of judges with themselves: the same mean.")
    inter_pooled = KappaSerializer(help_text="Between judges, from all comparisons together.")
    intra_pooled = KappaSerializer(help_text="Of judges with themselves, from all comparisons together.")
    rest = DictField(child=KappaSerializer(), help_text="By judge, with all others together.")
    pairs = JudgePairSerializer(many=True, help_text="Those that have a comparison.")
    is_of_older_rule = SerializerMethodField(help_text=OLDER_RULE.replace("POST", "POST to `ranking/`"))

    def get_annotator_numbers(self, agreement: Agreement) -> dict[str, int]:
        """Numbers of the annotators who are still in the campaign."""
        numbers: dict[str, int] = self.context["numbers"]
        return {judge: numbers[judge] for judge in agreement.judges if judge in numbers}

    def get_is_of_older_rule(self, agreement: Agreement) -> bool:
        """Whether the agreement and the comparisons of systems are those of an older rule."""
        return bool(self.context["is_of_older_rule"])


class AgreementQuery(Query):
    """Function that gives a judge's shown name."""

    names = BooleanField(
        required=False, default=False, help_text="Annotators by name instead of by pseudonym, for admins."
    )


QUEUED = OpenApiResponse(JobSerializer, "The job that computes it. Ask again when it is done.")
NOT_COMING = OpenApiResponse(description="The job that computes it has failed or was cancelled.")


class RankingView(ApiView):
    """Ranking of a campaign's systems; for a large campaign, the last job's result."""

    query = RankingQuery
    serializer_class = RankingSerializer

    @extend_schema(responses={200: RankingSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: object) -> Response:
        wanted = _wanted(RANKING, campaign_or_404(self.kwargs["uuid"]), self.asked["parameters"])
        shown = _current(wanted, request)
        if shown.result is None:
            return _coming(shown.job or compute_anew(wanted, asked_by=request.user))
        about = {
            "ranking": shown.result,
            "newer_answers": shown.newer,
            "is_of_older_rule": shown.is_of_older_rule,
        }
        return Response(self.get_serializer(about).data)

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: object) -> Response:
        """Queue a new ranking and agreement of a large campaign if there are new answers."""
        wanted = _wanted(RANKING, campaign_or_404(self.kwargs["uuid"]), self.asked["parameters"])
        parameters: RankingParameters = wanted.parameters
        of_judges = agreement_of(parameters)
        compute_anew(
            _wanted(AGREEMENT, campaign_or_404(self.kwargs["uuid"]), of_judges), asked_by=request.user
        )
        return _coming(compute_anew(wanted, asked_by=request.user))


class AgreementView(ApiView):
    """Agreement of a campaign's judges, as kappas over pairs of outputs."""

    query = AgreementQuery
    serializer_class = AgreementSerializer

    @extend_schema(responses={200: AgreementSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: object) -> Response:
        wanted = _wanted(AGREEMENT, campaign_or_404(self.kwargs["uuid"]), AgreementParameters())
        campaign = wanted.campaign
        names = self.asked["names"]
        naming(campaign, names=names, by=self.account)
        shown = _current(wanted, request)
        if shown.result is None:
            return _coming(shown.job or compute_anew(wanted, asked_by=request.user))
        judging: Judging = shown.result
        agreement = judging.agreement
        annotators = annotators_by_pseudonym(campaign)
        if names:
            agreement = _renamed(agreement, {key: judge.name for key, judge in annotators.items()})
        self.is_of_older_rule = shown.is_of_older_rule
        self.numbers = {judge.name if names else key: judge.number for key, judge in annotators.items()}
        return Response(self.get_serializer(agreement).data)

    def get_serializer_context(self) -> dict[str, object]:
        """The result with the numbers of the judges."""
        return {"numbers": self.numbers, "is_of_older_rule": self.is_of_older_rule}


class AnalysisSerializer(Serializer):
    signature = CharField(help_text="Equal signatures mean equal numbers.")
    parameters = DictField(help_text="All parameters used, including those that depend on the inputs.")
    result = DictField(help_text="The result; null for numbers that are not finite.")
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class CampaignAnalysisSerializer(AnalysisSerializer):
    newer_answers = IntegerField(help_text="Number of answers that arrived after this was computed.")


class CorpusAnalysisSerializer(AnalysisSerializer):
    is_current = BooleanField(help_text="Whether the corpus is unchanged since this was computed.")


class AnyAnalysisView(ApiView):
    """Any analysis of a campaign or corpus; for large ones, the last job's result.

    Attributes:
        of: `Campaign` or `Corpus`.
    """

    of: type[Subject]

    @property
    def analysis(self) -> Analysis[Any, Any]:
        """The analysis in the address.

        Raises:
            Http404: there is no such analysis, or it has other inputs.
            PermissionDenied: it is for admins only.
        """
        analysis = analyses().get(self.kwargs["analysis"])
        if analysis is None or source_of(analysis).subject is not self.of:
            raise Http404
        if analysis.is_for_admins and not self.account.is_admin:
            raise PermissionDenied("This analysis is for admins.")
        return analysis

    @property
    def query(self) -> type[Query]:  # type: ignore[override]
        """The parameters of the analysis; `analysis.api.openapi` describes them."""
        return query_for(self.analysis.parameters, "AnalysisQuery") if "analysis" in self.kwargs else Query

    def answer(
        self, subject: Subject, request: Request, about: Callable[[Current], dict[str, Any]]
    ) -> Response:
        """The result with notes about it, or the job that computes it."""
        wanted = _wanted(self.analysis, subject, self.asked["parameters"])
        shown = _current(wanted, request)
        if shown.result is None:
            return _coming(shown.job or compute_anew(wanted, asked_by=request.user), again="POST")
        return Response(
            {
                "signature": shown.result.signature,
                "parameters": to_plain_json(wanted.parameters),
                "result": to_plain_json(shown.result),
                "is_of_older_rule": shown.is_of_older_rule,
                **about(shown),
            }
        )

    def compute(self, subject: Subject, request: Request) -> Response:
        """Queue a job that computes it."""
        wanted = _wanted(self.analysis, subject, self.asked["parameters"])
        return _coming(compute_anew(wanted, asked_by=request.user))


class AnalysisView(AnyAnalysisView):
    """Result for a campaign; for many judgments, that of the last job."""

    of = Campaign
    serializer_class = CampaignAnalysisSerializer

    @extend_schema(responses={200: CampaignAnalysisSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        return self.answer(campaign_or_404(uuid), request, lambda shown: {"newer_answers": shown.newer})

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: UUID, analysis: object) -> Response:
        """Queue a job that computes it again if there are new answers."""
        return self.compute(campaign_or_404(uuid), request)


class CorpusAnalysisView(AnyAnalysisView):
    """Result for a corpus; if it takes long, that of the last job."""

    of = Corpus
    serializer_class = CorpusAnalysisSerializer

    @extend_schema(responses={200: CorpusAnalysisSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        return self.answer(corpus_or_404(uuid), request, lambda shown: {"is_current": not shown.newer})

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: UUID, analysis: object) -> Response:
        """Queue a job that computes it again."""
        return self.compute(corpus_or_404(uuid), request)


def _wanted(analysis: Analysis[Any, Any], subject: Subject, parameters: Any) -> AnalysisRequest:
    """The request, if it is within the limits of pages and the API."""
    try:
        wanted = request_of(analysis, subject, parameters)
        if faults := analysis.too_much(wanted.parameters):
            raise ParameterError(faults=faults)
    except ParameterError as error:
        raise refused(error) from error
    return wanted


def _current(wanted: AnalysisRequest, request: Request) -> Current:
    try:
        return current(wanted, asked_by=request.user)
    except ParameterError as error:
        raise refused(error) from error


def _coming(job: Job, *, again: str = "POST to ranking/") -> Response:
    if job.is_finished:
        why = job.error or "It was cancelled."
        raise ConflictError(f"{job} gave no result. {why} To try again: {again}.")
    return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)


def _renamed(agreement: Agreement, names: Mapping[str, str]) -> Agreement:
    """The same with names for pseudonyms, in the order of the names."""
    pairs = []
    for pair in agreement.pairs:
        first, second = sorted((names[pair.first], names[pair.second]))
        pairs.append(JudgePair(first, second, pair.kappa))
    return replace(
        agreement,
        judges=tuple(sorted(names[judge] for judge in agreement.judges)),
        rest={
            name: agreement.rest[known_as]
            for name, known_as in sorted((names[judge], judge) for judge in agreement.rest)
        },
        pairs=tuple(sorted(pairs, key=lambda pair: (pair.first, pair.second))),
    )
