"""What the page of scales says above its tables."""

from collections.abc import Mapping
from types import SimpleNamespace as Made

from analysis.analyses.systems import scales
from core.names import Naming
from core.results import Computed
from core.wording import percent


def lead(
    shares: Mapping[str, float | None],
    *pairs: tuple[str, str, float | None],
    alphas: Mapping[str, float | None] | None = None,
) -> str:
    """The lead, given the share of the highest point on each scale, alphas, and correlations of scales."""
    alphas = alphas or dict.fromkeys(shares, 0.5)
    result = Made(
        scales=[
            Made(scale=name, highest_share=share, ordinal=Made(value=alphas[name]))
            for name, share in shares.items()
        ],
        pairs=[Made(first=first, second=second, pearson=Made(value=value)) for first, second, value in pairs],
    )
    return scales.lead(Computed(scales.ScalesParameters(), result), Naming("pilot", {}, {}, {}))


def test_it_says_how_far_annotators_agree() -> None:
    shares = {"Fluency": 0.1, "Me*ning": 0.2, "Style": 0.3}
    alphas = {"Fluency": 0.2, "Me*ning": 0.25, "Style": None}
    said = "Annotators agree with α = 0.25 on Me\\*ning, 0.20 on Fluency."
    assert lead(shares, alphas=alphas) == said
    assert lead({"Fluency": 0.1}) == "Annotators agree with α = 0.50 on Fluency."
    nobody = "No two annotators have rated the same output yet."
    assert lead({"Fluency": 0.1}, alphas={"Fluency": None}) == nobody


def test_it_names_the_scale_that_is_used_up() -> None:
    assert lead({}) == ""
    assert "highest one" not in lead({"Fluency": 0.7, "Meaning": None})
    said = lead({"Fluency": 0.71, "Me*ning": 0.8})
    assert f"{percent(0.8)} of the points on Me\\*ning are the highest one" in said


def test_it_names_scales_that_may_measure_one_thing() -> None:
    pairs = (("Fluency", "Style", 0.91), ("Fluency", "Meaning", 0.8), ("Meaning", "Style", None))
    said = lead({}, *pairs, ("A", "B", 0.85)).replace("\N{NO-BREAK SPACE}", " ")
    assert said == (
        "Scales that correlate by more than 0.8 may measure one thing: Fluency and Style (r = 0.91); "
        "A and B (r = 0.85)."
    )
