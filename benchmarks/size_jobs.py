"""The long jobs on a large campaign: seconds and peak memory of each.

Each is measured in a separate process, from call to return, without the start of the program; peak memory is
that of the whole process. Snapshots are in a temporary folder. Jobs on scores use the campaign's rankings
with a synthetic score for each rank. `DATABASE_URL=… python -m benchmarks.size_jobs rank` runs one job; the
name of a campaign other than "Large" may follow.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from annotate.models import Campaign
    from formats.snapshot_tables import SnapshotTables

CAMPAIGN = "Large"
NEW_SHARE = 0.01
NOT_MEASURED = "leave some out"
JOBS = (
    "snapshot cold",
    NOT_MEASURED,
    "snapshot with 1 % new",
    "quality",
    "agreement",
    "rank",
    "look",
    "stopping",
    "fragility",
    "judge model",
    "quality of scores",
    "agreement of scores",
    "rank by scores",
)
MEANING_CHANGED = 0.1
"""The share of synthetic ratings with changed meaning."""


def jobs(url: str, campaign: str = CAMPAIGN) -> list[dict[str, float | str]]:
    """Measure each job on the database at this address, in a separate process.

    Returns:
        For each job its `name`, `seconds`, `peak_mb`, the memory that remains afterwards (`left_mb`), and the
            numbers of `judgments` and `ratings`.
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
    """Run the job in this process, with Django set up, and measure it."""
    from annotate.judgments.kept_snapshots import kept_tables
    from annotate.models import Campaign
    from jobs.memory import give_back

    large = Campaign.objects.get(name=campaign)
    work = _works()[name]
    start, busy = perf_counter(), process_time()
    work(large)
    seconds, busy = perf_counter() - start, process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    give_back()
    if name == NOT_MEASURED:
        return {}  # The measured job would otherwise update the file.
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
    """The function of each job, by name."""
    from analysis.analyses.agreement import AGREEMENT
    from analysis.analyses.base import Analysis
    from analysis.analyses.fragility import FRAGILITY
    from analysis.analyses.inputs import LeftOut
    from analysis.analyses.judge_model import JUDGE_MODEL
    from analysis.analyses.quality import QUALITY
    from analysis.analyses.ranking import RANKING
    from analysis.analyses.stopping import STOPPING
    from analysis.runs.computing import computed
    from analysis.runs.looking import look_now
    from analysis.runs.requests import Request
    from analysis.runs.sources import source_of
    from analysis.runs.sources.judgments import judgments_of
    from annotate.judgments.kept_snapshots import kept_tables, store_snapshot
    from annotate.judgments.queries import rated_by_score
    from annotate.judgments.snapshot_reading import frame_of_tables
    from annotate.models import StopsWhen
    from core.progress import NoProgress
    from jobs.memory import give_back

    def read(campaign: "Campaign") -> None:
        kept_tables(campaign, progress=lambda answers: None)

    def leave_some_out(campaign: "Campaign") -> None:
        tables = kept_tables(campaign, progress=lambda answers: None)
        stays = np.random.default_rng(0).random(len(tables.judgments)) >= NEW_SHARE
        store_snapshot(tables.only(stays), campaign)

    def request_of(analysis: Analysis[Any, Any], campaign: "Campaign", *, scored: bool) -> Request:
        parameters = analysis.resolved(analysis.parameters(), scored=scored)
        return Request(analysis, campaign, parameters, LeftOut())

    def as_judged(analysis: Analysis[Any, Any]) -> Callable[["Campaign"], None]:
        def run(campaign: "Campaign") -> None:
            request = request_of(analysis, campaign, scored=bool(rated_by_score(campaign)))
            inputs = source_of(analysis).load(request, 0, NoProgress(), at_once=False)
            computed(analysis, inputs, request.parameters, NoProgress(), {})

        return run

    def look(campaign: "Campaign") -> None:
        campaign.design.stops_when = StopsWhen.ORDER
        look_now(campaign, NoProgress())

    def of_scores(analysis: Analysis[Any, Any]) -> Callable[["Campaign"], None]:
        def run(campaign: "Campaign") -> None:
            request = request_of(analysis, campaign, scored=True)
            inputs = judgments_of(request, scored(campaign))
            give_back()
            computed(analysis, inputs, request.parameters, NoProgress(), {})

        return run

    def scored(campaign: "Campaign") -> "pd.DataFrame":
        return frame_of_tables(campaign, _with_scores(kept_tables(campaign, progress=lambda answers: None)))

    return {
        "snapshot cold": read,
        NOT_MEASURED: leave_some_out,
        "snapshot with 1 % new": read,
        "quality": as_judged(QUALITY),
        "agreement": as_judged(AGREEMENT),
        "rank": as_judged(RANKING),
        "look": look,
        "stopping": as_judged(STOPPING),
        "fragility": as_judged(FRAGILITY),
        "judge model": as_judged(JUDGE_MODEL),
        "quality of scores": of_scores(QUALITY),
        "agreement of scores": of_scores(AGREEMENT),
        "rank by scores": of_scores(RANKING),
    }


def _with_scores(tables: "SnapshotTables") -> "SnapshotTables":
    """The same with a score for each rank (better is higher) and a flag."""
    import pyarrow as pa

    from formats.snapshot_tables import table

    rng = np.random.default_rng(0)
    shown = tables.ratings
    felt = 100 - 15 * shown["rank"].to_numpy() + rng.integers(-20, 21, len(shown))
    ratings = {
        "output": shown["output"],
        "position": shown["position"],
        "rank": pa.nulls(len(shown), pa.int16()),
        "score": np.clip(felt, 0, 100).astype(np.int16),
        "meaning_changed": rng.random(len(shown)) < MEANING_CHANGED,
    }
    return replace(tables, ratings=table("ratings", ratings))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(json.dumps(measure(*(sys.argv[1:] if sys.argv[2:] else (sys.argv[1], CAMPAIGN)))))
