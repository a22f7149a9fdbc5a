"""Size of a large site, and times of its judgments."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

JUDGMENTS = 1_000_000
ANNOTATORS = 200
OUTPUTS = 5
"""Number of outputs on each screen."""
NAME = "Large"
FORM = 3
"""Incremented when the contents change, so that older databases are recreated."""
BEGIN = datetime(2026, 1, 5, tzinfo=UTC)
DURATION = timedelta(days=20)


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the contents.

    Attributes:
        judgments: number of judgments of the campaign, in any state.
        annotators: number of annotators; even.
    """

    judgments: int = JUDGMENTS
    annotators: int = ANNOTATORS

    def __post_init__(self) -> None:
        if self.annotators % 2 or self.judgments % (20 * self.annotators):
            raise ValueError(
                f"{self.judgments} judgments by {self.annotators} annotators: the annotators have to be even "
                "in number, and the judgments a multiple of twenty times as many."
            )

    @property
    def items(self) -> int:
        """Number of items; each annotator judges every other item."""
        return 2 * self.judgments // self.annotators

    @property
    def sentences(self) -> int:
        """Number of sentences of the corpus."""
        return 10 * self.items

    @property
    def name(self) -> str:
        """Name that identifies its database."""
        return f"size_{self.judgments}_{self.annotators}_{FORM}"


def stamps(at: object, *, seconds: int = 0) -> list[str]:
    """Times as texts, given as fractions of the campaign's duration plus a number of seconds."""
    begin = np.datetime64(BEGIN.replace(tzinfo=None), "us") + np.timedelta64(seconds, "s")
    moments = begin + (np.asarray(at) * DURATION.total_seconds() * 1_000_000).astype("timedelta64[us]")
    return [stamp.replace("T", " ") for stamp in np.datetime_as_string(moments).tolist()]
