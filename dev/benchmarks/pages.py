"""Every page and API list of a large campaign: seconds of the first and the last page, and queries.

The addresses come from the URL configuration, so a new page is measured too, unless nobody has described its
address, which fails the run. Each is requested in this process, with nothing cached, as an admin or an
annotator: the best of three requests after one that is not counted. For a download, the time is that to its
first bytes, and the rate is that of the bytes after them, for some megabytes; for a list of one page, first
and last page are the same. A request is cold if it is the first of a new process, forked as gunicorn forks
its workers, that has been idle for a moment. The memory is that of the process while it answers each request,
after all those before. It returns freed memory as web processes do. Jobs whose results are shown on pages run
before, in a separate process, unless they are skipped; then these pages are measured without results.
"""

import argparse
import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from dev.benchmarks.large_site.addresses import TOKEN, Site, routes
from dev.benchmarks.large_site.database import database_url
from dev.benchmarks.large_site.size import add_size, size_of
from dev.benchmarks.processes import forget_peak, memory_mb
from dev.benchmarks.size_jobs import jobs
from jobs import memory

LIMITS = {"sqlite": 2.0, "postgresql": 1.0}
"""Maximum seconds for each page, first or last."""

PICTURE = 2.0
"""Maximum seconds for each picture."""

COLD, COLD_PICTURE = 1.0, 2.0
"""Maximum seconds of a first page and a first picture, beyond what the same request takes when warm."""

STREAMED_MB, STREAMED_SECONDS = 20, 20
"""Megabytes of a download that are read, at most, and for how long."""

SLOWEST_STREAM, SHORTEST_STREAM_MB = 5, 1
"""Fewest megabytes a second of a download; shorter ones are not judged."""

MOST_MB = 400
"""Most memory of a web process."""

RUNS = 3

NOT_MEASURED = {
    "upload": "shows one upload, whatever is stored",
    "set-password": "asks for a password by a link that is valid once",
    "crowd-frame": "is the same way in as crowd, in a frame of Mechanical Turk",
    "practice": "shows the guidelines alone; the campaign has no practice",
    "visit-end": "ends the visit of a worker",
    "practice-compared": "shows one practice screen as it was answered; the campaign has no practice",
    "practice-result": "shows what is missing of the practice that the campaign has not",
    "logout": "is a button",
    "published": "shows one ranking as it was published, whatever is stored",
    "published-figure": "likewise",
    "published-preview": "likewise",
    "leaderboard": "shows one version as it was published, and what has changed since the one before",
    "leaderboard-versions": "shows ten versions, however many there are",
    "published-zip": "likewise",
    "data-release": "shows one data release as it was checked or written, whatever is stored",
    "data-release-zip": "sends the zip of one as publications are sent",
    "api-data-release": "shows what data-release shows",
    "api-data-release-zip": "sends the same zip",
    "follow-up": "reads one stored result, and leads to the page that makes it",
    "machine-follow-up": "likewise",
    "campaign-answers-report": "reads what campaign-answers reads, and leads there without a result",
    "remove-references": "asks about one set of references, of which the corpus has none",
}
"""Pages that are not measured, with the reason."""

OF_RESULTS = {
    "analysis-file",
    "corpus-analysis-file",
    "learned-model",
    "corrections-file",
    "maege-people-figure",
    "evaluation-figure",
    "compared-metrics-figure",
    "metric-disagreements-table",
}
"""Pages that do not exist without a result; matrices are drawn only for few annotators."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Measurement of one address.

    Attributes:
        seconds: time of the fastest request.
        queries: number of statements of a request.
        response: the last response.
        streamed_mb: megabytes that were read of a download.
        mb_per_second: how fast they came after the first bytes.
    """

    seconds: float
    queries: int
    response: Any
    streamed_mb: float = 0
    mb_per_second: float = 0


def ask(browser: Any, address: str) -> Asked:
    """Time an address, including an immediate redirect."""
    from django.core.cache import cache, caches
    from django.db import connection

    times, streamed_mb, rate = [], 0.0, 0.0
    for run in range(1 + RUNS):
        cache.clear()
        caches["throttling"].clear()
        statements: list[str] = []
        with connection.execute_wrapper(partial(_noted, statements)):
            start = perf_counter()
            response = browser.get(address, follow=True)
            pieces = iter(response.streaming_content) if response.streaming else iter(())
            size = len(next(pieces, b""))
            times.append(perf_counter() - start)
            if response.streaming:
                if run == RUNS:
                    begin, further = perf_counter(), _read(pieces)
                    streamed_mb = (size + further) / 1e6
                    rate = further / 1e6 / (perf_counter() - begin)
                response.close()
    return Asked(min(times[1:]), len(statements), response, streamed_mb, rate)


def _read(pieces: Iterator[bytes]) -> int:
    """Bytes of the further pieces, as far as they are read."""
    size, until = 0, perf_counter() + STREAMED_SECONDS
    for piece in pieces:
        size += len(piece)
        if size > 1e6 * STREAMED_MB or perf_counter() > until:
            break
    return size


def in_new_process(work: Callable[[], Any]) -> Any:
    """The return value of the work in a fork of this process, which leaves this one as it was."""
    from django.db import connections

    connections.close_all()
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(work()))
    process.start()
    sender.close()
    done = receiver.recv()
    process.join()
    return done


def cold_seconds(only: str) -> dict[str, float]:
    """Seconds of the first request of a new process that has loaded what idle workers load, by address."""
    import config.wsgi  # noqa: F401  # what gunicorn loads before it forks
    from config.warm_up import warm_up

    warm_up()

    site = Site()

    def addresses() -> dict[str, tuple[str, str]]:
        """Asking for the rules of pages loads their modules."""
        found = {}
        for route in routes():
            if re.search(only, route.name) and route.name not in NOT_MEASURED:
                with suppress(LookupError):
                    for name, address in site.addresses(route).items():
                        found[name] = (site.client_of(route), address)
        return found

    def seconds(client: str, address: str) -> float:
        start = perf_counter()
        response: Any = site.browsers[client].get(address, follow=True)
        if response.streaming:
            next(iter(response.streaming_content), None)
        return perf_counter() - start

    asked = in_new_process(addresses)
    return {name: in_new_process(partial(seconds, *each)) for name, each in asked.items()}


def _noted(statements: list[str], execute: Any, sql: str, *arguments: Any) -> Any:
    statements.append(sql)
    return execute(sql, *arguments)


def _asks_to_log_in(response: Any) -> bool:
    return any("/login/" in address for address, _ in response.redirect_chain)


def last_page(address: str, response: Any) -> str | None:
    """The address of the last page of a list; None if there is only one."""
    if response.streaming:
        return None
    if response.headers["Content-Type"] == "application/json":
        # Not parsed, which would take more memory than the response.
        if not response.content.startswith(b'{"next":"'):
            return None
        joined = "&" if "?" in address else "?"
        return f"{address}{joined}cursor={base64.b64encode(b'r=1').decode()}"
    link = re.search(r'<a href="([^"#]*)[^"]*" rel="last"', response.content.decode(errors="replace"))
    return f"{address.partition('?')[0]}{link[1].replace('&amp;', '&')}" if link else None


def give_sign_for(page: str) -> None:
    """Let the page *healthz* find a worker, which does not run here."""
    from jobs.signs import give_sign

    if page == "healthz":
        give_sign()


def measured(site: Site, only: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The measurements of all pages, and the pages that were not measured, with the reason."""
    figures, left_out, cold = [], dict(NOT_MEASURED), cold_seconds(only)
    for route in routes():
        if not re.search(only, route.name) or route.name in NOT_MEASURED:
            continue
        try:
            addresses = site.addresses(route)
        except LookupError as error:
            left_out[route.name] = (
                f"UNKNOWN: dev/benchmarks/large_site/addresses.py does not say what {error} is"
            )
            continue
        browser = site.browser(route)
        give_sign_for(route.name)
        for name, address in addresses.items():
            forget_peak()
            first = ask(browser, address)
            memory.give_back()
            if first.response.status_code == 405:
                left_out[name] = "takes no GET"
                continue
            if first.response.status_code == 404 and route.name in OF_RESULTS:
                left_out[name] = "has no result to show"
                continue
            if first.response.status_code not in (200, 202) or _asks_to_log_in(first.response):
                left_out[name] = f"UNKNOWN: answered {first.response.status_code}, or asked to log in"
                continue
            end = last_page(address, first.response)
            last = ask(browser, end) if end else first
            sys.stderr.write(f"{name}: {first.seconds:.3f} s, {last.seconds:.3f} s\n")
            figures.append(
                {
                    "name": name,
                    "first_s": round(first.seconds, 4),
                    "last_s": round(last.seconds, 4),
                    "cold_s": round(cold[name], 4),
                    "streamed_mb": round(first.streamed_mb, 2),
                    "mb_per_s": round(first.mb_per_second, 1),
                    "queries": max(first.queries, last.queries),
                    "peak_mb": memory_mb("VmHWM"),
                }
            )
    return figures, left_out


def compute_results() -> None:
    """Request the pages that show results, and run the jobs that they queue."""
    from jobs.worker import run_queued_jobs

    site = Site()
    for route in routes():
        if route.name in ("ranking", "quality", "metrics", "manage-campaign", "analysis", "corpus-analysis"):
            for address in site.addresses(route).values():
                site.browser(route).get(address)
    run_queued_jobs()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.pages",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    add_size(parser)
    parser.add_argument("--only", default="", help="only pages whose name holds this regular expression")
    parser.add_argument("--without-jobs", action="store_true", help="measure pages alone")
    parser.add_argument("--results", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    options = parser.parse_args()
    url = database_url(options.database, size_of(options))
    if not (options.without_jobs or options.results):
        subprocess.run([sys.executable, *sys.orig_argv[1:], "--results"], check=True)  # noqa: S603
    os.environ |= {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CELERY_BROKER_URL": "memory://",
        "API_REQUESTS_PER_MINUTE": "1000000",
        "METRICS_TOKEN": TOKEN,
    }
    import django

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    memory.share_one_arena(memory.LARGE_IN_REQUESTS)
    if options.results:
        compute_results()
        return
    pages, left_out = measured(Site(), options.only)
    largest = max(pages, key=lambda page: page["peak_mb"])
    of_jobs = [] if options.without_jobs else jobs(url)
    if options.json:
        print(json.dumps({"pages": pages, "peak_mb": largest["peak_mb"], "jobs": of_jobs}, indent=2))
    else:
        limit = LIMITS[options.database]
        for page in sorted(pages, key=lambda page: -max(page["first_s"], page["last_s"])):
            slow = _is_slow(page, limit)
            seconds = f"{page['first_s']:8.3f} s {page['last_s']:8.3f} s {page['cold_s']:8.3f} s cold"
            mark = "  SLOW" if slow else ""
            if page["streamed_mb"]:
                mark = f"  {page['streamed_mb']:.1f} MB, {page['mb_per_s']:.1f} MB/s{mark}"
            print(f"{page['name']:<55} {seconds} {page['queries']:4} queries {page['peak_mb']:4} MB{mark}")
        print(f"{len(pages)} addresses; peak memory {largest['peak_mb']} MB, by {largest['name']}")
        for name, reason in left_out.items():
            print(f"{name:<55} not measured: {reason}")
        for job in of_jobs:
            print(f"{job['name']:<55} {job['seconds']:8.1f} s {job['peak_mb']:8.0f} MB")
    if faults := faults_of(pages, left_out, LIMITS[options.database]):
        sys.exit("\n".join(faults))


def faults_of(pages: list[dict[str, Any]], left_out: dict[str, str], limit: float) -> list[str]:
    slow = [page["name"] for page in pages if _is_slow(page, limit)]
    cold = [page["name"] for page in pages if page["cold_s"] - page["first_s"] > _cold_limit(page["name"])]
    streams = [page for page in pages if page["streamed_mb"] > SHORTEST_STREAM_MB]
    unknown = [name for name, reason in left_out.items() if reason.startswith("UNKNOWN")]
    return [
        *(f"{name} takes more than {PICTURE if _is_picture(name) else limit:g} s." for name in slow),
        *(f"{name} takes more than {_cold_limit(name):g} s longer when cold." for name in cold),
        *(
            f"{page['name']} streams at {page['mb_per_s']:g} MB/s."
            for page in streams
            if page["mb_per_s"] < SLOWEST_STREAM
        ),
        *(
            f"{page['name']} took the process to {page['peak_mb']} MB."
            for page in pages
            if page["peak_mb"] > MOST_MB
        ),
        *(f"{name} was not measured: {left_out[name]}" for name in unknown),
    ]


def _is_slow(page: dict[str, Any], limit: float) -> bool:
    seconds: float = max(page["first_s"], page["last_s"])
    return seconds > (PICTURE if _is_picture(page["name"]) else limit)


def _cold_limit(name: str) -> float:
    return COLD_PICTURE if _is_picture(name) else COLD


def _is_picture(name: str) -> bool:
    return name.endswith(("-figure", "distinct-outputs", ".svg"))


if __name__ == "__main__":
    main()
