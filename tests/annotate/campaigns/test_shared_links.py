"""A shared link: shown on the campaign's page, and opened again by an annotator who joined by it."""

import re
from functools import partial

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.judging.entering import (
    add_annotator,
    join,
    mint_personal_link,
    mint_shared_link,
    replace_shared_link,
    returning,
    revoke_links,
    revoke_shared_links,
    shared_link,
    token_of,
    valid_link,
)
from annotate.models import Annotator, Campaign, Link
from tests.annotate.designs import running_campaign
from tests.annotate.judging.test_handout_concurrency import at_once
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(db: None) -> Campaign:
    return running_campaign(small_corpus())


@pytest.fixture
def link(campaign: Campaign) -> str:
    return f"/join/{mint_shared_link(campaign)}/"


def key_on(page: str) -> str:
    [key] = re.findall('name="key" value="([^"]+)"', page)
    return str(key)


def start(client: Client, link: str, **more: str) -> HttpResponse:
    """Click on Start, on the page of the link as it is now."""
    response = client.get(link)
    return client.post(link, {"key": key_on(response.content.decode()), **more}, follow=True)  # type: ignore[return-value]


def code_on(response: HttpResponse) -> str:
    [code] = re.findall('id="code">([^<]+)<', response.content.decode())
    return str(code)


def managing(admin: Client, campaign: Campaign) -> str:
    return admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()


def address_on(page: str) -> str | None:
    address = re.search('<code id="shared-address">http://testserver(/join/[^<]+)</code>', page)
    return address and address[1]


# --- Coming back ----------------------------------------------------------------------------------


def test_a_browser_that_has_judged_is_welcomed_back(campaign: Campaign, link: str) -> None:
    browser = Client()
    start(browser, link)
    Annotator.objects.update(screens=12, complete=11, skipped=1)
    page = browser.get(link).content.decode()
    assert "Welcome back" in page
    assert "11 answered, 1 skipped." in page
    assert f'<a class="button" href="/judge/{campaign.uuid}/">Continue</a>' in page
    assert page.index("Continue") < page.index("I am someone else")
    assert "Welcome back" not in Client().get(link).content.decode()


def test_somebody_else_at_the_same_browser_is_another_annotator(campaign: Campaign, link: str) -> None:
    browser = Client()
    first = start(browser, link)
    second = start(browser, link, somebody_else="yes")
    assert code_on(first) != code_on(second)
    assert campaign.annotators.count() == 2
    assert "nothing answered yet" in browser.get(link).content.decode()


def test_a_start_that_is_sent_again_makes_nobody_else(campaign: Campaign, link: str) -> None:
    """By a double click before the answer, or by a page that was open before."""
    browser, late = Client(), Client()
    key = key_on(browser.get(link).content.decode())
    answers = [client.post(link, {"key": key}, follow=True) for client in (browser, late)]
    assert code_on(answers[0]) == code_on(answers[1])  # type: ignore[arg-type]
    assert campaign.annotators.count() == 1
    other = key_on(Client().get(link).content.decode())
    assert browser.post(link, {"key": other})["Location"] == f"/judge/{campaign.uuid}/"
    assert campaign.annotators.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_one_moment_make_one_annotator(campaign: Campaign) -> None:
    link = valid_link(mint_shared_link(campaign))
    assert link is not None
    visits = at_once([partial(join, link, "a key")] * 4)
    assert len({visit and visit.resume_code for visit in visits}) == 1
    assert campaign.annotators.count() == 1


def test_the_code_is_shown_after_a_redirect_and_again_on_reload(campaign: Campaign, link: str) -> None:
    browser = Client()
    page = f"/judge/{campaign.uuid}/code/"
    assert browser.post(link)["Location"] == page
    codes = {code_on(browser.get(page)) for _ in range(2)}  # type: ignore[arg-type]
    assert len(codes) == 1
    assert campaign.annotators.count() == 1
    assert browser.get(page)["Cache-Control"] == "no-store"
    assert returning(campaign, codes.pop()) == campaign.annotators.get()


def test_a_code_is_shown_to_nobody_else(campaign: Campaign, link: str) -> None:
    browser, other = Client(), Client()
    shown = code_on(start(browser, link))
    page = f"/judge/{campaign.uuid}/code/"
    assert Client().get(page).status_code == 403
    start(other, link)
    name = f"code-{campaign.uuid}"
    other.cookies[name] = browser.cookies[name].value
    assert shown not in other.get(page).content.decode()
    del browser.cookies[name]
    assert "cannot be shown again" in browser.get(page).content.decode()


@pytest.mark.parametrize("written", ["{}", " {} ", "{}-", "{}\n"])
@pytest.mark.parametrize(
    "change", [str, str.upper, lambda code: code.replace("-", ""), lambda code: code.replace("-", " ")]
)
def test_a_resume_code_is_read_as_people_write_it(
    campaign: Campaign, link: str, written: str, change: object
) -> None:
    code = code_on(start(Client(), link))
    words = written.format(change(code))  # type: ignore[operator]
    assert Client().post(link, {"code": words})["Location"] == f"/judge/{campaign.uuid}/"
    assert returning(campaign, words) == campaign.annotators.get()


def test_opening_a_link_again_takes_few_queries(
    link: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser = Client()
    key = key_on(browser.get(link).content.decode())
    with django_assert_max_num_queries(12):
        browser.post(link, {"key": key})
    with django_assert_max_num_queries(12):
        browser.get(link)


# --- The link -------------------------------------------------------------------------------------


def test_a_shared_link_stays_on_the_campaigns_page(admin: Client, campaign: Campaign) -> None:
    assert address_on(managing(admin, campaign)) is None
    made = admin.post(f"/campaigns/{campaign.uuid}/shared-link/")
    assert made["Location"] == f"/campaigns/{campaign.uuid}/manage/#ways-in"
    shown = [address_on(managing(admin, campaign)) for _ in range(2)]
    assert shown[0] == shown[1] is not None
    assert Client().get(str(shown[0])).status_code == 200
    page = managing(admin, campaign)
    assert "<svg" in page
    assert 'data-copy="shared-address"' in page
    assert "Replace the shared link" in page
    assert page.count("style=") == 0


def test_a_form_that_is_sent_twice_makes_one_link(admin: Client, campaign: Campaign) -> None:
    path = f"/campaigns/{campaign.uuid}/shared-link/"
    for _ in range(2):
        admin.post(path)
    first = shared_link(campaign)
    assert first is not None
    for _ in range(2):
        admin.post(path, {"replaces": first.pk})
    assert campaign.links.count() == 2
    admin.post(path, {"replaces": "9" * 40})
    assert campaign.links.count() == 2


@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_make_one_shared_link(campaign: Campaign) -> None:
    at_once([partial(mint_shared_link, campaign)] * 4)
    assert campaign.links.filter(revoked_at=None).count() == 1


def test_a_replaced_or_closed_link_stops_at_once(campaign: Campaign, link: str) -> None:
    came, new = Client(), Client()
    start(came, link)
    key = key_on(new.get(link).content.decode())
    held = shared_link(campaign)
    assert held is not None
    assert replace_shared_link(campaign, seen=held.pk)
    assert [client.get(link).status_code for client in (came, new)] == [404, 404]
    assert new.post(link, {"key": key}).status_code == 404
    assert join(held, key) is None  # It was looked up before it was replaced.
    assert came.get(f"/judge/{campaign.uuid}/", follow=True).status_code == 200
    revoke_shared_links(campaign)
    assert shared_link(campaign) is None
    assert campaign.annotators.count() == 1


def test_a_revoked_annotator_cannot_return(campaign: Campaign, link: str) -> None:
    browser = Client()
    start(browser, link)
    revoke_links(campaign.annotators.get())
    assert "Welcome back" not in browser.get(link).content.decode()


def test_a_link_of_an_earlier_release_can_only_be_replaced(
    admin: Client, campaign: Campaign, link: str
) -> None:
    Link.objects.update(generation="")
    page = managing(admin, campaign)
    assert address_on(page) is None
    assert 'class="qr"' not in page
    assert "it cannot be shown" in page
    assert "Replace the shared link" in page
    assert Client().get(link).status_code == 200


def test_with_another_secret_key_a_link_works_and_cannot_be_shown(
    admin: Client, campaign: Campaign, link: str, settings: pytest.FixtureRequest
) -> None:
    held = shared_link(campaign)
    assert held is not None
    assert f"/join/{token_of(held)}/" == link
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert token_of(held) is None
    assert Client().get(link).status_code == 200
    mint_shared_link(campaign)
    assert Client().get(link).status_code == 404


def test_neither_the_database_nor_another_link_tells_a_token(campaign: Campaign) -> None:
    tokens = [mint_shared_link(campaign) for _ in range(3)]
    tokens.append(mint_shared_link(running_campaign(small_corpus("others"), "other")))
    assert len({*tokens}) == 4
    stored = str(list(Link.objects.values_list()))
    assert not [token for token in tokens if token in stored]


@pytest.mark.parametrize(
    "token", ["-", "%00", "a" * 5000, "%F0%9F%92%A9", "..%2F..", "'%20OR%201=1--", "%E2%80%8B", "%0d%0aX:1"]
)
def test_hostile_tokens_lead_nowhere(link: str, token: str) -> None:
    for method in (Client().get, Client().post):
        assert method(f"/join/{token}/").status_code == 404


def test_neither_digest_nor_generation_is_a_token(campaign: Campaign, link: str) -> None:
    held = shared_link(campaign)
    assert held is not None
    almost = link.removeprefix("/join/")[:-2]
    for token in (held.token_digest, held.generation, str(held.pk), almost, f"{almost}Z"):
        assert valid_link(token) is None or f"/join/{token}/" == link


@pytest.mark.parametrize("key", ["", "a" * 5000, "\0", "\N{PILE OF POO}", "<script>"])
def test_a_hostile_key_makes_an_annotator_like_any_other(campaign: Campaign, link: str, key: str) -> None:
    browser = Client()
    assert browser.post(link, {"key": key}).status_code == 302
    assert browser.get(f"/judge/{campaign.uuid}/", follow=True).status_code == 200


def test_a_forged_cookie_welcomes_nobody(campaign: Campaign, link: str) -> None:
    ada = add_annotator(campaign, name="ada")
    forger = Client()
    forger.cookies[f"known-{campaign.uuid}"] = f"{ada.pk}:{ada.revocations}:signed"
    assert "Welcome back" not in forger.get(link).content.decode()


def test_a_personal_link_opened_by_another_annotators_browser_enters_its_own(
    campaign: Campaign, link: str
) -> None:
    browser = Client()
    start(browser, link)
    ada = add_annotator(campaign, name="ada")
    personal = f"/join/{mint_personal_link(ada)}/"
    assert "Welcome back" not in browser.get(personal).content.decode()
    browser.post(personal)
    assert "Continue" in browser.get(link).content.decode()
    assert campaign.annotators.count() == 2


@pytest.mark.parametrize("role", ["annotator", "researcher"])
def test_only_admins_see_or_replace_it(
    request: pytest.FixtureRequest, campaign: Campaign, link: str, role: str
) -> None:
    client: Client = request.getfixturevalue(role)
    assert client.get(f"/campaigns/{campaign.uuid}/manage/").status_code == 403
    assert client.post(f"/campaigns/{campaign.uuid}/shared-link/").status_code == 403
    if role == "researcher":
        assert link not in client.get(campaign.get_absolute_url()).content.decode()
    assert Client().get(link).status_code == 200
