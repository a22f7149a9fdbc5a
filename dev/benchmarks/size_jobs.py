"""Every kind of job and every analysis on a large site: seconds, peak memory, time until a cancel is noticed.

Each job is queued as pages do and run as a worker does, in a separate process. *Peak* is that of the whole
process with the modules of a worker; *wait* is the longest time between two moments at which the job would
notice that it was cancelled, in seconds and, for busy machines, in seconds of processor time. Snapshots and
uploads are kept in a folder beside the database. Jobs that change what others read run on a copy of the
database.

    python -m dev.benchmarks.size_jobs [--database sqlite|postgresql] [--only WORDS] [--judgments N] [--json]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import traceback
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from dev.benchmarks.large_site.database import copy_of, database_url, folder_beside
from dev.benchmarks.large_site.size import NAME, add_size, size_of
from dev.benchmarks.processes import memory_mb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotate.models import Campaign
    from formats.snapshot.snapshot_tables import SnapshotTables
    from jobs.models import Job

LONG_WAIT_SECONDS = 2.0
MEANING_CHANGED = 0.1
"""The share of synthetic ratings with changed meaning."""


def jobs(url: str, only: str = "") -> list[dict[str, object]]:
    """Measure each job on the database at this address, in a separate process.

    Args:
        url: address of the database of a large site.
        only: regular expression that the names of the jobs hold.

    Returns:
        For each job its `name`, `seconds`, `cpu_seconds`, `peak_mb` and the step in which it was reached, the
            memory that remains afterwards (`left_mb`), the longest wait (`wait_s`, `cpu_wait_s`), the waits
            of over two seconds, and the `digest` of its result.
    """
    url, is_new = copy_of(url, "jobs")
    folder = str(folder_beside(url))
    if is_new:
        _in_process(url, folder, "--prepare")
    listed = json.loads(_in_process(url, folder, "--list"))
    wanted = [job for job in listed if re.search(only, job["name"])]
    plain = [job["name"] for job in wanted if not (job["alters"] or job["apart"])]
    if plain:
        _in_process(url, folder, "--queue", *plain)
    measured = [_measured(url, folder, name) for name in plain]
    copy = copy_of(url, "altered", anew=True)[0] if any(job["alters"] for job in wanted) else url
    for job in wanted:
        if job["name"] not in plain:
            at, place = copy if job["alters"] else url, f"{folder}/{job['apart']}"
            _in_process(at, place, "--queue", job["name"])
            measured.append(_measured(at, place, job["name"], *(["--by-scores"] * job["by_scores"])))
    return measured


def _measured(url: str, folder: str, name: str, *options: str) -> dict[str, object]:
    """The measurement of the oldest queued job, which has this name."""
    figures = json.loads(_in_process(url, folder, "--run", *options))
    sys.stderr.write(
        f"{name}: {figures['seconds']} s ({figures['cpu_seconds']} s busy), {figures['peak_mb']} MB, "
        f"{figures['wait_s']} s wait ({figures['cpu_wait_s']} s busy)\n"
    )
    return {"name": name, **figures}


def _in_process(url: str, folder: str, *arguments: str) -> str:
    environment = os.environ | {
        "DATABASE_URL": url,
        "VAR_DIR": folder,
        "CELERY_BROKER_URL": "memory://",
        "SECRET_KEY": "of benchmarks, so that pseudonyms stay",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(  # noqa: S603  # this module
        [sys.executable, "-m", "dev.benchmarks.size_jobs", *arguments],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return done.stdout


def queue(names: list[str]) -> None:
    """Queue the jobs of these names; jobs that were left unfinished are not run again."""
    from annotate.judgments.kept_snapshots import discard_snapshot
    from annotate.models import Campaign
    from dev.benchmarks.large_site.queued import queued_jobs
    from jobs.models import UNFINISHED, Job

    Job.objects.filter(state__in=UNFINISHED).update(state="cancelled", claim=None)
    found, campaign = queued_jobs()[0], Campaign.objects.get(name=NAME)
    for name in names:
        if found[name].anew:
            discard_snapshot(campaign)
        if found[name].by_scores:
            _keep_scores(campaign)
        found[name].queue()


def run() -> dict[str, Any]:
    """Run the queued job in this process as a worker does, and measure it."""
    from jobs import memory
    from jobs.kinds import kinds
    from jobs.models import Job
    from jobs.worker import claim_next
    from jobs.worker import run as work

    memory.share_one_arena(memory.LARGE_IN_JOBS)
    kinds()
    job = claim_next()
    assert job is not None
    with Waits() as waits, Peak(job) as peak:
        busy = process_time()
        start = monotonic()
        work(job)
        seconds, busy = monotonic() - start, process_time() - busy
    memory.give_back()
    job = Job.objects.get(pk=job.pk)
    return {
        "kind": job.kind,
        "state": job.state,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(busy, 1),
        "peak_mb": memory_mb("VmHWM"),
        "peak_in": peak.step,
        "left_mb": memory_mb("VmRSS"),
        "wait_s": round(max(waits.seconds), 1),
        "cpu_wait_s": round(max(waits.cpu_seconds), 1),
        "waits": waits.long,
        "digest": sha256(json.dumps(_result(job), sort_keys=True).encode()).hexdigest(),
        **({"error": job.error} if job.error else {}),
    }


def _result(job: "Job") -> Any:
    from analysis.models import Run

    computed = Run.objects.filter(job=job).first()
    return computed.result if computed else job.result


class Waits:
    """The times between the moments at which a job would notice that it was cancelled.

    Attributes:
        seconds: each time.
        cpu_seconds: processor time of each.
        long: those of more than two seconds, with the place in the program that ended them.
    """

    def __init__(self) -> None:
        from jobs.running import RunningJob

        self._class, self._report = RunningJob, RunningJob._report
        self._last = monotonic(), process_time()
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.long: list[str] = []

    def __enter__(self) -> "Waits":
        def report(job: Any, **news: Any) -> None:
            self._note("" if "step" not in news else f"before {news['step']!r}")
            self._report(job, **news)

        self._class._report = report  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *error: object) -> None:
        self._class._report = self._report  # type: ignore[method-assign]
        self._note("at the end")

    def _note(self, where: str) -> None:
        before, self._last = self._last, (monotonic(), process_time())
        waited, busy = (now - then for now, then in zip(self._last, before, strict=True))
        self.seconds.append(waited)
        self.cpu_seconds.append(busy)
        if waited > LONG_WAIT_SECONDS:
            frames = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_stack()]
            self.long.append(f"{waited:.1f} s, {busy:.1f} s busy {where} ({' < '.join(frames[-3:-7:-1])})")


class Peak:
    """The step of a job in which its process held most memory.

    Attributes:
        step: its title.
    """

    EVERY_SECONDS = 0.1

    def __init__(self, job: "Job") -> None:
        self._job, self._over, self._most = job, Event(), 0
        self.step = ""
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        from django.db import connection

        from jobs.models import Job

        while not self._over.wait(self.EVERY_SECONDS):
            if (held := memory_mb("VmRSS")) > 1.02 * self._most:
                self._most = held
                self.step = Job.objects.values_list("step", flat=True).get(pk=self._job.pk)
        connection.close()


def _keep_scores(campaign: "Campaign") -> None:
    """Keep a snapshot of the campaign whose ratings are scores; the database has the ranks."""
    from annotate.judgments.kept_snapshots import kept_tables, store_snapshot

    tables = kept_tables(campaign, progress=lambda answers: None)
    if tables.ratings["score"].null_count:
        store_snapshot(_with_scores(tables), campaign)


def _with_scores(tables: "SnapshotTables") -> "SnapshotTables":
    """The snapshot with a score for each rank (better is higher) and a flag."""
    import numpy as np
    import pyarrow as pa

    from formats.snapshot.snapshot_tables import table

    rng = np.random.default_rng(0)
    shown = tables.ratings
    felt = 100 - 15 * shown["rank"].to_numpy() + rng.integers(-20, 21, len(shown))
    ratings = {
        "output": shown["output"],
        "position": shown["position"],
        "rank": pa.nulls(len(shown), pa.int16()),
        "score": np.clip(felt, 0, 100).astype(np.int16),
        "meaning_changed": rng.random(len(shown)) < MEANING_CHANGED,
        "rating_details": shown["rating_details"],
    }
    return replace(tables, ratings=table("ratings", ratings))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.size_jobs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    add_size(parser)
    parser.add_argument("--only", default="", help="only jobs whose name holds this regular expression")
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    for inner in ("--prepare", "--list", "--run", "--by-scores"):
        parser.add_argument(inner, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--queue", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if any((options.prepare, options.list, options.run, options.queue)):
        _inner(options)
        return
    measured = jobs(database_url(options.database, size_of(options)), options.only)
    print(json.dumps(measured, indent=2) if options.json else "\n".join(_lines(measured)))


def _lines(measured: list[dict[str, Any]]) -> "Iterator[str]":
    for job in measured:
        figures = f"{job['seconds']:8.1f} s {job['peak_mb']:6} MB {job['wait_s']:6.1f} s wait"
        yield f"{job['name']:<40} {figures}  {job['state']}, {job['peak_in']}"
        yield from (f"    {wait}" for wait in job["waits"])


def _inner(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from analysis.runs.sources import judgments
    from dev.benchmarks.large_site.queued import prepare, queued_jobs

    if options.by_scores:
        judgments.rated_by_score = lambda campaign: True  # type: ignore[attr-defined]
    if options.prepare:
        prepare()
    elif options.list:
        found, left_out = queued_jobs()
        for name, reason in left_out.items():
            sys.stderr.write(f"{name}: not measured: {reason}\n")
        listed = [
            {
                "name": name,
                "alters": job.alters,
                "by_scores": job.by_scores,
                "apart": "by scores" if job.by_scores else "anew" if job.anew else "",
            }
            for name, job in found.items()
        ]
        sys.stdout.write(json.dumps(listed))
    elif options.queue:
        queue(options.queue)
    else:
        sys.stdout.write(json.dumps(run()))


if __name__ == "__main__":
    main()
