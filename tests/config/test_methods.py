"""Pages answer to the methods that they mean only, and no browser keeps what only accounts may see."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotate.judging.entering import mint_shared_link
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus
from tests.config.addresses import PATTERNS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

VALUES = {
    "uuid": uuid4(),
    "scores": uuid4(),
    "showing_uuid": uuid4(),
    "entrance": uuid4(),
    "annotator": 1,
    "number": 1,
    "image": "svg",
    "file": "csv",
    "name": "x",
    "analysis": "x",
    "part": "x",
    "token": "x",
    "uidb64": "MQ",
    "made": uuid4(),
    "publication": uuid4(),
    "release": uuid4(),
    "submission": uuid4(),
    "link": "x",
    "slug": "x",
}
RULES = {name: pattern.callback.rule for name, pattern in PATTERNS.items()}  # type: ignore[attr-defined]
OUTSIDE_OF_WORK = [
    name for name, rule in RULES.items() if rule in ("anyone", "account", "researcher", "admin")
]
OF_WORK = [name for name, rule in RULES.items() if rule == "entered"]
SHOWS_ONLY = {
    "home",
    "corpus",
    "campaign",
    "ranking",
    "progress-figure",
    "corpus-analysis-file",
    "distinct-outputs",
    "audit",
    "jobs",
    "healthz",
    "crowd-payouts",
}


def address(name: str, **values: object) -> str:
    names = PATTERNS[name].pattern.converters
    return reverse(name, kwargs={key: {**VALUES, **values}[key] for key in names})


def test_no_page_changes_or_shows_anything_by_other_methods(admin: Client) -> None:
    answers = {
        (name, method): admin.generic(method, address(name)).status_code
        for name in OUTSIDE_OF_WORK
        for method in ("PUT", "DELETE")
    }
    assert {key: status for key, status in answers.items() if status != 405} == {}


def test_pages_that_show_something_take_nothing(admin: Client) -> None:
    assert {name for name in SHOWS_ONLY if admin.post(address(name)).status_code != 405} == set()


def test_pages_of_annotators_keep_to_their_methods(client: Client) -> None:
    campaign = running_campaign(small_corpus())
    client.post(f"/join/{mint_shared_link(campaign)}/")
    here = {name: address(name, uuid=campaign.uuid) for name in OF_WORK}
    assert client.get(here["answers"]).status_code == 200
    for method, names in (("PUT", OF_WORK), ("POST", ["work", "answers", "resume-code", "last-answer"])):
        answers = {name: client.generic(method, here[name]).status_code for name in names}
        assert {name: status for name, status in answers.items() if status != 405} == {}, method


@pytest.mark.parametrize(
    "page", ["/", "/account/", "/accounts/", "/jobs/", "/campaigns/new/", "/accounts/new/"]
)
def test_pages_of_accounts_are_kept_by_no_browser(page: str, admin: Client) -> None:
    assert "no-store" in admin.get(page)["Cache-Control"]
