"""Contests of a machine with people over labels or scores of items (Calderon et al. 2025, section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from ranking.machines.alternative_annotator import Contest, Contests

Label = str | float | bool

ROUNDING = 1e-9
"""Differences of means of scores below this share of them are rounding errors: ties."""


class LabelAgreement(StrEnum):
    """How well an answer agrees with those of the others."""

    ACCURACY = "accuracy"
    """Share of the others with the same label."""
    RMSE = "rmse"
    """Minus the root of the mean squared difference from the others' scores."""


def contests_over_labels(
    names: Sequence[str],
    annotator: NDArray[np.integer],
    item: NDArray[np.integer],
    label: FloatArray,
    machine: FloatArray,
    agreement: LabelAgreement = LabelAgreement.ACCURACY,
    *,
    sentence: NDArray[np.integer] | None = None,
) -> Contests:
    """Compare a machine's label of each item with n answers of people.

    `names` are those of the J people; `annotator`, `item` and `label`, shape (n,), are their answers, one of
    each person to an item; `machine` has the machine's label of each of the I items, NaN where it gave none.
    Labels are numbers, which accuracy only compares. `sentence`, shape (I,), is that of each item; if it is
    None, each item is a sentence of its own.
    """
    items = len(machine)
    has_answer = ~np.isnan(machine)
    people_of = np.bincount(item, minlength=items)
    shared = people_of >= 2
    used = (shared & has_answer)[item]
    who, what = annotator[used], item[used]
    lead = _lead(what, label[used], machine[what], agreement, items)
    sentences = np.arange(items) if sentence is None else sentence
    return Contests(
        people=tuple(
            Contest(name, lead[rows] >= 0, lead[rows] <= 0, sentences[what[rows]])
            for name, rows in ((name, np.flatnonzero(who == place)) for place, name in enumerate(names))
        ),
        instances=int(np.count_nonzero(shared)),
        answered=int(np.count_nonzero(shared & has_answer)),
    )


def label_contests(
    people: Mapping[str, Mapping[str, Label]],
    machine: Mapping[str, Label],
    agreement: LabelAgreement = LabelAgreement.ACCURACY,
) -> Contests:
    """Compare a machine's labels, by item, with those of people, by name and item.

    Raises `ValueError` for labels that are no numbers where their differences are wanted.
    """
    answers = [(name, item, label) for name, labels in people.items() for item, label in labels.items()]
    items = {item: place for place, item in enumerate(dict.fromkeys(item for _, item, _ in answers))}
    places = {name: place for place, name in enumerate(people)}
    own = {item: label for item, label in machine.items() if item in items}
    values = _numbers([*(label for _, _, label in answers), *own.values()], agreement)
    of_machine = np.full(len(items), np.nan)
    of_machine[[items[item] for item in own]] = values[len(answers) :]
    return contests_over_labels(
        tuple(people),
        np.array([places[name] for name, _, _ in answers], dtype=np.int64),
        np.array([items[item] for _, item, _ in answers], dtype=np.int64),
        values[: len(answers)],
        of_machine,
        agreement,
    )


def _lead(
    item: IntArray, people: FloatArray, machine: FloatArray, agreement: LabelAgreement, items: int
) -> FloatArray:
    """Positive where the machine agrees better with the others than the person does, 0 where equally well.

    Shape (n,), for the answers of people to items and the machine's labels of these items.
    """
    if agreement is LabelAgreement.ACCURACY:
        like_person = _others_alike(item, people, people) - 1
        like_machine = _others_alike(item, people, machine) - (machine == people)
        return np.asarray(like_machine - like_person, dtype=np.float64)
    others = np.bincount(item, minlength=items)[item] - 1
    total = np.bincount(item, people, minlength=items)[item] - people
    # The sum over the others of (person - other)^2 - (machine - other)^2.
    factor = others * (people + machine) - 2 * total
    scale = others * (np.abs(people) + np.abs(machine)) + 2 * np.abs(total)
    factor[np.abs(factor) <= ROUNDING * scale] = 0
    return (people - machine) * factor


def _others_alike(item: IntArray, people: FloatArray, label: FloatArray) -> IntArray:
    """How many people gave each item this label, shape (n,)."""
    _, codes = np.unique(np.concatenate([people, label]), return_inverse=True)
    size = int(codes.max(initial=0)) + 1
    given = item * size + codes[: len(people)]
    keys, counts = np.unique(given, return_counts=True)
    wanted = item * size + codes[len(people) :]
    places = np.searchsorted(keys, wanted)
    found = np.append(keys, -1)[places] == wanted
    return np.where(found, np.append(counts, 0)[places], 0)


def _numbers(labels: Sequence[Label], agreement: LabelAgreement) -> FloatArray:
    if agreement is LabelAgreement.ACCURACY:
        codes: dict[tuple[bool, Label], int] = {}
        numbers = [codes.setdefault((isinstance(label, bool), label), len(codes)) for label in labels]
        return np.array(numbers, dtype=np.float64)
    for label in labels:
        if isinstance(label, str | bool):
            raise ValueError(f"rmse needs scores, and {label!r} is not a number")
    return np.array(labels, dtype=np.float64)
