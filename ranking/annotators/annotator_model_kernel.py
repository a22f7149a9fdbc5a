"""The log-likelihood of `ranking.annotators.annotator_model` and its derivatives, compiled.

The p parameters stand in the order of strengths, C weights of style, reliabilities, log nu. The n pairs come
as arrays of that length; style has the shape (n, C).
"""

from math import exp, log

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.compilation import compiled


@compiled
def probabilities(half: float, log_nu: float) -> tuple[float, float, float, float]:
    """Probabilities of win, tie and loss, where u is twice `half`, and the logarithm of their denominator."""
    most = max(abs(half), log_nu)
    win, tie, loss = exp(half - most), exp(log_nu - most), exp(-half - most)
    total = win + tie + loss
    return win / total, tie / total, loss / total, most + log(total)


@compiled
def lead_of(
    pair: int, first: int, second: int, style: FloatArray, systems: int, parameters: FloatArray
) -> float:
    """How much better the first output is, for an annotator of reliability 1."""
    lead = parameters[first] - parameters[second]
    for column in range(style.shape[1]):
        lead += style[pair, column] * parameters[systems + column]
    return float(lead)


@compiled
def value_and_slopes(
    first: IntArray,
    second: IntArray,
    annotator: IntArray,
    outcome: IntArray,
    style: FloatArray,
    systems: int,
    parameters: FloatArray,
    group: IntArray,
    groups: int,
) -> tuple[float, FloatArray]:
    """The log-likelihood, and its first derivatives summed over the pairs of each group, (groups, p)."""
    columns = style.shape[1]
    log_nu = parameters[-1]
    value = 0.0
    slopes = np.zeros((groups, len(parameters)))
    for pair in range(len(first)):
        a, b, k, slope = first[pair], second[pair], systems + columns + annotator[pair], slopes[group[pair]]
        lead = lead_of(pair, a, b, style, systems, parameters)
        half = parameters[k] * lead / 2
        win, tie, loss, scale = probabilities(half, log_nu)
        value += (log_nu if outcome[pair] == 0 else outcome[pair] * half) - scale
        by_u = (outcome[pair] - win + loss) / 2
        pull = parameters[k] * by_u
        slope[a] += pull
        slope[b] -= pull
        for column in range(columns):
            slope[systems + column] += pull * style[pair, column]
        slope[k] += by_u * lead
        slope[-1] += (outcome[pair] == 0) - tie
    return value, slopes


@compiled
def curvature(
    first: IntArray,
    second: IntArray,
    annotator: IntArray,
    outcome: IntArray,
    style: FloatArray,
    systems: int,
    parameters: FloatArray,
) -> FloatArray:
    """The second derivatives of the log-likelihood, shape (p, p)."""
    columns = style.shape[1]
    log_nu, last = parameters[-1], len(parameters) - 1
    curved = np.zeros((len(parameters), len(parameters)))
    # First derivatives of u by the strengths, the reliability and the weights of style.
    places = np.empty(3 + columns, dtype=np.int64)
    slopes = np.empty(3 + columns)
    for pair in range(len(first)):
        k = systems + columns + annotator[pair]
        lead = lead_of(pair, first[pair], second[pair], style, systems, parameters)
        win, tie, loss, _ = probabilities(parameters[k] * lead / 2, log_nu)
        places[0], places[1], places[2] = first[pair], second[pair], k
        slopes[0], slopes[1], slopes[2] = 1.0, -1.0, lead
        for column in range(columns):
            places[3 + column], slopes[3 + column] = systems + column, style[pair, column]
        by_u = (outcome[pair] - win + loss) / 2
        for place in range(3 + columns):  # The only second derivatives of u.
            if place != 2:
                curved[places[place], k] += by_u * slopes[place]
                curved[k, places[place]] += by_u * slopes[place]
                slopes[place] *= parameters[k]
        by_u_twice = ((win - loss) ** 2 - win - loss) / 4
        by_u_and_nu = tie * (win - loss) / 2
        for one in range(3 + columns):
            for other in range(3 + columns):
                curved[places[one], places[other]] += by_u_twice * slopes[one] * slopes[other]
            curved[places[one], last] += by_u_and_nu * slopes[one]
            curved[last, places[one]] += by_u_and_nu * slopes[one]
        curved[last, last] -= tie * (1 - tie)
    return curved
