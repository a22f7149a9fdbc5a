"""Objects with an owner: what owners, other accounts and strangers may do with them."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator
from annotate.judging.handout import give_next_showing
from annotate.models import Campaign, Role, User
from jobs.models import Job
from jobs.queue import queue
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus

DONE, LOGIN, FORBIDDEN, ABSENT = 200, 302, 403, 404
CAST = {
    "owner": Role.RESEARCHER,
    "other researcher": Role.RESEARCHER,
    "annotator": Role.ANNOTATOR,
    "admin": Role.ADMIN,
}

pytestmark = pytest.mark.django_db
BrowserOf = Callable[[str], Client]


@pytest.fixture
def browser_of() -> BrowserOf:
    """The browser of one of the cast, all of whom have accounts, or of a stranger."""
    for name, role in CAST.items():
        User.objects.create_user(name, role=role)

    def browser(name: str) -> Client:
        client = Client()
        if name != "stranger":
            client.force_login(User.objects.get(username=name))
        return client

    return browser


@pytest.mark.parametrize(
    ("who", "cancels", "looks"),
    [
        ("owner", True, DONE),
        ("admin", True, DONE),
        ("other researcher", False, DONE),
        ("annotator", False, FORBIDDEN),
        ("stranger", False, LOGIN),
    ],
)
def test_a_job(browser_of: BrowserOf, who: str, cancels: bool, looks: int) -> None:
    owner = User.objects.get(username="owner")
    job = queue(kind="delete-corpus", title="a job", parameters={"corpus": None}, owner=owner)
    browser = browser_of(who)
    assert browser.get(job.get_absolute_url()).status_code == looks
    browser.post(f"{job.get_absolute_url()}cancel/")
    assert Job.objects.get().is_finished == cancels


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        ("owner", DONE),
        ("other researcher", FORBIDDEN),
        ("annotator", ABSENT),
        ("admin", FORBIDDEN),
        ("stranger", FORBIDDEN),
    ],
)
def test_a_screen(browser_of: BrowserOf, who: str, sees: int) -> None:
    """The annotator is invited to the same campaign, the others are not."""
    campaign = running_campaign(small_corpus())
    owner, _ = (
        add_annotator(campaign, name=name, user=User.objects.get(username=name))
        for name in ("owner", "annotator")
    )
    showing = give_next_showing(owner)
    assert showing is not None
    assert browser_of(who).get(f"/judge/{campaign.uuid}/{showing.uuid}/").status_code == sees


@pytest.mark.parametrize("who", ["other researcher", "annotator", "stranger"])
@pytest.mark.parametrize("verb", ["role/", "deactivate/", "reactivate/", "password-link/", ""])
def test_an_account(browser_of: BrowserOf, who: str, verb: str) -> None:
    owner = User.objects.get(username="owner")
    before = User.objects.filter(pk=owner.pk).values().get()
    response = browser_of(who).post(f"/accounts/{owner.pk}/{verb}", {"role": "admin"})
    assert response.status_code == (LOGIN if who == "stranger" else FORBIDDEN)
    assert User.objects.filter(pk=owner.pk).values().get() == before


def test_the_own_page_shows_the_logged_in_user(browser_of: BrowserOf) -> None:
    for name in CAST:
        assert f"logged in as {name}" in browser_of(name).get("/account/").content.decode()


@pytest.mark.parametrize("who", ["owner", "annotator", "stranger"])
def test_names_in_an_export_are_for_admins(browser_of: BrowserOf, who: str) -> None:
    campaign: Campaign = running_campaign(small_corpus())
    add_annotator(campaign, name="ada-by-name")
    address = f"/campaigns/{campaign.uuid}/export/"
    assert "ada-by-name" in browser_of("admin").get(address).content.decode()
    assert "ada-by-name" not in browser_of(who).get(address).content.decode()
