"""Which metrics lead: the best, and those whose intervals reach its own."""

from collections.abc import Mapping, Sequence

from analysis.analyses.metric_titles import title_of_metric
from core.wording import briefly, literal
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import PairwiseTests


def not_separated(r: Mapping[str, float | None], tests: PairwiseTests) -> list[str]:
    """The metric of the highest r, and those from which the tests do not separate it, by r.

    It is the first of those that the tests compare; empty if they compare none.
    """
    compared = sorted(tests.metrics, key=lambda name: -(r[name] or 0.0))
    if not compared:
        return []
    p = against(compared[0], tests)
    return [name for name in compared if (of_best := p[name]) is None or of_best > SIGNIFICANT]


def against(highest: str, tests: PairwiseTests) -> dict[str, float | None]:
    """The p-value of the metric of the highest value against each, after Holm's correction."""
    return dict(zip(tests.metrics, tests.holm[tests.metrics.index(highest)], strict=True))


def clearly_above(not_below: Sequence[str], compared: Sequence[str]) -> str:
    """How many of the compared metrics other than the highest are separated from it; `not_below` are not.

    Which these are says the table: of a low r that errors make unsure, a test may not tell.
    """
    others = len(compared) - 1
    if len(not_below) == others:
        return "not clearly above any other"
    if not not_below:
        return "clearly above all others"
    return f"clearly above {others - len(not_below)} of the other {others:,} metrics"


def why_not_below(r: Mapping[str, float], tests: PairwiseTests) -> str:
    """Why a metric is not marked as below the highest r although one of higher r is; empty if none is so."""
    near = not_separated(r, tests)
    marked = max(r.keys() - near, key=r.__getitem__, default=None)
    if marked is None:
        return ""
    lower = [name for name in reversed(near) if r[name] < r[marked]]
    if not lower:
        return ""
    names = briefly([f"{literal(title_of_metric(name))} ({r[name]:.2f})" for name in lower], "is", "are")
    other = f"{literal(title_of_metric(marked))} ({r[marked]:.2f})"
    return (
        f"{names} not marked as clearly below the highest r although {other} is: the test weighs "
        "each difference from the highest r by how much it varies when the sentences are resampled, and "
        f"{'that of the former varies' if len(lower) == 1 else 'those of the former vary'} more."
    )
