"""Parameters of intervals by resampling that several analyses share, and words about these intervals."""

from typing import Any

from analysis.analyses.ranking import LARGEST_SEED
from core.parameters import parameter
from core.results import Computed
from core.wording import percent


def replicates_of_intervals(default: int = 1000, *, minimum: int = 0, maximum: int = 100_000) -> Any:
    """How often sentences are resampled."""
    none = "" if minimum else "; 0 for none"
    return parameter(
        default,
        label="Replicates",
        help=f"Number of bootstrap replicates for intervals{none}.",
        minimum=minimum,
        maximum=maximum,
    )


def confidence_of_intervals() -> Any:
    """The share of the replicates within the intervals."""
    return parameter(
        0.95, label="Confidence", help="Confidence level of the intervals.", minimum=0.5, maximum=0.999
    )


def seed_of_everything() -> Any:
    """The seed of all that is random."""
    return parameter(0, label="Seed", help="Seed of all random draws.", minimum=0, maximum=LARGEST_SEED)


def small_intervals(computed: Computed, of: str) -> str:
    """The note of a table with intervals, which says what they are of; empty without replicates."""
    if not computed.parameters.replicates:
        return ""
    return f"Small: {percent(computed.parameters.confidence)} intervals {of}"
