"""Words for numbers and lists in sentences."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """The names as a sentence lists them: "A, B and C"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def percent(share: float) -> str:
    """A fraction in percent, on one line: 95 %."""
    return f"{100 * share:g}\N{NO-BREAK SPACE}%"
