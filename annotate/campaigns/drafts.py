"""Changes of a campaign before its launch."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotate.campaigns.lifecycle import CampaignError
from annotate.campaigns.suitability import check_design
from annotate.models import Campaign, CampaignState, Design, System


def change_draft(
    campaign: Campaign, *, name: str, protocol: str, systems: Sequence[System], design: Design
) -> None:
    """Replace the draft's design; its corpus stays.

    Raises:
        CampaignError: it has been launched in the meantime, and is frozen.
        ValidationError: a field is malformed, the name is taken, or the protocol does not allow it.
        PracticeError: the guidelines contain a practice item that does not fit the protocol.
    """
    check_design(design, protocol=protocol, systems=len(systems))
    with transaction.atomic():
        draft = Campaign.objects.select_for_update().filter(pk=campaign.pk, state=CampaignState.DRAFT).first()
        if draft is None:
            raise CampaignError(
                f"Campaign {campaign.name!r} has been launched and is frozen. Clone it to make changes."
            )
        draft.name = name
        draft.protocol = protocol
        draft.full_clean()
        design.full_clean()
        draft.touched_at = timezone.now()
        draft.save(update_fields=["name", "protocol", "touched_at"])
        draft.systems.set(systems)
        design.save()
