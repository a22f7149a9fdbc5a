"""Scores of a metric on text as people write it, of a corpus that is tokenised."""

from collections.abc import Iterable

from analysis.analyses.metrics.scored_judgments import JudgedTexts, ScoredJudgments
from core.progress import Progress
from formats.text.natural import natural
from metrics import EvaluationSet, InputError, MetricError, Need, score
from metrics.gec_metrics.metric import GecMetric
from metrics.meta_evaluation import MetricsAndPeople, MetricScores, scores_of_metric
from metrics.meta_evaluation.output_statistics import GivenScores

COMPUTED_ELSEWHERE = "its scores were computed elsewhere"
NO_TEXTS = "there are no texts to score"
NEEDS_MORE = "only metrics that need nothing but references are scored again, and this one needs {}"
SLOW = "gec-metrics would have to score all outputs again"
NOT_TOKENS = "the corpus is not known to be tokenised"


def on_natural_text(
    data: MetricsAndPeople, inputs: ScoredJudgments, progress: Progress
) -> MetricScores | str:
    """The only metric of `data` on text as people write it, split at blanks; or why not, in words.

    Sources, references and outputs are all written so. Metrics that need more than references are left out:
    gold edits are spans of tokens, and parses and checks take long.
    """
    [metric] = data.metrics
    if metric.statistics is None or isinstance(metric.statistics.metric, GivenScores):
        return COMPUTED_ELSEWHERE
    if inputs.texts is None:
        return NO_TEXTS
    scorer = metric.statistics.metric
    if isinstance(scorer, GecMetric):
        return SLOW
    further = scorer.required - {Need.REFERENCES}
    if further or scorer.reads_edits:
        return NEEDS_MORE.format(" and ".join(sorted(further)) or "edits")
    texts = inputs.texts()
    if texts.rules is None:
        return NOT_TOKENS
    written = in_natural_text(texts)
    outputs = {system: written.outputs[system] for system in data.systems}
    try:
        scored = score(scorer, written.data, outputs, progress=lambda done: progress.step())
    except (InputError, MetricError) as error:
        return str(error)
    return scores_of_metric(metric.name, scored, data.systems)


def in_natural_text(texts: JudgedTexts) -> JudgedTexts:
    """The texts as people write them, without gold edits. They have to be tokenised."""
    rules = texts.rules
    assert rules is not None  # noqa: S101  # they are tokenised

    def written(some: Iterable[str]) -> tuple[str, ...]:
        return tuple(natural(text.split(), rules) for text in some)

    references = texts.data.references
    data = EvaluationSet(
        written(texts.data.sources), None if references is None else tuple(map(written, references))
    )
    return JudgedTexts(data, {system: written(outputs) for system, outputs in texts.outputs.items()})
