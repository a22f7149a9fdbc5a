"""Progress reports of computations."""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

Part = TypeVar("Part")

Advance = Callable[[int], None]
"""Called with the number of parts finished since the last call; an exception that it raises ends the work."""


class Progress(Protocol):
    """Receives progress reports of a computation; each report is also a point where it can be stopped."""

    def begin(self, step: str, *, total: int = 0) -> None:
        """Report the next step, and its number of parts if known."""

    def advance(self, parts: int) -> None:
        """Report that this many more parts are done."""

    def step(self) -> None:
        """Let the work be stopped here, between parts."""
        self.advance(0)


class NoProgress(Progress):
    """Ignores progress reports."""

    def begin(self, step: str, *, total: int = 0) -> None:
        """Do nothing."""

    def advance(self, parts: int) -> None:
        """Do nothing."""


MANY = 1000
"""Parts between two reports of `over_many`."""


def over_many(parts: Iterable[Part], step: str, progress: Progress, *, total: int) -> Iterator[Part]:
    """Each of many small parts of a step in turn, which are reported by the thousand."""
    progress.begin(step, total=total)
    for number, part in enumerate(parts, start=1):
        yield part
        if number % MANY == 0:
            progress.advance(MANY)


def stepping(parts: Iterable[Part], step: Callable[[], None]) -> Iterator[Part]:
    """Each of many small parts in turn; `step`, which may stop the work, is called after each thousand."""
    for number, part in enumerate(parts, start=1):
        yield part
        if number % MANY == 0:
            step()


def over(parts: Collection[Part], step: str, progress: Progress) -> Iterator[Part]:
    """Each part of a step in turn, which is done when the next one is asked for."""
    progress.begin(step, total=len(parts))
    for part in parts:
        yield part
        progress.advance(1)


BLOCK = 1 << 20


def blocks(path: Path, progress: Progress) -> Iterator[bytes]:
    """The bytes of a file in blocks, between which the work can be stopped."""
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
            if len(block) == BLOCK:
                progress.step()
