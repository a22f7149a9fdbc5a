"""The public data on machine judges: labels, worked examples, and comparisons of language models."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from analysis.reproduction.paper import PaperData
from analysis.reproduction.public_data.gjg15_data import Gjg15
from formats import FormatError
from formats.labels import Labels, read_labels
from formats.snapshot.snapshots import frame_of_file
from formats.text.lines import read_lines
from ranking.machines import (
    Contests,
    LabelAgreement,
    ScreenPairs,
    Tallies,
    Units,
    label_contests,
    screen_pairs,
)

SOURCE = "INPUT"
SETS = {"wax": LabelAgreement.ACCURACY, "10k_prompts": LabelAgreement.RMSE}
"""How the answers of a set of labels agree."""


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """Rankings by people of the outputs of S systems.

    Attributes:
        pairs: of systems, as judged.
        sources: the sentences.
        outputs: of each sentence, by system.
        sentences: the ids of the sentences among the judgments.
    """

    pairs: ScreenPairs
    sources: Sequence[str]
    outputs: Mapping[str, Sequence[str]]
    sentences: Sequence[int]


@dataclass(frozen=True, slots=True)
class ModelComparisons:
    """Comparisons of K models, n by people and a machine, and N by the machine only.

    Attributes:
        models: in alphabetical order.
        rows: of the file; `human` is empty where only the machine judged.
    """

    models: tuple[str, ...]
    rows: Sequence[Mapping[str, str]]

    def units(self, tie: float) -> Units:
        """Comparisons won by each model, with this value of a tie for both."""
        both = [row for row in self.rows if row["human"]]
        only = [row for row in self.rows if not row["human"]]
        return Units(
            self._tallies(both, "human", tie),
            self._tallies(both, "machine", tie),
            self._tallies(only, "machine", tie),
        )

    def _tallies(self, rows: Sequence[Mapping[str, str]], judge: str, tie: float) -> Tallies:
        won, of = np.zeros((2, len(rows), len(self.models)))
        for place, row in enumerate(rows):
            sides = [self.models.index(row[side]) for side in ("model_a", "model_b")]
            of[place, sides] = 1
            won[place, sides] = {"model_a": (1, 0), "model_b": (0, 1)}.get(row[judge], (tie, tie))
        return Tallies.of_arrays(won, of)


@dataclass(eq=False)
class MachineJudges(PaperData):
    """The data of three papers, from `machine-judges/`, and two sets of rankings.

    All properties raise `FormatError` for a file that is missing or is not what it should be.
    """

    @property
    def root(self) -> Path:
        """The folder of the data."""
        return self.folder / "machine-judges"

    @cached_property
    def contests(self) -> Mapping[str, Mapping[str, Contests]]:
        """Each machine against the people, by set of labels."""
        return {name: self._contests(name, agreement) for name, agreement in SETS.items()}

    def _contests(self, name: str, agreement: LabelAgreement) -> Mapping[str, Contests]:
        folder = self.root / "alt-test" / name
        people = read_labels(folder / "human_annotations.json")
        machines: Mapping[str, Labels] = read_labels(folder / "llm_annotations.json")
        return {machine: label_contests(people, labels, agreement) for machine, labels in machines.items()}

    @cached_property
    def rankings(self) -> Mapping[str, JudgedTexts]:
        """The judgments of GJG15 and those of SEEDA by sentence, with the texts that were judged."""
        gjg15, seeda = Gjg15(self.folder), self.folder / "seeda"
        sources = gjg15.references.sources
        pairs = screen_pairs(gjg15.snapshot)
        outputs = {system: gjg15.outputs.get(system, sources) for system in pairs.systems}
        snapshot = frame_of_file(seeda / "data" / "judgments_sent.xml")
        of_seeda = screen_pairs(snapshot)
        files = {name: seeda / "outputs" / "subset" / f"{name}.txt" for name in of_seeda.systems}
        subset = {name: [text for _, text in read_lines(path)] for name, path in files.items()}
        return {
            "gjg15": JudgedTexts(pairs, sources, outputs, range(len(sources))),
            "seeda": JudgedTexts(of_seeda, subset[SOURCE], subset, np.unique(snapshot["sentence"]).tolist()),
        }

    @cached_property
    def examples(self) -> Mapping[str, Any]:
        """Worked examples of prediction-powered inference with their figures."""
        return _read_json(self.root / "ppi" / "oracles.json")

    @cached_property
    def comparisons(self) -> ModelComparisons:
        """The comparisons of language models."""
        path = self.root / "ppr" / "comparisons.csv.gz"
        try:
            with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        except FileNotFoundError as error:
            raise FormatError(path, None, "no such file") from error
        models = {row[side] for row in rows for side in ("model_a", "model_b")}
        return ModelComparisons(tuple(sorted(models)), rows)

    @cached_property
    def rank_sets(self) -> Mapping[str, Any]:
        """Figures of an independent program for these comparisons."""
        return _read_json(self.root / "ppr" / "expected.json")


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FormatError(path, None, "no such file") from error
    except ValueError as error:
        raise FormatError(path, None, f"invalid JSON: {error}") from error
    return read
