"""Payouts to a platform's workers: a table for admins, with one row per visit."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from annotate.database.staging import pieces
from annotate.judging.work_done import WorkDone, work_done
from annotate.models import Annotator, Crowd, Visit, Worker
from core.formulas import guarded
from core.tables import csv_text
from formats.writers.pieces import in_pieces

WORKERS_AT_ONCE = 100
MS_PER_MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Payout:
    """One visit, and the work done in it.

    Attributes:
        visit: of a worker, with their annotator.
        number: of the visit among those of its worker, from 1.
        visits: how many the worker has made in all.
        work: credited to an ended visit; the newest open visit has the work that no other is credited with.
    """

    visit: Visit
    number: int
    visits: int
    work: WorkDone

    @property
    def active_minutes(self) -> float:
        """Minutes with the page in view as the browser reports them, at most as long as the visit took."""
        return round(min(self.work.active_ms, self.server_ms) / MS_PER_MINUTE, 1)

    @property
    def claimed_minutes(self) -> float:
        """Minutes with the page in view as the browser reports them."""
        return round(self.work.active_ms / MS_PER_MINUTE, 1)

    @property
    def claims_too_much(self) -> bool:
        """Whether the browser claims more time than the visit took, beyond what clocks differ by."""
        return self.work.active_ms > self.server_ms + MS_PER_MINUTE

    @property
    def server_ms(self) -> int:
        """Milliseconds from the opening of the visit to its end, or to the worker's newest answer."""
        until = self.visit.ended_at or self.visit.worker.annotator.answered_at or self.visit.opened_at
        return max(int((until - self.visit.opened_at).total_seconds() * 1000), 0)


def payouts(workers: Collection[Worker]) -> Iterator[Payout]:
    """All visits of these workers, worker after worker in the order in which they came."""
    done = work_done(Annotator.objects.filter(worker__in=workers))
    visits = Visit.objects.filter(worker__in=workers).select_related("worker__annotator", "consent")
    for _, group in groupby(visits.order_by("worker", "pk"), key=lambda visit: visit.worker_id):
        visits_of_worker = list(group)
        credited = sum((_credit(visit) for visit in visits_of_worker), WorkDone())
        newest_open = next((visit for visit in reversed(visits_of_worker) if visit.ended_at is None), None)
        for number, visit in enumerate(visits_of_worker, start=1):
            rest = done[visit.worker.annotator_id] - credited if visit is newest_open else _credit(visit)
            yield Payout(visit, number, len(visits_of_worker), rest)


def payout_csv(crowd: Crowd) -> Iterator[bytes]:
    """The visits as CSV, each captured parameter in a column; texts are guarded against spreadsheets."""
    captured = crowd.names.captured
    header = (
        *("worker", "annotator", "annotator_number", "visit", "visit_number", "visits"),
        *(f"parameter:{name}" for name in captured),
        *("consent", "agreed_at", "opened_at", "ended_at"),
        *("batches", "screens", "active_minutes", "outcome", "code"),
        *("checked", "control_cases", "control_passed"),
        *("claimed_minutes", "claims_too_much"),
    )
    return in_pieces(csv_text(header, (_cells(payout, captured) for payout in _all_payouts(crowd))))


def _all_payouts(crowd: Crowd) -> Iterator[Payout]:
    workers = list(crowd.workers.all())
    for some in pieces(workers, WORKERS_AT_ONCE):
        yield from payouts(some)


def _credit(visit: Visit) -> WorkDone:
    return WorkDone(visit.batches, visit.screens, visit.active_ms)


def _cells(payout: Payout, captured: tuple[str, ...]) -> Iterator[object]:
    visit = payout.visit
    parameters: Mapping[str, str] = visit.parameters
    annotator = visit.worker.annotator
    yield from (guarded(visit.worker.platform_id), guarded(annotator.name), annotator.number)
    yield from (guarded(visit.key or None), payout.number, payout.visits)
    yield from (guarded(parameters.get(name)) for name in captured)
    yield visit.consent.digest
    yield from map(_stamp, (visit.agreed_at, visit.opened_at, visit.ended_at))
    yield from (payout.work.batches, payout.work.screens, payout.active_minutes, visit.outcome)
    yield guarded(visit.code or None)
    yield {True: "yes", False: "no", None: None}[visit.was_checked]
    yield from (visit.control_cases, visit.control_passed)
    yield from (payout.claimed_minutes, "yes" if payout.claims_too_much else "no")


def _stamp(time: datetime | None) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if time else ""
