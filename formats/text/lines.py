"""UTF-8 files as text and as numbered lines, for all readers."""

from pathlib import Path

from formats.records import MAX_FILE_BYTES, MAX_LINES, FormatError
from formats.text.characters import first_unstorable, named
from formats.text.checks import Place

_BYTE_ORDER_MARK = "\ufeff"
_UTF_16 = "the file is in UTF-16; save it as UTF-8"
_NO_TEXT = {
    b"\xff\xfe": _UTF_16,
    b"\xfe\xff": _UTF_16,
    b"PK\x03\x04": "the file is a ZIP archive or a spreadsheet; unpack it, or save it as text in UTF-8",
    b"\x1f\x8b": "the file is compressed by gzip; unpack it",
}
"""Kinds of files that are no text, by their first bytes."""


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without byte order mark and with "\\n" for "\\r\\n".

    Raises:
        FormatError: as `read_bytes` and `plain_text`.
    """
    return plain_text(read_bytes(path), path)


def plain_text(raw: bytes, path: Path) -> str:
    """The text in the bytes of a UTF-8 file, without byte order mark and with "\\n" for "\\r\\n".

    Raises:
        FormatError: as `text_as_it_is`; a character that no text can hold (`formats.text.characters`), such
            as a carriage return that is not followed by a line feed (with line).
    """
    text = text_as_it_is(raw, path).replace("\r\n", "\n")
    if unstorable := first_unstorable(text):
        line = text.count("\n", 0, unstorable.start()) + 1
        raise FormatError(path, line, named(unstorable[0]))
    return text


def text_as_it_is(raw: bytes, path: Path) -> str:
    """The text in the bytes of a UTF-8 file, without byte order mark, and otherwise untouched.

    Raises:
        FormatError: more than MAX_LINES lines, empty, compressed, not UTF-8 (with line and byte offset).
    """
    if (lines := raw.count(b"\n")) > MAX_LINES:
        raise FormatError(path, None, f"the file has {lines} lines, at most {MAX_LINES} are allowed")
    text = _decode(raw, path).removeprefix(_BYTE_ORDER_MARK)
    if not text:
        raise FormatError(path, None, "the file is empty")
    return text


def read_lines(path: Path) -> list[tuple[Place, str]]:
    """The lines of a UTF-8 file, each with its place, without line ends.

    Lines end at "\\n" or "\\r\\n" and nowhere else: `str.splitlines` would also break a sentence at U+2028,
    U+0085 and others, and so shift all sentences after it. A final line end does not begin a further line.

    Raises:
        FormatError: as `read_text`.
    """
    lines = read_text(path).removesuffix("\n").split("\n")
    return [(Place(path, number), line) for number, line in enumerate(lines, start=1)]


def read_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        FormatError: missing or unreadable file, not a regular file, larger than MAX_FILE_BYTES.
    """
    try:
        if not path.exists():
            raise FormatError(path, None, "no such file")
        if not path.is_file():  # a pipe would block, a device never end
            raise FormatError(path, None, "this is not a regular file")
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error}") from error
    if len(raw) > MAX_FILE_BYTES:
        raise FormatError(path, None, f"the file is larger than {MAX_FILE_BYTES // 2**20} MiB")
    return raw


def _decode(raw: bytes, path: Path) -> str:
    for beginning, what in _NO_TEXT.items():
        if raw.startswith(beginning):
            raise FormatError(path, None, what)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        cause = f"invalid UTF-8 at byte offset {error.start} (byte 0x{raw[error.start]:02X})"
        raise FormatError(path, line, cause) from error


def first_line(path: Path) -> str:
    """The first line of a file; bytes that are not UTF-8 become replacement characters.

    Raises:
        FormatError: as `read_bytes`.
    """
    return read_bytes(path).partition(b"\n")[0].decode(errors="replace")
