"""Corpora and their sentences in the API."""

from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    IntegerField,
    JSONField,
    ListField,
    ModelSerializer,
    Serializer,
    ValidationError,
)

from annotate.api.base import ApiView, PageQuery
from annotate.corpora.edit_filter import NO_SYSTEM, Outcome, edit_filter
from annotate.corpora.sentences import sentences, shown
from annotate.database.staging import pieces
from annotate.models import Corpus, Sentence, System, listed
from annotate.web.access import corpus_or_404
from annotate.web.filters import MAX_NUMBER
from metrics.edits.errant_types import TYPES

SENTENCES_PER_PIECE = 100


class CorpusSerializer(ModelSerializer):
    sentence_count = IntegerField()
    system_count = IntegerField()

    class Meta:
        model = Corpus
        fields = ["uuid", "name", "language", "tokenisation", "created_at", "sentence_count", "system_count"]


class SystemSerializer(ModelSerializer):
    label = CharField(source="shown", help_text="The label shown on pages; the name if there is no label.")

    class Meta:
        model = System
        fields = ["name", "label", "role", "family"]


class WholeCorpusSerializer(CorpusSerializer):
    systems = SystemSerializer(many=True)

    class Meta(CorpusSerializer.Meta):
        fields = [*CorpusSerializer.Meta.fields, "systems"]


class EditSerializer(Serializer):
    start = IntegerField(help_text="First token of the sentence that it replaces, from 0.")
    end = IntegerField(help_text="Token after the last; the start for an insertion.")
    type = CharField(help_text="By ERRANT, such as R:PREP.")
    correction = CharField(help_text="Text that replaces the span.")


class OutputSerializer(Serializer):
    output = CharField(source="digest", help_text="The identifier used in ratings and exports.")
    text = CharField(allow_null=True)
    systems = ListField(child=CharField(), help_text="By name.")
    labelled_edits = EditSerializer(
        many=True, allow_null=True, help_text="By ERRANT; null if they are not labelled."
    )


class ReferenceSerializer(Serializer):
    annotator = CharField()
    text = CharField()
    edits = JSONField(allow_null=True, help_text="As imported.")
    labelled_edits = EditSerializer(
        many=True, allow_null=True, help_text="By ERRANT; null if they are not labelled."
    )


class SentenceSerializer(Serializer):
    sentence = IntegerField(source="position", help_text="Position in the corpus, from 0.")
    document = CharField()
    domain = CharField()
    text = CharField(allow_null=True)
    outputs = OutputSerializer(many=True)
    references = ReferenceSerializer(many=True)


class SentenceQuery(PageQuery):
    sentence = IntegerField(
        required=False, min_value=0, max_value=MAX_NUMBER, help_text="Position of the sentence."
    )
    containing = CharField(
        required=False,
        max_length=200,
        help_text="Text that the sentence or an output contains, ignoring case.",
    )
    document = CharField(required=False, max_length=200, help_text="Name of the document.")
    distinct = IntegerField(
        required=False, min_value=0, max_value=500, help_text="Number of distinct outputs."
    )
    type = ChoiceField(
        required=False, choices=TYPES, help_text="Only sentences with an edit of this ERRANT type."
    )
    system = CharField(required=False, max_length=200, help_text="The system that makes or misses the edit.")
    outcome = ChoiceField(
        required=False,
        choices=Outcome.choices,
        help_text="Made by the system, hit (also made by a reference), wrong, or missed by the system.",
    )
    annotator = CharField(
        required=False,
        max_length=200,
        help_text="Annotator whose references to compare with, instead of all.",
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Require a system for missed edits."""
        if edit_filter(attrs).lacks_a_system:
            raise ValidationError({"system": [NO_SYSTEM]})
        return attrs


class CorpusList(ApiView, ListAPIView):
    """The corpora with texts, by name."""

    query = PageQuery
    serializer_class = CorpusSerializer
    ordering = "name"

    def get_queryset(self) -> QuerySet[Corpus]:
        """All corpora with texts."""
        return listed.corpora()


class CorpusDetail(ApiView, RetrieveAPIView):
    """A corpus with its systems."""

    serializer_class = WholeCorpusSerializer

    def get_object(self) -> Corpus:
        """The corpus in the address."""
        return corpus_or_404(self.kwargs["uuid"])


class SentenceList(ApiView, ListAPIView):
    """The sentences of a corpus in order, with their distinct outputs, systems and references."""

    query = SentenceQuery
    serializer_class = SentenceSerializer
    ordering = "position"

    def get_queryset(self) -> QuerySet[Sentence]:
        """The requested rows."""
        asked = {name: value for name, value in self.asked.items() if name not in PageQuery().fields}
        corpus = corpus_or_404(self.kwargs["uuid"])
        if (system := asked.get("system")) and not corpus.systems.filter(name=system).exists():
            raise ValidationError({"system": ["The corpus has no such system."]})
        return sentences(corpus, **asked)

    def list(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        """A page of sentences, with outputs, systems and references.

        It is written some sentences at a time: all parts of a thousand sentences would take 40 MB.
        """
        rows = self.paginate_queryset(self.get_queryset())
        renderer = JSONRenderer()
        written = (
            renderer.render(self.get_serializer(shown(some), many=True).data)[1:-1]
            for some in pieces(rows, SENTENCES_PER_PIECE)
        )
        begin = renderer.render(self.get_paginated_response([]).data).removesuffix(b"]}")
        return HttpResponse([begin, b",".join(written), b"]}"], content_type=renderer.media_type)
