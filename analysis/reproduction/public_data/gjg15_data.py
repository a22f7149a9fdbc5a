"""The public data of GJG15: its judgments and the judged outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from analysis.reproduction.public_data.conll14 import SYSTEMS, Conll14
from core.later import pd
from formats import read_parallel
from formats.snapshot.snapshots import frame_of_file
from ranking import PairCounts, count_pairs, expected_wins

JUDGES = range(1, 9)


@dataclass(eq=False)
class Gjg15(Conll14):
    """The judgments, from `gjg15/`, and what they are of."""

    @cached_property
    def snapshot(self) -> pd.DataFrame:
        """The judgments; outputs are identified by their systems, and judge n is `annotator(n)`."""
        return frame_of_file(self.folder / "gjg15" / "judgments.xml")

    @cached_property
    def counts(self) -> PairCounts:
        """The pairs of the judgments."""
        return count_pairs(self.snapshot)

    @cached_property
    def human(self) -> Mapping[str, float]:
        """ExpectedWins of the paper's systems, with the three digits that it prints and correlates."""
        return {
            score.system: float(f"{score.score:.3f}")
            for score in expected_wins(self.counts).scores
            if score.score is not None and score.system in SYSTEMS
        }

    @cached_property
    def shapes(self) -> list[list[int]]:
        """Multiplicities of the distinct outputs of each sentence over the twelve systems and INPUT."""
        outputs = self.folder / "conll14" / "outputs"
        corpus = read_parallel(outputs / "INPUT", {system: outputs / system for system in SYSTEMS})
        return [sorted(Counter(sentence.outputs.values()).values()) for sentence in corpus.sentences]


def annotator(judge: int) -> str:
    """Name of a judge in the judgments."""
    return f"annotator{judge:02}"
