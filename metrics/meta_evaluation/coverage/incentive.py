"""Whether a system that maximises its score should correct a phrase or leave it unchanged.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Incentive:
    """Expected reward of correcting a phrase or leaving it.

    Attributes:
        correcting: expected reward of correcting; negative if wrong corrections cost more than valid ones
            earn.
        leaving: expected reward of leaving the phrase unchanged.
    """

    correcting: float
    leaving: float

    @property
    def to_correct(self) -> bool:
        """Whether correcting has the higher reward."""
        return self.correcting > self.leaving


def incentive(detected: float, correct: float, covered: float, *, penalty: float = 0.0) -> Incentive:
    """Condition 7 of the paper, and its form for measures that weigh precision.

    Args:
        detected: probability that the phrase is an error as predicted.
        correct: probability that the system's correction is valid.
        covered: probability that a valid correction is among the references.
        penalty: cost of a wrong correction, relative to the reward of a valid one.

    Raises:
        ValueError: a probability outside [0, 1], or a negative penalty.
    """
    _check({"detected": detected, "correct": correct, "covered": covered}, penalty)
    rewarded = correct * covered
    return Incentive(rewarded - (1 - rewarded) * penalty, 1 - detected)


def least_coverage(detected: float, correct: float, *, penalty: float = 0.0) -> float | None:
    """The coverage from which correcting is worth as much as leaving; None if no coverage is enough.

    Args:
        detected: probability that the phrase is an error as predicted.
        correct: probability that the system's correction is valid.
        penalty: what a wrong correction costs, relative to the reward of a valid one.

    Raises:
        ValueError: a probability outside [0, 1], or a negative penalty.
    """
    _check({"detected": detected, "correct": correct}, penalty)
    rewarded = (1 - detected + penalty) / (1 + penalty)
    return rewarded / correct if rewarded <= correct and correct else None


def _check(probabilities: Mapping[str, float], penalty: float) -> None:
    for name, probability in probabilities.items():
        if not 0 <= probability <= 1:
            raise ValueError(f"{name} is a probability, between 0 and 1, not {probability}")
    if penalty < 0:
        raise ValueError(f"the penalty is not negative: {penalty}")
