"""The fewest judgments that decide each place of a ranking, for pages and commands."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.analyses.base import (
    Analysis,
    Progress,
    Table,
    register,
    stated,
    with_controls,
    with_excluded,
)
from analysis.analyses.inputs import Judgments
from analysis.analyses.ranking import RATED, basis, tie_width_parameter, tie_width_resolved
from analysis.analyses.ranking_words import METHODS, UNITS
from metrics.parameters import parameter
from ranking import Fragility, Method, Removals, Unit

METHOD_NAMES = {method.value: METHODS[method] for method in (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)}
REMOVED_UNITS = {unit.value: UNITS[unit] for unit in (Unit.JUDGMENT, Unit.SENTENCE, Unit.JUDGE)}


@dataclass(frozen=True, slots=True)
class FragilityParameters:
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
    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class FragileBorders:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        groups: how many judgments, sentences or judges there are.
        borders: each pair of neighbours that differ in score, from the best down.
        sentences: the sentence of each removed judgment; empty where sentences or judges are removed.
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
    removals = Removals(snapshot, Method(parameters.method), unit, by=basis(parameters.tie_width))
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


def _tables(result: FragileBorders) -> tuple[Table, ...]:
    return (
        Table(
            "",
            ("Above", "Below", "Difference", "Fewest removals", "of", ""),
            tuple(
                (
                    border.above,
                    border.below,
                    border.difference,
                    len(border.removed) or None,
                    border.groups,
                    border.reason or ("" if border.exact else "at most"),
                )
                for border in result.borders
            ),
        ),
    )


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


FRAGILITY = register(
    Analysis(
        name="fragility",
        title="Fragility",
        help="The fewest judgments whose removal swaps two neighbouring systems, for each place.",
        parameters=FragilityParameters,
        result=FragileBorders,
        inputs=Judgments,
        columns=RATED,
        compute=fragile_borders,
        tables=_tables,
        methods=methods,
        resolve=tie_width_resolved,
    )
)
