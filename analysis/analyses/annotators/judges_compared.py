"""Machines, metrics and baselines as judges beside people: parameters, computation and result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.base import stated, with_controls
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
from core.arrays import FloatArray, IntArray
from core.later import pd
from core.parameters import ParameterError, parameter
from core.progress import Progress
from ranking import Alpha, Kappa, ResamplingError, standings
from ranking.annotators.verdicts import COLUMNS as VERDICT_COLUMNS
from ranking.annotators.verdicts import INVALID, OUTCOMES, VALID
from ranking.machines import (
    DISTANCES,
    EPSILONS,
    NO_ANSWER,
    AlternativeAnnotatorTest,
    BesidePeople,
    Consistency,
    Contests,
    JudgedUnits,
    Outcomes,
    PairAccuracy,
    PairComparisons,
    Preference,
    ScreenHabits,
    ScreenPairs,
    Share,
    SystemLevel,
    alternative_annotator_test,
    answers_of_machine,
    answers_of_values,
    beside_people,
    cluster_distances,
    consistency,
    contests_over_answers,
    contests_over_scores,
    output_verdicts,
    own_family,
    pair_accuracies,
    parts_of_machine,
    position_preference,
    preferences,
    screen_pairs,
    system_level,
    values_of_looks,
    winning_rates,
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
    """

    names: tuple[str, ...]
    answers: int
    kappa: Kappa
    alpha: Alpha
    first_place: Share | None
    consistency: Consistency | None


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


def machine_judges(
    inputs: JudgedByMachines, parameters: MachineJudgesParameters, progress: Progress
) -> MachineJudges:
    """Compare every judge with people (`ranking.machines`).

    Raises:
        SnapshotError: the judgments lack something.
    """
    progress.begin("Preparing the judgments")
    bench = _bench(inputs, parameters, lambda: progress.advance(0))
    judges = list(bench.judges())
    progress.begin("Comparing judges with people", total=len(judges))
    compared: list[ComparedJudge] = []
    people = None
    for made in judges if len(bench.units.outcome) else ():
        judge = made()
        beside = beside_people(bench.units, judge.answers)
        people = people or bench.people(beside)
        progress.advance(0)
        compared.append(bench.compared(judge, beside))
        progress.advance(1)
    return MachineJudges(
        signature=inputs.signature(stated("machine-judges", parameters)),
        has_verdicts=isinstance(bench, _Verdicts),
        machines=len(bench.machines),
        people=people,
        judges=tuple(compared),
        unscored=bench.unscored,
        has_texts=inputs.looks is not None,
        reason=None if people else bench.nothing,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Judge:
    """A judge: `answers` about all units; of a machine also the `habits` of its own pairs, and its `key`."""

    name: str
    kind: JudgeKind
    answers: Outcomes
    habits: ScreenHabits | None = None
    key: str = ""


class _Verdicts:
    """Verdicts of people on outputs, and judges of them."""

    nothing = "Nobody has judged outputs yet"
    unscored: tuple[str, ...] = ()

    def __init__(self, inputs: JudgedByMachines, parameters: MachineJudgesParameters) -> None:
        self._inputs, self._parameters = inputs, parameters
        self.units, self._of_machines = output_verdicts(inputs.judgments.snapshot, inputs.machines)
        self.machines = list(self._of_machines)

    def judges(self) -> Iterator[Callable[[], _Judge]]:
        """Machines, and those who always say the same."""
        for key, answers in self._of_machines.items():
            yield partial(_Judge, self._inputs.titles.get(key, key), JudgeKind.MACHINE, answers)
        for name, verdict in (("always valid", VALID), ("never valid", INVALID)):
            answers = np.full(len(self.units), OUTCOMES[verdict], np.int8)
            yield partial(_Judge, name, JudgeKind.BASELINE, answers)

    def people(self, beside: BesidePeople) -> PeopleCompared:
        """People among themselves."""
        units = self.units
        return PeopleCompared(units.annotators, len(units), beside.people, beside.alpha, None, None)

    def compared(self, judge: _Judge, beside: BesidePeople) -> ComparedJudge:
        """A judge beside people."""
        contests = contests_over_answers(self.units, judge.answers)
        return _compared(judge, beside, self.units, contests, self._parameters)


class _Pairs:
    """Pairs of outputs that people ordered, and judges of them."""

    nothing = "Nobody has compared two outputs yet"

    def __init__(
        self, inputs: JudgedByMachines, parameters: MachineJudgesParameters, step: Callable[[], None]
    ) -> None:
        self._inputs, self._parameters, self._step = inputs, parameters, step
        self.unscored: tuple[str, ...] = ()
        self._snapshot = inputs.judgments.snapshot
        self.units = screen_pairs(self._snapshot, parameters.by)
        self._places = pd.Index(inputs.systems).get_indexer(pd.Index(self.units.systems)).astype(np.int64)
        self._comparisons = PairComparisons(self.units)
        self._group = _difficulty(self._snapshot, self.units, parameters)
        self._position = self._positions(self._snapshot)
        self.machines: list[str] = sorted(inputs.machines["annotator"].unique())
        self._features: dict[str, FloatArray] = {}
        if inputs.looks is not None:
            edits = self._in_order(inputs.looks.edits)
            self._features = {
                "characters": self._in_order(inputs.looks.characters),
                "edits": edits,
                "unchanged": np.where(np.isnan(edits), np.nan, edits == 0),
            }

    def judges(self) -> Iterator[Callable[[], _Judge]]:
        """Machines, metrics that score sentences, and baselines; `unscored` then has the other metrics.

        Machines are made when they are called, because all pairs of all machines would fill the memory.
        """
        inputs, pairs = self._inputs, self.units
        for key in self.machines:
            yield partial(self._machine, key)
        for name, values in inputs.metric_values():
            if values is None:
                self.unscored += (name,)
            else:
                answers = answers_of_values(pairs, self._in_order(values))
                yield partial(_Judge, name, JudgeKind.METRIC, answers)
        if inputs.looks is not None:
            for name, values in values_of_looks(inputs.looks, seed=self._parameters.seed).items():
                answers = answers_of_values(pairs, self._in_order(values))
                yield partial(_Judge, name, JudgeKind.BASELINE, answers)

    def _machine(self, key: str) -> _Judge:
        answers = np.full(len(self.units), NO_ANSWER, np.int8)
        habits = ScreenHabits()
        for part in parts_of_machine(self._inputs.machines, key):
            own = screen_pairs(part, self._parameters.by, self.units.systems)
            answers = np.maximum(answers, answers_of_machine(self.units, own))  # -9 where it has none
            habits.add(own, self._positions(part))
            self._step()
        return _Judge(self._inputs.titles.get(key, key), JudgeKind.MACHINE, answers, habits, key)

    def people(self, beside: BesidePeople) -> PeopleCompared:
        """People among themselves."""
        pairs, confidence = self.units, self._parameters.confidence
        return PeopleCompared(
            pairs.annotators,
            len(pairs),
            beside.people,
            beside.alpha,
            position_preference(pairs, self._position, confidence=confidence),
            consistency(pairs, self._position, confidence=confidence),
        )

    def compared(self, judge: _Judge, beside: BesidePeople) -> ComparedJudge:
        """A judge beside people."""
        parameters, confidence = self._parameters, self._parameters.confidence
        pairs, habits = self.units, judge.habits
        compared = _compared(judge, beside, pairs, self._contests(judge), parameters)
        return replace(
            compared,
            by_difficulty=()
            if self._group is None
            else pair_accuracies(pairs, judge.answers, self._group, DISTANCES, confidence=confidence),
            systems=system_level(
                pairs,
                judge.answers,
                replicates=parameters.replicates,
                confidence=confidence,
                seed=parameters.seed,
            ),
            preferences=preferences(pairs, judge.answers, self._features_for(judge), confidence=confidence),
            first_place=None if habits is None else habits.first_place(confidence),
            consistency=None if habits is None else habits.consistency(confidence),
        )

    def _features_for(self, judge: _Judge) -> dict[str, FloatArray]:
        """Those of outputs, and whether they are of the judge's own family where systems are of it."""
        relatives = self._inputs.relatives.get(judge.key, ())
        if not {*relatives}.intersection(self.units.systems):
            return self._features
        family = own_family(self.units.systems, relatives, self._inputs.sentences)
        return {**self._features, OWN_FAMILY: family}

    def _contests(self, judge: _Judge) -> Contests | str:
        """Those of the test, or the reason why there are none."""
        tested_by = self._parameters.tested_by
        if tested_by is Tested.ORDER:
            return self._comparisons.contests(judge.answers, half_ties=self._parameters.half_ties)
        if judge.kind is not JudgeKind.MACHINE:
            return "it orders outputs and gives no scores that people could have given"
        machine = self._inputs.machines
        own = machine[machine["annotator"] == judge.key]
        return contests_over_scores(self._snapshot, own, z_scores=tested_by is Tested.Z_SCORES)

    def _positions(self, snapshot: pd.DataFrame) -> FloatArray:
        """The place on the screen of each rated row; NaN where it is not known."""
        column = self._parameters.by.column
        rated = snapshot[column].notna() if column in snapshot else np.zeros(len(snapshot), dtype=bool)
        if "position" not in snapshot or not self._inputs.knows_places:
            return np.full(int(np.count_nonzero(rated)), np.nan)
        positions: FloatArray = snapshot.loc[rated, "position"].to_numpy(dtype=np.float64, na_value=np.nan)
        return positions

    def _in_order(self, values: FloatArray) -> FloatArray:
        """Values of the inputs' systems as values of the pairs' systems; NaN for systems without any."""
        padded = np.concatenate([values, np.full((len(values), 1), np.nan)], axis=1)
        return padded[:, self._places]


def _bench(
    inputs: JudgedByMachines, parameters: MachineJudgesParameters, step: Callable[[], None]
) -> _Verdicts | _Pairs:
    snapshot = inputs.judgments.snapshot
    rated = any(name in snapshot and snapshot[name].notna().any() for name in ("rank", "score"))
    is_judged = set(VERDICT_COLUMNS).issubset(snapshot.columns) and snapshot["verdict"].notna().any()
    return _Verdicts(inputs, parameters) if is_judged and not rated else _Pairs(inputs, parameters, step)


def _compared(
    judge: _Judge,
    beside: BesidePeople,
    units: JudgedUnits,
    contests: Contests | str,
    parameters: MachineJudgesParameters,
) -> ComparedJudge:
    if isinstance(contests, str):
        test = _not_tested(contests, parameters.epsilon)
        rates: tuple[float | None, ...] = (None,) * len(CURVE)
    else:
        options = {"by_sentence": parameters.by_sentence, "allow_missing": parameters.allow_missing}
        test = alternative_annotator_test(contests, parameters.epsilon, **options)
        rates = winning_rates(contests, CURVE, **options)
    [accuracy] = pair_accuracies(units, judge.answers, confidence=parameters.confidence)
    return ComparedJudge(
        name=judge.name,
        kind=judge.kind,
        test=test,
        winning_rates=rates,
        accuracy=accuracy,
        by_difficulty=(),
        kappa=beside.machine,
        alpha=beside.alpha_with_machine,
        kappas={each.person: each.with_machine for each in beside.each},
        systems=None,
        preferences=(),
        first_place=None,
        consistency=None,
    )


def _not_tested(reason: str, epsilon: float) -> AlternativeAnnotatorTest:
    nothing = Contests(people=(), instances=0, answered=0)
    return replace(alternative_annotator_test(nothing, epsilon), reason=reason)


def _difficulty(
    snapshot: pd.DataFrame, pairs: ScreenPairs, parameters: MachineJudgesParameters
) -> IntArray | None:
    """How far apart people rank the systems of each pair; None without clusters."""
    try:
        ranked = standings(
            snapshot,
            by=parameters.by,
            weighted=False,
            replicates=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
        )
    except ResamplingError:
        return None
    clusters = {each.system: each.cluster for each in ranked.systems if each.cluster is not None}
    return cluster_distances(pairs, clusters) if clusters else None
