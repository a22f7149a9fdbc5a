"""A double click sends a form twice at once: the second request finds the name taken."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client

from annotate.accounts.administration import create_account
from annotate.campaigns.lifecycle import clone
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Campaign, Crowd, Role, User
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import small_corpus

Between = Callable[[type[Model], Callable[[], object]], None]


@pytest.fixture
def between_check_and_save(monkeypatch: pytest.MonkeyPatch) -> Between:
    """Have somebody else store something as soon as a row of the model was checked for the first time."""

    def arrange(model: type[Model], store: Callable[[], object]) -> None:
        check = model.full_clean

        def check_and_be_overtaken(row: Model, *how: Any, **more: Any) -> None:
            check(row, *how, **more)
            monkeypatch.setattr(model, "full_clean", check)
            store()

        monkeypatch.setattr(model, "full_clean", check_and_be_overtaken)

    return arrange


@pytest.fixture
def campaign(db: None) -> Campaign:
    return draft_campaign(small_corpus())


def test_of_an_invitation(admin: Client, campaign: Campaign, between_check_and_save: Between) -> None:
    between_check_and_save(Annotator, lambda: add_annotator(campaign, name="eve"))
    response = admin.post(f"/campaigns/{campaign.uuid}/invite/", {"name": "eve"})
    assert response.status_code == 422
    assert "Another annotator of this campaign" in response.content.decode()
    assert campaign.annotators.count() == 1


def test_of_an_account(admin: Client, between_check_and_save: Between) -> None:
    between_check_and_save(User, lambda: create_account(name="eve", role=Role.ANNOTATOR, by=None))
    page = admin.post("/accounts/new/", {"name": "eve", "role": "annotator"}).content.decode()
    assert "Another account has this name" in page
    assert User.objects.filter(username="eve").count() == 1


def test_of_a_clone(admin: Client, campaign: Campaign, between_check_and_save: Between) -> None:
    between_check_and_save(Campaign, lambda: clone(campaign, name="copy"))
    page = admin.post(f"/campaigns/{campaign.uuid}/clone/", {"name": "copy"}).content.decode()
    assert "Another campaign has this name" in page
    assert Campaign.objects.filter(name="copy").count() == 1


def test_of_a_crowd(admin: Client, campaign: Campaign, between_check_and_save: Between) -> None:
    codes = {"code_passed": "PASSED", "code_failed": "FAILED", "code_returned": "RETURNED"}
    other = Crowd(campaign=campaign, consent="Yes?", **codes)
    between_check_and_save(Crowd, other.save)
    form = {"platform": "prolific", "batches_per_visit": 1, "visits_per_worker": 1, "consent": "No?", **codes}
    page = admin.post(f"/campaigns/{campaign.uuid}/crowd/", form, follow=True).content.decode()
    assert "at the same moment" in page
    assert Crowd.objects.get() == other
