"""The fewest judgments that decide each place of a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import (
    METHODS_OF_NEIGHBOURS,
    FromJudgments,
    method_of_neighbours,
    tie_width_resolved,
)
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.ranking_words import UNITS
from analysis.analyses.systems.ranking import RATED
from analysis.analyses.systems.ranking_headline import ranked_like_systems
from core.bars import Bar
from core.columns import Annotators, Column, Count, Identifiers, Number, Sentences, Share, Verdict
from core.names import Naming
from core.pairs_of_systems import SystemPair
from core.parameters import parameter
from core.progress import Progress, over
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import beginning, literal
from figures.drawing import Chart
from figures.systems.fragility import fragility_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import Fragility, Method, Removals, Unit

MOST_NAMED = 200
"""Removals of a border that are named, the most influential first."""

REMOVED_UNITS = {unit.value: UNITS[unit] for unit in (Unit.JUDGMENT, Unit.SENTENCE, Unit.ANNOTATOR)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FragilityParameters(FromJudgments):
    """The unit to remove, and how systems are scored. Attributes: see each parameter's help."""

    method: str = method_of_neighbours()
    unit: str = parameter(
        Unit.JUDGMENT.value,
        label="Remove by",
        help="The unit that is removed as a whole.",
        choices=tuple(REMOVED_UNITS),
        labels=REMOVED_UNITS,
    )

    @property
    def units(self) -> str:
        """The unit that is removed, in the plural."""
        return f"{REMOVED_UNITS[self.unit]}s"


@dataclass(frozen=True, slots=True)
class FragileBorders:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        groups: how many judgments, sentences or annotators there are.
        borders: each pair of neighbours that differ in score, from the best down; `removed` names at most
            `MOST_NAMED`.
        sentences: the sentence of each named judgment; empty where sentences or annotators are removed.
    """

    signature: str
    groups: int
    borders: tuple[Fragility, ...]
    sentences: Mapping[str, int]

    @property
    def swapped(self) -> list[Fragility]:
        """The pairs that some removal swaps."""
        return [border for border in self.borders if border.removals]


def fragile_borders(
    judgments: Judgments, parameters: FragilityParameters, progress: Progress
) -> FragileBorders:
    """Search for the fewest removals that swap each system with the next one below (`ranking.Removals`).

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress.begin("Preparing judgments")
    unit, snapshot = Unit(parameters.unit), judgments.snapshot

    removals = Removals(snapshot, Method(parameters.method), unit, by=parameters.by, step=progress.step)
    borders = tuple(
        _named(removals.fragility(above, below, step=progress.step))
        for above, below in over(removals.neighbours(), "Removing judgments", progress)
    )
    names = {name for border in borders for name in border.removed if unit is Unit.JUDGMENT}
    removed = snapshot[snapshot["judgment"].isin(names)].drop_duplicates("judgment")
    sentences = {
        str(name): int(sentence)
        for name, sentence in zip(removed["judgment"], removed["sentence"], strict=True)
    }
    signature = judgments.signature(stated("fragility", parameters))
    return FragileBorders(signature, len(removals.names), borders, sentences)


def _named(border: Fragility) -> Fragility:
    """The border with the names of the first removals: a million judgments have borders of many thousands."""
    return replace(border, removed=border.removed[:MOST_NAMED])


def _neighbours() -> SystemPair:
    return SystemPair(
        "above",
        "Above",
        lambda border: (border.above, border.below),
        other="below",
        other_label="Below",
        heading="Neighbours",
    )


def columns(computed: Computed) -> Sequence[Column]:
    """The columns of the table."""
    units = computed.parameters.units
    swapped = computed.result.swapped
    are_bounds = bool(swapped) and not any(border.exact for border in swapped)
    drawn = f"{beginning(units)} to remove so that they swap"
    return (
        _neighbours(),
        Bar(
            "removals",
            "Removals",
            lambda border: border.removals or None,
            digits=0,
            heading=beginning(units),
            note=_reason if are_bounds else _remark,
            drawn=f"{drawn}, at most" if are_bounds else drawn,
        ),
        Share("", "Share", lambda border: border.removals / border.groups or None, on_paper=False),
        Number(
            "difference",
            "Difference",
            heading=f"Difference in {METHODS_OF_NEIGHBOURS[computed.parameters.method]}",
            is_aside=True,
        ),
        Count("of", value=attrgetter("groups")),
        Verdict("exact"),
        Number("difference_without"),
        Identifiers("removed"),
    )


def columns_of_removed(computed: Computed) -> Sequence[Column]:
    """The neighbours, and what was removed, which depends on the unit."""
    sentences: Mapping[str, int] = computed.result.sentences
    are_all_named = all(border.removals == len(border.removed) for border in computed.result.borders)
    judgments = "these" if are_all_named else f"the first {MOST_NAMED}"
    which: Column = Sentences(
        "",
        f"Sentences of {judgments} judgments" if sentences else "Which",
        lambda border: [sentences.get(name, name) for name in border.removed],
    )
    if computed.parameters.unit == Unit.ANNOTATOR:
        which = Annotators("", "Which", attrgetter("removed"))
    return _neighbours(), which


def _reason(border: Fragility) -> str:
    return border.reason or ""


def _remark(border: Fragility) -> str:
    return _reason(border) or ("" if border.exact else "at most")


def headline(computed: Computed, naming: Naming) -> str:
    """What decides the first place, or the first one that can be swapped, in a sentence."""
    if not computed.result.swapped:
        return "There are no two neighbouring systems that could be swapped"
    return _enough(computed.result.swapped[0], computed, naming)


def lead(computed: Computed, naming: Naming) -> str:
    """What else is most fragile, whether numbers are upper bounds, and which neighbours are no systems."""
    names = {name for border in computed.result.borders for name in (border.above, border.below)}
    apart = literal(ranked_like_systems(sorted(names), naming.roles, naming.labels))
    are_bounds = any(not border.exact for border in computed.result.swapped)
    bounds = "Numbers are upper bounds: the search may miss a smaller set." * are_bounds
    return " ".join(filter(None, [_most_fragile(computed, naming), bounds, apart]))


def _most_fragile(computed: Computed, naming: Naming) -> str:
    first, *others = computed.result.swapped or [None]
    if not first or not others:
        return ""
    border = min(others, key=lambda border: border.removals)
    if border.removals >= first.removals:
        return ""
    return f"{_enough(border, computed, naming)}: no other number here is lower."


def _enough(border: Fragility, computed: Computed, naming: Naming) -> str:
    removed = f"{border.removals:,} of {border.groups:,} {computed.parameters.units}"
    below, above = naming.label(border.below), naming.label(border.above)
    return f"Removing {removed}, chosen to favour {below}, is enough to put {below} above {above}"


def methods(parameters: FragilityParameters, result: FragileBorders) -> list[str]:
    """Fragility in sentences for a paper."""
    sentences = [
        f"Systems are scored by {METHODS_OF_NEIGHBOURS[parameters.method]}.",
        f"For each of {len(result.borders)} pairs of neighbouring systems, a greedy search looks for the "
        f"fewest of {result.groups:,} {parameters.units} whose removal swaps the two.",
    ]
    if swapped := result.swapped:
        exact = sum(border.exact for border in swapped)
        which = {0: "these numbers are upper bounds", len(swapped): "these numbers are exact"}
        sentences.append(
            f"{len(swapped)} of the pairs can be swapped, the most fragile by removing "
            f"{min(border.removals for border in swapped):,}; "
            f"{which.get(exact, f'{exact} of these numbers are exact, the others upper bounds')}."
        )
    return sentences


def caption(computed: Computed) -> str:
    """The caption of the figure."""
    return f"{computed.parameters.units} that decide each place"


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """A bar for each border that can be swapped."""
    rows = [
        (f"{naming.label(border.above)} over {naming.label(border.below)}", border.removals)
        for border in computed.result.swapped
    ]
    title, unit = f"{naming.title}: {caption(computed)}", computed.parameters.units
    return fragility_figure(rows, groups=computed.result.groups, unit=unit, title=title)


EXPLANATION = """
For each pair of neighbouring systems, the search removes whole units, the most influential first, until the
lower system scores better. It ranks them by the derivative of the difference of scores, scores the most
promising ones again without them, and puts back those that turn out not to be needed. The number is
therefore an upper bound (*at most*), unless there are few enough smaller sets to try them all.

An interval may separate two systems whose order rests on few judgments: intervals describe chance, not
dependence on a few.
"""

FRAGILITY = register(
    Analysis(
        name="fragility",
        title="Fragility",
        group=Group.SYSTEMS,
        question="How few judgments decide each place?",
        defined_in="ranking.md#fragility",
        help="How few judgments have to go for two neighbouring systems to swap, for each place.",
        parameters=FragilityParameters,
        result=FragileBorders,
        inputs=Judgments,
        columns=RATED,
        place=1,
        answers=AnswerKind.RATINGS,
        compute=fragile_borders,
        resolve=tie_width_resolved,
        tables={
            "fragility": Table(
                rows=lambda computed: computed.result.borders,
                columns=columns,
                caption="The fewest removals that swap two neighbours",
            ),
            "removed": Table(
                rows=lambda computed: computed.result.swapped,
                columns=columns_of_removed,
                caption="What is removed",
                in_files=False,
            ),
        },
        figures={
            "fragility": Figure(
                caption=caption,
                draw=draw,
                has_content=lambda computed: bool(computed.result.swapped),
                of_table="fragility",
            )
        },
        headline=headline,
        lead=lead,
        sections=[Section(title="What is removed", tables=["removed"], is_folded=True)],
        methods=methods,
        explanation=EXPLANATION,
        fields=("method", "unit", "domain", "controls", "excluded"),
    )
)
