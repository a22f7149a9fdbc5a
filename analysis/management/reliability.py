"""The reliability of scores as text for the terminal."""

from collections.abc import Iterator

from analysis.management.numbers import decimals
from ranking import IntraclassCorrelation, SplitHalf


def reliability_lines(halves: SplitHalf, icc: IntraclassCorrelation) -> Iterator[str]:
    """One line for outputs, one for systems, one for the intraclass correlation."""
    for name, half in (("outputs", halves.sentence), ("systems", halves.system)):
        yield f"Split halves of {halves.group_size} over {name}: " + (
            half.reason or f"r {decimals(half.pearson, 3)}, rho {decimals(half.spearman, 3)}"
        )
    yield f"ICC of one score {decimals(icc.single, 3)}, of the mean {decimals(icc.average, 3)}" + (
        f": {icc.reason}" if icc.reason else ""
    )
