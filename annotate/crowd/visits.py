"""Workers of a crowd platform: how they enter, what they are allowed, and when and how a visit ends."""

import secrets
from datetime import datetime
from enum import Enum

from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.database.storing_once import stored_once
from annotate.design.platforms import Arrival
from annotate.judging.work_done import WorkDone, work_done
from annotate.models import Annotator, AuditAction, CampaignState, Consent, Crowd, User, Visit, Worker
from core.translations import gettext, translatable
from jobs.refusals import RefusedError


class Refusal(Enum):
    """Why a worker is not admitted, in words for them."""

    ENOUGH = translatable("You have already done as much as one person may do here.")
    ENDED = translatable("This task has ended.")
    REVOKED = translatable("Your access to this task was revoked.")


class NotAdmittedError(RefusedError):
    """The worker is not admitted."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(gettext(refusal.value))


class ConsentChangedError(Exception):
    """The consent text has changed since the worker agreed to it."""


def set_up(crowd: Crowd, *, by: User | None = None) -> None:
    """Store how workers enter and return. The audit log records that the entry was opened or closed.

    Raises:
        ValidationError: a field is malformed, or the campaign already has a crowd.
    """
    with stored_once(crowd):
        was_open = Crowd.objects.filter(pk=crowd.pk, is_open=True).exists()
        crowd.full_clean()
        crowd.save()
        if crowd.is_open != was_open:
            action = AuditAction.MAKE_LINK if crowd.is_open else AuditAction.REVOKE_LINK
            details = {"for": f"workers of {crowd.place}"}
            record(user=by, action=action, subject=crowd.campaign, details=details)


def earlier_visit(crowd: Crowd, arrival: Arrival) -> Visit | None:
    """The visit that the address names, if the worker has begun it before.

    Raises:
        NotAdmittedError: it is new, and the worker has used up their visits; or the worker was revoked.
    """
    worker = _stored_worker(crowd, arrival)
    if worker is None:
        _admit_anybody(crowd)
        return None
    visit = worker.visits.select_related("consent").filter(key=arrival.visit).first()
    if visit is None or visit.ended_at is None:
        _admit(worker, is_new=visit is None)
    return visit


def agree(crowd: Crowd, arrival: Arrival, *, digest: str, now: datetime | None = None) -> Visit:
    """Admit a worker who agrees to the text with this digest; the same id is the same annotator.

    Raises:
        ConsentChangedError: the text was changed since it was shown.
        NotAdmittedError: the visit is new, and the worker has used up their visits; or the worker was
            revoked.
    """
    now = now or timezone.now()
    with transaction.atomic():
        if digest != crowd.consent_digest:
            raise ConsentChangedError
        worker = _get_or_make_worker(crowd, arrival)
        _lock(worker)
        visit = worker.visits.filter(key=arrival.visit).first()
        if visit is not None and visit.ended_at is not None:
            return visit
        _admit(worker, is_new=visit is None)
        consent, _ = Consent.objects.get_or_create(
            crowd=crowd, digest=digest, defaults={"text": crowd.consent}
        )
        if visit is None:
            visit = Visit(worker=worker, key=arrival.visit, parameters=arrival.parameters, opened_at=now)
        if visit.consent_id != consent.pk:
            visit.consent, visit.agreed_at = consent, now
        visit.full_clean()
        visit.save()
        _allow(worker)
    return visit


def conclude(visit: Visit, *, now: datetime | None = None) -> Visit:
    """End the visit if the worker has completed it; there are no more items for it.

    It is complete if its batches are done, with at least half the screens of full batches, or with fewer if
    the campaign has no more for this worker. A paused campaign may have more later.
    """
    # Imported here, because SciPy takes longer to load than everything that judging needs.
    from annotate.judging.exclusions import verdict_on

    now = now or timezone.now()
    with transaction.atomic():
        annotator = _lock(visit.worker)
        visit.refresh_from_db(fields=["ended_at", "passed", "code", "batches", "screens", "active_ms"])
        done = uncredited(visit.worker)
        crowd = visit.worker.crowd
        enough = done.batches >= crowd.batches_per_visit and done.screens >= crowd.least_screens
        all_there_was = done.screens > 0 and annotator.campaign.state != CampaignState.PAUSED
        if visit.ended_at is None and (enough or all_there_was):
            visit.ended_at = now
            verdict = verdict_on(annotator)
            visit.passed = verdict.passed
            visit.was_checked = verdict.was_checked
            if verdict.check is not None:
                visit.control_cases, visit.control_passed = verdict.check.cases, verdict.check.passed
            visit.code = crowd.code_passed if visit.passed else crowd.code_failed
            visit.batches, visit.screens, visit.active_ms = done.batches, done.screens, done.active_ms
            visit.save()
    return visit


def credited(worker: Worker) -> WorkDone:
    """The credits of the worker's ended visits."""
    sums = worker.visits.exclude(ended_at=None).aggregate(
        *(Sum(name, default=0) for name in ("batches", "screens", "active_ms"))
    )
    return WorkDone(sums["batches__sum"], sums["screens__sum"], sums["active_ms__sum"])


def uncredited(worker: Worker) -> WorkDone:
    """The worker's work that no ended visit was credited with."""
    return work_done(Annotator.objects.filter(pk=worker.annotator_id))[worker.annotator_id] - credited(worker)


def _stored_worker(crowd: Crowd, arrival: Arrival) -> Worker | None:
    return crowd.workers.select_related("annotator").filter(platform_id=arrival.worker).first()


def _get_or_make_worker(crowd: Crowd, arrival: Arrival) -> Worker:
    """The worker with this id; created, with an annotator under a pseudonym, at the first visit."""
    while True:
        if (worker := _stored_worker(crowd, arrival)) is not None:
            return worker
        _admit_anybody(crowd)
        try:
            with transaction.atomic():
                annotator = Annotator.objects.create(
                    campaign=crowd.campaign, name=f"worker-{secrets.token_hex(4)}"
                )
                return Worker.objects.create(crowd=crowd, annotator=annotator, platform_id=arrival.worker)
        except IntegrityError:
            # Another request has just created the same worker, or the name is taken.
            continue


def _lock(worker: Worker) -> Annotator:
    """The worker's annotator, locked: nobody else changes their visits until the transaction ends."""
    locked = Annotator.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    worker.annotator = locked.get(pk=worker.annotator_id)
    return worker.annotator


def _admit_anybody(crowd: Crowd) -> None:
    if crowd.campaign.state == CampaignState.CLOSED:
        raise NotAdmittedError(Refusal.ENDED)


def _admit(worker: Worker, *, is_new: bool) -> None:
    # Revoking an annotator's access, or giving them a personal link instead, ends this access too.
    if worker.annotator.revocations:
        raise NotAdmittedError(Refusal.REVOKED)
    if is_new:
        _admit_anybody(worker.crowd)
    if worker.visits.exclude(ended_at=None).count() >= worker.crowd.visits_per_worker:
        raise NotAdmittedError(Refusal.ENOUGH)


def _allow(worker: Worker) -> None:
    """Allow the worker the batches of one more visit than were credited."""
    before = credited(worker)
    worker.annotator.batch_allowance = before.batches + worker.crowd.batches_per_visit
    worker.annotator.screens_due = before.screens + worker.crowd.least_screens
    worker.annotator.save(update_fields=["batch_allowance", "screens_due"])
