"""Names of campaigns, each of which has its own."""

from django.core.exceptions import ValidationError

from annotate.models import Campaign

MOST_NAME_CHARS = 200


def free_name(name: str, *, but_for: Campaign | None = None) -> str:
    """The name.

    Raises:
        ValidationError: another campaign has it, other than `but_for`.
    """
    namesake = Campaign.objects.filter(name=name).first()
    if namesake is not None and namesake != but_for:
        raise ValidationError("Another campaign has this name. Choose a different one.")
    return name


def unused_name(wanted: str) -> str:
    """The name, or the first with a number behind it that no campaign has: “pilot 2”."""
    name, number = wanted[:MOST_NAME_CHARS].rstrip(), 1
    while Campaign.objects.filter(name=name).exists():
        number += 1
        behind = f" {number}"
        name = f"{wanted[: MOST_NAME_CHARS - len(behind)].rstrip()}{behind}"
    return name
