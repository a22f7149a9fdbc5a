"""The rows that verbs of the hand-out queue at."""

from typing import Any

from django.db.models import Exists

from annotate.models import Annotator, Campaign, JudgmentState

TAKEN_OVER = (
    *("screens", "excluded_at", "has_practised", "domain", "domain_day"),
    *(*JudgmentState.values, "answered_at", "shown_at"),
)
"""What others may have changed of an annotator."""


def lock(annotator: Annotator) -> None:
    """Lock the annotator's row, and take over what others may have changed meanwhile."""
    # SQLite has no row locks; there the whole transaction is exclusive from its first statement.
    rows = Annotator.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    stored = rows.get(pk=annotator.pk)
    for name in TAKEN_OVER:
        setattr(annotator, name, getattr(stored, name))
    annotator.campaign.state = stored.campaign.state


def locked_campaign(campaign: int, **questions: Exists) -> Any:
    """The campaign, whose slots nobody else frees, holds or takes until the transaction ends.

    The answers to `questions`, which need not be quite fresh, come with it.
    """
    return Campaign.objects.select_for_update(no_key=True).annotate(**questions).get(pk=campaign)
