"""What systems change, compared with people: the sentences compared, and the changes of each corrector."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from analysis.analyses.base import stated
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from core.progress import Progress
from metrics.base.evaluation_sets import EvaluationSet, Parser
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.conservatism import changes, words
from metrics.meta_evaluation.correction_types import TypeCounts, TypeRatios, type_counts, type_ratios
from metrics.meta_evaluation.estimates import estimated

MOST_WORDS_CHANGED = 10
NO_PIPELINE = "edits are typed by ERRANT, which is for English"
NO_TEXTS = "no type of edit can be compared: systems and references of the corpus correct nothing"

SMALLEST_SHARE = 0.5
"""Sentences that all have are compared alone, unless they are a smaller share of those of one person."""


@dataclass(frozen=True, slots=True)
class ConservatismParameters:
    """Parameters of under-correction. Attributes: see the help of each."""

    types: bool = parameter(
        True, label="Types of edits", help="Compare types of edits by ERRANT; takes longer, for English."
    )
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class Corrector:
    """The changes of a system or an annotator.

    Attributes:
        name: of the system or annotator.
        is_person: whether it is an annotator.
        sentences: number of sentences with a text.
        words: mean number of words changed, deleted or added in a sentence.
        changed: number of words aligned to another word.
        deleted: number of source words without a counterpart.
        added: number of words without a counterpart in the source.
        edit_distance: number of words inserted, deleted or substituted (Levenshtein).
        unchanged: share of sentences whose words are those of the source.
        order: mean Spearman correlation of the places of aligned words; None if undefined.
        split: number of sentences with more sentence ends than the source.
        joined: number with fewer.
        by_words: number of sentences with 0, 1, … words changed; the last counts those with more too.
        above: number of people than whom a system clearly changes more words; 0 for a person.
        below: number of people than whom a system clearly changes fewer; 0 for a person.
    """

    name: str
    is_person: bool
    sentences: int
    words: Estimate
    changed: int
    deleted: int
    added: int
    edit_distance: int
    unchanged: Estimate
    order: float | None
    split: int
    joined: int
    by_words: tuple[int, ...]
    above: int
    below: int


@dataclass(frozen=True, slots=True)
class UnderCorrection:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        sentences: number of sentences that all correctors have; None if each has others.
        source_words: mean number of words of a source sentence.
        correctors: by descending words changed.
        types: comparison of types; None if there is none.
        no_types: why not, in words; empty if there is one.
    """

    signature: str
    sentences: int | None
    source_words: float
    correctors: tuple[Corrector, ...]
    types: TypeRatios | None
    no_types: str


def under_correction(
    texts: CorpusCorrections, parameters: ConservatismParameters, progress: Progress
) -> UnderCorrection:
    """Compare what systems and annotators change (`metrics.meta_evaluation.conservatism`).

    Raises:
        ParameterError: there are no systems, or no references.
    """
    what = stated("conservatism", parameters)
    if texts.parser is not None and parameters.types:
        what = f"{what}|pipeline:{texts.parser.signature}"
    signature = texts.signature(what)
    shared = _shared(texts)
    if shared is not None:
        texts = _only(texts, shared)
    systems = texts.competing()
    everyone = [(name, outputs, False) for name, outputs in systems.items()]
    everyone += [(name, outputs, True) for name, outputs in texts.people.items()]
    progress.begin("Aligning words", total=len(everyone))
    correctors, by_sentence = [], []
    for name, outputs, is_person in everyone:
        if any(output is not None for output in outputs):
            corrector, of_sentences = _corrector(
                name, is_person, texts.sources, outputs, parameters, progress.step
            )
            correctors.append(corrector)
            by_sentence.append(of_sentences)
        progress.advance(1)
    correctors = _beside_people(correctors, by_sentence, parameters.confidence)
    types, no_types = _types(texts, systems, parameters, progress)
    return UnderCorrection(
        signature=signature,
        sentences=None if shared is None else len(shared),
        source_words=float(np.mean([len(words(source)) for source in texts.sources])),
        correctors=tuple(sorted(correctors, key=lambda each: (-(each.words.value or 0.0), each.name))),
        types=types,
        no_types=no_types,
    )


def _shared(texts: CorpusCorrections) -> list[int] | None:
    """The places of the sentences that all systems and people have; None if they are too few to compare."""
    everyone = [*texts.competing().values(), *texts.people.values()]
    there = np.array([[output is not None for output in outputs] for outputs in everyone])
    everyone_has = np.flatnonzero(there.all(axis=0))
    of_people = there[-len(texts.people) :].sum(axis=1)
    if len(everyone_has) < max(1, SMALLEST_SHARE * of_people.max()):
        return None
    return [int(place) for place in everyone_has]


def _only(texts: CorpusCorrections, places: Sequence[int]) -> CorpusCorrections:
    """The texts of the sentences at these places."""

    def of_all(texts_by_name: Mapping[str, Sequence[str | None]]) -> dict[str, tuple[str | None, ...]]:
        return {name: tuple(each[place] for place in places) for name, each in texts_by_name.items()}

    return replace(
        texts,
        sources=tuple(texts.sources[place] for place in places),
        systems=of_all(texts.systems),
        people=of_all(texts.people),
    )


def _corrector(
    name: str,
    is_person: bool,
    sources: Sequence[str],
    outputs: Sequence[str | None],
    parameters: ConservatismParameters,
    step: Callable[[], None],
) -> tuple[Corrector, FloatArray]:
    """The changes that a corrector makes, and its words changed by sentence, NaN without a text.

    `step` is called every few sentences and replicates.
    """
    pairs = [(source, output) for source, output in zip(sources, outputs, strict=True) if output is not None]
    made = changes([source for source, _ in pairs], [output for _, output in pairs], step=step)
    of_sentences = np.full(len(sources), np.nan)
    of_sentences[[output is not None for output in outputs]] = made.words
    figures = np.stack([made.words, made.unchanged], axis=1)
    drawn = resampled_means(figures, parameters.replicates, parameters.seed, step)
    words_changed, unchanged = (
        estimated(float(values.mean()), of_figure, parameters.confidence)
        for values, of_figure in zip(figures.T, drawn.T, strict=True)
    )
    corrector = Corrector(
        name=name,
        is_person=is_person,
        sentences=len(pairs),
        words=words_changed,
        changed=int(made.changed.sum()),
        deleted=int(made.deleted.sum()),
        added=int(made.added.sum()),
        edit_distance=int(made.edit_distance.sum()),
        unchanged=unchanged,
        order=made.mean_order,
        split=int(made.split.sum()),
        joined=int(made.joined.sum()),
        by_words=tuple(
            np.bincount(np.minimum(made.words, MOST_WORDS_CHANGED), minlength=MOST_WORDS_CHANGED + 1).tolist()
        ),
        above=0,
        below=0,
    )
    return corrector, of_sentences


def _beside_people(
    correctors: Sequence[Corrector], by_sentence: Sequence[FloatArray], confidence: float
) -> list[Corrector]:
    """The correctors with the numbers of people than whom each system changes more words, or fewer.

    A system and a person differ if the interval of their mean difference over the sentences that both have
    excludes 0.
    """
    people = [values for each, values in zip(correctors, by_sentence, strict=True) if each.is_person]
    compared = []
    for corrector, values in zip(correctors, by_sentence, strict=True):
        signs = [] if corrector.is_person else [sign_of(values - each, confidence) for each in people]
        compared.append(replace(corrector, above=signs.count(1), below=signs.count(-1)))
    return compared


def sign_of(differences: FloatArray, confidence: float) -> int:
    """1 or -1 if the mean of the differences that are known is clearly above or below 0, else 0."""
    known = differences[np.isfinite(differences)]
    if len(known) < 2:
        return 0
    half_width = NormalDist().inv_cdf((1 + confidence) / 2) * known.std(ddof=1) / np.sqrt(len(known))
    mean = known.mean()
    return int(np.sign(mean)) if abs(mean) > half_width else 0


def resampled_means(figures: IntArray, replicates: int, seed: int, step: Callable[[], None]) -> FloatArray:
    """Means of the columns over resampled rows, shape (replicates, columns); `step` is called meanwhile."""
    rng = np.random.default_rng(seed)
    means = np.empty((replicates, figures.shape[1]))
    for replicate in range(replicates):
        drawn = rng.integers(len(figures), size=len(figures), dtype=np.int32)
        for column, values in enumerate(figures.T):
            means[replicate, column] = values[drawn].mean()
        step()
    return means


def _types(
    texts: CorpusCorrections,
    systems: Mapping[str, Sequence[str | None]],
    parameters: ConservatismParameters,
    progress: Progress,
) -> tuple[TypeRatios | None, str]:
    """The comparison of types, or why there is none."""
    if not parameters.types:
        return None, "not asked for"
    if texts.parser is None:
        return None, NO_PIPELINE
    try:
        counts = _counts(texts, systems, texts.parser, parameters, progress)
    except PipelineError as error:
        return None, str(error)
    ratios = type_ratios(counts, confidence=parameters.confidence)
    return (ratios, "") if ratios.types else (None, NO_TEXTS)


def _counts(
    texts: CorpusCorrections,
    systems: Mapping[str, Sequence[str | None]],
    parser: Parser,
    parameters: ConservatismParameters,
    progress: Progress,
) -> TypeCounts:
    distinct = dict.fromkeys(texts.sources)
    for outputs in (*systems.values(), *texts.people.values()):
        distinct |= dict.fromkeys(output for output in outputs if output is not None)
    progress.begin("Parsing", total=len(distinct))
    parser.parse_ahead(list(distinct), progress=progress.advance)
    del distinct
    progress.begin("Comparing edits", total=len(systems) * len(texts.sources))
    references = tuple(
        tuple(text for text in of_sentence if text is not None)
        for of_sentence in zip(*texts.people.values(), strict=True)
    )
    return type_counts(
        EvaluationSet(texts.sources, references, parser=parser),
        systems,
        replicates=parameters.replicates,
        seed=parameters.seed,
        progress=progress.advance,
    )
