"""Links by which annotators enter."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.campaigns import Annotator, Campaign


class Link(models.Model):
    """A link into a campaign: personal, for one annotator, or shared, which creates one for each visitor.

    Only the digest of a token is stored. The token of a personal link exists only in the link. That of a
    shared link, which is passed around anyway, can be shown again: it is derived from the secret key, the
    campaign and the link's generation.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="links")
    token_digest = models.CharField(max_length=64)
    generation = models.CharField(
        max_length=32,
        blank=True,
        help_text="Random part of a shared link's token, combined with the secret key. Empty for personal "
        "links, and for shared links of earlier releases.",
    )
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
