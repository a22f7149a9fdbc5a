"""For commands: tables in full, clean interruption, and progress bars."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import CommandError
from django.db import DatabaseError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from core import progress
from jobs.refusals import RefusedError

WIDTH_OF_FILES = 1000
"""Characters; wider than any table."""

INTERRUPTED = 130
"""Exit status of a command ended by Ctrl-C, by shell convention."""


class _FileConsole(Console):
    """Leaves out trailing blanks: Rich pads paragraphs of Markdown to the width of the console."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as padded:
            super().print(*objects, **options)
        text = "\n".join(line.rstrip() for line in padded.get().split("\n"))
        super().print(text, end="", markup=False, highlight=False, emoji=False, soft_wrap=True)


def output() -> Console:
    """Prints tables as wide as they are into a file or a pipe, which has no width to cut figures to."""
    console = Console()
    return console if console.is_terminal else _FileConsole(width=WIDTH_OF_FILES)


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """A shutdown (SIGTERM) ends the command as Ctrl-C does, so that it cleans up."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def failures_in_words(doing: str) -> Iterator[None]:
    """Ends the command with a message if the block refuses, fails, or is interrupted by Ctrl-C or SIGTERM.

    Args:
        doing: what the command does, such as "export".

    Raises:
        CommandError: the message says what happened.
    """
    try:
        with terminated_as_interrupted():
            yield
    except RefusedError as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(f"The {doing} failed because of a database error: {error}.") from error
    except OSError as error:
        raise CommandError(f"The {doing} failed: {error}.") from error
    except KeyboardInterrupt as error:
        raise CommandError(f"Interrupted before the {doing} was complete.", returncode=INTERRUPTED) from error


@contextmanager
def progress_bar(doing: str, total: int) -> Iterator[progress.Advance]:
    """A bar on the terminal's error stream, absent where there is no terminal."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def quiet_when_the_pipe_closes() -> Iterator[None]:
    """Ends the command without a traceback if the reader, such as `head`, closes the pipe."""
    try:
        yield
    except BrokenPipeError:
        # Python flushes its output once more at exit, where the error could not be caught.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class TerminalSteps(progress.Progress):
    """Steps of long work as one bar, for the current step."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=None)

    def begin(self, step: str, *, total: int = 0) -> None:
        """Begin a step with this number of parts; 0 if unknown."""
        self._bar.reset(self._task, description=step, total=total or None)

    def advance(self, parts: int) -> None:
        """Report that this many more parts are done."""
        self._bar.advance(self._task, parts)


@contextmanager
def progress_steps() -> Iterator[TerminalSteps]:
    """A bar for each step, absent where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield TerminalSteps(bar)
