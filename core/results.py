"""A result with what it was computed with, and the figures that are drawn of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from core.names import Naming

Layout = Literal["wide", "narrow"]
LAYOUTS: tuple[Layout, ...] = ("wide", "narrow")
"""A figure is drawn for a desktop or paper, and for a phone."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with what it was computed with.

    Attributes:
        parameters: of the analysis, resolved.
        result: its result, which has a signature.
        beside: result of the analysis that the page shows beside it, if there is one.
    """

    parameters: Any
    result: Any
    beside: Any = None


Words = str | Callable[[Computed], str]
"""A text of an analysis, which may depend on the result."""


def said(words: Words, computed: Computed) -> str:
    """The text for this result."""
    return words(computed) if callable(words) else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The declaration of a figure.

    Attributes:
        caption: what it shows, in a few words, as a heading and for people who cannot see it.
        draw: makes the chart of a result that has something to show.
        has_content: whether a result has something to show.
    """

    caption: Words
    draw: Callable[[Computed, Naming, Layout], Any]
    has_content: Callable[[Computed], bool]
