"""The watch over a campaign that stops by itself."""

from django.db import models

from annotate.models.campaigns import Campaign


class Watch(models.Model):
    """The next look at a launched campaign's ranking, and the result of the last one.

    Only campaigns whose design says when they stop have one.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="watch")
    next_look = models.PositiveIntegerField(
        null=True, help_text="Number of judgments from which on the next look is due; null if none is."
    )
    looked_at = models.DateTimeField(null=True, help_text="Time of the last look; null before the first.")
    judgments = models.PositiveIntegerField(default=0, help_text="Number of judgments at the last look.")
    settled = models.PositiveSmallIntegerField(default=0, help_text="Number of borders that it saw settled.")
    borders = models.PositiveSmallIntegerField(default=0, help_text="Number of borders.")
    stopped_at = models.DateTimeField(
        null=True, help_text="When the campaign stopped by itself; null if it did not, or was reopened."
    )

    class Meta:
        verbose_name_plural = "watches"

    def __str__(self) -> str:
        return f"watch over {self.campaign}"
