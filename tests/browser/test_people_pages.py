"""An admin creates an account, its owner sets a password; accounts, the audit log and deletions."""

import pytest

from annotate.models import AuditEntry, Corpus, Role, User
from jobs.worker import run_queued_jobs
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import looks

LONG_NAME = "n" * 150


@pytest.fixture
def ada(transactional_db: None) -> User:
    """An admin."""
    return User.objects.create_user("ada", role=Role.ADMIN)


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_from_the_account_to_the_first_login(
    new_visitor: NewVisitor, ada: User, scheme: str, device: str
) -> None:
    User.objects.create_user(LONG_NAME)
    admin = new_visitor(scheme=scheme, device=device)
    admin.log_in(ada)
    admin.visit("/")
    admin.go_to("Accounts")
    admin.check()
    admin.picture("accounts")
    admin.page.get_by_role("link", name="New account").click()
    admin.page.get_by_label("Name").fill("ada")
    admin.page.get_by_role("button", name="Create the account").click()
    admin.page.get_by_text("Another account has this name").wait_for()
    admin.check()
    admin.page.get_by_label("Name").fill("rita")
    admin.page.get_by_label("Role").select_option("researcher")
    admin.page.get_by_role("button", name="Create the account").click()
    admin.page.get_by_role("heading", name="Password link for rita").wait_for()
    admin.check()
    admin.picture("password-link")
    link = admin.page.inner_text("code").removeprefix(admin.address)

    rita = new_visitor(scheme=scheme, device=device)
    rita.visit(link)
    rita.page.get_by_label("New password", exact=True).fill("12345678")
    rita.page.get_by_label("New password confirmation").fill("12345678")
    rita.page.get_by_role("button", name="Set the password").click()
    rita.page.get_by_text("This password is entirely numeric.").wait_for()
    rita.check()
    rita.picture("set-password")
    rita.page.get_by_label("New password", exact=True).fill("correct horse")
    rita.page.get_by_label("New password confirmation").fill("correct horse")
    rita.page.get_by_role("button", name="Set the password").click()
    rita.page.get_by_text("Your password is set").wait_for()
    rita.check()
    rita.visit("/account/")
    rita.picture("own-account")
    new_visitor(scheme=scheme, device=device).visit(link)


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_an_account_and_the_record(new_visitor: NewVisitor, ada: User, scheme: str, device: str) -> None:
    rita = User.objects.create_user("rita", role=Role.RESEARCHER)
    admin = new_visitor(scheme=scheme, device=device)
    admin.log_in(ada)
    admin.visit(f"/accounts/{ada.pk}/")
    admin.visit(f"/accounts/{rita.pk}/")
    admin.page.get_by_label("Role").select_option("annotator")
    admin.page.get_by_role("button", name="Change the role").click()
    admin.page.get_by_text("rita is now annotator").wait_for()
    admin.check()
    admin.picture("account")
    admin.page.get_by_role("button", name="Deactivate").click()
    admin.page.get_by_text("rita can no longer log in").wait_for()
    admin.check()
    running_campaign(small_corpus())
    AuditEntry.objects.update(name=LONG_NAME)
    admin.go_to("Audit log")
    admin.page.get_by_text("from: researcher; to: annotator").wait_for()
    admin.check()
    admin.picture("record")
    admin.page.get_by_label("Action").select_option("launch")
    admin.page.get_by_role("button", name="Show").click()
    admin.page.get_by_text("items: 4").wait_for()
    assert admin.page.locator("tbody tr").count() == 1
    admin.visit("/audit/?about=nothing")


@pytest.mark.parametrize(("scheme", "device"), looks("light", "phone"))
def test_a_corpus_is_deleted(new_visitor: NewVisitor, ada: User, scheme: str, device: str) -> None:
    corpus = small_corpus()
    small_campaign(corpus)
    draft_campaign(corpus)
    running = running_campaign(corpus, LONG_NAME)
    admin = new_visitor(scheme=scheme, device=device)
    admin.log_in(ada)
    admin.visit(corpus.get_absolute_url())
    admin.page.get_by_role("link", name="Delete …").click()
    admin.page.get_by_role("alert").wait_for()
    admin.check()
    admin.picture("deletion-refused")
    running.state = "closed"
    running.save()
    admin.page.reload()
    admin.page.get_by_role("button", name="Delete permanently").click()
    admin.page.get_by_text("This field is required").wait_for()
    admin.check()
    admin.picture("deletion")
    admin.page.get_by_label("Type its name").fill("small")
    admin.page.keyboard.press("Enter")
    admin.page.get_by_role("heading", name="Deletion of corpus small").wait_for()
    run_queued_jobs()
    admin.page.get_by_text("It is deleted completely").wait_for()
    admin.check()
    assert not Corpus.objects.exists()


def test_guessing_is_slowed_down(new_visitor: NewVisitor, ada: User) -> None:
    visitor = new_visitor(device="phone")
    visitor.visit("/login/")
    for _ in range(6):
        visitor.page.get_by_label("Username").fill("ada")
        visitor.page.get_by_label("Password").fill("battery")
        visitor.page.get_by_role("button", name="Log in").click()
        visitor.page.get_by_role("alert").wait_for()
    assert "Try again in 15 minutes" in visitor.page.inner_text("[role=alert]")
    visitor.forgive("429")
    visitor.check()
