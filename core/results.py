"""A result with what it was computed with, and what is said and drawn of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
        chosen: name of the option that is shown, by name of the choice.
    """

    parameters: Any
    result: Any
    beside: Any = None
    chosen: Mapping[str, str] = field(default_factory=dict)

    def signature(self, *, of_beside: bool) -> str:
        """The signature of the result, or of the one beside it."""
        return str((self.beside if of_beside else self.result).signature)


Words = str | Callable[[Computed], str]
"""A text of an analysis, which may depend on the result."""


def said(words: Words, computed: Computed) -> str:
    """The text for this result."""
    return words(computed) if callable(words) else words


NamedWords = str | Callable[[Computed, Naming], str]
"""A text of an analysis, which may depend on the result and name systems and annotators."""


def named(words: NamedWords, computed: Computed, naming: Naming) -> str:
    """The text for this result and these names."""
    return words(computed, naming) if callable(words) else words


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that readers have on the page of a result, such as the metric that a figure shows.

    Attributes:
        label: what is chosen.
        options: by name in addresses, the title of each option of a result.
        usual: the option that is shown unless another is chosen; by default the first. It may depend on
            what is chosen in the choices before this one.
    """

    label: str
    options: Callable[[Computed], Mapping[str, str]]
    usual: Callable[[Computed], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The declaration of a figure.

    Attributes:
        caption: what it shows, in a few words, as a heading and for people who cannot see it.
        draw: makes the chart of a result that has something to show.
        has_content: whether a result has something to show.
        finding: what can be read from it, in a sentence without a full stop; by default the headline of its
            analysis.
        by: name of the choice whose option it shows; empty if it depends on none of its own. Its page links
            to the other options, and a published result has a figure of each.
        note: how to read it, below it in Markdown.
        of_table: name of the table whose rows draw the same on pages, which then only link to its files.
        is_of_beside: whether its numbers are those of the result beside, whose signature it bears.
        height: its height in pixels on a wide screen or a phone, for which a page leaves room until it is
            drawn; None if it is about as high as most.
    """

    caption: Words
    draw: Callable[[Computed, Naming, Layout], Any]
    has_content: Callable[[Computed], bool]
    finding: NamedWords = ""
    by: str = ""
    note: NamedWords = ""
    of_table: str = ""
    is_of_beside: bool = False
    height: Callable[[Computed, Layout], int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a page below the first one, above which the finding is the heading of the page.

    Attributes:
        title: heading.
        text: what the section shows and how to read it, in Markdown; names that users chose go through
            `core.wording.literal`.
        figures: names of its figures.
        tables: names of its tables, shown below the figures.
        note: remarks below them, in Markdown.
        is_folded: whether it opens only when its title is clicked, which may depend on the result.
    """

    title: Words
    text: NamedWords = ""
    figures: Sequence[str] = ()
    tables: Sequence[str] = ()
    note: NamedWords = ""
    is_folded: bool | Callable[[Computed], bool] = False
