"""The processes of `make run` are restarted when they die, and end together."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.conf import settings

LONG = "sleep 600"
PATIENCE_SECONDS = 60
MAKE = shutil.which("make") or "make"

PROGRAM = """
import sys
from config.side_by_side import Pace, run
pace = Pace(first_wait=0.01, longest_wait=0.02, at_once={at_once}, patience={patience}, most_in_a_row=3)
sys.exit(run(dict(argument.split("=", 1) for argument in sys.argv[1:]), pace))
"""


@contextmanager
def side_by_side(
    *, at_once: float = 600, patience: float = 10, **commands: str
) -> Iterator["subprocess.Popen[str]"]:
    """The commands, until they end or the test does; `at_once` is how long one may run that ended at once."""
    program = PROGRAM.format(at_once=at_once, patience=patience)
    process = subprocess.Popen(
        [sys.executable, "-c", program, *(f"{name}={command}" for name, command in commands.items())],
        cwd=settings.BASE_DIR,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def says_its_number(path: Path) -> str:
    """A command that writes its process number into the file and waits."""
    return f"sh -c 'echo $$ > {path}.part; mv {path}.part {path}; exec {LONG}'"


def after(path: Path, command: str) -> str:
    """A command that begins when the file is there."""
    return f"sh -c 'until test -e {path}; do sleep 0.02; done; {command}'"


def number_in(path: Path, other_than: int = 0) -> int:
    deadline = monotonic() + PATIENCE_SECONDS
    while monotonic() < deadline:
        if path.exists() and (number := int(path.read_text())) != other_than:
            return number
        sleep(0.01)
    raise AssertionError(f"{path} did not come.")


def is_alive(number: int) -> bool:
    """Whether the process runs; one that only waits for its parent to notice its end does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not state.startswith("Z")


def all_end(*numbers: int) -> bool:
    """Whether the processes end before long."""
    deadline = monotonic() + PATIENCE_SECONDS
    while any(map(is_alive, numbers)) and monotonic() < deadline:
        sleep(0.01)
    return not any(map(is_alive, numbers))


@contextmanager
def handling(number: signal.Signals, how: signal.Handlers) -> Iterator[None]:
    """Processes that start within the block ignore the signal, or do not."""
    before = signal.signal(number, how)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything(number: signal.Signals, tmp_path: Path) -> None:
    server, worker = tmp_path / "server", tmp_path / "worker"
    # These tests may themselves run under nohup, or in the background of a shell.
    with (
        handling(number, signal.SIG_DFL),
        side_by_side(server=says_its_number(server), worker=says_its_number(worker)) as process,
    ):
        numbers = [number_in(server), number_in(worker)]
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
        assert not any(map(is_alive, numbers))


def test_a_killed_command_is_started_again_and_the_other_goes_on(tmp_path: Path) -> None:
    server, worker = tmp_path / "server", tmp_path / "worker"
    with side_by_side(server=says_its_number(server), worker=says_its_number(worker)) as process:
        first = number_in(worker)
        number = number_in(server)
        os.kill(first, signal.SIGKILL)
        assert is_alive(number_in(worker, other_than=first))
        assert is_alive(number)
        assert process.poll() is None
        assert process.stderr is not None
        assert process.stderr.readline() == "The worker ended (status -9); it is restarted in 0.01 s.\n"


@pytest.mark.parametrize(("status", "end"), [(0, 1), (3, 3)])
def test_a_command_that_ends_at_once_again_and_again_ends_everything(
    status: int, end: int, tmp_path: Path
) -> None:
    server = tmp_path / "server"
    with side_by_side(server=says_its_number(server), worker=after(server, f"exit {status}")) as process:
        number = number_in(server)
        assert process.wait(timeout=PATIENCE_SECONDS) == end
        assert not is_alive(number)
        assert process.stderr is not None
        first, second, last = process.stderr.read().splitlines()
        assert first == f"The worker ended (status {status}); it is restarted in 0.01 s."
        assert second.endswith("in 0.02 s.")
        assert last.startswith(
            f"The worker keeps ending right after its start (status {status}), so everything stops."
        )


def test_a_command_that_worked_for_a_while_may_end_any_number_of_times(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with side_by_side(at_once=0, server=f"sh -c 'echo $$ >> {log}'") as process:
        deadline = monotonic() + PATIENCE_SECONDS
        while (not log.exists() or len(log.read_text().splitlines()) < 5) and monotonic() < deadline:
            sleep(0.01)
        assert process.poll() is None
        assert len(set(log.read_text().splitlines())) >= 5


def test_processes_left_by_a_killed_command_are_killed_before_a_restart(tmp_path: Path) -> None:
    orphan = tmp_path / "orphan"
    leave = f"{LONG} & echo $! > {orphan}.part; mv {orphan}.part {orphan}; kill -9 $$"
    once = f"test -e {orphan} && exec {LONG}; {leave}"
    with side_by_side(server=f"sh -c '{once}'"):
        assert all_end(number_in(orphan))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_when_the_process_that_started_it_is_gone(
    number: signal.Signals, tmp_path: Path
) -> None:
    """`make` may be killed, which asks nobody to end, or the supervisor itself."""
    server = tmp_path / "server"
    supervisor = tmp_path / "supervisor"
    line = f'{sys.executable} -m config.side_by_side "server={says_its_number(server)}"'
    shell = subprocess.Popen(
        ["/bin/sh", "-c", f"{line} & echo $! > {supervisor}.part; mv {supervisor}.part {supervisor}; wait"],
        cwd=settings.BASE_DIR,
        stderr=subprocess.DEVNULL,
    )
    try:
        numbers = [number_in(server), number_in(supervisor)]
        os.kill(shell.pid, number)
        shell.wait()
        assert all_end(*numbers)
    finally:
        shell.kill()


def test_nothing_is_left_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    server = tmp_path / "server"
    with side_by_side(server=says_its_number(server)) as process:
        number = number_in(server)
        process.kill()
        assert all_end(number)


def test_under_nohup_it_goes_on_when_the_terminal_closes(tmp_path: Path) -> None:
    server = tmp_path / "server"
    with handling(signal.SIGHUP, signal.SIG_IGN), side_by_side(server=says_its_number(server)) as process:
        first = number_in(server)
        process.send_signal(signal.SIGHUP)
        os.kill(first, signal.SIGKILL)  # It answers to that, and so has not stopped for the other.
        assert is_alive(number_in(server, other_than=first))
        assert process.poll() is None


def test_a_command_that_does_not_hear_is_killed_when_patience_ends(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    command = (
        f"sh -c 'trap : TERM; echo $$ > {deaf}.part; mv {deaf}.part {deaf}; while :; do sleep 0.02; done'"
    )
    with side_by_side(patience=0.1, deaf=command) as process:
        number = number_in(deaf)
        process.terminate()
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
        assert not is_alive(number)


def test_make_starts_the_supervisor_itself_so_that_none_is_left_when_make_is_killed(tmp_path: Path) -> None:
    """With a shell or another make in between, the supervisor would not notice that the first one is gone."""
    numbers = tmp_path / "numbers"
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/runtime").touch()
    python = tmp_path / ".venv/bin/python"
    python.write_text(
        "#!/bin/sh\n"
        'case "$*" in *side_by_side*) ;; *) exit 0;; esac\n'
        f"echo $$ $PPID > {numbers}.part; mv {numbers}.part {numbers}\n"
    )
    python.chmod(0o755)
    for name in ("Makefile", "requirements.txt"):
        (tmp_path / name).write_text((settings.BASE_DIR / name).read_text())
    os.utime(tmp_path / ".venv/runtime")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    for target in ("run", "demo"):
        with suppress(FileNotFoundError):
            numbers.unlink()
        make = subprocess.Popen(
            [MAKE, "-s", target], cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL
        )
        make.wait(timeout=PATIENCE_SECONDS)
        assert int(numbers.read_text().split()[1]) == make.pid
