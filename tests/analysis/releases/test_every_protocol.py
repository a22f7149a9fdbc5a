"""Campaigns of every protocol, and published judgments, are released and read back with equal numbers."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.releases.checks import Confirmation
from analysis.releases.facts import compared
from analysis.releases.releasing import Release
from annotate.models import Campaign, CampaignState
from core.progress import NoProgress
from tests.analysis.releases.released import release_of
from tests.analysis.scored_campaigns import result_of, upload_scores
from tests.annotate.protocols import EACH, RATING
from tests.annotate.running import answer_all, cast, running
from tests.annotate.suggested_marks import campaign_with_suggestions, marks_of, states_of

pytestmark = pytest.mark.django_db

NOT_COMPARED = {"judgment", "campaign", "annotator", "item", "marks_edits"}
"""Columns whose values are others in each release, and the one of the design, which is not imported."""

ALONE = [Confirmation.FEW_ANNOTATORS]


def judged_and_closed() -> Campaign:
    """A campaign of the protocol of the test, whose three annotators answered everything."""
    campaign = running(annotators_per_item=3)
    for annotator in cast(campaign, "anna ben carla"):
        answer_all(annotator)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    return Campaign.objects.get(pk=campaign.pk)


def rows(release: Release) -> list[str]:
    """The judgments of people without what is drawn anew, in an order that follows from them."""
    lines = (release.folder / "data" / "judgments.jsonl").read_text().splitlines()
    kept = ({k: v for k, v in json.loads(line).items() if k not in NOT_COMPARED} for line in lines)
    return sorted(json.dumps(row, sort_keys=True) for row in kept)


@pytest.mark.parametrize("protocol", EACH, indirect=True)
def test_a_release_of_each_protocol_is_read_back_with_equal_numbers(protocol: str, tmp_path: Path) -> None:
    campaign = judged_and_closed()
    upload_scores(
        campaign.corpus,
        tmp_path,
        *[
            f"luck,{each},,0.{place}"
            for place, each in enumerate(
                campaign.systems.order_by("name").values_list("name", flat=True), start=1
            )
        ],
    )
    release = release_of(campaign, tmp_path)
    call_command("verify", str(release.zip))
    call_command("import_release", "again", str(release.folder))
    again = Campaign.objects.get(name="again")
    assert again.protocol == protocol
    assert compared(again, NoProgress()) == compared(campaign, NoProgress())
    second = release_of(again, tmp_path, into="second")
    assert rows(second) == rows(release)
    assert second.facts.states == release.facts.states
    if protocol in RATING:
        agreement = [result_of(METRICS_PEOPLE, each).metrics for each in (campaign, again)]
        assert agreement[0] == agreement[1]


def test_what_became_of_suggested_marks_is_released_and_read_back(tmp_path: Path) -> None:
    campaign = campaign_with_suggestions()
    assert states_of(campaign) == {"accepted", "changed", "added", "removed"}
    release = release_of(campaign, tmp_path, confirmed=ALONE)
    call_command("import_release", "again", str(release.folder))
    assert marks_of(Campaign.objects.get(name="again")) == marks_of(campaign)
    bare = release_of(campaign, tmp_path, into="bare", confirmed=ALONE, leave_out_texts="true")
    assert details(bare) == details(release)
    assert any("removed" in each for each in details(bare))


def details(release: Release) -> list[str]:
    """The details of all ratings, in an order that follows from them."""
    return sorted(json.dumps(json.loads(row).get("rating_details"), sort_keys=True) for row in rows(release))
