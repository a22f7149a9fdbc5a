"""Deletes stored results of analyses, so that they are computed again."""

from django.core.cache import cache

from analysis.models import Run


def forget_results() -> None:
    """Nothing was computed before."""
    Run.objects.all().delete()
    cache.clear()
