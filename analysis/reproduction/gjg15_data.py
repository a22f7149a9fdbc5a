"""The public data of GJG15 as this project's input: the judgments, and the outputs that were judged."""

from collections import Counter
from pathlib import Path

import pandas as pd

from analysis.reproduction.cells import Cell
from analysis.reproduction.gjg15 import reproduce
from analysis.reproduction.published_gjg15 import TABLE_3B
from annotate.formats import read_parallel
from annotate.snapshots import frame_of_file


def reproduce_from(folder: Path) -> dict[str, dict[str, Cell]]:
    """The tables from a folder that holds `gjg15/judgments.xml` and `conll14/outputs/`.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    return reproduce(gjg15_snapshot(folder), gjg15_shapes(folder))


def gjg15_snapshot(folder: Path) -> pd.DataFrame:
    """The judgments; outputs are known by their systems."""
    return frame_of_file(folder / "gjg15" / "judgments.xml")


def gjg15_shapes(folder: Path) -> list[list[int]]:
    """Multiplicities of the distinct outputs of each sentence over the twelve systems and INPUT."""
    outputs = folder / "conll14" / "outputs"
    systems = {system: outputs / system for system in TABLE_3B}
    corpus = read_parallel(outputs / "INPUT", systems)
    return [sorted(Counter(sentence.outputs.values()).values()) for sentence in corpus.sentences]
