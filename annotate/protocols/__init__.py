"""The protocols: each is one class and one template, and a line in this registry."""

from annotate.protocols.base import AnswerError, Protocol, RatingValue
from annotate.protocols.relative_ranking import RelativeRanking

PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in (RelativeRanking(),)}

__all__ = ["PROTOCOLS", "AnswerError", "Protocol", "RatingValue", "RelativeRanking"]
