"""Two systems that are watched until their order is settled, as several analyses show them."""

from math import isfinite
from typing import NamedTuple

from core.parameters import parameter
from core.wording import two_digits
from ranking import Remaining, WatchedPair

LOOKS = 50

SECONDS_PER_HOUR = 3600


def judgments_planned() -> int:
    """The parameter for the number of judgments at which intervals for every look are narrowest."""
    return parameter(
        1000,
        label="Judgments planned",
        help="The interval for every look is narrowest at about this number of judgments. Choose it "
        "before you look.",
        minimum=10,
        maximum=10_000_000,
    )


class Border(NamedTuple):
    """Two neighbours, and how many more judgments settle them."""

    pair: WatchedPair
    remaining: Remaining

    @property
    def further(self) -> str:
        """How many more judgments the pair needs, in words."""
        remaining = self.remaining
        if self.pair.settled_at is not None:
            return f"settled after {self.pair.settled_at:,}"
        if remaining.reason:
            return remaining.reason
        low = "" if remaining.low is None else f"{two_digits(remaining.low):,}"
        more = f"over {two_digits(remaining.horizon):,}"
        if remaining.median is None:
            return f"{more} ({low} or more)" if low else more
        high = more if remaining.high is None else f"{two_digits(remaining.high):,}"
        return f"about {two_digits(remaining.median):,} ({low} to {high})"

    def hours(self, seconds: float) -> float | None:
        """How long the median number of further judgments takes; None where that is not known."""
        return (self.remaining.median or 0) * seconds / SECONDS_PER_HOUR or None

    def half_width(self, standard_errors: float) -> float | None:
        """Half the width of an interval of so many standard errors; None without one."""
        error = float(self.pair.standard_error[-1])
        return error * standard_errors if isfinite(error) else None
