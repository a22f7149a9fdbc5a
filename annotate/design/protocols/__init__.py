"""The protocols: each is one class and one template, and a line in this registry."""

from collections.abc import Mapping
from typing import Any

from annotate.design.protocols.base import (
    Answer,
    AnswerError,
    KnownEdits,
    NoOptions,
    Practisable,
    Prepared,
    Protocol,
    Question,
    RatingProtocol,
    RatingValue,
)
from annotate.design.protocols.correction import Correction
from annotate.design.protocols.defaults import Defaults
from annotate.design.protocols.edits import Edits
from annotate.design.protocols.error_spans import ErrorSpans
from annotate.design.protocols.pairs import Pairs
from annotate.design.protocols.partial_ranking import PartialRankingWithScalars
from annotate.design.protocols.relative_ranking import RelativeRanking
from annotate.design.protocols.scales import Scales
from annotate.design.protocols.validity import Validity
from core.parameters import parameters_from_text
from formats.snapshot.vocabulary import AnswerKind

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        RelativeRanking(),
        PartialRankingWithScalars(),
        Pairs(),
        Scales(),
        Edits(),
        ErrorSpans(),
        Validity(),
        Correction(),
    )
}

__all__ = [
    "PROTOCOLS",
    "Answer",
    "AnswerError",
    "Correction",
    "Defaults",
    "Edits",
    "ErrorSpans",
    "KnownEdits",
    "NoOptions",
    "Pairs",
    "PartialRankingWithScalars",
    "Practisable",
    "Prepared",
    "Protocol",
    "Question",
    "RatingProtocol",
    "RatingValue",
    "RelativeRanking",
    "Scales",
    "Validity",
    "kind_of_answers",
    "options_of",
    "title_of",
]


def title_of(name: str) -> str:
    """The protocol's title; imported judgments may have an unknown protocol."""
    return PROTOCOLS[name].title if name in PROTOCOLS else name


def kind_of_answers(name: str) -> AnswerKind:
    """The kind of answers of this protocol; imported ones of an unknown protocol count as ratings."""
    return PROTOCOLS[name].gives if name in PROTOCOLS else AnswerKind.RATINGS


def options_of(name: str, stored: Mapping[str, str]) -> Any:
    """The options of the protocol of this name, from their texts.

    Raises:
        ParameterError: the protocol has no such options, or not with these values.
    """
    return parameters_from_text(PROTOCOLS[name].options, stored)
