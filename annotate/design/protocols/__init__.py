"""The protocols: each is one class and one template, and a line in this registry."""

from annotate.design.protocols.base import Answer, AnswerError, Protocol, RatingProtocol, RatingValue
from annotate.design.protocols.partial_ranking import PartialRankingWithScalars
from annotate.design.protocols.relative_ranking import RelativeRanking

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol for protocol in (RelativeRanking(), PartialRankingWithScalars())
}

__all__ = [
    "PROTOCOLS",
    "Answer",
    "AnswerError",
    "PartialRankingWithScalars",
    "Protocol",
    "RatingProtocol",
    "RatingValue",
    "RelativeRanking",
    "title_of",
]


def title_of(name: str) -> str:
    """The protocol's title; imported judgments may have an unknown protocol."""
    return PROTOCOLS[name].title if name in PROTOCOLS else name
