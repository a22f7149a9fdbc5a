"""Every URL states its access rule, and follows it for each role."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotate.models import Campaign, User
from jobs.signs import give_sign
from tests.annotate.uploading import check_of_judgments
from tests.config.addresses import OF_JOBS, PATTERNS, QUERIES, arguments

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OPEN, LOGIN, UNKNOWN, FORBIDDEN = 200, 302, 401, 403
EXPECTED = {
    "anyone": {"stranger": OPEN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "account": {"stranger": LOGIN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "researcher": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": OPEN, "admin": OPEN},
    # Only for whoever came by a link, whatever the account; see tests/annotate/judging/test_ways_in.py.
    "entered": dict.fromkeys(("stranger", "annotator", "researcher", "admin"), FORBIDDEN),
    "admin": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": FORBIDDEN, "admin": OPEN},
    # Only for programs with the token of METRICS_TOKEN; see tests/operation/test_health.py.
    "monitor": dict.fromkeys(("stranger", "annotator", "researcher", "admin"), FORBIDDEN),
    # The API, to which a browser's session leads as well.
    "researcher's program": {
        "stranger": UNKNOWN,
        "annotator": FORBIDDEN,
        "researcher": OPEN,
        "admin": OPEN,
    },
    "admin's program": {
        "stranger": UNKNOWN,
        "annotator": FORBIDDEN,
        "researcher": FORBIDDEN,
        "admin": OPEN,
    },
}
POST_ONLY = {
    "make-references",
    "draft-validity",
    "logout",
    "preview-campaign",
    "preview-new-campaign",
    "pause-campaign",
    "resume-campaign",
    "close-campaign",
    "release-item",
    "drop-item",
    "come-back",
    "draft",
    "skip",
    "end-practice",
    "invite",
    "revoke-link",
    "mint-shared",
    "revoke-shared",
    "set-role",
    "deactivate-account",
    "reactivate-account",
    "password-link",
    "api-pause",
    "api-resume",
    "api-close",
    "api-cancel-job",
    "cancel-job",
    "repeat-job",
    "confirm-upload",
    "compute-ranking",
    "compute-quality",
    "compute-analysis",
    "compute-compared-metrics",
    "compute-corpus-analysis",
    "make-controls",
    "compute-scores",
    "api-compute-scores",
    "api-upload-scores",
    "api-delete-scores",
    "label-edits",
    "offer-learned",
    "withdraw-learned",
    "exclude-annotator",
    "retract-publication",
    "restore-publication",
    "readmit-annotator",
    "let-through",
    "mint-token",
    "revoke-token",
}


@pytest.mark.parametrize("name", PATTERNS)
def test_every_url_states_its_rule(name: str) -> None:
    assert PATTERNS[name].callback.rule in EXPECTED  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - POST_ONLY))
def test_every_role_gets_what_the_rule_says(name: str) -> None:
    if name == "healthz":
        give_sign()  # Without a worker, it answers 503.
    for client, url, expected in as_every_role(name):
        response = client.get(url, QUERIES.get(name))
        assert response.status_code == expected
        if expected == LOGIN:
            asked = quote(response.wsgi_request.get_full_path())
            assert response["Location"] == f"{reverse('login')}?next={asked}"


@pytest.mark.parametrize("name", sorted(POST_ONLY))
def test_what_needs_a_click_keeps_to_its_rule(name: str) -> None:
    for client, url, expected in as_every_role(name):
        response = client.get(url)
        assert response.status_code == (405 if expected == OPEN else expected)
        response = client.generic("POST", url)
        sent_to_log_in = response.headers.get("Location") == f"{reverse('login')}?next={url}"
        assert sent_to_log_in == (expected == LOGIN)
        assert (response.status_code == FORBIDDEN) == (expected == FORBIDDEN)


def as_every_role(name: str) -> Iterator[tuple[Client, str, int]]:
    """For each role: a browser, the address to open and the expected status. Its requests leave no trace."""
    rule = EXPECTED[PATTERNS[name].callback.rule]  # type: ignore[attr-defined]
    values = arguments(name)
    for role, expected in rule.items():
        savepoint = transaction.savepoint()
        client = Client()
        if role != "stranger":
            user = User.objects.create_user(f"the-{role}", role=role)
            client.force_login(user)
            if name in OF_JOBS:
                values["uuid"] = check_of_judgments(owner=user).uuid
            if name == "delete-campaign":
                Campaign.objects.filter(uuid=values["uuid"]).update(imported_by=user)
        yield client, reverse(name, kwargs=values), expected
        transaction.savepoint_rollback(savepoint)


def test_logging_out_needs_a_click(researcher: Client) -> None:
    assert researcher.get(reverse("logout")).status_code == 405
    assert researcher.post(reverse("logout")).status_code == 302
    assert researcher.get(reverse("home")).status_code == LOGIN
