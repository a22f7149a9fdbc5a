"""Background jobs in the API."""

from django.db.models import F, JSONField, QuerySet, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, ListField, ModelSerializer, SerializerMethodField

from annotate.api.base import ApiView, PageQuery
from annotate.web.access import check_may_cancel
from jobs import queue
from jobs.models import Job


class JobSerializer(ModelSerializer):
    owner = CharField(source="owner.username", allow_null=True, default=None)
    seconds_left = SerializerMethodField(
        help_text="Estimate for the current step, from its speed so far; null if unknown."
    )
    summary = CharField(allow_null=True, help_text="The result in words; null until the job is done.")
    warnings = ListField(
        child=CharField(), help_text="What is probably wrong in the files of an import; the first hundred."
    )

    class Meta:
        model = Job
        fields = [
            "uuid",
            "kind",
            "title",
            "owner",
            "state",
            "cancel_requested",
            "step",
            "done",
            "total",
            "seconds_left",
            "summary",
            "warnings",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        ]

    def get_seconds_left(self, job: Job) -> float | None:
        """Estimated seconds left of the step."""
        left = job.time_left(timezone.now())
        return None if left is None else left.total_seconds()


def _jobs() -> QuerySet[Job]:
    # Parameters and results may be large, and may name annotators.
    without = Job.objects.defer("parameters", "result")
    return without.select_related("owner").annotate(
        summary=KT("result__summary"),
        warnings=Coalesce(F("result__warnings"), Value([], JSONField())),
    )


def job_or_404(uuid: object) -> Job:
    """A job, as it is told."""
    return get_object_or_404(_jobs(), uuid=uuid)


class JobList(ApiView, ListAPIView):
    """Background jobs, newest first."""

    query = PageQuery
    serializer_class = JobSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[Job]:
        """All jobs."""
        return _jobs()


class JobDetail(ApiView, RetrieveAPIView):
    """Progress or outcome of a job."""

    serializer_class = JobSerializer

    def get_object(self) -> Job:
        """The job in the address."""
        return job_or_404(self.kwargs["uuid"])


class Cancel(ApiView):
    """Cancel a job; its owner and admins may. A running job ends at its next heartbeat."""

    serializer_class = JobSerializer

    @extend_schema(
        request=None,
        responses={
            200: JobSerializer,
            409: OpenApiResponse(description="It has already ended, or cannot be cancelled midway."),
        },
    )
    def post(self, request: Request, uuid: object) -> Response:
        job = job_or_404(self.kwargs["uuid"])
        check_may_cancel(request.user, job)
        queue.cancel(job)
        return Response(self.get_serializer(job_or_404(job.uuid)).data)
