"""The snapshot: the one frame in which judgments leave for analysis. Pure.

One row per rating, or one row with a null output for a judgment without ratings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.later import pd
from formats import JudgmentRecord, read_judgments
from formats.snapshot.judgment_columns import COLUMNS, LATER_SNAPSHOT_COLUMNS
from formats.snapshot.judgment_rows import snapshot_rows
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshot_json import json_of_parts
from formats.snapshot.vocabulary import JudgmentState

DTYPES = {name: column.dtype for name, column in COLUMNS.items() if column.dtype}
"""Categories are strings in alphabetical order, of which each occurs. Systems are tuples that rows share.
Further texts, details and propensities stand as their JSON (`formats.snapshot.answer_details`,
`formats.snapshot.propensities_json`).
"""


def frame_of_rows(rows: Iterable[tuple[object, ...]]) -> pd.DataFrame:
    """The frame of rows whose values stand in the order of `DTYPES`; None is null."""
    columns = list(zip(*rows, strict=True)) or [()] * len(DTYPES)
    return pd.DataFrame(
        {
            name: categories(values) if dtype == "category" else pd.Series(list(values), dtype=dtype)
            for (name, dtype), values in zip(DTYPES.items(), columns, strict=True)
        }
    )


def categories(strings: Iterable[str | None]) -> pd.Categorical:
    """The strings as categories, as `DTYPES` has them; None is null."""
    values = pd.Series(list(strings), dtype="str")
    return pd.Categorical(values, categories=pd.Index(sorted(values.dropna().unique()), dtype="str"))


def joined(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The snapshot of the judgments of several campaigns, one after the other; all have the same columns."""
    [first, *others] = frames
    if not others:
        return first
    parts = [first, *others]
    return pd.DataFrame(
        {
            name: pd.api.types.union_categoricals([part[name] for part in parts], sort_categories=True)
            if dtype == "category"
            else pd.concat([part[name] for part in parts], ignore_index=True)
            for name, dtype in DTYPES.items()
            if name in first
        }
    )


def frame_of_file(path: Path, *, machines: bool = False) -> pd.DataFrame:
    """The snapshot of a judgments file that has no corpus, without a database.

    Args:
        path: the file.
        machines: whether to include the judgments of machines.

    Raises:
        FormatError: the file is not what it should be; the message names line and cause.
    """
    return frame_of_judgments(resolve(read_judgments(path), path), campaign=path.stem, machines=machines)


def frame_of_judgments(
    judgments: Iterable[JudgmentRecord], *, campaign: str, machines: bool = False
) -> pd.DataFrame:
    """The snapshot of judgments: current answers of people, and machines if asked, without surplus ones."""
    return frame_of_rows(
        row
        for judgment in judgments
        if judgment.state != JudgmentState.SURPLUS and (machines or judgment.annotator_kind is None)
        for row in snapshot_rows(judgment, judgment.current, campaign=campaign)
    )


def content_hash(frame: pd.DataFrame, step: Callable[[], None] = lambda: None) -> str:
    """SHA-256 of the frame's content, in hexadecimal: equal frames, and only they, have it equal.

    Columns that older releases lack count only where they hold something, so that a result of these names
    the same snapshot today. `step` is as of `content_hash_of_parts`.
    """
    return content_hash_of_parts(filled_columns(frame), frame.index, [frame], step)


def filled_columns(frame: pd.DataFrame) -> list[str]:
    """The columns of the frame that its content hash counts."""
    return [
        name for name in frame.columns if name not in LATER_SNAPSHOT_COLUMNS or not frame[name].isna().all()
    ]


def content_hash_of_parts(
    columns: Sequence[str],
    index: pd.Index[int],
    parts: Iterable[pd.DataFrame],
    step: Callable[[], None] = lambda: None,
) -> str:
    """The content hash of a frame that is given in parts.

    Args:
        columns: those of the frame that count.
        index: of the frame; that of the parts does not count.
        parts: its rows in order.
        step: called after some rows; an exception that it raises ends the work.
    """
    digest = hashlib.sha256()
    for piece in json_of_parts(columns, index, parts):
        digest.update(piece)
        step()
    return digest.hexdigest()
