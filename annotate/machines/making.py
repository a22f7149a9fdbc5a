"""Machines of a campaign, their families and tokens for the API. The audit log records who changes them."""

import secrets

from django.db import transaction

from annotate.database.audit_log import record
from annotate.models import Annotator, AuditAction, Campaign, Machine, User
from formats.digests import text_digest
from formats.machines import AnnotatorKind


@transaction.atomic
def make_machine(campaign: Campaign, *, name: str, machine: Machine, by: User | None) -> Annotator:
    """Store a machine as an annotator of the campaign.

    Args:
        campaign: that it is to judge.
        name: of the annotator, as exports by name have it.
        machine: what is known of it, not stored yet.
        by: the admin; None for a command.

    Raises:
        ValidationError: the name is taken, or a value is malformed.
    """
    annotator = Annotator(campaign=campaign, name=name, kind=AnnotatorKind.MACHINE.value)
    annotator.full_clean(exclude=["number"])
    annotator.save()
    machine.annotator = annotator
    if machine.prompt:
        machine.prompt_sha256 = text_digest(machine.prompt)
    machine.full_clean()
    machine.save()
    details = {"annotator": annotator.known_as, "model": machine.model}
    record(user=by, action=AuditAction.MAKE_MACHINE, subject=campaign, details=details)
    return annotator


@transaction.atomic
def state_family(annotator: Annotator, family: str, *, by: User | None) -> None:
    """State the family of the machine's model; empty for none. Its answers stay as they are.

    Raises:
        ValidationError: it is no short line.
    """
    machine = annotator.machine
    before, machine.family = machine.family, family
    machine.full_clean()
    if family != before:
        machine.save(update_fields=["family"])
        details = {"annotator": annotator.known_as, "family": family, "before": before}
        record(user=by, action=AuditAction.DESCRIBE_MACHINE, subject=annotator.campaign, details=details)


@transaction.atomic
def mint_token(annotator: Annotator, *, by: User | None) -> str:
    """A new token for the machine; an earlier one stops working. Only its digest is kept."""
    token = secrets.token_urlsafe(32)
    Machine.objects.filter(annotator=annotator).update(token_digest=text_digest(token))
    _record(annotator, AuditAction.MAKE_TOKEN, by)
    return token


@transaction.atomic
def revoke_token(annotator: Annotator, *, by: User | None) -> None:
    """Revoke the machine's token, if it has one."""
    if Machine.objects.filter(annotator=annotator).exclude(token_digest=None).update(token_digest=None):
        _record(annotator, AuditAction.REVOKE_TOKEN, by)


def _record(annotator: Annotator, action: AuditAction, by: User | None) -> None:
    details = {"annotator": annotator.known_as}
    record(user=by, action=action, subject=annotator.campaign, details=details)


def machine_of_token(token: str) -> Annotator | None:
    """The machine that the token belongs to, with its campaign and design."""
    machines = Annotator.every.select_related("campaign__design", "campaign__corpus", "machine")
    return machines.filter(machine__token_digest=text_digest(token), campaign__design__isnull=False).first()
