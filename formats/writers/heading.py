"""The heading of a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The data of a file about all its judgments.

    Attributes:
        campaign: whose judgments they are.
        language: of the corpus, as a BCP 47 tag.
    """

    campaign: str
    language: str
