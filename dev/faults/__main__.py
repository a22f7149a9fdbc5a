"""`python -m dev.faults`: kills and disconnects the parts of a site while simulated annotators judge.

Everything runs in a temporary folder: PostgreSQL, Redis, the site as started by `make run`, and 16
simulated annotators. Like the browser, they send each answer until it is confirmed, every third one twice at
once, and an admin reloads pages. During each fault, every request must get an answer or a refusal within
5 seconds. After it, all annotators must be able to answer again within 10 seconds, and the stored answers
must be the confirmed ones: none lost, none duplicated, no item filled more often than wanted. Otherwise the
exit status is 1.

The waits of the table are those of all requests since the fault began, in seconds.

A full disk is simulated by a small tmpfs if mounting is allowed (as root), otherwise by a limit on file sizes
(RLIMIT_FSIZE) for the processes that write to the database.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from dev.faults.rounds import PEOPLE, ROUNDS, Round, postgres_folder
from dev.faults.services import Disk, MissingError, Postgres, Redis, postgres_programs, redis_program

DISK_MEGABYTES = 120
WAITS = ("requests", "p50", "p95", "p99", "longest")
COUNTS = ("confirmed", "stored", "lost", "doubled", "over")

console = Console(stderr=True)


@contextmanager
def settings_of(this: Round, folder: Path) -> Iterator[dict[str, str]]:
    """Set up what the site needs, and yield its settings."""
    disk, postgres, redis = Disk(folder / "disk"), None, None
    try:
        if this.is_on_small_disk:
            disk.create(DISK_MEGABYTES)
        settings = {"CELERY_BROKER_URL": "", "VAR_DIR": str(folder / "var"), "DEBUG": "False"}
        if this.uses_services:
            postgres, redis = Postgres(postgres_folder(this, folder)), Redis(folder / "redis")
            postgres.create()
            redis.create()
            settings |= {"DATABASE_URL": postgres.url, "CELERY_BROKER_URL": redis.url}
        else:
            settings["DATABASE_URL"] = f"sqlite:///{folder / 'disk' / 'assay.sqlite3'}"
        yield settings
    finally:
        if redis is not None:
            redis.kill()
        if postgres is not None:
            postgres.stop("immediate")
        disk.remove()


def outcomes_of(name: str, only: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Run a round and yield its outcomes as they come. A round that breaks off is an outcome too."""
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as created:
        folder = Path(created)
        folder.chmod(0o755)  # PostgreSQL's user needs access to its data.
        with settings_of(ROUNDS[name], folder) as settings:
            command = [sys.executable, "-m", "dev.faults.rounds", name, created, *only]
            process = subprocess.Popen(command, env=os.environ | settings, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    yield json.loads(line)
            finally:
                process.terminate()
                status = process.wait()
        if status:
            log = folder / "log"
            console.print(log.read_text()[-3000:] if log.exists() else "", markup=False, highlight=False)
            yield {
                "fault": "the round itself",
                "database": ROUNDS[name].database,
                "troubles": [f"It broke off (status {status})."],
                "notes": [],
                "waits": [],
            }


def with_figures(outcome: dict[str, Any]) -> dict[str, Any]:
    """The outcome with percentiles of its waits in place of the waits, in seconds."""
    figures = {name: value for name, value in outcome.items() if name != "waits"}
    if waits := outcome["waits"]:
        p50, p95, p99 = (round(float(part), 3) for part in np.percentile(waits, (50, 95, 99)))
        figures |= {"requests": len(waits), "p50": p50, "p95": p95, "p99": p99, "longest": max(waits)}
    return figures


def whole_run(outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All outcomes as one."""
    return {
        "fault": "the whole run",
        "database": "",
        **{name: sum(outcome.get(name, 0) for outcome in outcomes) for name in COUNTS},
        "troubles": [],
        "notes": [],
        "waits": [seconds for outcome in outcomes for seconds in outcome["waits"]],
    }


def table_of(outcomes: Sequence[dict[str, Any]]) -> Table:
    """The outcomes as a table, one row each."""
    table = Table(title=f"Faults while {PEOPLE} people judge")
    table.add_column("fault")
    table.add_column("database")
    columns = {"back_seconds": "back after s", **{name: name for name in (*WAITS, *COUNTS)}}
    for heading in columns.values():
        table.add_column(heading, justify="right")
    table.add_column("outcome")
    for outcome in outcomes:
        words = "; ".join([*outcome["troubles"], *outcome["notes"]])
        state = "[red]failed[/red]" if outcome["troubles"] else "[green]well[/green]"
        table.add_row(
            outcome["fault"],
            outcome["database"],
            *(str(outcome.get(name, "")) for name in columns),
            f"{state}: {words}" if words else state,
        )
    return table


def main() -> None:
    """Run the rounds, and print a table or JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these, such as 'disk full'")
    parser.add_argument("--round", dest="rounds", action="append", choices=list(ROUNDS), help="only this one")
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    options = parser.parse_args()
    try:
        postgres_programs()
        redis_program()
    except MissingError as error:
        sys.exit(str(error))
    outcomes = []
    for name in options.rounds or ROUNDS:
        console.print(f"Starting a site on {ROUNDS[name].database} ({name})", highlight=False)
        for outcome in outcomes_of(name, options.faults):
            longest = max(outcome["waits"], default=0)
            back = f"back after {outcome.get('back_seconds')} s, longest wait {longest} s"
            state = "; ".join([*outcome["troubles"], back])
            console.print(f"  {outcome['fault']}: {state}", highlight=False)
            outcomes.append(outcome)
    figures = [with_figures(outcome) for outcome in [*outcomes, whole_run(outcomes)]]
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        wide = None if sys.stdout.isatty() else 200
        Console(width=wide).print(table_of(figures))
    if not outcomes or any(outcome["troubles"] for outcome in outcomes):
        sys.exit(1)


if __name__ == "__main__":
    main()
