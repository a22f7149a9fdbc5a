"""The result of agreement, and its coefficients."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ranking import (
    Agreement,
    Alpha,
    AnnotatorCounts,
    HeadToHead,
    IntraclassCorrelation,
    Method,
    SplitHalf,
    SystemChanges,
)


@dataclass(frozen=True, slots=True)
class Judging:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        head_to_head: each system against each other system.
        judges: counts per annotator.
        agreement: kappa between annotators and within each, over pairs of outputs.
        alpha_of_pairs: Krippendorff's alpha, nominal over pairs of outputs.
        alpha_of_ranks: Krippendorff's alpha, ordinal; a reason for scores.
        alpha_of_scores: Krippendorff's alpha, interval; a reason for rankings.
        split_half: correlation between scores of two groups of annotators; reasons for rankings.
        intraclass: share of the variance of scores that outputs explain; a reason for rankings.
        scores: scores of systems by each method that needs no resampling; None for a system without one.
        changes: by system, the shares of sentences unchanged and with changed meaning; None for rankings.
    """

    signature: str
    head_to_head: HeadToHead
    judges: AnnotatorCounts
    agreement: Agreement
    alpha_of_pairs: Alpha
    alpha_of_ranks: Alpha
    alpha_of_scores: Alpha
    split_half: SplitHalf
    intraclass: IntraclassCorrelation
    scores: Mapping[Method, Mapping[str, float | None]]
    changes: tuple[SystemChanges, ...] | None

    @property
    def is_scored(self) -> bool:
        """Whether outputs have scores and no ranks."""
        return self.changes is not None

    @property
    def alpha_of_ratings(self) -> Alpha:
        """Alpha for the kind of rating that was given."""
        return self.alpha_of_scores if self.is_scored else self.alpha_of_ranks


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A measure of agreement or reliability.

    Attributes:
        figure: what it measures.
        value: None if it is not defined.
        n: number of things that it rests on.
        reason: why there is no value; None if there is one.
        low: lower end of its interval; None where there is none.
        high: upper end.
    """

    figure: str
    value: float | None
    n: int
    reason: str | None
    low: float | None = None
    high: float | None = None

    @property
    def symbol(self) -> str:
        """The symbol of the coefficient."""
        return "κ" if self.figure.startswith("kappa") else "α"

    @property
    def symbolic(self) -> str:
        """The name of the measure with the symbol of the coefficient."""
        return f"{self.symbol} {self.figure.partition(' ')[2]}"

    @property
    def counted(self) -> str:
        """The things that it rests on, in words."""
        return "comparisons" if self.figure.startswith("kappa") else "judged by several"


def coefficients(judging: Judging) -> list[Coefficient]:
    """The kappas, and the alphas for the kind of rating that was given."""
    kappas = {
        "between annotators": judging.agreement.inter,
        "of annotators with themselves": judging.agreement.intra,
        "between annotators, pooled": judging.agreement.inter_pooled,
        "of annotators with themselves, pooled": judging.agreement.intra_pooled,
    }
    alphas = {
        "pairs, nominal": judging.alpha_of_pairs,
        "scores, interval" if judging.is_scored else "ranks, ordinal": judging.alpha_of_ratings,
    }
    return [
        *(
            Coefficient(f"kappa {name}", each.value, each.n, each.reason, each.low, each.high)
            for name, each in kappas.items()
        ),
        *(
            Coefficient(f"alpha over {name}", each.value, each.units, each.reason)
            for name, each in alphas.items()
        ),
    ]


def reliability(judging: Judging) -> Iterator[Coefficient]:
    """The reliability of scores; nothing for rankings."""
    if not judging.is_scored:
        return
    halves = {"outputs": judging.split_half.sentence, "systems": judging.split_half.system}
    for name, half in halves.items():
        yield Coefficient(f"split halves, Pearson, {name}", half.pearson, half.n, half.reason)
        yield Coefficient(f"split halves, Spearman, {name}", half.spearman, half.n, half.reason)
    icc = judging.intraclass
    yield Coefficient("ICC of one score", icc.single, icc.outputs, icc.reason)
    yield Coefficient("ICC of the mean", icc.average, icc.outputs, icc.reason)
