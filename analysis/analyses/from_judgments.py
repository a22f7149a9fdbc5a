"""Parameters that analyses of judgments share, as bases of their dataclasses."""

from dataclasses import dataclass

from analysis.analyses.base import with_controls, with_excluded, with_followed
from analysis.analyses.ranking import tie_width_parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class FromJudgments:
    """The judgments that count, as pairs. Attributes: see each parameter's help."""

    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True, kw_only=True)
class FromFollowedJudgments(FromJudgments):
    """The judgments that count, perhaps with those that a follow-up follows."""

    combined: bool = with_followed()
