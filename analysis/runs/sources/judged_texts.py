"""Judgments of a campaign with the texts that were judged, or of a file."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from django.db.models import F

from analysis.analyses.base import Analysis
from analysis.analyses.inputs import JudgedTexts, Judgments, with_texts
from analysis.runs.sources.base import Asked
from analysis.runs.sources.judgments import OfJudgments
from annotate.models import Corpus, Output
from core.progress import Progress

if TYPE_CHECKING:
    from analysis.runs.requests import Request

COLUMNS = ("sentence", "output", "source", "text")


class _OfJudgedTexts(OfJudgments):
    def load(self, request: "Request", size: int, progress: Progress, *, at_once: bool) -> JudgedTexts:
        judgments = super().load(request, size, progress, at_once=at_once)
        return with_texts(judgments, _texts(request.campaign.corpus, judgments.snapshot))

    def of_file(
        self, path: Path, analysis: Analysis[Any, Any], stated: Any, options: Mapping[str, Any]
    ) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(asked, inputs=with_texts(cast(Judgments, asked.inputs), pd.DataFrame(columns=COLUMNS)))


JUDGED_TEXTS = _OfJudgedTexts()


def _texts(corpus: Corpus, snapshot: pd.DataFrame) -> pd.DataFrame:
    """The texts of the judged outputs, read in pieces."""
    if not corpus.has_texts:
        return pd.DataFrame(columns=COLUMNS)
    judged = set(zip(snapshot["sentence"], snapshot["output"].astype("object"), strict=True))
    rows = Output.objects.filter(sentence__corpus=corpus, text__isnull=False).order_by()
    read = rows.values_list(F("sentence__position"), "digest", F("sentence__text"), "text").iterator(
        chunk_size=5000
    )
    return pd.DataFrame([row for row in read if row[:2] in judged], columns=COLUMNS)
