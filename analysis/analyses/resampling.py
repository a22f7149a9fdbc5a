"""Parameters of intervals by resampling that several analyses share, and words about these intervals."""

from collections.abc import Mapping

from core.parameters import parameter
from core.results import Computed
from core.wording import percent

CONFIDENCES = {"0.9": "90 %", "0.95": "95 %", "0.99": "99 %"}
"""The levels that forms offer where others are unusual."""

LARGEST_SEED = 2**32 - 1


def replicates_of_intervals(default: int = 1000, *, minimum: int = 0, maximum: int = 100_000) -> int:
    """How often sentences are resampled."""
    none = "" if minimum else "; 0 for none"
    return parameter(
        default,
        label="Replicates",
        help=f"Number of bootstrap replicates for intervals{none}.",
        minimum=minimum,
        maximum=maximum,
    )


def confidence_of_intervals(
    what: str = "the intervals", *, offered: Mapping[str, str] | None = None
) -> float:
    """The confidence level; forms offer these values if there are some."""
    return parameter(
        0.95,
        label="Confidence",
        help=f"Confidence level of {what}.",
        minimum=0.5,
        maximum=0.999,
        labels=offered,
    )


def seed_of(what: str) -> int:
    """The seed of what is random."""
    return parameter(0, label="Seed", help=f"Seed of {what}.", minimum=0, maximum=LARGEST_SEED)


def seed_of_everything() -> int:
    """The seed of all that is random."""
    return seed_of("all random draws")


STRONGER = "The stronger the colour of a cell, the higher its value."
"""The meaning of shades in a table of agreement."""

UNSHADED = "Cells without an interval, or whose interval includes 0, are not shaded."
"""Which cells of a table with intervals have no shade."""


def small_intervals(computed: Computed, of: str) -> str:
    """The note of a table with intervals, which says what they are of; empty without replicates."""
    if not computed.parameters.replicates:
        return ""
    return f"The lines are {percent(computed.parameters.confidence)} intervals {of}"
