"""A site of one page for testing the server: it echoes requests, or sends a long response in pieces."""

from collections.abc import Iterable, Iterator
from typing import Any

PIECE = b"0123456789abcdef" * 4096
PIECES = 400


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the body; `/long` with 25 MiB, `/measured` names the length of the body."""
    headers = [("Content-Type", "text/plain")]
    if environ["PATH_INFO"] == "/long":
        start_response("200 OK", headers)
        return _pieces()
    name = environ.get("HTTP_X_FORWARDED_FOR", "nobody").encode()
    answer = [name, b" sent ", environ["wsgi.input"].read()]
    if environ["PATH_INFO"] == "/measured":
        headers.append(("Content-Length", str(sum(map(len, answer)))))
    start_response("200 OK", headers)
    return answer


def _pieces() -> Iterator[bytes]:
    for _ in range(PIECES):
        yield PIECE
