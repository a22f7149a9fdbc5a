"""The exact test of sign flips: whether differences of many groups lean to one side.

If two systems are equal, what a group of comparisons says may as well be said of them exchanged: each
difference is as likely to have the other sign, whatever the comparisons within the group have in common.
(Fisher 1935, section 21.) Of single comparisons, this is the sign test.
"""

import numpy as np

from core.arrays import IntArray
from core.later import optimize, special, stats

DEVIATIONS = 10
"""Standard deviations on either side within which sums are told apart; beyond, about 1e-23 remains."""


def sign_flip_p_value(sizes: IntArray, numbers: IntArray, total: int) -> float:
    """How likely it is that random signs give a sum at least as far from 0 as `total`.

    There are `numbers[i]` differences of absolute value `sizes[i]`, from 1, shape (n,) each; `total` is their
    sum with the observed signs.

    Two-sided and exact but for rounding: the distribution of the sum is the inverse Fourier transform of its
    characteristic function. It is tilted so that sums are expected at the total, and small probabilities do
    not drown in rounding (Esscher 1932).
    """
    sizes, numbers = np.asarray(sizes, dtype=np.float64), np.asarray(numbers, dtype=np.float64)
    largest, far = int(sizes @ numbers), abs(total)
    if len(sizes) == 1:
        negative = (largest - far) // 2 // int(sizes[0])
        return float(min(1.0, 2 * stats.binom.cdf(negative, numbers[0], 0.5)))
    if far == largest or not far:
        return float(min(1.0, 2.0 ** (1 - numbers.sum()))) if far else 1.0
    tilt = _tilt(sizes, numbers, far)
    flipped = special.expit(-2 * sizes * tilt)
    deviation = np.sqrt(numbers @ (sizes**2 * flipped * (1 - flipped)))
    length = min(largest + 1, 2 ** int(np.ceil(np.log2(2 * DEVIATIONS * deviation + 16))))
    angles = -2j * np.pi * np.arange(length // 2 + 1) / length
    with np.errstate(divide="ignore"):
        logs = sum(
            number * np.log(1 - share + share * np.exp(angles * size))
            for size, number, share in zip(sizes, numbers, flipped, strict=True)
        )
    probabilities = np.fft.irfft(np.exp(logs), length).clip(0)
    most = (largest - far) // 2
    turned = np.arange(max(0, most - length // 2) if length <= largest else 0, most + 1)
    log_mean = numbers @ (np.logaddexp(sizes * tilt, -sizes * tilt) - np.log(2))
    log_weights = log_mean - tilt * (largest - 2 * turned)
    return float(min(1.0, 2 * np.sum(probabilities[turned % length] * np.exp(log_weights))))


def _tilt(sizes: np.ndarray, numbers: np.ndarray, far: int) -> float:
    """The tilt by which the expected sum is `far`."""

    def lacking(tilt: float) -> float:
        return float((numbers * sizes) @ np.tanh(sizes * tilt)) - far

    most = 1.0
    while lacking(most) < 0:
        most *= 2
    return float(optimize.brentq(lacking, 0, most))
