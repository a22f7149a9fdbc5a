"""Under-correction: how much systems change, compared with people (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
sections 3.2 and 3.4.
"""

from collections.abc import Sequence
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.references.under_correction import (
    ConservatismParameters,
    Corrector,
    UnderCorrection,
    under_correction,
)
from core import columns
from core.columns import Code, Count, Estimated, Number, Share, Text
from core.names import Naming
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import (
    are,
    counted,
    in_words,
    listed,
    literal,
    percent,
    some_of,
    whole_percent,
    with_interval,
)
from figures.drawing import Chart
from figures.references.conservatism import DrawnCorrector, correctors_figure, type_ratios_figure
from metrics.edits.errant_types import CATEGORIES
from metrics.meta_evaluation.correction_types import TypeRatio, TypeRatios

NOTHING = "There is nothing to compare: every text of the systems or of the people is missing."

FEWEST_EDITS = 10
"""Types with fewer edits of people are in files only: their intervals would leave no room for the others."""


def _sides(result: UnderCorrection) -> tuple[list[Corrector], list[Corrector]]:
    """Systems and people, each by descending words changed."""
    systems = [each for each in result.correctors if not each.is_person]
    people = [each for each in result.correctors if each.is_person]
    return systems, people


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the system that changes most still changes less than people do."""
    systems, people = _sides(computed.result)
    if not systems or not people:
        return NOTHING
    boldest = systems[0]
    name = naming.label(boldest.name)
    comes_closest = f"; {name} comes closest" if _is_apart(boldest, systems[1:]) else ""
    if all(each.below == len(people) for each in systems):
        everyone = some_of(len(people), len(people), "person", plural="people")
        return f"Every system clearly changes fewer words than {everyone}{comes_closest}"
    most = max(systems, key=attrgetter("above"))
    if not most.above:
        return "No system clearly changes more words than a person"
    than = some_of(most.above, len(people), "person", plural="people")
    return f"{naming.label(most.name)} clearly changes more words than {than}"


def _is_apart(corrector: Corrector, others: Sequence[Corrector]) -> bool:
    """Whether there are others, and the interval of its words changed lies above all of theirs."""
    low, ends = corrector.words.low, [each.words.high for each in others]
    return bool(ends) and low is not None and all(high is not None and low > high for high in ends)


def lead(computed: Computed, naming: Naming) -> str:
    """The definition of a change, the sentences, and the corrector that leaves the fewest unchanged."""
    result: UnderCorrection = computed.result
    length = f"{result.source_words:.1f} words long on average"
    over = (
        f"Each is counted over the sentences that they have, {length}: few sentences are common to all."
        if result.sentences is None
        else f"All are counted over the {counted(result.sentences, 'sentence')}, {length}, that every system "
        "and person has."
    )
    return (
        f"Words changed are those altered, deleted or added; only letters and digits count. {over} "
        f"{_of_sentences(computed, naming)}"
    )


def _of_sentences(computed: Computed, naming: Naming) -> str:
    systems, people = _sides(computed.result)
    if not systems or not people:
        return ""
    boldest, shyest = min(systems, key=_unchanged), max(people, key=_unchanged)
    return (
        f"{literal(naming.label(boldest.name))} changes no word in {whole_percent(_unchanged(boldest))} of "
        "its sentences, the least of all systems; "
        f"{literal(naming.corrector(shyest.name, is_person=True))} in {whole_percent(_unchanged(shyest))}, "
        "the most of all people."
    )


def _unchanged(corrector: Corrector) -> float:
    return corrector.unchanged.value or 0.0


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
    rows = [(row.type, row.ratio) for row in _shown_types(computed)]
    title = f"{naming.title}: edits of systems and people"
    return type_ratios_figure(rows, title=title, is_narrow=layout == "narrow")


def _compared_types(computed: Computed) -> Sequence[TypeRatio]:
    types: TypeRatios | None = computed.result.types
    return types.types if types else ()


def _shown_types(computed: Computed) -> Sequence[TypeRatio]:
    """The types that people edit often enough; all if there are none."""
    types = _compared_types(computed)
    return [row for row in types if row.people >= FEWEST_EDITS] or types


def types_in_files_only(computed: Computed, naming: Naming) -> str:
    """The types that the page leaves out, and why."""
    shown = _shown_types(computed)
    names = [f"*{_named(row)}*" for row in _compared_types(computed) if row not in shown]
    if not names:
        return ""
    few = in_words(FEWEST_EDITS)
    return (
        f"{listed(names)} {are(len(names))} in files only: the references have fewer than {few} such edits."
    )


def _named(row: TypeRatio) -> str:
    """What the type stands for."""
    return CATEGORIES.get(row.type, row.type)


def about_types(computed: Computed, naming: Naming) -> str:
    """The meaning of the ratios."""
    types: TypeRatios | None = computed.result.types
    if types is None:
        return ""
    return (
        "Edits of a system for each edit of the references it is compared with, as means. Left of the "
        "dashed line, systems make fewer such edits than people, whether rightly or not."
    )


def explanation(computed: Computed) -> str:
    """How changes and types are counted."""
    confidence = percent(computed.parameters.confidence)
    return (
        "Sentences are compared that every system and person has, if these are at least half of those of "
        "the person who corrected most; else each is counted over their own sentences. A system clearly "
        f"changes fewer words than a person if the {confidence} interval of their mean difference excludes "
        "0, over the sentences that both have.\n\n"
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
    columns=lambda computed: (
        columns.Corrector("corrector", "Corrector", lambda each: (each.name, each.is_person)),
        Count("sentences", "Sentences", on_page=computed.result.sentences is None, on_paper=False),
        Estimated(
            "words",
            "Words",
            heading="Mean",
            digits=2,
            drawn=with_interval("Words changed in a sentence", computed.parameters.confidence),
            is_hollow=lambda each: each.is_person,
        ),
        Count("changed", "Changed", on_page=False),
        Count("deleted", "Deleted", on_page=False),
        Count("added", "Added", on_page=False),
        Count("edit_distance"),
        Estimated("unchanged", "Unchanged", on_page=False),
        Share("", "No word changed", _unchanged, on_paper=False),
        Number("order", "Order", on_page=False),
        Count("split", "Split", on_page=False),
        Count("joined", "Joined", on_page=False, on_paper=False),
    ),
    caption="Changes by system and person",
    note="Hollow dots are people. *No word changed*: share of the sentences.",
)

KINDS = Table(
    rows=lambda computed: computed.result.correctors,
    columns=(
        columns.Corrector("", "Corrector", lambda each: (each.name, each.is_person)),
        Count("", "Sentences", lambda each: each.sentences),
        Count("", "Words altered", lambda each: each.changed),
        Count("", "Words deleted", lambda each: each.deleted),
        Count("", "Words added", lambda each: each.added),
        Number("", "Word order", lambda each: each.order),
        Count("", "Sentences split", lambda each: each.split),
        Count("", "Sentences joined", lambda each: each.joined),
    ),
    caption="Kinds of changes",
    in_files=False,
    note="Numbers of words and sentences in all sentences together. *Word order* is 1 if no word moved.",
)

TYPES = Table(
    rows=_compared_types,
    page_rows=_shown_types,
    columns=lambda computed: (
        Text("", "Edits", _named, note=lambda row: row.type, on_paper=False),
        Code("type", "Type", on_page=False),
        Estimated(
            "",
            "Ratio",
            lambda row: row.ratio,
            digits=2,
            on_paper=False,
            drawn=with_interval("Edits of systems ÷ edits of references", computed.parameters.confidence),
            even=1.0,
        ),
        Number("systems", "Systems", heading="Of a system", digits=1),
        Number("people", "People", heading="Of its references", digits=1),
        Estimated("ratio", "Ratio", ends_on_paper=("from", "to"), on_page=False),
    ),
    caption="Edits of systems and people by type",
    note=types_in_files_only,
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
        tables={"correctors": CORRECTORS, "kinds": KINDS, "types": TYPES},
        figures={
            "correctors": Figure(
                caption="Words changed and sentences without a changed word, people hollow",
                draw=draw_correctors,
                has_content=lambda computed: bool(computed.result.correctors),
                of_table="correctors",
            ),
            "types": Figure(
                caption="Edits of systems and people by type",
                draw=draw_types,
                has_content=lambda computed: any(
                    row.ratio.value is not None for row in _compared_types(computed)
                ),
                of_table="types",
            ),
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Edits by type",
                text=about_types,
                tables=("types",),
                note=lambda computed, naming: (
                    f"Types of edits are not compared: {computed.result.no_types}."
                    if computed.result.types is None
                    else ""
                ),
            ),
            Section(title="Kinds of changes", tables=("kinds",), is_folded=True),
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
