"""A machine's answer after one's own: read, and left by a key."""

from datetime import timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotate.design.protocols import PROTOCOLS
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.models import Annotator, Campaign, Design, Revision
from tests.annotate.judging.at_work import address
from tests.annotate.machine_judges import machine_of
from tests.annotate.protocols import said
from tests.annotate.running import NOON
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, at_work, go_back, wait_for_another

FOCUS_RING = 5
"""Width and distance of the outline of the link that has the focus, in pixels."""


@pytest.fixture
def machine(campaign: Campaign) -> Annotator:
    """It has answered all items."""
    Design.objects.filter(campaign=campaign).update(opinion_of="gpt")
    machine, asked_by = machine_of(campaign), PROTOCOLS[campaign.protocol]
    answers = [
        MachineAnswer(item.number, uuid4(), asked_by.fields(said([4, 3, 2, 1], 4)))
        for item in campaign.items.all()
    ]
    store_answers(machine, answers)
    return machine


def wait_for_opinion(page: Page) -> None:
    """The page is there and takes keys: its script gives the link the focus."""
    page.get_by_role("heading", name="A program’s answer").wait_for()
    expect(page.get_by_role("link", name="Continue")).to_be_focused()


def opinions() -> list[str | None]:
    rows = Revision.objects.filter(judgment__by_machine=0).order_by("judgment", "number")
    return list(rows.values_list("opinion", flat=True))


def test_enter_continues_but_not_the_enter_of_the_answer(
    new_visitor: NewVisitor, annotator: Annotator, machine: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    page.clock.set_fixed_time(NOON)
    source = answer_by_keys(page, "1234")
    wait_for_opinion(page)
    visitor.check()
    expect(page.locator(".before")).to_have_count(4)
    around, within = page.locator(".work .actions").bounding_box(), page.locator("[data-next]").bounding_box()
    assert around is not None
    assert within is not None
    assert within["x"] - around["x"] >= FOCUS_RING, "the row of buttons cuts off what is beyond its edge"
    page.evaluate("sessionStorage.setItem('assay-strayed', Date.now())")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A program’s answer")).to_be_visible()
    page.clock.set_fixed_time(NOON + timedelta(seconds=10))
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    page.go_back()
    wait_for_opinion(page)
    assert opinions() == ["shown-after"]


def test_the_answer_is_changed_by_a_key_and_what_was_seen_is_kept(
    new_visitor: NewVisitor, annotator: Annotator, machine: Annotator
) -> None:
    page = at_work(new_visitor(), annotator)
    page.clock.set_fixed_time(NOON)
    source = answer_by_keys(page, "1234")
    wait_for_opinion(page)
    page.clock.set_fixed_time(NOON + timedelta(seconds=10))
    go_back(page)
    page.clock.set_fixed_time(NOON + timedelta(seconds=20))
    answer_by_keys(page, "4321")
    wait_for_another(page, source)
    assert opinions() == ["shown-after", "shown-before"]


def test_an_answer_that_is_sent_from_another_tab_leads_there_too(
    new_visitor: NewVisitor, annotator: Annotator, machine: Annotator, live_server: LiveServer
) -> None:
    """The network was away, and the tab was closed before it was back."""
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.set_offline(True)
    answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    page.close()
    visitor.context.set_offline(False)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
    visitor.page = visitor.context.new_page()
    visitor.page.goto(f"{live_server.url}{address(annotator.campaign)}")
    wait_for_opinion(visitor.page)
    assert opinions() == ["shown-after"]
