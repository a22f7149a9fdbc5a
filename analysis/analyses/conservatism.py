"""Under-correction: how much systems change, compared with people (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
sections 3.2 and 3.4.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import Analysis, Table, register, stated
from analysis.analyses.inputs import CorpusCorrections
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
)
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics.base import FloatArray, IntArray
from metrics.english_pipeline import PipelineError
from metrics.inputs import EvaluationSet, Parser
from metrics.validation import Estimate
from metrics.validation.conservatism import changes, words
from metrics.validation.correction_types import TypeCounts, TypeRatios, type_counts, type_ratios
from metrics.validation.estimates import estimated

MOST_WORDS_CHANGED = 10
COMPETITORS = ("", "system")
"""Roles of systems that correct; source, references and controls do not."""

NO_PEOPLE = "the corpus has no references to compare with: import it with corrected texts or M2 files"
NO_SYSTEMS = "the corpus has no systems: import it with their outputs"
NO_PIPELINE = "edits are typed by ERRANT, which is for English"
NO_TEXTS = "no type of edit can be compared: systems and references of the corpus correct nothing"


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


@dataclass(frozen=True, slots=True)
class UnderCorrection:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        source_words: mean number of words of a source sentence.
        correctors: by descending words changed.
        types: comparison of types; None if there is none.
        no_types: why not, in words; empty if there is one.
    """

    signature: str
    source_words: float
    correctors: tuple[Corrector, ...]
    types: TypeRatios | None
    no_types: str


def under_correction(
    texts: CorpusCorrections, parameters: ConservatismParameters, progress: Progress
) -> UnderCorrection:
    """Compare what systems and annotators change (`metrics.validation.conservatism`).

    Raises:
        ParameterError: there are no systems, or no references.
    """
    systems = {
        name: outputs for name, outputs in texts.systems.items() if texts.roles.get(name, "") in COMPETITORS
    }
    if not texts.people:
        raise ParameterError(NO_PEOPLE)
    if not systems:
        raise ParameterError(NO_SYSTEMS)
    everyone = [(name, outputs, False) for name, outputs in systems.items()]
    everyone += [(name, outputs, True) for name, outputs in texts.people.items()]
    progress.begin("Aligning words", total=len(everyone))
    correctors = []
    for name, outputs, is_person in everyone:
        if any(output is not None for output in outputs):
            correctors.append(
                _corrector(name, is_person, texts.sources, outputs, parameters, lambda: progress.advance(0))
            )
        progress.advance(1)
    types, no_types = _types(texts, systems, parameters, progress)
    what = stated("conservatism", parameters)
    if texts.parser is not None and parameters.types:
        what = f"{what}|pipeline:{texts.parser.signature}"
    return UnderCorrection(
        signature=texts.signature(what),
        source_words=float(np.mean([len(words(source)) for source in texts.sources])),
        correctors=tuple(sorted(correctors, key=lambda each: (-(each.words.value or 0.0), each.name))),
        types=types,
        no_types=no_types,
    )


def _corrector(
    name: str,
    is_person: bool,
    sources: Sequence[str],
    outputs: Sequence[str | None],
    parameters: ConservatismParameters,
    step: Callable[[], None],
) -> Corrector:
    """What a corrector changes; `step` is called every few sentences and replicates."""
    pairs = [(source, output) for source, output in zip(sources, outputs, strict=True) if output is not None]
    made = changes([source for source, _ in pairs], [output for _, output in pairs], step=step)
    figures = np.stack([made.words, made.unchanged], axis=1)
    drawn = resampled_means(figures, parameters.replicates, parameters.seed, step)
    words_changed, unchanged = (
        estimated(float(values.mean()), of_figure, parameters.confidence)
        for values, of_figure in zip(figures.T, drawn.T, strict=True)
    )
    return Corrector(
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
    )


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
    parser.parse(list(distinct), progress=progress.advance)
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


def _tables(result: UnderCorrection) -> tuple[Table, ...]:
    names = [f"{each.name} (person)" if each.is_person else each.name for each in result.correctors]
    changed = Table(
        "Words changed",
        ("", "per sentence", "from", "to", "Changed", "Deleted", "Added"),
        tuple(
            (name, each.words.value, each.words.low, each.words.high, each.changed, each.deleted, each.added)
            for name, each in zip(names, result.correctors, strict=True)
        ),
    )
    sentences = Table(
        "Sentences",
        ("", "Unchanged", "from", "to", "Word order", "Split", "Joined"),
        tuple(
            (
                name,
                each.unchanged.value,
                each.unchanged.low,
                each.unchanged.high,
                each.order,
                each.split,
                each.joined,
            )
            for name, each in zip(names, result.correctors, strict=True)
        ),
    )
    if result.types is None:
        return changed, sentences
    types = Table(
        "Edits of systems over those of the references that ERRANT chooses for them, by type",
        ("Type", "Systems", "People", "Ratio", "from", "to"),
        tuple(
            (row.type, row.systems, row.people, row.ratio.value, row.ratio.low, row.ratio.high)
            for row in result.types.types
        ),
    )
    return changed, sentences, types


CONSERVATISM = register(
    Analysis(
        name="conservatism",
        title="Under-correction",
        help="How much systems change, compared with people: words, word order, sentences, types of edits.",
        parameters=ConservatismParameters,
        result=UnderCorrection,
        inputs=CorpusCorrections,
        compute=under_correction,
        tables=_tables,
        at_once=False,
        fewest_references=1,
    )
)
