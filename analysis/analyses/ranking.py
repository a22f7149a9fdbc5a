"""Rankings and agreement of a snapshot, as pages and commands show them. Pure."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pandas as pd

from formats.snapshots import content_hash
from ranking import (
    RANKING_COLUMNS,
    SCORING_COLUMNS,
    Agreement,
    Alpha,
    Basis,
    HeadToHead,
    IntraclassCorrelation,
    JudgeCounts,
    Method,
    PairCounts,
    Ranks,
    ResamplingError,
    Scores,
    SplitHalf,
    Standings,
    SystemChanges,
    Unit,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    bradley_terry,
    count_pairs,
    expected_wins,
    head_to_head,
    intraclass_correlation,
    judge_counts,
    scored_outputs,
    split_half,
    standardised,
    standings,
    system_changes,
    system_means,
    without_systems,
)
from ranking.pairs import BY_RANKS
from ranking.resampling import Progress
from ranking.snapshot import system_names

Result = TypeVar("Result")

PAIRWISE = {
    Method.EXPECTED_WINS: "ExpectedWins",
    Method.TRUESKILL: "TrueSkill",
    Method.BRADLEY_TERRY: "Bradley-Terry",
}
"""What rankings are scored by; scores as well, as the pairs that they imply."""

METHODS = {Method.MEAN_SCORE: "Mean score", **PAIRWISE}
MEANINGS = {
    Method.MEAN_SCORE: (
        "The score of a system is the mean of its sentences’ scores, that of a sentence the mean of the "
        "scores its output was given; so each sentence weighs the same."
    ),
    Method.EXPECTED_WINS: (
        "The score is the chance that a system is judged better than another one, picked at random from "
        "those it met; ties are left out."
    ),
    Method.TRUESKILL: (
        "The score is the mean of a system’s skill, learnt comparison by comparison from 0 on, ties included."
    ),
    Method.BRADLEY_TERRY: (
        "The score is the logarithm of a system’s strength under the model of Bradley and Terry, "
        "ties included; 0 is the average."
    ),
}
Z_SCORES_MEANING = (
    "Scores are z-scores, by how many standard deviations they lie above the mean of their judge’s scores; "
    "judges who gave a single score, or all the same, are left out."
)
UNIT_MEANINGS = {
    Unit.PAIR: (
        "Pairs are drawn one by one, as for most published rankings, which takes those of one sentence for "
        "independent: for a claim about systems, resample by sentence."
    ),
    Unit.JUDGMENT: (
        "Whole screens are drawn, each with all its pairs. That says how the ranking would be with other "
        "looks at the same sentences."
    ),
    Unit.SENTENCE: (
        "Whole sentences are drawn, each with all its judgments. That says how the ranking would be on other "
        "sentences of the kind."
    ),
    Unit.JUDGE: (
        "Annotators are drawn, each with all their judgments. That says how the ranking would be with "
        "other annotators; with few of them it is rough."
    ),
}
"""What is drawn, and what the ranges then say."""

TRUESKILL_BY_PAIR = (
    "TrueSkill’s scores are means over replicates, so they depend on the unit. By pair they follow the "
    "procedure of WMT (Sakaguchi et al. 2014), as published scores do: each step takes the least certain "
    "system, an opponent of similar skill, and one of their comparisons at random."
)
TRUESKILL_BY_GROUP = (
    "TrueSkill’s scores are means over replicates, so they depend on the unit. Here the drawn comparisons "
    "are played in their order; by pair, the procedure of WMT (Sakaguchi et al. 2014) chooses them itself, "
    "as for published scores. Compare scores of one unit only."
)
"""Only TrueSkill has no score but the mean of its replicates (`ranking.methods`)."""

PARTS_OF_JUDGING = 7

RATED = tuple(dict.fromkeys((*RANKING_COLUMNS, *SCORING_COLUMNS, "meaning_changed")))
"""The columns of a snapshot that rankings and judging are computed of; the others only enter its hash."""

LARGEST_HALF = 4
"""Judges in each of two groups: GMEG, section 4.3, took 4 of 8."""

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


@dataclass(frozen=True, slots=True)
class Scoring:
    """How scalar judging went.

    Attributes:
        split_half: how the scores of two groups of judges correlate.
        intraclass: how much of the variance of scores the outputs explain.
        changes: by system, the shares of sentences unchanged and of those whose meaning changed.
    """

    split_half: SplitHalf
    intraclass: IntraclassCorrelation
    changes: tuple[SystemChanges, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """How the judging went, whatever the method of ranking.

    Attributes:
        head_to_head: each system against each other.
        judges: counts per judge.
        agreement: kappa between judges and within each.
        alpha_of_pairs: Krippendorff's alpha, nominal over pairs of outputs.
        alpha_of_ratings: ordinal over ranks, or interval over scores.
        scores: by method that needs no resampling the score of each system; None where it has none.
        scoring: what scores tell beyond their pairs; None for rankings.
    """

    head_to_head: HeadToHead
    judges: JudgeCounts
    agreement: Agreement
    alpha_of_pairs: Alpha
    alpha_of_ratings: Alpha
    scores: Mapping[Method, Mapping[str, float | None]]
    scoring: Scoring | None


def judging(
    snapshot: pd.DataFrame,
    by: Basis = BY_RANKS,
    *,
    source: str | None = None,
    progress: Progress | None = None,
) -> Judging:
    """Compare the systems two by two, and the judges, `by` ranks or scores.

    `source` is the system that leaves every sentence as it is; None where it is not known. `progress` is told
    of each of the `PARTS_OF_JUDGING`.
    """

    def part(finished: Result) -> Result:
        if progress is not None:
            progress(1)
        return finished

    counts = count_pairs(snapshot, by)
    scored = isinstance(by, Scores)
    return Judging(
        head_to_head=part(head_to_head(counts)),
        judges=part(judge_counts(snapshot, by)),
        agreement=part(agreement(snapshot, by=by)),
        alpha_of_pairs=part(alpha_over_pairs(snapshot, by)),
        alpha_of_ratings=part(alpha_over_scores(snapshot) if scored else alpha_over_ranks(snapshot)),
        scores=part(_scores_at_once(snapshot, counts, scored=scored)),
        scoring=part(scoring_of(snapshot, source) if scored else None),
    )


def _scores_at_once(
    snapshot: pd.DataFrame, counts: PairCounts, *, scored: bool
) -> dict[Method, dict[str, float | None]]:
    pairwise: dict[Method, dict[str, float | None]] = {
        Method.EXPECTED_WINS: {row.system: row.score for row in expected_wins(counts).scores},
        Method.BRADLEY_TERRY: {row.system: row.strength for row in bradley_terry(counts).strengths},
    }
    if not scored:
        return pairwise
    return {Method.MEAN_SCORE: {mean.system: mean.score for mean in system_means(snapshot)}, **pairwise}


def scoring_of(snapshot: pd.DataFrame, source: str | None) -> Scoring:
    """Reliability and changes."""
    return Scoring(
        split_half=split_half_of(snapshot),
        intraclass=intraclass_correlation(snapshot),
        changes=system_changes(snapshot, source),
    )


def split_half_of(snapshot: pd.DataFrame) -> SplitHalf:
    """Reliability by halves; one has half the judges of the median output, up to `LARGEST_HALF`."""
    judges = scored_outputs(snapshot).groupby(["sentence", "output"])["annotator"].nunique()
    half = int(judges.median()) // 2 if len(judges) else 0
    return split_half(snapshot, group_size=min(max(half, 1), LARGEST_HALF), seed=0)


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
