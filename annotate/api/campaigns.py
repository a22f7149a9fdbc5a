"""Campaigns, their items and annotators in the API."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    DictField,
    IntegerField,
    ListField,
    ModelSerializer,
    Serializer,
    SerializerMethodField,
    SlugRelatedField,
)

from annotate.api.base import ApiView, PageQuery
from annotate.api.permissions import ForAdmins
from annotate.campaigns import lifecycle, progress
from annotate.campaigns.watching import watch_again
from annotate.corpora.sentences import ShownOutput
from annotate.judging.handout import stop_waiting
from annotate.judgments import queries as judgments_queries
from annotate.judgments.pseudonyms import naming
from annotate.models import Annotator, Campaign, Corpus, Design, Item, Watch
from annotate.models import listed as models_listed
from annotate.models.campaigns import KINDS
from annotate.web.access import campaign_or_404, run_here_or_404
from formats.machines import AnnotatorKind


class CorpusOfCampaignSerializer(ModelSerializer):
    class Meta:
        model = Corpus
        fields = ["uuid", "name", "language", "has_texts"]


class CampaignSerializer(ModelSerializer):
    corpus = CorpusOfCampaignSerializer()
    judgment_count = IntegerField()

    class Meta:
        model = Campaign
        fields = [
            "uuid",
            "name",
            "state",
            "protocol",
            "corpus",
            "synthetic",
            "created_at",
            "judgment_count",
        ]


class DesignSerializer(ModelSerializer):
    listed_sentences = ListField(child=IntegerField(), help_text="Positions, counted from 0.")
    text_rules = CharField(
        read_only=True,
        help_text="Rules of the natural text that annotators see, set at launch; empty for stored text.",
    )

    class Meta:
        model = Design
        exclude = ["id", "campaign"]


class WatchSerializer(ModelSerializer):
    class Meta:
        model = Watch
        exclude = ["id", "campaign"]


class WholeCampaignSerializer(CampaignSerializer):
    systems = SlugRelatedField("name", many=True, read_only=True)
    design = DesignSerializer(allow_null=True, read_only=True, help_text="Null for imported judgments.")
    watch = WatchSerializer(
        allow_null=True,
        read_only=True,
        help_text="The next look at a campaign that stops by itself, and the last one's result. Null for "
        "other campaigns and for drafts.",
    )
    follows = SlugRelatedField(
        "uuid",
        read_only=True,
        allow_null=True,
        help_text="The campaign that a follow-up follows. Null for other campaigns.",
    )

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "systems", "design", "watch", "follows"]


class SlotCountsSerializer(Serializer):
    filled = IntegerField(help_text="Answered.")
    leased = IntegerField(help_text="Being judged by an annotator right now.")
    free = IntegerField(help_text="Waiting for an annotator.")
    reserved = IntegerField(help_text="Planned repeats that wait for the annotator who answered first.")
    lapsed = IntegerField(help_text="Planned repeats that are no longer waited for; not in the total.")
    held = IntegerField(help_text="Waiting for an admin's decision.")
    dropped = IntegerField(help_text="No longer wanted.")
    total = IntegerField(help_text="All judgments that are wanted.")
    percent = IntegerField(help_text="Share answered, rounded down.")


class NamesQuery(PageQuery):
    names = BooleanField(
        required=False, default=False, help_text="Annotators by name instead of by pseudonym, for admins."
    )


class AnnotatorQuery(NamesQuery):
    kind = ChoiceField(
        required=False,
        default=AnnotatorKind.PERSON.value,
        choices=KINDS,
        help_text="List people, or machines.",
    )


class AnnotatorSerializer(ModelSerializer):
    annotator = SerializerMethodField(help_text="Pseudonym, or name on request.")
    annotator_number = IntegerField(
        source="number", help_text="The number shown on pages: from 1 in each campaign, never changed."
    )
    complete = IntegerField()
    skipped = IntegerField()
    auto = IntegerField(help_text="Items with a single output, where there was nothing to ask.")
    surplus = IntegerField(help_text="Answers that arrived after the item had been given to someone else.")
    last_seen = DateTimeField(allow_null=True)
    kind = ChoiceField(choices=KINDS)
    machine = SerializerMethodField()

    class Meta:
        model = Annotator
        fields = [
            *("annotator", "annotator_number", "complete", "skipped", "auto", "surplus", "last_seen"),
            *("kind", "machine"),
        ]

    @extend_schema_field(
        DictField(allow_null=True, help_text="What is known of a machine, with its prompt; null for people.")
    )
    def get_machine(self, annotator: Annotator) -> dict[str, object] | None:
        """The description of a machine, with its prompt."""
        if not annotator.is_machine:
            return None
        return {**annotator.machine.description, "prompt": annotator.machine.prompt}

    def get_annotator(self, annotator: Annotator) -> str:
        """The pseudonym, or the name where an admin asked for names."""
        called: str = self.context["named"](annotator.name)
        return called


class ItemOutputSerializer(Serializer):
    output = CharField(source="digest", help_text="The identifier used in ratings and exports.")
    text = CharField(allow_null=True)
    systems = ListField(child=CharField())


@dataclass(frozen=True, slots=True)
class ListedItem:
    """An item with its progress and outputs."""

    item: Item
    counted: progress.CountedItem
    outputs: Sequence[ShownOutput]


class ItemSerializer(Serializer):
    item = IntegerField(source="item.number")
    sentence = IntegerField(source="item.sentence.position", help_text="Position in the corpus, from 0.")
    wanted = IntegerField(
        source="counted.wanted", help_text="Number of judgments wanted; 0 for imported judgments."
    )
    done = IntegerField(source="counted.done", help_text="Number of these that were given.")
    skips = IntegerField(source="counted.skips")
    is_held = BooleanField(
        source="item.is_held", help_text="Skipped by two annotators; waiting for an admin's decision."
    )
    outputs = ItemOutputSerializer(many=True)


class CampaignList(ApiView, ListAPIView):
    """The campaigns and imported sets of judgments, by name."""

    query = PageQuery
    serializer_class = CampaignSerializer
    ordering = "name"

    def get_queryset(self) -> QuerySet[Campaign]:
        """All campaigns."""
        return models_listed.campaigns()


class CampaignDetail(ApiView, RetrieveAPIView):
    """A campaign with its systems and design."""

    serializer_class = WholeCampaignSerializer

    def get_object(self) -> Campaign:
        """The campaign in the address."""
        return campaign_or_404(self.kwargs["uuid"])


class CampaignProgress(ApiView, RetrieveAPIView):
    """Number of wanted judgments of a campaign run here, by state."""

    serializer_class = SlotCountsSerializer

    def get_object(self) -> progress.SlotCounts:
        """The progress of the campaign in the address."""
        campaign = run_here_or_404(self.kwargs["uuid"])
        stop_waiting(campaign)
        return progress.slot_counts(campaign)


class AnnotatorList(ApiView, ListAPIView):
    """The annotators of a campaign: what each answered and skipped, and when they were last active."""

    query = AnnotatorQuery
    serializer_class = AnnotatorSerializer
    ordering = "pk"  # Ordered by name, cursors would reveal names.

    def get_queryset(self) -> QuerySet[Annotator]:
        """The people, or the machines, of the campaign."""
        self.campaign = campaign_or_404(self.kwargs["uuid"])
        if self.asked["kind"] == AnnotatorKind.MACHINE:
            return judgments_queries.machines(self.campaign)
        return judgments_queries.annotators(self.campaign)

    def get_serializer_context(self) -> dict[str, object]:
        """The context, with the function that gives an annotator's name or pseudonym."""
        return {"named": naming(self.campaign, names=self.asked["names"], by=self.account)}


class ItemList(ApiView, ListAPIView):
    """The items of a campaign in order, with the outputs shown and how often each was judged."""

    query = PageQuery
    serializer_class = ItemSerializer
    ordering = "number"

    def get_queryset(self) -> QuerySet[Item]:
        """All items of the campaign."""
        return progress.items(campaign_or_404(self.kwargs["uuid"]))

    def paginate_queryset(self, queryset: QuerySet[Item]) -> list[ListedItem]:
        """A page of items, with counts and outputs of each."""
        items = super().paginate_queryset(queryset)
        outputs = progress.outputs_of(items)
        return [
            ListedItem(counted.item, counted, outputs[counted.item.pk])
            for counted in progress.with_counts(items)
        ]


class StateChange(ApiView):
    """Change the state of a campaign that is run here."""

    permission_classes = [ForAdmins]
    serializer_class = WholeCampaignSerializer
    move: ClassVar[Callable[..., None]]

    @extend_schema(
        request=None,
        responses={
            200: WholeCampaignSerializer,
            409: OpenApiResponse(description="The campaign's state does not allow it."),
        },
    )
    def post(self, request: Request, uuid: object) -> Response:
        campaign = run_here_or_404(self.kwargs["uuid"])
        type(self).move(campaign, by=request.user)
        return Response(self.get_serializer(campaign_or_404(campaign.uuid)).data)


class Pause(StateChange):
    """Pause the hand-out; answers to open screens are still accepted."""

    move = staticmethod(lifecycle.pause)


class Resume(StateChange):
    """Resume the campaign."""

    move = staticmethod(lifecycle.resume)


class Close(StateChange):
    """End a campaign; answers that still arrive are surplus."""

    move = staticmethod(lifecycle.close)


class WatchAgain(StateChange):
    """Let a campaign that stopped by itself and was reopened stop by itself again."""

    move = staticmethod(watch_again)
