"""The site as started by `make run`, with an adjustable clock."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from dev.benchmarks.processes import children, command
from dev.faults.clock import set_ahead
from dev.faults.services import free_port, wait_until

BASE = Path(__file__).resolve().parents[2]
WORKERS = 2
START_SECONDS = 300


class Site:
    """A running site with its processes."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._clock = folder / "clock"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        programs = Path(sys.executable).parent
        web = f"{programs}/gunicorn dev.faults.clocked --config python:config.web_server"
        address = f"--bind 127.0.0.1:{self.port} --workers {WORKERS}"
        jobs = f"{programs}/celery --quiet -A dev.faults.clocked worker --loglevel warning"
        alone = "--without-gossip --without-mingle --without-heartbeat"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "config.side_by_side",
                    f"web server={web} {address}",
                    f"job worker={jobs} {alone}",
                ],
                cwd=BASE,
                env=os.environ | {"FAULTS_CLOCK": str(self._clock)},
                stdout=log,
                stderr=log,
            )
        if not wait_until(self.answers, START_SECONDS):
            raise RuntimeError(f"The site does not start: {self._log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def answers(self) -> bool:
        """Whether it serves a page."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/login/")
            return connection.getresponse().status == 200
        except (HTTPException, OSError):
            return False
        finally:
            connection.close()

    def web_master(self) -> int:
        """gunicorn's main process."""
        return self._child("gunicorn")

    def web_workers(self) -> list[int]:
        """The web workers."""
        return children(self.web_master())

    def job_worker(self) -> int:
        """The job worker."""
        return self._child("celery")

    def processes(self) -> list[int]:
        """All processes."""
        assert self._process is not None
        mine = [self._process.pid, *children(self._process.pid)]
        return [*mine, *(number for parent in mine[1:] for number in children(parent))]

    def set_clock(self, **ahead: int) -> None:
        """Set the clocks of `web` processes and of `jobs` ahead by this many seconds. Others are right."""
        set_ahead(self._clock, ahead)

    def set_clock_of_one_worker(self, ahead: int) -> None:
        """Set the clock of one web worker ahead."""
        set_ahead(self._clock, {str(self.web_workers()[0]): ahead})

    def _child(self, program: str) -> int:
        assert self._process is not None
        supervisor = self._process.pid
        seen: list[int] = []

        def is_there() -> bool:
            seen[:] = [number for number in children(supervisor) if program in command(number)]
            return bool(seen)

        if not wait_until(is_there):
            raise RuntimeError(f"No {program} is running.")
        return seen[0]


def kill(process: int) -> None:
    """Kill it."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
