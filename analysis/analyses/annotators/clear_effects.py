"""Which annotators and properties of outputs have an effect beyond chance, corrected for their number."""

from collections.abc import Sequence
from statistics import NormalDist

from ranking import Effect
from ranking.uncertainty.head_to_head import holm_correction


def clear_effects(effects: Sequence[Effect], neutral: float, confidence: float) -> list[tuple[Effect, int]]:
    """The effects that clearly differ from the neutral value, with 1 for those above it and -1 below.

    The p-value of each follows from its interval, taken as that of a normal distribution; they are corrected
    for the number of effects by Holm's method. One without an interval is never clear.
    """
    half_width = NormalDist().inv_cdf((1 + confidence) / 2)
    tested, p_values = [], []
    for effect in effects:
        if effect.low is None or effect.high is None or effect.low == effect.high:
            continue
        error = (effect.high - effect.low) / (2 * half_width)
        tested.append(effect)
        p_values.append(2 * NormalDist().cdf(-abs(effect.value - neutral) / error))
    corrected = holm_correction(p_values) if p_values else ()
    return [
        (effect, 1 if effect.value > neutral else -1)
        for effect, p_value in zip(tested, corrected, strict=True)
        if p_value <= 1 - confidence
    ]
