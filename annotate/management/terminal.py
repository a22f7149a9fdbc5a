"""What long commands share: they end cleanly when they are told to, and show how far they are."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotate.storage.staging import Progress as Advance

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C has ended, by the custom of shells."""


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """A shutdown (SIGTERM) ends the command as Ctrl-C does, so that it cleans up behind itself."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def progress_bar(doing: str, total: int) -> Iterator[Advance]:
    """A bar on the terminal's error stream, absent where there is no terminal."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def quiet_when_the_pipe_closes() -> Iterator[None]:
    """A reader that has seen enough, such as `head`, ends the command without a traceback."""
    try:
        yield
    except BrokenPipeError:
        # Python flushes its output once more at exit, where the error could not be caught.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
