"""Corpora and their sentences in the API."""

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.serializers import (
    CharField,
    IntegerField,
    JSONField,
    ListField,
    ModelSerializer,
    Serializer,
)

from annotate.api.base import ApiView, PageQuery
from annotate.corpora.sentences import ShownSentence, sentences, shown
from annotate.models import Corpus, Sentence, System, listed
from annotate.web.access import corpus_or_404
from annotate.web.filters import MAX_NUMBER


class CorpusSerializer(ModelSerializer):
    sentence_count = IntegerField()
    system_count = IntegerField()

    class Meta:
        model = Corpus
        fields = ["uuid", "name", "language", "created_at", "sentence_count", "system_count"]


class SystemSerializer(ModelSerializer):
    label = CharField(source="shown", help_text="What pages show people; the name where it has no other.")

    class Meta:
        model = System
        fields = ["name", "label", "role"]


class WholeCorpusSerializer(CorpusSerializer):
    systems = SystemSerializer(many=True)

    class Meta(CorpusSerializer.Meta):
        fields = [*CorpusSerializer.Meta.fields, "systems"]


class OutputSerializer(Serializer):
    output = CharField(source="digest", help_text="What ratings and exports call it.")
    text = CharField(allow_null=True)
    systems = ListField(child=CharField(), help_text="By name.")


class ReferenceSerializer(Serializer):
    annotator = CharField()
    text = CharField()
    edits = JSONField(allow_null=True)


class SentenceSerializer(Serializer):
    sentence = IntegerField(source="position", help_text="Position in the corpus, from 0.")
    document = CharField()
    domain = CharField()
    text = CharField(allow_null=True)
    outputs = OutputSerializer(many=True)
    references = ReferenceSerializer(many=True)


class SentenceQuery(PageQuery):
    sentence = IntegerField(required=False, min_value=0, max_value=MAX_NUMBER, help_text="Its position.")
    containing = CharField(
        required=False, max_length=200, help_text="Words of the sentence or of an output, in any case."
    )
    document = CharField(required=False, max_length=200, help_text="Its name.")
    distinct = IntegerField(
        required=False, min_value=0, max_value=500, help_text="Number of distinct outputs."
    )


class CorpusList(ApiView, ListAPIView):
    """The corpora with texts, by name."""

    query = PageQuery
    serializer_class = CorpusSerializer
    ordering = "name"

    def get_queryset(self) -> QuerySet[Corpus]:
        """All of them."""
        return listed.corpora()


class CorpusDetail(ApiView, RetrieveAPIView):
    """A corpus with its systems."""

    serializer_class = WholeCorpusSerializer

    def get_object(self) -> Corpus:
        """The one in the address."""
        return corpus_or_404(self.kwargs["uuid"])


class SentenceList(ApiView, ListAPIView):
    """The sentences of a corpus in order, with their distinct outputs, systems and references."""

    query = SentenceQuery
    serializer_class = SentenceSerializer
    ordering = "position"

    def get_queryset(self) -> QuerySet[Sentence]:
        """Those that are asked for."""
        asked = {name: value for name, value in self.asked.items() if name not in PageQuery().fields}
        return sentences(corpus_or_404(self.kwargs["uuid"]), **asked)

    def paginate_queryset(self, queryset: QuerySet[Sentence]) -> list[ShownSentence]:
        """A page of them, with what belongs to each."""
        return shown(super().paginate_queryset(queryset))
