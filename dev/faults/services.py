"""A private PostgreSQL, Redis and small disk, in a temporary folder.

Another process can access each of them by its folder.
"""

import errno
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from dev.benchmarks.processes import children, is_alive

PATIENCE_SECONDS = 60
UNPRIVILEGED = ("postgres", "nobody")
"""User that runs PostgreSQL if we are root, because PostgreSQL refuses to run as root."""


CUT_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND NOT pid = ANY(%s)
"""


class MissingError(Exception):
    """A program is not installed; the message names it and says how to install it."""


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    """Poll until the condition is true or the time is over. Returns whether it is true."""
    deadline = monotonic() + seconds
    while not true():
        if monotonic() > deadline:
            return False
        sleep(0.05)
    return True


class Postgres:
    """A PostgreSQL server with its data in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._data = folder, folder / "data"
        self._programs = postgres_programs()
        self._user = _unprivileged_user()

    @property
    def url(self) -> str:
        """URL of its database."""
        return f"postgres://postgres@127.0.0.1:{(self._folder / 'port').read_text()}/postgres"

    def create(self) -> None:
        """Create a database cluster in the folder, and start the server."""
        self._folder.mkdir()
        (self._folder / "port").write_text(str(free_port()))
        if self._user is not None:
            os.chown(self._folder, *self._user)
        # Small log segments, so that a small disk fills up soon.
        options = ["--username=postgres", "--auth=trust", "--no-sync", "--wal-segsize=1", "--encoding=UTF8"]
        self._run("initdb", *options)
        self.start()

    def start(self) -> None:
        """Start the server, even after a crash, and wait until it answers."""
        port = (self._folder / "port").read_text()
        settings = (
            f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder} "
            "-c max_wal_size=8MB -c min_wal_size=2MB -c shared_buffers=32MB"
        )
        log = str(self._folder / "log")
        started = wait_until(
            lambda: self._run("pg_ctl", "-w", "-l", log, "-o", settings, "start", check=False) == 0
        )
        if not started:
            raise RuntimeError(f"PostgreSQL does not start: {(self._folder / 'log').read_text()[-2000:]}")

    def stop(self, mode: str = "fast") -> None:
        """Stop it in an orderly way (`fast`), or like a crash (`immediate`)."""
        self._run("pg_ctl", "-w", "-m", mode, "stop", check=False)

    def is_running(self) -> bool:
        """Whether the server runs."""
        return self._run("pg_ctl", "status", check=False) == 0

    def processes(self) -> list[int]:
        """The server's process and its children."""
        server = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        return [server, *children(server)]

    @contextmanager
    def without_connections(self) -> Iterator[None]:
        """No connection is left for others, and those that there were are cut."""
        import psycopg

        with ExitStack() as taken:
            first = taken.enter_context(psycopg.connect(self.url, autocommit=True))
            mine = [first.info.backend_pid]
            with suppress(psycopg.OperationalError):
                while True:
                    first.execute(CUT_OTHERS, [mine])
                    mine.append(taken.enter_context(psycopg.connect(self.url)).info.backend_pid)
            yield

    @contextmanager
    def hung(self) -> Iterator[None]:
        """None of its processes does anything; connections to it stay open."""
        with stopped(self.processes()):
            yield

    def _run(self, program: str, *arguments: str, check: bool = True) -> int:
        user, group = self._user or (None, None)
        ran = subprocess.run(
            [str(self._programs / program), "-D", str(self._data), *arguments],
            user=user,
            group=group,
            extra_groups=None if user is None else [],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if check and ran.returncode:
            raise RuntimeError(f"{program} failed with status {ran.returncode}.")
        return ran.returncode


class Redis:
    """A Redis that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def url(self) -> str:
        """URL of its first database."""
        return f"redis://127.0.0.1:{(self._folder / 'port').read_text()}/0"

    def create(self) -> None:
        """Create its folder, and start it."""
        self._folder.mkdir()
        (self._folder / "port").write_text(str(free_port()))
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        port = (self._folder / "port").read_text()
        options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        options += ["--daemonize", "yes", "--pidfile", str(self._folder / "pid"), "--logfile", "log"]
        subprocess.run([redis_program(), *options], check=True)
        if not wait_until(self._answers):
            raise RuntimeError("Redis does not start.")

    def flush(self) -> None:
        """Delete all data."""
        import redis

        redis.Redis.from_url(self.url).flushall()

    def kill(self) -> None:
        """Kill it."""
        process = self._process()
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: not is_alive(process))

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Makes the service hang: it does nothing, and connections to it stay open."""
        with stopped([self._process()]):
            yield

    def _process(self) -> int:
        return int((self._folder / "pid").read_text())

    def _answers(self) -> bool:
        import redis

        try:
            return bool(redis.Redis.from_url(self.url).ping())
        except redis.ConnectionError:
            return False


class Disk:
    """A disk that can fill up.

    If mounting is allowed, it is a small file system in memory (tmpfs). Otherwise, the processes that write
    to it may not enlarge any file (RLIMIT_FSIZE), which differs only in the error's name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, megabytes: int) -> None:
        """Create it."""
        self.folder.mkdir()
        with suppress(FileNotFoundError):
            subprocess.run(
                [  # noqa: S607
                    "mount",
                    "-t",
                    "tmpfs",
                    "-o",
                    f"size={megabytes}m,mode=0755",
                    "tmpfs",
                    str(self.folder),
                ],
                stderr=subprocess.DEVNULL,
                check=False,
            )

    def remove(self) -> None:
        """Remove it."""
        if self.is_mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)  # noqa: S607

    @property
    def is_mounted(self) -> bool:
        """Whether it is a separate file system."""
        return self.folder.is_mount()

    @property
    def means(self) -> str:
        """Description of how it fills up."""
        return "a full tmpfs" if self.is_mounted else "RLIMIT_FSIZE"

    def fill(self, writers: Sequence[int]) -> None:
        """Stop these processes from writing more."""
        if not self.is_mounted:
            _limit_files(writers, 0)
            return
        try:
            with (self.folder / "filler").open("wb", buffering=0) as filler:
                for size in (2**20, 2**12, 2**9):
                    _write_until_full(filler.write, bytes(size))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise

    def free(self, writers: Sequence[int]) -> None:
        """Free the space again."""
        if self.is_mounted:
            (self.folder / "filler").unlink(missing_ok=True)
        else:
            _limit_files(writers, None)


def _write_until_full(write: Callable[[bytes], int | None], piece: bytes) -> None:
    with suppress(OSError):
        while write(piece):
            pass


def _limit_files(processes: Sequence[int], size: int | None) -> None:
    limit = "unlimited" if size is None else size
    for process in processes:
        with suppress(FileNotFoundError, ProcessLookupError):
            owner = Path(f"/proc/{process}").stat()  # Only the owner may limit these processes.
            subprocess.run(
                ["prlimit", f"--pid={process}", f"--fsize={limit}:"],  # noqa: S607
                user=None if os.geteuid() else owner.st_uid,
                stderr=subprocess.DEVNULL,
                check=False,  # It may just have ended.
            )


def postgres_programs() -> Path:
    """The folder of PostgreSQL's programs, which is not on the path on Debian.

    Raises:
        MissingError: it is not installed.
    """
    if program := shutil.which("initdb"):
        return Path(program).resolve().parent
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3].zfill(4)
    )
    if not versions:
        raise MissingError("PostgreSQL's server is not installed (Debian: apt-get install postgresql).")
    return versions[-1].parent


def redis_program() -> str:
    """Redis's server.

    Raises:
        MissingError: it is not installed.
    """
    program = shutil.which("redis-server")
    if program is None:
        raise MissingError("Redis is not installed (Debian: apt-get install redis-server).")
    return program


def _unprivileged_user() -> tuple[int, int] | None:
    if os.geteuid():
        return None
    for name in UNPRIVILEGED:
        with suppress(KeyError):
            user = pwd.getpwnam(name)
            return user.pw_uid, grp.getgrgid(user.pw_gid).gr_gid
    raise MissingError(
        "PostgreSQL does not run as root, and there is no user “postgres” or “nobody” to run it as."
    )


@contextmanager
def stopped(processes: Sequence[int]) -> Iterator[None]:
    """The processes are stopped within the block, and then go on."""
    _signal(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(processes, signal.SIGCONT)


def _signal(processes: Sequence[int], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)
