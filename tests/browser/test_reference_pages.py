"""From the invitation to correct sentences to references of a corpus and the scores of its systems."""

import pytest
from playwright.sync_api import expect

from annotate.design.protocols import Correction
from annotate.models import CollectedReference, Role, User
from tests.annotate.running import running
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.jobs.workers import worker

PATIENCE_MS = 240_000
CORRECTIONS = {"She go home .": "She goes home .", "He like tea <b> & cake .": "He likes tea <b> & cake ."}


@pytest.mark.slow
def test_from_the_invitation_to_a_metric_score(transactional_db: None, new_visitor: NewVisitor) -> None:
    # A language without a parser, which would have to be loaded.
    corpus = small_corpus(language="de")
    campaign = running(
        corpus=corpus,
        protocol=Correction.name,
        outputs_per_screen=0,
        listed_sentences=[0, 3],
        items=2,
        batch_size=2,
    )
    admin = new_visitor()
    admin.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    admin.visit(f"/campaigns/{campaign.uuid}/manage/")
    admin.page.get_by_text("Create a personal link").click()
    admin.page.get_by_label("Name").fill("bob")
    admin.page.get_by_role("button", name="Invite and show the link").click()
    link = admin.page.inner_text("code").removeprefix(admin.address)

    bob = new_visitor()
    bob.visit(link)
    bob.page.get_by_role("button", name="Start").click()
    for _ in CORRECTIONS:
        bob.page.locator("[data-ready]").wait_for()
        source = bob.page.inner_text(".source")
        bob.page.locator("[name=version-0]").fill(CORRECTIONS[source])
        bob.page.keyboard.press("Control+Enter")
        expect(bob.page.locator(".source", has_text=source)).to_have_count(0)
    bob.page.get_by_role("heading", name="All done").wait_for()

    page = admin.page
    with worker():
        admin.visit(f"/campaigns/{campaign.uuid}/analyses/")
        page.get_by_role("link", name="Which corrections do people write?").click()
        expect(page.get_by_role("heading", name="2 sentences have 1.0 corrections on average")).to_be_visible(
            timeout=PATIENCE_MS
        )
        expect(page.locator(".outputs ins").first).to_contain_text("goes")
        admin.check()
        admin.picture("corrections")
        page.get_by_label("References: every correction").check()
        page.get_by_role("button", name="Make", exact=True).click()
        expect(page.get_by_text("2 new references")).to_be_visible(timeout=PATIENCE_MS)
        admin.visit(f"/corpora/{corpus.uuid}/references/")
        expect(page.get_by_role("row", name="Written by annotators")).to_contain_text("2")
        admin.check()
        admin.picture("references")
        page.get_by_role("link", name="Scores", exact=True).click()
        page.get_by_label("M2 (MaxMatch)", exact=True).check()
        page.get_by_role("button", name="Score by the chosen metrics").click()
        expect(page.get_by_role("table", name="Score of each system by metric")).to_be_visible(
            timeout=PATIENCE_MS
        )
    assert {each.reference.text for each in CollectedReference.objects.all()} == set(CORRECTIONS.values())
