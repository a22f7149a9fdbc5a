"""Scores by a metric that are not stored, such as those for other values of a parameter."""

from collections.abc import Sequence

import numpy as np

from annotate.models import Corpus
from annotate.scores.corpus_outputs import CorpusOutputs
from annotate.scores.evaluation import equipped, evaluation_set
from annotate.scores.stored_rows import MISSING, with_absent
from annotate.scores.tokens import tokens_of
from core.arrays import FloatArray, IntArray
from metrics import AnyMetric, EvaluationSet, InputError, MetricError, NotScored, Scored
from metrics.base.metric import reduce_many
from metrics.base.scoring import stacked
from metrics.edits.edit_metric import EditMetric
from metrics.edits.edit_sources import texts_to_parse
from metrics.english.grammar_checkers import CheckerError
from metrics.english.spacy_pipelines import PipelineError


def scored_anew(
    metric: AnyMetric, corpus: Corpus, outputs: CorpusOutputs, systems: Sequence[str], *, style: str = ""
) -> Scored:
    """The result of `metrics.score` for some systems of a corpus; nothing is stored.

    If there is a `style`, outputs are compared with the references of this style. A sentence without an
    output of a system is not scored, as in stored scores.

    Raises:
        InputError: the metric, its checker or the English pipeline lacks what it needs.
    """
    texts = tokens_of(corpus, outputs)
    picks, absent = with_absent({name: outputs.systems[name][1] for name in systems}, len(texts))
    try:
        data = equipped(evaluation_set(corpus, style=style), [metric])
        return _scored(metric, data, np.concatenate([outputs.places, absent]), texts, picks)
    except (CheckerError, MetricError, PipelineError) as error:
        raise InputError(str(error)) from error


def _scored(
    metric: AnyMetric, data: EvaluationSet, places: IntArray, texts: Sequence[str], picks: dict[str, IntArray]
) -> Scored:
    """Reduce the outputs that are picked. Those beyond the texts stand for no output."""
    metric.check_needs(data)
    wanted = np.unique([*picks.values()])
    for part in metric.parts:
        if isinstance(part, EditMetric) and data.parser is not None:
            columns = [[(*texts, "")[min(number, len(texts))] for number in each] for each in picks.values()]
            data.parser.parse_ahead(list(texts_to_parse(data, columns, part.parameters.gold)))
    there = wanted[wanted < len(texts)].tolist()
    reduced: list[FloatArray | NotScored] = [NotScored(MISSING)] * len(places)
    with metric.prepared(data) as reduce:
        pairs = [(int(places[number]), texts[number]) for number in there]
        made = reduce_many(reduce, pairs, lambda outputs: None)
    for number, each in zip(there, made, strict=True):
        reduced[number] = each
    reasons = {number: each.reason for number, each in enumerate(reduced) if isinstance(each, NotScored)}
    return Scored(metric, metric.signature(data), stacked(reduced, places), picks, reasons)
