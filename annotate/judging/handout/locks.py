"""The rows that verbs of the hand-out lock."""

from typing import Any

from django.db.models import Exists

from annotate.models import Annotator, Campaign

CHANGING = (
    *("screens", "excluded_at", "has_practised", "domain", "domain_day"),
    *("complete", "skipped", "auto", "surplus", "answers_sent", "active_ms", "answered_at", "shown_at"),
)
"""Fields of an annotator that other transactions may change."""


def lock(annotator: Annotator) -> None:
    """Lock the annotator's row, and refresh what others may have changed in the meantime."""
    # SQLite has no row locks; there the whole transaction is exclusive from its beginning.
    rows = Annotator.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    stored = rows.only(*CHANGING, "campaign__state").get(pk=annotator.pk)
    for name in CHANGING:
        setattr(annotator, name, getattr(stored, name))
    annotator.campaign.state = stored.campaign.state


def locked_campaign(campaign: int, **questions: Exists) -> Any:
    """Lock the campaign: nobody else frees, holds or takes its slots until the transaction ends.

    The answers to `questions`, which may be slightly stale, come with it.
    """
    return Campaign.objects.select_for_update(no_key=True).annotate(**questions).get(pk=campaign)
