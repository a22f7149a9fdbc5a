"""Verdicts of people on outputs, and a machine's answers about the same outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from core.later import pd
from ranking.annotators.verdicts import OUTCOMES, verdicts_on_outputs
from ranking.judgments.system_rows import numbered
from ranking.machines.alternative_annotator import Contests
from ranking.machines.label_contests import contests_over_labels
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes


@dataclass(frozen=True, slots=True, eq=False)
class OutputVerdicts:
    """The n verdicts of people on outputs.

    Attributes:
        annotators: in alphabetical order.
        annotator: shape (n,); the number of the annotator.
        sentence: shape (n,); the id of the sentence.
        keys: shape (n,); a number for each output of a sentence.
        outcome: shape (n,); 1 for *yes*, 0 for *cannot-say*, -1 for *no*.
        is_first: shape (n,); whether the annotator judged the output for the first time.
    """

    annotators: tuple[str, ...]
    annotator: IntArray
    sentence: IntArray
    keys: IntArray
    outcome: Outcomes
    is_first: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def of_outputs(self) -> NDArray[np.bool_]:
        """Shape (n,); every verdict is on one output."""
        return np.ones(len(self), dtype=bool)


def output_verdicts(
    people: pd.DataFrame, machines: pd.DataFrame | None = None
) -> tuple[OutputVerdicts, dict[str, Outcomes]]:
    """The verdicts of people, and what each machine said of the outputs, shape (n,), by its first verdict.

    Raises `SnapshotError` as `ranking.verdict_units` does.
    """
    rows = verdicts_on_outputs(people)
    own = verdicts_on_outputs(people[:0] if machines is None else machines)
    keys = numbered(*(pd.concat([rows[name], own[name]]) for name in UNIT)).astype(np.int64)
    of_people, of_machines = keys[: len(rows)], keys[len(rows) :]
    annotators = tuple(sorted(rows["annotator"].astype("object").unique()))
    annotator = pd.Index(annotators).get_indexer(pd.Index(rows["annotator"].astype("object")))
    verdicts = OutputVerdicts(
        annotators=annotators,
        annotator=annotator.astype(np.int64),
        sentence=rows["sentence"].to_numpy(dtype=np.int64),
        keys=of_people,
        outcome=_outcomes(rows),
        is_first=~pd.DataFrame({"annotator": annotator, "key": of_people}).duplicated().to_numpy(),
    )
    names, said = own["annotator"].astype("object").to_numpy(), _outcomes(own)
    answers = {}
    for name in sorted(set(names)):
        chosen = np.flatnonzero(names == name)[::-1]
        by_key = np.full(int(keys.max(initial=-1)) + 1, NO_ANSWER, dtype=np.int8)
        by_key[of_machines[chosen]] = said[chosen]  # Of several, the first is written last.
        answers[name] = by_key[of_people]
    return verdicts, answers


UNIT = ("sentence", "output")


def contests_over_answers(verdicts: OutputVerdicts, answers: Outcomes) -> Contests:
    """Compare a machine's answers about n verdicts with these: an instance is an output.

    *cannot-say* is a verdict like the others. Only the first verdict on an output by each person counts.
    """
    outputs = int(verdicts.keys.max(initial=-1)) + 1
    machine, sentence = np.full(outputs, np.nan), np.zeros(outputs, dtype=np.int64)
    given = answers != NO_ANSWER
    machine[verdicts.keys[given]] = answers[given]
    sentence[verdicts.keys] = verdicts.sentence
    first = verdicts.is_first
    return contests_over_labels(
        verdicts.annotators,
        verdicts.annotator[first],
        verdicts.keys[first],
        verdicts.outcome[first].astype(np.float64),
        machine,
        sentence=sentence,
    )


def _outcomes(rows: pd.DataFrame) -> Outcomes:
    return np.asarray(rows["verdict"].astype("object").map(OUTCOMES), dtype=np.int8)
