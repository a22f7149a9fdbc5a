"""A campaign and an annotator at work in it."""

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Annotator, Campaign
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus


@pytest.fixture
def campaign(db: None, protocol: str) -> Campaign:
    return running_campaign(small_corpus(), repeat_percent=0, annotators_per_item=1)


@pytest.fixture
def ada(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


@pytest.fixture
def work(ada: Annotator) -> Client:
    """Ada's browser, after she followed her link."""
    client = Client()
    assert client.post(f"/join/{mint_personal_link(ada)}/").status_code == 302
    return client
