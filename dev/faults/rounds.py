"""`python -m dev.faults.rounds ROUND FOLDER [FAULT ...]`: faults on one kind of site, one JSON line each.

`dev.faults.__main__` runs it in a separate process, with the site's settings in the environment.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from dev.faults.services import Disk, Postgres, Redis, wait_until
from dev.faults.site import Site

if TYPE_CHECKING:
    from annotate.models import Corpus
    from dev.faults.cases import Fault, Scene

PEOPLE = 16
"""More than the web workers have threads: the others queue behind those that hang."""

ADMIN = "admin"
BACK_WITHIN_SECONDS = 10
GIVEN_UP_AFTER_SECONDS = 60
LONGEST_WAIT_SECONDS = 5
BEFORE_SECONDS, AFTER_SECONDS = 2, 3


@dataclass(frozen=True, slots=True)
class Round:
    """A kind of site to test.

    Attributes:
        database: description of the database.
        uses_services: whether it runs on PostgreSQL and Redis instead of SQLite and the embedded broker.
        is_on_small_disk: whether its database is on a disk that can fill up.
        kinds: names of the faults in `dev.faults.cases`.
    """

    database: str
    uses_services: bool
    is_on_small_disk: bool
    kinds: tuple[str, ...]


ROUNDS = {
    "services": Round("PostgreSQL", True, False, ("SERVICES", "ANYWHERE")),
    "services-small": Round("PostgreSQL", True, True, ("FULL",)),
    "embedded": Round("SQLite", False, True, ("EMBEDDED", "ANYWHERE", "FULL")),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a fault.

    Attributes:
        back_seconds: seconds after the fault until every annotator has had an answer confirmed again.
        waits: for each request since the fault began, the seconds until an answer, a refusal or the loss of
            the connection.
        troubles: problems; empty if all is well.
        notes: remarks.
    """

    fault: str
    database: str
    back_seconds: float
    waits: list[float]
    confirmed: int
    stored: int
    lost: int
    doubled: int
    over: int
    troubles: list[str]
    notes: list[str]


def run(name: str, folder: Path, only: Sequence[str]) -> Iterator[Outcome]:
    """Start the site and cause the faults one after the other."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.models import Role, User
    from dev.benchmarks.load import PASSWORD
    from dev.faults.campaign import store_sentences
    from dev.faults.cases import Scene

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    User.objects.create_user(ADMIN, password=PASSWORD, role=Role.ADMIN)
    corpus = store_sentences()
    site = Site(folder)
    this = ROUNDS[name]
    site.start()
    try:
        for fault, happen in _faults(this, only).items():
            scene = Scene(
                site,
                corpus,
                postgres=Postgres(postgres_folder(this, folder)) if this.uses_services else None,
                redis=Redis(folder / "redis") if this.uses_services else None,
                disk=Disk(folder / "disk") if this.is_on_small_disk else None,
            )
            yield _happen(fault, this, happen, scene, corpus)
    finally:
        site.stop()


def postgres_folder(this: Round, folder: Path) -> Path:
    """Folder of PostgreSQL's data."""
    return (folder / "disk" if this.is_on_small_disk else folder) / "postgres"


def _faults(this: Round, only: Sequence[str]) -> "Mapping[str, Fault]":
    from dev.faults import cases

    return {
        name: fault
        for kind in this.kinds
        for name, fault in getattr(cases, kind).items()
        if not only or name in only
    }


def _happen(name: str, this: Round, fault: "Fault", scene: "Scene", corpus: "Corpus") -> Outcome:
    from dev.faults.campaign import compare, open_campaign
    from dev.faults.crowd import Crowd

    campaign, tokens = open_campaign(corpus, PEOPLE)
    crowd = Crowd(scene.site.port, tokens, ADMIN)
    with crowd:
        if not wait_until(lambda: crowd.all_answered_since(0) and crowd.is_warm):
            scene.troubles.append("Not everybody could answer before the fault.")
        sleep(BEFORE_SECONDS)
        begun = monotonic()
        with _without_database(), fault(scene):
            healed = monotonic()
            wait_until(lambda: crowd.all_answered_since(healed), GIVEN_UP_AFTER_SECONDS)
            back = monotonic() - healed
            sleep(AFTER_SECONDS)
    scene.troubles += crowd.troubles
    scene.troubles += sorted(crowd.refused)
    if crowd.unconfirmed:
        scene.troubles.append(f"{crowd.unconfirmed} answers were never confirmed.")
    if back > BACK_WITHIN_SECONDS:
        scene.troubles.append(f"Not everybody could answer again within {BACK_WITHIN_SECONDS} s.")
    waits = crowd.waits_since(begun)
    longest, asked_for = max(waits)
    if longest > LONGEST_WAIT_SECONDS:
        scene.troubles.append(f"{asked_for} had no answer and no refusal for {longest:.1f} s.")
    comparison = compare(campaign, crowd.confirmed)
    if comparison.lost or comparison.doubled or comparison.over or not comparison.confirmed:
        scene.troubles.append("The answers are not what was confirmed.")
    return Outcome(
        fault=name,
        database=this.database,
        back_seconds=round(back, 1),
        waits=[round(seconds, 3) for seconds, _ in waits],
        troubles=scene.troubles,
        notes=scene.notes,
        **asdict(comparison),
    )


@contextmanager
def _without_database() -> Iterator[None]:
    """The fault may cut our connection too; the next query opens another."""
    from django.db import connection

    connection.close()
    yield
    connection.close()


def main() -> None:
    """Run a round, and print its outcomes as they come."""
    name, folder, *only = sys.argv[1:]
    for outcome in run(name, Path(folder), only):
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    main()
