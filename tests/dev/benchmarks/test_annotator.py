"""The simulated annotator answers screens of every protocol without texts to write."""

import pytest
from django.test import Client

from annotate.judging.entering import mint_personal_link
from annotate.models import Judgment
from dev.benchmarks.annotator import Annotator, Log
from tests.annotate.protocols import CORRECTION, EACH
from tests.annotate.running import cast, running

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("protocol", [each for each in EACH if each != CORRECTION], indirect=True)
def test_answers_fit_the_screen(protocol: str, client: Client) -> None:
    campaign = running()
    [person] = cast(campaign, "anna")
    token = mint_personal_link(person)
    client.post(f"/join/{token}/")
    annotator = Annotator(0, token, Log())
    annotator.address = f"/judge/{campaign.uuid}/"
    page = client.get(annotator.address).content.decode()
    for number in range(1, 3):
        answer = annotator.answer_to(page)
        assert answer is not None
        sent = client.post(answer.path, answer.fields, headers={"Accept": "application/json"})
        assert sent.status_code == 200, sent.content
        assert Judgment.objects.filter(state="complete").count() == number
        page = sent.json().get("screen", "") or client.get(annotator.address).content.decode()
