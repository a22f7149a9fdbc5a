"""Words that files, tables and pages all use: the states of judgments and the names of protocols."""

from enum import StrEnum


class JudgmentState(StrEnum):
    """What became of an item that an annotator was asked.

    *auto*: it has one output, so there was nothing to ask. *surplus*: the answer came after the item had been
    given to somebody else; it is kept, and left out of analyses.
    """

    COMPLETE = "complete"
    SKIPPED = "skipped"
    AUTO = "auto"
    SURPLUS = "surplus"


class ProtocolName(StrEnum):
    """How judgments were asked for. Files may hold names that are not among these."""

    RELATIVE_RANKING = "relative-ranking"
    PARTIAL_RANKING_WITH_SCALARS = "partial-ranking-with-scalars"
