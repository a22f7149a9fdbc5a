"""Text in pieces of a fair size."""

from collections.abc import Iterable, Iterator

PIECE_BYTES = 2**16


def in_pieces(lines: Iterable[str]) -> Iterator[bytes]:
    """The lines as UTF-8, many together, since each piece travels by itself."""
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line.encode())
        size += len(waiting[-1])
        if size >= PIECE_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
