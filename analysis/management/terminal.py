"""The progress of an analysis in the terminal."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from annotate.management.terminal import progress_bar
from core.progress import Advance, Progress


class TerminalProgress(Progress):
    """Progress as a bar for each step."""

    def __init__(self, bars: ExitStack) -> None:
        self._bars = bars
        self._bar: Advance | None = None

    def begin(self, step: str, *, total: int = 0) -> None:
        """Start a new bar."""
        self._bars.close()
        self._bar = self._bars.enter_context(progress_bar(step, total))

    def advance(self, parts: int) -> None:
        """Advance the bar."""
        if self._bar is not None:
            self._bar(parts)


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Progress on the terminal's error stream."""
    with ExitStack() as bars:
        yield TerminalProgress(bars)
