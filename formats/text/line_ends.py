"""Line ends within an essay, which stands in a corpus and in its files as one line."""

import re

PILCROW = "¶"
"""Stands for the end of a line within an essay of a corpus, between blanks."""


def in_one_line(text: str) -> str:
    """An essay as a sentence of a corpus; the ends of blank lines share the blank between them."""
    line = text.replace("\n", f" {PILCROW} ")
    return line.replace(f"{PILCROW}  {PILCROW}", f"{PILCROW} {PILCROW}")


def in_lines(text: str) -> str:
    """An essay of a corpus with its line ends; "¶" is one with or without blanks around it."""
    return re.sub(rf" ?{PILCROW} ?", "\n", text)
