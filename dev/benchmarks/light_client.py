"""A minimal HTTP client: many can run at little cost, which leaves the cores to the server."""

import asyncio
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

PATIENCE_SECONDS = 60
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^=]+)=([^;\r]*)", re.IGNORECASE)
_LOCATION = re.compile(rb"\r\nlocation: *([^\r]*)", re.IGNORECASE)
_RETRY_AFTER = re.compile(rb"\r\nretry-after: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Response:
    """A response.

    Attributes:
        location: target of a redirect; empty if there is none.
        retry_after: seconds to wait before the next request, if the server says so.
    """

    status: int
    location: str
    body: bytes
    retry_after: int | None = None

    @property
    def text(self) -> str:
        """The body, decoded from UTF-8."""
        return self.body.decode()


@dataclass
class Browser:
    """Keeps cookies and one connection, which is reopened whenever the server has closed it.

    Attributes:
        patience: maximum seconds to wait for a response.
        received: bytes of all responses, including headers.
    """

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    patience: float = PATIENCE_SECONDS
    received: int = 0
    _connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Response:
        """Request a page.

        Raises:
            OSError: the server cannot be reached, or closed the connection too early.
        """
        while True:
            response = await self._within_patience(self._request(self._message("GET", path, None)))
            # A redirect to the same address is a step on the way to the page.
            if response.location != path:
                return response

    async def post(self, path: str, fields: Mapping[str, str], *, by_script: bool = False) -> Response:
        """Send a form, like its script or like the browser itself.

        Raises:
            OSError: the server cannot be reached, or closed the connection too early.
        """
        message = self._message("POST", path, urlencode(fields).encode(), by_script=by_script)
        return await self._within_patience(self._request(message))

    async def post_and_leave(self, path: str, fields: Mapping[str, str], *, after: float) -> None:
        """Send a form like its script, and drop the connection after this many seconds in any case."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self._message("POST", path, urlencode(fields).encode(), by_script=True))
        await asyncio.sleep(after)
        writer.transport.abort()

    def close(self) -> None:
        """Close the connection."""
        if self._connection:
            self._connection[1].transport.abort()
            self._connection = None

    def _message(self, method: str, path: str, body: bytes | None, *, by_script: bool = False) -> bytes:
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in self.cookies.items())}",
        ]
        if body is not None:
            head += [
                f"Accept: {'application/json' if by_script else 'text/html'}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
                f"X-CSRFToken: {self.cookies.get('csrftoken', '')}",
            ]
        return "\r\n".join([*head, "", ""]).encode() + (body or b"")

    async def _within_patience(self, request: Awaitable[Response]) -> Response:
        try:
            async with asyncio.timeout(self.patience):
                return await request
        except (TimeoutError, EOFError) as error:
            self.close()
            raise ConnectionError(type(error).__name__) from error
        except OSError:
            self.close()
            raise

    async def _request(self, message: bytes) -> Response:
        if self._connection:
            reader, writer = self._connection
            if reader.at_eof() or writer.is_closing():
                self.close()
        if not self._connection:
            self._connection = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        reader, writer = self._connection
        writer.write(message)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await self._body(reader, head)
        self.received += len(head) + len(body)
        self.cookies |= {name.decode(): value.decode() for name, value in _COOKIE.findall(head)}
        if b"\r\nconnection: close" in head.lower():
            self.close()
        location, retry_after = _LOCATION.search(head), _RETRY_AFTER.search(head)
        return Response(
            int(head[9:12]),
            location[1].decode() if location else "",
            body,
            int(retry_after[1]) if retry_after else None,
        )

    async def _body(self, reader: asyncio.StreamReader, head: bytes) -> bytes:
        length = _LENGTH.search(head)
        if length:
            return await reader.readexactly(int(length[1]))
        if b"\r\ntransfer-encoding: chunked" not in head.lower():
            return await reader.read(-1)
        pieces = []
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            pieces.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readexactly(2)
        return b"".join(pieces)
