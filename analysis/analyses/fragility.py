"""The fewest judgments that decide each place of a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.analyses.base import Analysis, register, stated
from analysis.analyses.from_judgments import FromJudgments, tie_width_resolved
from analysis.analyses.inputs import Judgments
from analysis.analyses.ranking import RATED
from analysis.analyses.ranking_words import METHODS, UNITS
from core.columns import Annotators, Column, Count, Identifiers, Number, Sentences, Share, System, Verdict
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from figures.fragility import fragility_figure
from ranking import Fragility, Method, Removals, Unit

METHOD_NAMES = {method.value: METHODS[method] for method in (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)}
REMOVED_UNITS = {unit.value: UNITS[unit] for unit in (Unit.JUDGMENT, Unit.SENTENCE, Unit.JUDGE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FragilityParameters(FromJudgments):
    """The unit to remove, and how systems are scored. Attributes: see each parameter's help."""

    method: str = parameter(
        Method.EXPECTED_WINS.value,
        label="Method",
        help="How systems are scored.",
        choices=tuple(METHOD_NAMES),
        labels=METHOD_NAMES,
    )
    unit: str = parameter(
        Unit.JUDGMENT.value,
        label="Remove by",
        help="The unit that is removed as a whole.",
        choices=tuple(REMOVED_UNITS),
        labels=REMOVED_UNITS,
    )


@dataclass(frozen=True, slots=True)
class FragileBorders:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        groups: how many judgments, sentences or annotators there are.
        borders: each pair of neighbours that differ in score, from the best down.
        sentences: the sentence of each removed judgment; empty where sentences or annotators are removed.
    """

    signature: str
    groups: int
    borders: tuple[Fragility, ...]
    sentences: Mapping[str, int]


def fragile_borders(
    judgments: Judgments, parameters: FragilityParameters, progress: Progress
) -> FragileBorders:
    """Search for the fewest removals that swap each system with the next one below (`ranking.Removals`).

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress.begin("Preparing judgments")
    unit = Unit(parameters.unit)
    snapshot = judgments.snapshot
    removals = Removals(snapshot, Method(parameters.method), unit, by=parameters.by)
    neighbours = removals.neighbours()
    progress.begin("Removing judgments", total=len(neighbours))
    borders = []
    for above, below in neighbours:
        borders.append(removals.fragility(above, below, step=lambda: progress.advance(0)))
        progress.advance(1)
    names = {name for border in borders for name in border.removed}
    sentences = {}
    if unit is Unit.JUDGMENT:
        removed = snapshot[snapshot["judgment"].isin(names)].drop_duplicates("judgment")
        sentences = {
            str(name): int(sentence)
            for name, sentence in zip(removed["judgment"], removed["sentence"], strict=True)
        }
    return FragileBorders(
        judgments.signature(stated("fragility", parameters)), len(removals.names), tuple(borders), sentences
    )


def columns(computed: Computed) -> Sequence[Column]:
    """The columns of the table; what was removed depends on the unit."""
    sentences, is_judge = computed.result.sentences, computed.parameters.unit == Unit.JUDGE
    which: Column = (
        Annotators("", "Which", lambda border: border.removed, on_paper=False)
        if is_judge
        else Sentences(
            "",
            "Their sentences" if sentences else "Which",
            lambda border: [sentences.get(name, name) for name in border.removed],
            on_paper=False,
        )
    )
    return (
        System("above", "Above"),
        System("below", "Below"),
        Number("difference", "Difference"),
        Count("removals", "Removals", lambda border: len(border.removed) or None, note=_remark),
        Share("", "Share", lambda border: len(border.removed) / border.groups or None, on_paper=False),
        which,
        Count("of", value=lambda border: border.groups),
        Verdict("exact"),
        Number("difference_without"),
        Identifiers("removed"),
    )


def _remark(border: Fragility) -> str:
    return border.reason or ("" if border.exact else "at most")


def headline(computed: Computed, naming: Naming) -> str:
    """The most fragile border in a sentence."""
    fragile = _fragile(computed)
    if not fragile:
        return "There are no two neighbouring systems that could be swapped."
    border = min(fragile, key=lambda border: len(border.removed))
    above, below = naming.label(border.above), naming.label(border.below)
    removed = f"{len(border.removed):,} of {border.groups:,} {_units(computed)}"
    return f"Without {removed}, {below} would be above {above}"


def methods(parameters: FragilityParameters, result: FragileBorders) -> list[str]:
    """Fragility in sentences for a paper."""
    unit = REMOVED_UNITS[parameters.unit]
    swapped = [len(border.removed) for border in result.borders if border.removed]
    sentences = [
        f"Systems are scored by {METHOD_NAMES[parameters.method]}.",
        f"For each of {len(result.borders)} pairs of neighbouring systems, a greedy search looks for the "
        f"fewest of {result.groups:,} {unit}s whose removal swaps the two.",
    ]
    if swapped:
        exact = sum(border.exact for border in result.borders if border.removed)
        which = {0: "these numbers are upper bounds", len(swapped): "these numbers are exact"}
        sentences.append(
            f"{len(swapped)} of the pairs can be swapped, the most fragile by removing {min(swapped):,}; "
            f"{which.get(exact, f'{exact} of these numbers are exact, the others upper bounds')}."
        )
    return sentences


def draw(computed: Computed, naming: Naming, layout: Layout) -> Any:
    """A bar for each border that can be swapped."""
    rows = [
        (f"{naming.label(border.above)} over {naming.label(border.below)}", len(border.removed))
        for border in _fragile(computed)
    ]
    title, unit = f"{naming.title}: {caption(computed)}", _units(computed)
    return fragility_figure(rows, groups=computed.result.groups, unit=unit, title=title)


def caption(computed: Computed) -> str:
    """What the figure shows."""
    return f"{_units(computed)} that decide each place"


def _fragile(computed: Computed) -> list[Fragility]:
    return [border for border in computed.result.borders if border.removed]


def _units(computed: Computed) -> str:
    return {Unit.JUDGE.value: "annotators"}.get(computed.parameters.unit, f"{computed.parameters.unit}s")


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
        defined_in="ranking.md#fragility",
        help="The fewest judgments whose removal swaps two neighbouring systems, for each place.",
        parameters=FragilityParameters,
        result=FragileBorders,
        inputs=Judgments,
        columns=RATED,
        compute=fragile_borders,
        resolve=tie_width_resolved,
        tables={
            "fragility": Table(
                rows=lambda computed: computed.result.borders,
                columns=columns,
                caption="The fewest removals that swap two neighbours",
            )
        },
        figures={
            "fragility": Figure(caption=caption, draw=draw, has_content=lambda each: bool(_fragile(each)))
        },
        headline=headline,
        methods=methods,
        explanation=EXPLANATION,
        fields=("method", "unit", "controls", "excluded"),
    )
)
