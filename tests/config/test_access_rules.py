"""Every URL states who may open it, and keeps to it for each role."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.annotate.samples import small_campaign, small_corpus

OPEN, LOGIN, FORBIDDEN = 200, 302, 403
EXPECTED = {
    "anyone": {"stranger": OPEN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "account": {"stranger": LOGIN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "researcher": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": OPEN, "admin": OPEN},
}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


PATTERNS = {str(pattern.name): pattern for pattern in patterns(get_resolver())}
POST_ONLY = {"logout"}


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


def arguments(name: str) -> dict[str, Any]:
    """What the URL takes, made of a small corpus and its campaign."""
    names = PATTERNS[name].pattern.converters
    corpus = small_corpus()
    row = corpus if name in ("corpus", "distinct-outputs") else small_campaign(corpus)
    values = {"uuid": row.uuid, "image": "svg"}
    return {key: values[key] for key in names}


def test_logging_out_needs_a_click(researcher: Client) -> None:
    assert researcher.get(reverse("logout")).status_code == 405
    assert researcher.post(reverse("logout")).status_code == 302
    assert researcher.get(reverse("home")).status_code == LOGIN
