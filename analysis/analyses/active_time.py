"""The time that annotators work, without their breaks."""

from __future__ import annotations

from core.later import pd

ANSWERED = ("complete",)
"""The states of judgments that annotators answered."""

LONGEST = 10
"""An answer counts with at most so many times its annotator's median time: beyond, they had a break."""


def without_breaks(answers: pd.DataFrame) -> pd.Series[float]:
    """The active time of each answer in milliseconds, at most `LONGEST` times its annotator's median.

    Imports record how long a screen was open, and a screen may stand open overnight.

    Args:
        answers: one row an answer, with its time recorded: `annotator`, `active_ms`.
    """
    by_annotator = answers.groupby(answers["annotator"].astype("object"))["active_ms"]
    return answers["active_ms"].clip(upper=LONGEST * by_annotator.transform("median"))
