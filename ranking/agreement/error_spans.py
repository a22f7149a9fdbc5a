"""Agreement of annotators on marked errors: character F1 and Krippendorff's alpha over characters.

For each output, annotators are compared by the characters that they marked, blanks included. F1 is
micro-averaged: sums over pairs of annotators and outputs come before the ratio, so that pairs in which nobody
marked anything count nowhere in it. With severities, a character that both marked counts one half where they
differ (WMT QE). Alpha is nominal with characters as units and the labels none, minor and major, pooled over
outputs. Neighbouring characters are not independent, so intervals resample sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd

LABELS = ("none", "minor", "major")
"""Labels of a character; any mark that is not major is minor."""

_F1, _OBSERVED, _SUMS = slice(0, 4), slice(4, 13), 22
"""Places of the sums of a sentence: for F1; coincidences (3, 3) of labels, then those of missing content."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement with its interval.

    Attributes:
        name: of the measure.
        value: at most 1; None if it cannot be computed.
        low: lower end of the interval over sentences; None if there is none.
        high: its upper end.
        units: number of compared labels: one by each annotator for each character, or for each output.
        reason: why there is no value or no interval, in words; None if there are both.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    units: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Agreement on marked errors.

    Attributes:
        outputs: outputs with marks, or explicitly none, by at least two annotators.
        pairs: pairs of annotators of an output.
        unmarked_pairs: those in which nobody marked a span.
        coefficients: character F1, F1 with severities, alpha of labels, of marked or not, and of missing
            content.
    """

    outputs: int
    pairs: int
    unmarked_pairs: int
    coefficients: tuple[Coefficient, ...]


MEASURES = (
    ("Character F1", "nobody marked a span of an output that two annotators judged"),
    ("Character F1, severities", "nobody marked a span of an output that two annotators judged"),
    ("α, none, minor or major", "no characters were judged by two annotators, or all have one label"),
    ("α, marked or not", "no characters were judged by two annotators, or all have one label"),
    ("α, missing content", "no outputs were judged by two annotators, or all are alike"),
)
"""Names of the coefficients, and why one may have no value."""

FEWEST_SENTENCES = 2
NO_INTERVAL = "too few sentences were judged by two annotators for an interval"


def span_agreement(
    snapshot: pd.DataFrame, *, resamples: int = 1000, confidence: float = 0.95, seed: int
) -> SpanAgreement:
    """Compare the annotators of each output; the last answer of each counts.

    Args:
        snapshot: judgments with `rating_details` as `formats.spans.marked_errors` describes them. Ratings
            without spans or without the number of characters are left out.
        resamples: of sentences, for intervals.
        confidence: of the intervals, percentiles over resamples.
        seed: of the resamples.
    """
    sums: dict[object, FloatArray] = {}
    outputs = pairs = unmarked = 0
    for sentence, labels, missing in _shared(snapshot):
        of_sentence = sums.setdefault(sentence, np.zeros(_SUMS))
        for one, other in combinations(labels, 2):
            pairs += 1
            unmarked += not (one.any() or other.any())
            both = (one > 0) & (other > 0)
            of_sentence[_F1] += (
                both.sum(),
                (both & (one == other)).sum(),
                (one > 0).sum() + (other > 0).sum(),
                1,
            )
        of_sentence[_OBSERVED] += _coincidences(labels).ravel()
        of_sentence[13:] += _coincidences(missing[:, None]).ravel()
        outputs += 1
    table = np.array(list(sums.values())).reshape(-1, _SUMS)
    values = _values(table.sum(axis=0)[None])[0]
    drawn = _values(_resampled(table, resamples, seed)) if len(table) else np.full((1, len(MEASURES)), np.nan)
    # A single sentence drawn with replacement is always itself, which would pass for certainty.
    for measures, sentences in ((slice(0, 2), (table[:, 2] > 0).sum()), (slice(2, 5), len(table))):
        drawn[:, measures] = np.nan if sentences < FEWEST_SENTENCES else drawn[:, measures]
    units = (*[int(table[:, _OBSERVED].sum())] * 4, int(table[:, 13:].sum()))
    return SpanAgreement(
        outputs,
        pairs,
        unmarked,
        tuple(
            _coefficient(name, reason, value, drawn[:, place], units[place], confidence)
            for place, ((name, reason), value) in enumerate(zip(MEASURES, values, strict=True))
        ),
    )


def _coefficient(
    name: str, reason: str, value: float, drawn: FloatArray, units: int, confidence: float
) -> Coefficient:
    if np.isnan(value):
        return Coefficient(name, None, None, None, units, reason)
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return Coefficient(name, float(value), None, None, units, NO_INTERVAL)
    tail = (1 - confidence) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return Coefficient(name, float(value), float(low), float(high), units, None)


def _shared(snapshot: pd.DataFrame) -> Iterator[tuple[object, IntArray, IntArray]]:
    """Of each output judged by several: sentence, labels (annotators, characters), and missing content."""
    rated = snapshot[snapshot["rating_details"].notna()]
    last = rated.drop_duplicates(["sentence", "output", "annotator"], keep="last")
    for (sentence, _), rows in last.groupby(["sentence", "output"], sort=False, observed=True):
        read = [json.loads(text) for text in rows["rating_details"]]
        known = [each for each in read if "spans" in each and type(each.get("characters")) is int]
        if len(known) < 2 or len({each["characters"] for each in known}) > 1:
            continue
        missing = np.array([_worst(each.get("missing", [])) for each in known])
        yield sentence, np.array([_labels(each) for each in known]), missing


def _labels(details: Mapping[str, Any]) -> IntArray:
    labels: IntArray = np.zeros(details["characters"], dtype=np.int64)
    for span in details["spans"]:
        labels[span["start"] : span["end"]] = _label(span)
    return labels


def _worst(marks: list[Mapping[str, object]]) -> int:
    return max(map(_label, marks), default=0)


def _label(mark: Mapping[str, object]) -> int:
    return 2 if mark["severity"] == "major" else 1


def _coincidences(labels: IntArray) -> FloatArray:
    """Krippendorff's coincidences (3, 3) of labels (annotators, units): each unit weighs its annotators."""
    counts = np.stack([(labels == label).sum(axis=0) for label in range(len(LABELS))]).astype(np.float64)
    pairs = counts @ counts.T - np.diag(counts.sum(axis=1))
    return pairs / (len(labels) - 1)


def _values(sums: FloatArray) -> FloatArray:
    """The coefficients (R, 5) of sums (R, 22); NaN where there is none."""
    both, alike, marked, _ = sums[:, _F1].T
    labels, missing = sums[:, _OBSERVED].reshape(-1, 3, 3), sums[:, 13:].reshape(-1, 3, 3)
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = np.stack([2 * both / marked, (both + alike) / marked])
    return np.stack([*f1, _alpha(labels), _alpha(_marked(labels)), _alpha(_marked(missing))], axis=1)


def _marked(coincidences: FloatArray) -> FloatArray:
    """The coincidences of *marked* and *not marked*, both severities together."""
    merged = np.zeros_like(coincidences)
    merged[:, 0, 0] = coincidences[:, 0, 0]
    merged[:, 0, 1] = coincidences[:, 0, 1:].sum(axis=1)
    merged[:, 1, 0] = coincidences[:, 1:, 0].sum(axis=1)
    merged[:, 1, 1] = coincidences[:, 1:, 1:].sum(axis=(1, 2))
    return merged


def _alpha(coincidences: FloatArray) -> FloatArray:
    """Nominal alpha of coincidences (R, 3, 3); NaN where all labels are the same."""
    given = coincidences.sum(axis=2)
    n = given.sum(axis=1)
    different = n - np.trace(coincidences, axis1=1, axis2=2)
    expected = n**2 - (given**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - (n - 1) * different / expected, np.nan)


def _resampled(table: FloatArray, resamples: int, seed: int) -> FloatArray:
    """The sums (R, 22) of R resamples of the sentences (S, 22)."""
    rng = np.random.default_rng(seed)
    sizes = [1 / len(table)] * len(table)
    return np.array([rng.multinomial(len(table), sizes) @ table for _ in range(resamples)])
