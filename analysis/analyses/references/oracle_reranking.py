"""Oracle re-ranking: what the best possible re-ranker picks against growing sets of references.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.3 and Figure 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.reference_metrics import against, reference_metric
from analysis.analyses.resampling import confidence_of_intervals, seed_of_everything
from core.arrays import FloatArray, IntArray
from core.columns import Count, Estimated, Number, Spread, Text
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, literal, percent, with_interval
from figures.drawing import Chart
from figures.references.oracle_reranking import reranking_figure
from metrics import Metric, score
from metrics.base.resampling import resampled_means
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.conservatism import changes
from metrics.meta_evaluation.coverage.reranking import oracle_choices
from metrics.meta_evaluation.estimates import estimated

MOST_WORDS_CHANGED = 10
FEWEST_REFERENCES = 2
SENTENCES_AT_ONCE = 10_000

REPLICATES = 1000
"""Resamples of the sentences, for the interval of a difference."""


@dataclass(frozen=True, slots=True)
class RerankingParameters:
    """Parameters of oracle re-ranking. Attributes: see the help of each."""

    metric: str = parameter(
        "gleu", label="Metric", help="Metric by which candidates are picked, such as gleu, m2 or errant."
    )
    draws: int = parameter(
        20,
        label="Draws",
        help="How often references are drawn for each number of them.",
        minimum=1,
        maximum=1000,
    )
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class RerankedPoint:
    """The picked outputs for a number of references, as means over draws.

    Attributes:
        references: drawn for each sentence.
        words: words changed per sentence.
        words_low: lower end of the interval over draws.
        words_high: upper end.
        unchanged: share of sentences that are left as they are.
        unchanged_low: lower end.
        unchanged_high: upper end.
        by_words: number of sentences with 0, 1, … words changed; the last counts those with more too.
    """

    references: int
    words: float
    words_low: float
    words_high: float
    unchanged: float
    unchanged_low: float
    unchanged_high: float
    by_words: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OracleReranking:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        metric: signature of the metric.
        sentences: number of sentences with a candidate that all people corrected, or that any did if there is
            none of the former.
        candidates: mean number of candidates of these.
        left_unchanged: number of these that a person left as they are.
        points: by number of references.
        difference: how many more words are changed against all references than against one, with its interval
            over sentences.
    """

    signature: str
    metric: str
    sentences: int
    candidates: float
    left_unchanged: int
    points: tuple[RerankedPoint, ...]
    difference: Estimate


def rerank(texts: CorpusCorrections, parameters: RerankingParameters, progress: Progress) -> OracleReranking:
    """Pick the best output of each sentence against 1, 2, … references.

    The candidates of a sentence are the outputs of all systems.

    Raises:
        ParameterError: there are no systems, fewer than two references, or the metric cannot be used.
    """
    candidates = list(texts.competing().values())
    if len(texts.people) < FEWEST_REFERENCES:
        raise ParameterError("there is one reference; re-ranking against more needs at least two")
    people = list(texts.people.values())
    with_output = [
        place for place in range(len(texts.sources)) if any(each[place] is not None for each in candidates)
    ]
    there = [place for place in with_output if all(each[place] is not None for each in people)] or [
        place for place in with_output if any(each[place] is not None for each in people)
    ]
    if not there:
        raise ParameterError("no sentence has an output and a reference")
    listed = [[each[place] for place in there] for each in candidates]
    metric = reference_metric(parameters.metric, texts.parser)
    scores, signature = _scores(texts, there, listed, metric, progress)
    words = _words_changed(texts, there, listed, progress)
    progress.begin("Re-ranking", total=len(texts.people))
    points, by_sentence = [], []
    for references in range(1, len(texts.people) + 1):
        choices = oracle_choices(scores, references, draws=parameters.draws, seed=parameters.seed)
        changed = np.take_along_axis(words, choices.T, axis=1).T
        points.append(_point(references, changed, parameters))
        by_sentence.append(changed.mean(axis=0))
        progress.advance(1)
    return OracleReranking(
        signature=texts.signature(stated("oracle-reranking", parameters)),
        metric=signature,
        sentences=len(there),
        candidates=float(np.mean([len({*each} - {None}) for each in zip(*listed, strict=True)])),
        left_unchanged=sum(any(each[place] == texts.sources[place] for each in people) for place in there),
        points=tuple(points),
        difference=_difference(by_sentence[-1] - by_sentence[0], parameters),
    )


def _difference(by_sentence: FloatArray, parameters: RerankingParameters) -> Estimate:
    """The mean over sentences, with its percentile interval over resampled sentences."""
    value = float(by_sentence.mean())
    if len(by_sentence) < 2:
        return Estimate(value, None, None, "there is one sentence")
    means = resampled_means(by_sentence, REPLICATES, parameters.seed)
    return estimated(value, means, parameters.confidence)


def _scores(
    texts: CorpusCorrections,
    there: Sequence[int],
    listed: Sequence[Sequence[str | None]],
    metric: Metric[object],
    progress: Progress,
) -> tuple[FloatArray, str]:
    """The score of each candidate against each single reference, (n, k, R), and the metric's signature."""
    sources = tuple(texts.sources[place] for place in there)
    outputs = {str(number): _filled(of_rank, sources) for number, of_rank in enumerate(listed)}
    missing = np.array([[output is None for output in of_rank] for of_rank in listed])
    scores = np.empty((len(there), len(listed), len(texts.people)))
    progress.begin("Scoring candidates", total=len(texts.people) * len(there) * len(listed))
    signature = ""
    for number, (annotator, corrections) in enumerate(texts.people.items()):
        data = against({annotator: [corrections[place] for place in there]}, sources, texts.parser)
        scored = score(metric, data, outputs, progress=progress.advance)
        signature = scored.signature
        for rank, name in enumerate(outputs):
            scores[:, rank, number] = np.where(missing[rank], np.nan, scored.sentences(name))
    return scores, signature


def _filled(outputs: Sequence[str | None], sources: Sequence[str]) -> list[str]:
    """The outputs, and the source where one is missing."""
    return [source if output is None else output for output, source in zip(outputs, sources, strict=True)]


def _words_changed(
    texts: CorpusCorrections, there: Sequence[int], listed: Sequence[Sequence[str | None]], progress: Progress
) -> IntArray:
    """Words changed by each candidate, shape (n, k); 0 for a missing one."""
    sources = [texts.sources[place] for place in there]
    progress.begin("Aligning words", total=len(listed) * len(sources))
    words = np.empty((len(sources), len(listed)), dtype=np.int64)
    for rank, of_rank in enumerate(listed):
        for first in range(0, len(sources), SENTENCES_AT_ONCE):
            some = slice(first, first + SENTENCES_AT_ONCE)
            words[some, rank] = changes(sources[some], _filled(of_rank[some], sources[some])).words
            progress.advance(len(sources[some]))
    return words


def _point(references: int, words: IntArray, parameters: RerankingParameters) -> RerankedPoint:
    """Means over draws of words changed, shape (draws, n)."""
    ends = (1 - parameters.confidence) / 2, (1 + parameters.confidence) / 2
    means, unchanged = words.mean(axis=1), (words == 0).mean(axis=1)
    counts = np.array(
        [
            np.bincount(np.minimum(draw, MOST_WORDS_CHANGED), minlength=MOST_WORDS_CHANGED + 1)
            for draw in words
        ]
    )
    words_low, words_high = np.quantile(means, ends).tolist()
    unchanged_low, unchanged_high = np.quantile(unchanged, ends).tolist()
    return RerankedPoint(
        references=references,
        words=float(means.mean()),
        words_low=words_low,
        words_high=words_high,
        unchanged=float(unchanged.mean()),
        unchanged_low=unchanged_low,
        unchanged_high=unchanged_high,
        by_words=tuple(counts.mean(axis=0).tolist()),
    )


def _sentences(point: RerankedPoint, place: int) -> float:
    return point.by_words[place]


WORDS = (*map(str, range(MOST_WORDS_CHANGED)), f"{MOST_WORDS_CHANGED}+")


def note(computed: Computed, naming: Naming) -> str:
    """How to read the table."""
    result, parameters = computed.result, computed.parameters
    return (
        f"*Unchanged*: share of the {counted(result.sentences, 'sentence')} with references, which have "
        f"{result.candidates:.1f} different outputs on average. Lines hold {percent(parameters.confidence)} "
        f"of {counted(parameters.draws, 'draw')} of so many references; all of them can "
        "be drawn in one way only."
    )


def _over_draws(value: float, low: float, high: float) -> Spread:
    """A mean over draws; without an interval where all references are drawn each time."""
    return Spread(value, None, None) if low == high else Spread(value, low, high)


PICKED = Table(
    rows=lambda computed: computed.result.points,
    columns=(
        Count("references", "References"),
        Estimated(
            "words",
            "Words changed",
            lambda point: _over_draws(point.words, point.words_low, point.words_high),
            drawn="Words changed per sentence",
        ),
        Estimated(
            "unchanged",
            "Unchanged",
            lambda point: _over_draws(point.unchanged, point.unchanged_low, point.unchanged_high),
            percent_digits=0,
        ),
        *(
            Number(
                f"sentences_{words}",
                words,
                partial(_sentences, place=place),
                digits=0,
                on_page=False,
                is_printed=True,
            )
            for place, words in enumerate(WORDS)
        ),
    ),
    caption="Words that the best candidates change, by number of references",
    note=note,
    remark=lambda computed: computed.result.metric,
)


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the best candidates clearly change more against all references than against one."""
    result: OracleReranking = computed.result
    first, last = result.points[0], result.points[-1]
    low, high = result.difference.low, result.difference.high
    if low is not None and low > 0:
        change = "change more words"
    elif high is not None and high < 0:
        change = "change fewer words"
    else:
        change = "do not clearly change more or fewer words"
    return (
        f"Picked by {title_of_metric(computed.parameters.metric)} against {last.references} references, the "
        f"best candidates {change}: {last.words:.2f} per sentence, {first.words:.2f} against one"
    )


def lead(computed: Computed, naming: Naming) -> str:
    """The meaning of an oracle."""
    metric = literal(title_of_metric(computed.parameters.metric))
    return (
        f"For each sentence, an *oracle* picks the output that {metric} scores highest against some of its "
        "references, whichever system gave it."
    )


DIFFERENCE = Table(
    rows=lambda computed: [computed.result] if len(computed.result.points) > 1 else [],
    columns=lambda computed: (
        Text("", "References", lambda result: f"{result.points[-1].references} instead of 1"),
        Estimated(
            "",
            "Difference",
            attrgetter("difference"),
            drawn=with_interval("More words changed per sentence", computed.parameters.confidence),
            even=0.0,
        ),
    ),
    caption="Words changed against all references instead of one",
    in_files=False,
    note="The interval is over sentences: left of the dashed line, more references reward smaller changes.",
)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Sentences by words changed."""
    by_words = {point.references: point.by_words for point in computed.result.points}
    return reranking_figure(by_words, title=f"{naming.title}: sentences by number of words changed")


def explanation(computed: Computed) -> str:
    """How outputs are picked, and why more references may reward larger or smaller changes."""
    result: OracleReranking = computed.result
    return (
        "Each output is scored against each single reference; against several it has its best score. Of "
        "equal scores, the system that comes first by name counts. Choshen and Abend 2018 (section 3.3) did "
        "this with the 100 best outputs of one system; from a file, `analyse oracle-reranking` reads such "
        f"lists. Metric `{result.metric}`.\n\nTwo effects oppose each other. Few references teach a system "
        "to leave errors alone, so that more references reward larger changes, as they found. But a sentence "
        "that only one person leaves unchanged makes the unchanged output perfect as soon as that reference "
        f"is drawn: in {result.left_unchanged:,} of {result.sentences:,} sentences somebody does so, case "
        "and punctuation included."
    )


ORACLE_RERANKING = register(
    Analysis(
        name="oracle-reranking",
        title="Oracle re-ranking",
        group=Group.REFERENCES,
        question="Do more references reward larger changes?",
        defined_in="coverage.md",
        help="Whether more references make the best candidates of a sentence change more.",
        parameters=RerankingParameters,
        result=OracleReranking,
        inputs=CorpusCorrections,
        compute=rerank,
        at_once=False,
        fewest_references=FEWEST_REFERENCES,
        tables={"oracle-reranking": PICKED, "difference": DIFFERENCE},
        figures={
            "oracle-reranking": Figure(
                caption="Sentences by number of words changed",
                draw=draw,
                has_content=lambda computed: len(computed.result.points) > 1,
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Sentences by number of words changed",
                figures=("oracle-reranking",),
                is_folded=True,
            ),
        ),
        explanation=explanation,
        tabs="coverage",
        label="Re-ranking",
        place=4,
    )
)
