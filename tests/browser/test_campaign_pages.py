"""An admin creates a campaign, previews it, launches, pauses and clones it."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from annotate.design.protocols import Answer, Question, RatingValue
from annotate.judging.handout import Submission, give_next_showing, skip, submit
from annotate.models import Annotator, Campaign, Corpus, Role, User
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks

GUIDELINES = """
# What counts

Rank by **grammar** first, then by *meaning*. See [the handbook](https://example.org/handbook).

1. A correction that keeps the meaning is better.
2. Equal corrections share a rank.

| Case        | Rank |
|-------------|-----:|
| both good   |    1 |
"""


def admin_at(new_visitor: NewVisitor, scheme: str, device: str) -> Visitor:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    return visitor


def skipped_by(campaign: Campaign, name: str, note: str) -> None:
    """Somebody who skips all they are given."""
    annotator = Annotator.objects.create(campaign=campaign, name=name)
    while (showing := give_next_showing(annotator)) is not None:
        skip(showing.annotator, showing.uuid, Submission(uuid4(), note=note))


def all_alike(question: Question) -> Answer:
    """All outputs of a screen are the best."""
    return Answer((RatingValue(rank=1),) * question.outputs)


def judged_by(campaign: Campaign, name: str, *, note: str) -> None:
    """Somebody who judges all they are given except the first three items."""
    annotator = Annotator.objects.create(campaign=campaign, name=name)
    while (showing := give_next_showing(annotator)) is not None:
        if showing.slot.item.number < 3:
            skip(showing.annotator, showing.uuid, Submission(uuid4(), note=note))
        else:
            submit(showing.annotator, showing.uuid, all_alike, Submission(uuid4()))


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_from_the_form_to_a_clone(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    call_command("load_demo", verbosity=0)
    visitor = admin_at(new_visitor, scheme, device)
    page = visitor.page
    visitor.visit("/")
    visitor.picture("home-of-an-admin")
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Corpus").select_option(label="demo")
    visitor.check()
    visitor.picture("campaign-protocol")
    page.get_by_role("button", name="Choose Relative ranking").click()
    page.get_by_label("Name", exact=True).wait_for()
    expect(page.locator(".sampled")).to_have_count(3)
    visitor.check()
    visitor.picture("campaign-form")

    assert_shown_when_asked_for(page)
    page.get_by_label("Number of items").fill("0")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_role("alert")).to_contain_text("correct what is marked")
    visitor.check()
    visitor.picture("campaign-form-with-errors")

    page.get_by_label("Name").fill("Autumn pilot")
    page.get_by_label("Number of items").fill("24")
    page.get_by_label("Screens per batch").fill("10")
    page.get_by_label("Guidelines").fill(GUIDELINES)
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_role("status")).to_contain_text("draft is saved")
    expect(page.get_by_role("article")).to_have_count(10)
    visitor.check()
    visitor.picture("campaign-draft")

    page.get_by_role("link", name="Try as annotator").click()
    page.locator("[data-trial][data-ready]").wait_for()
    visitor.check()
    visitor.picture("campaign-trial")
    page.keyboard.press("s")
    page.keyboard.press("1")
    expect(page.locator(".progress")).to_contain_text("1 of")
    page.get_by_role("link", name="Back to the draft").click()

    page.get_by_role("link", name="Launch").click()
    page.get_by_role("heading", name="Launch Autumn pilot?").wait_for()
    visitor.check()
    visitor.picture("campaign-launch")
    page.get_by_role("button", name="Launch").click()
    expect(page.get_by_role("status")).to_contain_text("Launched")
    visitor.check()

    campaign = Campaign.objects.get(name="Autumn pilot")
    judged_by(campaign, "anna", note="Two meanings are possible here.")
    judged_by(campaign, "ben", note="")
    visitor.visit(f"{campaign.get_absolute_url()}manage/")
    visitor.picture("campaign-running")
    page.get_by_role("link", name="All reports and skips").click()
    expect(page.get_by_role("row", name="Two meanings are possible here.").first).to_contain_text("anna")
    visitor.check()
    visitor.picture("reports-and-skips")
    page.go_back()
    page.get_by_role("button", name="Put back").first.click()
    expect(page.get_by_role("status")).to_contain_text("is back in the campaign")

    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_contain_text("Paused")
    visitor.check()
    page.get_by_role("link", name="Clone").click()
    visitor.check()
    page.get_by_label("Name").fill("Autumn pilot")
    page.get_by_role("button", name="Clone").click()
    expect(page.locator(".errorlist")).to_contain_text("Another campaign has this name")
    visitor.check()
    visitor.picture("campaign-clone")
    page.get_by_label("Name").fill("Winter pilot")
    page.get_by_role("button", name="Clone").click()
    page.get_by_role("heading", name="Winter pilot").wait_for()
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_label("Number of items")).to_have_value("24")
    visitor.check()


def assert_shown_when_asked_for(page: Page) -> None:
    """Rare fields are below *More*; those that depend on others come and go with them."""
    expect(page.get_by_label("Screens per batch")).to_be_hidden()
    more = page.locator("summary", has_text="More: Outputs per screen")
    more.click()
    for way in ("The sentences listed below", "Each sentence equally often"):
        page.get_by_label(way).check()
        expect(page.get_by_label("Listed sentences")).to_be_visible(visible=way.startswith("The sentences"))
    expect(page.get_by_label("Time zone")).to_be_hidden()
    expect(more).not_to_contain_text("Time zone", use_inner_text=True)
    page.get_by_label("One domain per day").check()
    expect(page.get_by_label("Time zone")).to_be_visible()
    expect(more).to_contain_text("Time zone", use_inner_text=True)
    page.get_by_label("One domain per day").uncheck()
    page.get_by_label("Shared items, in percent").fill("0")
    expect(page.get_by_label("Annotators per shared item")).to_be_hidden()
    page.get_by_label("Shared items, in percent").fill("20")
    expect(page.get_by_label("Annotators per shared item")).to_be_visible()


@pytest.mark.parametrize(("scheme", "device"), looks("light", "phone"))
def test_pages_hold_hostile_and_long_texts(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus(
        sentences=[
            sentence("<script>alert(1)</script> He go .", "<img src=x onerror=alert(1)>", "x" * 5000, ""),
            sentence("He go .", "He goes .", "He go .", "He went ."),
        ]
    )
    hostile = "<script>alert(1)</script> ![pixel](https://example.org/x.png)\n\n" + "y" * 5000
    options: dict[str, Any] = {"items": 2, "guidelines": hostile}
    drafted = draft_campaign(corpus, "z" * 200, **options)
    running = running_campaign(corpus, "<b>", **options, shared_percent=0)
    for name in ("anna", "ben"):
        skipped_by(running, name, "<script>alert(2)</script>" + "w" * 5000)
    visitor = admin_at(new_visitor, scheme, device)
    of_draft = ("manage", "edit", "launch", "clone")
    of_running = ("manage", "clone", "reports-and-skips")
    for campaign, pages in ((drafted, of_draft), (running, of_running)):
        for page in pages:
            visitor.visit(f"{campaign.get_absolute_url()}{page}/")


def test_a_draft_that_cannot_be_launched_says_why(new_visitor: NewVisitor, transactional_db: None) -> None:
    campaign = draft_campaign(small_corpus(), items=5)
    visitor = admin_at(new_visitor, "light", "desktop")
    visitor.visit(f"{campaign.get_absolute_url()}manage/")
    assert "ask for fewer or draw with replacement" in visitor.page.inner_text("[role=alert]")
    visitor.picture("campaign-that-cannot-be-launched")


def test_without_a_corpus_the_form_says_what_to_do(new_visitor: NewVisitor, transactional_db: None) -> None:
    visitor = admin_at(new_visitor, "dark", "phone")
    visitor.visit("/campaigns/new/")
    assert not Corpus.objects.exists()
    assert "import_corpus" in visitor.page.inner_text("main")
