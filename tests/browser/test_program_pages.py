"""The pages for API users."""

import pytest

from annotate.models import Role, User
from tests.browser.conftest import NewVisitor
from tests.browser.visits import looks


@pytest.fixture
def ada(transactional_db: None) -> User:
    """An admin."""
    return User.objects.create_user("ada", role=Role.ADMIN)


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "desktop"))
def test_the_documentation_leads_to_every_group_and_object(
    new_visitor: NewVisitor, ada: User, scheme: str, device: str
) -> None:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(ada)
    visitor.visit("/programs/documentation/")
    visitor.picture("api")
    places = visitor.page.get_by_role("navigation", name="Documentation of the API")
    places.get_by_role("link", name="Jobs").click()
    visitor.page.get_by_role("heading", name="/api/v1/jobs/{uuid}/cancel/").wait_for()
    visitor.page.locator("#jobs-uuid").get_by_role("link", name="Job", exact=True).click()
    assert visitor.page.url.endswith("#object-Job")
    assert visitor.page.locator("#object-Job").get_by_text("seconds_left").is_visible()


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
