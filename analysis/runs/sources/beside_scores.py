"""Judgments, and the stored scores of two of the judged systems."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.judgment_inputs import (
    Judgments,
    JudgmentsBesideScores,
    LeftOut,
    ScoresOfTwo,
    beside_scores,
)
from analysis.analyses.systems.compared_systems import CompareSystemsParameters
from analysis.runs.sources.base import Asked, Options, Request, Version
from analysis.runs.sources.judgments import OfJudgments
from analysis.runs.sources.scored_judgments import metric_name, scores_state
from annotate.models import Campaign, Corpus, ScoreSet
from annotate.scores.queries import finished_sets
from core.parameters import ParameterError
from core.progress import Progress


class _BesideScores(OfJudgments):
    """Reads judgments; the scores of two systems are read once it is known which."""

    def version(self, subject: Campaign) -> Version:
        """Changes with the judgments and with the scores of the corpus."""
        answers = super().version(subject)
        return Version(f"{answers.state}|{scores_state(subject.corpus)}", answers.size)

    def left_out(self, subject: Campaign, parameters: CompareSystemsParameters) -> LeftOut:
        """The systems and annotators to leave out, after checking that the two systems to compare exist.

        Raises:
            ParameterError: the campaign has no system of a name.
        """
        left_out = super().left_out(subject, parameters)
        asked = {"first": parameters.first, "second": parameters.second}
        if any(asked.values()):
            names = sorted(subject.systems.values_list("name", flat=True))
            faults = {
                attribute: f"there is no system {name} in this campaign; systems are: {', '.join(names)}"
                for attribute, name in asked.items()
                if name is not None and name not in names
            }
            if faults:
                raise ParameterError(faults=faults)
        return left_out

    def load(
        self, request: Request, size: int, progress: Progress, *, at_once: bool
    ) -> JudgmentsBesideScores:
        judged = super().load(request, size, progress, at_once=at_once)
        return beside_scores(judged, partial(stored_scores, request.corpus, request.left_out.domain))

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(asked, inputs=beside_scores(cast(Judgments, asked.inputs), lambda first, second: ()))


def stored_scores(corpus: Corpus, domain: str, first: str, second: str) -> list[ScoresOfTwo]:
    """Scores of two systems by each metric, from the stored scores of systems and outputs.

    In a domain, only its sentences have scores: those of systems are of the whole corpus.
    """
    keys = dict(corpus.systems.filter(name__in=(first, second)).values_list("name", "pk"))
    return [
        _of_metric(score_set, domain, keys[first], keys[second])
        for score_set in finished_sets(corpus)
        if len(keys) == 2
    ]


def _of_metric(score_set: ScoreSet, domain: str, first: int, second: int) -> ScoresOfTwo:
    of_systems = score_set.system_scores.filter(system__in=(first, second))
    values = {} if domain else dict(of_systems.values_list("system", "value"))
    (of_first, scores), (of_second, others) = (_of_outputs(score_set, domain, key) for key in (first, second))
    sentences, place, other = np.intersect1d(of_first, of_second, assume_unique=True, return_indices=True)
    return ScoresOfTwo(
        metric=metric_name(score_set),
        signature=score_set.signature,
        first=values.get(first),
        second=values.get(second),
        sentences=sentences,
        leads=scores[place] - others[other],
    )


def _of_outputs(score_set: ScoreSet, domain: str, system: int) -> tuple[Any, Any]:
    """The sentences (of a domain, if named) in which a system has a score, and the scores, of shape (n,)."""
    scores = score_set.output_scores.filter(output__productions__system=system).exclude(score=None)
    if domain:
        scores = scores.filter(output__sentence__domain=domain)
    rows = list(scores.order_by().values_list("position", "score"))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 2)
    return columns[:, 0].astype(np.int64), columns[:, 1]


BESIDE_SCORES = _BesideScores()
