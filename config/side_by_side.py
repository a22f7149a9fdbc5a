"""`python -m config.side_by_side NAME=COMMAND ...`: commands side by side, until one ends or all are stopped.

Each command has a session of its own, so that Ctrl+C reaches it once, through us, as a request to end.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic, sleep

PATIENCE_SECONDS = 10
LOOK_EVERY_SECONDS = 0.2


class _StoppedError(Exception):
    """Somebody wants an end."""


def run(commands: Mapping[str, str]) -> int:
    """Start the commands, by name, and stop all when one ends. Returns the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, command in commands.items():
            processes[name] = subprocess.Popen(  # noqa: S603  # what the Makefile says
                shlex.split(command), start_new_session=True
            )
        ended = _first_end(processes)
        status = processes[ended].returncode
        sys.stderr.write(f"The {ended} ended (status {status}), so everything stops.\n")
        return status or 1
    except _StoppedError:
        return 0
    finally:
        _end(list(processes.values()))


def _first_end(processes: Mapping[str, subprocess.Popen[bytes]]) -> str:
    while True:
        for name, process in processes.items():
            if process.poll() is not None:
                return name
        sleep(LOOK_EVERY_SECONDS)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Ask them to end, and end what has not done so in time, or what they started and left behind."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for process in processes:
        process.terminate()
    deadline = monotonic() + PATIENCE_SECONDS
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(deadline - monotonic(), 0))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _stop(number: int, frame: object) -> None:
    raise _StoppedError


if __name__ == "__main__":
    sys.exit(run(dict(argument.split("=", 1) for argument in sys.argv[1:])))
