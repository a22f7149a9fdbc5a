"""Changes of a campaign that is not launched yet."""

from collections.abc import Sequence

from django.db import transaction

from annotate.models import Campaign, CampaignState, Design, System
from annotate.services.campaigns import CampaignError


def change_draft(
    campaign: Campaign, *, name: str, protocol: str, systems: Sequence[System], design: Design
) -> None:
    """Replace what the draft asks; its corpus stays.

    Raises:
        CampaignError: it was launched meanwhile, and is frozen.
        ValidationError: a field is malformed, or the name is taken.
    """
    with transaction.atomic():
        draft = Campaign.objects.select_for_update().filter(pk=campaign.pk, state=CampaignState.DRAFT).first()
        if draft is None:
            raise CampaignError(f"Campaign {campaign.name!r} is launched, and frozen. Clone it to change it.")
        draft.name = name
        draft.protocol = protocol
        draft.full_clean()
        design.full_clean()
        draft.save(update_fields=["name", "protocol"])
        draft.systems.set(systems)
        design.save()
