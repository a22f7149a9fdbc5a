"""The public texts of GMEG, scored by the metrics of its Table 8."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.analyses.metric_scores import read_evaluation
from analysis.reproduction.gmeg import REFERENCES
from core.later import pd
from metrics import Parser, Scored, metric_from_text, score
from metrics.edit_extraction import extracted_annotations
from metrics.validation import (
    MetricsAndPeople,
    MetricScores,
    People,
    people,
    scores_of_metric,
    scores_of_sentences,
)
from ranking import without_systems
from ranking.resampling import Progress
from ranking.snapshot import system_names

SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
"""In alphabetical order. Source, source+error and references are in no correlation."""

SCORED = ("chrf", "errant:average=categories", "gleu", "chargleu", "imeasure", "m2")
"""Other betas follow from the statistics of these."""

OUTPUTS = len(SCORED) * len(SYSTEMS) * (968 + 992)
"""Outputs of the development sentences, as progress counts them."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDomain:
    """The judgments of a domain, and its outputs under the metrics of `SCORED`.

    Attributes:
        people: the judgments of `SYSTEMS`.
        scored: by name in `SCORED`.
    """

    people: People
    scored: Mapping[str, Scored]

    def metrics_and_people(self) -> MetricsAndPeople:
        """The judgments with the metrics of Table 8."""
        return MetricsAndPeople(self.people, table_8_metrics(self.scored))


def scored_domain(
    folder: Path, snapshot: pd.DataFrame, *, parser: Parser, progress: Progress | None = None
) -> ScoredDomain:
    """The judgments of a domain with what the metrics of Table 8 are computed from, from a folder of texts.

    ERRANT is the mean of F over error categories, M2 takes the edits that ERRANT extracts as gold, and a
    system's chrF++ is the mean of its sentences.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    evaluation = read_evaluation(
        folder / "source",
        {system: folder / system for system in SYSTEMS},
        references={name: folder / name for name in REFERENCES},
        m2=[],
        lenient=False,
        checker=None,
    )
    data = replace(evaluation.data, annotations=extracted_annotations(evaluation.data, parser), parser=parser)
    told: Callable[[int], None] = progress or (lambda outputs: None)
    scored = {name: score(metric_from_text(name), data, evaluation.outputs, progress=told) for name in SCORED}
    others = set(system_names(snapshot)).difference(SYSTEMS)
    rated = without_systems(snapshot, others).dropna(subset=["score"])
    return ScoredDomain(people(rated, len(data.sources)), scored)


def table_8_metrics(scored: Mapping[str, Scored]) -> tuple[MetricScores, ...]:
    """The metrics of Table 8 by the names that it has for them, from `SCORED`."""
    errant, m2 = "errant:average=categories", "m2"
    chrf = np.stack([scored["chrf"].sentences(system) for system in SYSTEMS], axis=1)
    return (
        scores_of_sentences("chrF++", chrf, signature=f"{scored['chrf'].signature}|mean-of:sentences"),
        _with_beta("ERRANT F0.2", scored[errant], 0.2),
        _with_beta("ERRANT F0.5", scored[errant], 0.5),
        scores_of_metric("GLEU", scored["gleu"], SYSTEMS),
        scores_of_metric("charGLEU", scored["chargleu"], SYSTEMS),
        scores_of_metric("I-measure", scored["imeasure"], SYSTEMS),
        _with_beta("M2 F0.2", scored[m2], 0.2),
        _with_beta("M2 F0.5", scored[m2], 0.5),
    )


def _with_beta(name: str, scored: Scored, beta: float) -> MetricScores:
    """The scores with another beta, from the same statistics."""
    metric = type(scored.metric)(replace(scored.metric.parameters, beta=beta))
    return scores_of_metric(name, replace(scored, metric=metric), SYSTEMS)
