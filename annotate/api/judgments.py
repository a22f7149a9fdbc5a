"""Judgments and exports in the API."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    Field,
    FloatField,
    IntegerField,
    ListField,
    MultipleChoiceField,
    Serializer,
)

from annotate.api.base import ApiView, PageQuery, Query
from annotate.judgments.exporting import ExportError, export_judgments, file_name
from annotate.judgments.pseudonyms import annotator_known_as, naming
from annotate.judgments.records import judgment_records
from annotate.judgments.stream import Selection, selected_judgments
from annotate.models import Campaign, Judgment, JudgmentState
from annotate.models.campaigns import KINDS
from annotate.web.access import campaign_or_404
from annotate.web.downloads import giving_way
from annotate.web.filters import MAX_NUMBER
from formats import AnswerRecord, JudgmentRecord
from formats.machines import AnnotatorKind
from formats.snapshot.judgment_columns import API, IN_DETAILS, OF_JUDGMENTS, Column, Kind, Part, columns_of
from formats.snapshot.judgment_rows import answer_fields
from formats.writers import FORMATS


class SelectionQuery(Query):
    """Selects judgments, and how they are shown."""

    state = MultipleChoiceField(
        required=False,
        choices=JudgmentState.choices,
        help_text="Only judgments in this state; may be repeated.",
    )
    annotator = CharField(
        required=False, max_length=200, help_text="Only the annotator with this pseudonym or number."
    )
    sentence = IntegerField(
        required=False, min_value=0, max_value=MAX_NUMBER, help_text="Only the sentence at this position."
    )
    submitted_from = DateField(required=False, help_text="Answered on this day or later.")
    submitted_to = DateField(required=False, help_text="Answered on this day or earlier.")
    history = BooleanField(
        required=False, default=False, help_text="All revisions, not only current answers."
    )
    excluded = BooleanField(
        required=False, default=False, help_text="Include judgments of excluded annotators."
    )
    names = BooleanField(
        required=False, default=False, help_text="Annotators by name instead of by pseudonym, for admins."
    )


class JudgmentQuery(SelectionQuery, PageQuery):
    """Which judgments to list, and which page of them."""

    kind = ChoiceField(
        required=False,
        default=AnnotatorKind.PERSON.value,
        choices=KINDS,
        help_text="List judgments of people, or those of machines.",
    )


class ExportQuery(SelectionQuery):
    """Which judgments to export, and in which format."""

    machines = BooleanField(required=False, default=False, help_text="Include judgments of machines.")

    format = ChoiceField(choices=[(file_format.name, file_format.title) for file_format in FORMATS.values()])


_FIELDS: dict[Kind, Callable[..., Field]] = {
    Kind.TEXT: CharField,
    Kind.NUMBER: IntegerField,
    Kind.FLAG: BooleanField,
    Kind.TIME: DateTimeField,
    Kind.NAMES: lambda **given: ListField(child=CharField(), **given),
    Kind.TEXTS: lambda **given: ListField(child=CharField(), **given),
    Kind.DETAILS: DictField,
    Kind.PROPENSITIES: lambda **given: DictField(child=ListField(child=FloatField()), **given),
}


class PartSerializer(Serializer):
    """The columns of some parts of a judgment that the API has, and what a subclass declares."""

    parts: ClassVar[tuple[Part, ...]]

    def get_fields(self) -> dict[str, Field]:
        """The fields by name, columns first."""
        known = {**columns_of(*self.parts), **(IN_DETAILS if Part.ANSWER in self.parts else {})}
        columns = {name: column for name, column in known.items() if API in column.also_in}
        declared: dict[str, Field] = super().get_fields()
        return {**{name: _field(name, column) for name, column in columns.items()}, **declared}


def _field(name: str, column: Column) -> Field:
    return _FIELDS[column.kind](
        source=None if column.field == name else column.field,
        allow_null=column.nullable and column.empty is None,
        help_text=_sentence(column.meaning),
    )


def _sentence(meaning: str) -> str:
    return f"{meaning[0].upper()}{meaning[1:]}."


class RatingSerializer(PartSerializer):
    """The rating of one output."""

    parts = (Part.RATING,)
    output = CharField(help_text="Identifies the output; the list of items has its text.")


class AnswerSerializer(PartSerializer):
    """One revision of a judgment."""

    parts = (Part.ANSWER,)
    ratings = RatingSerializer(many=True, help_text="In the order shown.")

    def to_representation(self, answer: AnswerRecord) -> Any:
        """The answer with the values of its columns."""
        return super().to_representation({**answer_fields(answer), "ratings": answer.ratings})


class JudgmentSerializer(PartSerializer):
    """A judgment with its answers."""

    parts = OF_JUDGMENTS
    annotator_number = IntegerField(
        help_text="The number shown on pages: from 1 in each campaign, never changed."
    )
    state = ChoiceField(choices=JudgmentState.choices)
    answers = AnswerSerializer(many=True, help_text="The current revision is last.")


class JudgmentList(ApiView, ListAPIView):
    """The judgments of a campaign, in the order in which they arrived."""

    query = JudgmentQuery
    serializer_class = JudgmentSerializer
    ordering = "pk"

    def get_queryset(self) -> QuerySet[Judgment]:
        """The requested rows."""
        self.campaign = campaign_or_404(self.kwargs["uuid"])
        return selected_judgments(self.campaign, _selection(self.campaign, self.asked)).only("pk")

    def paginate_queryset(self, queryset: QuerySet[Judgment]) -> list[JudgmentRecord]:
        """A page of judgments with their answers and ratings."""
        named = naming(self.campaign, names=self.asked["names"], by=self.account)
        keys = [judgment.pk for judgment in super().paginate_queryset(queryset)]
        return list(judgment_records(self.campaign, keys, history=self.asked["history"], named=named))


class Export(ApiView):
    """The judgments of a campaign as a streamed file. The audit log records the export."""

    query = ExportQuery

    @extend_schema(
        responses={
            (200, file_format.content_type.partition(";")[0]): OpenApiTypes.BINARY
            for file_format in FORMATS.values()
        }
    )
    def get(self, request: Request, uuid: object) -> StreamingHttpResponse:
        campaign = campaign_or_404(self.kwargs["uuid"])
        file_format = FORMATS[self.asked["format"]]
        selection = _selection(campaign, self.asked)
        try:
            pieces = export_judgments(
                campaign=campaign,
                file_format=file_format,
                selection=selection,
                names=self.asked["names"],
                by=self.account,
            )
        except ExportError as error:
            raise ValidationError({"format": [str(error)]}) from error
        return StreamingHttpResponse(
            giving_way(pieces),
            content_type=file_format.content_type,
            headers={
                "Content-Disposition": f'attachment; filename="{file_name(campaign, file_format, selection)}"'
            },
        )


def _selection(campaign: Campaign, asked: dict[str, Any]) -> Selection:
    annotator = None
    if word := asked.get("annotator"):
        annotator = annotator_known_as(campaign, word)
        if annotator is None:
            raise ValidationError(
                {"annotator": ["No annotator in this campaign has this pseudonym or number."]}
            )
    return Selection(
        states=sorted(asked.get("state", ())),
        annotator=annotator,
        sentence=asked.get("sentence"),
        submitted_from=asked.get("submitted_from"),
        submitted_to=asked.get("submitted_to"),
        history=asked["history"],
        excluded=asked["excluded"],
        kinds=list(AnnotatorKind) if asked.get("machines") else [AnnotatorKind(asked.get("kind", "person"))],
    )
