"""Parameters of draws and intervals that several analyses share."""

from typing import Any

from analysis.analyses.ranking import LARGEST_SEED
from core.parameters import parameter
from metrics.validation.hybrids import DRAWS


def synthetic_systems(*, maximum: int) -> Any:
    """How many synthetic systems there are of each kind."""
    return parameter(
        DRAWS,
        label="Draws",
        help="Synthetic systems for each pair of systems and each share from 10 % to 90 %.",
        minimum=1,
        maximum=maximum,
    )


def degrees_lost_by_williams() -> Any:
    """How many degrees of freedom fewer than systems Williams' test has."""
    return parameter(
        3,
        label="Degrees lost",
        help="Degrees of freedom of Williams' test: the number of systems minus this; some tools use 2.",
        minimum=2,
        maximum=3,
    )


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
