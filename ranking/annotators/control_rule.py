"""The rule that checks annotators by controls, and the roles it reads (Napoles et al. 2019, section 4.2)."""

from dataclasses import dataclass, replace

SOURCE = "source"
"""Role of the system that leaves sentences as they are."""

CONTROL = "control"
"""Role of a system that puts errors into the source."""

LEAST_CASES = 5
"""Workers of a crowd are flagged with no fewer cases, however short their visits are."""


@dataclass(frozen=True, slots=True)
class ControlRule:
    """The rule that flags an annotator by controls.

    Attributes:
        threshold: the lowest share of passed cases that is good enough.
        min_cases: number of cases from which an annotator can be flagged.
    """

    threshold: float = 0.7
    min_cases: int = 20

    def __str__(self) -> str:
        return f"control below source on at least {self.percent} % of {self.min_cases} screens or more"

    def for_visit(self, screens: int) -> "ControlRule":
        """The rule for a worker who has judged this many screens; short visits need fewer cases.

        It is a quarter of the screens, but at least `LEAST_CASES`, with which a careful worker seldom fails
        by chance. A visit with fewer cases is too short to be checked.
        """
        return replace(self, min_cases=min(self.min_cases, max(LEAST_CASES, screens // 4)))

    @property
    def percent(self) -> int:
        """The threshold in percent."""
        return round(100 * self.threshold)


DEFAULT_RULE = ControlRule()
