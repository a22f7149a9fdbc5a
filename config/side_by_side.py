"""`python -m config.side_by_side NAME=COMMAND ...`: keeps commands running side by side.

A command that ends is restarted, with a longer delay each time in a row. If a command keeps ending right
after its start, everything stops. Everything also stops on a signal, and when the parent process ends, so
that a killed `make` leaves no server running.

Each command has its own session, so that Ctrl+C reaches it only once, through us, as a request to end.
"""

import ctypes
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process is sent when its parent dies. The option is Linux's."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the supervisor is, in seconds.

    Attributes:
        first_wait: before a command is started again; it doubles each time in a row.
        longest_wait: the most that it doubles to.
        at_once: a command that ends within this time after its start counts as ending at once.
        patience: how long commands may take to stop when they are asked to.
        most_in_a_row: this many consecutive ends at once stop everything.
    """

    first_wait: float = 0.25
    longest_wait: float = 30
    at_once: float = 15
    patience: float = 10
    most_in_a_row: int = 5


class SupervisedCommand:
    """One command, and the process that runs it at the moment, if any."""

    def __init__(self, name: str, line: str, pace: Pace) -> None:
        self.name, self._line, self._pace = name, line, pace
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._due_at = 0.0
        self._ends_at_once = 0
        self.status = 0

    @property
    def is_hopeless(self) -> bool:
        """Whether it has ended at once too often."""
        return self._ends_at_once >= self._pace.most_in_a_row

    def look_after(self) -> None:
        """Start the command if that is due; if it has ended, report when it will be restarted."""
        if self._process is None:
            if monotonic() >= self._due_at:
                self._start()
        elif self._process.poll() is not None:
            self._note_end()

    def ask_to_end(self) -> None:
        """Send SIGTERM."""
        if self._process is not None:
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait until the deadline, then kill the command and its remaining processes."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(deadline - monotonic(), 0))
            self._kill_all()

    def _start(self) -> None:
        self._started_at = monotonic()
        self._process = subprocess.Popen(  # noqa: S603  # what the Makefile says
            shlex.split(self._line), start_new_session=True, preexec_fn=_Preparation(os.getpid())
        )

    def _note_end(self) -> None:
        self.status = self._kill_all()
        self._process = None
        now = monotonic()
        ended_at_once = now - self._started_at < self._pace.at_once
        self._ends_at_once = self._ends_at_once + 1 if ended_at_once else 0
        if not self.is_hopeless:
            wait = min(self._pace.first_wait * 2 ** max(self._ends_at_once - 1, 0), self._pace.longest_wait)
            self._due_at = now + wait
            _say(f"The {self.name} ended (status {self.status}); it is restarted in {wait:g} s.")

    def _kill_all(self) -> int:
        assert self._process is not None  # noqa: S101  # for the type checker
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return self._process.wait()


class _Preparation:
    """Set up a new process before it becomes the command: unblock all signals, and end with its parent."""

    def __init__(self, parent: int) -> None:
        self._parent = parent

    def __call__(self) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        end_with_parent()
        if os.getppid() != self._parent:
            os._exit(1)


def end_with_parent() -> None:
    """From now on this process is asked to end (SIGTERM) when its parent has ended."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run(lines: Mapping[str, str], pace: Pace | None = None) -> int:
    """Keep commands running until a signal arrives or one keeps failing; returns the exit status."""
    pace = pace or Pace()
    requests = {
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) != signal.SIG_IGN  # As under nohup.
    }
    signal.pthread_sigmask(signal.SIG_BLOCK, {*requests, signal.SIGCHLD})
    end_with_parent()
    commands = [SupervisedCommand(name, line, pace) for name, line in lines.items()]
    try:
        return _supervise(commands, requests)
    finally:
        for command in commands:
            command.ask_to_end()
        deadline = monotonic() + pace.patience
        for command in commands:
            command.end(deadline)


def _supervise(commands: list[SupervisedCommand], requests: set[signal.Signals]) -> int:
    while True:
        for command in commands:
            command.look_after()
            if command.is_hopeless:
                _say(
                    f"The {command.name} keeps ending right after its start (status {command.status}), "
                    "so everything stops. Its messages above say why."
                )
                return command.status if command.status > 0 else 1
        news = signal.sigtimedwait({*requests, signal.SIGCHLD}, 0.1)
        if news is not None and news.si_signo in requests:
            return 0


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(run(dict(argument.split("=", 1) for argument in sys.argv[1:])))
