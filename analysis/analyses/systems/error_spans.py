"""Error spans: scores and marked errors of systems, and how far annotators mark the same."""

from dataclasses import dataclass
from operator import attrgetter, itemgetter

from analysis.analyses.base import Analysis, Group, register, stated, with_controls
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from analysis.analyses.systems.suggested_marks import (
    ANNOTATORS,
    SUGGESTIONS,
    methods_of_suggestions,
    sentences_on_suggestions,
)
from core.columns import Count, Estimated, Number, Share, System, Text
from core.later import pd
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, counted, literal, whole_percent
from figures.drawing import Chart
from figures.systems.error_spans import DrawnErrors, error_spans_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Alpha,
    Method,
    ResamplingError,
    Unit,
    alpha_over_scores,
    by_scale,
    mean_intervals,
    standings,
    system_means,
)
from ranking.agreement.error_spans import Coefficient, SpanAgreement, span_agreement
from ranking.judgments.marked_errors import (
    MarkedErrors,
    SuggestedMarks,
    TypeOfErrors,
    errors_of_systems,
    suggestions_by_annotator,
    suggestions_by_system,
    suggestions_of_all,
    types_of_errors,
)
from ranking.judgments.snapshot import SCORING_COLUMNS
from ranking.uncertainty.scalars import SystemMean

SPAN_SCORE = "span_score"
"""The sum of the weights of marks in the details of a rating: -1 for a minor, -5 for a major error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSpansParameters(FromAnswers):
    """Options. Attributes: see each parameter's help."""

    controls: bool = with_controls()
    replicates: int = replicates_of_intervals(minimum=1)
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval.

    Attributes:
        value: the mean of the sentences' means; None without any.
        low: lower end of the interval; None if there is none.
        high: upper end.
        reason: why there is no value or no interval; None if there are both.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SystemErrors:
    """A system by its scores and by its marked errors.

    Attributes:
        system: its name.
        score: of its sentences.
        span_score: of its sentences: the weights of all marks in an output.
        errors: the marks in its outputs.
        sentences: number of sentences in the means.
        cluster: of systems by score, 1 the best; None where it cannot be computed.
    """

    system: str
    score: Mean
    span_score: Mean
    errors: MarkedErrors
    sentences: int
    cluster: int | None


@dataclass(frozen=True, slots=True)
class ErrorSpans:
    """Systems, agreement and types of errors.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        ratings: number of scored outputs with marks, or explicitly none.
        systems: the highest score first.
        agreement: how far annotators mark the same errors.
        alpha_of_scores: Krippendorff's alpha of scores, interval; a unit is an output.
        types: marks by type, the most frequent first; empty if the campaign has none.
        suggested: what became of all suggested marks; None without suggestions.
        suggestions: what became of the marks suggested for each system's outputs; empty without suggestions.
        annotators: what each annotator made of suggested marks; empty without suggestions.
    """

    signature: str
    ratings: int
    systems: tuple[SystemErrors, ...]
    agreement: SpanAgreement
    alpha_of_scores: Alpha
    types: tuple[TypeOfErrors, ...]
    suggested: SuggestedMarks | None
    suggestions: tuple[SuggestedMarks, ...]
    annotators: tuple[SuggestedMarks, ...]


def error_spans(
    judgments: Judgments, parameters: ErrorSpansParameters, progress: Progress | None = None
) -> ErrorSpans:
    """Score systems by scores and by marks, with intervals over sentences, and compare annotators.

    Raises:
        SnapshotError: as `ranking.scored_outputs`.
        ParameterError: there are too few replicates for the confidence.
    """
    progress = progress or NoProgress()
    snapshot = judgments.snapshot
    progress.begin("Resampling sentences", total=3)
    scores, by_score = _means(snapshot, parameters)
    progress.advance(1)
    clusters = _clusters(snapshot, parameters)
    progress.advance(1)
    _, by_spans = _means(by_scale(snapshot, SPAN_SCORE), parameters)
    progress.advance(1)
    progress.begin("Comparing annotators")
    errors = {each.system: each for each in errors_of_systems(snapshot)}
    return ErrorSpans(
        signature=judgments.signature(stated("error-spans", parameters)),
        ratings=int(snapshot["rating_details"].notna().sum()),
        systems=tuple(
            SystemErrors(
                mean.system,
                by_score[mean.system],
                by_spans[mean.system],
                errors[mean.system],
                mean.sentences,
                clusters[mean.system],
            )
            for mean in scores
            if mean.system in errors
        ),
        agreement=span_agreement(
            snapshot,
            resamples=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
        ),
        alpha_of_scores=alpha_over_scores(snapshot),
        types=types_of_errors(snapshot),
        suggested=suggestions_of_all(snapshot),
        suggestions=suggestions_by_system(snapshot),
        annotators=suggestions_by_annotator(snapshot),
    )


def _means(
    snapshot: "pd.DataFrame", parameters: ErrorSpansParameters
) -> tuple[tuple[SystemMean, ...], dict[str, Mean]]:
    """The means of systems, and by name each with its interval."""
    means = system_means(snapshot)
    intervals = mean_intervals(
        snapshot,
        unit=Unit.SENTENCE,
        resamples=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    spreads = {}
    for mean in means:
        interval = intervals[mean.system]
        spreads[mean.system] = Mean(mean.score, interval.low, interval.high, mean.reason or interval.reason)
    return means, spreads


def _clusters(snapshot: "pd.DataFrame", parameters: ErrorSpansParameters) -> dict[str, int | None]:
    """By name of a system, the number of its cluster by mean scores."""
    try:
        ranked = standings(
            snapshot,
            Method.MEAN_SCORE,
            Unit.SENTENCE,
            replicates=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
        )
    except ResamplingError as error:
        raise ParameterError(faults={"replicates": str(error)}) from error
    return {each.system: each.cluster for each in ranked.systems}


SYSTEMS = Table(
    rows=lambda computed: computed.result.systems,
    columns=(
        System("system", "System"),
        Estimated("score", "Score", digits=1, ends=("score_low", "score_high"), drawn="Score with interval"),
        Number("", "Span score", attrgetter("span_score.value"), digits=2, on_paper=False),
        Estimated("span_score", "Span score", digits=2, on_page=False),
        Number("major", "Major errors", attrgetter("errors.major_each"), digits=2),
        Number("minor", "Minor errors", attrgetter("errors.minor_each"), digits=2),
        Count("missing", "Missing", attrgetter("errors.missing")),
        Share("unmarked", "Without marks", attrgetter("errors.unmarked_share")),
        Count("sentences", "Sentences"),
        Count("ratings", "Ratings", attrgetter("errors.ratings")),
    ),
    caption="Scores and marked errors of each system",
    note="Errors are means per rating. Rank ranges and clusters are on *Ranking*: by scores, and by span "
    "scores with the parameter *Scale*.",
)


def agreement(computed: Computed) -> list[tuple[str, Coefficient | Mean, int]]:
    """Rows of the table of agreement: measure, coefficient, number of things compared."""
    result: ErrorSpans = computed.result
    if not result.systems:
        return []
    alpha = result.alpha_of_scores
    return [
        *((each.name, each, each.units) for each in result.agreement.coefficients),
        ("α, scores (interval)", Mean(alpha.value, None, None, alpha.reason), alpha.units),
    ]


AGREEMENT = Table(
    rows=agreement,
    columns=(
        Text("measure", "Measure", itemgetter(0)),
        Estimated("value", "Value", itemgetter(1), digits=2, drawn="Value with interval"),
        Count("units", "Compared", itemgetter(2)),
    ),
    caption="Agreement of annotators on errors",
)

TYPES = Table(
    rows=lambda computed: computed.result.types,
    columns=(Text("type", "Type"), Count("major", "Major"), Count("minor", "Minor")),
    caption="Marks by type",
)


def _competing(result: ErrorSpans, naming: Naming) -> list[SystemErrors]:
    """The systems with a score, without source, references and controls."""
    return [
        each
        for each in result.systems
        if each.score.value is not None and naming.roles.get(each.system) not in NO_SYSTEMS
    ]


def headline(computed: Computed, naming: Naming) -> str:
    """The systems of the first cluster, and how far annotators mark the same."""
    result: ErrorSpans = computed.result
    systems = _competing(result, naming)
    if not systems:
        return "No output of a system has been scored with its errors yet"
    best, f1 = systems[0], result.agreement.coefficients[0]
    first = [each for each in systems if each is best or (each.cluster and each.cluster == best.cluster)]
    names = briefly([naming.label(each.system) for each in first])
    if len(first) > 1:
        scored = f"{names} share first place, with scores up to {best.score.value:.1f}"
    elif len(systems) > 1:
        scored = f"{names} has the highest score, {best.score.value:.1f}"
    else:
        scored = f"{names} has a score of {best.score.value:.1f}"
    if f1.value is None:
        return scored
    return f"{scored}; annotators mark the same characters with F1 = {f1.value:.2f}"


def lead(computed: Computed, naming: Naming) -> str:
    """Whether marks rank another system first, and how many outputs were compared."""
    result: ErrorSpans = computed.result
    if not result.systems:
        return ""
    said = []
    systems = [each for each in _competing(result, naming) if each.span_score.value is not None]
    best = max(systems, key=attrgetter("span_score.value"), default=None)
    if best is not None and best.system != systems[0].system:
        said.append(
            f"By the weights of its marks, {literal(naming.label(best.system))} has the highest score."
        )
    agreed = result.agreement
    if agreed.pairs:
        said.append(
            f"Several annotators judged {counted(agreed.outputs, 'output')}; in "
            f"{whole_percent(agreed.unmarked_pairs / agreed.pairs)} of the pairs of annotators, nobody "
            "marked a span."
        )
    said += sentences_on_suggestions(result.annotators)
    return " ".join(said)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Errors per output of each system."""
    drawn = [
        DrawnErrors(naming.label(each.system), each.errors.minor_each, each.errors.major_each)
        for each in computed.result.systems
    ]
    return error_spans_figure(drawn, title=f"{naming.title}: marked errors")


def methods(parameters: ErrorSpansParameters, result: ErrorSpans) -> list[str]:
    """What was asked and computed, in sentences for a paper."""
    sentences = [
        "Annotators marked minor and major errors in each output, then scored it from 0 to 100 (error span "
        f"annotation, Kocmi et al. 2024). The outputs of {len(result.systems)} systems have "
        f"{result.ratings:,} ratings; an output of several systems counts for each.",
        "The score of a system is the mean over sentences of their mean scores. Its span score is the same "
        "mean of the weights of all marks, -1 for a minor and -5 for a major error. Intervals at "
        f"{100 * parameters.confidence:g} % confidence are percentiles over {parameters.replicates:,} "
        f"resamples of sentences (seed {parameters.seed}).",
    ]
    f1, _, alpha, *_ = result.agreement.coefficients
    if f1.value is not None and alpha.value is not None:
        sentences.append(
            f"Agreement over {result.agreement.pairs:,} pairs of annotators of an output: micro-averaged F1 "
            f"of marked characters {f1.value:.3f}; nominal alpha of characters {alpha.value:.3f}."
        )
    sentences += methods_of_suggestions(result.suggested)
    return sentences


EXPLANATION = """
The score of a system is the mean over its sentences. The *span score* of an output is the sum of the weights
of its marks: -1 for a minor and -5 for a major error, missing content included. The two are never averaged.
Intervals are percentiles over resamples of sentences.

*Character F1* is 2|A and B| / (|A| + |B|), where A and B are the characters that two annotators marked; sums
over all outputs come before the ratio, so outputs in which nobody marked anything count nowhere in it. With
severities, a character that both marked counts one half if they differ. α is Krippendorff’s, nominal, with
characters as units and the labels none, minor and major. Blanks count as characters. Neighbouring characters
are not independent, so intervals resample sentences. Missing content is compared by output.

Where outputs came with marks of a program, a mark is *accepted* if it was left as it is, and *changed* if it
shares a character with a suggested one whose place, severity or type differs. The other suggested marks were
*removed*, all other marks were *added*.
"""

ERROR_SPANS = register(
    Analysis(
        name="error-spans",
        title="Error spans",
        group=Group.SYSTEMS,
        question="Which errors do systems leave or make, and do annotators mark the same?",
        defined_in="ranking.md#error-spans",
        help="Scores and marked errors of systems with intervals, and agreement of annotators on marks.",
        parameters=ErrorSpansParameters,
        result=ErrorSpans,
        inputs=Judgments,
        columns=(*SCORING_COLUMNS, "rank", "rating_details"),
        answers=AnswerKind.SPANS,
        compute=error_spans,
        tables={
            "systems": SYSTEMS,
            "agreement": AGREEMENT,
            "types": TYPES,
            "suggestions": SUGGESTIONS,
            "annotators": ANNOTATORS,
        },
        figures={
            "error-spans": Figure(
                caption="Errors per output of each system",
                draw=draw,
                has_content=lambda computed: bool(computed.result.systems),
                of_table="systems",
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Agreement", tables=("agreement",)),
            Section(title="Types of errors", tables=("types",)),
            Section(title="Suggested marks", tables=("suggestions", "annotators")),
        ),
        methods=methods,
        explanation=EXPLANATION,
        nothing="There are no marked errors. Campaigns with the protocol Error spans collect them.",
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
