"""Agreement and reliability of annotators, and systems head to head, for any ranking method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.annotators.agreement_tables import ANNOTATORS, COEFFICIENTS, FIGURE, PAIRS
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
from core.later import pd
from core.names import Naming
from core.parameters import parameter
from core.progress import NoProgress, Progress
from core.results import Computed
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Alpha,
    Kappa,
    Method,
    PairCounts,
    Scores,
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

    counts = count_pairs(snapshot, by, step=progress.step)
    grouped = group_pairs(snapshot, Unit(parameters.tested_by), by, step=progress.step)
    versus = part(head_to_head(grouped, step=progress.step))
    del grouped
    tallies = part(annotator_counts(snapshot, by, step=progress.step))
    judges_agree = part(agreement(snapshot, by=by, step=progress.step))
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
        alpha_of_pairs=part(alpha_over_pairs(snapshot, by, step=progress.step)),
        alpha_of_ranks=part(alpha_over_ranks(snapshot, by, step=progress.step)),
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
    return f"Annotators agree {words_for_kappa(kappa.value)} ({_with_interval(kappa)})"


def _with_interval(kappa: Kappa) -> str:
    """A kappa that has a value, with its interval if it has one."""
    value = f"κ = {kappa.value:.2f}"
    if kappa.low is None:
        return value
    return f"{value}, 95\N{NO-BREAK SPACE}% interval {kappa.low:.2f} to {kappa.high:.2f}"


def repeats_in_words(judging: Judging) -> str:
    """How far annotators agree with themselves, as a sentence; empty if nobody judged anything twice."""
    kappa = judging.agreement.intra
    if kappa.value is None:
        return ""
    words = words_for_kappa(kappa.value)
    return f"With their own repeated judgments they agree {words} ({_with_interval(kappa)})"


def words_for_kappa(value: float) -> str:
    """How far annotators agree, in the words of Landis and Koch (1977)."""
    return next((word for highest, word in SCALE_OF_KAPPA if value <= highest), SCALE_OF_KAPPA[-1][1])


def in_words(computed: Computed, naming: Naming) -> str:
    """Which comparisons count, in Markdown."""
    judging: Judging = computed.result
    kappas = (
        "Kappa is over pairs of outputs. What is not pooled is a mean over annotators with at least "
        f"{judging.agreement.min_comparisons} comparisons, weighted by them, with 95 % intervals over "
        "sentences."
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
    interval = ""
    if kappa.low is not None:
        interval = f"95 % interval over sentences from {kappa.low:.3f} to {kappa.high:.3f}; "
    return f"{kappa.value:.3f} ({interval}{kappa.n:,} comparisons)"


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
        figures={"agreement": FIGURE},
        headline=headline,
        lead=in_words,
        methods=methods,
        resolve=tie_width_resolved,
    )
)
