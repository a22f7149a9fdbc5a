"""Every URL states its access rule, and follows it for each role."""

import json
from collections.abc import Iterator
from operator import itemgetter
from typing import Any
from urllib.parse import quote

import pytest
from altair.vegalite.v6.schema.core import load_schema
from django.db import transaction
from django.test import Client
from django.urls import reverse
from jsonschema import Draft7Validator

from annotate.models import Campaign, User
from figures.renderer import vegalite_to_svg
from jobs.signs import give_sign
from tests.annotate.running import SECRET
from tests.annotate.uploading import check_of_judgments
from tests.config.addresses import OF_JOBS, PATTERNS, QUERIES, arguments, grouped, makers

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OPEN, LOGIN, UNKNOWN, FORBIDDEN = 200, 302, 401, 403
EXPECTED = {
    "anyone": {"stranger": OPEN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "account": {"stranger": LOGIN, "annotator": OPEN, "researcher": OPEN, "admin": OPEN},
    "researcher": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": OPEN, "admin": OPEN},
    # Only for visitors with a link, with any account or none; see tests/annotate/judging/test_ways_in.py.
    "entered": dict.fromkeys(("stranger", "annotator", "researcher", "admin"), FORBIDDEN),
    "admin": {"stranger": LOGIN, "annotator": FORBIDDEN, "researcher": FORBIDDEN, "admin": OPEN},
    # Only for programs with the token of METRICS_TOKEN; see tests/operation/test_health.py.
    "monitor": dict.fromkeys(("stranger", "annotator", "researcher", "admin"), FORBIDDEN),
    # Only for machines, by their tokens; see tests/annotate/api/test_machines.py.
    "machine's program": {
        "stranger": UNKNOWN,
        "annotator": FORBIDDEN,
        "researcher": FORBIDDEN,
        "admin": FORBIDDEN,
    },
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
    "watch-campaign",
    "release-item",
    "drop-item",
    "come-back",
    "draft",
    "skip",
    "language",
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
    "api-watch",
    "api-cancel-job",
    "api-machine-items",
    "api-machine-answers",
    "machine-family",
    "mint-machine-token",
    "revoke-machine-token",
    "cancel-job",
    "repeat-job",
    "confirm-upload",
    "compute-campaign-answers",
    "compute-ranking",
    "compute-analysis",
    "compute-compared-metrics",
    "compute-evaluation",
    "compute-corpus-analysis",
    "make-controls",
    "withdraw-system",
    "revoke-submission-link",
    "accept-submission",
    "confirm-submission",
    "take-system-back",
    "compute-scores",
    "api-compute-scores",
    "api-upload-scores",
    "api-add-to-corpus",
    "api-delete-scores",
    "label-edits",
    "offer-learned",
    "withdraw-learned",
    "exclude-annotator",
    "retract-publication",
    "confirm-data-release",
    "delete-data-release",
    "api-confirm-data-release",
    "api-delete-data-release",
    "restore-publication",
    "new-leaderboard",
    "choose-version",
    "retire-leaderboard",
    "reopen-leaderboard",
    "readmit-annotator",
    "let-through",
    "mint-token",
    "revoke-token",
}


def test_every_url_states_its_rule() -> None:
    rules = {name: getattr(pattern.callback, "rule", None) for name, pattern in PATTERNS.items()}
    assert {name: rule for name, rule in rules.items() if rule not in EXPECTED} == {}


@pytest.fixture(scope="module")
def figures_are_valid() -> Iterator[None]:
    """The specification of each figure that is drawn agrees with the schema of Vega-Lite.

    The same specification is drawn once, whoever looks at it.
    """
    schema = Draft7Validator(load_schema())
    draw = vegalite_to_svg
    drawn: dict[str, str] = {}

    def validate_and_draw(specification: dict[str, Any]) -> str:
        key = json.dumps(specification)
        if key not in drawn:
            assert schema.is_valid(specification)
            drawn[key] = draw(specification)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("figures.drawing.vegalite_to_svg", validate_and_draw)
        yield


@pytest.mark.usefixtures("figures_are_valid")
@pytest.mark.parametrize("names", grouped(PATTERNS.keys() - POST_ONLY), ids=itemgetter(0))
def test_every_url_follows_its_rule_for_each_role(names: list[str]) -> None:
    give_sign()  # Without a worker, `healthz` answers 503.
    for name, role, client, url, expected in as_every_role(names):
        response = client.get(url, QUERIES.get(name))
        assert response.status_code == expected, f"{name} as {role}"
        assert SECRET.encode() not in response.getvalue(), f"{name} as {role}"
        if expected == LOGIN:
            asked = quote(response.wsgi_request.get_full_path())
            assert response["Location"] == f"{reverse('login')}?next={asked}", name


@pytest.mark.parametrize("names", grouped(POST_ONLY), ids=itemgetter(0))
def test_post_only_urls_follow_their_rule(names: list[str]) -> None:
    for name, role, client, url, expected in as_every_role(names):
        page = f"{name} as {role}"
        response = client.get(url)
        assert response.status_code == (405 if expected == OPEN else expected), page
        response = client.generic("POST", url)
        sent_to_log_in = response.headers.get("Location") == f"{reverse('login')}?next={url}"
        assert sent_to_log_in == (expected == LOGIN), page
        assert (response.status_code == FORBIDDEN) == (expected == FORBIDDEN), page


def as_every_role(names: list[str]) -> Iterator[tuple[str, str, Client, str, int]]:
    """For each page and role: a browser, the address to open and the expected status.

    The pages are about the same rows. Requests leave no trace.
    """
    corpus_maker, subject_maker = makers(names[0])
    corpus = corpus_maker()
    subject = subject_maker(corpus)
    for name in names:
        rule = EXPECTED[PATTERNS[name].callback.rule]  # type: ignore[attr-defined]
        of_page = transaction.savepoint()
        values = arguments(name, corpus, subject)
        for role, expected in rule.items():
            of_role = transaction.savepoint()
            client = Client()
            if role != "stranger":
                user = User.objects.create_user(f"the-{role}", role=role)
                client.force_login(user)
                if name in OF_JOBS:
                    values["uuid"] = check_of_judgments(owner=user).uuid
                if name == "delete-campaign":
                    Campaign.objects.filter(uuid=values["uuid"]).update(imported_by=user)
            yield name, role, client, reverse(name, kwargs=values), expected
            transaction.savepoint_rollback(of_role)
        transaction.savepoint_rollback(of_page)


def test_logging_out_needs_a_click(researcher: Client) -> None:
    assert researcher.get(reverse("logout")).status_code == 405
    assert researcher.post(reverse("logout")).status_code == 302
    assert researcher.get(reverse("home")).status_code == LOGIN
