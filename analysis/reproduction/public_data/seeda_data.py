"""The public data of SEEDA in which people judged whole sentences: judgments, outputs and human scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.reproduction.public_data.conll14 import Conll14
from core.arrays import FloatArray, IntArray
from core.later import pd
from formats import FormatError
from formats.snapshot.snapshots import frame_of_file
from formats.text.lines import read_lines
from metrics import EvaluationSet
from metrics.meta_evaluation import People, people

SYSTEMS = (
    "BART",
    "BERT-fuse",
    "GECToR-BERT",
    "GECToR-ens",
    "GPT-3.5",
    "INPUT",
    "LM-Critic",
    "PIE",
    "REF-F",
    "REF-M",
    "Riken-Tohoku",
    "T5",
    "TemplateGEC",
    "TransGEC",
    "UEDIN-MS",
)
"""In alphabetical order, which is that of the released scores."""

BASE = frozenset(SYSTEMS) - {"INPUT", "GPT-3.5", "REF-F"}
"""Without what the authors call outliers: the source and the two most fluent systems."""

SETS = {
    "base": BASE,
    "+INPUT": BASE | {"INPUT"},
    "+fluency": BASE | {"GPT-3.5", "REF-F"},
    "all": frozenset(SYSTEMS),
}
"""The sets of systems of the paper's tables."""


@dataclass(eq=False)
class Seeda(Conll14):
    """The judgments, from `seeda/`, of systems on a part of CoNLL-2014.

    All properties raise `FormatError` for a file that is missing or malformed.
    """

    @cached_property
    def snapshot(self) -> pd.DataFrame:
        """The judgments; sentences are counted from 0 in the order of the outputs."""
        return self._judgments.assign(sentence=np.searchsorted(self._numbers, self._judgments["sentence"]))

    @cached_property
    def judged(self) -> People:
        """The judgments as arrays over sentences and systems."""
        return people(self.snapshot, len(self._numbers))

    @cached_property
    def judged_outputs(self) -> Mapping[str, Sequence[str]]:
        """Texts of the judged sentences by system."""
        texts = {}
        for system in SYSTEMS:
            path = self.folder / "seeda" / "outputs" / "subset" / f"{system}.txt"
            texts[system] = [line for _, line in read_lines(path)]
            if len(texts[system]) != len(self._numbers):
                raise FormatError(
                    path, None, f"{len(texts[system])} lines for {len(self._numbers)} judged sentences"
                )
        return texts

    @cached_property
    def judged_gold(self) -> EvaluationSet:
        """The judged sentences with both official annotations, and the texts that result from them."""
        return self.gold["Combined"].of((self._numbers - 1).tolist())

    @cached_property
    def judged_references(self) -> EvaluationSet:
        """Both official corrections of the judged sentences; an annotator without edits left the source."""
        gold = self.judged_gold
        texts = zip(gold.sources, gold.references or (), strict=True)
        return EvaluationSet(gold.sources, tuple((*given, source, source)[:2] for source, given in texts))

    @cached_property
    def released_metrics(self) -> Mapping[str, Mapping[str, float]]:
        """The scores of systems by metric that the authors released, on the whole test set."""
        path = self.folder / "seeda" / "metric-scores.csv"
        (_, heading), *lines = read_lines(path)
        metrics = heading.split(",")[1:]
        scores: dict[str, dict[str, float]] = {metric: {} for metric in metrics}
        for place, line in lines:
            system, *cells = line.split(",")
            try:
                scores |= {
                    metric: scores[metric] | {system: float(cell)}
                    for metric, cell in zip(metrics, cells, strict=True)
                }
            except ValueError as error:
                raise place.fault(f"a line should hold a system and {len(metrics)} numbers") from error
        if missing := [system for system in SYSTEMS if system not in scores[metrics[0]]]:
            raise FormatError(path, None, f"systems are missing: {', '.join(missing)}")
        return scores

    @cached_property
    def human(self) -> Mapping[str, FloatArray]:
        """The released scores of the systems, in the order of `SYSTEMS`, by method: "EW" and "TS"."""
        return {method: self._scores(method) for method in ("EW", "TS")}

    @cached_property
    def _judgments(self) -> pd.DataFrame:
        return frame_of_file(self.folder / "seeda" / "data" / "judgments_sent.xml")

    @cached_property
    def _numbers(self) -> IntArray:
        """The numbers of the judged sentences in the test set, counted from 1."""
        return np.unique(self._judgments["sentence"].to_numpy(dtype=np.int64))

    def _scores(self, method: str) -> FloatArray:
        path = self.folder / "seeda" / "scores" / "human" / f"{method}_sent.txt"
        lines = [line for _, line in read_lines(path)]
        try:
            scores = np.array(lines, dtype=np.float64)
        except ValueError as error:
            raise FormatError(path, None, "a line should hold a number") from error
        if scores.shape != (len(SYSTEMS),):
            raise FormatError(path, None, f"{len(scores)} scores for {len(SYSTEMS)} systems")
        return scores
