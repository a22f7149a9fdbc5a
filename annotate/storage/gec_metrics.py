"""How this installation runs gec-metrics."""

from django.conf import settings

from metrics.gec_metrics.listing import Setup


def gec_metrics_setup() -> Setup | None:
    """The interpreter of `GEC_METRICS_PYTHON`; None where it is not set."""
    if not settings.GEC_METRICS_PYTHON:
        return None
    return Setup(
        python=settings.GEC_METRICS_PYTHON,
        list_file=settings.VAR_DIR / "gec-metrics.json",
        seconds=settings.GEC_METRICS_SECONDS,
    )
