"""The alternative annotator test: may a machine stand in for one more annotator?

Calderon, Reichart and Dror 2025, *The Alternative Annotator Test*, section 3. Each person is left out in
turn, and the machine and this person are compared by their agreement with the others. The machine wins an
instance where it agrees with the others at least as well, the person where they do; a tie is a win for both.
The machine beats a person if its share of wins is not below theirs by epsilon or more, a discount for being
cheap, by a one-sided t test. The winning rate is the share of people beaten, by the procedure of Benjamini
and Yekutieli 2001. From a half on, the machine may stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from core.later import special, stats

EPSILONS = {"experts": 0.2, "trained annotators": 0.15, "crowd": 0.1}
"""The paper's discounts by kind of annotator (section 3.3)."""

FEWEST_PEOPLE = 3
FEWEST_INSTANCES = 30
LEAST_ANSWERED = 0.95
LEAST_WINNING_RATE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """A machine and a person on the n instances that both, and somebody else, answered.

    Attributes:
        person: their name.
        machine_wins: shape (n,); where the machine agrees with the others at least as well as the person.
        person_wins: shape (n,); where the person agrees with the others at least as well as the machine.
        sentence: shape (n,); the sentence of each instance.
    """

    person: str
    machine_wins: NDArray[np.bool_]
    person_wins: NDArray[np.bool_]
    sentence: NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Contests:
    """A machine against each person.

    Attributes:
        people: a contest for each person, in the order of the data.
        instances: number of instances with answers of two people or more.
        answered: how many of these the machine answered.
    """

    people: tuple[Contest, ...]
    instances: int
    answered: int


@dataclass(frozen=True, slots=True)
class PersonTest:
    """The test of a machine against one person.

    Attributes:
        person: their name.
        instances: number of instances compared.
        machine_advantage: share of instances that the machine wins (rho of the machine); None without any.
        person_advantage: share of instances that the person wins; None without any.
        statistic: t; infinite where all instances are equal. None if there is no test.
        p_value: one-sided; None if there is no test.
        adjusted_p_value: by Benjamini and Yekutieli, over the people tested; None if there is no test.
        is_beaten: whether the machine beats the person; None if there is no test.
        reason: why there is no test; None if there is one.
    """

    person: str
    instances: int
    machine_advantage: float | None
    person_advantage: float | None
    statistic: float | None = None
    p_value: float | None = None
    adjusted_p_value: float | None = None
    is_beaten: bool | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AlternativeAnnotatorTest:
    """The result of the test for one machine.

    Attributes:
        epsilon: the discount.
        level: false discovery rate.
        people: the test against each person.
        answered_share: share of the instances that the machine answered; None without instances.
        winning_rate: omega, the share of the people tested that the machine beats; None if nothing is
            computed.
        advantage_probability: rho, the mean over these people of the share of instances that the machine
            wins. It compares machines with each other and does not depend on epsilon. None where
            `winning_rate` is.
        reason: why nothing is computed; None if it is.
    """

    epsilon: float
    level: float
    people: tuple[PersonTest, ...]
    answered_share: float | None
    winning_rate: float | None
    advantage_probability: float | None
    reason: str | None

    @property
    def tested(self) -> int:
        """Number of people tested."""
        return sum(each.is_beaten is not None for each in self.people)

    @property
    def beaten(self) -> int:
        """Number of people that the machine beats."""
        return sum(each.is_beaten is True for each in self.people)

    @property
    def may_stand_in(self) -> bool | None:
        """Whether the machine may stand in for one more annotator; None if nothing is computed."""
        return None if self.winning_rate is None else self.winning_rate >= LEAST_WINNING_RATE


def alternative_annotator_test(
    contests: Contests,
    epsilon: float,
    *,
    level: float = 0.05,
    by_sentence: bool = False,
    allow_missing: bool = False,
) -> AlternativeAnnotatorTest:
    """Test a machine against each person with at least 30 instances (section 3).

    If `by_sentence`, the units of the t tests are sentences, each with its mean, instead of instances as in
    the paper: instances of one sentence are not independent. Nothing is computed for fewer than three people
    with enough instances, and for a machine that answered less than 95 % of the instances unless
    `allow_missing`: one that answers easy instances only would be flattered.

    Raises `ValueError` for an epsilon outside 0 to 1.
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"an epsilon of {epsilon} is impossible: choose 0 to 1")
    samples = [_units(contest, by_sentence=by_sentence) for contest in contests.people]
    tests = [_test(sample, epsilon) if len(sample) >= FEWEST_INSTANCES else None for sample in samples]
    tested = [test for test in tests if test is not None]
    share = contests.answered / contests.instances if contests.instances else None
    reason = _why_not(contests, len(tested), allow_missing=allow_missing)
    if reason is not None:
        people = tuple(_untested(contest, reason) for contest in contests.people)
        return AlternativeAnnotatorTest(epsilon, level, people, share, None, None, reason)
    adjusted = iter(stats.false_discovery_control([p_value for _, p_value in tested], method="by").tolist())
    people = tuple(
        _untested(contest, _few(len(sample), by_sentence=by_sentence))
        if test is None
        else _tested(contest, *test, next(adjusted), level)
        for contest, sample, test in zip(contests.people, samples, tests, strict=True)
    )
    compared = [each for each in people if each.is_beaten is not None]
    return AlternativeAnnotatorTest(
        epsilon=epsilon,
        level=level,
        people=people,
        answered_share=share,
        winning_rate=sum(each.is_beaten is True for each in compared) / len(compared),
        advantage_probability=float(np.mean([each.machine_advantage for each in compared])),
        reason=None,
    )


def winning_rates(
    contests: Contests, epsilons: Sequence[float], *, by_sentence: bool = False, allow_missing: bool = False
) -> tuple[float | None, ...]:
    """The winning rate by epsilon, which decides the verdict; None where nothing is computed."""
    return tuple(
        alternative_annotator_test(
            contests, epsilon, by_sentence=by_sentence, allow_missing=allow_missing
        ).winning_rate
        for epsilon in epsilons
    )


def _units(contest: Contest, *, by_sentence: bool) -> FloatArray:
    """The person's lead on each unit of the t test."""
    lead = contest.person_wins.astype(np.float64) - contest.machine_wins
    if not by_sentence:
        return lead
    _, sentence = np.unique(contest.sentence, return_inverse=True)
    means: FloatArray = np.bincount(sentence, lead) / np.maximum(np.bincount(sentence), 1)
    return means


def _test(lead: FloatArray, epsilon: float) -> tuple[float, float]:
    """t and its p-value, for the hypothesis that the mean lead of the person is epsilon or more."""
    excess = float(lead.mean()) - epsilon
    spread = float(lead.std(ddof=1))
    if lead.min() == lead.max():
        statistic = inf if excess >= 0 else -inf
    else:
        statistic = excess / (spread / sqrt(len(lead)))
    return statistic, float(special.stdtr(len(lead) - 1, statistic))


def _why_not(contests: Contests, tested: int, *, allow_missing: bool) -> str | None:
    if not contests.instances:
        return "no instance has answers of two people"
    if not contests.answered:
        return "the machine answered none of the instances that two people answered"
    if contests.answered < LEAST_ANSWERED * contests.instances and not allow_missing:
        return (
            f"the machine answered {contests.answered:,} of {contests.instances:,} instances, "
            f"fewer than {LEAST_ANSWERED:.0%}"
        )
    if tested < FEWEST_PEOPLE:
        return (
            f"{tested} of {len(contests.people)} people share at least {FEWEST_INSTANCES} instances with "
            f"others and the machine; the test needs {FEWEST_PEOPLE}"
        )
    return None


def _few(units: int, *, by_sentence: bool) -> str:
    return f"{units} {'sentences' if by_sentence else 'instances'}, fewer than {FEWEST_INSTANCES}"


def _shares(contest: Contest) -> tuple[float | None, float | None]:
    if not len(contest.sentence):
        return None, None
    return float(contest.machine_wins.mean()), float(contest.person_wins.mean())


def _untested(contest: Contest, reason: str) -> PersonTest:
    return PersonTest(contest.person, len(contest.sentence), *_shares(contest), reason=reason)


def _tested(contest: Contest, statistic: float, p_value: float, adjusted: float, level: float) -> PersonTest:
    return PersonTest(
        contest.person,
        len(contest.sentence),
        *_shares(contest),
        statistic=statistic,
        p_value=p_value,
        adjusted_p_value=adjusted,
        is_beaten=adjusted <= level,
    )
