"""An admin invites an annotator, and the pages that visitors see when entering or being refused."""

import pytest

from annotate.campaigns.lifecycle import close, pause
from annotate.judging.entering import mint_shared_link
from annotate.models import Role, User
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import looks


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_from_the_invitation_to_the_screen(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = running_campaign(small_corpus())
    admin = new_visitor(scheme=scheme, device=device)
    admin.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    admin.visit(f"/campaigns/{campaign.uuid}/manage/")
    admin.page.get_by_text("Create a personal link").click()
    admin.page.get_by_label("Name").fill("bob")
    admin.page.get_by_label("Account").fill("nobody")
    admin.check()
    admin.page.get_by_role("button", name="Invite and show the link").click()
    admin.page.get_by_text("There is no such account").wait_for()
    admin.forgive("422")
    admin.check()
    admin.picture("invitation-refused")
    admin.page.get_by_label("Account").fill("")
    admin.page.get_by_role("button", name="Invite and show the link").click()
    admin.page.get_by_role("heading", name="Link for bob").wait_for()
    admin.check()
    admin.picture("link")
    link = admin.page.inner_text("code").removeprefix(admin.address)
    admin.page.reload()
    assert admin.page.inner_text("code") == f"{admin.address}{link}"

    bob = new_visitor(scheme=scheme, device=device)
    bob.visit(link)
    bob.page.get_by_role("button", name="Start").click()
    bob.page.locator("[data-ready]").wait_for()
    bob.visit(f"/judge/{campaign.uuid}/answers/")

    admin.page.get_by_role("link", name="Back to the campaign").click()
    admin.page.get_by_role("button", name="Create a shared link").click()
    admin.context.grant_permissions(["clipboard-read", "clipboard-write"])
    admin.page.get_by_role("button", name="Copy").click()
    admin.page.get_by_text("Copied.").wait_for()
    address = admin.page.inner_text("#shared-address")
    assert admin.page.evaluate("navigator.clipboard.readText()") == address
    admin.page.get_by_text("QR code", exact=True).click()
    admin.page.get_by_text("Replace or close the shared link").click()
    admin.check()
    admin.page.locator("#ways-in").scroll_into_view_if_needed()
    admin.picture("shared-link")
    admin.page.reload()
    assert admin.page.inner_text("#shared-address") == address
    bob.visit(address.removeprefix(admin.address))
    bob.page.get_by_text("Welcome back").wait_for()


def test_a_refused_visitor_sees_what_to_do(new_visitor: NewVisitor, transactional_db: None) -> None:
    campaign = running_campaign(small_corpus())
    link = f"/join/{mint_shared_link(campaign)}/"
    visitor = new_visitor(device="phone")
    visitor.visit("/join/nothing/", status=404)
    visitor.visit(f"/judge/{campaign.uuid}/", status=403)
    visitor.picture("come-back")
    visitor.visit(link)
    visitor.picture("welcome")
    visitor.page.get_by_role("button", name="Start").click()
    visitor.page.get_by_role("link", name="I have written it down: start").click()
    pause(campaign)
    visitor.visit(f"/judge/{campaign.uuid}/")
    close(campaign)
    visitor.visit(f"/judge/{campaign.uuid}/")
