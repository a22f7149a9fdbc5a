"""The judgments of a bundle: ratings alone, with annotators as numbers and, if wanted, systems too."""

import hashlib
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from formats.columns import COLUMNS, SCHEMA_VERSION
from formats.formulas import guarded
from formats.writers.tables import csv_lines

KEPT = (
    *("protocol", "sentence", "item", "repetition", "state", "output"),
    *("position", "rank", "score", "meaning_changed", "revision", "active_ms", "propensities"),
)
"""Columns that stay as they are. Times, notes and texts that annotators wrote are left out."""


def judgments_csv(
    frame: pd.DataFrame, *, title: str, annotators: Mapping[str, int], systems: Mapping[str, str]
) -> str:
    """The judgments of a snapshot as CSV in the format of exports.

    Args:
        frame: the snapshot, all columns.
        title: the name of the campaign in it.
        annotators: the number of each annotator.
        systems: the name that each system is given.
    """
    number_of = {key: place for place, key in enumerate(dict.fromkeys(frame["judgment"]), start=1)}
    kept = {name: frame[name].astype("object").where(frame[name].notna(), None) for name in KEPT}
    columns: dict[str, list[object]] = {name: [None] * len(frame) for name in COLUMNS}
    columns |= {name: list(values) for name, values in kept.items()}
    columns["schema_version"] = [SCHEMA_VERSION] * len(frame)
    columns["judgment"] = [number_of[key] for key in frame["judgment"]]
    columns["campaign"] = [guarded(title)] * len(frame)
    columns["annotator"] = [annotator_name(annotators[key]) for key in frame["annotator"]]
    columns["annotator_number"] = [annotators[key] for key in frame["annotator"]]
    columns["systems"] = [
        guarded(" ".join(sorted(systems[name] for name in names)) or None) for names in frame["systems"]
    ]
    columns["meaning_changed"] = [
        None if flag is None else str(bool(flag)).lower() for flag in columns["meaning_changed"]
    ]
    return "".join(csv_lines(COLUMNS, zip(*columns.values(), strict=True)))


def annotator_name(number: int) -> str:
    """The name of an annotator in a bundle."""
    return f"annotator-{number:03}"


def number_of(name: str) -> int:
    """The number of the annotator of this name in a bundle."""
    return int(name.rpartition("-")[2])


def numbered_systems(names: tuple[str, ...], seed: int) -> dict[str, str]:
    """Names without meaning, in random order."""
    order = np.random.default_rng(seed).permutation(len(names))
    return {name: f"system-{place + 1:02}" for name, place in zip(names, order.tolist(), strict=True)}


def digests(csv: str) -> Iterator[str]:
    """A line for each judgment of a file: its number, and the SHA-256 of its lines."""
    of_judgment: dict[str, hashlib._Hash] = {}
    for line in csv.splitlines()[1:]:
        name = line.split(",", 2)[1]
        of_judgment.setdefault(name, hashlib.sha256()).update(line.encode() + b"\n")
    for name, digest in of_judgment.items():
        yield f"{name} {digest.hexdigest()}"
