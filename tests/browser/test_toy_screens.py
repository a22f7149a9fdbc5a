"""The screens of protocols that are not part of Assay: texts without an output, and a verdict on one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from annotate.design.protocols import Protocol
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Revision
from tests.annotate.running import running
from tests.annotate.toys import TwoVersions, Verdict, registered
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, wait_for_another


@pytest.fixture(autouse=True)
def toys(transactional_db: None) -> Iterator[None]:
    with registered(TwoVersions(), Verdict()):
        yield


def annotator_of(protocol: type[Protocol]) -> Annotator:
    campaign = running(items=2, protocol=protocol.name, outputs_per_screen=protocol.most_outputs)
    return add_annotator(campaign, name="ada")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_two_texts_and_a_detail_by_keyboard(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(TwoVersions))
    source = page.inner_text(".source")
    expect(page.locator("[data-output]")).to_have_count(0)
    page.keyboard.type("Once n g ?")
    press(page, "Control+Enter")
    fault = page.locator("[data-fault]")
    expect(fault).to_have_text("Write the second version. Say how well you know the topic.")
    page.keyboard.type("Twice .")
    press(page, "Tab", "2")
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    answer = Revision.objects.get()
    assert (answer.texts, answer.details) == (("Once n g ?", "Twice ."), {"topic": 2})


def test_a_verdict_on_one_output_by_keyboard(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(Verdict))
    source = page.inner_text(".source")
    press(page, "Enter")
    expect(page.locator("[data-fault]")).to_have_text("Right or wrong: correction 1.")
    press(page, "y")
    expect(page.locator("[data-fault]")).to_be_hidden()
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    answer = Revision.objects.get()
    assert (answer.verdict, answer.ratings.count()) == ("right", 1)
