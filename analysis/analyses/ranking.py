"""Rankings of a snapshot, as pages and commands show them. Pure."""

import os
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from analysis.analyses.ranking_words import (
    MEANINGS,
    METHODS,
    TRUESKILL_BY_GROUP,
    TRUESKILL_BY_PAIR,
    UNIT_MEANINGS,
    Z_SCORES_MEANING,
)
from formats.snapshots import content_hash
from ranking import (
    RANKING_COLUMNS,
    SCORING_COLUMNS,
    Basis,
    Method,
    Ranks,
    ResamplingError,
    Scores,
    Standings,
    Unit,
    standardised,
    standings,
    without_systems,
)
from ranking.resampling import Progress
from ranking.snapshot import system_names

RATED = tuple(dict.fromkeys((*RANKING_COLUMNS, *SCORING_COLUMNS, "meaning_changed")))
"""The columns of a snapshot that rankings and judging are computed of; the others only enter its hash."""

REPLICATES = {
    Method.MEAN_SCORE: 1000,
    Method.EXPECTED_WINS: 1000,
    Method.TRUESKILL: 200,
    Method.BRADLEY_TERRY: 300,
}
"""As many as a request or its job may take the time for; `manage.py rank` makes more."""

THREADS = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Choice:
    """How systems are to be ranked.

    Attributes:
        method: how they are scored.
        unit: what is resampled for rank ranges and clusters.
        replicates: how often.
        confidence: of the rank ranges.
        seed: of the resampling.
        tie_width: how far two scores may lie apart and tie as a pair; None where ranks are compared.
        z_scores: whether mean scores are of z-scores within each judge; pairs are of the scores as they are.
        controls: whether systems of the role *control* are ranked among the others.
        excluded: whether the judgments of annotators count whom an admin has excluded.
        without_systems: names of systems that are left out, whether they were judged or not.
        without_annotators: names of annotators whose judgments are left out.
    """

    method: Method = Method.EXPECTED_WINS
    unit: Unit = Unit.PAIR
    replicates: int = 1000
    confidence: float = 0.95
    seed: int = 0
    tie_width: float | None = None
    z_scores: bool = False
    controls: bool = False
    excluded: bool = False
    without_systems: tuple[str, ...] = ()
    without_annotators: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The part of a signature that says what is computed."""
        resampled = (
            f"unit:{self.unit}|replicates:{self.replicates}|confidence:{self.confidence:g}|seed:{self.seed}"
            f"{self._left_out}"
        )
        if self.method is Method.MEAN_SCORE:
            return f"{self.method}|scores:{'z' if self.z_scores else 'raw'}|{resampled}"
        pairs = "expanded" if self.tie_width is None else f"expanded|by:scores|tie-width:{self.tie_width:g}"
        ties = "dropped" if self.method is Method.EXPECTED_WINS else "kept"
        return f"{self.method}|pairs:{pairs}|ties:{ties}|{resampled}"

    @property
    def by(self) -> Basis:
        """What makes one output of a pair better."""
        return Ranks() if self.tie_width is None else Scores(self.tie_width)

    @property
    def score_name(self) -> str:
        """What to call the scores."""
        return "Mean z-score" if self.method is Method.MEAN_SCORE and self.z_scores else METHODS[self.method]

    @property
    def unit_meaning(self) -> str:
        """What is drawn, and what the ranges, and TrueSkill's scores, then say."""
        if self.method is not Method.TRUESKILL:
            return UNIT_MEANINGS[self.unit]
        by_unit = TRUESKILL_BY_PAIR if self.unit is Unit.PAIR else TRUESKILL_BY_GROUP
        return f"{UNIT_MEANINGS[self.unit]} {by_unit}"

    @property
    def meaning(self) -> str:
        """What the scores say, in words."""
        z_scores = self.method is Method.MEAN_SCORE and self.z_scores
        return f"{MEANINGS[self.method]} {Z_SCORES_MEANING}" if z_scores else MEANINGS[self.method]

    def counted(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """The part of a snapshot that counts; itself, where nothing is left out."""
        left_out = snapshot["annotator"].isin(self.without_annotators)
        kept = snapshot[~left_out] if left_out.any() else snapshot
        judged = set(system_names(kept)).intersection(self.without_systems)
        return without_systems(kept, judged) if judged else kept

    @property
    def _left_out(self) -> str:
        systems = "|without:" + "+".join(self.without_systems) if self.without_systems else ""
        excluded = len(self.without_annotators)
        return systems + (f"|excluded-annotators:{excluded}" if excluded else "")


def choose(
    *,
    scored: bool,
    method: Method | None = None,
    unit: Unit | None = None,
    tie_width: float | None = None,
    z_scores: bool = False,
    **others: Any,
) -> Choice:
    """The choice for rankings or, if `scored`, for scores; None stands for what is usual there.

    Raises `ResamplingError` for what is only possible with scores where there are rankings, and for a tie
    width that is negative.
    """
    if tie_width is not None and not tie_width >= 0:
        raise ResamplingError(f"a tie width of {tie_width:g} is impossible: choose 0 or more")
    if scored:
        return Choice(
            method=method or Method.MEAN_SCORE,
            unit=unit or Unit.SENTENCE,
            tie_width=tie_width or 0.0,
            z_scores=z_scores,
            **others,
        )
    if method is Method.MEAN_SCORE or tie_width is not None or z_scores:
        raise ResamplingError("mean scores, z-scores and tie widths need scores, and these are rankings")
    return Choice(method=method or Method.EXPECTED_WINS, unit=unit or Unit.PAIR, **others)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """How the systems rank.

    Attributes:
        signature: what was computed and on which snapshot; equal signatures mean equal numbers.
        standings: the systems, best first, with rank ranges and clusters.
        warning: what to beware of in the clusters; None where there is nothing.
    """

    signature: str
    standings: Standings
    warning: str | None


def rank(snapshot: pd.DataFrame, choice: Choice, *, progress: Progress | None = None) -> Ranking:
    """Rank the systems of a snapshot over expanded pairs, or by mean scores.

    Where pairs are resampled, sentences are resampled as well, to warn of clusters that come from taking
    pairs for independent; `progress` is told the number of replicates finished (`replicates_of`).

    Raises `ResamplingError` and `SnapshotError` as `ranking.standings` does.
    """
    snapshot = choice.counted(snapshot)
    digest = content_hash(snapshot)
    # Only these are needed from here on; of a large snapshot the others are worth giving back.
    snapshot = snapshot[[column for column in RATED if column in snapshot.columns]]
    ranked = _standings(snapshot, choice, progress)
    warning = None
    if choice.unit is Unit.PAIR and choice.replicates:
        by_sentence = _standings(snapshot, replace(choice, unit=Unit.SENTENCE), progress)
        warning = _warning(ranked, by_sentence)
    return Ranking(f"{choice}|snapshot:{digest[:16]}", ranked, warning)


def replicates_of(choice: Choice) -> int:
    """How many replicates `rank` makes in all."""
    return choice.replicates * (2 if choice.unit is Unit.PAIR else 1)


def _standings(snapshot: pd.DataFrame, choice: Choice, progress: Progress | None) -> Standings:
    if choice.method is Method.MEAN_SCORE and choice.z_scores:
        snapshot = standardised(snapshot).snapshot
    return standings(
        snapshot,
        choice.method,
        choice.unit,
        by=choice.by,
        replicates=choice.replicates,
        confidence=choice.confidence,
        seed=choice.seed,
        threads=THREADS,
        progress=progress,
    )


def _warning(by_pair: Standings, by_sentence: Standings) -> str | None:
    if by_pair.clusters is None or by_pair.clusters <= (by_sentence.clusters or 1):
        return None
    of_sentences = "none" if by_sentence.clusters is None else by_sentence.clusters
    why = "" if by_sentence.reason is None else f", since {by_sentence.reason}"
    return (
        f"Resampling pairs claims {by_pair.clusters} clusters, resampling sentences {of_sentences}{why}. "
        "Pairs from one sentence are not independent, so ranges by pair are too narrow."
    )
