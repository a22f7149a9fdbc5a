"""A protocol consists of one class and one template, registered here alone, from page to snapshot."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client

from annotate.judging.entering import mint_personal_link
from annotate.judgments.queries import snapshot
from tests.annotate.running import cast, running
from tests.annotate.toys import Thumbs, registered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered(Thumbs()):
        yield


def test_a_new_protocol_is_handed_out_shown_checked_stored_and_exported() -> None:
    campaign = running(items=1, protocol=Thumbs.name, outputs_per_screen=2)
    [anna] = cast(campaign, "anna")
    browser = Client()
    browser.post(f"/join/{mint_personal_link(anna)}/")

    page = browser.get(f"/judge/{campaign.uuid}/")
    assert page.content.decode().count('<input name="thumb-') == Thumbs.most_outputs
    address = f"/judge/{campaign.uuid}/{page.context['showing'].uuid}/"
    outputs = [output["text"] for output in page.context["outputs"]]

    refused = browser.post(address, {"key": str(uuid4()), "thumb-0": "up"})
    assert refused.status_code == 422
    assert "Up or down?" in refused.content.decode()

    browser.post(address, {"key": str(uuid4()), "thumb-0": "up", "thumb-1": "down"})
    again = browser.get(address)
    assert {name: again.context["fields"][name] for name in ("thumb-0", "thumb-1")} == {
        "thumb-0": "up",
        "thumb-1": "down",
    }

    frame = snapshot(campaign)
    assert set(frame["protocol"]) == {"thumbs"}
    assert len(frame) == len(outputs)
    assert frame["score"].tolist() == [100, 0]
    assert frame["meaning_changed"].tolist() == [False, False]
    assert frame["rank"].isna().all()
