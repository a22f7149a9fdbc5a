"""The edits of a bundle: where they are and of which type, without their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.systems.beside_references import EditsBesideReferences, beside_references
from analysis.publishing.inputs.plain_tables import read_table, whole_numbers, write_table
from analysis.publishing.inputs.renaming import Renaming
from core.formulas import guarded, unguarded
from core.later import pd
from core.progress import Progress
from metrics.references import weighted_edits
from metrics.references.weighted_edits import MadeEdits

MADE_EDITS, MATCHES, PRODUCED = "edits.csv", "matches.csv", "produced.csv"

TEXTS = ("output", "type", "system")
"""Columns of texts; the others are whole numbers."""


def write_edits(folder: Path, inputs: EditsBesideReferences, renaming: Renaming, progress: Progress) -> None:
    """Write the edits of outputs, their matches with references, and which system made which output.

    `progress` may stop the writing.
    """
    made = inputs.made
    progress.begin("Writing the edits", total=len(made.edits))
    for name, columns, frame in (
        (MADE_EDITS, weighted_edits.EDITS, made.edits.astype({"covered": int})),
        (MATCHES, weighted_edits.MATCHES, made.matches),
        (PRODUCED, weighted_edits.PRODUCED, made.produced),
    ):
        write_table(folder / name, columns, sorted(_rows(frame, columns, renaming)))
        progress.step()


def _rows(frame: pd.DataFrame, columns: Sequence[str], renaming: Renaming) -> Iterator[list[object]]:
    renamed = {"output": renaming.output, "system": renaming.systems.__getitem__, "type": guarded}
    values: list[Iterable[object]] = [
        map(renamed.get(name, lambda value: value), frame[name].tolist()) for name in columns
    ]
    return (list(row) for row in zip(*values, strict=True))


def read_edits(folder: Path, judged: Judgments, progress: Progress) -> EditsBesideReferences:
    """The verdicts beside the edits of these files.

    Raises:
        BundleError: a file cannot be read.
    """
    edits = _frame(folder / MADE_EDITS, weighted_edits.EDITS)
    progress.step()
    matches = _frame(folder / MATCHES, weighted_edits.MATCHES)
    progress.step()
    produced = _frame(folder / PRODUCED, weighted_edits.PRODUCED)
    return beside_references(judged, MadeEdits(edits.astype({"covered": bool}), matches, produced))


def _frame(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    table = read_table(path, columns)
    for name in columns:
        table[name] = (
            [unguarded(text) or "" for text in table[name]]
            if name in TEXTS
            else whole_numbers(table[name], path.name)
        )
    return table
