"""Queries of a screen and of an answer, in campaigns of any length and by every way in.

None ever takes more than `MOST` queries, signing in included: `Visitor` looks at each.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.design.protocols import PROTOCOLS
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import (
    Annotator,
    AnsweredHour,
    Assignment,
    Design,
    Item,
    Judgment,
    Revision,
    Slot,
    SlotState,
    User,
)
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
from tests.annotate.judging.test_qualification import GUIDELINES
from tests.annotate.practising import as_shown
from tests.annotate.protocols import filled_in
from tests.annotate.running import answer_all, pass_over, shown
from tests.annotate.samples import sentence, small_corpus

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("protocol"),
    pytest.mark.any_protocol,
    pytest.mark.any_database,
]

MOST = 12
LEASE = timedelta(minutes=60)
JSON = {"Accept": "application/json"}


class Visitor:
    """Ada's browser in a campaign of eight items, each of which its annotator judges twice.

    Attributes:
        ada: the annotator.
        signing_in: queries that find out who has come: an account needs its session.
        outputs_read: queries that read the outputs of the next screen.
    """

    def __init__(self, way_in: str, *, batch_size: int = 8, single_outputs: int = 0, **design: Any) -> None:
        texts = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(8)]
        texts += [sentence(*[f"Be {n} ."] * 4) for n in range(single_outputs)]
        campaign = running_campaign(
            small_corpus(sentences=texts),
            items=len(texts),
            with_replacement=False,
            batch_size=batch_size,
            annotators_per_item=2,
            shared_percent=100,
            repeat_percent=100,
            **design,
        )
        self.client = Client()
        self.ada = add_annotator(campaign, name="ada")
        if way_in == "account":
            self.ada.user = User.objects.create_user("ada")
            self.ada.save()
            self.client.force_login(self.ada.user)
        else:
            self.client.post(f"/join/{mint_personal_link(self.ada)}/")
        self.signing_in = {"link": 0, "account": 1}[way_in]
        self.outputs_read = int(PROTOCOLS[campaign.protocol].most_outputs > 0)
        self.work = f"/judge/{campaign.uuid}/"
        # Slots that were assigned before come first.
        Slot.objects.filter(item__sentence__text__startswith="Be").update(left_over=True)
        if not single_outputs:
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

    def get(self, address: str, *, status: int = 200) -> int:
        """The number of queries of a page, but for signing in."""
        return self._count(lambda: self.client.get(address), status)

    def come_at_a_bad_moment(self) -> None:
        """All occasional extra queries come together: hour and day are new, the lease is old."""
        now = timezone.now()
        Annotator.objects.update(answered_at=now - timedelta(hours=2), shown_at=None, domain_day=None)
        Assignment.objects.filter(state="active").update(leased_until=now + LEASE / 2)

    def post(self, address: str, fields: dict[str, str], *, status: int = 200) -> int:
        """The number of queries of what the script sends, but for signing in."""
        return self._count(lambda: self.client.post(address, fields, headers=JSON), status)

    def _count(self, ask: Callable[[], Any], status: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            response = ask()
        assert response.status_code == status
        if response.context and "showing" in response.context:
            self.page = response
        statements = sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in queries)
        assert statements <= MOST
        return statements - self.signing_in


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
    assert visitor.get(visitor.work) <= 10
    assert "Nothing right now" not in visitor.page.content.decode()
    assert Slot.objects.filter(lapsed_at__isnull=False).exists()


def test_the_guidelines_before_the_first_screen(visitor: Visitor) -> None:
    Design.objects.update(guidelines="Be fair.")
    assert visitor.get(f"{visitor.work}guidelines/") == 3


def test_an_answer_with_a_draft_and_a_planned_repeat(visitor: Visitor) -> None:
    assert visitor.post(f"{visitor.screen}draft/", visitor.fields, status=204) == 4
    screen, fields = visitor.screen, visitor.fields
    assert visitor.post(screen, fields) == 9 + visitor.outputs_read, "with the next screen"
    assert Slot.objects.filter(state=SlotState.RESERVED, annotator=visitor.ada).count() == 1
    assert visitor.post(screen, fields) == 3, "it is known by its key"
    assert Revision.objects.count() == 1


def test_a_revision(visitor: Visitor) -> None:
    screen = visitor.screen
    visitor.post(screen, visitor.fields)
    assert visitor.get(screen) == 4
    assert visitor.post(screen, visitor.fields) == 6 + visitor.outputs_read, "with the next screen"


def test_an_answer_to_a_screen_answered_in_another_tab(visitor: Visitor) -> None:
    screen = visitor.screen
    visitor.post(screen, visitor.fields | {"revises": "0"})
    assert visitor.post(screen, visitor.fields | {"revises": "0"}, status=422) <= 9
    assert Revision.objects.count() == 1


def test_the_first_answer_of_an_hour(visitor: Visitor) -> None:
    Annotator.objects.update(answered_at=timezone.now() - timedelta(hours=1))
    assert visitor.post(visitor.screen, visitor.fields) == 10 + visitor.outputs_read


def test_an_answer_that_comes_too_late(visitor: Visitor) -> None:
    Slot.objects.filter(annotator=visitor.ada).update(state=SlotState.FREE, assignment=None, annotator=None)
    assert visitor.post(visitor.screen, visitor.fields) == 8 + visitor.outputs_read
    assert Judgment.objects.get().state == "complete"
    repeat = Slot.objects.exclude(repeats=None).get(annotator=visitor.ada)
    assert (repeat.state, repeat.due_at_screen) == (SlotState.RESERVED, 11)


def test_a_skip_that_hands_the_item_to_the_admin(visitor: Visitor) -> None:
    ben = Annotator.objects.create(campaign=visitor.ada.campaign, name="ben")
    item = visitor.page.context["showing"].slot.item
    while (showing := shown(ben)).slot.item != item:
        pass_over(showing)
    pass_over(showing)
    assert visitor.post(f"{visitor.screen}skip/", visitor.fields) == 10
    assert Item.objects.get(pk=item.pk).is_held


@pytest.fixture(params=["link", "account"])
def unlucky(request: pytest.FixtureRequest) -> Visitor:
    """Somebody who always comes at a bad moment, in a campaign that separates domains."""
    visitor = Visitor(request.param, separates_domains=True)
    visitor.come_at_a_bad_moment()
    return visitor


def test_no_answer_takes_more_than_it_may_whatever_comes_together(unlucky: Visitor) -> None:
    screen = unlucky.screen
    unlucky.post(screen, unlucky.fields)
    assert AnsweredHour.objects.count() == 1
    assert Slot.objects.filter(state=SlotState.RESERVED, annotator=unlucky.ada).exists()
    unlucky.come_at_a_bad_moment()
    unlucky.post(screen, {**unlucky.fields, "note": ""})
    unlucky.come_at_a_bad_moment()
    unlucky.get(screen)
    unlucky.get(unlucky.work)
    assert Revision.objects.count() == 2


def test_no_skip_does_and_no_answer_after_it(unlucky: Visitor) -> None:
    screen = unlucky.screen
    for _ in range(2):
        unlucky.post(f"{screen}skip/", unlucky.fields)
        unlucky.come_at_a_bad_moment()
    unlucky.post(screen, unlucky.fields)
    assert Judgment.objects.get().state == "complete", "nobody else has taken the slot"
    assert Revision.objects.count() == 3


def test_no_skip_does_that_hands_the_item_to_the_admin(unlucky: Visitor) -> None:
    item = unlucky.page.context["showing"].slot.item
    ben = Annotator.objects.create(campaign=unlucky.ada.campaign, name="ben")
    Judgment.objects.create(
        campaign=unlucky.ada.campaign, item=item, annotator=ben, repetition=7, state="skipped"
    )
    unlucky.post(f"{unlucky.screen}skip/", unlucky.fields)
    assert Item.objects.get(pk=item.pk).is_held


def test_no_surplus_answer_does(unlucky: Visitor) -> None:
    ben = Annotator.objects.create(campaign=unlucky.ada.campaign, name="ben")
    Slot.objects.filter(annotator=unlucky.ada).update(annotator=ben)
    unlucky.post(unlucky.screen, unlucky.fields)
    assert Judgment.objects.get().state == "surplus"


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_no_screen_or_answer_of_a_planned_repeat_does(way_in: str) -> None:
    unlucky = Visitor(way_in)
    unlucky.post(unlucky.screen, unlucky.fields)
    Slot.objects.exclude(repeats=None).filter(annotator=unlucky.ada).update(due_at_screen=0)
    unlucky.come_at_a_bad_moment()
    unlucky.get(unlucky.work)
    assert unlucky.page.context["showing"].slot.repeats is not None
    unlucky.come_at_a_bad_moment()
    unlucky.post(f"{unlucky.screen}skip/", unlucky.fields)
    Slot.objects.exclude(repeats=None).update(state=SlotState.RESERVED)
    unlucky.come_at_a_bad_moment()
    unlucky.get(unlucky.work)
    unlucky.post(unlucky.screen, unlucky.fields)
    assert Revision.objects.count() == 3


def test_a_planned_repeat_that_comes_with_an_answer_on_an_old_lease(visitor: Visitor) -> None:
    visitor.post(visitor.screen, visitor.fields)
    Slot.objects.exclude(repeats=None).filter(annotator=visitor.ada).update(due_at_screen=0)
    Assignment.objects.update(leased_until=timezone.now() + LEASE / 2)
    visitor.post(visitor.screen, visitor.fields)
    assert visitor.page.context["showing"].slot.repeats is not None


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_no_step_towards_a_batch_does(way_in: str) -> None:
    visitor = Visitor(way_in, separates_domains=True, batch_size=2)
    others = [Annotator.objects.create(campaign=visitor.ada.campaign, name=name) for name in "bcd"]
    for other in others:
        shown(other, timezone.now())
    free = {"state": SlotState.FREE, "assignment": None, "annotator": None}
    Slot.objects.filter(annotator=visitor.ada).update(**free, left_over=True)
    visitor.ada.assignments.all().delete()
    visitor.come_at_a_bad_moment()
    Assignment.objects.update(leased_until=timezone.now() - LEASE)
    visitor.get(visitor.work, status=302)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"abandoned"}
    visitor.get(visitor.work, status=302)
    assert Slot.objects.filter(annotator=visitor.ada, showings__annotator=visitor.ada).count() == 1
    visitor.get(visitor.work)
    assert visitor.ada.showings.count() == 1, "it is the one that was left"


@pytest.mark.parametrize("asked_by", protocols.EACH)
@pytest.mark.parametrize("run", [1, 5, 50])
@pytest.mark.parametrize("way_in", ["link", "account"])
def test_no_run_of_items_with_one_output_does(
    monkeypatch: pytest.MonkeyPatch, way_in: str, run: int, asked_by: str
) -> None:
    """Here the protocol matters: some ask nothing of such an item."""
    monkeypatch.setattr(protocols, "current", asked_by)
    visitor = Visitor(way_in, single_outputs=run, separates_domains=True, batch_size=1)
    if PROTOCOLS[asked_by].auto_answer:
        visitor.get(visitor.work, status=302)
        assert Annotator.objects.get(name="ada").auto == run
    visitor.get(visitor.work)
    visitor.post(visitor.screen, visitor.fields)


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_no_page_before_the_first_screen_does(way_in: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "current", protocols.RANKING)
    visitor = Visitor(way_in, guidelines=GUIDELINES, practice_needed=2, practice_tries=2)
    visitor.come_at_a_bad_moment()
    visitor.get(visitor.work, status=302)
    visitor.get(f"{visitor.work}guidelines/")
    visitor.post(f"{visitor.work}guidelines/", {}, status=302)
    visitor.get(visitor.work, status=302)
    for ranks in ({"rank-0": "2", "rank-1": "1"}, {"rank-0": "1", "rank-1": "2"}):
        for number in (1, 2):
            page = f"{visitor.work}practice/{number}/"
            visitor.get(page)
            answer = as_shown(visitor.ada, number, ranks)
            visitor.post(page, answer, status=302)
            visitor.get(f"{page}compared/?{urlencode(answer)}")
        visitor.post(f"{visitor.work}practice/end/", {}, status=302)
        visitor.get(f"{visitor.work}practice/result/")
    visitor.get(visitor.work)
    visitor.get(f"{visitor.work}answers/")
