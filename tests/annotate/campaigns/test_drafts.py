from typing import Any

import pytest
from django.core.exceptions import ValidationError

from annotate.campaigns.drafts import change_draft
from annotate.campaigns.lifecycle import CampaignError, launch
from annotate.models import Campaign
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db


def change(campaign: Campaign, **changes: Any) -> None:
    """Rename the draft and ask for three items."""
    design = campaign.design
    design.items = changes.pop("items", 3)
    options = {"name": "renamed", "protocol": "relative-ranking", "systems": list(campaign.systems.all())}
    change_draft(campaign, design=design, **{**options, **changes})


def test_a_draft_takes_its_settings() -> None:
    campaign = draft_campaign(small_corpus())
    change(campaign, systems=list(campaign.corpus.systems.filter(name__in=["Alder", "Birch"])))
    stored = Campaign.objects.get()
    assert (stored.name, stored.design.items) == ("renamed", 3)
    assert [system.name for system in stored.systems.order_by("name")] == ["Alder", "Birch"]


def test_a_campaign_that_was_launched_meanwhile_stays_as_it_is() -> None:
    campaign = draft_campaign(small_corpus())
    launch(Campaign.objects.get(), progress=no_progress)
    before = contents()
    with pytest.raises(CampaignError, match="Clone it"):
        change(campaign)
    assert contents() == before


@pytest.mark.parametrize("changes", [{"name": "other"}, {"name": " "}, {"items": 0}])
def test_malformed_settings_change_nothing(changes: dict[str, Any]) -> None:
    corpus = small_corpus()
    draft_campaign(corpus, "other")
    campaign = draft_campaign(corpus)
    before = contents()
    with pytest.raises(ValidationError):
        change(campaign, **changes)
    assert contents() == before


def test_launching_a_draft_that_changed_meanwhile_is_refused() -> None:
    campaign = draft_campaign(small_corpus())
    seen = Campaign.objects.get()
    change(campaign)
    with pytest.raises(CampaignError, match="changed in the meantime"):
        launch(seen, progress=no_progress)
    assert not campaign.items.exists()
