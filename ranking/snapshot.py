"""The snapshot: the frame of judgments that every analysis starts from, and its check.

One row per rating, or one row with a null output for a judgment without ratings. Outputs are collapsed:
systems whose texts for a sentence are identical share one output, named in `systems`. `SNAPSHOT_COLUMNS` is
the whole frame, `RANKING_COLUMNS` what this package reads of it, so that a frame made by hand needs no more.
Only rows with a rank are rankings; `ranked_outputs` is where they are taken from the frame and checked.
"""

from collections.abc import Iterable
from itertools import chain

import pandas as pd

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
)
RANKING_COLUMNS = ("judgment", "annotator", "sentence", "output", "systems", "rank")


class SnapshotError(ValueError):
    """A frame that is no snapshot; the message names the column or the judgment at fault."""


def ranked_outputs(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The rows with a rank, checked: one row per output of a ranking, in the columns `RANKING_COLUMNS`.

    `judgment` and `annotator` come as categories: all that occur in the snapshot, in alphabetical order, so
    also those that ranked nothing. Ranks are compared and never measured, so any integers will do; 1 is best.

    Raises `SnapshotError` for missing columns, ranks that are no integers, systems that are not a tuple of
    names, a ranked output without judgment, annotator, sentence, name or system, a judgment with two
    annotators or sentences, and an output or a system that stands twice in one judgment.
    """
    missing = [column for column in RANKING_COLUMNS if column not in snapshot.columns]
    if missing:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    _check_systems(snapshot["systems"])
    outputs = snapshot.loc[snapshot["rank"].notna(), list(RANKING_COLUMNS)].reset_index(drop=True)
    for column in ("judgment", "annotator", "sentence", "output"):
        _refuse(outputs[outputs[column].isna()], f"a ranked output has no {column}")
    _refuse(outputs[~outputs["systems"].astype(bool)], "a ranked output has no system")
    for column in ("annotator", "sentence"):
        owners = outputs[["judgment", column]].drop_duplicates()
        _refuse(owners[owners["judgment"].duplicated()], f"a judgment has more than one {column}")
    _refuse(outputs[outputs.duplicated(["judgment", "output"])], "an output stands twice in one judgment")
    systems = outputs[["judgment", "systems"]].explode("systems")
    _refuse(systems[systems.duplicated()], "a system stands twice in one judgment")
    for column in ("judgment", "annotator"):
        outputs[column] = pd.Categorical(
            outputs[column], categories=sorted(snapshot[column].dropna().unique())
        )
    outputs["rank"] = _integers(outputs["rank"])
    return outputs


def system_names(snapshot: pd.DataFrame) -> tuple[str, ...]:
    """The systems that occur in the snapshot, ranked or not, in alphabetical order."""
    return tuple(sorted(set(chain.from_iterable(snapshot["systems"]))))


def _check_systems(systems: Iterable[object]) -> None:
    for names in systems:
        if not (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            raise SnapshotError(f"systems must be a tuple of names, or the empty tuple, not {names!r}")


def _integers(ranks: "pd.Series[int]") -> "pd.Series[int]":
    try:
        return ranks.astype("Int64").astype("int64")
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"ranks must be integers: {error}") from error


def _refuse(faulty: pd.DataFrame, fault: str) -> None:
    if len(faulty):
        raise SnapshotError(f"{fault}: {faulty.iloc[0].to_dict()}")
