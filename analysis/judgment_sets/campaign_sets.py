"""Campaigns as judgment sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import cast

from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.metrics.metric_scores import Evaluation
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.scored_judgments import JudgedTexts, ScoredJudgments
from analysis.judgment_sets.judgment_set import JudgmentSet
from analysis.runs.requests import request_of
from analysis.runs.sources import version_of_request
from analysis.runs.sources.scored_judgments import SCORED_JUDGMENTS, NoScoresError
from annotate.models import Campaign
from core.progress import Progress
from metrics.meta_evaluation import MetricScores


def campaign_set(campaign: Campaign, progress: Progress) -> JudgmentSet:
    """A campaign as a judgment set; metrics are compared with those whose scores its corpus has.

    Source, references and controls are left out, as on the page of metrics against people. Reading it raises
    `RefusedError` for a campaign without judgments, texts or scores.
    """
    inputs = cache(partial(_inputs, campaign, progress))
    return JudgmentSet(
        name=campaign.name,
        text_set=campaign.name,
        about=f"campaign {campaign.name}",
        read=lambda: _read(inputs()),
        released=lambda: _released(inputs()),
    )


def _inputs(campaign: Campaign, progress: Progress) -> ScoredJudgments:
    if reason := SCORED_JUDGMENTS.why_not(campaign, METRICS_PEOPLE):
        raise NoScoresError(f"{campaign.name}: {reason}")
    request = request_of(METRICS_PEOPLE, campaign, METRICS_PEOPLE.parameters())
    version = version_of_request(request)
    return SCORED_JUDGMENTS.load(request, version.size, progress, at_once=False)


def _read(inputs: ScoredJudgments) -> tuple[Judgments, Evaluation]:
    read = cast(Callable[[], JudgedTexts], inputs.texts)  # `why_not` has checked that there are texts.
    texts = read()
    outputs = {system: texts.outputs[system] for system in inputs.systems}
    return inputs.judgments, Evaluation(texts.data, outputs, ())


def _released(inputs: ScoredJudgments) -> Sequence[MetricScores]:
    return tuple(inputs.metrics)
