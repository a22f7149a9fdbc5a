"""Every URL states who may open it, and keeps to it for each role."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotate.models import Campaign, Corpus
from annotate.services.entry import add_annotator, mint_shared_link
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.samples import small_campaign, small_corpus

OPEN, LOGIN, FORBIDDEN = 200, 302, 403
EXPECTED = {
    "anyone": {"stranger": OPEN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "account": {"stranger": LOGIN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "researcher": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": OPEN, "admin": OPEN},
    # Only for whoever came by a link, whatever the account; see tests/annotate/pages/test_work.py.
    "entered": dict.fromkeys(("stranger", "annotator", "researcher", "admin"), FORBIDDEN),
    "admin": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": FORBIDDEN, "admin": OPEN},
}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


PATTERNS = {str(pattern.name): pattern for pattern in patterns(get_resolver())}
POST_ONLY = {
    "logout",
    "pause-campaign",
    "resume-campaign",
    "close-campaign",
    "release-item",
    "come-back",
    "draft",
    "skip",
    "invite",
    "mint-link",
    "revoke-link",
    "mint-shared",
    "revoke-shared",
}
OF_LINKS = {"invite", "mint-link", "revoke-link", "mint-shared", "revoke-shared"}
OF_ANNOTATORS = {"work", "answers", "showing", "draft", "skip", "come-back"}
OF_DRAFTS = {"edit-campaign", "launch-campaign"}


@pytest.mark.parametrize("name", PATTERNS)
def test_every_url_states_its_rule(name: str) -> None:
    assert PATTERNS[name].callback.rule in EXPECTED  # type: ignore[attr-defined]


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - POST_ONLY))
@pytest.mark.parametrize("role", ["stranger", "annotator", "researcher", "admin"])
def test_every_role_gets_what_the_rule_says(name: str, role: str, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(role)
    url = reverse(name, kwargs=arguments(name))
    expected = EXPECTED[PATTERNS[name].callback.rule][role]  # type: ignore[attr-defined]
    response = client.get(url)
    assert response.status_code == expected
    if expected == LOGIN:
        assert response["Location"] == f"{reverse('login')}?next={url}"


@pytest.mark.parametrize("name", sorted(POST_ONLY))
@pytest.mark.parametrize("role", ["stranger", "annotator", "researcher", "admin"])
def test_what_needs_a_click_keeps_to_its_rule(name: str, role: str, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(role)
    url = reverse(name, kwargs=arguments(name))
    expected = EXPECTED[PATTERNS[name].callback.rule][role]  # type: ignore[attr-defined]
    response = client.get(url)
    assert response.status_code == (405 if expected == OPEN else expected)
    response = client.post(url)
    sent_to_log_in = response.headers.get("Location") == f"{reverse('login')}?next={url}"
    assert sent_to_log_in == (expected == LOGIN)
    assert (response.status_code == FORBIDDEN) == (expected == FORBIDDEN)


def arguments(name: str) -> dict[str, Any]:
    """What the URL takes, made of a small corpus and a campaign in the state that the page is for."""
    names = PATTERNS[name].pattern.converters
    corpus = small_corpus()
    row = _row(name, corpus)
    values = {"uuid": row.uuid, "image": "svg", "number": 0, "showing_uuid": uuid4()}
    if name in ("mint-link", "revoke-link"):
        values["annotator"] = add_annotator(Campaign.objects.get(uuid=row.uuid), name="ada").pk
    if name == "link":
        values["token"] = mint_shared_link(running_campaign(corpus, "open"))
    return {key: values[key] for key in names}


def _row(name: str, corpus: Corpus) -> Corpus | Campaign:
    if name in ("corpus", "distinct-outputs"):
        return corpus
    if name in OF_DRAFTS:
        return draft_campaign(corpus)
    if name.endswith("-campaign") or name == "release-item" or name in OF_ANNOTATORS | OF_LINKS:
        return running_campaign(corpus)
    return small_campaign(corpus)


def test_logging_out_needs_a_click(researcher: Client) -> None:
    assert researcher.get(reverse("logout")).status_code == 405
    assert researcher.post(reverse("logout")).status_code == 302
    assert researcher.get(reverse("home")).status_code == LOGIN
