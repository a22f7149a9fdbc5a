"""Parts of metrics that depend on the settings: the English pipeline, the interpreter of gec-metrics."""

from django.conf import settings

from metrics.english.parse_cache import ParseCache
from metrics.english.spacy_pipelines import EnglishPipeline
from metrics.gec_metrics.listing import Setup


def english_pipeline(name: str | None = None) -> EnglishPipeline:
    """The pipeline with this name, by default `ENGLISH_PIPELINE`; its parses are cached in `var/`."""
    cache = ParseCache(settings.VAR_DIR / "parses.sqlite3")
    return EnglishPipeline(name or settings.ENGLISH_PIPELINE, cache=cache)


def gec_metrics_setup() -> Setup | None:
    """The interpreter of gec-metrics, or None if `GEC_METRICS_PYTHON` is not set."""
    if not settings.GEC_METRICS_PYTHON:
        return None
    return Setup(
        python=settings.GEC_METRICS_PYTHON,
        list_file=settings.VAR_DIR / "gec-metrics.json",
        seconds=settings.GEC_METRICS_SECONDS,
    )
