"""The parts of a computation: kept in memory, or in the database and shared out among workers."""

from collections.abc import Iterator, Sequence
from time import sleep
from typing import Any

from django.db import transaction

from analysis.analyses.rules import stated_rule
from analysis.models import WAITING, Run, RunPart
from analysis.runs.results import from_json, to_json
from core.progress import Progress
from formats.digests import text_digest
from jobs.models import Job, JobState
from jobs.running import RunningJob

LOOK_AGAIN_SECONDS = 0.5
"""How often a worker with nothing left to compute looks whether the others are done."""


class Parts(dict[int, Any]):
    """Parts by number, in memory."""

    def to_compute(self, sizes: Sequence[int], progress: Progress) -> Iterator[int]:
        """The numbers of the missing parts. Each is computed and set before the next is asked for.

        Args:
            sizes: of all parts, in the unit of their progress.
            progress: is told of parts that are there already.
        """
        if before := sum(sizes[number] for number in self):
            progress.advance(before)
        for number in range(len(sizes)):
            if number not in self:
                yield number


class SharedParts(Parts):
    """The parts of a run, computed by one or more workers, each stored in the database when it is done.

    A part belongs to a job while that job runs: if its worker dies, the job loses its claim, and another
    worker computes the part.
    """

    def __init__(self, run: Run, digest: str, kind: Any, job: RunningJob) -> None:
        """`digest` is that of the inputs, `kind` the type of a part; `job` computes parts."""
        super().__init__()
        rule = stated_rule(run.analysis)
        self._run, self._kind, self._claim = run, kind, job.claim
        self._digest = text_digest(f"{digest}{rule}") if rule else digest
        self._rows = RunPart.objects.filter(run=run, digest=self._digest)

    def to_compute(self, sizes: Sequence[int], progress: Progress) -> Iterator[int]:
        """The numbers of parts that no other worker computes; ends when all parts are there.

        Raises `Run.DoesNotExist` if the run was deleted meanwhile.
        """
        self._run.parts.exclude(digest=self._digest).delete()
        while True:
            if new := self._read():
                progress.advance(sum(sizes[number] for number in new))
            number = self._next(len(sizes))
            if number is not None:
                yield number
            elif len(self) == len(sizes):
                return
            else:
                self._run.refresh_from_db(fields=["computed_at"])
                sleep(LOOK_AGAIN_SECONDS)
                progress.step()

    def __setitem__(self, number: int, part: Any) -> None:
        """Raises `Run.DoesNotExist` if the run was deleted meanwhile."""
        mine = self._rows.filter(number=number, claim=self._claim, result__isnull=True)
        if not mine.update(result=to_json(part)):  # Or another worker took it over, with the same result.
            self._run.refresh_from_db(fields=["computed_at"])
        super().__setitem__(number, part)

    def _read(self) -> list[int]:
        """The numbers of parts that are there since the last time."""
        done = self._rows.filter(result__isnull=False)
        new = set(done.values_list("number", flat=True)) - self.keys()
        for number, result in done.filter(number__in=new).values_list("number", "result"):
            super().__setitem__(number, from_json(self._kind, result))
        return sorted(new)

    @transaction.atomic
    def _next(self, number_of_parts: int) -> int | None:
        """Take the first part that nobody computes; None if there is none, or the run has ended."""
        runs = Run.objects.select_for_update(of=["self"])
        if not runs.filter(WAITING, pk=self._run.pk, job__state=JobState.RUNNING).exists():
            return None
        rows = {row.number: row for row in self._rows.filter(result__isnull=True)}
        claims = [row.claim for row in rows.values()]
        at_work = set(Job.objects.filter(claim__in=claims).values_list("claim", flat=True)) - {self._claim}
        done = set(self._rows.filter(result__isnull=False).values_list("number", flat=True))
        for number in range(number_of_parts):
            if number not in rows and number not in done:
                RunPart.objects.create(run=self._run, digest=self._digest, number=number, claim=self._claim)
                return number
            if number in rows and rows[number].claim not in at_work:
                self._rows.filter(number=number).update(claim=self._claim)
                return number
        return None


class HelpedParts(SharedParts):
    """The parts of a run of another job, some of which this job computes."""

    def to_compute(self, sizes: Sequence[int], progress: Progress) -> Iterator[int]:
        """The numbers of parts that no other worker computes, while there are any."""
        while (number := self._next(len(sizes))) is not None:
            yield number
            self.clear()
