"""How far a metric agrees with people over the values of a parameter (GJG15, section 6.3, Figure 3).

A parameter that acts after the statistics, such as the beta of an F-score, costs no scoring. For others, such
as the length of n-grams, outputs are reduced anew for each value.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import ParameterField, parameter_fields
from core.progress import Advance
from metrics.base.evaluation_sets import InputError
from metrics.base.metric import AnyMetric
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES, AgreementIntervals, Resampled
from metrics.meta_evaluation.metric_scores import MetricScores
from metrics.meta_evaluation.output_statistics import Statistics
from metrics.meta_evaluation.significance import SMALLEST_DIFFERENCE, WIDENED
from metrics.meta_evaluation.system_level import why_no_correlation
from ranking import Coefficient, correlation, replicate_coefficients

COEFFICIENTS = (Coefficient.SPEARMAN, Coefficient.PEARSON)
"""The coefficients of Figure 3."""

MOST_VALUES, MOST_REDUCED = 100, 20
"""Most values of a parameter unless some are given: from statistics, and if outputs are reduced again."""

STEPS = (1, 2, 5)
"""A step is one of these times a power of ten."""

DIGITS = 9
"""Values and correlations that are equal when rounded so are equal."""


@dataclass(frozen=True, slots=True)
class BestValue:
    """The value with the best agreement of a metric with people.

    Attributes:
        value: of the parameter, the smallest of equal ones; None where there is no correlation.
        low: lower end of the percentile interval of the best value over resampled sentences; None where there
            is none.
        high: upper end.
        correlation: at the value.
        p_value: of the lead over the default (`p_of_the_best`); None where the default itself is the best, or
            too little was resampled.
    """

    value: float | None
    low: float | None
    high: float | None
    correlation: Estimate
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """A metric over V values of a parameter.

    Attributes:
        metric: its name.
        parameter: the name of the parameter.
        values: V, ascending.
        default: the value of the scores that the sweep began from.
        reduced_anew: whether outputs were reduced for each value, since statistics depend on it.
        correlations: by coefficient, Spearman's rho and Pearson's r, at each value.
        at_default: by coefficient, that at the default, which need not be among the values.
        best: by coefficient.
    """

    metric: str
    parameter: str
    values: tuple[float, ...]
    default: float
    reduced_anew: bool
    correlations: Mapping[Coefficient, tuple[Estimate, ...]]
    at_default: Mapping[Coefficient, Estimate]
    best: Mapping[Coefficient, BestValue]


def swept_parameters(metric: MetricScores) -> tuple[ParameterField, ...]:
    """The numeric parameters of a metric; none where it was computed elsewhere."""
    if metric.statistics is None:
        return ()
    return tuple(each for each in parameter_fields(metric.statistics.metric.Parameters) if each.is_numeric)


def usual_values(each: ParameterField) -> tuple[float, ...]:
    """Values in round steps from the smallest to twice the default, at most to the largest.

    A float that may be 0 begins one step above: F-beta of 0 is precision, which a system that changes nothing
    does not have.
    """
    assert isinstance(each.default, int | float)  # noqa: S101  # it is numeric
    low = each.minimum if each.minimum is not None else min(0.0, each.default)
    high = max(1.0, 2.0 * each.default)
    if each.maximum is not None:
        high = min(high, each.maximum)
    most = MOST_REDUCED if each.changes_statistics else MOST_VALUES
    step = round_step((high - low) / most, whole=each.type is int)
    first = int(np.ceil(round(low / step, DIGITS)))
    if each.type is float and first == 0:
        first = 1
    last = int(np.floor(round(high / step, DIGITS)))
    values = [round(number * step, DIGITS) for number in range(first, last + 1)]
    return tuple(values if (values and values[0] == low) or low <= 0 else [low, *values])


def round_step(least: float, *, whole: bool) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is not below `least`; at least 1 if whole."""
    if whole and least <= 1:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (*STEPS, 10) if step * power >= least * (1 - 10**-DIGITS)))


def sweep(
    data: MetricsAndPeople,
    human: HumanScore,
    metric: str,
    parameter: str,
    values: Sequence[float] | None = None,
    *,
    whole_set: bool = False,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    begin: Callable[[str, int], None] = lambda step, total: None,
    progress: Advance = lambda done: None,
) -> Sweep:
    """Correlate a metric with people at each value of a parameter, on the sentences and on resamples of them.

    Resamples are the same for all values, and the same as those of `system_scores`.

    Args:
        data: metrics and people.
        human: how systems are scored by people.
        metric: its name among the metrics.
        parameter: the name of a numeric parameter, such as "beta" or "max-unchanged".
        values: ascending; `usual_values` unless stated.
        whole_set: whether the metric scores all sentences, not only those that people judged.
        replicates: number of resamples of the sentences; 0 for no intervals.
        confidence: of the intervals.
        seed: of the resamples.
        threads: in which values are computed.
        begin: called with the name of the next step and its size.
        progress: called with the number of values reduced, then of replicates finished.

    Raises:
        InputError: there is no such metric, parameter or value, or outputs would have to be reduced anew
            and there are no texts.
        SnapshotError: z-scores of rankings.
    """
    place = _place(data, metric)
    statistics = data.metrics[place].statistics
    field = _field(data.metrics[place], parameter)
    assert statistics is not None  # noqa: S101  # it has parameters
    chosen = tuple(usual_values(field) if values is None else values)
    if field.changes_statistics:
        begin("Reducing outputs anew", len(chosen))
    swept = _Swept(
        statistics,
        _metrics(statistics.metric, field, chosen),
        anew=field.changes_statistics,
        progress=progress,
    )
    sentences = data.compared_sentences(whole_set=whole_set)
    of_people = data.people.scores_of_draws(human, threads=threads)
    people = of_people(sentences[None])
    whole = swept.scores(sentences[None])[:, 0]
    people_drawn, scores_drawn = [np.empty((0, len(data.systems)))], [whole[:, None][:, :0]]
    begin("Resampling", replicates)
    with ThreadPoolExecutor(threads) as pool:
        for draws in sentence_draws(len(sentences), range(replicates), seed):
            block = sentences[draws]
            people_drawn.append(of_people(block))
            scores_drawn.append(swept.scores_in_parts(block, pool, threads))
            progress(len(draws))
    human_replicates, metric_replicates = np.concatenate(people_drawn), np.concatenate(scores_drawn, axis=1)
    replicated = {
        each: np.array([replicate_coefficients(human_replicates, one, each) for one in metric_replicates])
        for each in COEFFICIENTS
    }
    estimates = [
        _estimates(data.systems, people[0], human_replicates, scores, drawn, confidence, seed)
        for scores, drawn in zip(whole, metric_replicates, strict=True)
    ]
    *estimates, at_default = estimates
    curves = {each: tuple(at_value[each] for at_value in estimates) for each in COEFFICIENTS}
    return Sweep(
        metric=metric,
        parameter=parameter,
        values=chosen,
        default=float(getattr(statistics.metric.parameters, field.attribute)),
        reduced_anew=field.changes_statistics,
        correlations=curves,
        at_default=at_default,
        best={
            each: _best(chosen, curves[each], at_default[each].value, replicated[each], confidence)
            for each in COEFFICIENTS
        },
    )


class _Swept:
    """A metric with each of V values, of the same statistics or each of others; then as it was scored."""

    def __init__(
        self, statistics: Statistics, metrics: Sequence[AnyMetric], *, anew: bool, progress: Advance
    ) -> None:
        self._parts: list[tuple[Statistics, Sequence[AnyMetric]]] = []
        for metric in metrics if anew else ():
            self._parts.append((statistics.with_metric(metric), [metric]))
            progress(1)
        self._parts.append((statistics, [*(() if anew else metrics), statistics.metric]))
        systems, sentences = statistics.picks.shape
        self._origins = np.repeat(np.arange(systems)[:, None], sentences, axis=1)

    def scores(self, draws: IntArray) -> FloatArray:
        """Scores by value, shape (V + 1, B, S)."""
        return np.concatenate(
            [statistics.scores_by(metrics, self._origins, draws) for statistics, metrics in self._parts]
        )

    def scores_in_parts(self, draws: IntArray, pool: ThreadPoolExecutor, parts: int) -> FloatArray:
        """Scores by value, shape (V + 1, B, S), computed in parallel for parts of the draws."""
        return np.concatenate(list(pool.map(self.scores, np.array_split(draws, parts))), axis=1)


def _place(data: MetricsAndPeople, metric: str) -> int:
    names = [each.name for each in data.metrics]
    if metric not in names:
        raise InputError(f"there are no scores by {metric!r}; there are: {', '.join(names)}")
    return names.index(metric)


def _field(metric: MetricScores, parameter: str) -> ParameterField:
    fields = {each.name: each for each in swept_parameters(metric)}
    if parameter not in fields:
        names = ", ".join(fields) or "none"
        raise InputError(f"{metric.name} has no numeric parameter {parameter!r}; there are: {names}")
    return fields[parameter]


def _metrics(metric: AnyMetric, field: ParameterField, values: Sequence[float]) -> list[AnyMetric]:
    """The metric with each value of its parameter. Raises `ParameterError` for an impossible one."""
    return [
        type(metric)(replace(metric.parameters, **{field.attribute: field.type(value)})) for value in values
    ]


def _estimates(
    systems: tuple[str, ...],
    human: FloatArray,
    human_replicates: FloatArray,
    metric: FloatArray,
    metric_replicates: FloatArray,
    confidence: float,
    seed: int,
) -> dict[Coefficient, Estimate]:
    if fault := why_no_correlation(systems, human, metric):
        return dict.fromkeys(COEFFICIENTS, Estimate(None, None, None, fault))
    resampled = Resampled(human, metric, human_replicates, metric_replicates)
    intervals = AgreementIntervals(resampled, confidence=confidence, seed=seed)
    return {
        each: intervals.of(
            correlation(metric, human, each).value,
            partial(replicate_coefficients, coefficient=each),
            by_order=each is not Coefficient.PEARSON,
        )
        for each in COEFFICIENTS
    }


def _best(
    values: Sequence[float],
    curve: Sequence[Estimate],
    at_default: float | None,
    drawn: FloatArray,
    confidence: float,
) -> BestValue:
    """The best of V values; `drawn` has the correlations in resamples, (V + 1, B), the default's last."""
    there = [each.value for each in curve if each.value is not None]
    if not there:
        return BestValue(None, None, None, curve[0], None)
    heights = np.array([-np.inf if each.value is None else each.value for each in curve])
    place = int(np.argmax(heights.round(DIGITS)))
    drawn_values = np.where(np.isfinite(drawn[:-1]), drawn[:-1], -np.inf)
    defined = np.isfinite(drawn_values).any(axis=0)
    if not defined.any():
        return BestValue(values[place], None, None, curve[place], None)
    highest = drawn_values[:, defined].round(DIGITS).argmax(axis=0)
    # The best value is one that was tried, so two middle values are not averaged.
    low, high = np.quantile(
        np.array(values)[highest],
        [(1 - confidence) / 2, (1 + confidence) / 2],
        method="closest_observation",
    ).tolist()
    lead = None if at_default is None else round(heights[place] - at_default, DIGITS)
    p_value = p_of_the_best(lead, place, drawn[:-1] - drawn[-1]) if lead else None
    return BestValue(values[place], low, high, curve[place], p_value)


def p_of_the_best(lead: float, place: int, leads: FloatArray) -> float | None:
    """The chance that the best of V values leads the default by so much if none agrees better than it.

    The lead is compared with the largest one in each resample, all as multiples of their standard deviations
    (Romano and Wolf 2005, after the reality check of White 2000), so it counts that the best value was chosen
    by the same judgments. None if too few resamples have all correlations.

    Args:
        lead: of the best value.
        place: of it among the values.
        leads: of all values in resampled sentences, shape (V, B), NaN where a correlation is not defined.
    """
    leads = leads[:, np.isfinite(leads).all(axis=0)]
    number = leads.shape[1]
    if number < FEWEST_REPLICATES:
        return None
    spreads = np.maximum(leads.std(axis=1, ddof=1), SMALLEST_DIFFERENCE)
    # Correlations of resamples are attenuated twice, so leads are centred at their own mean.
    largest = WIDENED * ((leads.T - leads.mean(axis=1)) / spreads).max(axis=1)
    return float((np.count_nonzero(largest >= lead / spreads[place]) + 1) / (number + 1))
