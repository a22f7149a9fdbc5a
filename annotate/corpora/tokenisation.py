"""Whether the texts of a corpus are tokenised, as their punctuation tells."""

from collections.abc import Iterable

from annotate.models.corpora import Tokenisation
from formats.text.tokenised import are_tokenised


def detected_tokenisation(texts: Iterable[str]) -> Tokenisation:
    """How the texts are written; not stated where they do not tell it clearly."""
    told = are_tokenised(texts)
    if told is None:
        return Tokenisation.NOT_STATED
    return Tokenisation.TOKENS if told else Tokenisation.RUNNING
