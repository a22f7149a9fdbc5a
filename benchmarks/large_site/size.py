"""How much a large site holds, and when it was judged."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

JUDGMENTS = 1_000_000
ANNOTATORS = 200
OUTPUTS = 5
"""Shown on each screen."""
NAME = "Large"
FORM = 3
"""Counted up when what is made changes, so that older databases are made anew."""
BEGIN = datetime(2026, 1, 5, tzinfo=UTC)
DURATION = timedelta(days=20)


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is.

    Attributes:
        judgments: of the campaign, in any state.
        annotators: even in number.
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
        """Of which each annotator judges every other one."""
        return 2 * self.judgments // self.annotators

    @property
    def sentences(self) -> int:
        """Of the corpus."""
        return 10 * self.items

    @property
    def name(self) -> str:
        """Tells its database from others."""
        return f"size_{self.judgments}_{self.annotators}_{FORM}"


def stamps(at: Any, *, seconds: int = 0) -> list[str]:
    """Times, as parts of the campaign's duration from 0 to 1, and so many seconds later, as texts."""
    begin = np.datetime64(BEGIN.replace(tzinfo=None), "us") + np.timedelta64(seconds, "s")
    moments = begin + (np.asarray(at) * DURATION.total_seconds() * 1_000_000).astype("timedelta64[us]")
    return [stamp.replace("T", " ") for stamp in np.datetime_as_string(moments).tolist()]
