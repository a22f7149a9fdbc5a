"""How long a screen takes while a campaign's own pace is unknown."""

from typing import NamedTuple

from django.core.cache import cache

from annotate.design.protocols import Protocol
from annotate.design.protocols.correction_warnings import word_count
from annotate.models import Corpus
from core.translations import translatable

READING_RATE = 238
"""Words per minute that adults read silently (Brysbaert 2019, a meta-analysis of 190 studies)."""

ESSAYS_LOOKED_AT = 20
"""Essays of a corpus that give its usual length."""

ESSAY_PACE = translatable("the essay and each correction, read once at 238 words a minute")


class UsualPace(NamedTuple):
    """The time of a screen.

    Attributes:
        seconds: of a screen.
        basis: what that rests on, in words; translated where it is shown.
    """

    seconds: float
    basis: str


def usual_pace(protocol: Protocol, corpus: Corpus, outputs: int) -> UsualPace:
    """The pace of screens with this number of outputs: the protocol's, or that at which essays are read."""
    if not corpus.holds_essays:
        return UsualPace(protocol.usual_seconds(outputs), protocol.pace)
    reading = 60 * _usual_words(corpus) * (1 + outputs) / READING_RATE
    return UsualPace(reading + protocol.usual_seconds(outputs), ESSAY_PACE)


def _usual_words(corpus: Corpus) -> float:
    """The mean number of words of the first essays."""
    key = f"usual-words-of-corpus:{corpus.uuid}"
    usual: float | None = cache.get(key)
    if usual is None:
        texts = corpus.sentences.order_by("position").values_list("text", flat=True)[:ESSAYS_LOOKED_AT]
        lengths = [word_count(text) for text in texts]
        usual = sum(lengths) / max(len(lengths), 1)
        cache.set(key, usual, timeout=None)
    return usual
