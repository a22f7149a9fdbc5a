"""Annotators at work while other clients send one byte per second, half in headers, half in bodies.

The server of `make run` is compared with gunicorn's standard workers in the same run: with the same number of
threads, and with processes that serve one request at a time. *unanswered* counts annotators who gave up after
waiting 10 seconds for the server.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

import dev.benchmarks.annotators
from dev.benchmarks.annotator import Annotator, GivenUpError, Log
from dev.benchmarks.annotators import OURS, database, open_campaign, server, work

THREADS = ["--threads", "4"]
SERVERS = {
    "ours": [*OURS, *THREADS],
    "gunicorn, threads": ["--worker-class", "gthread", *THREADS],
    "gunicorn, processes": [],
}
PATIENCE_SECONDS = 10

HEADER = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"


@contextmanager
def slow_clients(port: int, number: int) -> Iterator[None]:
    """This many connections, each of which sends one byte per second and reconnects when it is cut off."""
    over = threading.Event()
    thread = threading.Thread(target=_send_slowly, args=(port, number, over))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _send_slowly(port: int, number: int, over: threading.Event) -> None:
    connections: list[socket.socket | None] = [None] * number
    while not over.is_set():
        for place, connection in enumerate(connections):
            try:
                if connection is None:
                    connections[place] = connection = socket.create_connection(("127.0.0.1", port), timeout=1)
                    connection.sendall(BODY if place % 2 else HEADER)
                else:
                    connection.sendall(b"a")
            except OSError:
                connections[place] = None
        over.wait(1)
    for connection in connections:
        if connection is not None:
            connection.close()


def measure(
    options: Sequence[str], tokens: Sequence[str], pause: float, slow: int, seconds: float
) -> dict[str, object]:
    """One server with its annotators."""
    log = Log()
    with server(options) as port, slow_clients(port, slow):
        unanswered = asyncio.run(_work_all(port, tokens, log, pause, seconds))
    times = [taken for _, taken in log.waits]
    return {
        "judgments": len(times),
        "p50_ms": round(float(np.percentile(times, 50)) * 1000, 1) if times else None,
        "p95_ms": round(float(np.percentile(times, 95)) * 1000, 1) if times else None,
        "unanswered": unanswered,
    }


async def _work_all(port: int, tokens: Sequence[str], log: Log, pause: float, seconds: float) -> int:
    """Let all annotators work, starting one after the other; returns how many gave up."""
    until = time.monotonic() + seconds
    tasks = []
    for token in tokens:
        await asyncio.sleep(pause / len(tokens))
        one = Annotator(port, token, log, patience=PATIENCE_SECONDS, gives_up=lambda: True)
        tasks.append(asyncio.create_task(work(one, pause, until)))
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    return sum(isinstance(end, GivenUpError) for end in ends)


def measure_all(options: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Each server with and without slow clients."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    names = list(SERVERS) if options.peers else ["ours"]
    runs = [(name, slow) for name in names for slow in (0, options.slow)]
    dev.benchmarks.annotators.BATCH = 20  # So that there are more batches than annotators.
    _, tokens = open_campaign(options.annotators * len(runs))
    return {
        f"{name}, {slow} slow clients": measure(
            SERVERS[name], tokens[number :: len(runs)], options.pause, slow, options.seconds
        )
        for number, (name, slow) in enumerate(runs)
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.slow_clients",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between judgments")
    parser.add_argument("--slow", type=int, default=100, help="clients that send a byte a second")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="measure our server alone")
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, database(options.database, folder) as url:
        os.environ |= {
            "VAR_DIR": folder,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "LOG_LEVEL": "CRITICAL",
        }
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"], check=True
        )
        figures = measure_all(options)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{'':<40}{'judgments':>10}{'p50 ms':>10}{'p95 ms':>10}{'unanswered':>12}")
    for name, row in figures.items():
        print(
            f"{name:<40}"
            + "".join(
                f"{row[key] or 0:>{width}}"
                for key, width in (("judgments", 10), ("p50_ms", 10), ("p95_ms", 10), ("unanswered", 12))
            )
        )


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
