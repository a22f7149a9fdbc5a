"""An admin creates links for annotators, and revokes them."""

import re

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator, join, mint_shared_link, returning, valid_link
from annotate.models import Annotator, AuditEntry, Campaign, User
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus


@pytest.fixture
def campaign(db: None) -> Campaign:
    return running_campaign(small_corpus())


def link_in(page: str) -> str:
    [path] = re.findall(r'<code id="[a-z-]+">http://testserver(/join/\S+/)</code>', page)
    return str(path)


def test_an_invitation_shows_a_link_that_works(admin: Client, campaign: Campaign) -> None:
    page = admin.post(f"/campaigns/{campaign.uuid}/invite/", {"name": "ada"}, follow=True).content.decode()
    assert Client().post(link_in(page)).status_code == 302
    assert campaign.annotators.get().name == "ada"


def test_an_invited_account_finds_the_campaign_at_home(
    admin: Client, annotator: Client, campaign: Campaign
) -> None:
    name = User.objects.get(role="annotator").username
    admin.post(f"/campaigns/{campaign.uuid}/invite/", {"name": "ada", "account": name})
    assert f'href="/judge/{campaign.uuid}/"' in annotator.get("/").content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "taken"}, "Another annotator of this campaign has this name"),
        ({"name": "ada\u202e"}, "contains the character U+202E, which changes the writing direction"),
        ({"name": "bob", "account": "nobody"}, "There is no such account"),
    ],
)
def test_a_wrong_invitation_says_why_and_invites_nobody(
    admin: Client, campaign: Campaign, fields: dict[str, str], words: str
) -> None:
    add_annotator(campaign, name="taken")
    response = admin.post(f"/campaigns/{campaign.uuid}/invite/", fields)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Annotator.objects.count() == 1


def test_a_link_can_be_replaced_and_revoked(admin: Client, campaign: Campaign) -> None:
    ada = add_annotator(campaign, name="ada")
    address = f"/campaigns/{campaign.uuid}/annotators/{ada.pk}"
    old = link_in(admin.post(f"{address}/link/", follow=True).content.decode())
    new = link_in(admin.post(f"{address}/link/", follow=True).content.decode())
    assert [Client().get(link).status_code for link in (old, new)] == [404, 200]
    admin.post(f"{address}/revoke/")
    assert Client().get(new).status_code == 404


def test_revoking_shuts_out_annotators_of_a_shared_link_despite_the_resume_code(
    admin: Client, campaign: Campaign
) -> None:
    link = valid_link(mint_shared_link(campaign))
    assert link is not None
    visit = join(link)
    assert visit is not None
    assert returning(campaign, visit.resume_code) == visit.annotator
    admin.post(f"/campaigns/{campaign.uuid}/annotators/{visit.annotator.pk}/revoke/")
    assert returning(campaign, visit.resume_code) is None


def test_revoking_says_if_an_account_still_leads_in(admin: Client, campaign: Campaign) -> None:
    carl = add_annotator(campaign, name="carl", user=User.objects.create_user("carl77"))
    address = f"/campaigns/{campaign.uuid}/annotators/{carl.pk}/revoke/"
    assert "The account carl77 still gives access." in admin.post(address, follow=True).content.decode()


def test_a_shared_link_can_be_closed(admin: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.uuid}/shared-link/"
    link = link_in(admin.post(address, follow=True).content.decode())
    assert Client().get(link).status_code == 200
    admin.post(f"{address}revoke/")
    assert Client().get(link).status_code == 404


def test_links_are_on_record(admin: Client, campaign: Campaign) -> None:
    ada = add_annotator(campaign, name="ada")
    for address in (f"annotators/{ada.pk}/link", f"annotators/{ada.pk}/revoke", "shared-link"):
        admin.post(f"/campaigns/{campaign.uuid}/{address}/")
    entries = AuditEntry.objects.filter(uuid=campaign.uuid, who="the-admin").order_by("pk")
    assert [(entry.action, entry.details) for entry in entries] == [
        ("make-link", {"annotator": "ada (Annotator 1)"}),
        ("revoke-link", {"annotator": "ada (Annotator 1)"}),
        ("make-link", {"shared": True}),
    ]


def test_annotators_of_other_campaigns_are_404(admin: Client, campaign: Campaign) -> None:
    other = add_annotator(running_campaign(campaign.corpus, "other"), name="eve")
    for verb in ("link", "revoke"):
        assert admin.post(f"/campaigns/{campaign.uuid}/annotators/{other.pk}/{verb}/").status_code == 404


def test_loading_the_page_of_a_personal_link_again_makes_no_other(admin: Client, campaign: Campaign) -> None:
    made = admin.post(f"/campaigns/{campaign.uuid}/invite/", {"name": "ada"})
    assert made.status_code == 302
    shown = [link_in(admin.get(made["Location"]).content.decode()) for _ in range(2)]
    assert shown[0] == shown[1]
    assert campaign.links.count() == 1
    assert Client().get(shown[0]).status_code == 200


def test_a_personal_link_is_shown_to_its_maker_while_it_works(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    ada, bob = (add_annotator(campaign, name=name) for name in ("ada", "bob"))
    pages = [f"/campaigns/{campaign.uuid}/annotators/{person.pk}/link/" for person in (ada, bob)]
    made = admin.post(pages[0])
    assert made["Location"] == pages[0]
    assert made.cookies[f"link-{campaign.uuid}"]["max-age"] == 15 * 60
    assert "/join/" in admin.get(pages[0]).content.decode()
    assert "/join/" not in admin.get(pages[1]).content.decode()
    researcher.cookies.load({f"link-{campaign.uuid}": admin.cookies[f"link-{campaign.uuid}"].value})
    assert researcher.get(pages[0]).status_code == 403
    admin.post(f"/campaigns/{campaign.uuid}/annotators/{ada.pk}/revoke/")
    assert "/join/" not in admin.get(pages[0]).content.decode()
    assert "cannot be shown again" in admin.get(pages[0]).content.decode()
