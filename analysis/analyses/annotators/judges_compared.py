"""Judges compared with people: parameters and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from analysis.analyses.base import with_controls
from analysis.analyses.from_judgments import (
    FOR_SCORES,
    ByTieWidth,
    FromPeople,
    scale_parameter,
    tie_width_parameter,
)
from analysis.analyses.resampling import (
    CONFIDENCES,
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
)
from core.parameters import ParameterError, parameter
from ranking import Alpha, Kappa
from ranking.machines import (
    EPSILONS,
    AlternativeAnnotatorTest,
    Consistency,
    PairAccuracy,
    Preference,
    Share,
    SystemLevel,
)

CURVE = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""The values of epsilon over which winning rates are given."""

OWN_FAMILY = "own family"
"""The preference for outputs of systems that state the machine's family."""

EPSILONS_OFFERED = {f"{epsilon:g}": f"{epsilon:g}: {who}" for who, epsilon in EPSILONS.items()}


class Tested(StrEnum):
    """By what the alternative annotator test says that two judges agree."""

    ORDER = "order"
    SCORES = "scores"
    Z_SCORES = "z-scores"


class JudgeKind(StrEnum):
    """The kind of a judge that is no person."""

    MACHINE = "machine"
    METRIC = "metric"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineJudgesParameters(ByTieWidth, FromPeople):
    """How judges are compared, and which judgments count. Attributes: see each parameter's help.

    Machines count here without being asked for, since they are only compared with people.
    """

    epsilon: float = parameter(
        EPSILONS["trained annotators"],
        label="Epsilon",
        help="Discount of the alternative annotator test for being cheap, by kind of annotator.",
        minimum=0,
        maximum=1,
        labels=EPSILONS_OFFERED,
    )
    tested_by: Tested = parameter(
        Tested.ORDER,
        label="Tested by",
        help="By what the test compares judges of scores; only machines give scores.",
        labels={Tested.ORDER: "order of outputs", Tested.SCORES: "scores", Tested.Z_SCORES: "z-scores"},
    )
    half_ties: bool = parameter(
        False,
        label="Ties in the test",
        help="Whether a tie agrees by half with an outcome that is none.",
        labels={"no": "agree with ties", "yes": "agree by half with others"},
    )
    by_sentence: bool = parameter(
        False,
        label="Units of the test",
        help="Whether outputs of one sentence are one unit of the test, since they are not independent.",
        labels={"no": "as in the paper", "yes": "sentences"},
    )
    allow_missing: bool = parameter(
        False,
        label="Test judges with gaps",
        help="Test judges that answered less than 95 %, too, although easy answers may flatter them.",
    )
    scale: str | None = scale_parameter()
    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    replicates: int = replicates_of_intervals(minimum=1)
    confidence: float = confidence_of_intervals(offered=CONFIDENCES)
    seed: int = seed_of_everything()


def resolved(parameters: MachineJudgesParameters, scored: bool) -> MachineJudgesParameters:
    """The parameters with a tie width for scores, by default 0.

    Raises:
        ParameterError: a tie width, or a test by scores, of rankings.
    """
    if scored:
        return replace(parameters, tie_width=parameters.tie_width or 0.0)
    if parameters.tie_width is not None:
        raise ParameterError(faults={"tie_width": FOR_SCORES})
    if parameters.tested_by is not Tested.ORDER:
        raise ParameterError(faults={"tested_by": FOR_SCORES})
    return parameters


@dataclass(frozen=True, slots=True)
class ComparedJudge:
    """A judge beside people.

    Attributes:
        name: of the machine, the metric's scores or the baseline.
        kind: what it is.
        test: the alternative annotator test.
        winning_rates: the winning rate for each epsilon of `CURVE`; None where nothing is computed.
        accuracy: how often it agrees with people.
        by_difficulty: the same by the distance of systems in people's ranking; empty without clusters.
        kappa: with people, over all comparisons.
        alpha: Krippendorff's nominal alpha of people and this judge.
        kappas: with each person, by name.
        systems: its ranking of systems beside people's; None where no systems are ranked.
        preferences: how often outputs with more of something win.
        first_place: how often the output further up on the screen wins; None where it saw no screen.
        consistency: its answers when asked again; None where it could not be.
    """

    name: str
    kind: JudgeKind
    test: AlternativeAnnotatorTest
    winning_rates: tuple[float | None, ...]
    accuracy: PairAccuracy
    by_difficulty: tuple[PairAccuracy, ...]
    kappa: Kappa
    alpha: Alpha
    kappas: Mapping[str, Kappa]
    systems: SystemLevel | None
    preferences: tuple[Preference, ...]
    first_place: Share | None
    consistency: Consistency | None


@dataclass(frozen=True, slots=True)
class PeopleCompared:
    """People among themselves, on the same units as the judges.

    Attributes:
        names: of the people, in alphabetical order.
        answers: number of their answers: pairs, or verdicts.
        kappa: over all comparisons of two people.
        alpha: Krippendorff's nominal alpha.
        first_place: how often the output further up on the screen wins; None where nothing is ranked.
        consistency: their answers when asked again; None where nothing is ranked.
        drawn_sentences: the number of sentences drawn for the comparison; None if there are no others.
    """

    names: tuple[str, ...]
    answers: int
    kappa: Kappa
    alpha: Alpha
    first_place: Share | None
    consistency: Consistency | None
    drawn_sentences: int | None = None


@dataclass(frozen=True, slots=True)
class MachineJudges:
    """Machines, metrics and baselines beside people.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        has_verdicts: whether answers are verdicts on outputs, else they order pairs of outputs.
        machines: number of machines that judged the sentences of people.
        people: people among themselves; None where nothing can be compared.
        judges: machines, metrics and baselines.
        unscored: metrics that score no sentences, and so are no judges.
        has_texts: whether the texts of outputs are known, which most baselines need.
        reason: why nothing can be compared; None if it can.
    """

    signature: str
    has_verdicts: bool
    machines: int
    people: PeopleCompared | None
    judges: tuple[ComparedJudge, ...]
    unscored: tuple[str, ...]
    has_texts: bool
    reason: str | None
