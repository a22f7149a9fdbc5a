"""The long jobs on a large campaign: seconds and peak memory of each.

Each is measured in a process of its own, from the call to its end, without the start of the program; peak
memory is that of the whole process. Snapshots lie in a temporary folder. Run alone as
`DATABASE_URL=… python -m benchmarks.size_jobs rank`: the name of a job, and of a campaign other than "Large".
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from annotate.models import Campaign

CAMPAIGN = "Large"
NEW_SHARE = 0.01
NOT_MEASURED = "leave some out"
JOBS = ("snapshot cold", NOT_MEASURED, "snapshot with 1 % new", "quality", "agreement", "rank")


def jobs(url: str, campaign: str = CAMPAIGN) -> list[dict[str, float | str]]:
    """Measure each job on the database at this address, in a process of its own.

    Returns:
        For each its `name`, `seconds`, `peak_mb`, what remains when it is over as `left_mb`, and of how many
        `judgments` and `ratings` it was.
    """
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder}
        measured = []
        for name in JOBS:
            done = subprocess.run(  # noqa: S603  # this module, with names from above
                [sys.executable, "-m", "benchmarks.size_jobs", name, campaign],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
                cwd=Path(__file__).parents[1],
            )
            if name != NOT_MEASURED:
                measured.append(json.loads(done.stdout))
        return measured


def measure(name: str, campaign: str) -> dict[str, float | str]:
    """Do the job in this process, with Django set up, and say what it took."""
    from annotate.models import Campaign
    from annotate.services.snapshots import kept_tables
    from jobs.memory import give_back

    large = Campaign.objects.get(name=campaign)
    work = _works()[name]
    start, busy = perf_counter(), process_time()
    work(large)
    seconds, busy = perf_counter() - start, process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    give_back()
    left = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
    tables = kept_tables(large, progress=lambda answers: None)
    return {
        "name": name,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(busy, 1),
        "peak_mb": round(peak),
        "left_mb": round(left),
        "judgments": len(tables.judgments),
        "ratings": len(tables.ratings),
    }


def _works() -> dict[str, Callable[["Campaign"], Any]]:
    """What each job does, by its name."""
    from analysis.rankings import RATED, choose, rank
    from analysis.tasks import judging_of, standings_in
    from annotate.quality import READ
    from annotate.queries import rated_by_score
    from annotate.services.snapshots import keep, kept_snapshot, kept_tables

    def read(campaign: "Campaign") -> None:
        kept_tables(campaign, progress=lambda answers: None)

    def leave_some_out(campaign: "Campaign") -> None:
        tables = kept_tables(campaign, progress=lambda answers: None)
        stays = np.random.default_rng(0).random(len(tables.judgments)) >= NEW_SHARE
        keep(tables.only(stays), campaign)

    def agree(campaign: "Campaign") -> None:
        frame = kept_snapshot(campaign)[list(RATED)]
        judging_of(campaign, frame, choose(scored=bool(rated_by_score(campaign))))

    return {
        "snapshot cold": read,
        NOT_MEASURED: leave_some_out,
        "snapshot with 1 % new": read,
        "quality": lambda campaign: standings_in(campaign, kept_snapshot(campaign)[list(READ)]),
        "agreement": agree,
        "rank": lambda campaign: rank(kept_snapshot(campaign), choose(scored=bool(rated_by_score(campaign)))),
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(json.dumps(measure(*(sys.argv[1:] if sys.argv[2:] else (sys.argv[1], CAMPAIGN)))))
