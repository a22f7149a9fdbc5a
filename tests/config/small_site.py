"""A site of one page for testing the server: it echoes requests, or sends a long response in pieces."""

from collections.abc import Iterable, Iterator
from typing import Any

PIECE = b"0123456789abcdef" * 4096
PIECES = 400


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the body; `/long` with 25 MiB."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/long":
        return _pieces()
    name = environ.get("HTTP_X_FORWARDED_FOR", "nobody").encode()
    return [name, b" sent ", environ["wsgi.input"].read()]


def _pieces() -> Iterator[bytes]:
    for _ in range(PIECES):
        yield PIECE
