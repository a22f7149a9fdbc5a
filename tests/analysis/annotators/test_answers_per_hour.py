"""Answers per hour, the smallest real analysis."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.test import Client

from analysis.analyses.annotators.answers_per_hour import ANSWERS_PER_HOUR, PaceParameters, answers_per_hour
from analysis.analyses.judgment_inputs import judgments
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, Revision
from core.progress import NoProgress
from tests.annotate.samples import campaign_without_texts, ranking

pytestmark = pytest.mark.any_database

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HALF_AN_HOUR = timedelta(minutes=30)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Anna answers four times, half an hour apart, ben once, and skips once; each in a quarter of an hour."""
    answers = [ranking("anna", sentence, "A > B", duration_ms=900_000) for sentence in range(4)]
    answers += [ranking("ben", 0, "B > A", duration_ms=900_000), ranking("ben", 1, "", duration_ms=900_000)]
    campaign = campaign_without_texts(rankings=answers)
    for number, revision in enumerate(Revision.objects.order_by("pk")):
        Revision.objects.filter(pk=revision.pk).update(submitted_at=NOON + number * HALF_AN_HOUR)
    return campaign


@pytest.mark.parametrize(
    ("parameters", "paces"),
    [
        (PaceParameters(), [(4, 1.0, 4.0), (1, 0.25, 4.0)]),
        (PaceParameters(hours="clock"), [(4, 2, 2.0), (1, 1, 1.0)]),
        (PaceParameters(skipped=True), [(4, 1.0, 4.0), (2, 0.5, 4.0)]),
    ],
)
def test_answers_are_divided_by_hours(
    campaign: Campaign, parameters: PaceParameters, paces: list[tuple[int, float, float]]
) -> None:
    frame = snapshot(campaign, names=True)
    result = answers_per_hour(judgments(frame, ANSWERS_PER_HOUR.columns), parameters, NoProgress())
    assert [pace.annotator for pace in result.annotators] == ["anna", "ben"]
    assert [(pace.answers, pace.hours, pace.per_hour) for pace in result.annotators] == paces
    assert result.total.answers == sum(answers for answers, _, _ in paces)


def test_answers_without_times_have_a_reason_instead(campaign: Campaign) -> None:
    Revision.objects.update(active_ms=None)
    result = answers_per_hour(
        judgments(snapshot(campaign), ANSWERS_PER_HOUR.columns), PaceParameters(), NoProgress()
    )
    assert {(pace.answers, pace.per_hour, pace.reason) for pace in (*result.annotators, result.total)} == {
        (0, None, "no times were recorded")
    }


def test_the_page_has_a_row_of_all(researcher: Client, campaign: Campaign) -> None:
    address = f"{campaign.get_absolute_url()}analyses/answers-per-hour/?hours=clock"
    page = unescape(researcher.get(address).content.decode())
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in page.split("<tr>")[2:]]
    assert [row[:5] for row in rows[:2]] == [
        ["Annotator", "1", "2.0", "4", "2.0"],
        ["Annotator", "2", "1.0", "1", "1.0"],
    ]
    assert rows[2][:4] == ["All", "1.7", "5", "3.0"]
    assert "answers-per-hour|rule:2|hours:clock|skipped:no|snapshot:" in page
    assert "5 answers in 3.0 hours of the clock with an answer, of all annotators together: 1.7" in page


def test_nothing_is_drawn_without_times(researcher: Client, campaign: Campaign) -> None:
    Revision.objects.update(active_ms=None)
    address = f"{campaign.get_absolute_url()}analyses/answers-per-hour/"
    assert '<rect class="bar"' not in researcher.get(address).content.decode()


def test_whoever_is_too_fast_is_named_and_has_a_bar_cut_off(researcher: Client, db: None) -> None:
    times = {"anna": 900_000, "ben": 9_000, "cara": 450_000}
    answers = [ranking(name, 0, "A > B", duration_ms=duration) for name, duration in times.items()]
    address = f"{campaign_without_texts(rankings=answers).get_absolute_url()}analyses/answers-per-hour/"
    page = unescape(researcher.get(address).content.decode())
    assert "<strong>Annotator 2 answers over 4 times as fast as the median annotator</strong>" in page
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in page.split("<tr>")[2:]]
    assert [" ".join(row[1:]) for row in rows[:3]] == ["1 4.0 1 0.2", "2 400.0 cut off 1 9 s", "3 8.0 1 0.1"]
    widths = re.findall(r'<rect class="bar" x="4.0%" width="([\d.]+)%"', page)
    assert list(map(float, widths)) == [11.5, 92.0, 23.0], "32 answers per hour are 4 times the median"


def test_a_break_counts_as_ten_median_answers(db: None) -> None:
    times = [60_000, 60_000, 36_000_000]
    answers = [ranking("anna", place, "A > B", duration_ms=duration) for place, duration in enumerate(times)]
    frame = snapshot(campaign_without_texts(rankings=answers))
    result = answers_per_hour(judgments(frame, ANSWERS_PER_HOUR.columns), PaceParameters(), NoProgress())
    assert (result.total.answers, result.total.hours, result.breaks) == (3, 12 / 60, 1)
