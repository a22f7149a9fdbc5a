"""Precision of edits as people see it: of systems, with ranks and clusters, and of types of errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from core.later import pd
from core.progress import Advance
from ranking.judgments.grouped_pairs import Unit
from ranking.uncertainty.methods import Method
from ranking.uncertainty.scalars import MeanReplicates
from ranking.uncertainty.standings import Scored, Standings, standings_of

REPLICATES_PER_CHUNK = 100
"""Replicates that share a random generator. Part of what a seed means."""

NO_VERDICT = "no edit of it was accepted or rejected"


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Edits of a system, of a type or of an annotator, and how many were accepted.

    Attributes:
        of: the system, type or annotator; None for all together.
        edits: number of different edits that were judged; those of two outputs are two.
        accepted: verdicts *accepted*.
        rejected: verdicts *rejected*.
        cannot_say: verdicts *cannot-say*.
        outputs: number of different outputs that they are of.
        precision: mean over edits of the share of annotators who accepted it among those who accepted or
            rejected it; None if nobody did either.
        low: lower end of the interval of the precision; None if there is none.
        high: upper end; None where `low` is.
        reason: why there is no precision or no interval; None if there are both.
    """

    of: str | None
    edits: int
    accepted: int
    rejected: int
    cannot_say: int
    outputs: int
    precision: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None

    @property
    def verdicts(self) -> int:
        """Number of verdicts."""
        return self.accepted + self.rejected + self.cannot_say


def counted_edits(rows: pd.DataFrame, column: str) -> dict[str, EditCounts]:
    """The counts by a column of `edit_verdicts`, its values in alphabetical order; without intervals.

    An edit of several systems counts for each.
    """
    spread = rows.explode("systems") if column == "systems" else rows
    return {str(name): counts_of(part, str(name)) for name, part in spread.groupby(column, observed=True)}


def counts_of(rows: pd.DataFrame, of: str | None = None) -> EditCounts:
    """The counts of all these verdicts together."""
    given = rows["outcome"].value_counts()
    shares = rows[rows["outcome"] != 0].groupby("unit")["outcome"].mean()
    return EditCounts(
        of=of,
        edits=int(rows["unit"].nunique()),
        accepted=int(given.get(1, 0)),
        rejected=int(given.get(-1, 0)),
        cannot_say=int(given.get(0, 0)),
        outputs=int(rows.groupby(["sentence", "output"], observed=True).ngroups) if len(rows) else 0,
        precision=float((shares.mean() + 1) / 2) if len(shares) else None,
        reason=None if len(shares) else NO_VERDICT,
    )


def precision_replicates(
    rows: pd.DataFrame, column: str, *, replicates: int, seed: int, progress: Advance | None = None
) -> MeanReplicates:
    """The precision by a column of `edit_verdicts` in resamples of the sentences with edits.

    Args:
        rows: as `edit_verdicts` gives them.
        column: `systems`, where an edit counts for each of its systems, or another one.
        replicates: number of resamples.
        seed: same seed, same resamples.
        progress: gets the number of resamples finished.
    """
    names, accepted, decided = _by_sentence(rows, column)
    drawn = [
        _shares(weights @ accepted, weights @ decided)
        for weights in _weights(len(accepted), replicates, seed, progress)
    ]
    scores = np.concatenate(drawn) if drawn else np.empty((0, len(names)))
    return MeanReplicates(names, Unit.SENTENCE, scores, (decided > 0).sum(axis=0), len(accepted))


def precision_standings(
    rows: pd.DataFrame,
    *,
    replicates: int,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Advance | None = None,
) -> Standings:
    """Rank systems by the precision of their edits, with rank ranges and clusters over sentences.

    Raises `ResamplingError` as `ranking.rank_ranges` does.
    """
    counts = counted_edits(rows, "systems")
    drawn = precision_replicates(rows, "systems", replicates=replicates, seed=seed, progress=progress)
    scores = np.array([counts[name].precision for name in drawn.systems], dtype=np.float64)
    reasons = {name: counts[name].reason for name in drawn.systems}
    scored = Scored(drawn.systems, scores, drawn.scores, drawn.units, drawn.intervals, drawn.groups, reasons)
    return standings_of(Method.MEAN_SCORE, Unit.SENTENCE, scored, confidence)


def _by_sentence(rows: pd.DataFrame, column: str) -> tuple[tuple[str, ...], FloatArray, FloatArray]:
    """The names in the column, and by sentence and name: sums of shares of acceptance, numbers of edits."""
    spread = rows.explode("systems") if column == "systems" else rows
    names = tuple(sorted(map(str, spread[column].astype("object").unique())))
    sentences, distinct = pd.factorize(spread["sentence"])
    table = pd.DataFrame(
        {
            "sentence": sentences,
            "of": pd.Categorical(spread[column].astype(str), categories=names).codes,
            "unit": spread["unit"].to_numpy(),
            "outcome": spread["outcome"].to_numpy(),
        }
    )
    shares = table[table["outcome"] != 0].groupby(["sentence", "of", "unit"])["outcome"].mean().reset_index()
    accepted, decided = (np.zeros((len(distinct), len(names))) for _ in range(2))
    cells = shares["sentence"].to_numpy(), shares["of"].to_numpy()
    np.add.at(accepted, cells, (shares["outcome"].to_numpy() + 1) / 2)
    np.add.at(decided, cells, 1.0)
    return names, accepted, decided


def _weights(
    sentences: int, replicates: int, seed: int, progress: Advance | None
) -> Iterator[NDArray[np.int64]]:
    """How often each sentence is drawn, shape (B, N), in chunks of replicates."""
    if not sentences:
        return
    for chunk, first in enumerate(range(0, replicates, REPLICATES_PER_CHUNK)):
        size = min(REPLICATES_PER_CHUNK, replicates - first)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        yield rng.multinomial(sentences, np.full(sentences, 1 / sentences), size)
        if progress is not None:
            progress(size)


def _shares(accepted: FloatArray, decided: FloatArray) -> FloatArray:
    shares = np.full(accepted.shape, np.nan)
    np.divide(accepted, decided, out=shares, where=decided > 0)
    return shares
