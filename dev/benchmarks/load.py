"""Load of a shared task: many annotators with pauses between answers, and all other activity.

There are four equal groups: ordinary annotators, annotators who send every answer twice at once, who answer
in two tabs at once, and who drop the connection before the confirmation and send again. Meanwhile, corpora
are imported, judgments are exported and an admin reloads every page, all repeatedly. Times are for "submit
and next", from sending an answer until it is confirmed and the next screen has arrived, without the group
that sends again on purpose.

`--protocol` says what they are asked, and `--kill` kills a web worker in the middle of the run, which the
master replaces; annotators whose connection it held send their answers again.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from dev.benchmarks import annotator
from dev.benchmarks.annotator import Annotator, Answer
from dev.benchmarks.annotators import RELATIVE_RANKING, database, open_campaign, server
from dev.benchmarks.light_client import PATIENCE_SECONDS, Browser, Response
from dev.benchmarks.processes import children, command, resident_megabytes

BATCH = 20
DEFAULTS = {"sqlite": (50, 2.0), "postgresql": (200, 8.0)}
MINUTES = 10.0
SLOWEST_MS = 250
MOMENTS = {"start": 0.05, "middle": 0.45, "end": 0.5}
"""When memory is measured: shares of the time since the moment before."""
STEP_SECONDS = 20
PASSWORD = "benchmarks-only-a7"  # noqa: S105  # of an account in a database that is thrown away
IMPORTED_SENTENCES = 2000
FORMATS = ("csv", "jsonl", "parquet", "appraise", "wmt-csv")
NOT_RELOADED = re.compile(r"^/(static|judge|join|logout|api)|export|/(end|delete|launch)/|\.(csv|jsonl)")


class Habit(Enum):
    """How an annotator sends an answer."""

    SENDS_ONCE = "ordinary"
    SENDS_TWICE = "sending twice"
    TWO_TABS = "in two tabs"
    DROPS = "dropping connections"


@dataclass
class Log(annotator.Log):
    """Log of all annotators together.

    Attributes:
        beside: how often each background activity finished.
        memory: MB of each process of the site, at each of the moments.
    """

    beside: Counter[str] = field(default_factory=Counter)
    memory: dict[str, dict[str, float]] = field(default_factory=dict)

    def wait_ms(self, percent: float, *, since: float = 0) -> float:
        """A percentile of the waits that ended since then."""
        waits = [seconds for ended, seconds in self.waits if ended >= since]
        return round(float(np.percentile(waits, percent)) * 1000, 1) if waits else float("nan")


@dataclass
class Pace:
    """Pace of all annotators: seconds between answers; changes during the search for the highest rate."""

    pause: float


async def judge(one: Annotator, habit: Habit, pace: Pace, rng: random.Random, stop: asyncio.Event) -> None:
    """Answer until it is time to stop, at least once even on a slow machine."""
    await asyncio.sleep(rng.uniform(0, pace.pause))
    page = await one.enter()
    while not (stop.is_set() and one.log.confirmed):
        await asyncio.sleep(pace.pause * rng.uniform(0.5, 1.5))
        answer = one.answer_to(page)
        page = await (deliver(one, page, answer, habit, rng) if answer else one.page(one.browser))
    one.browser.close()


async def deliver(one: Annotator, page: str, answer: Answer, habit: Habit, rng: random.Random) -> str:
    """Send an answer to the page in the annotator's way; returns what comes next."""
    if habit is Habit.SENDS_TWICE:
        return await one.send_at_once(answer, answer)
    if habit is Habit.TWO_TABS and (other := one.answer_to(page)):
        return await one.send_at_once(answer, other)
    if habit is Habit.DROPS:
        with suppress(OSError):
            await one.browser.post_and_leave(answer.path, answer.fields, after=rng.uniform(0, 0.1))
    return await one.send(answer)


async def reload_every_page(admin: Browser, log: Log, stop: asyncio.Event) -> None:
    """Follow all links from the home page, page after page, and start again."""
    while not stop.is_set():
        waiting, visited = ["/"], {"/"}
        while waiting and not stop.is_set():
            response = await _noted(admin.get(waiting.pop(0)), log)
            if (
                response is None
                or response.status != 200
                or not response.body.lstrip().startswith(b"<!doctype")
            ):
                continue
            for link in re.findall(r'href="(/[^"#?]*)"', response.text):
                if link not in visited and not NOT_RELOADED.search(link):
                    visited.add(link)
                    waiting.append(link)
            await asyncio.sleep(0.5)
        log.beside["reloads of every page"] += not waiting


async def export(admin: Browser, campaign: str, log: Log, stop: asyncio.Event) -> None:
    """Export the judgments, in one format after the other."""
    while not stop.is_set():
        for file_format in FORMATS:
            address = f"/campaigns/{campaign}/export/?file_format={file_format}"
            response = await _noted(admin.get(address), log)
            log.beside["exports"] += response is not None and response.status == 200
            await asyncio.sleep(1)


async def import_corpora(folder: Path, log: Log, stop: asyncio.Event) -> None:
    """Import one corpus after the other, by the command."""
    source, output = folder / "source.txt", folder / "corrected.txt"
    source.write_text("".join(f"Sentence {n} have a error .\n" for n in range(IMPORTED_SENTENCES)))
    output.write_text("".join(f"Sentence {n} has an error .\n" for n in range(IMPORTED_SENTENCES)))
    while not stop.is_set():
        name = f"import-{log.beside['imports']}"
        command = ["manage.py", "import_corpus", name, "--language", "en", "--source", str(source)]
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--system", str(output), stdout=asyncio.subprocess.DEVNULL
        )
        if await process.wait():
            log.errors["import"] += 1
        log.beside["imports"] += 1
        await asyncio.sleep(5)


async def _noted(request: Awaitable[Response], log: Log) -> Response | None:
    """The response; a problem is logged as an error, without a retry."""
    try:
        response = await request
    except OSError as error:
        log.errors[f"beside: {type(error).__name__}"] += 1
        return None
    if response.status >= 500:
        log.errors[f"beside: status {response.status}"] += 1
    return response


async def log_in(port: int, name: str, *, patience: float = PATIENCE_SECONDS) -> Browser:
    """A client that is logged in to the account."""
    browser = Browser(port, patience=patience)
    await browser.get("/login/")
    await browser.post("/login/", {"username": name, "password": PASSWORD})
    return browser


def web_masters() -> list[int]:
    """The web server that this process has started."""
    return [number for number in children(os.getpid()) if "gunicorn" in command(number)]


def web_workers() -> list[int]:
    """Its processes that answer requests."""
    return sorted(number for master in web_masters() for number in children(master))


def memory_of_site() -> dict[str, float]:
    """MB of each process of the web server, and of the job worker, which this process has started."""
    named = {
        "web master": web_masters(),
        "job worker": [n for n in children(os.getpid()) if "celery" in command(n)],
    }
    named |= {f"web worker {place}": [number] for place, number in enumerate(web_workers(), start=1)}
    return {name: round(sum(map(resident_megabytes, numbers))) for name, numbers in named.items() if numbers}


@contextmanager
def job_worker() -> Iterator[None]:
    """The worker that `make run` starts."""
    celery = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker", "--loglevel", "error"]
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    process = subprocess.Popen([*celery, *alone], stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        yield
    finally:
        process.terminate()
        process.wait()


async def work(
    port: int,
    campaign: str,
    tokens: list[str],
    pace: Pace,
    minutes: float,
    *,
    seek_highest: bool,
    kills: bool = False,
) -> tuple[Log, float]:
    """Run all annotators; in the middle, a web worker is killed if that is asked for.

    Returns:
        Their log, and the highest rate in answers per second with a 95th percentile of "submit and next"
            below 250 ms; 0 if it was not searched for, or missed at once.
    """
    log, stop = Log(), asyncio.Event()
    habits = list(Habit)
    admins = [await log_in(port, "admin") for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        tasks = [
            asyncio.create_task(
                judge(
                    Annotator(port, token, log),
                    habits[number % len(habits)],
                    pace,
                    random.Random(number),  # noqa: S311  # a simulation
                    stop,
                )
            )
            for number, token in enumerate(tokens)
        ]
        tasks += [
            asyncio.create_task(reload_every_page(admins[0], log, stop)),
            asyncio.create_task(export(admins[1], campaign, log, stop)),
            asyncio.create_task(import_corpora(Path(folder), log, stop)),
        ]
        for moment, share in MOMENTS.items():
            await asyncio.sleep(minutes * 60 * share)
            log.memory[moment] = memory_of_site()
            if kills and moment == "middle":
                os.kill(web_workers()[0], signal.SIGKILL)
        main_log = Log(waits=list(log.waits))
        highest = await highest_rate(pace, log) if seek_highest else 0.0
        stop.set()
        await asyncio.gather(*tasks)
    for admin in admins:
        admin.close()
    log.waits = main_log.waits
    return log, highest


async def highest_rate(pace: Pace, log: Log) -> float:
    """Shorten the pauses step by step until p95 is too long; returns answers per second before that."""
    highest = 0.0
    while True:
        await asyncio.sleep(2)
        since, before = time.monotonic(), len(log.waits)
        await asyncio.sleep(STEP_SECONDS)
        if not log.wait_ms(95, since=since) < SLOWEST_MS:
            return highest
        highest = max(highest, round((len(log.waits) - before) / STEP_SECONDS, 1))
        pace.pause *= 0.75


def comparison(campaign: Any, confirmed: Collection[str]) -> dict[str, int]:
    """Compare confirmed answers with the database."""
    from django.db.models import Count, F, Q

    from annotate.models import Item, Judgment, Revision

    judgments = Judgment.objects.filter(item__campaign=campaign)
    of_campaign = Revision.objects.filter(judgment__in=judgments)
    stored = {str(key) for key in of_campaign.values_list("submission_key", flat=True)}
    counting = Q(judgments__state__in=["complete", "auto"])
    items = Item.objects.filter(campaign=campaign).annotate(
        answers=Count("judgments", counting, distinct=True), wanted=Count("slots", distinct=True)
    )
    twice = judgments.order_by().values("item", "annotator", "repetition").annotate(number=Count("pk"))
    return {
        "confirmed": len(confirmed),
        "stored": len(stored),
        "lost": len(set(confirmed) - stored),
        "doubled": of_campaign.count() - len(stored) + twice.filter(number__gt=1).count(),
        "over": items.filter(answers__gt=F("wanted")).count(),
    }


def measure(
    annotators: int,
    pause: float,
    minutes: float,
    *,
    protocol: str = RELATIVE_RANKING,
    seek_highest: bool = False,
    kills: bool = False,
) -> dict[str, Any]:
    """Set up, let them work, compare."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.models import Role, User

    call_command("migrate", verbosity=0)
    User.objects.create_user("admin", password=PASSWORD, role=Role.ADMIN)
    # Twice what they can answer in this time, to have enough for the search afterwards.
    answers = annotators * minutes * 60 / max(pause, 0.2) * (3 if seek_highest else 1.5)
    campaign, tokens = open_campaign(
        annotators,
        protocol,
        items=int(answers / 2) + annotators * BATCH,
        batch_size=BATCH,
        annotators_per_item=2,
        shared_percent=100,
    )
    with server() as port, job_worker():
        log, highest = asyncio.run(
            work(
                port,
                str(campaign.uuid),
                tokens,
                Pace(pause),
                minutes,
                seek_highest=seek_highest,
                kills=kills,
            )
        )
    figures: dict[str, Any] = {
        **comparison(campaign, log.confirmed),
        "p50_ms": log.wait_ms(50),
        "p95_ms": log.wait_ms(95),
        "p99_ms": log.wait_ms(99),
        "errors": sum((log.errors + log.refused).values()),
        "answers_per_second": round(len(log.waits) / (minutes * 60), 1),
        "errors_by_kind": dict(log.errors + log.refused),
        "beside": dict(log.beside),
        "memory_mb": log.memory,
    }
    return figures | ({"highest_answers_per_second": highest} if seek_highest else {})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--protocol", default=RELATIVE_RANKING, help="what annotators are asked")
    parser.add_argument("--kill", action="store_true", help="kill a web worker in the middle")
    parser.add_argument("--annotators", type=int, help="50 on SQLite, 200 on PostgreSQL")
    parser.add_argument(
        "--pause", type=float, help="mean seconds between answers: 2 on SQLite, 8 on PostgreSQL"
    )
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument(
        "--highest", action="store_true", help="then look for the highest rate with p95 under 250 ms"
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of lines")
    options = parser.parse_args()
    annotators, pause = DEFAULTS[options.database]
    if options.annotators is not None:
        annotators = options.annotators
    if options.pause is not None:
        pause = options.pause
    with tempfile.TemporaryDirectory() as folder, database(options.database, folder) as url:
        os.environ |= {
            "VAR_DIR": folder,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"], check=True
        )
        figures = measure(
            annotators,
            pause,
            options.minutes,
            protocol=options.protocol,
            seek_highest=options.highest,
            kills=options.kill,
        )
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, value in figures.items():
            print(f"{name:<28} {value}")
    if figures["lost"] or figures["doubled"] or figures["over"] or figures["confirmed"] != figures["stored"]:
        sys.exit("Answers were lost, doubled or given beyond what was wanted.")


if __name__ == "__main__":
    main()
