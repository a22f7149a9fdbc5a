"""Data releases in the API: the same two steps as on the pages, check and write."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    JSONField,
    ListField,
    ModelSerializer,
    Serializer,
    SerializerMethodField,
    SlugRelatedField,
    UUIDField,
)
from rest_framework.status import HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from analysis.models import DataRelease
from analysis.releases.about import AboutError
from analysis.releases.checks import MOST_CAMPAIGNS, Confirmation
from analysis.releases.options import REVEALED_BY_DRAWS, Layout, options_of
from analysis.releases.stored.requests import ask, confirm, delete, releases_of
from analysis.releases.stored.views import release_or_404, zip_response
from annotate.api.base import ApiView, PageQuery
from annotate.api.jobs import JobSerializer, job_or_404
from annotate.api.json_bodies import BoundedJSONParser
from annotate.api.permissions import ForAdmins
from annotate.models.listed import campaigns
from annotate.web.access import campaign_or_404

REFUSED = OpenApiResponse(description="Something stands in the way.")


class AskedReleaseSerializer(Serializer):
    about = JSONField(
        help_text="What the authors state, by the keys of the file of the command `release`; the day as text."
    )
    layouts = ListField(
        child=ChoiceField([str(each) for each in Layout]),
        default=list,
        help_text="Programs in whose layout the data is written as well.",
    )
    further = ListField(
        child=UUIDField(),
        default=list,
        max_length=MOST_CAMPAIGNS,
        help_text="Other campaigns on the same corpus, which are released with it.",
    )
    with_secret = BooleanField(default=False, help_text=f"Release the secret. {REVEALED_BY_DRAWS}")


class ConfirmedReleaseSerializer(Serializer):
    confirmed = ListField(
        child=ChoiceField([str(each) for each in Confirmation]),
        help_text="What a person confirms of what `checks.to_confirm` names.",
    )


class DataReleaseSerializer(ModelSerializer):
    further = SlugRelatedField(
        slug_field="uuid", many=True, read_only=True, help_text="Other campaigns that are released with it."
    )
    job = UUIDField(source="job.uuid", allow_null=True, default=None, help_text="The newest job.")
    checks = DictField(
        allow_null=True,
        help_text="What the checks found: `refusals`, `to_confirm`, `warnings`, `contents`, and `found`: "
        "places that may hold personal data (`found_more` if there are others). Null until they are done.",
    )
    is_written = BooleanField(help_text="Whether the zip is there.")
    content = SerializerMethodField(
        help_text="Bytes, SHA-256, summary, rows by table and changes of a written release."
    )
    released_by = CharField(source="released_by.username", allow_null=True, default=None)

    class Meta:
        model = DataRelease
        fields = [
            *("uuid", "name", "version", "further", "about", "options", "checks", "confirmed", "is_written"),
            *("content", "job", "released_by", "created_at"),
        ]

    def get_content(self, release: DataRelease) -> dict[str, Any] | None:
        """What is in it, without the files by which the next version is compared."""
        told = ("bytes", "sha256", "summary", "rows", "changes")
        return release.content and {name: release.content[name] for name in told}


class DataReleaseList(ApiView, ListAPIView):
    """The data releases of a campaign, the newest first; asking for one."""

    permission_classes = [ForAdmins]
    query = PageQuery
    serializer_class = DataReleaseSerializer
    parser_classes = [BoundedJSONParser]
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[DataRelease]:
        """All of them."""
        return releases_of(campaign_or_404(self.kwargs["uuid"]))

    @extend_schema(request=AskedReleaseSerializer, responses={202: DataReleaseSerializer, 409: REFUSED})
    def post(self, request: Request, uuid: object) -> Response:
        """Ask for a data release. A job checks the campaign; nothing is written before you confirm."""
        campaign = campaign_or_404(self.kwargs["uuid"])
        sent = AskedReleaseSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        stated, options = sent.validated_data["about"], options_of(sent.validated_data)
        if not isinstance(stated, dict):
            raise ValidationError({"about": ["This has to be an object."]})
        further = list(campaigns().filter(uuid__in=sent.validated_data["further"]))
        if missing := {*sent.validated_data["further"]} - {each.uuid for each in further}:
            raise ValidationError({"further": [f"There is no campaign {min(missing)}."]})
        try:
            release = ask(campaign, stated, options, further=further, by=self.account)
        except AboutError as error:
            raise ValidationError({"about": [str(error)]}) from error
        return Response(DataReleaseSerializer(release).data, HTTP_202_ACCEPTED)


class DataReleaseDetail(ApiView, RetrieveAPIView):
    """A data release: what the checks found, and what is in it once it is written."""

    permission_classes = [ForAdmins]
    serializer_class = DataReleaseSerializer

    def get_object(self) -> DataRelease:
        """The release in the address."""
        return release_or_404(self.kwargs["uuid"], self.kwargs["release"])


class ConfirmDataRelease(ApiView):
    """Have a checked data release written."""

    permission_classes = [ForAdmins]
    serializer_class = JobSerializer
    parser_classes = [BoundedJSONParser]

    @extend_schema(request=ConfirmedReleaseSerializer, responses={202: JobSerializer, 409: REFUSED})
    def post(self, request: Request, uuid: UUID, release: UUID) -> Response:
        shown = release_or_404(uuid, release)
        sent = ConfirmedReleaseSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        confirmed = [Confirmation(each) for each in sent.validated_data["confirmed"]]
        job = confirm(shown, confirmed, by=self.account)
        return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)


class DeleteDataRelease(ApiView):
    """Delete a data release from the site."""

    permission_classes = [ForAdmins]
    serializer_class = DataReleaseSerializer

    @extend_schema(request=None, responses={204: None, 409: REFUSED})
    def post(self, request: Request, uuid: UUID, release: UUID) -> Response:
        delete(release_or_404(uuid, release), by=self.account)
        return Response(status=HTTP_204_NO_CONTENT)


class DataReleaseZip(ApiView):
    """The zip of a written data release."""

    permission_classes = [ForAdmins]
    serializer_class = DataReleaseSerializer

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID, release: UUID) -> HttpResponseBase:
        return zip_response(release_or_404(uuid, release, is_written=True))
