"""Statistics of a corpus and its references (Napoles et al. 2019, Tables 3 and 4 and Figure 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, zip_longest
from operator import attrgetter, itemgetter, mul
from typing import NamedTuple

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.corpus_inputs import CorpusTexts
from analysis.analyses.rules import stated_rule
from core.bars import Bar
from core.columns import Amount, Code, Count, Number, Share, Text
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, whole_percent
from figures.drawing import Chart
from figures.references.edit_types import by_frequency, edit_types_figure
from metrics import EvaluationSet
from metrics.edit_statistics import CorpusStatistics, corpus_statistics
from metrics.edits.edit_sources import gold_parameter, signature_parts, texts_to_parse
from metrics.edits.errant_types import CATEGORIES

MOST_EDITS = 10
"""References with as many edits or more share a row."""

NO_REFERENCES = "the corpus has no references: import it with corrected texts or M2 files"
NOT_ENGLISH = (
    "the references have to be parsed to find their edits, and Assay parses English only: "
    "import them as M2 with their edits, and choose the gold edits that are given"
)


@dataclass(frozen=True, slots=True)
class StatisticsParameters:
    """Options of the statistics. Attributes: see each parameter's help."""

    gold: str = gold_parameter()


@dataclass(frozen=True, slots=True)
class DescribedCorpus:
    """Statistics of a corpus.

    Attributes:
        signature: computation and texts; equal signatures mean equal numbers.
        statistics: the numbers.
        with_references: number of sentences that have a reference.
    """

    signature: str
    statistics: CorpusStatistics
    with_references: int


def describe_corpus(
    texts: CorpusTexts, parameters: StatisticsParameters, progress: Progress
) -> DescribedCorpus:
    """Compute statistics of the references' edits (`metrics.edit_statistics`).

    Raises:
        ParameterError: there are no references, or none whose edits are known or can be extracted.
        InputError, PipelineError: edits cannot be extracted.
    """
    data, gold = texts.evaluation(progress.step), parameters.gold
    if data.references is None:
        raise ParameterError(NO_REFERENCES)
    data = _parsed(texts, data, gold, progress)
    names = texts.annotators
    complete = sum(len(each.references) == len(names) for each in texts.sentences) if len(names) > 1 else 0
    progress.begin("Counting", total=len(data.sources) + complete * len(names))
    annotators = [[each.annotator for each in sentence.references] for sentence in texts.sentences]
    statistics = corpus_statistics(data, annotators, gold=gold, progress=progress.advance)
    parts = signature_parts(data, gold)
    name = "corpus-statistics"
    what = "|".join([f"{name}{stated_rule(name)}", *(f"{key}:{value}" for key, value in parts.items())])
    return DescribedCorpus(texts.signature(what), statistics, sum(map(bool, annotators)))


def _parsed(texts: CorpusTexts, data: EvaluationSet, gold: str, progress: Progress) -> EvaluationSet:
    """The data with a pipeline that has parsed all texts that need parsing; unchanged if none do."""
    unparsed = list(texts_to_parse(data, (), gold))
    progress.step()
    if not unparsed:
        return data
    if texts.parser is None:
        raise ParameterError(faults={"gold": NOT_ENGLISH})
    progress.begin("Parsing", total=len(unparsed))
    texts.parser.parse_ahead(unparsed, progress=progress.advance)
    return replace(data, parser=texts.parser)


def headline(computed: Computed, naming: Naming) -> str:
    """How many references change their sentence, by annotator if these differ, and by how many edits."""
    statistics: CorpusStatistics = computed.result.statistics
    if statistics.edits is None:
        return "No reference changes its sentence"
    changed = whole_percent(1 - statistics.unchanged)
    shares = sorted(1 - each.unchanged for each in _annotators(statistics))
    ends = list(dict.fromkeys(whole_percent(share) for share in (shares[0], shares[-1])))
    by_annotator = f", from {' to '.join(ends)} by annotator" if len(ends) > 1 else ""
    return (
        f"{changed} of the references change their sentence{by_annotator}; those that do, by "
        f"{statistics.edits:.1f} edits on average"
    )


class Annotator(NamedTuple):
    """The references of an annotator.

    Attributes:
        name: of the annotator.
        references: their number.
        unchanged: share of those without an edit.
        edits: mean number of edits of the others; None if there are none.
    """

    name: str
    references: int
    unchanged: float
    edits: float | None


def _annotators(statistics: CorpusStatistics) -> list[Annotator]:
    return [
        Annotator(
            name, total, counts[0] / total, sum(map(mul, count(), counts)) / changed if changed else None
        )
        for name, counts in statistics.by_annotator.items()
        if (total := sum(counts))
        for changed in [total - counts[0]]
    ]


def lead(computed: Computed, naming: Naming) -> str:
    """Of which references the numbers are."""
    statistics: CorpusStatistics = computed.result.statistics
    every = list(statistics.by_annotator.values())
    without = statistics.sentences - computed.result.with_references
    left_out = f"; the other {counted(without, 'sentence')} have none and do not count" if without else ""
    return (
        f"{counted(statistics.references, 'reference')} by {counted(len(every), 'annotator')} of "
        f"{counted(computed.result.with_references, 'sentence')}{left_out}. A sentence with several "
        "references counts once for each."
    )


def _numbers(computed: Computed) -> list[int]:
    """The number of references with 0, 1, 2, … edits."""
    every = computed.result.statistics.by_annotator.values()
    return [sum(of_number) for of_number in zip_longest(*every, fillvalue=0)]


def shown_numbers(references: Sequence[int]) -> list[tuple[str, int, float]]:
    """Numbers of edits with the references that have as many and their share; `references` have 0, 1, 2, …

    The last number has the references with more, too.
    """
    total = sum(references)
    numbers = [*references[:MOST_EDITS], *([sum(references[MOST_EDITS:])] if references[MOST_EDITS:] else [])]
    return [
        (f"{edits}+" if edits == MOST_EDITS else str(edits), number, number / total)
        for edits, number in enumerate(numbers)
    ]


def _sizes(computed: Computed) -> list[tuple[str, str]]:
    statistics: CorpusStatistics = computed.result.statistics
    return [
        ("References", f"{statistics.references:,}"),
        ("References without an edit", f"{100 * statistics.unchanged:.1f}\N{NO-BREAK SPACE}%"),
        *(
            (name, f"{value:.2f}")
            for name, value in (
                ("Edits of a reference with edits, mean", statistics.edits),
                ("Tokens in an edit, mean", statistics.tokens_an_edit),
                ("Tokens that an edit replaces, mean", statistics.source_tokens_an_edit),
                ("Tokens that an edit inserts, mean", statistics.corrected_tokens_an_edit),
            )
            if value is not None
        ),
        ("Sentences of the corpus", f"{statistics.sentences:,}"),
        (
            "Tokens in a sentence, mean ± standard deviation",
            f"{statistics.tokens:.1f} ± {statistics.tokens_deviation:.1f}",
        ),
        ("Distinct tokens, as a share of all tokens of the sentences", f"{statistics.type_token_ratio:.3f}"),
    ]


def draw_types(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Edits by type, the most frequent first."""
    categories, title = computed.result.statistics.categories, f"{naming.title}: edits by type"
    return edit_types_figure(categories, title=title, is_narrow=layout == "narrow")


def about_types(computed: Computed, naming: Naming) -> str:
    """What the bars are shares of."""
    return f"ERRANT’s types among all {counted(sum(computed.result.statistics.categories.values()), 'edit')}."


def agreement_title(computed: Computed) -> str:
    """How far the references agree, as a heading."""
    scores = [f"{each.f:.2f}" for each in computed.result.statistics.agreement.values()]
    if len(scores) == 2:
        return f"F0.5 of each annotator against the other: {' and '.join(scores)}"
    return f"F0.5 of each annotator against the others: {' to '.join(sorted(scores)[:: len(scores) - 1])}"


def about_agreement(computed: Computed, naming: Naming) -> str:
    """How references are compared, and on which sentences."""
    return (
        "Each annotator’s references are scored by M2, like the outputs of a system, on the "
        f"{counted(computed.result.statistics.complete, 'sentence')} that all annotators corrected."
    )


SIZES = Table(
    rows=_sizes,
    columns=(Text("", "Measure", itemgetter(0)), Amount("", "Value", itemgetter(1))),
    caption="Sentences and edits",
    in_files=False,
    note="*Tokens in an edit* are those that it replaces or those that it inserts, whichever are more.",
)


BY_ANNOTATOR = Table(
    rows=lambda computed: _annotators(computed.result.statistics),
    columns=(
        Text("annotator", "Annotator", attrgetter("name")),
        Bar(
            "",
            "Changed",
            lambda row: 1 - row.unchanged,
            digits=1,
            is_share=True,
            drawn="References that change their sentence",
            on_paper=False,
        ),
        Number("", "Edits if any", attrgetter("edits"), digits=2, on_paper=False),
        Count("references", "References", is_aside=True),
        Share("unchanged", "Without an edit", digits=1, on_page=False),
        Number("edits", "Edits of the others, mean", digits=2, on_page=False),
    ),
    caption="References of each annotator",
    note="*Edits if any*: mean number of edits of the references that have one.",
)

NUMBERS = Table(
    rows=lambda computed: shown_numbers(_numbers(computed)),
    columns=(
        Text("edits", "Edits", itemgetter(0)),
        Bar("share", "Share", itemgetter(2), digits=1, is_share=True, drawn="References with so many edits"),
        Count("references", "References", itemgetter(1)),
    ),
    caption="References by number of edits",
)

EXPLANATION = """
An edit that only marks words as wrong, without a correction, does not count. *References* compares texts,
from which such an edit deletes words, so it may find fewer unchanged sentences. *Under-correction* compares
only letters and digits, in sentences that everybody corrected, so it mostly finds more.
"""


def _categories(computed: Computed) -> list[tuple[str, int, float]]:
    """Name, number and share of the edits of each type, the most frequent first."""
    categories: Mapping[str, int] = computed.result.statistics.categories
    total = sum(categories.values())
    return [(name, number, number / total) for name, number in by_frequency(categories)]


TYPES = Table(
    rows=_categories,
    columns=(
        Text("", "Edits of", lambda row: CATEGORIES.get(row[0], row[0]), note=itemgetter(0), on_paper=False),
        Code("type", "Type", itemgetter(0), on_page=False),
        Bar("", "Share", itemgetter(2), digits=1, is_share=True, drawn="Share of all edits", on_paper=False),
        Count("edits", "Edits", itemgetter(1), is_aside=True),
        Share("share", "Share", itemgetter(2), digits=1, on_page=False),
    ),
    caption="Edits by type",
    note="*OTHER*: edits that no rule of ERRANT describes.",
)

AGREEMENT = Table(
    rows=lambda computed: computed.result.statistics.agreement.items(),
    columns=(
        Text("reference", "Reference", itemgetter(0), heading="Reference of annotator"),
        Number("precision", "Precision", lambda row: row[1].precision),
        Number("recall", "Recall", lambda row: row[1].recall),
        Number("f", "F0.5", lambda row: row[1].f),
    ),
    caption="M2 of each reference against the others",
)

CORPUS_STATISTICS = register(
    Analysis(
        name="corpus-statistics",
        title="Corpus statistics",
        group=Group.REFERENCES,
        question="What do references change, and do they agree?",
        defined_in="commands.md#corpus_statistics",
        help="Sizes of a corpus, how much its references change, by which edits, and how far they agree.",
        parameters=StatisticsParameters,
        result=DescribedCorpus,
        inputs=CorpusTexts,
        compute=describe_corpus,
        tables={
            "annotators": BY_ANNOTATOR,
            "sizes": SIZES,
            "edit-numbers": NUMBERS,
            "edit-types": TYPES,
            "agreement": AGREEMENT,
        },
        figures={
            "edit-types": Figure(
                caption="The most frequent types of edits",
                draw=draw_types,
                has_content=lambda computed: bool(computed.result.statistics.categories),
                of_table="edit-types",
            ),
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Types of edits", text=about_types, tables=("edit-types",)),
            Section(title=agreement_title, text=about_agreement, tables=("agreement",)),
            Section(title="References by number of edits", tables=("edit-numbers",), is_folded=True),
            Section(title="Sentences and edits", tables=("sizes",), is_folded=True),
        ),
        explanation=EXPLANATION,
        at_once=False,
        fewest_references=1,
    )
)
