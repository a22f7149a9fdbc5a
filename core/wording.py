"""Words for numbers and lists in sentences."""

import re
from collections.abc import Sequence

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!<>|~&:])")


def listed(names: Sequence[str], does: str = "", do: str = "") -> str:
    """The names as a sentence lists them: "A, B and C"; then the verb, `does` of one and `do` of several."""
    every = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return f"{every} {does if len(names) == 1 else do}" if does else every


def are(number: int) -> str:
    """The verb after this number of things."""
    return "is" if number == 1 else "are"


def percent(share: float) -> str:
    """A fraction in percent, on one line: 95 %."""
    return f"{100 * share:g}\N{NO-BREAK SPACE}%"


def literal(text: str) -> str:
    """A text that users wrote, such as a system's name, as Markdown that shows it as it is."""
    return _MARKUP.sub(r"\\\1", text)


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
