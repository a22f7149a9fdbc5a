"""Contests of a machine with people over rankings: an instance is a sentence with the pairs that both judged.

The pairs of a sentence are not independent. A person agrees with another one in the share of the pairs of
systems, of those that both judged, with the same outcome; the machine is compared on exactly these pairs.
Agreement with the others is the mean over them.
"""

from __future__ import annotations

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.machines.alternative_annotator import Contest, Contests
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs, ordered_pairs_within

ROUNDING = 1e-9


def contests_over_pairs(pairs: ScreenPairs, answers: Outcomes, *, half_ties: bool = False) -> Contests:
    """Compare a machine's answers about n pairs with those of people.

    `answers` has the shape (n,) (`answers_of_values`, `answers_of_machine`). Only the first judgment of a
    sentence by each person counts. If `half_ties`, two outcomes of which exactly one is a tie agree by a
    half.
    """
    first, said = pairs.first_answers, answers[pairs.is_first]
    one, other = ordered_pairs_within(first.keys)
    has_answer = said[one] != NO_ANSWER
    shared = np.unique(first.sentence[one])
    one, other = one[has_answer], other[has_answer]
    lead = agreement(said[one], first.outcome[other], half_ties=half_ties) - agreement(
        first.outcome[one], first.outcome[other], half_ties=half_ties
    )
    with_each, of_instance = _means(lead, first.annotator[one], first.sentence[one], first.annotator[other])
    leads, instance = _means(with_each, *of_instance[:2])
    person, sentence = instance
    return Contests(
        people=tuple(
            Contest(name, leads[rows] >= -ROUNDING, leads[rows] <= ROUNDING, sentence[rows])
            for name, rows in (
                (name, np.flatnonzero(person == place)) for place, name in enumerate(first.annotators)
            )
        ),
        instances=len(shared),
        answered=len(np.unique(first.sentence[one])),
    )


def agreement(one: Outcomes, other: Outcomes, *, half_ties: bool = False) -> FloatArray:
    """1 where two outcomes are the same, .5 where exactly one is a tie if `half_ties`, else 0; shape (n,)."""
    same: FloatArray = (one == other).astype(np.float64)
    if half_ties:
        same[(one == 0) != (other == 0)] = 0.5
    return same


def _means(values: FloatArray, *columns: IntArray) -> tuple[FloatArray, list[IntArray]]:
    """The mean of the values of each distinct row of the columns, and these rows."""
    frame = pd.DataFrame({str(place): column for place, column in enumerate(columns)})
    frame["value"] = values
    means = frame.groupby([str(place) for place in range(len(columns))], as_index=False)["value"].mean()
    return means["value"].to_numpy(dtype=np.float64), [
        means[str(place)].to_numpy(dtype=np.int64) for place in range(len(columns))
    ]
