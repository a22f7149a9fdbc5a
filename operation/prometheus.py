"""The site's figures in the text format of Prometheus, from the database alone."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, Sum
from django.utils import timezone
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from annotate.models import Annotator, Campaign, CampaignState
from assay import __version__
from jobs.models import Job, JobState
from jobs.signs import last_sign

STATES = ("complete", "skipped", "auto", "surplus")
RUN_HERE = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED)


def metrics_text() -> bytes:
    """All figures, as they are now."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Site())
    return generate_latest(registry)


class _Site(Collector):
    def collect(self) -> Iterator[Metric]:
        yield from _version()
        yield from _jobs()
        yield from _campaigns()

    def describe(self) -> Iterator[Metric]:
        return iter(())


def _version() -> Iterator[Metric]:
    family = GaugeMetricFamily("assay_build_info", "Version of Assay.", labels=["version"])
    family.add_metric([__version__], 1)
    yield family


def _jobs() -> Iterator[Metric]:
    counts = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
    family = GaugeMetricFamily("assay_jobs", "Background jobs by state.", labels=["state"])
    for state in JobState.values:
        family.add_metric([state], counts.get(state, 0))
    yield family
    oldest = Job.objects.filter(state=JobState.QUEUED).aggregate(at=Min("created_at"))["at"]
    yield GaugeMetricFamily(
        "assay_jobs_oldest_queued_seconds",
        "How long the oldest queued job has been waiting.",
        (timezone.now() - oldest).total_seconds() if oldest else 0,
    )
    yield GaugeMetricFamily(
        "assay_worker_last_sign_timestamp_seconds",
        "When a job worker last gave a sign of life; 0 if none has within a day.",
        _seconds(last_sign()),
    )


def _campaigns() -> Iterator[Metric]:
    answers = GaugeMetricFamily(
        "assay_answers", "Judgments by campaign and state.", labels=["campaign", "name", "state"]
    )
    wanted = GaugeMetricFamily(
        "assay_judgments_wanted", "Judgments that the campaign asks for.", labels=["campaign", "name"]
    )
    last = GaugeMetricFamily(
        "assay_last_answer_timestamp_seconds",
        "When the newest answer arrived; 0 if there is none.",
        labels=["campaign", "name"],
    )
    sums: dict[int, dict[str, Any]] = {
        row["campaign"]: dict(row)
        for row in Annotator.objects.order_by()
        .values("campaign")
        .annotate(newest=Max("answered_at"), **{f"sum_{state}": Sum(state) for state in STATES})
    }
    for campaign in Campaign.objects.filter(state__in=RUN_HERE):
        labels = [str(campaign.uuid), campaign.name]
        row: dict[str, Any] = sums.get(campaign.pk, {})
        for state in STATES:
            answers.add_metric([*labels, state], row.get(f"sum_{state}", 0))
        wanted.add_metric(labels, campaign.slot_count)
        last.add_metric(labels, _seconds(row.get("newest")))
    yield from (answers, wanted, last)


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at else 0
