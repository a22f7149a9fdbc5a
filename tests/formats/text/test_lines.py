"""Every reader reads a file through `read_lines` or `read_text`."""

import os
from pathlib import Path

import pytest

from formats.records import FormatError
from formats.text import lines
from formats.text.lines import read_lines
from tests.formats.conftest import Write


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("\ufeffone\n", ["one"]),
        ("one\n\n", ["one", ""]),
        ("\n", [""]),
        ("tab\there\n", ["tab\there"]),
        ("a\u2028b\u0085c\u2029d\n", ["a\u2028b\u0085c\u2029d"]),
    ],
    ids=[
        "plain",
        "no final line end",
        "CRLF",
        "BOM",
        "empty last line",
        "one empty line",
        "tab",
        "only LF splits",
    ],
)
def test_lines_end_at_line_feeds_only(write: Write, content: str, expected: list[str]) -> None:
    assert [line for _, line in read_lines(write(content))] == expected


def test_lines_know_their_place(write: Write) -> None:
    path = write("one\ntwo\n")
    assert [(place.path, place.line) for place, _ in read_lines(path)] == [(path, 1), (path, 2)]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", None, "the file is empty"),
        (b"\xef\xbb\xbf", None, "the file is empty"),
        (b"ok\nbad \xff\n", 2, "invalid UTF-8 at byte offset 7 (byte 0xFF)"),
        (b"\xef\xbb\xbfok\n\xe2\x82", 2, "invalid UTF-8 at byte offset 6 (byte 0xE2)"),
        (b"\xff\xfeo\x00k\x00", None, "the file is in UTF-16; save it as UTF-8"),
        (b"\xfe\xff\x00o\x00k", None, "the file is in UTF-16; save it as UTF-8"),
        (b"PK\x03\x04\x14", None, "a ZIP archive or a spreadsheet"),
        (b"\x1f\x8b\x08", None, "compressed by gzip"),
        (b"\xed\xa0\x80", 1, "invalid UTF-8"),
        (b"ok\nnul \x00\n", 2, "control character U+0000"),
        (b"bell \x07", 1, "control character U+0007"),
        (b"old\rMac\r", 1, "a carriage return (U+000D) without a line feed"),
        (b"a\x0bb", 1, "control character U+000B"),
        ("ok\r\n\uffff".encode(), 2, "the noncharacter U+FFFF"),
    ],
)
def test_bad_bytes_are_named_by_line(write: Write, content: bytes, line: int | None, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_lines(write(content))
    assert fault.value.line == line
    assert words in fault.value.cause


def test_the_message_reads_path_line_cause(write: Write) -> None:
    path = write(b"ok\nbad \xff\n")
    with pytest.raises(FormatError) as fault:
        read_lines(path)
    assert str(fault.value) == f"{path}:2: invalid UTF-8 at byte offset 7 (byte 0xFF)"
    assert str(FormatError(path, None, "the file is empty")) == f"{path}: the file is empty"


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = {
        tmp_path / "nowhere": "no such file",
        tmp_path: "not a regular file",
        pipe: "not a regular file",
    }
    for path, words in refused.items():
        with pytest.raises(FormatError, match=words):
            read_lines(path)


def test_an_unreadable_file_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write("text")
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(FormatError, match=r"cannot be read: .*Permission denied"):
        read_lines(path)


def test_files_beyond_the_limits_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a\nb\nc\n")
    monkeypatch.setattr(lines, "MAX_LINES", 2)
    with pytest.raises(FormatError, match="3 lines, at most 2"):
        read_lines(path)
    monkeypatch.setattr(lines, "MAX_FILE_BYTES", 5)
    with pytest.raises(FormatError, match="larger than"):
        read_lines(path)
