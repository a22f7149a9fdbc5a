"""Erasing a person: nothing that identifies them stays, in any table.

Their judgments stay under the same pseudonym, or go. Backups that were made before still hold everything.
"""

from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.accounts import logins
from annotate.database.audit_log import record
from annotate.judging.handout import locked_campaign, take_back
from annotate.judging.handout.leases import free
from annotate.judgments.kept_snapshots import discard_snapshot
from annotate.judgments.pseudonyms import annotator_known_as, erased_name
from annotate.models import (
    Annotator,
    AnsweredHour,
    AuditAction,
    AuditEntry,
    Campaign,
    Design,
    Judgment,
    JudgmentState,
    Machine,
    MachineLease,
    PracticeAnswer,
    Revision,
    Role,
    Showing,
    Slot,
    SlotState,
    User,
)
from jobs.refusals import RefusedError

ERASED = "(erased)"
FREE_TEXTS = ("reason", "excluded because")
"""Details of an audit entry about an annotator in an admin's own words."""


class ErasureRefusedError(RefusedError):
    """Nobody can be erased; the message says why."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """A record of an erasure: annotator, campaign, and how many judgments were kept or deleted."""

    campaign: Campaign
    annotator: str
    judgments: int


def annotator_named(campaign: Campaign, word: str) -> Annotator:
    """The annotator with this name, number, pseudonym or id on a crowd platform.

    Raises:
        ErasureRefusedError: there is none, or the word fits several.
    """
    everybody = Annotator.every.filter(campaign=campaign)
    found = set(everybody.filter(Q(name=word) | Q(worker__platform_id=word)))
    if known := annotator_known_as(campaign, word):
        found.add(known)
    if len(found) > 1:
        numbers = ", ".join(str(annotator.number) for annotator in sorted(found, key=lambda one: one.number))
        raise ErasureRefusedError(f"“{word}” fits annotators {numbers}. Give a pseudonym of an export.")
    if not found:
        raise ErasureRefusedError(
            f"Campaign {campaign.name!r} has no annotator “{word}”. Give a name, a number, a pseudonym or "
            "the id on the crowd platform."
        )
    return found.pop()


def erase_annotator(annotator: Annotator, *, delete_judgments: bool) -> Erasure:
    """Erase name, platform id, visits' parameters, notes and drafts; links and sessions end.

    Of a machine, who runs it is erased, and its token ends; the description of the model stays, and so does
    its opinion where annotators see it.

    Args:
        annotator: of one campaign; their other campaigns and their account are not touched.
        delete_judgments: whether their judgments go too; their screens are then free for others.
    """
    campaign = annotator.campaign
    with transaction.atomic():
        if annotator.is_machine:
            MachineLease.objects.filter(annotator=annotator).delete()
            Machine.objects.filter(annotator=annotator).update(run_by="", token_digest=None)
        else:
            take_back(annotator)
        _erase_in_audit_log(annotator)
        _erase_at_platform(annotator)
        judgments = Judgment.every.filter(annotator=annotator)
        count = judgments.count()
        Revision.objects.filter(judgment__in=judgments).exclude(note="").update(note="")
        judgments.update(is_reported=False)
        Showing.objects.filter(annotator=annotator).update(draft={})
        if delete_judgments:
            _delete_judgments(annotator)
        annotator.links.all().delete()
        known_as, annotator.name = annotator.name, erased_name(campaign, annotator.name)
        if annotator.is_machine:
            Design.objects.filter(campaign=campaign, opinion_of=known_as).update(opinion_of=annotator.name)
        annotator.user, annotator.resume_digest = None, ""
        annotator.revocations += 1
        if annotator.excluded_at:
            annotator.exclusion_reason = ERASED
        annotator.save(update_fields=["name", "user", "resume_digest", "revocations", "exclusion_reason"])
        details = {"annotator": annotator.known_as, "judgments": "deleted" if delete_judgments else "kept"}
        record(user=None, action=AuditAction.ERASE, subject=campaign, details=details)
    discard_snapshot(campaign)
    return Erasure(campaign, annotator.known_as, count)


def erase_account(user: User, *, delete_judgments: bool) -> list[Erasure]:
    """Erase the account with its sessions and failed logins, and its annotators in all campaigns.

    Raises:
        ErasureRefusedError: it is the account of an admin or a researcher.
    """
    if user.role != Role.ANNOTATOR:
        raise ErasureRefusedError(
            f"{user} is {'an' if user.is_admin else 'a'} {user.get_role_display().lower()}. Make them an "
            "annotator on the page Accounts first; another admin has to remain."
        )
    with transaction.atomic():
        annotators = user.annotators.select_related("campaign")
        erasures = [erase_annotator(annotator, delete_judgments=delete_judgments) for annotator in annotators]
        name = user.get_username()
        AuditEntry.objects.filter(Q(user=user) | Q(who=name)).update(who=ERASED)
        AuditEntry.objects.filter(kind=User._meta.verbose_name, name=name).update(name=ERASED)
        blocks = AuditEntry.objects.filter(action=AuditAction.BLOCK_LOGINS, details__account=name)
        blocks.update(name=ERASED, details={"account": ERASED})
        logins.forget(name)
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
            if session.get_decoded().get("_auth_user_id") == str(user.pk):
                session.delete()
        user.delete()
    return erasures


def _erase_in_audit_log(annotator: Annotator) -> None:
    """The events stay; the name, and what admins wrote about the person, go."""
    named = (annotator.in_full, annotator.known_as, annotator.name)
    entries = AuditEntry.objects.filter(uuid=annotator.campaign.uuid, details__annotator__in=named)
    for entry in entries:
        free_texts = {key: ERASED for key in FREE_TEXTS if key in entry.details}
        entry.details = entry.details | free_texts | {"annotator": annotator.known_as}
        entry.save(update_fields=["details"])


def _erase_at_platform(annotator: Annotator) -> None:
    """The visits stay, with what they are paid for; the platform's ids go."""
    if not hasattr(annotator, "worker"):
        return
    worker = annotator.worker
    worker.platform_id = f"erased-{worker.pk}"
    worker.save(update_fields=["platform_id"])
    for visit in worker.visits.all():
        visit.key, visit.parameters = f"erased-{visit.pk}", {}
        visit.save(update_fields=["key", "parameters"])


def _delete_judgments(annotator: Annotator) -> None:
    locked_campaign(annotator.campaign_id)
    filled = Slot.objects.filter(annotator=annotator, repeats=None, state=SlotState.FILLED)
    Slot.objects.filter(repeats__in=filled).update(
        state=SlotState.RESERVED, annotator=None, assignment=None, due_at_screen=None, lapsed_at=None
    )
    Judgment.every.filter(annotator=annotator).delete()
    free(filled)
    Showing.objects.filter(annotator=annotator).delete()
    PracticeAnswer.objects.filter(annotator=annotator).delete()
    AnsweredHour.objects.filter(annotator=annotator).delete()
    nothing = dict.fromkeys((*JudgmentState.values, "screens", "answers_sent", "active_ms"), 0)
    Annotator.every.filter(pk=annotator.pk).update(**nothing, answered_at=None)
    Machine.objects.filter(annotator=annotator).update(last_item=None)
