"""Size of a large site, and times of its judgments."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

JUDGMENTS = 1_000_000
ANNOTATORS = 200
MACHINES = 20
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
        machine_judgments: number of judgments of machines, beside those of people.
    """

    judgments: int = JUDGMENTS
    annotators: int = ANNOTATORS
    machine_judgments: int = 0

    def __post_init__(self) -> None:
        if self.annotators % 2 or self.judgments % (20 * self.annotators):
            raise ValueError(
                f"{self.judgments} judgments by {self.annotators} annotators: the annotators have to be even "
                "in number, and the judgments a multiple of twenty times as many."
            )
        if self.machine_judgments % (MACHINES * self.items):
            raise ValueError(
                f"{self.machine_judgments} judgments of machines: they have to be a multiple of {MACHINES} "
                f"times {self.items} items."
            )

    @property
    def items(self) -> int:
        """Number of items; each annotator judges every other item."""
        return 2 * self.judgments // self.annotators

    @property
    def times_asked(self) -> int:
        """How often each machine was asked about each item."""
        return self.machine_judgments // (MACHINES * self.items)

    @property
    def sentences(self) -> int:
        """Number of sentences of the corpus."""
        return 10 * self.items

    @property
    def name(self) -> str:
        """Name that identifies its database."""
        machines = f"_machines_{self.machine_judgments}" if self.machine_judgments else ""
        return f"size_{self.judgments}_{self.annotators}_{FORM}{machines}"


def add_size(parser: ArgumentParser) -> None:
    """Add the options that `size_of` reads."""
    parser.add_argument("--judgments", type=int, default=JUDGMENTS)
    parser.add_argument("--annotators", type=int, default=ANNOTATORS)
    parser.add_argument("--machine-judgments", type=int, default=0, help="judgments of machines beside them")


def size_of(options: Namespace) -> Size:
    """The size that was asked for."""
    return Size(options.judgments, options.annotators, options.machine_judgments)


def stamps(at: object, *, seconds: int = 0) -> list[str]:
    """Times as texts, given as fractions of the campaign's duration plus a number of seconds."""
    begin = np.datetime64(BEGIN.replace(tzinfo=None), "us") + np.timedelta64(seconds, "s")
    moments = begin + (np.asarray(at) * DURATION.total_seconds() * 1_000_000).astype("timedelta64[us]")
    return [stamp.replace("T", " ") for stamp in np.datetime_as_string(moments).tolist()]
