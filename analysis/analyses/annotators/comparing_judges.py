"""Comparing machines, metrics and baselines with people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.annotators.judges_compared import (
    CURVE,
    OWN_FAMILY,
    ComparedJudge,
    JudgeKind,
    MachineJudges,
    MachineJudgesParameters,
    PeopleCompared,
    Tested,
)
from analysis.analyses.base import stated
from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Progress
from ranking import Ranker, ResamplingError
from ranking.annotators.verdicts import COLUMNS as VERDICT_COLUMNS
from ranking.annotators.verdicts import INVALID, OUTCOMES, VALID
from ranking.machines import (
    DISTANCES,
    NO_ANSWER,
    AlternativeAnnotatorTest,
    BesidePeople,
    Contests,
    JudgedUnits,
    Outcomes,
    PairComparisons,
    ScreenHabits,
    ScreenPairs,
    alternative_annotator_test,
    answers_of_machine,
    answers_of_values,
    beside_people,
    cluster_distances,
    compared_sentences,
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


def machine_judges(
    inputs: JudgedByMachines, parameters: MachineJudgesParameters, progress: Progress
) -> MachineJudges:
    """Compare every judge with people (`ranking.machines`).

    Raises:
        SnapshotError: the judgments lack something.
    """
    progress.begin("Preparing the judgments")
    bench = _bench(inputs, parameters, progress.step)
    judges = list(bench.judges())
    progress.begin("Comparing judges with people", total=len(judges))
    compared: list[ComparedJudge] = []
    people = None
    for made in judges if len(bench.units.outcome) else ():
        judge = made()
        beside = beside_people(bench.units, judge.answers)
        people = people or bench.people(beside)
        progress.step()
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
        everything = inputs.judgments.snapshot
        self._sentences = compared_sentences(everything, parameters.by, seed=parameters.seed)
        step()
        self._snapshot, self._of_machines = map(self._compared, (everything, inputs.machines))
        step()
        self.units = screen_pairs(self._snapshot, parameters.by)
        step()
        self._places = pd.Index(inputs.systems).get_indexer(pd.Index(self.units.systems)).astype(np.int64)
        self._comparisons = PairComparisons(self.units, step)
        self._group = _difficulty(everything, self.units, parameters, step)
        step()
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

    def _compared(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """The judgments of the sentences on which judges are compared."""
        if self._sentences is None:
            return snapshot
        return snapshot[snapshot["sentence"].isin(self._sentences)].reset_index(drop=True)

    def _machine(self, key: str) -> _Judge:
        answers = np.full(len(self.units), NO_ANSWER, np.int8)
        habits = ScreenHabits()
        for part in parts_of_machine(self._of_machines, key):
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
            drawn_sentences=None if self._sentences is None else len(self._sentences),
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
        own = self._of_machines[self._of_machines["annotator"] == judge.key]
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
    snapshot: pd.DataFrame,
    pairs: ScreenPairs,
    parameters: MachineJudgesParameters,
    step: Callable[[], None],
) -> IntArray | None:
    """How far apart people rank the systems of each pair; None without clusters."""
    try:
        ranker = Ranker(snapshot, by=parameters.by, weighted=False, step=step)
        drawn = ranker.draw(range(parameters.replicates), parameters.seed, progress=lambda finished: step())
        ranked = ranker.standings(drawn, parameters.confidence)
    except ResamplingError:
        return None
    clusters = {each.system: each.cluster for each in ranked.systems if each.cluster is not None}
    return cluster_distances(pairs, clusters) if clusters else None
