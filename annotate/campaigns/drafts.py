"""Names of drafts, and changes of a campaign before its launch."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotate.campaigns.lifecycle import CampaignError
from annotate.campaigns.prepared.suggestions import Suggestions, replace_suggestions, suggestions_fault
from annotate.campaigns.suitability import check_design
from annotate.models import Campaign, CampaignState, Design, System

MOST_NAME_CHARS = 200


def free_name(name: str, *, but_for: Campaign | None = None) -> str:
    """Return the name if no other campaign has it.

    Raises:
        ValidationError: another campaign has it, other than `but_for`.
    """
    namesake = Campaign.objects.filter(name=name).first()
    if namesake is not None and namesake != but_for:
        raise ValidationError("Another campaign has this name. Choose a different one.")
    return name


def unused_name(wanted: str) -> str:
    """The name, or else the name with the first number that no campaign has, such as “pilot 2”."""
    name, number = wanted[:MOST_NAME_CHARS].rstrip(), 1
    while Campaign.objects.filter(name=name).exists():
        number += 1
        behind = f" {number}"
        name = f"{wanted[: MOST_NAME_CHARS - len(behind)].rstrip()}{behind}"
    return name


def change_draft(
    campaign: Campaign,
    *,
    name: str,
    protocol: str,
    systems: Sequence[System],
    design: Design,
    suggestions: Suggestions | None = None,
) -> None:
    """Replace the draft's design; its corpus stays.

    So do its suggestions, unless there are others here, or the protocol does not have any.

    Raises:
        CampaignError: it has been launched in the meantime, and is frozen.
        ValidationError: a field is malformed, the name is taken, or the protocol does not allow it.
        PracticeError: the guidelines contain a practice item that does not fit the protocol.
    """
    check_design(design, protocol=protocol, systems=len(systems), corpus=campaign.corpus)
    if protocol != campaign.protocol and suggestions is None:
        suggestions = {}
    if suggestions is None and (fault := suggestions_fault(campaign, design)):
        raise ValidationError(fault)
    with transaction.atomic():
        draft = _locked_draft(campaign)
        draft.name = name
        draft.protocol = protocol
        draft.full_clean()
        design.full_clean()
        draft.touched_at = timezone.now()
        draft.save(update_fields=["name", "protocol", "touched_at"])
        draft.systems.set(systems)
        design.save()
        if suggestions is not None:
            replace_suggestions(draft, suggestions)


def change_suggestions(campaign: Campaign, suggestions: Suggestions) -> None:
    """Replace what programs suggest about the outputs of a draft.

    Raises:
        CampaignError: it has been launched in the meantime, and is frozen.
    """
    with transaction.atomic():
        replace_suggestions(_locked_draft(campaign), suggestions)
        Campaign.objects.filter(pk=campaign.pk).update(touched_at=timezone.now())


def _locked_draft(campaign: Campaign) -> Campaign:
    draft = Campaign.objects.select_for_update().filter(pk=campaign.pk, state=CampaignState.DRAFT).first()
    if draft is None:
        raise CampaignError(
            f"Campaign {campaign.name!r} has been launched and is frozen. Clone it to make changes."
        )
    return draft
