"""The protocols: each is one class and one template, and a line in this registry."""

from annotate.design.protocols.base import AnswerError, Protocol, RatingValue
from annotate.design.protocols.partial_ranking import PartialRankingWithScalars
from annotate.design.protocols.relative_ranking import RelativeRanking

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
