"""Machines that judge: what they are, and the items that they have on lease."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.campaigns import Annotator, Item
from annotate.models.corpora import validate_heading
from formats.machines import DESCRIBED_AS, MAX_SEED, Description, known_as

MAX_PROMPT_CHARS = 50_000


class Machine(models.Model):
    """What is known of an annotator that is a program. Another setting is another machine.

    The API's token was shown once; only its digest is stored.
    """

    annotator = models.OneToOneField(Annotator, models.CASCADE, primary_key=True, related_name="machine")
    model = models.CharField(max_length=DESCRIBED_AS["model"])
    version = models.CharField(
        max_length=DESCRIBED_AS["version"],
        blank=True,
        help_text="Exact version, date or digest of the model: providers change models under a name.",
    )
    family = models.CharField(
        max_length=DESCRIBED_AS["family"],
        blank=True,
        validators=[validate_heading],
        help_text="Family of the model, such as GPT. If systems state theirs, Machine judges says whether "
        "the machine prefers its own.",
    )
    prompt = models.TextField(blank=True, max_length=MAX_PROMPT_CHARS, help_text="Template of the prompt.")
    prompt_sha256 = models.CharField(
        max_length=DESCRIBED_AS["prompt_sha256"],
        blank=True,
        editable=False,
        help_text="SHA-256 of the prompt.",
    )
    temperature = models.CharField(
        max_length=DESCRIBED_AS["temperature"], blank=True, help_text="As it was set, such as 0 or 0.7."
    )
    seed = models.PositiveBigIntegerField(null=True, blank=True)
    date = models.DateField(null=True, blank=True, help_text="Day on which it was run, or first run.")
    run_by = models.CharField(max_length=DESCRIBED_AS["run_by"], blank=True, help_text="Who runs it.")
    token_digest = models.CharField(
        max_length=64, null=True, editable=False, help_text="SHA-256 of its token; none if it has no token."
    )
    last_item = models.PositiveIntegerField(
        null=True, editable=False, help_text="Highest number of an item that it was handed."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token_digest"], name="machine_token_is_unique"),
            models.CheckConstraint(condition=~Q(model=""), name="machine_states_its_model"),
            models.CheckConstraint(
                condition=Q(seed=None) | Q(seed__lte=MAX_SEED), name="machine_seed_fits_json"
            ),
        ]

    def __str__(self) -> str:
        return known_as({"model": self.model, "version": self.version})

    @property
    def description(self) -> Description:
        """What files say of it."""
        values = {name: getattr(self, name) for name in DESCRIBED_AS}
        described: dict[str, object] = {name: str(value) for name, value in values.items() if value}
        return described if self.seed is None else {**described, "seed": self.seed}


class MachineLease(models.Model):
    """An item that was handed to a machine, which has not answered it yet."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="machine_leases", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="machine_leases")
    leased_until = models.DateTimeField()
    handed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "item"], name="machine_leases_an_item_once"),
        ]
        indexes = [models.Index(fields=["annotator", "leased_until"], name="machine_lease")]

    def __str__(self) -> str:
        return f"{self.item} for {self.annotator}"
