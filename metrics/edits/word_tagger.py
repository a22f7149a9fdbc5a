"""Universal parts of speech by a spaCy pipeline of any language, for types of edits."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from metrics.base.evaluation_sets import InputError

if TYPE_CHECKING:
    from spacy.language import Language

CATEGORIES: Mapping[str, str] = {
    "ADJ": "ADJ",
    "ADP": "PREP",
    "ADV": "ADV",
    "AUX": "VERB",
    "CCONJ": "CONJ",
    "DET": "DET",
    "NOUN": "NOUN",
    "PART": "PART",
    "PRON": "PRON",
    "PROPN": "NOUN",
    "SCONJ": "CONJ",
    "VERB": "VERB",
}
"""ERRANT's categories (Bryant et al. 2017) by universal part of speech; others have none."""

TEXTS_KEPT = 20_000


class WordTagger:
    """A pipeline, loaded on first use.

    Args:
        name: an installed spaCy pipeline such as "de_core_news_sm", or the folder of one.
        language: primary tag of the language, which must be the pipeline's.
    """

    def __init__(self, name: str, language: str) -> None:
        self._name, self._language = name, language
        self._tagged = lru_cache(TEXTS_KEPT)(self._tag)

    @property
    def signature(self) -> str:
        """Name and version of the pipeline and of spaCy; raises `InputError` as `categories`."""
        meta = self._loaded.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}-spacy-{version('spacy')}"

    def categories(self, words: Sequence[str]) -> tuple[str, ...]:
        """The category of each word, empty if it has none.

        Raises:
            InputError: the pipeline is not installed, is of another language, or gives no parts of speech.
        """
        return self._tagged(tuple(words))

    def _tag(self, words: tuple[str, ...]) -> tuple[str, ...]:
        from spacy.tokens import Doc

        tagged = self._loaded(Doc(self._loaded.vocab, words=list(words)))
        if words and not any(token.pos_ for token in tagged):
            raise InputError(f"the pipeline {self._name!r} gives no parts of speech")
        return tuple(CATEGORIES.get(token.pos_, "") for token in tagged)

    @cached_property
    def _loaded(self) -> "Language":
        import spacy

        try:
            pipeline = spacy.load(self._name, exclude=["ner"])
        except (OSError, ValueError) as error:
            raise InputError(f"there is no spaCy pipeline {self._name!r}: {error}") from error
        if pipeline.lang != self._language:
            raise InputError(
                f"the pipeline {self._name!r} is for the language {pipeline.lang!r}, not {self._language!r}"
            )
        return pipeline
