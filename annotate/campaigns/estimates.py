"""The work that a draft asks of people: screens, hours and money."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.judging.usual_pace import UsualPace
from annotate.judging.work_time import duration

MOST_PEOPLE = 10_000
HIGHEST_RATE = 100_000.0


@dataclass(frozen=True, slots=True)
class WorkEstimate:
    """The work of a campaign, divided evenly.

    Attributes:
        screens: that annotators are shown, in all.
        people: annotators.
        seconds: for a screen.
        pace: what `seconds` rests on, in words.
        rate: paid for an hour, in any currency; None if that is not told.
    """

    screens: int
    people: int
    seconds: float
    pace: str
    rate: float | None = None

    @property
    def screens_each(self) -> int:
        """Screens of one annotator, rounded up."""
        return -(-self.screens // self.people)

    @property
    def time_each(self) -> str:
        """The time of one annotator, in words."""
        return duration(self.screens_each * self.seconds)

    @property
    def time_in_all(self) -> str:
        """The time of all annotators together, in words."""
        return duration(self.screens * self.seconds)

    @property
    def cost(self) -> float | None:
        """The cost of all screens at the rate; None without one."""
        return None if self.rate is None else self.screens * self.seconds / 3600 * self.rate


def work_estimate(
    screens: int,
    usual: UsualPace,
    *,
    least_people: int,
    wishes: Mapping[str, str],
) -> WorkEstimate:
    """The estimate for the `people` and the `rate` in `wishes`.

    There are at least as many people as the campaign needs, so that nobody judges an item twice; what is no
    number is passed over.
    """
    people = _number(wishes.get("people", ""), MOST_PEOPLE)
    return WorkEstimate(
        screens=screens,
        people=max(int(people or 0), least_people, 1),
        seconds=usual.seconds,
        pace=usual.basis,
        rate=_number(wishes.get("rate", ""), HIGHEST_RATE),
    )


def _number(text: str, most: float) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= most else None
