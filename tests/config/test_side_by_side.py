"""What `make run` starts together stops together."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.conf import settings

LONG = "sleep 600"
PATIENCE_SECONDS = 60


@contextmanager
def side_by_side(**commands: str) -> Iterator["subprocess.Popen[str]"]:
    """The commands, until they end or the test does."""
    arguments = [f"{name}={command}" for name, command in commands.items()]
    process = subprocess.Popen(
        [sys.executable, "-m", "config.side_by_side", *arguments],
        cwd=settings.BASE_DIR,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def says_its_number(path: Path) -> str:
    """A command that writes its process number into the file and waits."""
    return f"sh -c 'echo $$ > {path}.part; mv {path}.part {path}; exec {LONG}'"


def after(path: Path, command: str) -> str:
    """A command that begins when the file is there."""
    return f"sh -c 'until test -e {path}; do sleep 0.05; done; {command}'"


def number_in(path: Path) -> int:
    deadline = monotonic() + PATIENCE_SECONDS
    while not path.exists() and monotonic() < deadline:
        sleep(0.02)
    return int(path.read_text())


def is_alive(number: int) -> bool:
    """Whether the process runs; one that only waits for its parent to notice its end does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not state.startswith("Z")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_stops_it_stops_all(number: signal.Signals, tmp_path: Path) -> None:
    server, worker = tmp_path / "server", tmp_path / "worker"
    with side_by_side(server=says_its_number(server), worker=says_its_number(worker)) as process:
        numbers = [number_in(server), number_in(worker)]
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
        assert not any(map(is_alive, numbers))


@pytest.mark.parametrize(("status", "end"), [(0, 1), (3, 3)])
def test_when_one_ends_the_other_is_stopped_with_a_message(status: int, end: int, tmp_path: Path) -> None:
    server = tmp_path / "server"
    with side_by_side(server=says_its_number(server), worker=after(server, f"exit {status}")) as process:
        number = number_in(server)
        assert process.wait(timeout=PATIENCE_SECONDS) == end
        assert not is_alive(number)
        assert process.stderr is not None
        assert process.stderr.read() == f"The worker ended (status {status}), so everything stops.\n"


def test_what_a_killed_command_has_left_behind_is_stopped(tmp_path: Path) -> None:
    orphan = tmp_path / "orphan"
    leave = f"{LONG} & echo $! > {orphan}.part; mv {orphan}.part {orphan}; kill -9 $$"
    with side_by_side(server=f"sh -c '{leave}'") as process:
        number = number_in(orphan)
        process.wait(timeout=PATIENCE_SECONDS)
        assert not is_alive(number)


@pytest.mark.slow
def test_who_does_not_hear_is_not_waited_for_long(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    command = (
        f"sh -c 'trap : TERM; echo $$ > {deaf}.part; mv {deaf}.part {deaf}; while :; do sleep 0.1; done'"
    )
    with side_by_side(deaf=command, short=after(deaf, "exit")) as process:
        number = number_in(deaf)
        assert process.wait(timeout=PATIENCE_SECONDS) == 1
        assert not is_alive(number)
