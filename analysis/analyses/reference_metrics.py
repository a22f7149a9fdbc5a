"""Metrics against people's corrections as references, whose edits are not marked."""

from collections.abc import Mapping, Sequence

from core.parameters import ParameterError
from metrics import EvaluationSet, Metric, UnknownMetricError, metric_from_text
from metrics.base.evaluation_sets import Annotation, Need, Parser
from metrics.meta_evaluation.coverage.word_edits import word_edits


def reference_metric(text: str, parser: Parser | None) -> Metric[object]:
    """The metric of this name, which compares with references.

    Raises:
        ParameterError: there is none, it does not, or it needs what is not there.
    """
    try:
        metric = metric_from_text(text)
    except (UnknownMetricError, ParameterError) as error:
        raise ParameterError(faults={"metric": str(error)}) from error
    if not {Need.REFERENCES, Need.GOLD_EDITS} & metric.needs:
        raise ParameterError(faults={"metric": f"{metric.label} does not compare with references"})
    if Need.CHECKER in metric.needs:
        raise ParameterError(faults={"metric": f"{metric.label} needs a grammar checker"})
    if Need.PARSER in metric.needs and parser is None:
        raise ParameterError(faults={"metric": f"{metric.label} is for English"})
    return metric


def against(
    people: Mapping[str, Sequence[str | None]], sources: Sequence[str], parser: Parser | None
) -> EvaluationSet:
    """People's corrections as references, with their word edits as gold edits."""
    corrected = [
        {name: text for name, texts in people.items() if (text := texts[place]) is not None}
        for place in range(len(sources))
    ]
    return EvaluationSet(
        tuple(sources),
        tuple(tuple(texts.values()) for texts in corrected),
        tuple(
            tuple(Annotation(name, word_edits(source, text)) for name, text in texts.items())
            for source, texts in zip(sources, corrected, strict=True)
        ),
        parser=parser,
    )
