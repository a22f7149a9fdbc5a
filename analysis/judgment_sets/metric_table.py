"""The table that papers print of a new metric: how it agrees with people, judgment set by judgment set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from analysis.analyses.base import stated
from analysis.analyses.metric_titles import MetricName
from analysis.analyses.metrics.metric_parts import SOFT, WILLIAMS
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.metrics_people_result import MetricAgainstPeople, MetricsAgainstPeople
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
)
from analysis.judgment_sets.judgment_set import JudgmentSet
from analysis.runs.computing import computed
from core.columns import Column, Count, Estimated, Number, PValue, Text
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed
from core.tables import Table
from core.wording import p_is
from formats.metric_scores import GivenScores
from metrics.meta_evaluation import Estimate, MetricScores, PairwiseTests
from metrics.meta_evaluation.sentence_level import CEILING
from metrics.meta_evaluation.tie_rules import OrderedPairs, TieRule, accuracy_tests, ordered_pairs
from ranking import holds_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTableParameters:
    """How metrics are compared with people. The help of each parameter describes it."""

    ties: TieRule = parameter(
        TieRule.HALF,
        label="Ties of metrics",
        help=(
            "What a tie of a metric counts as in the accuracy: half of a pair, an error, or, as in SEEDA's "
            "script and gec-metrics, that the alphabetically later system wins."
        ),
    )
    replicates: int = replicates_of_intervals(minimum=100)
    permutations: int = parameter(
        1000,
        label="Permutations",
        help="Number of permutations for soft pairwise accuracy and its tests.",
        minimum=100,
        maximum=100_000,
    )
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class NewMetrics:
    """The metrics that a table is about.

    Attributes:
        computed: names of metrics to compute, such as "gleu" or "learned:model.json".
        given: by file, scores that were computed elsewhere.
    """

    computed: Sequence[str]
    given: Mapping[Path, Mapping[str, GivenScores]]

    def of(self, judgment_set: JudgmentSet, progress: Progress) -> list[MetricScores]:
        """Their scores on a judgment set."""
        made = [judgment_set.computed(name, progress.advance) for name in self.computed]
        return made + [
            metric for path, scores in self.given.items() for metric in judgment_set.given(scores, path)
        ]


@dataclass(frozen=True, slots=True)
class Lead:
    """A new metric and the best of the others.

    Attributes:
        other: the best other metric by the same figure.
        is_ahead: whether the new metric has the higher figure.
        p_value: of the test that whichever has the higher figure agrees better; None if it is impossible.
    """

    other: str
    is_ahead: bool
    p_value: float | None

    def __str__(self) -> str:
        """In words."""
        tested = "" if self.p_value is None else f", {p_is(self.p_value)}"
        return f"{'ahead of' if self.is_ahead else 'behind'} {self.other}{tested}"


@dataclass(frozen=True, slots=True)
class MetricOnSet:
    """A metric on a judgment set.

    Attributes:
        judgment_set: its name.
        metric: name of the metric.
        is_new: whether the table is about it.
        number_of_systems: how many are compared.
        agreement: with people, by systems.
        pairs: over the pairs that people ordered; None for scores of systems alone.
        released: Pearson's r and Spearman's rho with the scores of systems that came with the judgments, by
            the name of these scores.
        leads: by the name of a figure in `TESTS`, how a new metric stands to the best other.
    """

    judgment_set: str
    metric: str
    is_new: bool
    number_of_systems: int
    agreement: MetricAgainstPeople
    pairs: OrderedPairs | None
    released: Mapping[str, tuple[float | None, float | None]]
    leads: Mapping[str, Lead]

    @property
    def tau(self) -> float | None:
        """Twice the accuracy minus 1."""
        accuracy = self.pairs.accuracy.value if self.pairs else None
        return None if accuracy is None else 2 * accuracy - 1


@dataclass(frozen=True, slots=True)
class SetResult:
    """All metrics on a judgment set.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        name: of the judgment set.
        about: what was judged, in words.
        metrics: the best soft pairwise accuracy first; one annotator against the others, if known, is last.
        not_scored: by metric that others are compared with, why it has no scores here.
    """

    signature: str
    name: str
    about: str
    metrics: tuple[MetricOnSet, ...]
    not_scored: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MetricTable:
    """New metrics on all judgment sets.

    Attributes:
        sets: the judgment sets.
    """

    sets: tuple[SetResult, ...]

    @property
    def signature(self) -> str:
        """The signatures of the sets, one in a line."""
        return "\n".join(each.signature for each in self.sets)


def on_set(
    judgment_set: JudgmentSet,
    new: NewMetrics,
    parameters: MetricTableParameters,
    progress: Progress,
    *,
    against: Sequence[str] = (),
) -> SetResult:
    """Compare new metrics with people, and with other metrics, on a judgment set.

    Args:
        judgment_set: the judgments.
        new: the metrics that the table is about.
        parameters: how they are compared.
        progress: receives reports.
        against: names of metrics to compare them with, instead of those that the set names.

    Raises:
        FormatError: a file is missing or malformed.
        ParameterError: a new metric cannot score the set, or judgments and scores have nothing in common.
    """
    progress.begin(f"Scoring {judgment_set.name}")
    made = new.of(judgment_set, progress)
    others, not_scored = [], {}
    for name in against or judgment_set.compared:
        try:
            others.append(judgment_set.computed(name, progress.advance))
        except ParameterError as error:
            not_scored[name] = str(error)
    inputs = judgment_set.scored([*made, *others, *judgment_set.released(), judgment_set.most_edits()])
    result = _against_people(inputs, parameters, progress)
    pairs = ordered_pairs(
        inputs.compared(only_judged=True),
        parameters.ties,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    of_pairs = {each.metric: each for each in pairs}
    figures = {
        "pearson": ({name: each.pearson for name, each in result.metrics.items()}, result.tests[WILLIAMS]),
        "spa": ({name: each.spa for name, each in result.metrics.items()}, result.tests[SOFT]),
        "accuracy": ({name: each.accuracy for name, each in of_pairs.items()}, accuracy_tests(pairs)),
    }
    new_names = {metric.name for metric in made}
    released = {metric.name: judgment_set.with_released(metric) for metric in inputs.metrics}

    def row(name: str, agreement: MetricAgainstPeople) -> MetricOnSet:
        leads = {figure: _lead(name, *of, new_names) for figure, of in figures.items()}
        return MetricOnSet(
            judgment_set=judgment_set.name,
            metric=name,
            is_new=name in new_names,
            number_of_systems=len(result.systems),
            agreement=agreement,
            pairs=of_pairs.get(name),
            released=released.get(name, {}),
            leads={figure: lead for figure, lead in leads.items() if lead} if name in new_names else {},
        )

    rows = [row(name, agreement) for name, agreement in result.metrics.items()]
    if result.ceiling.spa.value is not None:
        rows.append(row(CEILING, result.ceiling))
    return SetResult(
        signature=inputs.signature(stated("metric-table", parameters)),
        name=judgment_set.name,
        about=judgment_set.about,
        metrics=tuple(rows),
        not_scored=not_scored,
    )


def _against_people(
    inputs: ScoredJudgments, parameters: MetricTableParameters, progress: Progress
) -> MetricsAgainstPeople:
    asked = MetricsPeopleParameters(
        with_source=True,
        references=True,
        replicates=parameters.replicates,
        permutations=parameters.permutations,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    resolved = METRICS_PEOPLE.resolved(asked, scored=holds_scores(inputs.judgments.snapshot))
    result: MetricsAgainstPeople = computed(METRICS_PEOPLE, inputs, resolved, progress)
    return result


def _lead(
    name: str, figures: Mapping[str, Estimate], tests: PairwiseTests, new: Collection[str]
) -> Lead | None:
    """How a metric stands to the best of those that are not new; None if either has no figure."""
    others = {
        other: each.value for other, each in figures.items() if other not in new and each.value is not None
    }
    own = figures[name].value if name in figures else None
    if own is None or not others:
        return None
    best = max(others, key=lambda other: others[other])
    is_ahead = own > others[best]
    row, column = (name, best) if is_ahead else (best, name)
    there = {row, column} <= {*tests.metrics}
    p_value = tests.p_values[tests.metrics.index(row)][tests.metrics.index(column)] if there else None
    return Lead(best, is_ahead, p_value)


def _agreement(figure: str) -> Callable[[MetricOnSet], Estimate | None]:
    def read(row: MetricOnSet) -> Estimate | None:
        estimate: Estimate = getattr(row.agreement, figure)
        return None if estimate.value is None else estimate

    return read


def _accuracy(row: MetricOnSet) -> Estimate | None:
    return row.pairs.accuracy if row.pairs else None


def _of_pairs(figure: str) -> Callable[[MetricOnSet], int | None]:
    return lambda row: getattr(row.pairs, figure) if row.pairs else None


def _of_lead(figure: str, what: str) -> Callable[[MetricOnSet], object]:
    return lambda row: getattr(row.leads.get(figure), what, None)


def _of_released(scores: str, place: int) -> Callable[[MetricOnSet], float | None]:
    return lambda row: row.released.get(scores, (None, None))[place]


def _columns(computed: Computed) -> list[Column]:
    table: MetricTable = computed.result
    scores = dict.fromkeys(name for each in table.sets for row in each.metrics for name in row.released)
    return [
        MetricName("metric", "Metric"),
        Text("set", "Set", attrgetter("judgment_set"), on_page=False),
        Text("is_new", value=lambda row: "yes" if row.is_new else "no"),
        Count("systems", "Systems", attrgetter("number_of_systems"), on_page=False),
        Estimated("pearson", "r", _agreement("pearson"), heading="Pearson’s r", ends_on_paper=ENDS),
        *_tested("pearson"),
        Estimated("spearman", "rho", _agreement("spearman"), heading="Spearman’s ρ"),
        Estimated("kendall", value=_agreement("kendall")),
        *(
            Number(
                f"{short}_{name}".replace(" ", "_").lower(),
                f"{short}, {name}",
                _of_released(name, place),
                heading=f"{letter}, {name}",
            )
            for name in scores
            for place, (short, letter) in enumerate((("r", "r"), ("rho", "ρ")))
        ),
        Estimated("spa", "SPA", _agreement("spa")),
        *_tested("spa"),
        Estimated("accuracy", "Accuracy", _accuracy, ends_on_paper=ENDS),
        *_tested("accuracy"),
        Number("tau", "Tau", attrgetter("tau")),
        Count("pairs", value=_of_pairs("pairs")),
        Count("ties", "Ties", _of_pairs("ties"), on_paper=False),
    ]


ENDS = ("low", "high")


def _tested(figure: str) -> Iterator[Column]:
    """The test against the best other metric, which the terminal says in sentences."""
    yield Text(f"{figure}_best_other", value=_of_lead(figure, "other"))
    yield PValue(f"{figure}_p", "p", _of_lead(figure, "p_value"), on_page=False)


METRIC_TABLE = Table(
    rows=lambda computed: [row for each in computed.result.sets for row in each.metrics],
    columns=_columns,
    caption=lambda computed: "; ".join(f"{each.name}: {each.about}" for each in computed.result.sets),
    comment=lambda computed: " ".join(_comments(computed.parameters)),
)


def tables_by_set(table: MetricTable) -> Iterator[MetricTable]:
    """The table of each judgment set."""
    return (replace(table, sets=(each,)) for each in table.sets)


def _comments(parameters: MetricTableParameters) -> list[str]:
    """What stands above the table in LaTeX."""
    return [
        "Pearson's r, Spearman's rho and soft pairwise accuracy (SPA) of systems; accuracy and tau over the",
        f"pairs that people ordered, ties of metrics: {parameters.ties}. Intervals at",
        f"{100 * parameters.confidence:g} % confidence. p: the metric and the best other one agree equally",
        "with people.",
    ]


TESTS = {"pearson": "r, Williams' test", "spa": "SPA, PERM-BOTH", "accuracy": "accuracy, bootstrap"}
"""Figures in which a new metric is held against the best other, and the test of each, by name."""


def sentences(result: SetResult) -> Iterator[str]:
    """How each new metric stands to the best others on a judgment set."""
    for row in result.metrics:
        if row.leads:
            said = "; ".join(f"{lead} ({TESTS[figure]})" for figure, lead in row.leads.items())
            yield f"{row.metric} is {said}."
        elif row.is_new:
            yield f"{row.metric} has no figures: {row.agreement.pearson.reason}."
    for reason in result.not_scored.values():
        yield f"Not compared: {reason}."
