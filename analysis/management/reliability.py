"""The reliability of scores in words, for the terminal."""

from collections.abc import Iterator

from ranking import IntraclassCorrelation, SplitHalf


def reliability_lines(halves: SplitHalf, icc: IntraclassCorrelation) -> Iterator[str]:
    """One line for outputs, one for systems, one for the intraclass correlation."""
    for name, half in (("outputs", halves.sentence), ("systems", halves.system)):
        yield f"Split halves of {halves.group_size} over {name}: " + (
            half.reason or f"r {_decimals(half.pearson)}, rho {_decimals(half.spearman)}"
        )
    yield f"ICC of one score {_decimals(icc.single)}, of the mean {_decimals(icc.average)}" + (
        f": {icc.reason}" if icc.reason else ""
    )


def _decimals(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
