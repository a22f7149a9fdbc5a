"""Old rows are deleted, and nothing else."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from annotate.machines.answering import MachineAnswer, store_answers
from annotate.machines.items import hand_out
from annotate.machines.making import machine_of_token, mint_token
from annotate.models import AuditAction, AuditEntry, LoginAttempt, MachineLease, Rating, Revision
from jobs.models import Job
from jobs.signals import daily
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import running

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=400)


@pytest.fixture(autouse=True)
def rows() -> None:
    """Of each kind an old one and a new one, and an old job that has not ended."""
    now = timezone.now()
    for key, at in (("old", now - LONG_AGO), ("new", now)):
        Session.objects.create(session_key=key, session_data="", expire_date=at + timedelta(days=14))
        LoginAttempt.objects.create(at=at, name_digest=key, address="198.51.100.7")
        AuditEntry.objects.create(at=at, action=AuditAction.BLOCK_LOGINS, kind="address", name="198.51.100.7")
        AuditEntry.objects.create(at=at, action=AuditAction.LAUNCH, kind="campaign", name=key)
        Job.objects.create(kind="k", title=key, parameters={}, key=key, state="done", finished_at=at)
    Job.objects.create(kind="k", title="waits", parameters={}, key="w", created_at=now - LONG_AGO)


def left() -> dict[str, Any]:
    return {
        "sessions": [*Session.objects.values_list("session_key", flat=True)],
        "attempts": [*LoginAttempt.objects.values_list("name_digest", flat=True)],
        "addresses": AuditEntry.objects.filter(name="198.51.100.7").count(),
        "entries": AuditEntry.objects.count(),
        "jobs": sorted(Job.objects.values_list("title", flat=True)),
    }


def test_by_default_audit_entries_stay_without_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("apply_retention")
    assert left() == {
        "sessions": ["new"],
        "attempts": ["new"],
        "addresses": 1,
        "entries": 4,
        "jobs": ["new", "waits"],
    }
    assert "sessions 1" in capsys.readouterr().out


def test_workers_do_it_daily_as_the_settings_say(settings: Settings) -> None:
    settings.KEEP_ADDRESSES_DAYS = settings.KEEP_JOBS_DAYS = 0
    settings.KEEP_AUDIT_DAYS = 30
    daily.send(sender=None)
    assert (left()["entries"], left()["addresses"], left()["jobs"]) == (2, 1, ["new", "old", "waits"])


def test_machines_keep_tokens_answers_and_leases() -> None:
    campaign = running(items=4)
    machine = machine_of(campaign)
    token = mint_token(machine, by=None)
    [first, _] = hand_out(machine, 2)
    ranks = {f"rank-{place}": "1" for place in range(len(first.outputs))}
    store_answers(machine, [MachineAnswer(first.number, uuid4(), ranks)])
    Revision.objects.update(submitted_at=timezone.now() - LONG_AGO)
    MachineLease.objects.update(leased_until=timezone.now() - LONG_AGO)
    call_command("apply_retention")
    assert machine_of_token(token) == machine
    assert Rating.objects.filter(revision__judgment__annotator=machine).count() == len(first.outputs)
    assert len(hand_out(machine, 1)) == 1, "an expired lease is handed out again"
    assert MachineLease.objects.count() == 1
