"""Defaults of a protocol for a new campaign: its usual design and a template of its guidelines."""

import re
from dataclasses import dataclass
from pathlib import Path

from core.translations import gettext

GUIDELINES = Path(__file__).parent / "guidelines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """The design of a new campaign, until an admin changes it. Fields are named as in `Design`.

    Attributes:
        outputs_per_screen: 0 where the protocol shows none; fewer if the corpus has fewer systems.
        sampling: a value of `Sampling`.
        with_replacement: whether a sentence may be drawn more than once.
        covers_outputs: whether each output is judged.
        annotators_per_item: how many people judge a shared item.
        shared_percent: share of shared items.
        repeat_percent: share of items that the same person judges again.
        batch_size: in screens.
        marks_edits: whether edits are highlighted.
        separates_domains: whether an annotator judges only one domain per day.
    """

    outputs_per_screen: int = 5
    sampling: str = "uniform"
    with_replacement: bool = False
    covers_outputs: bool = False
    annotators_per_item: int = 2
    shared_percent: int = 20
    repeat_percent: int = 5
    batch_size: int = 20
    marks_edits: bool = False
    separates_domains: bool = False


def guidelines_template(name: str) -> str:
    """The template of this name, in Markdown."""
    return (GUIDELINES / f"{name}.md").read_text(encoding="utf-8")


def paragraphs(text: str) -> list[str]:
    """The paragraphs and lists of a text in Markdown, which are translated as wholes, with lines joined."""
    parts = [part.strip() for part in re.split(r"\n{2,}", text) if part.strip()]
    return [re.sub(r"\n(?!- |[0-9]\. )", " ", part) for part in parts]


def translated_paragraphs(text: str) -> str:
    """The text in the reader's language; `make translations` collects the paragraphs of all templates."""
    return "\n\n".join(map(gettext, paragraphs(text)))


def translated_lines(text: str) -> str:
    """A text of which each line is marked as `translatable`, in the reader's language."""
    return "\n".join(line and gettext(line) for line in text.split("\n"))
