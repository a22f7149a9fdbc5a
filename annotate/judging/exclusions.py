"""Exclusion of annotators by an admin, and the check that flags them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.design.protocols import kind_of_answers
from annotate.judging.handout import take_back
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import roles_of, snapshot
from annotate.models import Annotator, AuditAction, Campaign, SystemRole, User
from formats.snapshot.vocabulary import ProtocolName
from jobs.refusals import RefusedError
from ranking.annotators.control_rule import DEFAULT_RULE, ControlRule
from ranking.annotators.quality import ControlCheck, control_checks


class ExclusionError(RefusedError):
    """The annotator's state does not allow the action; the message says why."""


def exclude(
    annotator: Annotator, *, reason: str, rule: ControlRule = DEFAULT_RULE, by: User | None = None
) -> None:
    """Leave the annotator's judgments out of rankings and exports, and give them nothing more to judge.

    The screens that they have open go to others at once.
    Nothing is deleted, answers that still arrive are stored, and `readmit` undoes all of it. The audit log
    records the annotator's figures under the rule at that time.

    Raises:
        ExclusionError: they are already excluded.
        ValidationError: there is no reason, or it is too long.
    """
    check = control_check(annotator, rule)
    with transaction.atomic():
        _locked(annotator)
        if annotator.excluded_at:
            raise ExclusionError(f"{annotator} is already excluded.")
        annotator.excluded_at = timezone.now()
        annotator.exclusion_reason = reason.strip()
        annotator.full_clean()
        annotator.save(update_fields=["excluded_at", "exclusion_reason"])
        take_back(annotator)
        record(
            user=by,
            action=AuditAction.EXCLUDE,
            subject=annotator.campaign,
            details={
                "annotator": annotator.in_full,
                "reason": annotator.exclusion_reason,
                "control below source": f"{check.passed} of {check.cases}" if check else "no such screens",
                "rule": str(rule),
            },
        )


def readmit(annotator: Annotator, *, by: User | None = None) -> None:
    """Undo an exclusion: all judgments count again.

    Raises:
        ExclusionError: they are not excluded.
    """
    with transaction.atomic():
        _locked(annotator)
        if not annotator.excluded_at:
            raise ExclusionError(f"{annotator} is not excluded.")
        details = {"annotator": annotator.in_full, "excluded because": annotator.exclusion_reason}
        annotator.excluded_at, annotator.exclusion_reason = None, ""
        annotator.save(update_fields=["excluded_at", "exclusion_reason"])
        record(user=by, action=AuditAction.READMIT, subject=annotator.campaign, details=details)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a worker at the end of a visit.

    Attributes:
        passed: neither excluded, nor flagged by the default rule, scaled to the length of the work.
        check: by that rule; None if the campaign lacks source or control.
        rule: as it was scaled.
    """

    passed: bool
    check: ControlCheck | None
    rule: ControlRule

    @property
    def was_checked(self) -> bool | None:
        """Whether there were enough cases to flag the worker; None if there can be none."""
        return None if self.check is None else self.check.cases >= self.rule.min_cases


def verdict_on(annotator: Annotator) -> Verdict:
    """Whether the annotator's work is good enough to be paid, as far as it can be checked."""
    rule = DEFAULT_RULE.for_visit(annotator.complete)
    check = control_check(annotator, rule)
    return Verdict(not annotator.excluded_at and not (check and check.flagged), check, rule)


def can_be_checked(campaign: Campaign, roles: Mapping[str, str]) -> bool:
    """Whether systems of these roles check the annotators of the campaign (`ranking.control_checks`)."""
    if kind_of_answers(campaign.protocol).is_checked_by_verdicts:
        return not {SystemRole.CONTROL, SystemRole.REFERENCE}.isdisjoint(roles.values())
    if campaign.protocol == ProtocolName.PAIRS:
        return SystemRole.CONTROL in roles.values()
    return {SystemRole.SOURCE, SystemRole.CONTROL} <= set(roles.values())


def control_check(annotator: Annotator, rule: ControlRule = DEFAULT_RULE) -> ControlCheck | None:
    """How often the annotator passed the check; None if the campaign lacks the systems for it."""
    roles = roles_of(annotator.campaign)
    if not can_be_checked(annotator.campaign, roles):
        return None
    checks = control_checks(snapshot(annotator.campaign, annotator=annotator), roles, rule)
    return checks.get(pseudonym(annotator.campaign, annotator.name))


def _locked(annotator: Annotator) -> None:
    """The current annotator, locked until the transaction ends."""
    row = Annotator.objects.select_for_update(of=("self",), no_key=True).get(pk=annotator.pk)
    annotator.excluded_at, annotator.exclusion_reason = row.excluded_at, row.exclusion_reason
