"""Coverage of the references of a corpus, and how many would be needed (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
sections 2.1 and 2.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import CorpusTexts
from analysis.analyses.references.pilots import (
    FEW_ANSWERS,
    LeftOutSentences,
    check_test_set,
    correct_sentences,
    largest_number_of_references,
    left_out_in_words,
    normalisation_of_texts,
    planned_in_words,
    share_unchanged,
    size_of_test_set,
    usable_answers,
)
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.columns import Count, Estimated, Number, Share, Spread, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, percent, whole_percent
from figures.curves import WIDTHS
from figures.drawing import Chart
from figures.references.reference_coverage import DrawnCoverage, coverage_figure
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.coverage import (
    AnsweredSentence,
    CorrectionDistribution,
    Match,
    Normalisation,
    ReferencesNeeded,
    accuracy_distribution,
    coverage_without_replacement,
    coverages,
    distributions,
    expected_accuracy,
    matches_of_test_set,
    references_needed,
    variants_and_mass,
)

THRESHOLDS = (0.0, 0.001, 0.01, 0.1)
DRAWS = 100
"""Sequences of references drawn without replacement, for each sentence."""

SENTENCES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class CoverageParameters:
    """Parameters of the coverage of references. Attributes: see the help of each."""

    match: Match = parameter(
        Match.EXACT,
        label="Same correction",
        help="When two corrections of a sentence count as the same.",
        labels={
            Match.EXACT: "the same words",
            Match.INDEX: "the same source words changed",
            Match.INDEX_AND_LENGTH: "the same source words changed, as many added",
        },
    )
    normalisation: Normalisation = normalisation_of_texts()
    unchanged_below: float = share_unchanged()
    most_references: int = largest_number_of_references(maximum=1000)
    sentences: int = size_of_test_set(maximum=100_000)
    correct: int = correct_sentences(maximum=100_000)
    loss: float = parameter(
        0.5,
        label="Loss allowed",
        help="How far below 1 the expected accuracy of a perfect corrector may be, on sentences that "
        "need correction.",
        minimum=0.001,
        maximum=0.999,
    )
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals(minimum=100)
    seed: int = seed_of_everything()


MOST_SENTENCES = 5_000
"""Sentences that are used; of more, so many are drawn at random: time and memory grow with their square."""

NOT_DRAWN = f"not drawn, as {MOST_SENTENCES:,} are enough"


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """Corrections at least so frequent, as means over sentences.

    Attributes:
        threshold: the frequency.
        variants: number of corrections.
        mass: their total probability.
    """

    threshold: float
    variants: float
    mass: float


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A perfect corrector against a number of references.

    Attributes:
        references: of each sentence.
        accuracy: expected, on sentences in need of correction; the interval resamples sentences.
        different: the same where all references of a sentence differ.
        test_set: expected accuracy on the planned test set, which has correct sentences too.
        low: lower end of the accuracies to expect on one such test set, by chance of outputs and references.
        high: upper end.
    """

    references: int
    accuracy: Estimate
    different: float
    test_set: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ReferenceCoverage:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        sentences: number of sentences used.
        answers: median number of references of these.
        left_out: positions of other sentences, by reason.
        frequencies: by threshold.
        curve: by number of references.
        needed: how many references keep the loss within what was stated.
    """

    signature: str
    sentences: int
    answers: float
    left_out: LeftOutSentences
    frequencies: tuple[ThresholdRow, ...]
    curve: tuple[CoveragePoint, ...]
    needed: ReferencesNeeded


def cover(texts: CorpusTexts, parameters: CoverageParameters, progress: Progress) -> ReferenceCoverage:
    """Estimate the distribution of valid corrections, and what references cover of it.

    Raises:
        ParameterError: no sentence has two references and needs correction.
    """
    check_test_set(parameters.sentences, parameters.correct)
    used, left_out = usable_answers(
        texts, unchanged_below=parameters.unchanged_below, normalisation=parameters.normalisation
    )
    if len(used) > MOST_SENTENCES:
        drawn = np.random.default_rng(parameters.seed).choice([*used], MOST_SENTENCES, replace=False).tolist()
        left_out |= {NOT_DRAWN: tuple(sorted(used.keys() - drawn))}
        used = {position: used[position] for position in sorted(drawn)}
    estimated = _estimated(list(used.values()), parameters, progress)
    variants, masses = variants_and_mass(estimated, THRESHOLDS)
    return ReferenceCoverage(
        signature=texts.signature(stated("coverage", parameters)),
        sentences=len(used),
        answers=float(np.median([len(sentence.answers) for sentence in used.values()])),
        left_out=left_out,
        frequencies=tuple(
            ThresholdRow(*row) for row in zip(THRESHOLDS, variants.tolist(), masses.tolist(), strict=True)
        ),
        curve=_curve(estimated, parameters, progress),
        needed=references_needed(
            estimated,
            parameters.loss,
            confidence=parameters.confidence,
            replicates=parameters.replicates,
            seed=parameters.seed,
        ),
    )


def _estimated(
    used: Sequence[AnsweredSentence], parameters: CoverageParameters, progress: Progress
) -> list[CorrectionDistribution]:
    progress.begin("Estimating distributions", total=len(used))
    estimated: list[CorrectionDistribution] = []
    for start in range(0, len(used), SENTENCES_AT_ONCE):
        some = used[start : start + SENTENCES_AT_ONCE]
        estimated += distributions(some, parameters.match, parameters.normalisation)
        progress.advance(len(some))
    return estimated


def _curve(
    estimated: Sequence[CorrectionDistribution], parameters: CoverageParameters, progress: Progress
) -> tuple[CoveragePoint, ...]:
    numbers = list(range(1, parameters.most_references + 1))
    progress.begin("Drawing references", total=len(estimated))
    different = np.zeros(len(numbers))
    for place, distribution in enumerate(estimated):
        different += coverage_without_replacement(
            distribution, len(numbers), draws=DRAWS, seed=parameters.seed + place
        )
        progress.advance(1)
    different /= len(estimated)
    by_sentence = coverages(estimated, numbers)
    progress.begin("Intervals", total=len(numbers))
    points = []
    for number, coverage, mean in zip(numbers, by_sentence.T, different.tolist(), strict=True):
        on_test_set = accuracy_distribution(
            matches_of_test_set(coverage, sentences=parameters.sentences, correct=parameters.correct)
        )
        accuracy = expected_accuracy(
            coverage,
            confidence=parameters.confidence,
            replicates=parameters.replicates,
            seed=parameters.seed,
        )
        interval = on_test_set.interval(parameters.confidence)
        points.append(CoveragePoint(number, accuracy, mean, on_test_set.mean, *interval))
        progress.advance(1)
    return tuple(points)


def headline(computed: Computed, naming: Naming) -> str:
    """How often a correction is among the references of others, and among the largest number of the curve.

    Few references are not extrapolated.
    """
    result: ReferenceCoverage = computed.result
    last, usual = result.curve[-1], _known(computed)[-1]
    about = "about " if _are_few(computed) else ""
    one = "a single reference" if usual.references == 1 else f"one of {usual.references:,} references"
    text = (
        f"Another person’s correction would equal {one} in {about}{_matched(usual)} of the sentences that "
        "need correction"
    )
    if usual is last or _are_few(computed):
        return text
    return f"{text}; one of {last.references:,}, by extrapolation, in {_matched(last)}"


def _matched(point: CoveragePoint) -> str:
    accuracy = point.accuracy
    interval = ""
    if accuracy.low is not None:
        interval = f" ({whole_percent(accuracy.low)} to {whole_percent(accuracy.high)})"
    return f"{whole_percent(accuracy.value)}{interval}"


def lead(computed: Computed, naming: Naming) -> str:
    """How many references are needed, and whether there are enough to say so."""
    result: ReferenceCoverage = computed.result
    needed = (
        f"The median sentence has {result.answers:g} reference{'' if result.answers == 1 else 's'}: too few "
        "to say how many corrections nobody gave. Collect 20 to 50 corrections of each sentence in a pilot "
        "of some 50 sentences."
        if _are_few(computed)
        else f"{_needed_in_words(computed)} The median sentence has {result.answers:g}."
    )
    return f"A correction that is valid but that no reference has counts as wrong. {needed}"


def _are_few(computed: Computed) -> bool:
    """Whether there are too few references to say how many corrections there are."""
    result: ReferenceCoverage = computed.result
    return result.answers < FEW_ANSWERS


def used(computed: Computed, naming: Naming) -> str:
    """The sentences from which coverage is known, and the planned test set."""
    result: ReferenceCoverage = computed.result
    parameters: CoverageParameters = computed.parameters
    left_out = "".join(
        f" Left out: {text}."
        for text in left_out_in_words(result.left_out, parameters.unchanged_below, parameters.normalisation)
    )
    return (
        f"{counted(result.sentences, 'sentence')} used.{left_out} The planned test set has "
        f"{parameters.sentences:,} sentences; {parameters.correct:,} of them need no correction. "
        f"{planned_in_words(parameters.sentences, parameters.correct)}"
    )


def _needed_in_words(computed: Computed) -> str:
    needed = computed.result.needed
    goal = percent(1 - needed.loss)
    if not needed.references:
        return f"Even a million references of each sentence would have it in fewer than {goal} of them."
    interval = ""
    if needed.low is not None:
        high = "over a million" if needed.high is None else f"{needed.high:,}"
        interval = f" ({percent(computed.parameters.confidence)} interval: {needed.low:,} to {high})"
    return (
        f"To have it in at least {goal} of the sentences, "
        f"**{counted(needed.references, 'reference')}** of each would be needed{interval}."
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The accuracy of a perfect corrector by number of references."""
    points = [
        DrawnCoverage(
            point.references, point.accuracy.value, point.accuracy.low, point.accuracy.high, point.different
        )
        for point in computed.result.curve
    ]
    return coverage_figure(
        points,
        known=len(_known(computed)),
        loss=None if _are_few(computed) else computed.result.needed.loss,
        title=f"{naming.title}: coverage of references",
        width=WIDTHS[layout],
    )


def how_to_read(computed: Computed, naming: Naming) -> str:
    """The two curves, and where they are extrapolated."""
    result: ReferenceCoverage = computed.result
    known = len(_known(computed))
    beyond = (
        f" Solid up to {counted(known, 'reference')}, one fewer than the median sentence has; dashed beyond: "
        "extrapolated from the estimated probabilities of corrections that nobody gave, whose error the band "
        "does not show."
        if known < result.curve[-1].references
        else ""
    )
    return (
        f"Line: references may repeat one another, as people do.{beyond} Dotted: all references of a "
        f"sentence differ. Band: {percent(computed.parameters.confidence)} interval over "
        f"{counted(result.sentences, 'sentence')} that have two references or more and need correction."
    )


def _known(computed: Computed) -> Sequence[CoveragePoint]:
    """The points of the curve that are not extrapolated.

    The last one has one reference less than the median sentence: with as many, nobody is left to compare.
    """
    result: ReferenceCoverage = computed.result
    return result.curve[: max(1, int(result.answers) - 1)]


def beyond_title(computed: Computed) -> str:
    """Where the curve is a guess."""
    if _are_few(computed):
        return f"Beyond {counted(len(_known(computed)), 'reference')}: hardly more than a guess"
    return "By number of references"


CURVE = Table(
    rows=lambda computed: computed.result.curve,
    page_rows=lambda computed: _known(computed) if _are_few(computed) else computed.result.curve,
    columns=(
        Count("references", "References"),
        Estimated(
            "accuracy",
            "Accuracy",
            ends_on_paper=("from", "to"),
            heading="Sentences",
            drawn="Sentences in which another person’s correction equals one",
            percent_digits=1,
        ),
        Number("accuracy_all_different", "All different", attrgetter("different"), on_page=False),
        Estimated(
            "test_set",
            "Test set",
            lambda point: Spread(point.test_set, point.low, point.high),
            ends_on_paper=("from", "to"),
            on_page=False,
        ),
    ),
    caption="Accuracy of a perfect corrector by number of references",
)

FREQUENCIES = Table(
    rows=lambda computed: () if _are_few(computed) else computed.result.frequencies,
    columns=(
        Text(
            "",
            "Each given by",
            lambda row: f"at least 1 person in {1 / row.threshold:,.0f}" if row.threshold else "anyone",
        ),
        Number("", "Corrections", attrgetter("variants"), digits=2),
        Share("", "People who give one of them", attrgetter("mass")),
    ),
    caption="Valid corrections of a sentence",
    in_files=False,
)

EXPLANATION = """
*Another person* is a perfect corrector, who corrects every sentence as people do.
From how often each correction of a sentence was given, UnseenEst estimates how probable all its corrections
are, those that nobody gave included (Zou et al. 2016; Choshen and Abend 2018). The accuracy against *M*
references follows in closed form, and is a little too high for the first few references; its interval
resamples sentences (BCa). The number of very rare corrections is uncertain; their joint probability is not.

Files also have the accuracy on the planned test set, and where such test sets would lie by the chance of
output and references alone.
"""

SHOWN: dict[str, Any] = {
    "tables": {"coverage": CURVE, "frequencies": FREQUENCIES},
    "figures": {
        "coverage": Figure(
            caption="Accuracy by number of references",
            draw=draw,
            has_content=lambda computed: True,
            note=how_to_read,
        )
    },
    "headline": headline,
    "lead": lead,
    "sections": (
        Section(title="Valid corrections of a sentence", tables=("frequencies",)),
        Section(title=beyond_title, figures=("coverage",), is_folded=_are_few),
        Section(title="Sentences and test set", note=used, is_folded=True),
    ),
    "explanation": EXPLANATION,
    "template": "analysis/coverage.html",
    "fields": (
        *("match", "normalisation", "unchanged_below", "most_references"),
        *("sentences", "correct", "loss", "confidence"),
    ),
    "label": "Coverage",
}
"""Arguments of `Analysis` that the coverage of a corpus and of a campaign's corrections share."""

COVERAGE = register(
    Analysis(
        name="coverage",
        title="Coverage of references",
        group=Group.REFERENCES,
        question="How many of all valid corrections do references cover?",
        defined_in="coverage.md",
        help="How many valid corrections sentences have, how many of them references cover, and how many "
        "references would be needed.",
        parameters=CoverageParameters,
        result=ReferenceCoverage,
        inputs=CorpusTexts,
        compute=cover,
        at_once=False,
        fewest_references=2,
        tabs="coverage",
        **SHOWN,
    )
)
