"""A metric of gec-metrics as one of Assay's, and the entry point that registers all that are listed."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import ClassVar, cast

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, Need, required_references
from metrics.base.metric import AnyMetric, BatchReduce, MeanMetric, NoParameters, NotScored, mean_row
from metrics.gec_metrics.interpreter import GecMetricsError, Interpreter, Wait
from metrics.gec_metrics.listing import LIST_AGAIN, ListedMetric, MetricList, Setup, read_list, reported

OUTPUTS_PER_REQUEST = 64
DIGITS_OF_DIGEST = 8
"""Digits of the digest of options in signatures."""

_setups: list[Setup] = []


def set_up(setup: Setup | None) -> None:
    """Say how gec-metrics is run; None for not at all. Metrics looked up before do not change."""
    _setups[:] = [setup] if setup else []


def listed_metrics() -> list[type[AnyMetric]]:
    """The metrics of the list, a class each; none where gec-metrics is not set up.

    Raises:
        GecMetricsError: as `read_list`.
    """
    metrics = []
    for setup in _setups:
        kept = read_list(setup)
        metrics += [_metric(each, kept, setup) for each in kept.metrics]
    return metrics


class GecMetric(MeanMetric[NoParameters]):
    """A metric of gec-metrics by its sentence scores; a corpus scores their mean.

    Attributes:
        setup: how gec-metrics is run.
        listed: what the list says of the metric.
        version: of gec-metrics.
    """

    setup: ClassVar[Setup]
    listed: ClassVar[ListedMetric]
    version: ClassVar[str]

    def prepare(self, data: EvaluationSet) -> "GecReduce":
        """One row: `mean_row`. The interpreter is started with the first output."""
        references = required_references(data) if self.listed.references else None
        return GecReduce(self.setup, self.listed, self.version, data.sources, references)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """A digest of the options, where there are any."""
        if not self.listed.options:
            return {}
        options = json.dumps(self.listed.options, sort_keys=True)
        return {"options": hashlib.sha256(options.encode()).hexdigest()[:DIGITS_OF_DIGEST]}


class GecReduce(BatchReduce):
    """Asks the interpreter for scores.

    Args:
        setup: how gec-metrics is run.
        listed: the metric.
        version: of gec-metrics, as the list has it.
        sources: of n sentences.
        references: the references of each; None for a metric that takes none.
    """

    def __init__(
        self,
        setup: Setup,
        listed: ListedMetric,
        version: str,
        sources: Sequence[str],
        references: Sequence[Sequence[str]] | None,
    ) -> None:
        self._setup = setup
        self._listed = listed
        self._version = version
        self._sources = sources
        self._references = references
        self._interpreter: Interpreter | None = None

    def many(
        self, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
    ) -> list[FloatArray | NotScored]:
        """A row of each; the outputs of a request have the same number of references."""
        reduced: list[FloatArray | NotScored] = [NotScored("the sentence has no reference")] * len(outputs)
        by_number: dict[int, list[int]] = defaultdict(list)
        for place, (sentence, _) in enumerate(outputs):
            by_number[len(self._of(sentence))].append(place)
        if self._references is not None:
            progress(len(by_number.pop(0, [])))
        for places in by_number.values():
            for begin in range(0, len(places), OUTPUTS_PER_REQUEST):
                asked = places[begin : begin + OUTPUTS_PER_REQUEST]
                scores = self._scores([outputs[place] for place in asked], lambda: progress(0))
                for place, score in zip(asked, scores, strict=True):
                    reduced[place] = self._row(score)
                progress(len(asked))
        return reduced

    def close(self) -> None:
        """End the interpreter."""
        if self._interpreter is not None:
            self._interpreter.close()
            self._interpreter = None

    def _of(self, sentence: int) -> Sequence[str]:
        return () if self._references is None else self._references[sentence]

    def _row(self, score: float | None) -> FloatArray | NotScored:
        if score is None or not isfinite(score):
            return NotScored(f"{self._listed.label} of gec-metrics gives no finite number for it")
        return mean_row(score)

    def _scores(self, outputs: Sequence[tuple[int, str]], wait: Wait) -> list[float | None]:
        """The score of each; None where it is no finite number."""
        try:
            answer = self._started(wait).ask(
                {
                    "metric": self._listed.id,
                    "options": self._listed.options,
                    "sources": [self._sources[sentence] for sentence, _ in outputs],
                    "hypotheses": [output for _, output in outputs],
                    "references": list(zip(*(self._of(sentence) for sentence, _ in outputs), strict=True)),
                },
                wait,
            )
            return self._checked(answer.get("scores"), len(outputs))
        except BaseException:
            # The next line of the program may be the answer to this request.
            self.close()
            raise

    def _started(self, wait: Wait) -> Interpreter:
        if self._interpreter is None:
            self._interpreter = Interpreter(self._setup.python, self._setup.seconds)
            there = reported(self._interpreter, self._setup.python, wait)
            if there.version != self._version or self._listed.id not in {each.id for each in there.metrics}:
                raise GecMetricsError(
                    f"gec-metrics {self._version} was listed with {self._listed.id}, and the interpreter has "
                    f"gec-metrics {there.version} with {', '.join(each.id for each in there.metrics)}. "
                    f"{LIST_AGAIN}."
                )
        return self._interpreter

    def _checked(self, scores: object, expected: int) -> list[float | None]:
        if not isinstance(scores, list) or not all(
            each is None or (isinstance(each, int | float) and not isinstance(each, bool)) for each in scores
        ):
            raise GecMetricsError(
                f"{self._listed.label} of gec-metrics answered with something else than scores."
            )
        if len(scores) != expected:
            raise GecMetricsError(
                f"{self._listed.label} of gec-metrics gave {len(scores)} scores for {expected} outputs."
            )
        return scores


def _metric(listed: ListedMetric, kept: MetricList, setup: Setup) -> type[AnyMetric]:
    """The class of a metric of the list."""
    attributes = {
        "__doc__": f"{listed.label} of gec-metrics.",
        "name": f"gec-{listed.id.replace('_', '-')}",
        "label": f"{listed.label} (gec-metrics)",
        "summary": f"{listed.label} of gec-metrics {kept.version}; a system has the mean of its sentences.",
        "needs": frozenset({Need.REFERENCES}) if listed.references else frozenset(),
        "package": f"gec-metrics-{kept.version}",
        "setup": setup,
        "listed": listed,
        "version": kept.version,
    }
    return cast(type[AnyMetric], type(f"Gec{listed.label}", (GecMetric,), attributes))
