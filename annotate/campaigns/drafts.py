"""Changes of a campaign that is not launched yet."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotate.campaigns.lifecycle import CampaignError
from annotate.campaigns.suitability import check_design
from annotate.models import Campaign, CampaignState, Design, System


def change_draft(
    campaign: Campaign, *, name: str, protocol: str, systems: Sequence[System], design: Design
) -> None:
    """Replace what the draft asks; its corpus stays.

    Raises:
        CampaignError: it was launched meanwhile, and is frozen.
        ValidationError: a field is malformed, the name is taken, or the protocol cannot ask it.
        PracticeError: the guidelines hold a practice item that the protocol cannot ask.
    """
    check_design(design, protocol=protocol, systems=len(systems))
    with transaction.atomic():
        draft = Campaign.objects.select_for_update().filter(pk=campaign.pk, state=CampaignState.DRAFT).first()
        if draft is None:
            raise CampaignError(f"Campaign {campaign.name!r} is launched, and frozen. Clone it to change it.")
        draft.name = name
        draft.protocol = protocol
        draft.full_clean()
        design.full_clean()
        draft.touched_at = timezone.now()
        draft.save(update_fields=["name", "protocol", "touched_at"])
        draft.systems.set(systems)
        design.save()
