"""Which annotators and properties of outputs have an effect beyond chance, corrected for their number."""

from collections.abc import Sequence

from ranking import Effect
from ranking.uncertainty.head_to_head import holm_correction


def corrected_p_values(effects: Sequence[Effect]) -> dict[str, float]:
    """The p-value of each tested effect by name, corrected for the number of effects by Holm's method."""
    tested = {effect.name: effect.p_value for effect in effects if effect.p_value is not None}
    return dict(zip(tested, holm_correction([*tested.values()]) if tested else (), strict=True))


def clear_effects(effects: Sequence[Effect], neutral: float, confidence: float) -> list[tuple[Effect, int]]:
    """The effects that clearly differ from the neutral value, with 1 for those above it and -1 below.

    One without a test is never clear.
    """
    p_values = corrected_p_values(effects)
    return [
        (effect, 1 if effect.value > neutral else -1)
        for effect in effects
        if p_values.get(effect.name, 1.0) <= 1 - confidence
    ]
