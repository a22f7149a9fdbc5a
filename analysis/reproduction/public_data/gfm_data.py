"""The public data of TMU-GFM: outputs of five systems, rated for grammaticality, fluency and meaning."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.reproduction.paper import PaperData
from core.arrays import FloatArray
from core.later import pd
from formats import FormatError

SCALES = {"G": "Grammaticality", "F": "Fluency", "M": "Meaning"}
"""The scales by their letters in names of columns and cells."""

COLUMNS = {"G": "grammer", "F": "fluency", "M": "meaning"}
"""Columns of the ratings as the file spells them; the averages are in `ave_g` and so on."""

SYSTEMS = ("cnn", "copy-net", "lstm", "smt", "transformer")
RATERS = 5
HIGHEST = 4


@dataclass(eq=False)
class Gfm(PaperData):
    """The ratings, from `gfm/tmu-gfm-dataset.csv`.

    All properties raise `FormatError` for a file that is missing or malformed.
    """

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        """The rows of the file: outputs, most of them of several systems."""
        path = self.folder / "gfm" / "tmu-gfm-dataset.csv"
        try:
            with path.open(encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file, strict=True)
                rows = []
                for row in reader:
                    for column in COLUMNS.values():
                        points = (row.get(column) or "").split(",")
                        if len(points) != RATERS or not all(
                            point in map(str, range(HIGHEST + 1)) for point in points
                        ):
                            cause = (
                                f"{column} is not {RATERS} ratings from 0 to {HIGHEST}: {row.get(column)!r}"
                            )
                            raise FormatError(path, reader.line_num, cause)
                    if unknown := set((row.get("system") or "").split(",")).difference(SYSTEMS):
                        raise FormatError(path, reader.line_num, f"unknown systems {sorted(unknown)}")
                    rows.append(row)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise FormatError(path, None, str(error)) from error
        if not rows:
            raise FormatError(path, None, "the file has no rows")
        return rows

    @cached_property
    def ratings(self) -> FloatArray:
        """Shape (rows, raters, scales in the order of `SCALES`), with zeros as they are in the file."""
        return np.array(
            [[row[column].split(",") for column in COLUMNS.values()] for row in self.rows], dtype=np.float64
        ).transpose(0, 2, 1)

    @cached_property
    def averages(self) -> FloatArray:
        """The released averages, shape (rows, scales)."""
        return np.array([[row[f"ave_{scale.lower()}"] for scale in SCALES] for row in self.rows], dtype=float)

    @cached_property
    def is_of(self) -> dict[str, NDArray[np.bool_]]:
        """Shape (rows,) for each system: whether the output is its."""
        systems = [row["system"].split(",") for row in self.rows]
        return {system: np.array([system in names for names in systems]) for system in SYSTEMS}

    @cached_property
    def is_unchanged(self) -> NDArray[np.bool_]:
        """Shape (rows,): whether the output is the source."""
        return np.array([row["source"] == row["output"] for row in self.rows])

    def snapshot(self, *, zeros: bool) -> pd.DataFrame:
        """The ratings as judgments of one output by the positions of raters, with zeros as points or missing.

        A row of the file is an output of its own, also the four that stand there twice.
        """
        sources, _ = pd.factorize(np.array([row["source"] for row in self.rows], dtype=object))
        systems = [tuple(sorted(row["system"].split(","))) for row in self.rows]
        made = []
        for number, of_row in enumerate(self.ratings.astype(int).tolist()):
            for rater, points in enumerate(of_row):
                given = {
                    name: point if point or zeros else None
                    for name, point in zip(SCALES.values(), points, strict=True)
                }
                made.append(
                    (
                        f"{number}-{rater}",
                        f"position {rater + 1}",
                        int(sources[number]),
                        str(number),
                        systems[number],
                        json.dumps(given),
                    )
                )
        columns = ["judgment", "annotator", "sentence", "output", "systems", "rating_details"]
        return pd.DataFrame(made, columns=columns)
