"""Answers on their way: without a network, a reply or a session, and to campaigns that are gone."""

from uuid import UUID, uuid4

from playwright.sync_api import expect

from annotate.design.protocols import Answer
from annotate.judging.entering import mint_personal_link
from annotate.judging.handout import Submission, submit
from annotate.models import Annotator, Campaign, Revision
from tests.annotate.protocols import rated
from tests.browser.conftest import NewVisitor
from tests.browser.working import (
    answer_by_keys,
    at_work,
    campaign_of_four,
    on_screen,
    stored,
    wait_for_another,
)


def test_an_answer_given_without_a_network_arrives_when_it_is_back(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.set_offline(True)
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert stored() == {}
    visitor.context.set_offline(False)
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_an_answer_that_another_tab_has_sent_is_not_waited_for(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    showing = UUID(page.locator("[data-screen]").get_attribute("data-showing") or "")
    visitor.context.set_offline(True)
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    [kept] = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('assay-outbox-'))")
    key = UUID(kept.removeprefix("assay-outbox-"))
    submit(annotator, showing, lambda outputs: Answer(tuple(rated([1, 2, 3, 4]))), Submission(key))
    page.evaluate("kept => localStorage.removeItem(kept)", kept)
    visitor.context.set_offline(False)
    wait_for_another(page, source)
    assert Revision.objects.get().submission_key == key
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_an_answer_whose_confirmation_was_lost_is_stored_once(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    posted = []

    def lose_the_first_reply(route: object) -> None:
        posted.append(route)
        if len(posted) == 1:
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    address = page.locator("[data-answer]").get_attribute("action")
    page.route(f"**{address}", lose_the_first_reply)
    source = answer_by_keys(page, "1234")
    wait_for_another(page, source)
    assert len(posted) == 2
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1
    visitor.forgive("ERR_FAILED")


def test_answers_of_another_annotator_do_not_block_the_outbox(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    """Somebody else left them at this browser, or they are for a campaign that is gone or was left."""
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    other = campaign_of_four("other")
    left = [f"/judge/{uuid}/{uuid4()}/" for uuid in (annotator.campaign.uuid, other.uuid, uuid4())]
    page.evaluate(
        """left => left.forEach((address, n) => localStorage.setItem(`assay-outbox-${n}`,
            JSON.stringify({address, fields: [["key", `${n}`]], since: n})))""",
        left,
    )
    page.reload()
    expect(on_screen(visitor).locator("[data-state]")).to_be_empty()
    source = answer_by_keys(page, "1234")
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    kept = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('assay-outbox-')).length")
    assert kept == len(left)


def test_an_answer_to_a_campaign_that_is_gone_says_so(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    Campaign.objects.update(state="deleting")
    answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("load the page again")


def test_a_session_that_ends_is_renewed_in_place(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.clear_cookies(name=f"annotator-{annotator.campaign.uuid}")
    source = answer_by_keys(page, "1234")
    page.get_by_label("Link or resume code").fill(f"{visitor.address}/join/{mint_personal_link(annotator)}/")
    visitor.check()
    page.get_by_role("button", name="Continue").click()
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
