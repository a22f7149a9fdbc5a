"""The snapshot: the frame of judgments that every analysis starts from, and its check.

One row per rating, or one row with a null output for a judgment without ratings. Outputs are collapsed:
systems whose texts for a sentence are identical share one output, named in `systems`. `SNAPSHOT_COLUMNS` is
the whole frame, `RANKING_COLUMNS` and `SCORING_COLUMNS` are the columns that this package reads, so a frame
made by hand needs no others. Rows with a rank are rankings, rows with a score are scores; `ranked_outputs`
and `scored_outputs` select and check them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.later import pd
from ranking.judgments.system_rows import SystemLists, runs, system_lists

SNAPSHOT_COLUMNS = (
    "judgment",
    "campaign",
    "protocol",
    "annotator",
    "sentence",
    "item",
    "repetition",
    "state",
    "output",
    "systems",
    "position",
    "rank",
    "score",
    "meaning_changed",
    "text",
    "revision",
    "started_at",
    "submitted_at",
    "active_ms",
    "further_texts",
    "verdict",
    "details",
    "propensities",
    "confidence",
    "annotator_kind",
    "rating_details",
    "opinion",
)
_RATING_COLUMNS = ("judgment", "annotator", "sentence", "output", "systems")
RANKING_COLUMNS = (*_RATING_COLUMNS, "rank")
SCORING_COLUMNS = (*_RATING_COLUMNS, "score")

SYSTEMS_PER_MASK = 32
"""Systems in one mask, a bit each; the sum of the masks of a judgment has 64 bits."""


NEED_SCORES = "need scores, and these are rankings"
"""Ends a message about what is possible for scores only."""


class SnapshotError(ValueError):
    """A frame that is no snapshot; the message names the column or the judgment at fault."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Outputs are compared by their ranks: the lower is better, equal ranks tie."""

    column: ClassVar[str] = "rank"
    tie_width: ClassVar[float] = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Outputs are compared by their scores: the higher is better.

    Ties need not be transitive: at a width of 5, 50 ties with 55 and 55 with 60, but 60 beats 50.

    Attributes:
        tie_width: largest difference of two scores that tie.
    """

    column: ClassVar[str] = "score"
    tie_width: float = 0.0

    def __post_init__(self) -> None:
        if not self.tie_width >= 0:
            raise ValueError(f"a tie width of {self.tie_width} is impossible: choose 0 or more")


Basis = Ranks | Scores
"""The basis of comparisons: what makes one output of a judgment better than another."""


def ranked_outputs(snapshot: pd.DataFrame, step: Callable[[], None] = lambda: None) -> pd.DataFrame:
    """The rows with a rank, checked: one row per output of a ranking, in the columns `RANKING_COLUMNS`.

    `judgment` and `annotator` come as categories: all that occur in the snapshot, in alphabetical order, so
    also those that ranked nothing. Ranks are compared and never measured, so any integers will do; 1 is best.

    `step` is called between parts of the work; it may stop it by raising an error.

    Raises `SnapshotError` for missing columns, ranks that are no integers, systems that are not a tuple of
    names, a ranked output without judgment, annotator, sentence, name or system, a judgment with two
    annotators or sentences, and an output or a system that stands twice in one judgment.
    """
    outputs = _rated_outputs(snapshot, "rank", "ranked", step)
    outputs["rank"] = _integers(outputs["rank"])
    return outputs


def scored_outputs(snapshot: pd.DataFrame, step: Callable[[], None] = lambda: None) -> pd.DataFrame:
    """The rows with a score, checked: one row per scored output, in the columns `SCORING_COLUMNS`.

    Unlike ranks, scores are measured: they may be any finite numbers, and higher is better. `step` is called
    as by `ranked_outputs`.

    Raises `SnapshotError` as `ranked_outputs` does, and for scores that are no finite numbers.
    """
    outputs = _rated_outputs(snapshot, "score", "scored", step)
    try:
        outputs["score"] = outputs["score"].astype("float64")
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"scores must be numbers: {error}") from error
    _refuse(outputs, ~np.isfinite(outputs["score"]), "a score is not finite")
    return outputs


def compared_outputs(
    snapshot: pd.DataFrame, by: Basis, step: Callable[[], None] = lambda: None
) -> pd.DataFrame:
    """The rows that can be compared, checked, with their `place` for a rank or a score: the lower is better.

    Two outputs of a judgment tie where their places are at most `by.tie_width` apart. `step` is called as by
    `ranked_outputs`.

    Raises `SnapshotError` as `ranked_outputs` or `scored_outputs` does.
    """
    match by:
        case Ranks():
            return ranked_outputs(snapshot, step).rename(columns={"rank": "place"})
        case Scores():
            outputs = scored_outputs(snapshot, step).rename(columns={"score": "place"})
            return outputs.assign(place=-outputs["place"])


def holds_scores(snapshot: pd.DataFrame) -> bool:
    """Whether the judgments are scores and no rankings: some output has a score, and none a rank."""
    has_scores, has_ranks = (
        rating in snapshot and bool(snapshot[rating].notna().any()) for rating in ("score", "rank")
    )
    return has_scores and not has_ranks


def system_names(snapshot: pd.DataFrame) -> tuple[str, ...]:
    """The systems that occur in the snapshot, ranked or not, in alphabetical order."""
    return tuple(sorted(set(chain.from_iterable(_distinct(snapshot["systems"])))))


def _rated_outputs(snapshot: pd.DataFrame, rating: str, rated: str, step: Callable[[], None]) -> pd.DataFrame:
    columns = [*_RATING_COLUMNS, rating]
    missing = [column for column in columns if column not in snapshot.columns]
    if missing:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    _check_systems(snapshot["systems"])
    is_rated = snapshot[rating].notna()
    outputs = snapshot[columns] if is_rated.all() else snapshot.loc[is_rated, columns]
    outputs = outputs.reset_index(drop=True)
    step()
    for column in ("judgment", "annotator", "sentence", "output"):
        _refuse(outputs, outputs[column].isna(), f"a {rated} output has no {column}")
    for column in ("judgment", "annotator"):
        outputs[column] = _occurring(snapshot[column], outputs[column])
        step()
    _check_judgments(outputs, rated, step)
    return outputs


def _occurring(column: pd.Series[Any], rated: pd.Series[Any]) -> pd.Categorical[Any]:
    """The values of the rated rows as categories: all that occur in the column, in alphabetical order."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Categorical(rated, categories=sorted(column.dropna().unique()))
    categories, codes = column.cat.categories, column.cat.codes.to_numpy()
    occurs = np.zeros(len(categories) + 1, dtype=bool)
    occurs[codes] = True
    if not (occurs[:-1].all() and categories.is_monotonic_increasing):
        rated = rated.cat.set_categories(categories[occurs[:-1]].sort_values())
    return pd.Categorical(rated)


def _check_judgments(outputs: pd.DataFrame, rated: str, step: Callable[[], None]) -> None:
    """Refuse what cannot be in one judgment; rows are looked at only where codes show a fault."""
    judgments = outputs["judgment"].cat.codes.to_numpy()
    lists = system_lists(outputs["systems"], system_names(outputs))
    _refuse(outputs, lists.sizes[lists.of_row] == 0, f"a {rated} output has no system")
    for column in ("annotator", "sentence"):
        codes, _ = pd.factorize(outputs[column])
        first = np.empty(len(outputs["judgment"].cat.categories), dtype=codes.dtype)
        first[judgments[::-1]] = codes[::-1]
        differs = codes != first[judgments]
        _refuse(outputs, differs, f"a judgment has more than one {column}", show=["judgment", column])
        step()
    codes, distinct = pd.factorize(outputs["output"])
    keys = np.sort(judgments * np.int64(len(distinct)) + codes)
    if np.any(keys[1:] == keys[:-1]):
        is_repeated = outputs.duplicated(["judgment", "output"])
        _refuse(outputs, is_repeated, "an output occurs twice in one judgment")
    step()
    if _a_system_stands_twice(judgments, lists, step):
        systems = outputs[["judgment", "systems"]].explode("systems")
        _refuse(systems, systems.duplicated(), "a system occurs twice in one judgment")


def _a_system_stands_twice(
    judgments: NDArray[np.integer], lists: SystemLists, step: Callable[[], None]
) -> bool:
    """Whether a system stands twice in one judgment: its bit then adds up to more than itself."""
    if any(len(set(names)) < len(names) for names in lists.lists):
        return True
    order = np.argsort(judgments, kind="stable")
    step()
    starts, _ = runs(judgments[order])
    of_row = lists.of_row[order]
    for first in range(0, len(lists.names), SYSTEMS_PER_MASK):
        bits = {name: 1 << bit for bit, name in enumerate(lists.names[first : first + SYSTEMS_PER_MASK])}
        masks = np.array([sum(bits.get(name, 0) for name in names) for names in lists.lists], dtype=np.int64)
        summed, together = (add.reduceat(masks[of_row], starts) for add in (np.add, np.bitwise_or))
        if np.any(summed != together):
            return True
    return False


def without_systems(snapshot: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """The snapshot without some systems: an output keeps its other systems, without any it goes.

    Raises `SnapshotError` for a system that does not occur, and names those that do.
    """
    excluded = frozenset(names)
    if unknown := excluded.difference(system_names(snapshot)):
        raise SnapshotError(
            f"there is no system {', '.join(sorted(unknown))}; there are {', '.join(system_names(snapshot))}"
        )
    codes, lists = pd.factorize(snapshot["systems"].to_numpy())
    kept = [tuple(name for name in names if name not in excluded) for names in lists]
    goes = np.array([not left and bool(names) for left, names in zip(kept, lists, strict=True)], dtype=bool)
    tuples = np.empty(len(kept), dtype=object)
    tuples[:] = kept
    return snapshot.assign(systems=tuples[codes])[~goes[codes]].reset_index(drop=True)


def of_sentences(snapshot: pd.DataFrame, sentences: Collection[int]) -> pd.DataFrame:
    """The judgments of these sentences, as if there were no others."""
    return snapshot[snapshot["sentence"].isin(sentences)].reset_index(drop=True)


def _distinct(systems: pd.Series[Any]) -> Iterable[Any]:
    """Each of the values once; all of them where they are no tuples and cannot be compared."""
    try:
        return pd.unique(systems.to_numpy())
    except TypeError:
        return systems


def _check_systems(systems: pd.Series[Any]) -> None:
    for names in _distinct(systems):
        if not (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            raise SnapshotError(f"systems must be a tuple of names, or the empty tuple, not {names!r}")


def _integers(ranks: pd.Series[int]) -> pd.Series[int]:
    try:
        return ranks.astype("Int64").astype("int64")
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"ranks must be integers: {error}") from error


def _refuse(
    outputs: pd.DataFrame,
    is_faulty: pd.Series[bool] | NDArray[np.bool_],
    fault: str,
    *,
    show: Sequence[str] = (),
) -> None:
    """Raise an error that shows the first faulty row, or some columns of it."""
    if is_faulty.any():
        row = outputs.loc[is_faulty, list(show or outputs.columns)].iloc[0]
        raise SnapshotError(f"{fault}: {row.to_dict()}")
