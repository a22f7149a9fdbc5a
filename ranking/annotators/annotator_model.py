"""Bradley-Terry with ties, a reliability for each annotator, and weights for the style of outputs.

Annotator k finds output a better than, equal to, or worse than output b with probabilities in the proportion

    exp(u / 2)  :  nu  :  exp(-u / 2),    u = r_k ((s_a - s_b) + w . (x_a - x_b)),

where s are the log strengths of the systems (Davidson 1970), r_k >= 0 the reliability of the annotator, and x
the style of an output: its length, its number of edits, whether it is unchanged. An annotator of reliability
0 answers at random and has no weight. Chen et al. (2013) have a reliability for each annotator of pairs; the
style term is that of ranking pages which take length out of a preference.

Only pairs of different outputs count, expanded to the systems that produced them: ties of systems that share
an output say nothing about annotators. Reliabilities have a normal prior around 1, and strengths a wide one,
which bounds systems that won or lost everything. Strengths may grow as reliabilities shrink in proportion;
both are reported at the scale at which reliabilities have a mean of 1 over all pairs.

Covariances are by the sandwich estimator, clustered by sentence, with the prior as one more cluster:
otherwise an annotator with a single judgment would have the reliability of the prior for certain. Intervals
and tests are by Student's t with one degree of freedom fewer than sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import optimize, pd, stats
from ranking.judgments.pairs import BY_RANKS, row_pairs
from ranking.judgments.snapshot import Basis, SnapshotError, compared_outputs, system_names
from ranking.judgments.system_rows import numbered, system_lists

RELIABILITY_SPREAD = 1.0
"""Standard deviation of the prior of reliabilities around 1."""

STRENGTH_SPREAD = 10.0
"""Standard deviation of the prior of strengths and weights of style, in units of log odds."""

CLOSE = 1e-4
"""The derivative of the log-likelihood below which a parameter is at its maximum."""

MOST_PAIRS = 3_000_000
"""If there are more pairs, judgments are drawn at random: a fit holds several arrays of that length."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A coefficient of the model.

    Attributes:
        name: of the system, the annotator or the property of outputs.
        value: log strength (these add up to 0), reliability, or weight of style for one unit of the property.
        low: lower bound of the interval; None where there is none.
        high: upper bound.
        pairs: how many pairs it rests on.
        p_value: two-sided, by Student's t, of an annotator's difference from the average one, or a weight's
            from 0; None for systems, and without an interval.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    pairs: int
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class AnnotatorModel:
    """A fitted model of judgments.

    Attributes:
        systems: by strength, best first; equal ones in alphabetical order.
        annotators: in alphabetical order, with a mean of 1 over pairs; empty where all are taken to be
            equally reliable.
        style: in the order given; empty where style plays no part.
        tie_parameter: nu.
        pairs: how many pairs of different outputs there are, of two systems each.
        used: how many of these the model was fitted to.
    """

    systems: tuple[Effect, ...]
    annotators: tuple[Effect, ...]
    style: tuple[Effect, ...]
    tie_parameter: float
    pairs: int
    used: int


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """The n pairs of different outputs, expanded to systems.

    Attributes:
        systems: the S systems, in alphabetical order.
        annotators: the K annotators, in alphabetical order.
        first: shape (n,), the system of one output.
        second: shape (n,), the system of the other.
        annotator: shape (n,).
        sentence: shape (n,), from 0.
        outcome: shape (n,); 1 where the first is better, 0 for a tie, -1 where the second is.
        style: shape (n, C), by how much more the first has of each property, in its standard deviations.
        total: of the pairs from which these were drawn.
    """

    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    first: IntArray
    second: IntArray
    annotator: IntArray
    sentence: IntArray
    outcome: IntArray
    style: FloatArray
    total: int


def annotator_model(
    snapshot: pd.DataFrame,
    style: pd.DataFrame | None = None,
    *,
    by: Basis = BY_RANKS,
    reliabilities: bool = True,
    confidence: float = 0.95,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> AnnotatorModel:
    """Fit the model by maximum a posteriori; intervals by the sandwich, judgments of a sentence together.

    A single sentence gives no intervals. `style` holds a number for each property (a column) of each output,
    with the index (sentence, output). `seed` decides which judgments are used if there are more than
    `MOST_PAIRS` pairs. `step` is called before each step of the fit, and may stop it by raising an error.

    Raises `SnapshotError` where an output has no style, and as `ranking.judgments.snapshot.compared_outputs`
    does.
    """
    scales = np.ones(0) if style is None else scales_of(style)
    pairs = _pairs(snapshot, style, scales, by, seed)
    model = _Likelihood(pairs, fits_reliabilities=reliabilities)
    best = model.maximum(step)
    effects = partial(effects_of, freedom=len(np.unique(pairs.sentence)) - 1, confidence=confidence)
    strengths, weights, judged, log_nu = model.parts(model.reported(best))
    errors = model.parts(model.standard_errors(best))
    compared = np.bincount(pairs.first, minlength=len(pairs.systems))
    compared += np.bincount(pairs.second, minlength=len(pairs.systems))
    systems = effects(pairs.systems, strengths, errors[0], compared)
    by_annotator = np.bincount(pairs.annotator, minlength=len(pairs.annotators))
    names = () if style is None else tuple(str(name) for name in style.columns)
    differing = np.count_nonzero(pairs.style, axis=0)
    return AnnotatorModel(
        systems=tuple(sorted(systems, key=lambda effect: (-effect.value, effect.name))),
        annotators=_from_zero(effects(pairs.annotators, judged, errors[2], by_annotator, neutral=1.0))
        if reliabilities
        else (),
        style=effects(names, weights / scales, errors[1] / scales, differing, neutral=0.0),
        tie_parameter=float(np.exp(log_nu)),
        pairs=pairs.total,
        used=len(pairs.outcome),
    )


def effects_of(
    names: tuple[str, ...],
    values: FloatArray,
    errors: FloatArray,
    pairs: NDArray[np.integer],
    *,
    freedom: int | IntArray,
    confidence: float,
    neutral: float | None = None,
) -> tuple[Effect, ...]:
    """Coefficients by name, with intervals and tests by Student's t; without where it has no freedom.

    Args:
        names: the n names.
        values: shape (n,).
        errors: shape (n,), their standard errors.
        pairs: shape (n,), how many pairs each rests on.
        freedom: degrees of freedom, of all or of each: one fewer than sentences.
        confidence: of the intervals.
        neutral: the value from which differences are tested; None for no tests.
    """
    width = stats.t.ppf((1 + confidence) / 2, freedom) * errors
    distance = np.full(values.shape, np.nan)
    if neutral is not None:
        np.divide(np.abs(values - neutral), errors, out=distance, where=errors > 0)
    p_values = np.asarray(2 * stats.t.sf(distance, freedom))
    return tuple(
        Effect(
            name,
            float(value),
            float(value - half) if np.isfinite(half) else None,
            float(value + half) if np.isfinite(half) else None,
            int(number),
            float(p_value) if np.isfinite(p_value) else None,
        )
        for name, value, half, number, p_value in zip(names, values, width, pairs, p_values, strict=True)
    )


def _from_zero(annotators: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Reliabilities with intervals that begin at 0 or above."""
    return tuple(
        annotator if annotator.low is None else replace(annotator, low=max(0.0, annotator.low))
        for annotator in annotators
    )


def scales_of(style: pd.DataFrame) -> FloatArray:
    """The standard deviation of each property; 1 for a constant property."""
    deviations = style.to_numpy(dtype=np.float64).std(axis=0)
    scales: FloatArray = np.where(deviations > 0, deviations, 1.0)
    return scales


def _pairs(
    snapshot: pd.DataFrame, style: pd.DataFrame | None, scales: FloatArray, by: Basis, seed: int
) -> _Pairs:
    outputs = compared_outputs(snapshot, by)
    systems = system_names(snapshot)
    judgments = outputs["judgment"].cat.codes.to_numpy()
    order = np.argsort(judgments, kind="stable")
    lists = system_lists(outputs["systems"], systems)
    total = _number_of_pairs(judgments, lists.sizes[lists.of_row])
    if total > MOST_PAIRS:
        kept = np.random.default_rng(seed).random(judgments.max() + 1) < MOST_PAIRS / total
        order = order[kept[judgments[order]]]
    row, system = lists.exploded(order)
    row = order[row]
    _, together = np.unique(judgments[row], return_inverse=True)
    upper, lower = row_pairs(together)
    different = row[upper] != row[lower]
    upper, lower = upper[different], lower[different]
    place = outputs["place"].to_numpy()
    ahead = place[row[lower]] - place[row[upper]]
    properties = NO_STYLE if style is None else style_of(outputs, style, scales)
    sentences, _ = pd.factorize(outputs["sentence"])
    return _Pairs(
        systems=systems,
        annotators=tuple(outputs["annotator"].cat.categories),
        first=system[upper].astype(np.int64),
        second=system[lower].astype(np.int64),
        annotator=outputs["annotator"].cat.codes.to_numpy()[row[upper]].astype(np.int64),
        sentence=sentences[row[upper]].astype(np.int64),
        outcome=np.where(np.abs(ahead) <= by.tie_width, 0, np.sign(ahead)).astype(np.int64),
        style=properties.of(row[upper]) - properties.of(row[lower]),
        total=total,
    )


def _number_of_pairs(judgments: NDArray[np.integer], systems: NDArray[np.integer]) -> int:
    """How many pairs of systems there are in judgments, less those within one output.

    Args:
        judgments: shape (N,), the judgment of each row.
        systems: shape (N,), how many systems each row has.
    """
    together = np.zeros(judgments.max(initial=-1) + 1, dtype=np.int64)
    np.add.at(together, judgments, systems)
    return int((together * (together - 1) // 2).sum() - (systems * (systems - 1) // 2).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The style of N rows, of which many show the same output.

    Attributes:
        distinct: shape (D, C), the style of each output in standard deviations.
        of_row: shape (N,), the output that each row shows; None if there are no properties.
    """

    distinct: FloatArray
    of_row: IntArray | None

    def of(self, rows: NDArray[np.integer]) -> FloatArray:
        """The style of these rows, shape (rows, C)."""
        if self.of_row is None:
            return np.empty((len(rows), 0))
        style: FloatArray = self.distinct[self.of_row[rows]]
        return style


NO_STYLE = Style(np.empty((0, 0)), None)


def style_of(outputs: pd.DataFrame, style: pd.DataFrame, scales: FloatArray) -> Style:
    """The style of the outputs in these rows."""
    of_row = numbered(outputs["sentence"], outputs["output"])
    first = outputs.iloc[np.unique(of_row, return_index=True)[1]]
    keys = pd.MultiIndex.from_arrays([first["sentence"], first["output"].astype("object")])
    properties = style.reindex(keys).to_numpy(dtype=np.float64)
    if np.isnan(properties).any():
        sentence, output = keys[np.isnan(properties).any(axis=1).argmax()]
        raise SnapshotError(f"the output {output} of sentence {sentence} has no style")
    return Style(properties / scales, of_row)


class _Likelihood:
    """The penalised likelihood of the parameters: S strengths, C weights, K reliabilities, log nu."""

    def __init__(self, pairs: _Pairs, *, fits_reliabilities: bool) -> None:
        self._pairs = pairs
        self._data = (
            *(pairs.first, pairs.second, pairs.annotator, pairs.outcome),
            *(pairs.style, len(pairs.systems)),
        )
        self._sizes = np.cumsum([len(pairs.systems), pairs.style.shape[1], len(pairs.annotators)])
        self._spreads = np.concatenate(
            [
                np.full(self._sizes[1], STRENGTH_SPREAD),
                np.full(len(pairs.annotators), RELIABILITY_SPREAD),
                [STRENGTH_SPREAD],
            ]
        )
        by_annotator = np.bincount(pairs.annotator, minlength=len(pairs.annotators))
        self._shares = by_annotator / max(1, len(pairs.annotator))
        self._centre = self._start()
        self._is_free = np.ones(len(self._centre), dtype=bool)
        if not fits_reliabilities:
            self._is_free[self._sizes[1] : self._sizes[2]] = False

    def _start(self) -> FloatArray:
        start = np.zeros(self._sizes[2] + 1)
        start[self._sizes[1] : self._sizes[2]] = 1
        return start

    def parts(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        """Strengths, weights of style, reliabilities, log nu."""
        strengths, weights, reliabilities, [log_nu] = np.split(parameters, self._sizes)
        return strengths, weights, reliabilities, float(log_nu)

    def maximum(self, step: Callable[[], None]) -> FloatArray:
        """The most likely parameters."""
        number = max(1, len(self._pairs.outcome))

        def loss(free: FloatArray) -> tuple[float, FloatArray]:
            step()
            value, gradient = self._value(self._with(free))
            return -value / number, -gradient[self._is_free] / number

        lowest = np.full(len(self._centre), -np.inf)
        lowest[self._sizes[1] : self._sizes[2]] = 0
        fitted = optimize.minimize(
            loss,
            self._centre[self._is_free],
            jac=True,
            method="L-BFGS-B",
            bounds=[(low, np.inf) for low in lowest[self._is_free]],
            options={"maxiter": 1000, "maxfun": 2000, "ftol": 1e-13, "gtol": CLOSE / number},
        )
        return self._with(fitted.x)

    def _with(self, free: FloatArray) -> FloatArray:
        parameters = self._centre.copy()
        parameters[self._is_free] = free
        return parameters

    def _value(self, parameters: FloatArray) -> tuple[float, FloatArray]:
        """Penalised log-likelihood and its gradient."""
        value, [gradient] = self._slopes(parameters, np.zeros_like(self._pairs.first), 1)
        off = (parameters - self._centre) / self._spreads
        return value - float(off @ off) / 2, gradient - off / self._spreads

    def _slopes(self, parameters: FloatArray, group: IntArray, groups: int) -> tuple[float, FloatArray]:
        """Log-likelihood, and its derivatives summed over the pairs of each group, shape (groups, p)."""
        from ranking.annotators.annotator_model_kernel import value_and_slopes

        return value_and_slopes(*self._data, parameters, group, groups)

    def reported(self, parameters: FloatArray) -> FloatArray:
        """The parameters with a mean of 0 for strengths, and of 1 over all pairs for reliabilities."""
        strengths, weights, reliabilities, log_nu = self.parts(parameters)
        scale = self._scale(parameters)
        centre = strengths.sum() / max(1, len(strengths))
        return np.concatenate(
            [(strengths - centre) * scale, weights * scale, reliabilities / scale, np.array([log_nu])]
        )

    def _scale(self, parameters: FloatArray) -> float:
        return float(self._shares @ parameters[self._sizes[1] : self._sizes[2]]) or 1.0

    def standard_errors(self, best: FloatArray) -> FloatArray:
        """Standard errors of all parameters as reported, shape (p,); NaN for those that are not fitted.

        The likelihood is not at its maximum in the reliability of an annotator at 0, whose error is that for
        known values of the others.
        """
        from ranking.annotators.annotator_model_kernel import curvature

        places = np.flatnonzero(self._is_free)
        curved = curvature(*self._data, best) - np.diag(self._spreads**-2)
        is_at_0 = np.zeros(len(best), dtype=bool)
        is_at_0[self._sizes[1] : self._sizes[2]] = best[self._sizes[1] : self._sizes[2]] == 0
        curved[is_at_0[:, np.newaxis] != is_at_0] = 0
        inverse = np.linalg.inv(-curved[np.ix_(places, places)])
        groups = int(self._pairs.sentence.max(initial=-1)) + 1
        scores = self._slopes(best, self._pairs.sentence, groups)[1][:, places]
        meat = scores.T @ scores * (groups / max(1, groups - 1)) + np.diag(self._spreads[places] ** -2)
        slopes = self._slopes_of_reported(best)[:, places] @ inverse
        errors = np.sqrt(np.diag(slopes @ meat @ slopes.T).clip(0))
        return np.where(self._is_free, errors, np.nan)

    def _slopes_of_reported(self, best: FloatArray) -> FloatArray:
        """The derivatives of the parameters as reported by the parameters, shape (p, p)."""
        systems, weights, annotators = self._sizes.tolist()
        scale, reported = self._scale(best), self.reported(best)
        slopes = np.diag(np.repeat([scale, 1 / scale, 1.0], [weights, annotators - weights, 1]))
        slopes[:systems, :systems] -= scale / max(1, systems)
        slopes[:weights, weights:annotators] = np.outer(reported[:weights], self._shares) / scale
        slopes[weights:annotators, weights:annotators] -= (
            np.outer(reported[weights:annotators], self._shares) / scale
        )
        return slopes
