"""Agreement and reliability of annotators, and systems head to head, for any ranking method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, TypeVar

from analysis.analyses.base import (
    WEIGHTED,
    Analysis,
    Group,
    register,
)
from analysis.analyses.from_judgments import FromWeightedJudgments, tie_width_resolved
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.rules import stated_rule
from analysis.analyses.systems.ranking import WEIGHTED_COLUMNS
from analysis.analyses.systems.ranking_tables import MOST_IN_A_MATRIX
from core.columns import AnnotatorPair, Column, Count, Number, NumberedAnnotator, Text
from core.later import pd
from core.names import Naming
from core.parameters import parameter
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from figures.annotators.agreement import agreement_figure
from figures.drawing import Chart
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Agreement,
    Alpha,
    AnnotatorCounts,
    HeadToHead,
    IntraclassCorrelation,
    Kappa,
    Method,
    PairCounts,
    Scores,
    SplitHalf,
    SystemChanges,
    Tally,
    Unit,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    annotator_counts,
    bradley_terry,
    count_pairs,
    expected_wins,
    group_pairs,
    head_to_head,
    holds_propensities,
    intraclass_correlation,
    split_half_of_all,
    system_changes,
    system_means,
)

Finished = TypeVar("Finished")

TESTS = {
    Unit.SENTENCE: "the exact two-sided test of sign flips, which exchanges the judgments of each sentence "
    "as a whole",
    Unit.PAIR: "the exact two-sided sign test over pairs, as if these were independent (Grundkiewicz et al. "
    "2015)",
}
"""How systems are tested head to head."""

PARTS = 7
"""Total of the progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementParameters(FromWeightedJudgments):
    """Options of agreement. Attributes: see each parameter's help."""

    tested_by: str = parameter(
        Unit.SENTENCE.value,
        label="Head to head tested by",
        help="What tests between two systems exchange as a whole: sentences, or single pairs as in published "
        "tables, which takes the pairs of a sentence to be independent.",
        choices=(Unit.SENTENCE.value, Unit.PAIR.value),
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


def annotator_agreement(
    judgments: Judgments, parameters: AgreementParameters, progress: Progress | None = None
) -> Judging:
    """Compare systems head to head, and annotators, by ranks or scores. The parameters are resolved.

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress = progress or NoProgress()
    progress.begin("Comparing systems and annotators", total=PARTS)
    snapshot, by = judgments.snapshot, parameters.by
    scored = isinstance(by, Scores)

    def part(finished: Finished) -> Finished:
        progress.advance(1)
        return finished

    def step() -> None:
        progress.advance(0)  # Lets the job be cancelled.

    counts = count_pairs(snapshot, by, step=step)
    grouped = group_pairs(snapshot, Unit(parameters.tested_by), by, step=step)
    versus = part(head_to_head(grouped, step=step))
    del grouped
    tallies = part(annotator_counts(snapshot, by, step=step))
    judges_agree = part(agreement(snapshot, by=by, step=step))
    by_pair = "|tested-by:pair" if versus.unit is Unit.PAIR else ""
    over_scores = f"|by:scores|tie-width:{by.tie_width:g}" if scored else ""
    return Judging(
        signature=judgments.signature(
            f"agreement{stated_rule('agreement')}|pairs:unexpanded{over_scores}"
            f"|min-comparisons:{judges_agree.min_comparisons}{by_pair}"
        ),
        head_to_head=versus,
        judges=tallies,
        agreement=judges_agree,
        alpha_of_pairs=part(alpha_over_pairs(snapshot, by, step=step)),
        alpha_of_ranks=part(alpha_over_ranks(snapshot, by, step=step)),
        alpha_of_scores=alpha_over_scores(snapshot) if scored else Alpha(None, 0, 0, "ranks are no scores"),
        scores=part(_scores_at_once(snapshot, counts, parameters)),
        split_half=split_half_of_all(snapshot),
        intraclass=intraclass_correlation(snapshot),
        changes=part(system_changes(snapshot, judgments.source) if scored else None),
    )


def _scores_at_once(
    snapshot: pd.DataFrame, counts: PairCounts, parameters: AgreementParameters
) -> dict[Method, dict[str, float | None]]:
    if parameters.weights == WEIGHTED and holds_propensities(snapshot):
        counts = group_pairs(snapshot, Unit.JUDGMENT, parameters.by, weighted=True).counts
    pairwise: dict[Method, dict[str, float | None]] = {
        Method.EXPECTED_WINS: {row.system: row.score for row in expected_wins(counts).scores},
        Method.BRADLEY_TERRY: {row.system: row.strength for row in bradley_terry(counts).strengths},
    }
    if not isinstance(parameters.by, Scores):
        return pairwise
    return {Method.MEAN_SCORE: {mean.system: mean.score for mean in system_means(snapshot)}, **pairwise}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A measure of agreement or reliability.

    Attributes:
        figure: what it measures.
        value: None if it is not defined.
        n: number of things that it rests on.
        reason: why there is no value; None if there is one.
    """

    figure: str
    value: float | None
    n: int
    reason: str | None

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
        *(Coefficient(f"kappa {name}", each.value, each.n, each.reason) for name, each in kappas.items()),
        *(
            Coefficient(f"alpha over {name}", each.value, each.units, each.reason)
            for name, each in alphas.items()
        ),
    ]


def _reliability(judging: Judging) -> Iterator[Coefficient]:
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


COEFFICIENTS = Table(
    rows=lambda computed: [*coefficients(computed.result), *_reliability(computed.result)],
    columns=(
        Text("figure", "figure", heading="Figure"),
        Number("value", "value", heading="Value", note=lambda row: row.reason or ""),
        Count("n", "n"),
        Text("remark", value=attrgetter("reason")),
    ),
    caption="Agreement",
    comment="Agreement",
)
"""The figures of agreement, and for scores those of reliability."""

PAIRS = Table(
    rows=lambda computed: computed.result.agreement.pairs,
    columns=(
        AnnotatorPair(
            "annotator", "annotator", lambda row: (row.first, row.second), other="with", heading="Annotators"
        ),
        Number(
            "kappa", "kappa", attrgetter("kappa.value"), heading="κ", note=lambda row: row.kappa.reason or ""
        ),
        Count("n", "n", attrgetter("kappa.n"), heading="Comparisons"),
        Text("remark", value=attrgetter("kappa.reason")),
    ),
    order=lambda row, naming: sorted(map(naming.place, (row.first, row.second))),
    caption="Agreement of annotators",
    comment="Agreement of annotators",
)
"""Kappa of each pair of annotators with common judgments, and of those with repeats with themselves."""


class OfAnnotator(NamedTuple):
    """An annotator, or all together.

    Attributes:
        key: of the annotator; empty for all.
        tally: what they judged.
        rest: their agreement with all others together; None for all.
    """

    key: str
    tally: Tally
    rest: Kappa | None


def _annotators(computed: Computed) -> list[OfAnnotator]:
    judging: Judging = computed.result
    return [
        OfAnnotator(key, tally, judging.agreement.rest[key]) for key, tally in judging.judges.judges.items()
    ]


def _counts(computed: Computed) -> Sequence[Column]:
    return (
        NumberedAnnotator("annotator", "annotator", attrgetter("key"), heading="Annotator"),
        Count(
            "screens",
            "screens",
            attrgetter("tally.rankings"),
            heading="Screens" if computed.result.is_scored else "Rankings",
        ),
        Count(
            "pairs_of_outputs", "pairs of outputs", attrgetter("tally.unexpanded"), heading="Pairs of outputs"
        ),
        Count(
            "ties_of_outputs", "ties of outputs", attrgetter("tally.unexpanded_ties"), heading="of them ties"
        ),
        Count(
            "pairs_of_systems", "pairs of systems", attrgetter("tally.expanded"), heading="Pairs of systems"
        ),
        Count(
            "ties_of_systems", "ties of systems", attrgetter("tally.expanded_ties"), heading="of them ties"
        ),
        Number(
            "kappa_with_others",
            "kappa with others",
            lambda row: row.rest and row.rest.value,
            heading="κ with the others",
            note=lambda row: (row.rest and row.rest.reason) or "",
        ),
    )


ANNOTATORS = Table(
    rows=_annotators,
    columns=_counts,
    order=lambda row, naming: naming.place(row.key),
    total=lambda computed: OfAnnotator("", computed.result.judges.total, None),
    caption="Counts per annotator",
    comment="Counts per annotator",
)
"""How much each annotator judged, and their agreement with all others."""


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Kappa of each pair of annotators, by number."""
    annotators = sorted(computed.result.agreement.judges, key=naming.place)
    return agreement_figure(
        computed.result.agreement,
        labels={key: naming.annotator(key) for key in annotators},
        title=f"{naming.title}: agreement of annotators (κ)",
    )


SCALE_OF_KAPPA = (
    (0.0, "no better than chance"),
    (0.2, "slightly"),
    (0.4, "fairly"),
    (0.6, "moderately"),
    (0.8, "substantially"),
    (1.0, "almost perfectly"),
)
"""Highest kappa of each word (Landis and Koch 1977, section 3)."""


def headline(computed: Computed, naming: Naming) -> str:
    """How far annotators agree, in a sentence."""
    kappa: Kappa = computed.result.agreement.inter
    if kappa.value is None:
        return f"The agreement of annotators is not defined: {kappa.reason}"
    return f"Annotators agree {words_for_kappa(kappa.value)} (κ = {kappa.value:.2f})"


def repeats_in_words(judging: Judging) -> str:
    """How far annotators agree with themselves, as a sentence; empty if nobody judged anything twice."""
    kappa = judging.agreement.intra
    if kappa.value is None:
        return ""
    words = words_for_kappa(kappa.value)
    return f"With their own repeated judgments they agree {words} (κ = {kappa.value:.2f})"


def words_for_kappa(value: float) -> str:
    """How far annotators agree, in the words of Landis and Koch (1977)."""
    return next((word for highest, word in SCALE_OF_KAPPA if value <= highest), SCALE_OF_KAPPA[-1][1])


def in_words(computed: Computed, naming: Naming) -> str:
    """Which comparisons count, in Markdown."""
    judging: Judging = computed.result
    kappas = (
        "Kappa is over pairs of outputs. What is not pooled is a mean over annotators with at least "
        f"{judging.agreement.min_comparisons} comparisons, weighted by them."
    )
    if not judging.is_scored:
        return kappas
    return f"{kappas} Groups of split halves have {judging.split_half.group_size} of an output's annotators."


def methods(parameters: AgreementParameters, judging: Judging) -> list[str]:
    """Agreement in sentences for a paper."""
    total, kappas = judging.judges.total, judging.agreement
    by = "scores" if judging.is_scored else "ranks"
    alpha = judging.alpha_of_ratings
    of_ratings = f"{alpha.value:.3f}" if alpha.value is not None else f"not defined, since {alpha.reason}"
    return [
        f"The {by} imply {total.unexpanded:,} pairs of outputs ({total.unexpanded_ties:,} ties) and "
        f"{total.expanded:,} pairs of systems ({total.expanded_ties:,} ties).",
        f"Over pairs of outputs, kappa between annotators is {_kappa(kappas.inter)}, and of annotators with "
        f"themselves {_kappa(kappas.intra)}.",
        f"Krippendorff's alpha over {by} is {of_ratings}.",
        f"Systems are compared head to head by {TESTS[judging.head_to_head.unit]}, with Holm's correction.",
    ]


def _kappa(kappa: Kappa) -> str:
    if kappa.value is None:
        return f"not defined, since {kappa.reason}"
    return f"{kappa.value:.3f} ({kappa.n:,} comparisons)"


AGREEMENT = register(
    Analysis(
        name="agreement",
        title="Agreement",
        group=Group.ANNOTATORS,
        question="How far do annotators agree?",
        help="Kappa, reliability of scores, and how often each system beats each other one.",
        parameters=AgreementParameters,
        result=Judging,
        inputs=Judgments,
        columns=(*WEIGHTED_COLUMNS, "meaning_changed"),
        answers=AnswerKind.RATINGS,
        compute=annotator_agreement,
        tables={"agreement": COEFFICIENTS, "pairs-of-annotators": PAIRS, "annotators": ANNOTATORS},
        figures={
            "agreement": Figure(
                caption="Agreement of each pair of annotators",
                draw=draw,
                has_content=lambda computed: len(computed.result.agreement.judges) <= MOST_IN_A_MATRIX,
            )
        },
        headline=headline,
        lead=in_words,
        methods=methods,
        resolve=tie_width_resolved,
    )
)
