"""Parses of the large corpus, which would take an hour of processor time."""

import re
from dataclasses import replace
from itertools import chain, islice

from metrics.english.parses import ParsedText

TEXTS_AT_ONCE = 20_000
PLACE = 1
"""Of the number in each text."""


def keep_parses() -> None:
    """Keep a parse of each text, as if it was parsed before: that of another one of its form.

    Texts of one form differ in a number, which is a number whatever its digits.
    """
    from django.conf import settings

    from annotate.models import Output, Reference, Sentence
    from annotate.scores.metric_setup import english_pipeline
    from metrics.english.parse_cache import ParseCache

    pipeline, cache = english_pipeline(), ParseCache(settings.VAR_DIR / "parses.sqlite3")
    parsed: dict[str, ParsedText] = {}

    def parse_of(text: str) -> ParsedText:
        form = re.sub(r"\d+", "1", text, count=1)
        if form not in parsed:
            [parsed[form]] = pipeline.parse_here([form])
        words, lemmas = text.split(), list(parsed[form].lemmas)
        lemmas[PLACE] = words[PLACE]
        return replace(parsed[form], words=tuple(words), lemmas=tuple(lemmas))

    rows = (model._default_manager.values_list("text", flat=True) for model in (Sentence, Output, Reference))
    texts = chain.from_iterable(each.iterator() for each in rows)
    while some := list(islice(texts, TEXTS_AT_ONCE)):
        cache.put(pipeline.signature, {text: parse_of(text) for text in some if text})
