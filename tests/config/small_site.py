"""A site for testing the server: it echoes requests, sends a long response, or needs memory for a moment."""

from collections.abc import Iterable, Iterator
from typing import Any

from config import web_worker

web_worker.MOST_BYTES = 250 * 2**20

PIECE = b"0123456789abcdef" * 4096
PIECES = 400

BLOCKS, BLOCK_BYTES = 3200, 64 * 1024
"""The C library takes larger blocks from the system one by one, and returns each at once."""

kept: list[bytes] = []


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the body.

    `/long` answers with 25 MiB, `/measured` names the length, `/heavy` needs 200 MiB for a moment, and
    `/leaking` keeps 300.
    """
    headers = [("Content-Type", "text/plain")]
    if environ["PATH_INFO"] == "/long":
        start_response("200 OK", headers)
        return _pieces()
    if environ["PATH_INFO"] == "/heavy":
        blocks = [bytearray(BLOCK_BYTES) for _ in range(BLOCKS)]
        kept.append(bytes(BLOCK_BYTES))  # Holds the end of the heap, so that it cannot shrink.
        del blocks
    elif environ["PATH_INFO"] == "/leaking":
        kept.append(b"x" * 300 * 2**20)
    name = environ.get("HTTP_X_FORWARDED_FOR", "nobody").encode()
    answer = [name, b" sent ", environ["wsgi.input"].read()]
    if environ["PATH_INFO"] == "/measured":
        headers.append(("Content-Length", str(sum(map(len, answer)))))
    start_response("200 OK", headers)
    return answer


def _pieces() -> Iterator[bytes]:
    for _ in range(PIECES):
        yield PIECE
