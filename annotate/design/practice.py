"""Practice items, which annotators answer before the work begins; they are written within the guidelines.

A fenced block named `practice` holds one: the source, a line for each correction with its rating before a
bar, and after an empty line why it is rated so.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt

from annotate.design.protocols import Answer, AnswerError, Practisable, Protocol, Question
from core.wording import counted
from jobs.refusals import RefusedError

FENCE = "practice"


class PracticeError(RefusedError):
    """A practice item is invalid; the message names its line and what to do."""


class TooFewItemsError(PracticeError):
    """Agreement is required on more practice items than there are."""


@dataclass(frozen=True, slots=True)
class Block:
    """A practice item as it is written.

    Attributes:
        source: the sentence.
        corrections: of the sentence, in the order in which they are shown.
        marks: the rating of each, as the protocol writes it.
        why: explanation in Markdown; may be empty.
    """

    source: str
    corrections: tuple[str, ...]
    marks: tuple[str, ...]
    why: str

    @property
    def rated(self) -> tuple[tuple[str, str], ...]:
        """Each correction after its rating."""
        return tuple(zip(self.marks, self.corrections, strict=True))


@dataclass(frozen=True, slots=True)
class PracticeItem:
    """A practice item that a protocol can ask.

    Attributes:
        block: as it is written.
        expected: the answer, its corrections in the order in which they are written.
        protocol: by which it is asked.
    """

    block: Block
    expected: Answer
    protocol: Practisable

    def question(self, options: Any) -> Question:
        """What it asks, with these options of the protocol; the corrections are as they are written."""
        source, corrections = self.block.source, self.block.corrections
        prepared = [self.protocol.prepared(source, text, None, options) for text in corrections]
        return Question(source, len(corrections), options, prepared=prepared, texts=corrections)


def read_block(text: str, *, least: int = 1) -> Block:
    """The parts of a practice block.

    Raises:
        PracticeError: it has no source, or fewer than the `least` number of corrections with their ratings.
    """
    item, _, why = text.strip().partition("\n\n")
    source, *lines = [line.strip() for line in item.splitlines()] or [""]
    parts = [line.partition("|") for line in lines]
    if "|" in source or len(parts) < least or not all(bar and mark.strip() for mark, bar, _ in parts):
        raise PracticeError("write the source in its first line, then each correction as “rating | text”.")
    return Block(
        source=source,
        corrections=tuple(text.strip() for _, _, text in parts),
        marks=tuple(mark.strip() for mark, _, _ in parts),
        why=why.strip(),
    )


@lru_cache(maxsize=32)
def practice_items(guidelines: str, protocol: Protocol, options: Any = None) -> tuple[PracticeItem, ...]:
    """The practice items within the guidelines, in their order.

    Args:
        guidelines: in Markdown.
        protocol: by which they are asked.
        options: of the protocol, as the campaign has chosen them; None for the usual ones.

    Raises:
        PracticeError: one of them cannot be asked by this protocol with these options.
    """
    return tuple(_items(guidelines, protocol, protocol.options() if options is None else options))


@lru_cache(maxsize=32)
def without_practice(guidelines: str) -> str:
    """The guidelines without practice items, which are asked separately, and headings of nothing else."""
    lines = guidelines.splitlines()
    has_items, has_others = False, False  # Before the next heading that stays.
    for token in reversed(MarkdownIt("commonmark").parse(guidelines)):
        if not token.map:
            continue
        is_heading = token.type == "heading_open"
        if token.type == "fence" and token.info.strip() == FENCE:
            has_items = True
            del lines[slice(*token.map)]
        elif is_heading and has_items and not has_others:
            del lines[slice(*token.map)]
        elif token.level == 0:
            has_items, has_others = has_items and not is_heading, not is_heading
    return "\n".join(lines)


def check_practice(guidelines: str, protocol: Protocol, options: Any, needed: int) -> None:
    """Check that the practice items can be asked, and that there are as many as annotators must agree on.

    Raises:
        PracticeError: they cannot.
        TooFewItemsError: there are fewer.
    """
    items = len(practice_items(guidelines, protocol, options))
    if needed > items:
        raise TooFewItemsError(
            f"Agreement on {counted(needed, 'practice item')} is required, "
            f"but the guidelines have only {items}."
        )


def _items(guidelines: str, protocol: Protocol, options: Any) -> Iterator[PracticeItem]:
    for token in MarkdownIt("commonmark").parse(guidelines):
        if token.type != "fence" or token.info.strip() != FENCE:
            continue
        try:
            if not isinstance(protocol, Practisable):
                raise PracticeError(
                    f"“{protocol.title}” has no practice items. Remove it, or make it a plain example."
                )
            block = read_block(token.content, least=max(protocol.least_outputs, 1))
            if len(block.corrections) > protocol.most_outputs:
                raise PracticeError(f"a screen has room for only {protocol.most_outputs} corrections.")
            expected = protocol.expected_for(block.corrections, block.marks, options)
            item = PracticeItem(block, expected, protocol)
            protocol.check_expected(item.expected, item.question(options))
        except (PracticeError, AnswerError) as error:
            line = token.map[0] + 1 if token.map else "?"
            raise PracticeError(f"The practice item in line {line} of the guidelines: {error}") from error
        yield item
