"""The judgments of machines in a bundle, what machines are called, and looks of outputs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.analyses.annotators.judged_by_machines import JudgedByMachines, judged_by_machines
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.publishing.inputs.judgments import (
    annotator_name,
    in_order_of_digests,
    read_judgments,
    write_judgments,
)
from analysis.publishing.inputs.plain_tables import read_table, whole_numbers, write_table
from analysis.publishing.inputs.renaming import Renaming
from analysis.publishing.stated import BundleError
from core.arrays import FloatArray, IntArray
from core.formulas import guarded, unguarded
from core.later import pd
from core.progress import Progress
from ranking.machines import OutputLooks

MACHINES, MACHINE_JUDGMENTS, LOOKS = "machines.csv", "machine-judgments.csv", "looks.csv"
FAMILIES = "families.csv"
MACHINE_COLUMNS = ("annotator", "title")
FAMILY_COLUMNS = ("annotator", "system")
LOOK_COLUMNS = ("sentence", "system", "text", "characters", "edits")


def write_machines(folder: Path, inputs: JudgedByMachines, renaming: Renaming, progress: Progress) -> None:
    """Write machines as numbered annotators, their judgments and families, and looks if texts are known."""
    frame = inputs.machines
    keys = sorted(frame["annotator"].astype("object").unique(), key=lambda key: inputs.titles.get(key, key))
    numbers = {key: number for number, key in enumerate(keys, start=1)}
    titles = ((annotator_name(number), guarded(inputs.titles.get(key))) for key, number in numbers.items())
    write_table(folder / MACHINES, MACHINE_COLUMNS, titles)
    if inputs.relatives:
        write_table(folder / FAMILIES, FAMILY_COLUMNS, _family_rows(inputs, numbers, renaming))
    order, positions = np.arange(len(frame)), None
    if renaming.salt:
        order, positions = in_order_of_digests(frame, order, renaming, progress)
    write_judgments(
        folder / MACHINE_JUDGMENTS,
        frame,
        order,
        title="machines",
        annotators=numbers,
        renaming=renaming,
        numbers=inputs.positions,
        positions=positions,
        progress=progress,
    )
    if inputs.looks is not None:
        write_table(folder / LOOKS, LOOK_COLUMNS, _look_rows(inputs, inputs.looks, renaming))


def _family_rows(
    inputs: JudgedByMachines, numbers: Mapping[str, int], renaming: Renaming
) -> Iterator[list[object]]:
    """A row for each machine and system of one family, without what the family is."""
    for key, number in numbers.items():
        named = (renaming.systems[name] for name in inputs.relatives.get(key, ()) if name in renaming.systems)
        for name in sorted(named):
            yield [annotator_name(number), guarded(name)]


def _look_rows(inputs: JudgedByMachines, looks: OutputLooks, renaming: Renaming) -> Iterator[list[object]]:
    """A row for each known output; texts of a sentence are numbered in the order of their systems."""
    named = sorted(
        (renaming.systems[name], place)
        for place, name in enumerate(inputs.systems)
        if name in renaming.systems
    )
    numbers = np.arange(inputs.sentences) if inputs.positions is None else inputs.positions
    for row in np.flatnonzero(~np.isnan(looks.characters).all(axis=1)).tolist():
        texts: dict[int, int] = {}
        for name, place in named:
            if not np.isnan(looks.characters[row, place]):
                text = texts.setdefault(int(looks.alike[row, place]), len(texts))
                sizes = int(looks.characters[row, place]), int(looks.edits[row, place])
                yield [int(numbers[row]), guarded(name), text, *sizes]


def read_machines(folder: Path, scored: ScoredJudgments, progress: Progress) -> JudgedByMachines:
    """The inputs with the machines of a bundle, which holds no places on screens.

    Raises:
        BundleError, FormatError: a file cannot be read.
    """
    table = read_table(folder / MACHINES, MACHINE_COLUMNS)
    titles = {name: title for name, cell in table.itertuples(index=False) if (title := unguarded(cell))}
    frame = read_judgments(folder / MACHINE_JUDGMENTS, progress)
    numbers = np.arange(scored.sentences) if scored.positions is None else scored.positions
    if not np.isin(frame["sentence"].to_numpy(), numbers).all():
        raise BundleError(f"{MACHINE_JUDGMENTS} has a sentence that the bundle lacks")
    looks = None
    if (folder / LOOKS).exists():
        table = read_table(folder / LOOKS, LOOK_COLUMNS)
        if not scored.systems:  # Without metrics, nothing else names them.
            scored = replace(
                scored, systems=tuple(sorted(unguarded(name) or "" for name in {*table["system"]}))
            )
        looks = _looks_of(table, scored.systems, numbers)
    relatives = _relatives_of(folder / FAMILIES, set(titles))
    return judged_by_machines(scored, frame, titles, looks, relatives=relatives, knows_places=False)


def _relatives_of(path: Path, machines: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The systems of each machine's own family; none in bundles from before families were stated."""
    relatives: dict[str, tuple[str, ...]] = {}
    if path.exists():
        for machine, name in read_table(path, FAMILY_COLUMNS).itertuples(index=False):
            if machine not in machines:
                raise BundleError(f"{FAMILIES} has a machine that {MACHINES} lacks")
            relatives[machine] = (*relatives.get(machine, ()), unguarded(name) or "")
    return relatives


def _looks_of(table: pd.DataFrame, systems: tuple[str, ...], numbers: IntArray) -> OutputLooks:
    sentences = whole_numbers(table["sentence"], LOOKS)
    rows = np.searchsorted(numbers, sentences)
    if len(rows) and (rows.max() >= len(numbers) or (numbers[rows] != sentences).any()):
        raise BundleError(f"{LOOKS} has a sentence that the bundle lacks")
    named = {guarded(name): place for place, name in enumerate(systems)}
    if unknown := set(table["system"]).difference(named):
        raise BundleError(f"{LOOKS} has a system without scores: {min(unknown)}")
    places = np.array([named[name] for name in table["system"]], dtype=np.int64)
    shape = len(numbers), len(systems)
    texts, alike = np.full(shape, -1), np.tile(np.arange(shape[1]), (shape[0], 1))
    texts[rows, places] = whole_numbers(table["text"], LOOKS)
    for place in reversed(range(shape[1])):
        is_same = (texts == texts[:, [place]]) & (texts >= 0)
        alike[is_same] = place

    def sizes(name: str) -> FloatArray:
        values: FloatArray = np.full(shape, np.nan)
        values[rows, places] = whole_numbers(table[name], LOOKS)
        return values

    return OutputLooks(sizes("characters"), sizes("edits"), alike)
