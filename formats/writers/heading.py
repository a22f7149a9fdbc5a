"""What a file says of its campaign."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says of all its judgments.

    Attributes:
        campaign: whose judgments they are.
        language: of the corpus, as a BCP 47 tag.
    """

    campaign: str
    language: str
