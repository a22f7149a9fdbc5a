"""Metrics and people on the same sentences and systems."""

from dataclasses import dataclass

import numpy as np

from core.arrays import IntArray
from metrics.base.evaluation_sets import InputError
from metrics.meta_evaluation.human_judgments import People
from metrics.meta_evaluation.metric_scores import MetricScores


@dataclass(frozen=True, slots=True, eq=False)
class MetricsAndPeople:
    """Judgments and metric scores of the same S systems on the same n sentences.

    Attributes:
        people: the judgments.
        metrics: the scores of each metric, systems in the order of `people.systems`; names are distinct.
        domains: the domain of each sentence; empty if domains are not known.
    """

    people: People
    metrics: tuple[MetricScores, ...]
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `InputError` if names are not distinct or arrays differ in shape."""
        names = [metric.name for metric in self.metrics]
        if len(set(names)) < len(names):
            raise InputError(f"two metrics have the same name: {', '.join(names)}")
        if not names:
            raise InputError("there are no metrics")
        shape = self.people.scores.shape
        for metric in self.metrics:
            if metric.sentences is not None and metric.sentences.shape != shape:
                raise InputError(
                    f"{metric.name} has scores of {metric.sentences.shape[0]} sentences and "
                    f"{metric.sentences.shape[1]} systems, people judged {shape[0]} and {shape[1]}"
                )
        if self.domains and len(self.domains) != shape[0]:
            raise InputError(f"{len(self.domains)} sentences have a domain, there are {shape[0]}")

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in alphabetical order."""
        return self.people.systems

    def compared_sentences(self, *, whole_set: bool) -> IntArray:
        """Numbers of the sentences that metrics score: those that people judged, or all of them.

        Metrics and people are compared on the same sentences unless the whole set is requested; its unjudged
        sentences count only for metrics (Choshen and Abend 2018, MAEGE, section 3). Raises `InputError` if
        nothing was judged.
        """
        judged = self.people.judged_sentences
        if not len(judged):
            raise InputError("no sentence was judged")
        return np.arange(self.people.sentences) if whole_set else judged
