"""A judgment set: judgments of outputs whose texts any metric can score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.metrics.metric_scores import Evaluation, unparsed, with_parser
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, computed_scores, given_scores
from annotate.scores.metric_setup import english_pipeline
from core.arrays import FloatArray
from core.parameters import ParameterError
from core.progress import Advance
from formats.metric_scores import GivenScores
from metrics import AnyMetric, InputError, MetricError, Need, metric_from_text
from metrics.english.grammar_checkers import CheckerError, HarperChecker
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation import MetricScores, scores_of_sentences
from ranking import Coefficient, correlation
from ranking.machines import output_edits
from ranking.machines.baselines import MOST_EDITS


@dataclass(eq=False)
class JudgmentSet:
    """Judgments of systems on some sentences, with the texts.

    Attributes:
        name: such as "seeda/base".
        text_set: the name of its sentences, which sets share that differ in systems.
        about: in words, what was judged.
        read: reads judgments whose sentences count from 0, and the texts that were judged.
        gold: adds gold edits to the texts, for metrics that need them; None if the texts have them or there
            are none.
        compared: names of metrics that a new one is compared with unless others are asked for.
        released: scores of metrics that came with the judgments.
        human: scores of systems that came with the judgments, in the order of the systems, by their name.
    """

    name: str
    text_set: str
    about: str
    read: Callable[[], tuple[Judgments, Evaluation]]
    gold: Callable[[Evaluation], Evaluation] | None = None
    compared: Sequence[str] = ()
    released: Callable[[], Sequence[MetricScores]] = lambda: ()
    human: Callable[[], Mapping[str, FloatArray]] = dict

    @cached_property
    def _read(self) -> tuple[Judgments, Evaluation]:
        return self.read()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with texts, in their order."""
        return tuple(self._read[1].outputs)

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self._read[1].data.sources)

    def scored(self, metrics: Iterable[MetricScores]) -> ScoredJudgments:
        """The judgments with scores of metrics; of metrics of one name the first."""
        judgments, _ = self._read
        by_name: dict[str, MetricScores] = {}
        for metric in metrics:
            by_name.setdefault(metric.name, metric)
        return ScoredJudgments(judgments, self.sentences, self.systems, tuple(by_name.values()))

    def most_edits(self) -> MetricScores:
        """The scores of the judge that prefers more edits, which no metric should fall behind."""
        _, evaluation = self._read
        return scores_of_sentences(MOST_EDITS, output_edits(evaluation.data.sources, evaluation.outputs))

    def with_released(self, metric: MetricScores) -> dict[str, tuple[float | None, float | None]]:
        """Pearson's r and Spearman's rho with each of `human`."""
        scores = metric.of_systems(np.arange(self.sentences))
        return {
            name: (
                correlation(scores, human, Coefficient.PEARSON).value,
                correlation(scores, human, Coefficient.SPEARMAN).value,
            )
            for name, human in self.human().items()
        }

    def computed(self, name: str, progress: Advance) -> MetricScores:
        """The scores of a metric by its name; `progress` gets the number of scored outputs.

        Raises:
            ParameterError: there is no such metric, or it lacks what it needs here.
        """
        metric = metric_from_text(name)
        try:
            evaluation = self._for(metric)
            return computed_scores({name: metric}, {name: evaluation}, self.systems, progress)[0]
        except (CheckerError, InputError, MetricError, PipelineError) as error:
            raise ParameterError(f"{name} does not score {self.name}: {error}") from error

    def given(self, scores: Mapping[str, GivenScores], path: Path) -> list[MetricScores]:
        """Scores that were computed elsewhere, read from a file.

        Raises:
            FormatError: a sentence is beyond the last one.
        """
        return given_scores(scores, self.systems, self.sentences, path)

    def is_covered_by(self, scores: Mapping[str, GivenScores]) -> bool:
        """Whether a metric scores all systems of this set."""
        return any({*self.systems} <= {*each.systems, *each.sentences} for each in scores.values())

    def _for(self, metric: AnyMetric) -> Evaluation:
        """The texts with what the metric needs, as far as it can be made."""
        _, evaluation = self._read
        if Need.GOLD_EDITS in metric.required and self.gold and evaluation.data.annotations is None:
            evaluation = self.gold(evaluation)
        if Need.CHECKER in metric.required:
            evaluation = replace(evaluation, data=replace(evaluation.data, checker=HarperChecker()))
        if to_parse := unparsed([metric], evaluation):
            pipeline = english_pipeline()
            pipeline.parse_ahead(to_parse)
            evaluation = with_parser(metric, evaluation, pipeline)
        return evaluation
