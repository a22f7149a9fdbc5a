"""The heading of a file."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heading:
    """The data of a file about all its judgments.

    Attributes:
        campaign: whose judgments they are.
        language: of the corpus, as a BCP 47 tag.
        with_machines: whether judgments of machines may be among them.
        controls: names of systems whose outputs were made worse on purpose; only for error spans.
        texts: of outputs by digest whose places a format counts differently from us; only for error spans.
    """

    campaign: str
    language: str
    with_machines: bool = False
    controls: Collection[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
