"""What the tables of a written release hold, as layouts need it: texts by sentence, and comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from analysis.releases.tables import JUDGMENTS, OUTPUTS, REFERENCES, SENTENCES, SYSTEMS, Table
from annotate.models import SystemRole
from core.arrays import FloatArray
from core.later import pq
from core.progress import Progress
from formats.snapshot.vocabulary import JudgmentState
from ranking import PairCounts

ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment that compares outputs.

    Attributes:
        sentence: position in the corpus, from 0.
        item: number of the item.
        annotator: pseudonym.
        ranked: for each output, in the order shown, the names of its systems and its rank; 1 is best.
        scores: of these outputs, where the protocol asks for scores, else None for each.
    """

    sentence: int
    item: int
    annotator: str
    ranked: Sequence[tuple[tuple[str, ...], int]]
    scores: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparisons of all judgments.

    Attributes:
        counts: wins and ties of systems.
        by_sentence: shape (N, S): the mean, over the judgments of a sentence, of the score of a system or,
            without scores, of the share of the other systems that it beat, with ties as half; NaN if it was
            not judged.
    """

    counts: PairCounts
    by_sentence: FloatArray


class ReleasedTables:
    """The tables in the folder of a release that is being written.

    Args:
        folder: the folder.
        progress: gets a report after some rows.
        campaign: whose judgments are read, if there are several campaigns.
    """

    def __init__(self, folder: Path, progress: Progress, campaign: str | None = None) -> None:
        self._folder, self._progress, self._campaign = folder, progress, campaign

    @cached_property
    def systems(self) -> list[str]:
        """The systems without controls, in alphabetical order."""
        return sorted(row["system"] for row in self._rows(SYSTEMS) if row["role"] != SystemRole.CONTROL)

    @cached_property
    def sentences(self) -> list[dict[str, Any]]:
        """The rows of the sentences, in order."""
        return list(self._rows(SENTENCES))

    @cached_property
    def outputs(self) -> Mapping[str, Sequence[str | None]]:
        """The outputs of each system by sentence; None where it has none."""
        texts: dict[str, list[str | None]] = {system: [None] * len(self.sentences) for system in self.systems}
        for row in self._rows(OUTPUTS):
            texts[row["system"]][row["sentence"]] = row["text"]
        return texts

    @cached_property
    def references(self) -> Mapping[int, Sequence[str | None]]:
        """The references of each annotator, by number, by sentence; None where there is none."""
        texts: dict[int, list[str | None]] = {}
        for row in self._rows(REFERENCES):
            own = texts.setdefault(row["annotator"], [None] * len(self.sentences))
            own[row["sentence"]] = row["text"]
        return dict(sorted(texts.items()))

    def judged(self) -> Iterator[Judged]:
        """The judgments that compare outputs, in order, without controls that share an output."""
        known = frozenset(self.systems)
        columns = [
            "judgment",
            "campaign",
            "state",
            "sentence",
            "item",
            "annotator",
            "systems",
            "rank",
            "score",
        ]
        for _, rows in groupby(self._rows(JUDGMENTS, columns), key=itemgetter("judgment")):
            rated = [row for row in rows if row["rank"] is not None or row["score"] is not None]
            if not rated or self._campaign not in (None, rated[0]["campaign"]):
                continue
            if rated[0]["state"] != JudgmentState.SURPLUS:
                yield _judged(rated, known)

    def compared(self) -> Compared:
        """All comparisons."""
        places = {system: place for place, system in enumerate(self.systems)}
        wins, ties = np.zeros((2, len(places), len(places)), dtype=np.int64)
        sums, numbers = np.zeros((2, len(self.sentences), len(places)))
        self._progress.begin("Counting comparisons")
        for judged in self.judged():
            expanded = [
                (places[system], rank, score)
                for (systems, rank), score in zip(judged.ranked, judged.scores, strict=True)
                for system in systems
            ]
            here, ranks = (np.array(values) for values in zip(*[each[:2] for each in expanded], strict=True))
            won, tied = ranks[:, None] < ranks, ranks[:, None] == ranks
            np.fill_diagonal(tied, val=False)
            wins[np.ix_(here, here)] += won
            ties[np.ix_(here, here)] += tied
            shares = (won.sum(axis=1) + tied.sum(axis=1) / 2) / max(len(here) - 1, 1)
            scores = [each[2] for each in expanded]
            sums[judged.sentence, here] += shares if None in scores else np.array(scores, dtype=float)
            numbers[judged.sentence, here] += 1
            self._progress.advance(1)
        with np.errstate(invalid="ignore"):
            return Compared(PairCounts(tuple(self.systems), wins, ties), sums / numbers)

    def _rows(self, table: Table, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        path = self._folder / table.path("parquet")
        if path.is_file():
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, columns=columns):
                    yield from batch.to_pylist()
                    self._progress.step()


def _judged(rows: Sequence[Mapping[str, Any]], known: frozenset[str]) -> Judged:
    scores = [row["score"] if row["rank"] is None else None for row in rows]
    best_first = sorted({score for score in scores if score is not None}, reverse=True)
    ranks = [
        row["rank"] if score is None else best_first.index(score) + 1
        for row, score in zip(rows, scores, strict=True)
    ]
    systems = [tuple(name for name in row["systems"] if name in known) for row in rows]
    first = rows[0]
    return Judged(
        first["sentence"], first["item"], first["annotator"], [*zip(systems, ranks, strict=True)], scores
    )
