"""Bradley-Terry with ties (Davidson 1970): strengths by maximum likelihood, with standard errors.

With log strengths a and b, and the tie parameter nu, system A is judged better than, equal to, or worse than
system B with probabilities in the proportion

    exp((a - b) / 2)  :  nu  :  exp((b - a) / 2).

Where there are no ties, nu is 0 and this is the model of Bradley and Terry (1952). The likelihood is concave
in the log strengths and log nu; its matrix of second derivatives gives the standard errors.

Not all likelihoods have a maximum. The strength of a system that lost each comparison tends to minus
infinity, and so do those of any group that never won or tied against the others. Strengths are therefore
given to the largest group of systems that are all connected by chains of wins and ties in both directions
(Ford 1957), from the comparisons within it, which is the limit of the estimates. The others have no strength,
and a reason.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import CountArray, FloatArray, IntArray
from core.later import csgraph
from ranking.judgments.pairs import PairCounts

CLOSE = 1e-13
"""The remaining gain in log-likelihood per comparison below which the next Newton step is the last.

It is well above the rounding of the likelihood and, because steps converge quadratically, far below any
standard error.
"""


@dataclass(frozen=True, slots=True)
class SystemStrength:
    """The strength of one system.

    Attributes:
        system: its name.
        strength: natural logarithm of its strength; the strengths of a ranking add up to 0. None where the
            judgments do not bound it.
        standard_error: of `strength`; None if there is none. Two strengths are not independent:
            compare systems by `BradleyTerry.difference`.
        comparisons: the number of comparisons that the strength rests on, ties included.
        reason: why there is no strength, in words; None if there is one.
    """

    system: str
    strength: float | None
    standard_error: float | None
    comparisons: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between the strengths of two systems.

    Attributes:
        value: the difference of their log strengths; None where one of them has none.
        standard_error: of `value`; None where `value` is.
        reason: why there is no value, in words; None if there is one.
    """

    value: float | None
    standard_error: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """A ranking of systems by their strengths.

    Attributes:
        strengths: the systems, best first; equal ones in alphabetical order, systems without strength last.
        tie_parameter: nu, which is 0 where nothing tied; None if there are no strengths.
        covariance: shape (n, n), of the strengths of the first n systems, which are those that have one.
    """

    strengths: tuple[SystemStrength, ...]
    tie_parameter: float | None
    covariance: FloatArray

    def difference(self, system: str, opponent: str) -> Difference:
        """The strength of `system` less that of `opponent`, with its standard error.

        Raises `KeyError` for a system that is not in the ranking.
        """
        places = {strength.system: place for place, strength in enumerate(self.strengths)}
        first, second = places[system], places[opponent]
        for strength in (self.strengths[first], self.strengths[second]):
            if strength.strength is None:
                return Difference(None, None, f"{strength.system} has no strength: {strength.reason}")
        value = (self.strengths[first].strength or 0.0) - (self.strengths[second].strength or 0.0)
        variance = (
            self.covariance[first, first]
            + self.covariance[second, second]
            - 2 * self.covariance[first, second]
        )
        return Difference(value, float(np.sqrt(max(variance, 0.0))), None)


def bradley_terry(counts: PairCounts) -> BradleyTerry:
    """Estimate the strengths of systems and the tie parameter by maximum likelihood (Davidson 1970).

    Standard errors are those of the observed information under the constraint that strengths add up to 0.
    They assume independent comparisons, which expanded pairs of one judgment are not; the bootstrap by
    judgment or sentence gives more realistic widths.
    """
    group = _largest_group(counts)
    wins, ties = counts.wins[np.ix_(group, group)], counts.ties[np.ix_(group, group)]
    fault = _why_no_maximum(wins, ties)
    if fault is not None or len(group) < 2:
        strengths = [_without_strength(counts, row, fault) for row in range(len(counts.systems))]
        return BradleyTerry(tuple(strengths), None, np.empty((0, 0)))
    parameters, covariance = _maximum(wins, ties)
    strength = parameters[:-1]
    order = sorted(range(len(group)), key=lambda place: (-strength[place], place))
    comparisons = (wins + wins.T + ties).sum(axis=1)
    estimated = [
        SystemStrength(
            system=counts.systems[group[place]],
            strength=float(strength[place]),
            standard_error=float(np.sqrt(covariance[place, place])),
            comparisons=int(comparisons[place]),
            reason=None,
        )
        for place in order
    ]
    others = sorted(set(range(len(counts.systems))) - set(group.tolist()))
    return BradleyTerry(
        strengths=(*estimated, *(_without_strength(counts, row) for row in others)),
        tie_parameter=float(np.exp(parameters[-1])),
        covariance=covariance[np.ix_(order, order)],
    )


def limiting_strengths(counts: PairCounts) -> FloatArray:
    """The log strengths, shape (S,), systems as in `counts`; infinite where the judgments do not bound them.

    It is inf for a system that won all comparisons with the ranked ones, directly or through other systems,
    -inf for one that lost all, and NaN for one that was not compared with them at all. If none is
    ranked, systems that won are at inf and systems that lost at -inf: of two systems, the one that won all
    comparisons is at inf.
    This is for replicates of a bootstrap, where a system that happens to win all is the best and not unknown.
    """
    bounded = {row.system: row.strength for row in bradley_terry(counts).strengths}
    strengths = np.array([bounded[system] for system in counts.systems], dtype=np.float64)
    group = _largest_group(counts)
    if len(group):
        links = counts.wins + counts.ties
        below, above = (
            np.setdiff1d(csgraph.breadth_first_order(direction, group[0], return_predecessors=False), group)
            for direction in (links, links.T)
        )
        strengths[below], strengths[above] = -np.inf, np.inf
        if np.isnan(strengths[group]).all() and len(below) + len(above):
            strengths[group] = np.inf if len(below) else -np.inf
    return strengths


def strengths_gradient(counts: PairCounts, first: int, second: int) -> FloatArray:
    """The derivative of a difference of log strengths by the number of comparisons of each kind.

    The difference is that of the systems in rows `first` and `second`. Shape (2, S, S), the kinds as in
    `ranking.GroupedPairs`: [0, i, j] for one more win of system i over system j, [1, i, j], i < j, for one
    more tie. By the implicit function theorem it is the score of the comparison times the inverse of the
    information. Zero where one of the two has no strength, and for comparisons of systems without.
    """
    size = len(counts.systems)
    gradient = np.zeros((2, size, size))
    group = _largest_group(counts)
    places = {row: place for place, row in enumerate(group.tolist())}
    wins, ties = counts.wins[np.ix_(group, group)], counts.ties[np.ix_(group, group)]
    if first not in places or second not in places or _why_no_maximum(wins, ties) is not None:
        return gradient
    parameters, covariance = _maximum(wins, ties)
    influence = np.zeros(len(parameters))
    influence[: len(covariance)] = covariance[places[first]] - covariance[places[second]]
    strength, nu = influence[:-1, np.newaxis], influence[-1]
    middle = (strength + strength.T) / 2 + nu
    better, tied = _probabilities(parameters)
    expected = better * strength + better.T * strength.T + tied * middle
    gradient[0][np.ix_(group, group)] = strength - expected
    gradient[1][np.ix_(group, group)] = np.triu(middle - expected, 1)
    return gradient


def _largest_group(counts: PairCounts) -> IntArray:
    """The systems of the largest strongly connected group; of equal ones, of that compared most often."""
    if not counts.systems:
        return np.empty(0, dtype=np.int64)
    _, groups = csgraph.connected_components(counts.wins + counts.ties, directed=True, connection="strong")
    comparisons = np.bincount(groups, (counts.decided + counts.ties).sum(axis=1))
    largest = np.lexsort((comparisons, np.bincount(groups)))[-1]
    return np.flatnonzero(groups == largest)


def _why_no_maximum(wins: CountArray, ties: CountArray) -> str | None:
    """Why the likelihood of a strongly connected group has no maximum; None if it has one.

    With ties, strengths and nu may grow together without end: until a win means to be ahead by more, and a
    tie by less, than some margin. That is so unless some cycle of systems has more wins than ties.
    """
    if not ties.any():
        return None
    if not wins.any():
        return "all comparisons are ties"
    margins = np.where(ties > 0, 1.0, 0.0)
    margins[wins > 0] = -1.0
    try:
        csgraph.bellman_ford(margins)
    except csgraph.NegativeCycleError:
        return None
    return "no cycle of systems has more wins than ties, so that nothing bounds the tie parameter"


def _without_strength(counts: PairCounts, row: int, fault: str | None = None) -> SystemStrength:
    won, lost, tied = counts.wins[row].any(), counts.wins[:, row].any(), counts.ties[row].any()
    if not (won or lost or tied):
        reason = "it was never compared"
    elif fault is not None:
        reason = fault
    elif not (won or tied):
        reason = "it lost all its comparisons, so that its strength has no lower bound"
    elif not (lost or tied):
        reason = "it won all its comparisons, so that its strength has no upper bound"
    else:
        reason = "it is not linked with the other systems by wins or ties both ways"
    return SystemStrength(counts.systems[row], None, None, 0, reason)


def _maximum(wins: CountArray, ties: CountArray) -> tuple[FloatArray, FloatArray]:
    """The n log strengths and log nu, and their covariance, by damped Newton steps.

    Without ties log nu is -inf and has no covariance, which then has the shape (n, n).
    """
    n_systems = len(wins)
    compared = wins + wins.T + ties
    scored = np.append(wins.sum(axis=1) + ties.sum(axis=1) / 2, ties.sum() / 2)
    free = n_systems + 1 if ties.any() else n_systems
    parameters = np.zeros(n_systems + 1)
    parameters[-1] = np.log(ties.sum() / wins.sum()) if ties.any() else -np.inf
    close = CLOSE * compared.sum()
    gauge = np.zeros((free, free))
    gauge[:n_systems, :n_systems] = 1 / n_systems
    while True:
        expected, information = _moments(parameters, compared)
        gradient = (scored - expected)[:free]
        step = np.linalg.solve(information[:free, :free] + gauge, gradient)
        gain = gradient @ step / 2
        if gain > close:
            reached = _log_likelihood(parameters, compared, scored)
            while _log_likelihood(_moved(parameters, step), compared, scored) < reached:
                step /= 2
        parameters = _moved(parameters, step)
        if gain <= close:
            _, information = _moments(parameters, compared)
            covariance = np.linalg.inv(information[:free, :free] + gauge) - gauge
            return parameters, covariance


def _moved(parameters: FloatArray, step: NDArray[np.floating]) -> FloatArray:
    moved = parameters.copy()
    moved[: len(step)] += step
    return moved


def _log_likelihood(parameters: FloatArray, compared: CountArray, scored: FloatArray) -> float:
    total = np.sum(compared * _log_total(parameters)) / 2
    used = np.isfinite(parameters)
    return float(scored[used] @ parameters[used] - total)


def _log_total(parameters: FloatArray) -> FloatArray:
    """Shape (S, S): log of the sum of exp(a), exp(b) and nu exp((a + b) / 2) for each pair of systems."""
    strength = parameters[:-1]
    decided = np.logaddexp(strength[:, np.newaxis], strength)
    total: FloatArray = np.logaddexp(decided, parameters[-1] + (strength[:, np.newaxis] + strength) / 2)
    return total


def _probabilities(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How likely the system of a row wins against that of a column, and ties with it; shape (S, S) each."""
    strength = parameters[:-1, np.newaxis]
    total = _log_total(parameters)
    return np.exp(strength - total), np.exp(parameters[-1] + (strength + strength.T) / 2 - total)


def _moments(parameters: FloatArray, compared: CountArray) -> tuple[FloatArray, FloatArray]:
    """Expectation and covariance of each system's wins and half ties, and of the number of ties."""
    better, tied = _probabilities(parameters)
    lead = better - better.T
    shared = compared * (better + better.T - lead**2) / 4
    with_ties = -np.sum(compared * lead * tied, axis=1) / 2
    expected = np.append(np.sum(compared * (better + tied / 2), axis=1), np.sum(compared * tied) / 2)
    covariance = np.diag(np.append(shared.sum(axis=1), np.sum(compared * tied * (1 - tied)) / 2))
    covariance[:-1, :-1] -= shared
    covariance[:-1, -1] = covariance[-1, :-1] = with_ties
    return expected, covariance
