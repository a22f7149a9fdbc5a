"""Under-correction: how much systems change, compared with people (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
sections 3.2 and 3.4.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core import columns
from core.arrays import FloatArray, IntArray
from core.columns import Code, Count, Estimated, Number
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import literal, p_is, percent, some_of
from figures.drawing import Chart
from figures.references.conservatism import DrawnCorrector, correctors_figure, type_ratios_figure
from metrics.base.evaluation_sets import EvaluationSet, Parser
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.conservatism import changes, words
from metrics.meta_evaluation.correction_types import (
    TypeCounts,
    TypeRatio,
    TypeRatios,
    type_counts,
    type_ratios,
)
from metrics.meta_evaluation.estimates import estimated

MOST_WORDS_CHANGED = 10
NO_PIPELINE = "edits are typed by ERRANT, which is for English"
NOTHING = "There is nothing to compare: every text of the systems or of the people is missing."
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
    """Compare what systems and annotators change (`metrics.meta_evaluation.conservatism`).

    Raises:
        ParameterError: there are no systems, or no references.
    """
    systems = texts.competing()
    everyone = [(name, outputs, False) for name, outputs in systems.items()]
    everyone += [(name, outputs, True) for name, outputs in texts.people.items()]
    progress.begin("Aligning words", total=len(everyone))
    correctors = []
    for name, outputs, is_person in everyone:
        if any(output is not None for output in outputs):
            correctors.append(_corrector(name, is_person, texts.sources, outputs, parameters, progress.step))
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
    """The changes that a corrector makes; `step` is called every few sentences and replicates."""
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


def _sides(result: UnderCorrection) -> tuple[list[Corrector], list[Corrector]]:
    """Systems and people, each by descending words changed."""
    systems = [each for each in result.correctors if not each.is_person]
    people = [each for each in result.correctors if each.is_person]
    return systems, people


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the system that changes most still changes less than the person who changes least."""
    systems, people = _sides(computed.result)
    if not systems or not people:
        return NOTHING
    boldest, shyest = systems[0], people[-1]
    name = naming.label(boldest.name)
    if _words(boldest) < _words(shyest):
        return f"Every system changes fewer words than any person; {name} comes closest"
    above = sum(_words(each) < _words(boldest) for each in people)
    if not above:
        return f"No system changes more words than any person; {name} comes closest"
    than = some_of(above, len(people), "person", plural="people")
    return f"{name} changes the most words of all systems, more than {than}"


def lead(computed: Computed, naming: Naming) -> str:
    """The definition of a change, and the corrector that leaves the fewest sentences unchanged."""
    return (
        "Metrics that compare with few references reward systems for leaving errors alone. Words changed are "
        "those altered, deleted or added; only letters and digits count. The sentences have "
        f"{computed.result.source_words:.1f} words on average. {_of_sentences(computed, naming)}"
    )


def _of_sentences(computed: Computed, naming: Naming) -> str:
    systems, people = _sides(computed.result)
    if not systems or not people:
        return ""
    boldest, shyest = min(systems, key=_unchanged), max(people, key=_unchanged)
    return (
        f"{literal(naming.label(boldest.name))} leaves {_unchanged(boldest):.0%} of the sentences unchanged, "
        f"the fewest of all systems; {literal(naming.corrector(shyest.name, is_person=True))} leaves "
        f"{_unchanged(shyest):.0%}, the most of all people."
    ).replace("%", "\N{NO-BREAK SPACE}%")


def _unchanged(corrector: Corrector) -> float:
    return corrector.unchanged.value or 0.0


def _words(corrector: Corrector) -> float:
    return corrector.words.value or 0.0


def draw_correctors(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Words changed and sentences unchanged, by corrector."""
    drawn = [
        DrawnCorrector(
            naming.corrector(each.name, is_person=each.is_person),
            each.is_person,
            each.words,
            each.unchanged,
        )
        for each in computed.result.correctors
    ]
    title = f"{naming.title}: under-correction"
    return correctors_figure(drawn, title=title, is_narrow=layout == "narrow")


def draw_types(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Edits of systems over those of people, by type."""
    rows = [(row.type, row.ratio) for row in _compared_types(computed)]
    return type_ratios_figure(rows, title=f"{naming.title}: edits of systems and people")


def _compared_types(computed: Computed) -> Sequence[TypeRatio]:
    types: TypeRatios | None = computed.result.types
    return types.types if types else ()


def about_types(computed: Computed, naming: Naming) -> str:
    """The meaning of the ratios, and whether they depend on frequency."""
    types: TypeRatios | None = computed.result.types
    if types is None:
        return ""
    frequency = (
        f" The ratio and the number of edits by people correlate at {types.frequency:.2f} (Spearman, "
        f"{p_is(types.p_value or 0.0)})."
        if types.frequency is not None
        else ""
    )
    return (
        "Edits of a system for each edit of the references it is compared with, as means: below 1, systems "
        f"correct such errors less often than people do, whether rightly or not.{frequency}"
    )


def explanation(computed: Computed) -> str:
    """How changes and types are counted."""
    confidence = percent(computed.parameters.confidence)
    return (
        "Words are aligned so that the sum of their edit distances is smallest (Choshen and Abend 2018, "
        "section 3.2). Word order is the mean Spearman correlation of the places of aligned words: 1 if "
        "nothing moved. A sentence is split if it has more sentence ends than its source, joined if it has "
        f"fewer. The lines are {confidence} intervals over resampled sentences. Sources, references and "
        "controls among the systems are left out.\n\n"
        "ERRANT types the edits, and chooses for each sentence of a system the reference that gives the "
        "highest F0.5 so far (Choshen and Abend 2018, section 3.4). The ratio is (TP + FP) / (TP + FN) over "
        "all systems; an edit that system and reference share has the reference’s type. For its intervals, "
        "references are chosen anew for the resampled sentences."
    )


CORRECTORS = Table(
    rows=lambda computed: computed.result.correctors,
    columns=(
        columns.Corrector("corrector", "Corrector", lambda each: (each.name, each.is_person)),
        Count("sentences"),
        Estimated("words", "Words", heading="Words per sentence", digits=2, is_shaded=True),
        Count("changed", "Changed", heading="Altered"),
        Count("deleted", "Deleted"),
        Count("added", "Added"),
        Count("edit_distance"),
        Estimated("unchanged", "Unchanged", heading="Sentences unchanged", is_shaded=True),
        Number("order", "Order", heading="Word order"),
        Count("split", "Split"),
        Count("joined", "Joined", on_paper=False),
    ),
    caption="Changes by system and person",
)

TYPES = Table(
    rows=_compared_types,
    columns=(
        Code("type", "Type"),
        Number("systems", "Systems", heading="Of a system", digits=1),
        Number("people", "People", heading="Of its references", digits=1),
        Estimated("ratio", "Ratio", ends_on_paper=("from", "to")),
    ),
    caption="Edits of systems and people by type",
)

CONSERVATISM = register(
    Analysis(
        name="conservatism",
        title="Under-correction",
        group=Group.SYSTEMS,
        question="Do systems change less than people?",
        defined_in="coverage.md",
        help="How much systems change, compared with people: words, word order, sentences, types of edits.",
        parameters=ConservatismParameters,
        result=UnderCorrection,
        inputs=CorpusCorrections,
        compute=under_correction,
        tables={"correctors": CORRECTORS, "types": TYPES},
        figures={
            "correctors": Figure(
                caption="Words changed and sentences unchanged, people hollow",
                draw=draw_correctors,
                has_content=lambda computed: bool(computed.result.correctors),
                note=lambda computed, naming: "Hollow dots are people.",
            ),
            "types": Figure(
                caption="Edits of systems and people by type",
                draw=draw_types,
                has_content=lambda computed: any(
                    row.ratio.value is not None for row in _compared_types(computed)
                ),
            ),
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Edits by type",
                text=about_types,
                figures=("types",),
                note=lambda computed, naming: (
                    f"Types of edits are not compared: {computed.result.no_types}."
                    if computed.result.types is None
                    else ""
                ),
            ),
            Section(title="Each type in numbers", tables=("types",), is_folded=True),
        ),
        explanation=explanation,
        nothing=NOTHING,
        fields=("types",),
        tabs="coverage",
        label="Under-correction",
        place=3,
        at_once=False,
        fewest_references=1,
    )
)
