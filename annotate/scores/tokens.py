"""Tokens of the texts of a corpus, for metrics."""

from django.conf import settings

from annotate.models import Corpus
from annotate.scores.corpus_outputs import CorpusOutputs, texts_of
from core.progress import Advance
from metrics.base.tokenisers import CHARACTERS, GIVEN, Tokeniser, tokeniser_named


def tokeniser_of(corpus: Corpus) -> Tokeniser:
    """What separates the tokens of a corpus.

    If they are not separated by blanks, it is what `TOKENISERS` names for the language, or each character.

    Raises:
        InputError: the named tokeniser cannot be used.
    """
    if corpus.has_tokens:
        return GIVEN
    named = settings.TOKENISERS.get(corpus.language.partition("-")[0].lower())
    return tokeniser_named(named) if named else CHARACTERS


def tokens_of(corpus: Corpus, outputs: CorpusOutputs, *, progress: Advance = lambda parts: None) -> list[str]:
    """The tokens of each of the D outputs, separated by blanks; `progress` is called as by `texts_of`."""
    tokens = tokeniser_of(corpus).tokens
    return [tokens(text) for text in texts_of(corpus, outputs, progress=progress)]
