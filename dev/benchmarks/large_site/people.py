"""Accounts, crowd workers with visits, audit entries and jobs."""

import numpy as np

from dev.benchmarks.large_site.size import NAME, Size, stamps


def store_people(size: Size) -> None:
    from annotate.models import Role, User
    from dev.benchmarks.bulk_rows import store

    User.objects.create_user("admin", role=Role.ADMIN)
    User.objects.create_user("researcher", role=Role.RESEARCHER)
    people = 5 * size.annotators
    store(
        User,
        people,
        username=[f"person-{number:05}" for number in range(people)],
        password="!",  # noqa: S106
        role=Role.ANNOTATOR,
        date_joined=stamps(np.zeros(people)),
    )


def store_crowd() -> None:
    """Each annotator is a worker with ten visits."""
    from annotate.models import Annotator, Consent, Crowd, Visit, Worker
    from dev.benchmarks.bulk_rows import store

    crowd = Crowd.objects.get()
    consent = Consent.objects.create(crowd=crowd, text=crowd.consent, digest=crowd.consent_digest)
    people = list(
        Annotator.objects.filter(campaign=crowd.campaign_id).order_by("pk").values_list("pk", flat=True)
    )
    workers = store(
        Worker,
        len(people),
        crowd_id=crowd.pk,
        annotator_id=people,
        platform_id=[f"{number:024x}" for number in range(len(people))],
    )
    visits = 10
    store(
        Visit,
        visits * len(people),
        worker_id=np.repeat(np.asarray(workers), visits).tolist(),
        key=[f"visit-{number}" for number in range(visits)] * len(people),
        consent_id=consent.pk,
        agreed_at=stamps(np.zeros(visits * len(people))),
        ended_at=([*stamps(np.ones(visits - 1)), None]) * len(people),
        passed=([True] * (visits - 1) + [None]) * len(people),
        code=(["PASSED"] * (visits - 1) + [""]) * len(people),
        batches=1,
        screens=100,
        active_ms=2_000_000,
    )


def store_records(size: Size) -> None:
    """Ended jobs, and audit entries."""
    from annotate.models import AuditEntry, User
    from dev.benchmarks.bulk_rows import store
    from jobs.models import Job

    rows = size.items
    at = np.linspace(0, 1, rows)
    admin = User.objects.get(username="admin").pk
    store(
        AuditEntry,
        rows,
        at=stamps(at),
        user_id=admin,
        who="admin",
        action=["export", "make-link"] * (rows // 2),
        kind="campaign",
        name=NAME,
        details='{"format": "csv"}',
    )
    store(
        Job,
        rows,
        kind="check-upload",
        title="Check of an upload",
        parameters="{}",
        key=[f"{number:064x}" for number in range(rows)],
        owner_id=admin,
        state="done",
        result='{"summary": "Nothing to import."}',
        created_at=stamps(at),
        started_at=stamps(at, seconds=1),
        finished_at=stamps(at, seconds=2),
    )
