"""The score of a perfect corrector by any metric, by number of references (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
sections 2.2 and 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import CorpusTexts
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.reference_metrics import reference_metric
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
from core.columns import Count, Estimated, Number, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import counted, percent, with_interval
from figures.curves import WIDTHS
from figures.drawing import Chart
from figures.references.perfect_corrector import DrawnPerfect, perfect_corrector_figure
from metrics import Metric, score
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.coverage import AnsweredSentence, Normalisation
from metrics.meta_evaluation.coverage.sampled import (
    LUCKY,
    PERFECT,
    Draw,
    SampledTestSet,
    corpus_estimate,
    sampled_test_set,
)

NUMBERS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Numbers of references that are computed, as far as they are asked for."""

MOST_SENTENCES = 10_000


@dataclass(frozen=True, slots=True)
class PerfectCorrectorParameters:
    """Parameters of the score of a perfect corrector. Attributes: see the help of each."""

    metric: str = parameter(
        "m2", label="Metric", help="Such as m2, gleu or errant; sari or max-sari for simplifications."
    )
    draw: Draw = parameter(
        Draw.PEOPLE,
        label="Output and references",
        help="How output and references of a sentence are drawn from people's answers.",
        labels={
            Draw.PEOPLE: "from different people",
            Draw.ANSWERS: "with replacement, as in the paper",
        },
    )
    most_references: int = largest_number_of_references(
        maximum=NUMBERS[-1], more="With different people, at most as many as half of the sentences allow."
    )
    normalisation: Normalisation = normalisation_of_texts()
    unchanged_below: float = share_unchanged()
    sentences: int = size_of_test_set(maximum=MOST_SENTENCES)
    correct: int = correct_sentences(maximum=MOST_SENTENCES)
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals(maximum=10_000)
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class PerfectPoint:
    """Scores against a number of references.

    Attributes:
        references: of each sentence.
        perfect: score of the perfect corrector, with its BCa interval over sentences of the pilot.
        lucky: score of an output that always is one of the references; None if the metric scores nothing.
    """

    references: int
    perfect: Estimate
    lucky: float | None


@dataclass(frozen=True, slots=True)
class PerfectCorrector:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        metric: signature of the metric without its number of references.
        sentences: number of sentences of the pilot that were used.
        answers: median number of references of these.
        left_out: positions of other sentences, by reason.
        points: by number of references.
    """

    signature: str
    metric: str
    sentences: int
    answers: float
    left_out: LeftOutSentences
    points: tuple[PerfectPoint, ...]


def perfect_scores(
    texts: CorpusTexts, parameters: PerfectCorrectorParameters, progress: Progress
) -> PerfectCorrector:
    """Score a perfect corrector against references that are drawn from the same answers.

    Raises:
        ParameterError: no sentence has two references and needs correction, or the metric cannot be used.
    """
    check_test_set(parameters.sentences, parameters.correct)
    metric = reference_metric(parameters.metric, texts.parser)
    usable, left_out = usable_answers(
        texts, unchanged_below=parameters.unchanged_below, normalisation=parameters.normalisation
    )
    used, most, short = _with_enough_answers(usable, parameters)
    test_set = sampled_test_set(
        used,
        most,
        sentences=parameters.sentences,
        correct=parameters.correct,
        draw=parameters.draw,
        normalisation=parameters.normalisation,
        seed=parameters.seed,
    )
    numbers = sorted({number for number in NUMBERS if number < most} | {most})
    points = []
    for references in numbers:
        point, signature = _point(test_set, references, metric, texts, parameters, progress)
        points.append(point)
    return PerfectCorrector(
        signature=texts.signature(stated("perfect-corrector", parameters)),
        metric=signature.replace(f"|refs:{most}", ""),
        sentences=len(used),
        answers=float(np.median([len(sentence.answers) for sentence in used])),
        left_out=left_out | ({f"with fewer than {most + 1} references": short} if short else {}),
        points=tuple(points),
    )


def _with_enough_answers(
    usable: Mapping[int, AnsweredSentence], parameters: PerfectCorrectorParameters
) -> tuple[list[AnsweredSentence], int, tuple[int, ...]]:
    """The sentences that can be drawn from, the most references, and the positions of the other sentences."""
    if parameters.draw == Draw.ANSWERS:
        return list(usable.values()), parameters.most_references, ()
    available = int(np.median([len(sentence.answers) for sentence in usable.values()])) - 1
    most = min(parameters.most_references, available)
    enough = [sentence for sentence in usable.values() if len(sentence.answers) > most]
    short = tuple(place for place, sentence in usable.items() if len(sentence.answers) <= most)
    return enough, most, short


def _point(
    test_set: SampledTestSet,
    references: int,
    metric: Metric[object],
    texts: CorpusTexts,
    parameters: PerfectCorrectorParameters,
    progress: Progress,
) -> tuple[PerfectPoint, str]:
    """The scores against this many references, and the metric's signature."""
    data, outputs = test_set.against(references)
    step = counted(references, "reference")
    progress.begin(f"Scoring against {step}", total=len(outputs) * parameters.sentences)
    scored = score(metric, replace(data, parser=texts.parser), outputs, progress=progress.advance)
    # BCa intervals also need the scores without each sentence of the pilot.
    progress.begin(f"Interval for {step}", total=parameters.replicates + len(set(test_set.pilot)))
    estimate = corpus_estimate(
        scored,
        PERFECT,
        pilot=test_set.pilot,
        confidence=parameters.confidence,
        replicates=parameters.replicates,
        seed=parameters.seed,
        progress=progress.advance,
    )
    return PerfectPoint(references, estimate, scored.corpus(LUCKY).value), scored.signature


def headline(computed: Computed, naming: Naming) -> str:
    """How a perfect corrector would score against the fewest and the most references."""
    first, last = computed.result.points[0], computed.result.points[-1]
    title = title_of_metric(computed.parameters.metric)
    if last.perfect.value is None or first.perfect.value is None:
        return f"{title} scores no sentence"
    fewest, most = (counted(point.references, "reference") for point in (first, last))
    if first is last:
        return f"Against {fewest}, another person’s corrections would score {_score(last)} by {title}"
    return (
        f"By {title}, another person’s corrections would score {_score(first)} against {fewest} and "
        f"{_score(last)} against {most}"
    )


def _score(point: PerfectPoint) -> str:
    """The score with its interval."""
    interval = "" if point.perfect.low is None else f" ({point.perfect.low:.2f} to {point.perfect.high:.2f})"
    return f"{point.perfect.value:.2f}{interval}"


def lead(computed: Computed, naming: Naming) -> str:
    """What output and references are, and whether there are enough answers to see the score grow."""
    result: PerfectCorrector = computed.result
    drawn = (
        "with replacement: an answer that is drawn twice matches itself, so the score is too high where "
        "sentences have few answers"
        if computed.parameters.draw == Draw.ANSWERS
        else "each from another person"
    )
    few = (
        f" **The median sentence has {_median(result)} references:** collect 20 to 50 corrections of each "
        "sentence in a pilot of some 50 sentences to see how the score grows."
        if result.answers < FEW_ANSWERS
        else ""
    )
    return (
        f"Output and references are people’s answers to the same sentence, {drawn}. The output loses points "
        f"only where the references do not cover it.{few}"
    )


def _median(result: PerfectCorrector) -> str:
    return f"{result.answers:.1f}".removesuffix(".0")


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The score of a perfect corrector by number of references."""
    result: PerfectCorrector = computed.result
    title = f"{naming.title}: attainable scores"
    metric = title_of_metric(result.metric.partition("|")[0])
    points = [DrawnPerfect(point.references, point.perfect, point.lucky) for point in result.points]
    return perfect_corrector_figure(points, metric=metric, title=title, width=WIDTHS[layout])


SCORES = Table(
    rows=lambda computed: computed.result.points,
    columns=lambda computed: (
        Count("references", "References"),
        Estimated(
            "score",
            "Another person",
            attrgetter("perfect"),
            drawn=with_interval("Score", computed.parameters.confidence),
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
        ),
        Number("one_of_the_references", "One of the references", attrgetter("lucky"), heading="A reference"),
        Text("metric", value=lambda point: computed.result.metric),
    ),
    caption="Scores by number of references",
    remark=lambda computed: computed.result.metric,
    note="*A reference*: the score of an output that is always one of the references. Metrics that combine "
    "references, such as GLEU or SARI, give it less the more there are.",
)


def explanation(computed: Computed) -> str:
    """The sentences that were scored, and how."""
    result: PerfectCorrector = computed.result
    parameters: PerfectCorrectorParameters = computed.parameters
    left_out = "".join(
        f" Left out: {text}."
        for text in left_out_in_words(result.left_out, parameters.unchanged_below, parameters.normalisation)
    )
    return (
        "*Another person* is a perfect corrector, who corrects every sentence as people do. A test set of "
        f"{parameters.sentences:,} sentences, of which {parameters.correct:,} need no correction and stay as "
        f"they are, is drawn from {counted(result.sentences, 'sentence')} with a median of "
        f"{_median(result)} references.{left_out} "
        f"{planned_in_words(parameters.sentences, parameters.correct)} *Systems beside people* and *Corpus "
        "statistics* score people on the corpus itself, so their scores may differ from these. "
        f"Metric `{result.metric}`.\n\n"
        "A metric that combines references gives *a reference* less the more there are, so such scores are "
        "not comparable between numbers of references. A metric that finds edits by itself, such as M2, may "
        "find others than the reference has, and give a little less than 1.\n\n"
        "Sentences are drawn from those with several answers, and compared with the first 1, "
        "2, … of the same references. Metrics of edits get the smallest set of word edits, or ERRANT’s. "
        f"The {percent(computed.parameters.confidence)} intervals (BCa) resample the sentences with "
        "references, each with all that was drawn from it. (Choshen and Abend 2018, sections 2.2 and 4, "
        "resample drawn sentences, whose intervals do not cover the choice of these sentences.)"
    )


PERFECT_CORRECTOR = register(
    Analysis(
        name="perfect-corrector",
        title="Attainable scores",
        group=Group.REFERENCES,
        question="What would a perfect system score?",
        defined_in="coverage.md",
        help="How a corrector that is always right would score by a metric, by number of references.",
        parameters=PerfectCorrectorParameters,
        result=PerfectCorrector,
        inputs=CorpusTexts,
        compute=perfect_scores,
        tables={"perfect-corrector": SCORES},
        figures={
            "perfect-corrector": Figure(
                caption="Score by number of references",
                draw=draw,
                has_content=lambda computed: (
                    len(computed.result.points) > 1 and computed.result.points[0].perfect.value is not None
                ),
                of_table="perfect-corrector",
            )
        },
        headline=headline,
        lead=lead,
        explanation=explanation,
        fields=("metric", "draw", "most_references", "sentences", "correct", "confidence"),
        tabs="coverage",
        label="Attainable scores",
        place=1,
        at_once=False,
        fewest_references=2,
    )
)
