"""Analyses of metrics against people: what they share of inputs, parameters and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeVar

from analysis.analyses.base import with_controls
from analysis.analyses.from_judgments import FromRatings, tie_width_parameter
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from analysis.analyses.systems.ranking import RATED
from core.arrays import FloatArray
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.results import Computed
from core.wording import listed, literal
from metrics.meta_evaluation import HumanScore
from metrics.meta_evaluation.sensitivity.hybrids import DRAWS, MEANS
from ranking import Coefficient
from ranking.judgments.snapshot import NEED_SCORES

MOST = 1000
"""Replicates and permutations on pages."""

RENEWED_AFTER_SECONDS = 180
"""Age at which results of a running campaign are computed again while somebody looks at the page."""

FOR_SCORES = f"z-scores and tie widths {NEED_SCORES}"

HUMAN_SCORES = {
    HumanScore.EXPECTED_WINS: "ExpectedWins",
    HumanScore.TRUESKILL: "TrueSkill",
    HumanScore.BRADLEY_TERRY: "Bradley-Terry",
    HumanScore.MEAN: "mean score",
    HumanScore.Z: "mean z-score",
}
"""The score that people give a system, by its kind."""

CORRELATIONS = {
    Coefficient.PEARSON.value: "Pearson’s r",
    Coefficient.SPEARMAN.value: "Spearman’s ρ",
    Coefficient.KENDALL.value: "Kendall’s τ",
}
"""The correlations of metrics with people, by name."""

INTERVALS_OF_TRUE_SCORES = (
    "Intervals, at {confidence:g} % confidence, are of the agreement of true scores: those that the systems "
    "would have on all sentences like these. They are of the posterior of a hierarchical model with normal "
    "errors, with three fifths of the nominal tails for Pearson's r and a tenth for measures of order. "
    "They are left out where errors are more than half of the variance of scores among systems."
)
"""For papers; `confidence` in percent."""


def human_scores_of_systems(human: HumanScore) -> str:
    """The scores that people give several systems, in words."""
    return f"{HUMAN_SCORES[human]}s" if human in MEANS else HUMAN_SCORES[human]


def human_score() -> HumanScore | None:
    """How judgments become scores of systems."""
    return parameter(
        None,
        label="Human score",
        help="How judgments become scores of systems.",
        labels=HUMAN_SCORES,
        placeholder="mean for scores, ew for rankings",
    )


def with_whole_set() -> bool:
    """Whether metrics score the sentences too that nobody judged."""
    return parameter(
        False,
        label="Sentences",
        help="Metrics score all sentences, not only those that people judged.",
        labels={"no": "those judged", "yes": "all, for metrics"},
    )


def mean_human_score() -> HumanScore:
    """How scores of sentences become scores of systems, real or synthetic."""
    return parameter(
        HumanScore.MEAN,
        label="Human score",
        help="Human score of a system: mean of its sentences' scores, or of their z-scores.",
        choices=tuple(MEANS),
        labels={score: HUMAN_SCORES[score] for score in MEANS},
    )


def synthetic_systems(*, maximum: int) -> int:
    """How many synthetic systems there are of each kind."""
    return parameter(
        DRAWS,
        label="Draws",
        help="Synthetic systems for each pair of systems and each share from 10 % to 90 %.",
        minimum=1,
        maximum=maximum,
    )


def degrees_lost_by_williams() -> int:
    """How many degrees of freedom fewer than systems Williams' test has."""
    return parameter(
        3,
        label="Degrees lost",
        help="Degrees of freedom of Williams' test: the number of systems minus this; some tools use 2.",
        minimum=2,
        maximum=3,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPeople(FromRatings):
    """The systems and judgments that count: source, references and controls only if that is asked for.

    Attributes: see each parameter's help.
    """

    with_source: bool = parameter(
        False, label="With the source", help="Include the system that changes nothing."
    )
    references: bool = parameter(
        False, label="With references", help="Include systems with the role reference."
    )
    exclude_systems: str | None = parameter(
        None,
        label="Leave out systems",
        help="Names of systems to leave out, separated by commas.",
        placeholder="none",
        several=True,
    )
    controls: bool = with_controls()

    @property
    def systems_left_out(self) -> tuple[str, ...]:
        """The names of the systems to leave out, each once, in alphabetical order."""
        names = (name.strip() for name in (self.exclude_systems or "").split(","))
        return tuple(sorted({name for name in names if name}))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedWithPeople(AgainstPeople):
    """Parameters with the width of a tie. Attributes: see each parameter's help."""

    tie_width: float | None = tie_width_parameter()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledAgainstPeople(ComparedWithPeople):
    """How intervals are computed; attributes are in the order of signatures. See each parameter's help."""

    replicates: int = replicates_of_intervals()
    confidence: float = confidence_of_intervals()
    tie_width: float | None = tie_width_parameter()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsAgainstPeople(ResampledAgainstPeople):
    """How people and metrics score systems. Attributes: see each parameter's help."""

    human: HumanScore | None = human_score()
    whole_set: bool = with_whole_set()


@dataclass(frozen=True, slots=True, kw_only=True)
class EverySystemAgainstPeople(SystemsAgainstPeople):
    """Source and references are read, too, although they do not count. Attributes: see each help."""

    with_source: bool = parameter(
        True, label="With the source", help="Include the system that changes nothing, which does not count."
    )
    references: bool = parameter(
        True, label="With references", help="Include systems with the role reference, which do not count."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MixturesAgainstPeople(AgainstPeople):
    """How systems and mixtures of them are scored. Attributes: see each parameter's help."""

    human: HumanScore = mean_human_score()
    seed: int = seed_of_everything()


C = TypeVar("C", bound=ComparedWithPeople)
S = TypeVar("S", bound=SystemsAgainstPeople)
M = TypeVar("M", bound=MixturesAgainstPeople)


def resolved(parameters: C, scored: bool) -> C:
    """With the names of systems in order.

    Raises:
        ParameterError: a tie width for rankings.
    """
    if not scored and parameters.tie_width is not None:
        raise ParameterError(faults={"tie_width": FOR_SCORES})
    return replace(parameters, exclude_systems=", ".join(parameters.systems_left_out) or None)


def resolved_of_systems(parameters: S, scored: bool) -> S:
    """With the names of systems in order, and the human score that suits the judgments.

    Raises:
        ParameterError: z-scores or a tie width for rankings.
    """
    if not scored and parameters.human is HumanScore.Z:
        raise ParameterError(faults={"human": FOR_SCORES})
    default = HumanScore.MEAN if scored else HumanScore.EXPECTED_WINS
    return replace(resolved(parameters, scored), human=parameters.human or default)


def resolved_of_mixtures(parameters: M, scored: bool) -> M:
    """With the names of systems in order.

    Raises:
        ParameterError: z-scores of rankings.
    """
    if not scored and parameters.human is HumanScore.Z:
        raise ParameterError(faults={"human": FOR_SCORES})
    named = ", ".join(parameters.systems_left_out) or None
    return replace(parameters, human=HumanScore(parameters.human), exclude_systems=named)


def too_much(parameters: object) -> dict[str, str]:
    """Reasons why pages and programs may not request these parameters."""
    return {
        name: f"at most {MOST} on pages and for programs; manage.py analyse makes more"
        for name in ("replicates", "permutations")
        if getattr(parameters, name, 0) > MOST
    }


def by_system(systems: Sequence[str], scores: FloatArray) -> dict[str, float | None]:
    """The scores of the systems, which come first in the array; None for one without a score."""
    return {
        system: score if isfinite(score) else None
        for system, score in zip(systems, scores.tolist(), strict=False)
    }


OF_METRICS: Mapping[str, Any] = {
    "inputs": ScoredJudgments,
    "columns": RATED,
    "tabs": "metrics",
    "too_much": too_much,
    "at_once": False,
}
"""Arguments of `Analysis` that all analyses of metrics against people share."""

CHOOSING = ("with_source", "references", "exclude_systems", "domain", "excluded")
"""Parameters in forms that choose the systems and judgments to compare."""


def intervals_in_words(parameters: Any) -> list[str]:
    """How intervals are computed, for a paper; nothing without replicates."""
    if not parameters.replicates:
        return []
    return [
        f"Intervals are at {100 * parameters.confidence:g} % confidence from {parameters.replicates:,} "
        f"bootstrap replicates that resample sentences (seed {parameters.seed})."
    ]


def true_intervals_in_words(parameters: Any) -> list[str]:
    """How intervals of true scores are computed, for a paper; nothing without replicates."""
    if not parameters.replicates:
        return []
    return [
        f"{INTERVALS_OF_TRUE_SCORES.format(confidence=100 * parameters.confidence)} Errors are estimated "
        f"from {parameters.replicates:,} bootstrap replicates of sentences (seed {parameters.seed})."
    ]


def left_out_in_words(left_out: Sequence[str]) -> list[str]:
    """The sentence on systems that were not both judged and scored, for a paper; empty if there are none."""
    if not left_out:
        return []
    return [f"Not both judged and scored, and left out: {', '.join(left_out)}."]


def left_out_on_pages(computed: Computed, naming: Naming) -> str:
    """The sentences on systems that do not count, or were not both judged and scored, in Markdown."""
    parameters: AgainstPeople = computed.parameters
    counts = {
        "source": parameters.with_source,
        "reference": parameters.references,
        "control": parameters.controls,
    }
    apart = [naming.label(system) for system, role in naming.roles.items() if not counts.get(role, True)]
    said = ""
    if apart:
        names = sorted(map(literal, apart))
        said = f" {listed(names, 'does not count as a system', 'do not count as systems')}."
    if left_out := computed.result.left_out:
        said += (
            f" Left out, because they were not both judged and scored: {listed([*map(literal, left_out)])}."
        )
    return said
