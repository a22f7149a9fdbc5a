"""What a screen and an answer cost the database, however long the campaign and whichever way one came in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.models import Annotator, Design, Item, Judgment, Revision, Slot, SlotState, User
from annotate.services.entry import add_annotator, mint_personal_link
from tests.annotate.designs import running_campaign
from tests.annotate.protocols import filled_in
from tests.annotate.running import answer_all, pass_over, shown
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol")]

MOST = 13
JSON = {"Accept": "application/json"}


class Visitor:
    """Ada's browser in a campaign of eight items, each of which is asked twice of whoever answers it.

    Attributes:
        ada: the annotator.
        signing_in: queries that find out who has come: an account needs its session and its row.
    """

    def __init__(self, way_in: str, *, batch_size: int = 8) -> None:
        texts = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(8)]
        campaign = running_campaign(
            small_corpus(sentences=texts),
            items=8,
            batch_size=batch_size,
            annotators_per_item=2,
            shared_percent=100,
            repeat_percent=100,
        )
        self.client = Client()
        self.ada = add_annotator(campaign, name="ada")
        if way_in == "account":
            self.ada.user = User.objects.create_user("ada")
            self.ada.save()
            self.client.force_login(self.ada.user)
        else:
            self.client.post(f"/join/{mint_personal_link(self.ada)}/")
        self.signing_in = {"link": 0, "account": 2}[way_in]
        self.work = f"/judge/{campaign.uuid}/"
        self.page = self.client.get(self.work)
        # As of somebody who is at work: the first answer of an hour takes one query more.
        Annotator.objects.update(answered_at=timezone.now())

    @property
    def screen(self) -> str:
        """The address of the screen that is shown."""
        return f"{self.work}{self.page.context['showing'].uuid}/"

    @property
    def fields(self) -> dict[str, str]:
        """An answer to it, under a new key."""
        return {"key": str(uuid4()), "note": "odd", **filled_in(1 for _ in self.page.context["outputs"])}

    def get(self, address: str) -> int:
        """The number of queries of a page, but for signing in."""
        return self._count(lambda: self.client.get(address), 200)

    def post(self, address: str, fields: dict[str, str], *, status: int = 200) -> int:
        """The number of queries of what the script sends, but for signing in."""
        return self._count(lambda: self.client.post(address, fields, headers=JSON), status)

    def _count(self, ask: Callable[[], Any], status: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            response = ask()
        assert response.status_code == status
        if response.context:
            self.page = response
        found = sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in queries)
        assert found <= MOST
        return found - self.signing_in


@pytest.fixture(params=["link", "account"])
def visitor(request: pytest.FixtureRequest) -> Visitor:
    return Visitor(request.param)


def test_screens(visitor: Visitor) -> None:
    assert visitor.get(visitor.work) == 3
    assert visitor.get(visitor.screen) == 3
    visitor.post(visitor.screen, visitor.fields)
    visitor.ada.showings.latest("pk").delete()
    assert visitor.get(visitor.work) == 4, "it is shown for the first time"


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_screens_of_batches_of_one(way_in: str) -> None:
    visitor = Visitor(way_in, batch_size=1)
    assert visitor.post(visitor.screen, visitor.fields) <= 11, "the batch is done"
    assert visitor.get(visitor.work) == 9, "a batch is begun"


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_nothing_left_but_repeats_of_somebody_who_is_away(way_in: str) -> None:
    visitor = Visitor(way_in)
    ben = Annotator.objects.create(campaign=visitor.ada.campaign, name="ben")
    answer_all(ben, timezone.now() - timedelta(days=1))
    answer_all(visitor.ada, timezone.now())
    assert visitor.get(visitor.work) <= 9
    assert "Nothing right now" not in visitor.page.content.decode()
    assert Slot.objects.filter(lapsed_at__isnull=False).exists()


def test_the_guidelines_before_the_first_screen(visitor: Visitor) -> None:
    Design.objects.update(guidelines="Be fair.")
    assert visitor.get(f"{visitor.work}guidelines/") == 3


def test_an_answer_with_a_draft_and_a_planned_repeat(visitor: Visitor) -> None:
    assert visitor.post(f"{visitor.screen}draft/", visitor.fields, status=204) == 4
    screen, fields = visitor.screen, visitor.fields
    assert visitor.post(screen, fields) == 10, "with the next screen"
    assert Slot.objects.filter(state=SlotState.RESERVED, annotator=visitor.ada).count() == 1
    assert visitor.post(screen, fields) == 6, "it is known by its key"
    assert Revision.objects.count() == 1


def test_a_revision(visitor: Visitor) -> None:
    screen = visitor.screen
    visitor.post(screen, visitor.fields)
    assert visitor.get(screen) == 4
    assert visitor.post(screen, visitor.fields) == 9, "with the next screen"


def test_the_first_answer_of_an_hour(visitor: Visitor) -> None:
    Annotator.objects.update(answered_at=timezone.now() - timedelta(hours=1))
    assert visitor.post(visitor.screen, visitor.fields) == 11


def test_an_answer_that_comes_too_late(visitor: Visitor) -> None:
    Slot.objects.filter(annotator=visitor.ada).update(state=SlotState.FREE, assignment=None, annotator=None)
    assert visitor.post(visitor.screen, visitor.fields) == 10
    assert Judgment.objects.get().state == "complete"


def test_a_skip_that_hands_the_item_to_the_admin(visitor: Visitor) -> None:
    ben = Annotator.objects.create(campaign=visitor.ada.campaign, name="ben")
    item = visitor.page.context["showing"].slot.item
    while (showing := shown(ben)).slot.item != item:
        pass_over(showing)
    pass_over(showing)
    assert visitor.post(f"{visitor.screen}skip/", visitor.fields) == 10
    assert Item.objects.get(pk=item.pk).is_held
