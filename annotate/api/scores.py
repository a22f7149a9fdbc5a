"""Scores of a corpus in the API."""

from collections.abc import Mapping
from shutil import copyfileobj
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile, UploadedFile
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
    ModelSerializer,
    Serializer,
)
from rest_framework.status import HTTP_202_ACCEPTED

from annotate.api.base import ApiView, PageQuery, Query
from annotate.api.errors import ConflictError
from annotate.api.jobs import JobSerializer, job_or_404
from annotate.api.permissions import ForAdmins
from annotate.models import OutputScore, ScoreSet
from annotate.scores import queries
from annotate.scores.evaluation import check_metric, stated_name
from annotate.scores.queueing import STORED_AS, queue_deletion, queue_scoring, queue_storing
from annotate.scores.styles import metric_and_style, styles_of, with_style
from annotate.web.access import corpus_or_404
from annotate.web.uploads import is_too_large
from core.parameters import parameters_as_text
from formats import FormatError
from jobs.models import Job
from metrics import InputError, ParameterError, UnknownMetricError, metric_from_text

MOST_METRICS = 100
JOB = OpenApiResponse(JobSerializer, "The job that does it.")


class ScoreSetSerializer(ModelSerializer):
    metric = CharField(help_text="Empty if the scores were uploaded.")
    parameters = DictField(child=CharField(), help_text="All of them as text.")
    is_uploaded = BooleanField(help_text="Computed elsewhere.")
    owner = CharField(source="owner.username", allow_null=True, default=None)

    class Meta:
        model = ScoreSet
        fields = [
            "uuid",
            "name",
            "metric",
            "parameters",
            "signature",
            "references",
            "references_digest",
            "is_uploaded",
            "replicates",
            "seed",
            "owner",
            "created_at",
        ]


class SystemScoreSerializer(Serializer):
    system = CharField(source="system.name")
    value = FloatField(allow_null=True, help_text="`reason` says why there is none.")
    low = FloatField(allow_null=True, help_text="Lower end of its 95% interval.")
    high = FloatField(allow_null=True, help_text="Upper end of its 95% interval.")
    reason = CharField(allow_blank=True)
    details = DictField(child=FloatField(), help_text="Further figures, such as precision and recall.")
    scored = IntegerField(help_text="Sentences that the score is of.")
    not_scored = IntegerField(help_text="Number of outputs that the metric does not score.")
    missing = IntegerField(help_text="Number of sentences without an output of the system.")


class WholeScoreSetSerializer(ScoreSetSerializer):
    systems = SystemScoreSerializer(source="of_systems", many=True)

    class Meta(ScoreSetSerializer.Meta):
        fields = [*ScoreSetSerializer.Meta.fields, "systems"]


class OutputScoreSerializer(Serializer):
    sentence = IntegerField(source="position", help_text="Position in the corpus, from 0.")
    output = CharField(source="output.digest", help_text="The output's identifier in ratings and exports.")
    systems = ListField(child=CharField())
    score = FloatField(allow_null=True, help_text="`reason` says why there is none.")
    reason = CharField(allow_blank=True)


class MetricsQuery(Query):
    """The metrics to score with."""

    metric = ListField(
        child=CharField(max_length=500),
        min_length=1,
        max_length=MOST_METRICS,
        help_text="As on a command line, such as gleu or m2:beta=1; may be repeated. Ends with "
        ":references=minimal to compare with the references of this style only.",
    )


class ScoreSetList(ApiView, ListAPIView):
    """The scores of a corpus by metric, the oldest first."""

    query = PageQuery
    serializer_class = ScoreSetSerializer
    ordering = "pk"

    def get_queryset(self) -> QuerySet[ScoreSet]:
        """All complete sets of scores."""
        return queries.score_sets(corpus_or_404(self.kwargs["uuid"])).select_related("owner")


class ScoreSetDetail(ApiView, RetrieveAPIView):
    """The scores of all systems by one metric."""

    serializer_class = WholeScoreSetSerializer

    def get_object(self) -> ScoreSet:
        """The set in the address, with its systems by name."""
        score_set = queries.score_set_or_404(corpus_or_404(self.kwargs["uuid"]), self.kwargs["scores"])
        of_systems = score_set.system_scores.select_related("system").order_by("system__name")
        score_set.of_systems = list(of_systems)  # type: ignore[attr-defined]
        return score_set


class SentenceScoreList(ApiView, ListAPIView):
    """The scores of distinct outputs by one metric, in the order of the sentences."""

    query = PageQuery
    serializer_class = OutputScoreSerializer
    ordering = ("position", "pk")

    def get_queryset(self) -> QuerySet[OutputScore]:
        """All scores of the set."""
        score_set = queries.score_set_or_404(corpus_or_404(self.kwargs["uuid"]), self.kwargs["scores"])
        return queries.output_scores(score_set).select_related("output")

    def paginate_queryset(self, queryset: QuerySet[OutputScore]) -> list[OutputScore]:
        """A page of scores, with the systems of each."""
        scores: list[OutputScore] = super().paginate_queryset(queryset)
        systems = queries.systems_of(score.output_id for score in scores)
        for score in scores:
            score.systems = systems[score.output_id]  # type: ignore[attr-defined]
        return scores


class ComputeScores(ApiView):
    """Score a corpus by metrics; stored scores are not computed again."""

    query = MetricsQuery
    serializer_class = JobSerializer

    @extend_schema(
        request=None,
        responses={
            202: JOB,
            409: OpenApiResponse(description="The corpus lacks something that a metric needs."),
        },
    )
    def post(self, request: Request, uuid: object) -> Response:
        corpus = corpus_or_404(self.kwargs["uuid"])
        try:
            asked = [metric_and_style(text) for text in self.asked["metric"]]
            metrics = [(metric_from_text(text), style) for text, style in asked]
        except (ParameterError, UnknownMetricError) as error:
            raise ValidationError({"metric": [str(error)]}) from error
        try:
            for metric, _ in metrics:
                check_metric(metric, corpus)
        except InputError as error:
            raise ConflictError(str(error)) from error
        if unknown := {style for _, style in metrics if style} - set(styles_of(corpus)):
            raise ConflictError(f"There are no references of the style {min(unknown)!r}.")
        names = [
            with_style(stated_name(metric, parameters_as_text(metric.parameters)), style)
            for metric, style in metrics
        ]
        return _accepted(queue_scoring(corpus, names, by=self.account))


class CsvParser(BaseParser):
    """A table as the body of a request."""

    media_type = "text/csv"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> "UploadedFile[bytes]":
        """The body as a file on disk.

        Raises:
            ValidationError: there are more than may be uploaded at once.
        """
        if is_too_large((parser_context or {})["request"]):
            raise ValidationError({"body": [f"The body is larger than {settings.UPLOAD_MAX_MB} MB."]})
        file = TemporaryUploadedFile(STORED_AS, self.media_type, 0, None)
        copyfileobj(stream, file)
        return file


class UploadScores(ApiView):
    """Store scores that were computed elsewhere: CSV with the columns metric, system, sentence and score."""

    serializer_class = JobSerializer
    parser_classes = [CsvParser]

    @extend_schema(request={"text/csv": OpenApiTypes.STR}, responses={202: JOB})
    def post(self, request: Request, uuid: object) -> Response:
        corpus = corpus_or_404(self.kwargs["uuid"])
        with request.data or SimpleUploadedFile(STORED_AS, b"", "text/csv") as file:
            try:
                job = queue_storing(corpus, file, by=self.account)
            except FormatError as error:
                raise ValidationError({"body": [str(error)]}) from error
        return _accepted(job)


class DeleteScores(ApiView):
    """Delete the scores of one metric."""

    permission_classes = [ForAdmins]
    serializer_class = JobSerializer

    @extend_schema(request=None, responses={202: JOB})
    def post(self, request: Request, uuid: object, scores: object) -> Response:
        unwanted = queries.score_set_or_404(corpus_or_404(self.kwargs["uuid"]), self.kwargs["scores"])
        return _accepted(queue_deletion(unwanted, by=self.account))


def _accepted(job: Job) -> Response:
    return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)
