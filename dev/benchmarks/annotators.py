"""Simulated annotators over HTTP against gunicorn, and confirmed against stored answers.

Each follows a personal link, ranks the outputs, submits, and takes the next screen. Every tenth answer is
sent twice at once, like a double click. Times are for "submit, then next item"; *late* is the last quarter of
the run, when annotators are deep in their batches of 100.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from dev.benchmarks.annotator import Annotator, Log

WORKERS = 2
OUTPUTS = 5
ITEMS = 10_000
BATCH = 100
SENT_TWICE_EVERY = 10
RELATIVE_RANKING = "relative-ranking"
DATABASE = "assay_benchmark"
LAST_ANSWER_SECONDS = 60
"""How long after the end an answer that the server refuses is sent again."""


async def work(annotator: Annotator, pause: float, until: float) -> None:
    """Rank until the end time, at least once."""
    page = await annotator.enter()
    while answer := annotator.answer_to(page):
        await asyncio.sleep(pause)
        page = await annotator.send(answer)
        if time.monotonic() >= until:
            break
    annotator.browser.close()


def measure(
    annotators: int, pause: float, seconds: float, *, workers: int, threads: int | None
) -> dict[str, object]:
    """Set up, let them work, compare."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    campaign, tokens = open_campaign(annotators)
    log = Log()
    options = OURS if threads is None else [*OURS, "--threads", str(threads)]
    with server(options, workers=workers) as port:
        until = time.monotonic() + seconds
        crowd = [
            Annotator(
                port,
                token,
                log,
                twice_every=SENT_TWICE_EVERY,
                gives_up=lambda: time.monotonic() > until + LAST_ANSWER_SECONDS,
            )
            for token in tokens
        ]
        asyncio.run(_work_all(crowd, pause, until))
    times = np.array([taken for _, taken in log.waits])
    finished = np.array(list(log.confirmed.values()))
    late = np.count_nonzero((finished > until - seconds / 4) & (finished <= until))
    return {
        "judgments_per_second": round(len(finished) / seconds, 1),
        "late_judgments_per_second": round(float(late / (seconds / 4)), 1),
        "p50_ms": round(float(np.percentile(times, 50)) * 1000, 1),
        "p95_ms": round(float(np.percentile(times, 95)) * 1000, 1),
        "faults": dict(log.errors + log.refused),
        **comparison(campaign, set(log.confirmed)),
        "queries_per_request": queries_per_request(campaign),
    }


async def _work_all(crowd: Sequence[Annotator], pause: float, until: float) -> None:
    await asyncio.gather(*(work(one, pause, until) for one in crowd))


def open_campaign(annotators: int, protocol: str = RELATIVE_RANKING, **changes: int) -> tuple[Any, list[str]]:
    """A running campaign, of 10,000 items unless the design changes, and each annotator's personal link."""
    from annotate.campaigns.lifecycle import create_campaign, launch
    from annotate.corpora.importing import plan_corpus, store_corpus
    from annotate.design.protocols import PROTOCOLS
    from annotate.judging.entering import add_annotator, mint_personal_link
    from annotate.models import Design
    from formats import CorpusRecord, SentenceRecord

    systems = tuple(f"system-{number}" for number in range(OUTPUTS))
    sentences = tuple(
        SentenceRecord(
            f"Sentence {number} is what a learner of English has wrote yesterday evening .",
            {system: f"Sentence {number} is what {system} has written yesterday ." for system in systems},
            (),
            f"document-{number // 20}",
            "",
        )
        for number in range(500)
    )
    record = CorpusRecord(sentences, systems, ())
    plan = plan_corpus(name="benchmark", language="en", record=record, roles={})
    corpus = store_corpus(plan, progress=lambda stored: None)
    asked: dict[str, Any] = {
        "items": ITEMS,
        "outputs_per_screen": PROTOCOLS[protocol].defaults.outputs_per_screen,
        "annotators_per_item": 1,
        "batch_size": BATCH,
        **changes,
    }
    design = Design(sampling="uniform", with_replacement=True, repeat_percent=0, **asked)
    campaign = create_campaign(
        name="benchmark",
        corpus=corpus,
        protocol=protocol,
        systems=list(corpus.systems.all()),
        design=design,
    )
    launch(campaign, progress=lambda stored: None)
    people = [add_annotator(campaign, name=f"annotator-{number}") for number in range(annotators)]
    return campaign, [mint_personal_link(person) for person in people]


OURS = ["--config", "python:config.web_server"]


@contextmanager
def server(options: Sequence[str] = OURS, *, workers: int = WORKERS) -> Iterator[int]:
    """gunicorn on a free port, with the settings of `make run` or others."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += [*options, "--workers", str(workers), "--log-level", "error"]
    process = subprocess.Popen(command)  # noqa: S603
    try:
        while process.poll() is None and not answers(port):
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    """Whether the server answers."""
    try:
        probe = HTTPConnection("127.0.0.1", port, timeout=30)
        probe.request("GET", "/login/")
        return probe.getresponse().status == 200
    except (HTTPException, OSError):
        return False
    finally:
        probe.close()


def comparison(campaign: Any, believed: set[str]) -> dict[str, int]:
    """Compare confirmed answers with the database."""
    from django.db.models import Count

    from annotate.models import Judgment, Revision

    stored = {
        str(key)
        for key in Revision.objects.filter(judgment__item__campaign=campaign).values_list(
            "submission_key", flat=True
        )
    }
    judgments = Judgment.objects.filter(item__campaign=campaign)
    slots = judgments.values("item", "repetition").annotate(number=Count("pk")).filter(number__gt=1)
    return {
        "believed": len(believed),
        "stored": len(stored),
        "lost": len(believed - stored),
        "doubled": slots.count() + Revision.objects.filter(judgment__in=judgments, number__gt=1).count(),
    }


def queries_per_request(campaign: Any) -> int:
    """The maximum number of queries of a screen or a submit, at the end of the run."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotate.judging.entering import add_annotator, mint_personal_link

    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    browser = Client()
    browser.post(f"/join/{mint_personal_link(add_annotator(campaign, name='counted'))}/")
    address = f"/judge/{campaign.uuid}/"
    most = 0
    for turn in range(5):
        with CaptureQueriesContext(connection) as screen:
            page = browser.get(address).content.decode()
        showing = re.search(r'data-showing="([^"]+)"', page)
        assert showing
        answer = {"key": str(uuid4()), **{f"rank-{number}": "1" for number in range(OUTPUTS)}}
        with CaptureQueriesContext(connection) as submit:
            browser.post(f"{address}{showing[1]}/", answer, headers={"Accept": "application/json"})
        if turn:  # The first screen claims a batch, once in a hundred.
            most = max(most, statements(screen), statements(submit))
    return most


def statements(queries: Any) -> int:
    """The number of queries, without those that only begin and end transactions."""
    return sum(not query["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")) for query in queries)


@contextmanager
def database(kind: str, folder: str) -> Iterator[str]:
    """URL of a new temporary database."""
    if kind == "sqlite":
        yield f"sqlite:///{Path(folder) / 'benchmark.sqlite3'}"
        return
    import psycopg

    base = os.environ.get("DATABASE_URL", "")
    if not base.startswith("postgres"):
        sys.exit("--database postgresql needs DATABASE_URL to name a database of the server to use.")
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
        try:
            yield f"{base.rpartition('/')[0]}/{DATABASE}"
        finally:
            connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.annotators",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between judgments")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=WORKERS, help="of the web server")
    parser.add_argument("--threads", type=int, help="of each worker (default: the setting of the site)")
    parser.add_argument("--json", action="store_true", help="print figures instead of lines")
    options = parser.parse_args()
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
            options.annotators,
            options.pause,
            options.seconds,
            workers=options.workers,
            threads=options.threads,
        )
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, value in figures.items():
            print(f"{name:<26} {value}")
    if figures["faults"] or figures["lost"] or figures["doubled"] or not figures["stored"]:
        sys.exit("The run went wrong: its figures say nothing of the speed.")


if __name__ == "__main__":
    main()
