"""What the page of scales says above its tables."""

from types import SimpleNamespace as Made

from analysis.analyses.systems import scales
from core.names import Naming
from core.results import Computed
from core.wording import percent


def lead(shares: dict[str, float | None], *pairs: tuple[str, str, float | None]) -> str:
    """The lead, given the share of the highest point on each scale, and correlations of scales."""
    result = Made(
        scales=[Made(scale=name, highest_share=share) for name, share in shares.items()],
        pairs=[Made(first=first, second=second, pearson=Made(value=value)) for first, second, value in pairs],
    )
    return scales.lead(Computed(scales.ScalesParameters(), result), Naming("pilot", {}, {}, {}))


def test_it_names_the_scale_that_is_used_up() -> None:
    assert lead({}) == ""
    assert lead({"Fluency": 0.7, "Meaning": None}) == ""
    said = lead({"Fluency": 0.71, "Me*ning": 0.8})
    assert said.startswith(f"{percent(0.8)} of the points on Me\\*ning are the highest one")


def test_it_names_scales_that_may_measure_one_thing() -> None:
    pairs = (("Fluency", "Style", 0.91), ("Fluency", "Meaning", 0.8), ("Meaning", "Style", None))
    assert lead({}, *pairs, ("A", "B", 0.85)) == (
        "Scales that correlate by more than 0.8 may measure one thing: Fluency and Style (r = 0.91); "
        "A and B (r = 0.85)."
    )
