"""Sizes of the figures on pages, so that a page leaves room for a figure before that is drawn.

The size is known once the figure has been drawn. Until then, it is taken to be that of the same figure of
another campaign or corpus, or else a usual one.
"""

import re
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.core.cache import caches

SIZES = "figure-sizes"
"""Name of the cache."""

_LAYOUT = ("layout", "fills")
"""Parameters in addresses that decide the size most."""

_IDENTIFIER = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SIZE = re.compile(rb'<svg [^>]*?\bwidth="([0-9.]+)" height="([0-9.]+)"')


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


USUAL = {"": Size(700, 400), "layout": Size(300, 320), "fills": Size(1120, 440)}
"""Sizes of figures of which none has been drawn, by the parameter of their layout."""


def remember_size(path: str, query: str, svg: bytes) -> None:
    """Remember the size of a figure that was drawn for this address."""
    found = _SIZE.match(svg)
    if found is not None:
        size = Size(round(float(found[1])), round(float(found[2])))
        caches[SIZES].set_many(dict.fromkeys(_keys(path, query), size))


def size_of(path: str, query: str, *, height: int | None = None) -> Size:
    """The size of the figure with this address, or one that is likely; `height` is the declared one."""
    stated = dict(parse_qsl(query, keep_blank_values=True))
    exact, alike = _keys(path, query)
    if (known := caches[SIZES].get(exact)) is not None:
        return Size(*known)
    usual = USUAL[next((name for name in _LAYOUT if name in stated), "")]
    if height is not None:
        return Size(usual.width, height)
    if (known := caches[SIZES].get(alike)) is not None:
        return Size(*known)
    return usual


def _keys(path: str, query: str) -> tuple[str, str]:
    """Cache keys of the figure and of this figure in any campaign or corpus; colours do not matter."""
    stated = [each for each in parse_qsl(query, keep_blank_values=True) if each[0] != "theme"]
    layout = [each for each in stated if each[0] in _LAYOUT]
    return _key(path, stated), _key(_IDENTIFIER.sub("", path), layout)


def _key(path: str, stated: list[tuple[str, str]]) -> str:
    return sha256(f"{path}?{urlencode(sorted(stated))}".encode()).hexdigest()
