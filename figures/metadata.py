"""Title, caption and signature in the file of a figure, where its format has a place for them."""

import re
import struct
import zlib
from dataclasses import dataclass
from xml.sax.saxutils import escape

from figures.page_font import page_font

_ROOT = re.compile(r"<svg[^>]*>")
_TRAILER = re.compile(rb"/Size (\d+)\s+/Root (\d+) 0 R.*startxref\s+(\d+)\s+%%EOF\s*$", re.DOTALL)
_AFTER_HEADER = 33
"""Bytes of the signature of a PNG file and its first chunk, which has to come first."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a figure says of itself.

    Attributes:
        title: above the figure.
        caption: what it shows and finds, for people who cannot see it.
        signature: by which it is repeated.
    """

    title: str
    caption: str
    signature: str


def in_svg(svg: str, words: Words, *, has_font: bool = False) -> str:
    """The figure with the elements title, desc and metadata; with the font of pages, if it is set in it."""
    elements = zip(("title", "desc", "metadata"), (words.title, words.caption, words.signature), strict=True)
    said = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in elements if text)
    style = page_font() if has_font else ""
    return _ROOT.sub(lambda root: root[0] + said + style, svg, count=1)


def in_pdf(pdf: bytes, words: Words) -> bytes:
    """The figure with title, subject and keywords in its document information.

    They are appended as an update of the file (ISO 32000-1, 7.5.6).
    """
    trailer = _TRAILER.search(pdf)
    if trailer is None:
        raise ValueError("the file has no plain trailer")
    size, root, table = (int(number) for number in trailer.groups())
    entries = zip(
        ("Title", "Subject", "Keywords"), (words.title, words.caption, words.signature), strict=True
    )
    said = b" ".join(b"/%s %s" % (name.encode(), _pdf_text(text)) for name, text in entries if text)
    information = b"\n%d 0 obj\n<< %s >>\nendobj\n" % (size, said)
    begins = len(pdf) + 1
    update = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Info %d 0 R /Prev %d >>\n" % (
        *(size, begins, size + 1, root, size, table),
    )
    return pdf + information + update + b"startxref\n%d\n%%%%EOF\n" % (len(pdf) + len(information))


def _pdf_text(text: str) -> bytes:
    return b"<FEFF%s>" % text.encode("utf-16-be").hex().upper().encode()


def in_png(png: bytes, words: Words) -> bytes:
    """The figure with chunks of text for title, description and comment."""
    entries = zip(
        ("Title", "Description", "Comment"), (words.title, words.caption, words.signature), strict=True
    )
    chunks = b"".join(_text_chunk(name, text) for name, text in entries if text)
    return png[:_AFTER_HEADER] + chunks + png[_AFTER_HEADER:]


def _text_chunk(keyword: str, text: str) -> bytes:
    """A chunk iTXt, uncompressed and without a language (PNG specification, 11.3.3.4)."""
    content = b"iTXt" + keyword.encode() + b"\0\0\0\0\0" + text.encode()
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
