"""Judgments with metric scores, and results of *Metrics under stress* for the same metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from django.db.models import QuerySet

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.corpus_inputs import corpus_corrections
from analysis.analyses.metric_titles import UPLOADED
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, StressedMetrics, under_stress
from analysis.analyses.metrics.stress import STRESS
from analysis.analyses.metrics.trying_metrics import MetricsUnderStress, StressParameters
from analysis.analyses.rules import is_of_older_rule
from analysis.models import COMPUTED, Run
from analysis.runs.computing import computed
from analysis.runs.results import from_json
from analysis.runs.sources.base import Asked, Options, Request, Version
from analysis.runs.sources.scored_judgments import OfScoredJudgments, metric_name
from annotate.management.named_arguments import by_name
from annotate.models import Campaign, Corpus
from annotate.scores.evaluation import stated_name
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.queries import finished_sets
from assay import __version__
from core.parameters import ParameterError, parameters_as_text
from core.progress import NoProgress, Progress
from formats import read_parallel
from metrics import Need, UnknownMetricError, metric_from_text
from metrics.english.grammar_checkers import HARPER
from metrics.meta_evaluation.stress import StressCard

Stress = Mapping[str, StressCard | str]

MOST_RUNS = 20
"""Stored results of *Metrics under stress* that are read, the newest first."""

UPLOADED_SCORES = "Its scores were computed elsewhere, so it cannot be tried under stress."
NOT_YET = "It was not tried yet: Metrics under stress does that."
NO_REFERENCES = "It cannot be tried under stress without references."
OTHER_CHECKER = "Under stress, only Harper checks grammar."
COULD_NOT = "It could not be tried under stress: {}."


class _OfStressedMetrics(OfScoredJudgments):
    """Reads judgments with metric scores, and the results of the metrics under stress."""

    def version(self, subject: Campaign) -> Version:
        """Changes when the metrics of the corpus are tried again, too."""
        scored = super().version(subject)
        newest = _runs(subject.corpus).values_list("pk", flat=True).first()
        return Version(f"{scored.state}|stress:{newest}", scored.size)

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> StressedMetrics:
        scored = super().load(request, size, progress, at_once=at_once)
        names = [metric_name(score_set) for score_set in finished_sets(request.corpus)]
        return under_stress(scored, _stored(request.corpus, names))

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        scored = cast(ScoredJudgments, asked.inputs)
        stress = dict.fromkeys((metric.name for metric in scored.metrics), UPLOADED_SCORES)
        return Asked(under_stress(scored, {**stress, **_of_files(options)}), asked.parameters)


def _runs(corpus: Corpus) -> QuerySet[Run]:
    """The finished runs of *Metrics under stress*, the newest first."""
    done = Run.objects.filter(COMPUTED, analysis=STRESS.name, corpus=corpus, version=__version__)
    return done.order_by("-computed_at", "-pk")


def _stored(corpus: Corpus, names: Sequence[str]) -> Stress:
    """Outcomes of the metrics under stress, from the newest result that tried each."""
    found: dict[str, StressCard | str] = {}
    for stored in _runs(corpus).values_list("result", flat=True)[:MOST_RUNS]:
        try:
            result = from_json(MetricsUnderStress, stored)
        except ValueError:  # An earlier commit wrote it otherwise.
            continue
        if not is_of_older_rule(STRESS.name, result.signature):
            for metric, tried in _cards(result).items():
                if isinstance(found.get(metric, ""), str):
                    found[metric] = tried
    return {
        name: UPLOADED_SCORES if name.endswith(UPLOADED) else found.get(_as_written(name), NOT_YET)
        for name in names
    }


def _of_files(options: Options) -> Stress:
    """Outcomes under stress, computed now, of the metrics that these options name."""
    names: list[str] = options["metric"]
    if not names:
        return {}
    if not (options["reference"] or options["m2"]):
        return dict.fromkeys(names, NO_REFERENCES)
    read = read_parallel(
        options["source"],
        {},
        references=by_name("--reference", options["reference"]),
        m2=options["m2"],
        lenient=False,
    )
    texts = corpus_corrections(read.sentences, roles={}, parser=english_pipeline())
    is_usual = options["checker"] == HARPER
    tried = [name for name in names if is_usual or Need.CHECKER not in metric_from_text(name).required]
    others = dict.fromkeys(names, OTHER_CHECKER)
    if not tried:
        return others
    parameters = StressParameters(metric=",".join(tried))
    try:
        cards = _cards(computed(STRESS, texts, parameters, NoProgress()))
    except ParameterError as error:
        return {**others, **dict.fromkeys(tried, COULD_NOT.format(error))}
    return {**others, **{name: cards[_as_written(name)] for name in tried}}


def _cards(result: MetricsUnderStress) -> dict[str, StressCard | str]:
    """Cards of metrics, or the reasons why they have none, by metric with its unusual parameters."""
    return {
        _as_written(each.name): COULD_NOT.format(each.reason) if each.card is None else each.card
        for each in result.metrics
    }


def _as_written(name: str) -> str:
    """The metric with the parameters that are not usual; the name itself where there is no such metric."""
    try:
        metric = metric_from_text(name)
        return stated_name(metric, parameters_as_text(metric.parameters))
    except (UnknownMetricError, ParameterError):
        return name


STRESSED_METRICS = _OfStressedMetrics()
