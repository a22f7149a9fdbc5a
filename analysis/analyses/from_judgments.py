"""Parameters that analyses of judgments share, as bases of their dataclasses."""

from dataclasses import dataclass, replace
from typing import TypeVar

from analysis.analyses.base import (
    UNWEIGHTED,
    WEIGHTED,
    domain_of,
    scale_of,
    with_controls,
    with_excluded,
    with_machines,
)
from analysis.analyses.ranking_words import METHODS
from core.parameters import ParameterError, parameter
from ranking import Basis, Method, Ranks, Scores
from ranking.judgments.snapshot import NEED_SCORES

TIE_WIDTHS = {"0": "if equal", "5": "within 5", "10": "within 10", "20": "within 20"}

FOR_SCORES = f"mean scores, z-scores and tie widths {NEED_SCORES}"

METHODS_OF_NEIGHBOURS = {
    method.value: METHODS[method] for method in (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)
}
"""The methods whose scores have derivatives, which tell the influence of single judgments."""

Pairwise = TypeVar("Pairwise", bound="FromJudgments | BesideMachine")


def tie_width_parameter() -> float | None:
    """The parameter for the difference at which two scores tie."""
    return parameter(
        None,
        label="Pairs tie",
        help="Largest difference of two scores that tie as a pair.",
        minimum=0,
        maximum=100,
        labels=TIE_WIDTHS,
        placeholder="0 for scores; rankings have none",
    )


def scale_parameter() -> str | None:
    """The parameter for the scale whose points are the scores."""
    return parameter(
        None,
        label="Scale",
        help="Outputs are compared by their points on this scale, where annotators rated on several.",
        placeholder="all together",
    )


def with_followed() -> bool:
    """The parameter that adds the judgments of the campaigns that a follow-up follows."""
    return parameter(
        False,
        label="Judgments",
        help="Add the judgments of the campaign that this follow-up follows.",
        labels={"no": "of this campaign", "yes": "with the campaign it follows"},
    )


def method_of_neighbours() -> str:
    """The parameter for the method by whose scores neighbouring systems are compared."""
    return parameter(
        Method.EXPECTED_WINS.value,
        label="Method",
        help="How systems are scored.",
        choices=tuple(METHODS_OF_NEIGHBOURS),
        labels=METHODS_OF_NEIGHBOURS,
    )


class ByTieWidth:
    """Parameters that compare outputs by scores if they have a tie width, else by ranks."""

    __slots__ = ()
    tie_width: float | None

    @property
    def by(self) -> Basis:
        """How one output of a pair beats the other."""
        return Ranks() if self.tie_width is None else Scores(self.tie_width)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromPeople:
    """The answers of people that count. Attributes: see each parameter's help."""

    excluded: bool = with_excluded()
    domain: str | None = parameter(
        None,
        label="Domain",
        help="Only sentences of this domain of the corpus count.",
        placeholder="all",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FromAnswers(FromPeople):
    """The answers that count. Attributes: see each parameter's help."""

    machines: bool = with_machines()


@dataclass(frozen=True, slots=True, kw_only=True)
class FromRatings(FromAnswers):
    """The ratings that count, and which of their values compare outputs."""

    scale: str | None = scale_parameter()


@dataclass(frozen=True, slots=True, kw_only=True)
class FromJudgments(ByTieWidth, FromRatings):
    """The judgments that count, as pairs. Attributes: see each parameter's help."""

    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()


@dataclass(frozen=True, slots=True, kw_only=True)
class FromFollowedJudgments(FromJudgments):
    """The judgments that count, perhaps with those that a follow-up follows."""

    combined: bool = with_followed()


@dataclass(frozen=True, slots=True, kw_only=True)
class FromWeightedJudgments(FromFollowedJudgments):
    """The judgments that count, and how comparisons are weighted that were not sampled as usual."""

    weights: str = parameter(
        WEIGHTED,
        label="Weights",
        help="Weight of a comparison in ExpectedWins and Bradley-Terry, if a follow-up campaign asked some "
        "more often than ordinary sampling does.",
        choices=(WEIGHTED, UNWEIGHTED),
        labels={WEIGHTED: "by inverse propensity", UNWEIGHTED: "none"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideMachine(ByTieWidth, FromPeople):
    """The judgments of people that count, as pairs, and the machine beside them."""

    machine: int | None = parameter(
        None,
        label="Machine",
        help="Number of the machine that judged beside people.",
        minimum=1,
        placeholder="the first that judged",
    )
    scale: str | None = scale_parameter()
    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    combined: bool = with_followed()


def titled(title: str, parameters: object) -> str:
    """The title of figures, which names the domain if only one counts, and the scale."""
    return ", ".join(filter(None, [title, domain_of(parameters), scale_of(parameters)]))


def check_all_domains(parameters: object) -> None:
    """Raise `ParameterError` if a single domain is asked of an analysis that compares all of them."""
    if domain_of(parameters):
        raise ParameterError(faults={"domain": "this compares all domains; choose none"})


MAY_ADD_FOLLOWED = FromFollowedJudgments, BesideMachine
"""Parameters that may ask for the judgments of the campaigns that a follow-up follows, too."""


def adds_followed(parameters: object) -> bool:
    """Whether the judgments of the campaigns that a follow-up follows are asked for too."""
    return isinstance(parameters, MAY_ADD_FOLLOWED) and parameters.combined


def tie_width_resolved(parameters: Pairwise, scored: bool) -> Pairwise:
    """The parameters with a tie width for scores, by default 0.

    Raises:
        ParameterError: a tie width is given for rankings.
    """
    if scored:
        return replace(parameters, tie_width=parameters.tie_width or 0.0)
    if parameters.tie_width is not None:
        raise ParameterError(faults={"tie_width": FOR_SCORES})
    return parameters
