"""The heading of a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The data of a file about all its judgments.

    Attributes:
        campaign: whose judgments they are.
        language: of the corpus, as a BCP 47 tag.
        with_machines: whether judgments of machines may be among them.
    """

    campaign: str
    language: str
    with_machines: bool = False
