"""Contests of a machine with people over scores of outputs and verdicts on them: an instance is an output."""

from __future__ import annotations

import numpy as np

from core.later import pd
from ranking.annotators.verdicts import OUTCOMES, verdicts_on_outputs
from ranking.judgments.snapshot import scored_outputs
from ranking.judgments.system_rows import numbered
from ranking.machines.alternative_annotator import Contests
from ranking.machines.label_contests import LabelAgreement, contests_over_labels
from ranking.uncertainty.scalars import standardised


def contests_over_scores(people: pd.DataFrame, machine: pd.DataFrame, *, z_scores: bool = False) -> Contests:
    """Compare scores of outputs by their squared differences, of two snapshots.

    With `z_scores`, scores are standardised by judge, since people use a scale differently; judges whose
    scores are all the same are left out. Only the first score of an output by each judge counts.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    if z_scores:
        people, machine = standardised(people).snapshot, standardised(machine).snapshot
    scores, own = (scored_outputs(each).rename(columns={"score": "label"}) for each in (people, machine))
    return _contests(scores, own, LabelAgreement.RMSE)


def contests_over_verdicts(people: pd.DataFrame, machine: pd.DataFrame) -> Contests:
    """Compare verdicts on outputs, of two snapshots; *cannot-say* is a verdict like the others.

    Only the first verdict on an output by each judge counts.

    Raises `SnapshotError` as `ranking.verdict_units` does.
    """
    verdicts, own = (
        rows.assign(label=rows["verdict"].map(OUTCOMES).astype(np.float64))
        for rows in map(verdicts_on_outputs, (people, machine))
    )
    return _contests(verdicts, own, LabelAgreement.ACCURACY)


def _contests(people: pd.DataFrame, machine: pd.DataFrame, agreement: LabelAgreement) -> Contests:
    """Both have the columns `annotator`, `sentence`, `output` and `label`."""
    first = people[~people.duplicated(["annotator", "sentence", "output"])]
    own = machine[~machine.duplicated(["sentence", "output"])]
    item = numbered(*(pd.concat([first[column], own[column]]) for column in ("sentence", "output")))
    items = int(item.max(initial=-1)) + 1
    labels, sentence = np.full(items, np.nan), np.zeros(items, dtype=np.int64)
    labels[item[len(first) :]] = own["label"].to_numpy(dtype=np.float64)
    sentence[item] = pd.concat([first["sentence"], own["sentence"]]).to_numpy(dtype=np.int64)
    names = sorted(people["annotator"].astype("object").unique())
    return contests_over_labels(
        names,
        pd.Index(names).get_indexer(pd.Index(first["annotator"].astype("object"))),
        item[: len(first)],
        first["label"].to_numpy(dtype=np.float64),
        labels,
        agreement,
        sentence=sentence,
    )
