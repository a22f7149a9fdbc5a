"""The rows of jobs and of workers."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNFINISHED = (JobState.QUEUED, JobState.RUNNING)

BEGUN_WITHIN = timedelta(seconds=15)
"""Idle workers start queued jobs much faster than this, unless a message was lost."""


class Job(models.Model):
    """A background job. This row, not the broker, holds its state.

    The worker with the newest claim owns a running job while the lease lasts. Every write of a worker is
    conditional on its claim, so a worker that returns late changes nothing.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    kind = models.CharField(max_length=50)
    title = models.CharField(max_length=300)
    parameters = models.JSONField()
    key = models.CharField(max_length=64, help_text="SHA-256 of kind and parameters.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="jobs")

    state = models.CharField(max_length=20, choices=JobState, default=JobState.QUEUED)
    cancel_requested = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True, help_text="The worker's claim while the job runs.")
    leased_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)

    step = models.CharField(max_length=100, blank=True, help_text="The current step, in words.")
    step_started_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0, help_text="0 if the number of parts is not known.")

    result = models.JSONField(null=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING) | Q(claim__isnull=False, leased_until__isnull=False),
                name="running_job_has_a_lease",
            ),
            models.UniqueConstraint(
                fields=["key"], condition=Q(state__in=UNFINISHED), name="job_is_waited_for_once"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "created_at"], name="job_next"),
            models.Index(fields=["key", "-created_at"], name="job_of_key"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.uuid])

    @property
    def is_finished(self) -> bool:
        """Whether the job has ended."""
        return self.state not in UNFINISHED

    @property
    def is_left_waiting(self) -> bool:
        """Whether it has been queued for long although no worker is busy, so probably none is running."""
        now = timezone.now()
        if self.state != JobState.QUEUED or now - self.created_at < BEGUN_WITHIN:
            return False
        return not Job.objects.filter(state=JobState.RUNNING, leased_until__gt=now).exists()

    def time_left(self, now: datetime | None = None) -> timedelta | None:
        """Estimated time for the rest of the step, from its speed so far; None if unknown."""
        now = now or timezone.now()
        if self.state != JobState.RUNNING or not (self.done and self.total) or self.step_started_at is None:
            return None
        return (now - self.step_started_at) * (max(self.total - self.done, 0) / self.done)


class WorkerSign(models.Model):
    """The last sign of life of a worker process, which sends one each minute, busy or not."""

    worker = models.CharField(max_length=100, unique=True, help_text="Host name and process number.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.worker} at {self.at:%Y-%m-%d %H:%M}"
