"""The design of a campaign."""

from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from annotate.models.campaigns import Campaign
from core.languages import ENGLISH
from formats import MAX_NAME_CHARS
from formats.text.natural import TextRules


class Sampling(models.TextChoices):
    DIVERSE = "diverse", "Diverse outputs more often (GJG15)"
    UNIFORM = "uniform", "Each sentence equally often"
    LISTED = "listed", "The sentences listed below"


class StopsWhen(models.TextChoices):
    """The part of the ranking that has to be settled before a campaign stops by itself, or *never*."""

    NEVER = "never", "No: all judgments are collected"
    FIRST = "first", "Yes, when the first place is settled"
    ORDER = "order", "Yes, when every place is settled"


@cache
def _time_zones() -> frozenset[str]:
    """All names; listing them opens several hundred files."""
    return frozenset(available_timezones())


def validate_time_zone(name: str) -> None:
    """A name from the IANA time zone database, such as Europe/Berlin."""
    if name not in _time_zones():
        raise ValidationError(f"“{name}” is not a time zone. Enter a name such as UTC or Europe/Berlin.")


def server_time_zone() -> str:
    """The default time zone of a campaign, which is the server's."""
    return str(settings.TIME_ZONE)


class Design(models.Model):
    """The design of a campaign that is run here; imported campaigns have none. Frozen at launch."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="design")
    outputs_per_screen = models.PositiveSmallIntegerField(
        default=5,
        validators=[MaxValueValidator(9)],
        help_text="0 if the protocol shows no outputs.",
    )
    items = models.PositiveIntegerField(default=100, validators=[MinValueValidator(1)])
    sampling = models.CharField(max_length=20, choices=Sampling, default=Sampling.DIVERSE)
    with_replacement = models.BooleanField(
        default=False,
        help_text="A sentence may be drawn for several items, each with a separate sample of outputs.",
    )
    listed_sentences = models.JSONField(
        default=list, blank=True, help_text="Positions of the sentences, counted from 0."
    )
    listed_outputs = models.JSONField(
        default=list,
        blank=True,
        help_text="Keys of the outputs to judge, one per item in this order; empty to draw sentences.",
    )
    follow_up = models.JSONField(
        null=True,
        blank=True,
        help_text="Of a follow-up: `pairs` of systems to ask about and `ordinary_percent` of the items "
        "sampled as usual, or `newcomers` to ask about; and how many items the first campaign has `drawn` "
        "without replacement, or null.",
    )
    covers_outputs = models.BooleanField(
        default=False,
        help_text="Every output of each sentence is judged, on as many screens as that takes; `items` counts "
        "sentences then.",
    )
    checked_percent = models.PositiveSmallIntegerField(
        default=100,
        validators=[MaxValueValidator(100)],
        help_text="If all outputs are covered: share of screens that hold both source and control.",
    )
    annotators_per_item = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    shared_percent = models.PositiveSmallIntegerField(
        default=20,
        validators=[MaxValueValidator(100)],
        help_text="Share of items that several annotators judge; the others are judged once.",
    )
    repeat_percent = models.PositiveSmallIntegerField(
        default=5,
        validators=[MaxValueValidator(100)],
        help_text="Share of items that their first annotator judges a second time.",
    )
    batch_size = models.PositiveSmallIntegerField(
        default=20, validators=[MinValueValidator(1), MaxValueValidator(1000)]
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=60, validators=[MinValueValidator(1), MaxValueValidator(30_000)]
    )
    separates_domains = models.BooleanField(
        default=False, help_text="An annotator judges sentences of only one domain a day."
    )
    time_zone = models.CharField(
        max_length=50,
        default=server_time_zone,
        validators=[validate_time_zone],
        help_text="Time zone in which a day begins and ends.",
    )
    seed = models.PositiveIntegerField(
        default=1,
        help_text="Only for campaigns launched before each had a secret: what their screens are drawn from.",
    )
    marks_edits = models.BooleanField(default=True)
    shows_context = models.BooleanField(
        default=True, help_text="Show the sentences before and after it in the document."
    )
    natural_text = models.BooleanField(
        default=True, help_text="Show texts of a tokenised corpus as people write them."
    )
    text_rules = models.CharField(
        max_length=10,
        blank=True,
        choices=[(rules.value, rules.value) for rules in TextRules],
        editable=False,
        help_text="Rules of the natural text that annotators see, set at launch; empty for stored text.",
    )
    interface_language = models.CharField(
        max_length=10,
        default=ENGLISH,
        help_text="Language of the pages that annotators see: a BCP 47 tag. Their texts are in the corpus'.",
    )
    opinion_of = models.CharField(
        max_length=MAX_NAME_CHARS,
        blank=True,
        help_text="Name of the machine whose answer annotators see after their own; empty to show none.",
    )
    guidelines = models.TextField(blank=True, max_length=50_000, help_text="Markdown.")
    protocol_options = models.JSONField(
        default=dict, blank=True, help_text="Choices of the protocol's options, as texts by name."
    )
    practice_needed = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(100)],
        help_text="Number of practice items that an annotator must agree with before the work; 0 for none.",
    )
    practice_tries = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(10)]
    )
    stops_when = models.CharField(
        max_length=10,
        choices=StopsWhen,
        default=StopsWhen.NEVER,
        help_text="What has to be settled before the campaign stops by itself.",
    )
    stop_confidence = models.PositiveSmallIntegerField(
        default=95,
        validators=[MinValueValidator(80), MaxValueValidator(99)],
        help_text="Confidence at which it has to be settled, in percent.",
    )
    stop_after = models.PositiveIntegerField(
        default=200,
        validators=[MinValueValidator(1)],
        help_text="Number of judgments before the ranking is looked at for the first time.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(sampling__in=Sampling.values), name="design_sampling_is_known"
            ),
            models.CheckConstraint(
                condition=Q(outputs_per_screen__lte=9), name="design_screen_has_room_for_outputs"
            ),
            models.CheckConstraint(
                condition=Q(shared_percent__lte=100, repeat_percent__lte=100, checked_percent__lte=100),
                name="design_shares_are_percentages",
            ),
            models.CheckConstraint(
                condition=Q(items__gte=1, annotators_per_item__gte=1, batch_size__gte=1),
                name="design_asks_for_something",
            ),
            models.CheckConstraint(
                condition=Q(stops_when__in=StopsWhen.values), name="design_stop_line_is_known"
            ),
            models.CheckConstraint(
                condition=Q(text_rules__in=["", *map(str, TextRules)]), name="design_text_rules_are_known"
            ),
        ]

    def __str__(self) -> str:
        return f"design of {self.campaign}"

    @property
    def settled(self) -> str:
        """The condition on which the campaign stops by itself, in words; empty if it does not."""
        words = {StopsWhen.FIRST: "the first place is settled", StopsWhen.ORDER: "every place is settled"}
        return words.get(StopsWhen(self.stops_when), "")
