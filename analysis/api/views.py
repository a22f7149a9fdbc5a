"""Analyses in the API: the same results as on the pages, computed by the same jobs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField
from rest_framework.status import HTTP_202_ACCEPTED

from analysis.analyses.base import AnyAnalysis, analyses
from analysis.analyses.systems.ranking import RankingParameters
from analysis.api.serializers import (
    AgreementSerializer,
    AnalysisSerializer,
    AnswersSerializer,
    CampaignAnalysisSerializer,
    RankingSerializer,
)
from analysis.runs.answering import stored_answers
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request as AnalysisRequest
from analysis.runs.requests import request_beside, request_of
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
from ranking import Agreement, PairKappa

QUEUED = OpenApiResponse(JobSerializer, "The job that computes it. Ask again when it is done.")
NOT_COMING = OpenApiResponse(description="The job that computes it has failed or was cancelled.")


class AnyAnalysisView(ApiView):
    """Any analysis of a campaign or corpus; for large ones, the last job's result.

    Attributes:
        of: `Campaign` or `Corpus`.
        again: the request that computes it again.
    """

    of: type[Subject]
    again = "POST"

    @property
    def analysis(self) -> AnyAnalysis:
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

    def wanted(self, subject: Subject) -> AnalysisRequest:
        """The request, if it is within the limits of pages and the API."""
        try:
            parameters = self.asked.get("parameters") or self.analysis.parameters()
            wanted = request_of(self.analysis, subject, parameters)
            if faults := self.analysis.too_much(wanted.parameters):
                raise ParameterError(faults=faults)
        except ParameterError as error:
            raise refused(error) from error
        return wanted

    def answer(
        self, subject: Subject, represented: Callable[[AnalysisRequest, Current], Mapping[str, object]]
    ) -> Response:
        """The result, or the job that computes it."""
        wanted = self.wanted(subject)
        try:
            shown = current(wanted, asked_by=self.account)
        except ParameterError as error:
            raise refused(error) from error
        if shown.result is None:
            return self.coming(shown.job or compute_anew(wanted, asked_by=self.account))
        return Response(represented(wanted, shown))

    def compute(self, subject: Subject) -> Response:
        """Queue a job that computes it."""
        return self.coming(compute_anew(self.wanted(subject), asked_by=self.account))

    def coming(self, job: Job) -> Response:
        """The job that computes it.

        Raises:
            ConflictError: it gave no result.
        """
        if job.is_finished:
            why = job.error or "It was cancelled."
            raise ConflictError(f"{job} gave no result. {why} To try again: {self.again}.")
        return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)


class AnalysisView(AnyAnalysisView):
    """Result for a campaign; for many judgments, that of the last job."""

    of = Campaign
    serializer_class = CampaignAnalysisSerializer

    @extend_schema(responses={200: CampaignAnalysisSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        return self.answer(
            campaign_or_404(uuid),
            lambda wanted, shown: {**_plain(wanted, shown), "newer_answers": shown.newer},
        )

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: UUID, analysis: object) -> Response:
        """Queue a job that computes it again if there are new answers."""
        return self.compute(campaign_or_404(uuid))


class CorpusAnalysisView(AnyAnalysisView):
    """Result for a corpus; if it takes long, that of the last job."""

    of = Corpus
    serializer_class = AnalysisSerializer

    @extend_schema(responses={200: AnalysisSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        return self.answer(corpus_or_404(uuid), _plain)

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: UUID, analysis: object) -> Response:
        """Queue a job that computes it again."""
        return self.compute(corpus_or_404(uuid))


class RankingView(AnyAnalysisView):
    """Ranking of a campaign's systems; for a large campaign, the last job's result."""

    of = Campaign
    again = "POST to ranking/"
    query = query_for(RankingParameters, "RankingQuery")
    serializer_class = RankingSerializer

    @extend_schema(responses={200: RankingSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        return self.answer(campaign_or_404(uuid), self._represented)

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: UUID, analysis: object) -> Response:
        """Queue a new ranking and agreement of a large campaign if there are new answers."""
        wanted = self.wanted(campaign_or_404(uuid))
        compute_anew(request_beside(wanted), asked_by=self.account)
        return self.coming(compute_anew(wanted, asked_by=self.account))

    def _represented(self, wanted: AnalysisRequest, shown: Current) -> Mapping[str, object]:
        about = {
            "ranking": shown.result,
            "newer_answers": shown.newer,
            "is_current": not shown.inputs_changed,
            "is_of_older_rule": shown.is_of_older_rule,
        }
        represented: Mapping[str, object] = self.get_serializer(about).data
        return represented


class AgreementQuery(Query):
    """How the annotators of a campaign are named."""

    names = BooleanField(
        required=False, default=False, help_text="Annotators by name instead of by pseudonym, for admins."
    )


class AgreementView(AnyAnalysisView):
    """Agreement of a campaign's annotators, as kappas over pairs of outputs."""

    of = Campaign
    again = "POST to ranking/"
    query = AgreementQuery
    serializer_class = AgreementSerializer

    @extend_schema(responses={200: AgreementSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: UUID, analysis: object) -> Response:
        campaign = campaign_or_404(uuid)
        naming(campaign, names=self.asked["names"], by=self.account)
        return self.answer(campaign, self._represented)

    def _represented(self, wanted: AnalysisRequest, shown: Current) -> Mapping[str, object]:
        annotators = annotators_by_pseudonym(wanted.campaign)
        agreement: Agreement = shown.result.agreement
        names = {key: judge.name if self.asked["names"] else key for key, judge in annotators.items()}
        if self.asked["names"]:
            agreement = _renamed(agreement, names)
        numbers = {names[key]: judge.number for key, judge in annotators.items()}
        about = {
            "agreement": agreement,
            "annotator_numbers": {judge: numbers[judge] for judge in agreement.judges if judge in numbers},
            "is_of_older_rule": shown.is_of_older_rule,
        }
        represented: Mapping[str, object] = self.get_serializer(about).data
        return represented


class AnswersView(ApiView):
    """Answers about a campaign from stored results, however old; nothing is computed."""

    serializer_class = AnswersSerializer

    def get(self, request: Request, uuid: UUID) -> Response:
        known = stored_answers(campaign_or_404(uuid), for_admins=self.account.is_admin)
        return Response({each.question.key: each.plain() for each in known.answered})


def _plain(wanted: AnalysisRequest, shown: Current) -> dict[str, object]:
    return {
        "signature": shown.result.signature,
        "parameters": to_plain_json(wanted.parameters),
        "result": to_plain_json(shown.result),
        "is_current": not shown.inputs_changed,
        "is_of_older_rule": shown.is_of_older_rule,
    }


def _renamed(agreement: Agreement, names: Mapping[str, str]) -> Agreement:
    """The agreement with names for pseudonyms, in the order of the names."""
    pairs = []
    for pair in agreement.pairs:
        first, second = sorted((names[pair.first], names[pair.second]))
        pairs.append(PairKappa(first, second, pair.kappa))
    return replace(
        agreement,
        judges=tuple(sorted(names[judge] for judge in agreement.judges)),
        rest={
            name: agreement.rest[known_as]
            for name, known_as in sorted((names[judge], judge) for judge in agreement.rest)
        },
        pairs=tuple(sorted(pairs, key=lambda pair: (pair.first, pair.second))),
    )
