from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.campaigns import Annotator, Campaign


class Link(models.Model):
    """A way into a campaign: personal, for one annotator, or shared, which makes a new one for each visitor.

    The token stands in the link alone; only its digest is stored.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="links")
    token_digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["token_digest"], name="link_token_is_unique"),
            models.UniqueConstraint(
                fields=["annotator"],
                condition=Q(revoked_at__isnull=True),
                name="annotator_has_one_valid_link",
            ),
        ]

    def __str__(self) -> str:
        return f"link to {self.campaign} for {self.annotator or 'everybody'}"
