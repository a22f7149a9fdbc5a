"""Parameters that several analyses of metrics against people share."""

from typing import Any

from analysis.analyses.metrics_people_result import HUMAN_SCORES
from analysis.analyses.ranking import LARGEST_SEED
from metrics.parameters import parameter


def human_score() -> Any:
    """How judgments become scores of systems."""
    return parameter(
        None,
        label="Human score",
        help="How judgments become scores of systems.",
        labels=HUMAN_SCORES,
        placeholder="mean for scores, ew for rankings",
    )


def replicates_of_intervals() -> Any:
    """How often sentences are resampled."""
    return parameter(
        1000,
        label="Replicates",
        help="Number of bootstrap replicates for intervals; 0 for none.",
        minimum=0,
        maximum=100_000,
    )


def confidence_of_intervals() -> Any:
    """The share of the replicates within the intervals."""
    return parameter(
        0.95, label="Confidence", help="Confidence level of the intervals.", minimum=0.5, maximum=0.999
    )


def seed_of_everything() -> Any:
    """The seed of all that is random."""
    return parameter(0, label="Seed", help="Seed of all random draws.", minimum=0, maximum=LARGEST_SEED)


def without_the_source() -> Any:
    """Whether the system that leaves each sentence as it is takes part."""
    return parameter(False, label="Without the source", help="Leave out the system that changes nothing.")


def with_references() -> Any:
    """Whether human corrections take part as systems."""
    return parameter(False, label="With references", help="Include systems with the role reference.")


def without_named_systems() -> Any:
    """Further systems that take no part, by name."""
    return parameter(
        None,
        label="Leave out systems",
        help="Names of systems to leave out, separated by commas.",
        placeholder="none",
        several=True,
    )


def named_systems(parameters: Any) -> tuple[str, ...]:
    """The names of the systems to leave out, each once, in alphabetical order."""
    names = (name.strip() for name in (parameters.exclude_systems or "").split(","))
    return tuple(sorted({name for name in names if name}))
