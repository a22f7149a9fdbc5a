"""A protocol consists of one class and one template, registered here alone, from page to snapshot."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from annotate.design import protocols
from annotate.design.protocols import Answer, RatingProtocol, RatingValue
from annotate.judging.entering import mint_personal_link
from annotate.judgments.queries import snapshot
from tests.annotate.running import cast, running

pytestmark = pytest.mark.django_db


class Thumbs(RatingProtocol):
    """A thumb up is worth 100 points, and a thumb down none."""

    name = "thumbs"
    title = "Thumbs"
    template = "toy/thumbs.html"
    least_outputs = 2
    most_outputs = 2
    least_systems = 2
    auto_answer = None
    marks_edits = False
    separates_domains = False

    def incomplete(self, outputs: int) -> str:
        return "Up or down?"

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        thumbs = [fields.get(f"thumb-{position}") for position in range(outputs)]
        missing = tuple(position for position, thumb in enumerate(thumbs) if thumb not in ("up", "down"))
        if missing:
            raise self.missing(missing, outputs)
        return tuple(RatingValue(score=100 * (thumb == "up"), meaning_changed=False) for thumb in thumbs)

    def fields(self, answer: Answer) -> dict[str, str]:
        return {f"thumb-{place}": self.mark(value) for place, value in enumerate(answer.ratings)}

    def rating(self, mark: str, outputs: int) -> RatingValue:
        return RatingValue(score=100 * (mark == "up"), meaning_changed=False)

    def mark(self, value: RatingValue) -> str:
        return "up" if value.score else "down"

    def agree(self, given: Answer, expected: Answer) -> bool:
        return given == expected


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setitem(protocols.PROTOCOLS, Thumbs.name, Thumbs())
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(Path(__file__).parent.parent / "templates")
    settings.TEMPLATES = templates


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
