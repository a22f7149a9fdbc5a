"""The pages for API users."""

import pytest
from playwright.sync_api import expect

from annotate.models import Role, User
from tests.annotate.running import running
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks


@pytest.fixture
def ada(transactional_db: None) -> User:
    """An admin."""
    return User.objects.create_user("ada", role=Role.ADMIN)


def try_out(visitor: Visitor, operation: str, status: int, **parameters: str) -> None:
    """Try an operation from the documentation."""
    block = visitor.page.locator(f"#operations-{operation}")
    block.get_by_role("button").first.click()
    block.get_by_role("button", name="Try it out").click()
    for name, value in parameters.items():
        block.get_by_placeholder(name).fill(value)
    block.get_by_role("button", name="Execute").click()
    expect(block.locator(".live-responses-table .response-col_status").nth(1)).to_contain_text(str(status))


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "desktop"))
def test_the_documentation_opens_and_tries_out_without_asking_anybody_else(
    new_visitor: NewVisitor, ada: User, scheme: str, device: str
) -> None:
    """Swagger UI is not ours: our rules for pages are not held against it, but those for requests are."""
    campaign = running()
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(ada)
    visitor.page.goto(f"{visitor.address}/programs/documentation/")
    visitor.page.get_by_role("heading", name="Assay").wait_for()
    visitor.picture("api")
    try_out(visitor, "corpora-corpora_list", 200)
    try_out(visitor, "campaigns-campaigns_pause_create", 200, uuid=str(campaign.uuid))
    campaign.refresh_from_db()
    assert campaign.state == "paused"
    assert not visitor.faults


@pytest.mark.parametrize(("scheme", "device"), looks("light", "phone"))
def test_a_token_is_made_replaced_and_revoked(
    new_visitor: NewVisitor, ada: User, scheme: str, device: str
) -> None:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(ada)
    visitor.visit("/")
    visitor.go_to("API")
    for name in ("Create a token", "Replace the token"):
        visitor.page.get_by_role("button", name=name).click()
        visitor.page.get_by_text("it is shown only once").wait_for()
        visitor.check()
        visitor.visit("/programs/")
    visitor.picture("programs")
    visitor.page.get_by_role("button", name="Revoke the token").click()
    visitor.page.get_by_role("button", name="Create a token").wait_for()
    visitor.check()
