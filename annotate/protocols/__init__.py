"""The protocols: each is one class and one template, and a line in this registry."""

from annotate.protocols.base import AnswerError, Protocol, RatingValue
from annotate.protocols.partial_ranking import PartialRankingWithScalars
from annotate.protocols.relative_ranking import RelativeRanking

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol for protocol in (RelativeRanking(), PartialRankingWithScalars())
}

__all__ = [
    "PROTOCOLS",
    "AnswerError",
    "PartialRankingWithScalars",
    "Protocol",
    "RatingValue",
    "RelativeRanking",
]
