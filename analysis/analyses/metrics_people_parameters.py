"""Parameters that several analyses of metrics against people share."""

from typing import Any

from analysis.analyses.metrics_people_result import HUMAN_SCORES, INTERVALS_OF_TRUE_SCORES
from analysis.analyses.ranking import LARGEST_SEED
from core.parameters import parameter
from metrics.validation import HumanScore
from metrics.validation.hybrids import DRAWS, MEANS


def human_score() -> Any:
    """How judgments become scores of systems."""
    return parameter(
        None,
        label="Human score",
        help="How judgments become scores of systems.",
        labels=HUMAN_SCORES,
        placeholder="mean for scores, ew for rankings",
    )


def mean_human_score() -> Any:
    """How scores of sentences become scores of systems, real or synthetic."""
    return parameter(
        HumanScore.MEAN,
        label="Human score",
        help="Human score of a system: mean of its sentences' scores, or of their z-scores.",
        choices=tuple(MEANS),
        labels={score: HUMAN_SCORES[score] for score in MEANS},
    )


def synthetic_systems(*, maximum: int) -> Any:
    """How many synthetic systems there are of each kind."""
    return parameter(
        DRAWS,
        label="Draws",
        help="Synthetic systems for each pair of systems and each share from 10 % to 90 %.",
        minimum=1,
        maximum=maximum,
    )


def with_whole_set() -> Any:
    """Whether metrics score the sentences too that nobody judged."""
    return parameter(
        False,
        label="Sentences",
        help="Metrics score all sentences, not only those that people judged.",
        labels={"no": "those judged", "yes": "all, for metrics"},
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


def intervals_in_words(parameters: Any) -> list[str]:
    """How intervals are computed, for a paper; nothing without replicates."""
    if not parameters.replicates:
        return []
    return [
        f"Intervals are at {100 * parameters.confidence:g} % confidence from {parameters.replicates:,} "
        f"bootstrap replicates that resample sentences (seed {parameters.seed})."
    ]


def true_intervals_in_words(parameters: Any) -> list[str]:
    """How intervals of true scores are computed, for a paper; nothing without replicates."""
    if not parameters.replicates:
        return []
    return [
        f"{INTERVALS_OF_TRUE_SCORES.format(confidence=100 * parameters.confidence)} Errors are estimated "
        f"from {parameters.replicates:,} bootstrap replicates of sentences (seed {parameters.seed})."
    ]


def seed_of_everything() -> Any:
    """The seed of all that is random."""
    return parameter(0, label="Seed", help="Seed of all random draws.", minimum=0, maximum=LARGEST_SEED)


def with_the_source() -> Any:
    """Whether the system that leaves each sentence as it is takes part, where it usually does not."""
    return parameter(False, label="With the source", help="Include the system that changes nothing.")


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
