"""An annotator at work: whatever happens, the database holds exactly the given answers.

The tests of this folder run once for each protocol that rates several outputs; the others have screens of
their own.
"""

import pytest

from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Campaign
from tests.browser.working import campaign_of_four


@pytest.fixture
def campaign(transactional_db: None, rating_protocol: str) -> Campaign:
    return campaign_of_four()


@pytest.fixture
def annotator(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")
