"""Learned metrics as files: plain JSON with a digest of everything else in it.

The digest notices any change of a file, by accident or by hand. It does not say who made the file: anyone
who writes a new file can write its digest too.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from assay import __version__
from core.arrays import FloatArray
from core.parameters import ParameterError

FORMAT = "assay-learned-metric-1"
GMEG, MTERATER = "gmeg", "mterater"
LABELS: Mapping[str, str] = {GMEG: "GMEG-Metric", MTERATER: "MTeRater"}
SHOWN_DIGITS = 12
MOST_BYTES = 10_000_000

LIMITS: Mapping[str, tuple[str, ...]] = {
    GMEG: (
        "It scores systems. Scores of single sentences are extrapolations: do not use them as feedback to "
        "learners or to choose among corrections.",
        "It has learned the domains and the kind of systems below. In other domains its order of systems may "
        "be wrong, even reversed (Napoles et al. 2019, section 6.2): train it again on judgments of yours.",
        "Do not report it as the only score of a system, and do not train systems to maximise it.",
    ),
    MTERATER: (
        "Its scores order outputs of the same sentence. They mean nothing on their own and must not be "
        "compared between sentences, or read as a quality of a text or of its writer.",
        "It has learned from the annotators, systems and sentences below. Other learners, languages and "
        "systems need new judgments.",
        "Do not report it as the only score of a system, and do not train systems to maximise it.",
    ),
}


class ModelError(ParameterError):
    """A file is no learned metric that can be used here; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The facts that users of a learned metric have to know.

    Attributes:
        data: what it has learned from, in words.
        data_digest: of judgments, texts and features: equal digests, equal data.
        sentences: number of judged sentences.
        instances: systems with synthetic ones, or pairs.
        systems: whose outputs were judged.
        domains: of the sentences; empty if not known.
        settings: by name, in words: seed, penalty, folds.
        results: by name, figures on held-out sentences; empty if it was not tested.
        signatures: of the metrics and the checker whose features it reads.
    """

    data: str
    data_digest: str
    sentences: int
    instances: int
    systems: tuple[str, ...]
    domains: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, float] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A learned metric.

    Attributes:
        kind: `GMEG` or `MTERATER`.
        metrics: metrics that give features, with their parameters as on a command line.
        groups: of features of outputs; empty for GMEG-Metric.
        rules: of the grammar checker that are features.
        checker: signature of the checker; "" without one.
        features: names of the F features, in order.
        coefficients: one for each feature.
        intercept: added to the weighted sum; 0 for MTeRater.
        spread: of each feature in training, for showing how much it moves the score.
        card: what a reader has to know.
        assay: the version of Assay that made it.
        digest: of everything else, 64 hexadecimal digits.
    """

    kind: str
    metrics: tuple[str, ...]
    groups: tuple[str, ...]
    rules: tuple[str, ...]
    checker: str
    features: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float
    spread: tuple[float, ...]
    card: ModelCard
    assay: str = __version__
    digest: str = ""

    @property
    def name(self) -> str:
        """The name of the metric, such as "learned-1f3a5c7e9b0d"."""
        return f"learned-{self.digest[:SHOWN_DIGITS]}"

    @property
    def label(self) -> str:
        """The name for people, such as "GMEG-Metric 1f3a5c7e9b0d"."""
        return f"{LABELS[self.kind]} {self.digest[:SHOWN_DIGITS]}"

    def __str__(self) -> str:
        return self.label

    @property
    def weights(self) -> FloatArray:
        """The coefficients, shape (F,)."""
        return np.array(self.coefficients, dtype=np.float64)

    @property
    def effects(self) -> FloatArray:
        """How far a usual change of each feature moves the score: coefficient times spread, shape (F,)."""
        return np.asarray(self.weights * np.array(self.spread))

    @property
    def limits(self) -> tuple[str, ...]:
        """The uses that it is not fit for."""
        return LIMITS[self.kind]


def signed(model: SavedModel) -> SavedModel:
    """The model with its digest, without negative zeros, which PostgreSQL's JSON does not keep."""
    positive = replace(
        model,
        coefficients=tuple(value + 0.0 for value in model.coefficients),
        intercept=model.intercept + 0.0,
        spread=tuple(value + 0.0 for value in model.spread),
        card=replace(model.card, results={name: value + 0.0 for name, value in model.card.results.items()}),
    )
    return replace(positive, digest=_digest(positive))


def to_json(model: SavedModel) -> str:
    """The text of the file of a signed model."""
    return json.dumps({"format": FORMAT, **asdict(model)}, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str, name: str = "the model") -> SavedModel:
    """Read a model.

    Args:
        text: of the file.
        name: of the file, for messages.

    Raises:
        ModelError: it is no learned metric, of another format, or was changed after it was saved.
    """
    again = "Train the metric again, or get the file from where it was saved."
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ModelError(f"{name} is no learned metric: it is not JSON ({error}).") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelError(f"{name} is no learned metric of the format {FORMAT}. {again}")
    try:
        model = _model(content)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{name} is no learned metric: {error}. {again}") from error
    if model.digest != _digest(model):
        raise ModelError(f"{name} was changed after it was saved: its digest does not fit. {again}")
    return model


def read_model(path: Path) -> SavedModel:
    """Read a file.

    Raises:
        ModelError: as `from_json`, or the file cannot be read.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ModelError(f"{path} is larger than any learned metric ({MOST_BYTES:,} bytes).")
        return from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} cannot be read: {error}.") from error


def write_model(model: SavedModel, path: Path) -> None:
    """Write a signed model, whole or not at all."""
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.write_text(to_json(model), encoding="utf-8")
    unfinished.replace(path)


def _digest(model: SavedModel) -> str:
    content = json.dumps(asdict(replace(model, digest="")), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _model(content: Mapping[str, Any]) -> SavedModel:
    """Raises `KeyError`, `TypeError` or `ValueError` where a part is missing or of another type."""
    values = {each.name: content[each.name] for each in fields(SavedModel)}
    card = {each.name: values["card"][each.name] for each in fields(ModelCard)}
    for name in ("systems", "domains", "signatures"):
        card[name] = _texts(card[name])
    for name in ("metrics", "groups", "rules", "features"):
        values[name] = _texts(values[name])
    for name in ("coefficients", "spread"):
        values[name] = _numbers(values[name])
    [values["intercept"]] = _numbers([values["intercept"]])
    if values["kind"] not in LABELS:
        raise ValueError(f"there is no kind {values['kind']!r}")
    if not len(values["features"]) == len(values["coefficients"]) == len(values["spread"]):
        raise ValueError("features and coefficients differ in number")
    return SavedModel(**{**values, "card": ModelCard(**card)})


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise TypeError("a list of texts is something else")
    return tuple(values)


def _numbers(values: object) -> tuple[float, ...]:
    if not isinstance(values, list) or not all(
        isinstance(each, int | float) and not isinstance(each, bool) and isfinite(each) for each in values
    ):
        raise TypeError("a list of numbers is something else")
    return tuple(map(float, values))
