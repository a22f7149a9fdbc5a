"""Lists of sentences as people write them: "0-99, 105, 200-210"."""

import re
from collections.abc import Sequence

_ENTRY = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def parse_positions(text: str, *, sentences: int, most: int) -> list[int]:
    """The positions in the order written, repetitions kept.

    Args:
        text: numbers and inclusive ranges, separated by commas, spaces or line breaks.
        sentences: number of sentences of the corpus; its positions count from 0.
        most: how many positions may be listed.

    Raises:
        ValueError: an entry is no number or range, lies outside the corpus, or there are too many; the
            message says what to do.
    """
    positions: list[int] = []
    for entry in re.sub(r"\s*[-–]\s*", "-", text).replace(",", " ").split():
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(f"“{entry}” is neither a number nor a range like 0-99: correct or remove it.")
        first = int(match[1])
        last = int(match[2] or first)
        if last < first:
            raise ValueError(f"The range {entry} is backwards: write {last}-{first}.")
        if last >= sentences:
            raise ValueError(
                f"The corpus has {sentences} sentences, counted from 0: {entry} is beyond its last, "
                f"{sentences - 1}. Correct or remove it."
            )
        if len(positions) + last - first + 1 > most:
            raise ValueError(f"These are too many sentences: list at most {most}.")
        positions.extend(range(first, last + 1))
    return positions


def format_positions(positions: Sequence[int]) -> str:
    """The shortest list that reads as the positions."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in runs)
