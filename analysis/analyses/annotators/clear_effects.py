"""Which annotators and properties of outputs have an effect beyond chance, corrected for their number."""

from collections.abc import Sequence
from statistics import NormalDist

from ranking import Effect
from ranking.uncertainty.head_to_head import holm_correction


def corrected_p_values(effects: Sequence[Effect], neutral: float, confidence: float) -> dict[str, float]:
    """The p-value of each effect's difference from the neutral value, by name; none without an interval.

    It follows from the interval, taken as that of a normal distribution, and is corrected for the number of
    effects by Holm's method.
    """
    half_width = NormalDist().inv_cdf((1 + confidence) / 2)
    names, p_values = [], []
    for effect in effects:
        if effect.low is None or effect.high is None or effect.low == effect.high:
            continue
        error = (effect.high - effect.low) / (2 * half_width)
        names.append(effect.name)
        p_values.append(2 * NormalDist().cdf(-abs(effect.value - neutral) / error))
    return dict(zip(names, holm_correction(p_values) if p_values else (), strict=True))


def clear_effects(effects: Sequence[Effect], neutral: float, confidence: float) -> list[tuple[Effect, int]]:
    """The effects that clearly differ from the neutral value, with 1 for those above it and -1 below.

    One without an interval is never clear.
    """
    p_values = corrected_p_values(effects, neutral, confidence)
    return [
        (effect, 1 if effect.value > neutral else -1)
        for effect in effects
        if p_values.get(effect.name, 1.0) <= 1 - confidence
    ]
