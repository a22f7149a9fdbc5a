"""Verdicts on single edits of outputs, which a snapshot has in the details of ratings (`rating_details`)."""

from __future__ import annotations

import json

import numpy as np

from core.later import pd
from ranking.judgments.pairs import OutputPairs
from ranking.judgments.snapshot import SnapshotError
from ranking.judgments.system_rows import numbered

ACCEPTED, REJECTED, CANNOT_SAY = "accepted", "rejected", "cannot-say"
OUTCOMES = {ACCEPTED: 1, CANNOT_SAY: 0, REJECTED: -1}

OPERATIONS = ("insertion", "deletion", "replacement")
"""Stand for the type of edits that have none."""

COLUMNS = ("judgment", "annotator", "sentence", "output", "systems", "rating_details")
"""The columns of a snapshot that are read."""


def edit_verdicts(snapshot: pd.DataFrame) -> pd.DataFrame:
    """A row for each verdict on an edit, in the order of the snapshot and of the sentence.

    The columns are `judgment`, `annotator`, `sentence`, `output` and `systems` of the rating; `start`, `end`
    (the span in code points of the sentence), `replacement` and `type` (empty if it has none) of the edit;
    `verdict` and `outcome` (1 accepted, 0 cannot say, -1 rejected); `unit`, the number of the edit of the
    output; and `question`, the number of the edits of an output that were judged together, with one verdict.

    Raises `SnapshotError` for missing columns.
    """
    if missing := [column for column in COLUMNS if column not in snapshot.columns]:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    details = snapshot["rating_details"].astype("category")
    read = [_edits(text) for text in details.cat.categories]
    codes = details.cat.codes.to_numpy()
    judged = np.flatnonzero((codes >= 0) & snapshot["output"].notna().to_numpy())
    sizes = np.array([len(read[code]) for code in codes[judged]], dtype=np.int64)
    edits = [edit for code in codes[judged] for edit in read[code]]
    names = ("start", "end", "replacement", "type", "asked", "verdict")
    of_edits = pd.DataFrame(edits, columns=names)
    rows = snapshot.iloc[np.repeat(judged, sizes)][list(COLUMNS[:-1])].reset_index(drop=True)
    rows = pd.concat([rows, of_edits.drop(columns="asked")], axis=1)
    rows["outcome"] = rows["verdict"].map(OUTCOMES).astype("int8")
    place = (rows["sentence"], rows["output"])
    rows["unit"] = numbered(*place, rows["start"], rows["end"], rows["replacement"])
    rows["question"] = numbered(*place, of_edits["asked"])
    return rows


def typed_verdicts(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The rows of `edit_verdicts`, with one of `OPERATIONS` as the type of edits that have none."""
    return with_operations(edit_verdicts(snapshot))


def with_operations(edits: pd.DataFrame) -> pd.DataFrame:
    """The edits, with one of `OPERATIONS` as the `type` of those that have none."""
    inserts, deletes = edits["start"] == edits["end"], edits["replacement"] == ""
    operation = np.select([inserts, deletes], OPERATIONS[:2], OPERATIONS[2])
    typed = edits["type"].where(edits["type"] != "", pd.Series(operation, index=edits.index))
    return edits.assign(type=typed)


def edit_units(rows: pd.DataFrame) -> OutputPairs:
    """The verdicts in the form in which `ranking.agreement_over` compares annotators: a unit is a question.

    *accepted*, *cannot-say* and *rejected* are three categories; their order does not count.
    """
    asked = rows.drop_duplicates(["judgment", "question"])
    annotators = sorted(rows["annotator"].astype("object").unique())
    return OutputPairs(
        annotators=tuple(annotators),
        annotator=pd.Categorical(asked["annotator"].astype("object"), categories=annotators).codes,
        pair=asked["question"].to_numpy(dtype=np.int32),
        outcome=asked["outcome"].to_numpy(dtype=np.int8),
    )


def _edits(details: str) -> list[tuple[int, int, str, str, str, str]]:
    """The edits with a verdict in the details of a rating; none in those of other protocols."""
    edits = json.loads(details).get("edits")
    if not isinstance(edits, list):
        return []
    return [
        (
            edit["start"],
            edit["end"],
            edit.get("replacement", ""),
            edit.get("type", ""),
            f"together {edit['question']}" if "question" in edit else f"{edit['start']} {edit['end']}",
            edit["verdict"],
        )
        for edit in edits
        if isinstance(edit, dict)
        and isinstance(edit.get("start"), int)
        and isinstance(edit.get("end"), int)
        and edit.get("verdict") in OUTCOMES
    ]
