"""The English pipeline of this installation, with a cache of parses."""

from django.conf import settings

from metrics.english.parse_cache import ParseCache
from metrics.english.spacy_pipelines import EnglishPipeline


def english_pipeline(name: str | None = None) -> EnglishPipeline:
    """The pipeline with this name, by default `ENGLISH_PIPELINE`; its parses are cached in `var/`."""
    cache = ParseCache(settings.VAR_DIR / "parses.sqlite3")
    return EnglishPipeline(name or settings.ENGLISH_PIPELINE, cache=cache)
