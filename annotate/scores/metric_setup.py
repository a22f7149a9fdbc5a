"""Parts of metrics that depend on the settings: pipelines, and the interpreter of gec-metrics."""

from functools import cache

from django.conf import settings

from metrics.edits.form_edits import FormEdits
from metrics.edits.word_tagger import WordTagger
from metrics.english.parse_cache import ParseCache
from metrics.english.spacy_pipelines import EnglishPipeline
from metrics.gec_metrics.listing import Setup


def english_pipeline(name: str | None = None) -> EnglishPipeline:
    """The pipeline with this name, by default `ENGLISH_PIPELINE`; its parses are cached in `var/`."""
    cache = ParseCache(settings.VAR_DIR / "parses.sqlite3")
    return EnglishPipeline(name or settings.ENGLISH_PIPELINE, cache=cache)


def form_edits(language: str) -> FormEdits:
    """What finds edits in texts of a language, a BCP 47 tag, other than English.

    Types have parts of speech if `TAGGERS` names a pipeline of the language.
    """
    primary = language.partition("-")[0].lower()
    named = settings.TAGGERS.get(primary)
    return FormEdits(_tagger(named, primary) if named else None)


@cache
def _tagger(name: str, language: str) -> WordTagger:
    """The pipeline, which stays loaded."""
    return WordTagger(name, language)


def gec_metrics_setup() -> Setup | None:
    """The interpreter of gec-metrics, or None if `GEC_METRICS_PYTHON` is not set."""
    if not settings.GEC_METRICS_PYTHON:
        return None
    return Setup(
        python=settings.GEC_METRICS_PYTHON,
        list_file=settings.VAR_DIR / "gec-metrics.json",
        seconds=settings.GEC_METRICS_SECONDS,
    )
