"""Adding systems and references to a corpus through the API."""

from typing import Any, cast

from django.conf import settings
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField
from rest_framework.status import HTTP_202_ACCEPTED

from annotate.api.base import ApiView, Query
from annotate.api.jobs import JobSerializer, job_or_404
from annotate.api.permissions import ForAdmins
from annotate.imports.forms import AdditionUpload
from annotate.imports.queueing import Purpose, queue_check, queue_import
from annotate.web.access import corpus_or_404
from annotate.web.uploads import is_too_large, keep_files

FILES = {
    "systems": "Outputs: a file for each system, named after it.",
    "references": "References as text: a file for each annotator, named after them.",
    "m2": "References as M2.",
    "jsonl": "JSON Lines, instead of all other files.",
    "answers": "A table of several people’s answers, instead of all other files.",
}
MANY = ("systems", "references", "m2")


class AdditionQuery(Query):
    """How files are added."""

    dry_run = BooleanField(default=False, help_text="Only check the files.")


def _field(name: str) -> dict[str, Any]:
    file = {"type": "string", "format": "binary"}
    described = {"description": FILES[name]}
    return {"type": "array", "items": file, **described} if name in MANY else {**file, **described}


class AddToCorpus(ApiView):
    """Add systems and references to a corpus. Campaigns do not change."""

    permission_classes = [ForAdmins]
    query = AdditionQuery
    serializer_class = JobSerializer
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={
            "multipart/form-data": {"type": "object", "properties": {name: _field(name) for name in FILES}}
        },
        responses={
            202: OpenApiResponse(
                JobSerializer, "The job that adds or checks them; it fails if a file is wrong."
            )
        },
    )
    def post(self, request: Request, uuid: object) -> Response:
        corpus = corpus_or_404(self.kwargs["uuid"])
        if is_too_large(request):
            raise ValidationError({"body": [f"The body is larger than {settings.UPLOAD_MAX_MB} MB."]})
        files = cast(MultiValueDict[str, Any], request.FILES)
        if unknown := sorted(files.keys() - FILES.keys()):
            raise ValidationError({name: ["There is no such file."] for name in unknown})
        form = AdditionUpload(QueryDict("absent=auto"), files)
        if not form.is_valid():
            raise ValidationError({name: list(faults) for name, faults in form.errors.items()})
        queue = queue_check if self.asked["dry_run"] else queue_import
        purpose = Purpose("addition", AdditionUpload, corpus)
        job = queue(purpose, form, keep_files(form.uploaded()), by=self.account)
        return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)
