"""Campaigns and machines that commands name."""

from django.core.management import CommandError
from django.db.models import QuerySet

from annotate.models import Annotator, Campaign
from annotate.models.listed import campaigns
from formats.machines import AnnotatorKind


def campaign_named(name: str) -> Campaign:
    """The campaign of this name, launched here or imported.

    Raises:
        CommandError: there is none.
    """
    return _named(name, campaigns(), f"There is no campaign {name!r}.")


def launched_campaign_named(name: str) -> Campaign:
    """The campaign of this name that was launched here, or is a draft.

    Raises:
        CommandError: there is none.
    """
    here = Campaign.objects.filter(design__isnull=False).select_related("design", "corpus")
    return _named(name, here, f"There is no campaign {name!r} with a design.")


def machine_named(campaign: str, name: str) -> Annotator:
    """The machine of this name in the campaign.

    Raises:
        CommandError: there is none.
    """
    of_campaign = launched_campaign_named(campaign)
    machines = Annotator.every.filter(campaign=of_campaign, kind=AnnotatorKind.MACHINE.value)
    machine = machines.filter(name=name).first()
    if machine is None:
        names = ", ".join(machines.values_list("name", flat=True)) or "none"
        raise CommandError(f"There is no machine {name!r} in campaign {campaign!r}. Machines are: {names}.")
    machine.campaign = of_campaign
    return machine


def _named(name: str, there: QuerySet[Campaign], missing: str) -> Campaign:
    campaign = there.filter(name=name).first()
    if campaign is None:
        names = ", ".join(there.values_list("name", flat=True)) or "none"
        raise CommandError(f"{missing} Campaigns are: {names}.")
    return campaign
