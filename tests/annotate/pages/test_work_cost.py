"""What a screen and an answer cost the database, however long the campaign."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.services.entry import add_annotator, mint_personal_link
from tests.annotate.designs import running_campaign
from tests.annotate.protocols import filled_in
from tests.annotate.samples import small_corpus

SCREEN, ANSWER = 8, 11


@pytest.mark.django_db
@pytest.mark.usefixtures("protocol")
def test_a_screen_and_an_answer_take_few_queries() -> None:
    campaign = running_campaign(small_corpus(), repeat_percent=0)
    client = Client()
    client.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    address = f"/judge/{campaign.uuid}/"
    page = client.get(address)
    answered = client.post(f"{address}{page.context['showing'].uuid}/", answer(page))
    assert answered.status_code == 302
    with CaptureQueriesContext(connection) as screen:
        page = client.get(address)
    with CaptureQueriesContext(connection) as submit:
        client.post(f"{address}{page.context['showing'].uuid}/", answer(page))
    assert (statements(screen), statements(submit)) == (SCREEN, ANSWER)


def answer(page: object) -> dict[str, str]:
    outputs = page.context["outputs"]  # type: ignore[attr-defined]
    return {"key": str(uuid4()), **filled_in(1 for _ in outputs)}


def statements(queries: CaptureQueriesContext) -> int:
    """Without those that only begin and end transactions."""
    return sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in queries)
