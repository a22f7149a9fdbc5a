"""The rows that verbs of the hand-out lock."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists

from annotate.models import Annotator, Campaign

CHANGING = (
    *("screens", "excluded_at", "has_practised", "domain", "domain_day"),
    *("complete", "skipped", "auto", "surplus", "active_ms", "answered_at", "shown_at"),
)
"""Fields of an annotator that other transactions may change."""


def lock(annotator: Annotator) -> None:
    """Lock the annotator's row, and refresh what others may have changed in the meantime."""
    # SQLite has no row locks; there the whole transaction is exclusive from its first statement.
    rows = Annotator.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    stored = rows.only(*CHANGING, "campaign__state").get(pk=annotator.pk)
    take_over(annotator, {name: getattr(stored, name) for name in CHANGING}, stored.campaign.state)


def take_over(annotator: Annotator, changing: Mapping[str, object], campaign_state: str) -> None:
    """Refresh the annotator, who is locked, from the stored row."""
    for name, value in changing.items():
        setattr(annotator, name, value)
    annotator.campaign.state = campaign_state


def locked_campaign(campaign: int, **questions: Exists) -> Any:
    """Lock the campaign: nobody else frees, holds or takes its slots until the transaction ends.

    The answers to `questions`, which may be slightly stale, come with it.
    """
    return Campaign.objects.select_for_update(no_key=True).annotate(**questions).get(pk=campaign)
