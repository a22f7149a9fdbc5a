"""What a machine may do in the API: read its task, take items, answer them."""

from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    CharField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
    UUIDField,
)

from annotate.api.authentication import MachineAuthentication
from annotate.api.base import ApiView, Query
from annotate.api.json_bodies import BoundedJSONParser
from annotate.api.permissions import ForMachines
from annotate.api.throttling import MachineThrottle
from annotate.design.protocols import PROTOCOLS
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.machines.items import MOST_ITEMS, check_open, hand_out
from annotate.models import Annotator
from core.parameters import parameters_as_text
from formats import MAX_NOTE_CHARS
from formats.records import MAX_TEXT_CHARS
from formats.text.characters import text_fault

CLOSED = OpenApiResponse(description="The campaign is not launched yet, or an item was answered otherwise.")


class TaskSerializer(Serializer):
    """The task, as people read it before they begin."""

    protocol = CharField(help_text="How items are judged, which decides the fields of answers.")
    task = CharField()
    guidelines = CharField(help_text="Markdown; may be empty.")
    options = DictField(child=CharField(), help_text="What the campaign has chosen for its screens.")
    language = CharField(help_text="Of the sentences, as a BCP 47 tag.")


class BlindItemSerializer(Serializer):
    """An item without systems, scores and origins."""

    number = IntegerField(help_text="Names the item in its answer.")
    repetition = IntegerField()
    source = CharField()
    outputs = ListField(child=CharField(), help_text="In the order shown; fields of answers count it from 0.")
    previous = CharField(help_text="The sentence before it in the document; may be empty.")
    following = CharField(help_text="The sentence after it in the document; may be empty.")
    prepared = ListField(
        child=JSONField(allow_null=True),
        help_text="What the protocol has fixed about each output, such as its edits; null for nothing.",
    )


class ItemsQuery(Query):
    """How many items."""

    limit = IntegerField(
        required=False, default=20, min_value=1, max_value=MOST_ITEMS, help_text="Number of items at most."
    )


class AnswerFields(DictField):
    """The fields of an answer, of which the first one that is wrong is named."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """The fields with their values as texts."""
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        if len(data) > (most := settings.DATA_UPLOAD_MAX_NUMBER_FIELDS):
            raise ValidationError([f"An answer has at most {most:,} fields."])
        fields = {}
        for name, value in data.items():
            if fault := text_fault(name):
                raise ValidationError([f"The name of a field contains {fault}."])
            try:
                fields[name] = self.child.run_validation(value)
            except ValidationError as error:
                raise ValidationError({name: error.detail}) from error
        return fields


class MachineAnswerSerializer(Serializer):
    """An answer as the screen would send it."""

    item = IntegerField(min_value=0, max_value=2**31 - 1)
    key = UUIDField(help_text="Made for this answer; sent again under the same key, it is stored once.")
    answer = AnswerFields(
        child=CharField(allow_blank=True, max_length=MAX_TEXT_CHARS),
        allow_null=True,
        help_text="Fields of the screen, such as `rank-0`; null if there is no usable answer.",
    )
    note = CharField(required=False, allow_blank=True, default="", max_length=MAX_NOTE_CHARS)


class MachineAnswersSerializer(Serializer):
    """Answers, which are stored all or none."""

    answers = MachineAnswerSerializer(many=True, min_length=1, max_length=MOST_ITEMS)


class StoredSerializer(Serializer):
    """What was stored."""

    stored = IntegerField(help_text="Number of answers that were new.")


class MachineView(ApiView):
    """A view for machines, whose token names the campaign."""

    authentication_classes = [MachineAuthentication, *ApiView.authentication_classes]
    permission_classes = [ForMachines]
    throttle_classes = [MachineThrottle, *ApiView.throttle_classes]

    @property
    def machine(self) -> Annotator:
        """The machine that asks."""
        machine: Annotator = self.request.auth
        return machine


class MachineTask(MachineView):
    """What the machine is to do."""

    serializer_class = TaskSerializer

    def get(self, request: Request) -> Response:
        campaign = self.machine.campaign
        check_open(campaign)
        told = {
            "protocol": campaign.protocol,
            "task": PROTOCOLS[campaign.protocol].task,
            "guidelines": campaign.design.guidelines,
            "options": parameters_as_text(campaign.options),
            "language": campaign.corpus.language,
        }
        return Response(TaskSerializer(told).data)


class MachineItems(MachineView):
    """Take the next items. They are leased to the machine until it answers or the lease expires."""

    query = ItemsQuery
    serializer_class = BlindItemSerializer

    @extend_schema(request=None, responses={200: BlindItemSerializer(many=True), 409: CLOSED})
    def post(self, request: Request) -> Response:
        items = hand_out(self.machine, self.asked["limit"])
        return Response(BlindItemSerializer(items, many=True).data)


class MachineAnswers(MachineView):
    """Answer items, all of them or, if one answer cannot be stored, none."""

    serializer_class = MachineAnswersSerializer
    parser_classes = [BoundedJSONParser]

    @extend_schema(request=MachineAnswersSerializer, responses={200: StoredSerializer, 409: CLOSED})
    def post(self, request: Request) -> Response:
        sent = MachineAnswersSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        stored = store_answers(self.machine, list(map(_answer, sent.validated_data["answers"])))
        return Response(StoredSerializer({"stored": stored}).data)


def _answer(sent: dict[str, Any]) -> MachineAnswer:
    key: UUID = sent["key"]
    return MachineAnswer(item=sent["item"], key=key, fields=sent["answer"], note=sent["note"])
