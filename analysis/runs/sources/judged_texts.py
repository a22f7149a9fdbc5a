"""Judgments of a campaign with the texts that were judged, or of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from django.db.models import F

from analysis.analyses.base import Analysis
from analysis.analyses.inputs import JudgedTexts, Judgments, with_texts
from analysis.runs.sources.base import Asked
from analysis.runs.sources.judgments import OfJudgments
from annotate.models import Corpus, Output
from core.later import pd
from core.progress import Progress
from ranking.exploding import numbered

if TYPE_CHECKING:
    from analysis.runs.requests import Request

COLUMNS = ("sentence", "output", "source", "text")
ROWS_AT_ONCE = 5000


class _OfJudgedTexts(OfJudgments):
    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> JudgedTexts:
        judgments = super().load(request, size, progress, at_once=at_once)
        return with_texts(judgments, _texts(request.campaign.corpus, judgments.snapshot, progress))

    def of_file(
        self, path: Path, analysis: Analysis[Any, Any], stated: Any, options: Mapping[str, Any]
    ) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(asked, inputs=with_texts(cast(Judgments, asked.inputs), pd.DataFrame(columns=COLUMNS)))


JUDGED_TEXTS = _OfJudgedTexts()


def _texts(corpus: Corpus, snapshot: pd.DataFrame, progress: Progress) -> pd.DataFrame:
    """The texts of the judged outputs, read in pieces."""
    if not corpus.has_texts:
        return pd.DataFrame(columns=COLUMNS)
    shown = snapshot[["sentence", "output"]]
    distinct = shown.iloc[np.unique(numbered(shown["sentence"], shown["output"]), return_index=True)[1]]
    judged = set(zip(distinct["sentence"], distinct["output"].astype("object"), strict=True))
    rows = Output.objects.filter(sentence__corpus=corpus, text__isnull=False).order_by()
    values = rows.values_list(F("sentence__position"), "digest", F("sentence__text"), "text")
    read = []
    for place, row in enumerate(values.iterator(chunk_size=ROWS_AT_ONCE)):
        if row[:2] in judged:
            read.append(row)
        if place % ROWS_AT_ONCE == 0:
            progress.advance(0)
    return pd.DataFrame(read, columns=COLUMNS)
