"""Access to the API by token or session, and rate limits."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.test import Client

from annotate.accounts.tokens import mint_token, revoke_token
from annotate.api.throttling import AccountThrottle, StrangerThrottle
from annotate.models import ApiToken, Role, User
from tests.annotate.api.asking import ask, post, problem_of, program, with_token
from tests.annotate.running import running

pytestmark = pytest.mark.django_db
PATH = "/api/v1/corpora/"


@pytest.fixture
def three_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may ask more often than three times."""
    for throttle in (AccountThrottle, StrangerThrottle):
        monkeypatch.setattr(throttle, "THROTTLE_RATES", {"user": "3/min", "anon": "3/min"})


def test_a_token_stands_for_its_account() -> None:
    assert ask(program(), "corpora/")["results"] == []


def test_only_a_digest_of_the_token_is_stored() -> None:
    token = mint_token(User.objects.create_user("ada"))
    stored = ApiToken.objects.get()
    assert token not in str(vars(stored))
    assert len(token) >= 43  # 256 bits


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", "Basic YTpi", "Bearer \u00e9", "Token x"])
def test_a_request_without_valid_token_is_refused(header: str) -> None:
    response = Client(headers={"Authorization": header}).get(PATH)
    assert "token" in problem_of(response, 401)["detail"]
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_new_token_ends_the_old_one_and_revoking_ends_both() -> None:
    user = User.objects.create_user("ada", role=Role.RESEARCHER)
    old, new = with_token(mint_token(user)), with_token(mint_token(user))
    problem_of(old.get(PATH), 401)
    ask(new, "corpora/")
    revoke_token(user, by=user)
    problem_of(new.get(PATH), 401)


def test_a_locked_account_and_one_that_lost_its_role_get_nothing() -> None:
    client = program()
    User.objects.update(role=Role.ANNOTATOR)
    problem_of(client.get(PATH), 403)
    User.objects.update(is_active=False)
    problem_of(client.get(PATH), 401)


def test_a_session_needs_the_csrf_token_to_change_something(admin: Client) -> None:
    path = f"/api/v1/campaigns/{running().uuid}/pause/"
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = admin.cookies
    assert "CSRF" in problem_of(post(strict, path), 403)["detail"]
    strict.get("/")
    token = strict.cookies["csrftoken"].value
    assert post(strict, path, headers={"X-CSRFToken": token}).json()["state"] == "paused"


def test_a_token_needs_no_csrf_token() -> None:
    client = program(Role.ADMIN)
    client.handler.enforce_csrf_checks = True
    assert post(client, f"/api/v1/campaigns/{running().uuid}/pause/").json()["state"] == "paused"


@pytest.mark.usefixtures("three_a_minute")
@pytest.mark.parametrize(("role", "status"), [(Role.RESEARCHER, 200), (Role.ANNOTATOR, 403)])
def test_an_account_that_asks_too_often_has_to_wait(role: Role, status: int) -> None:
    client, other = program(role), program(name="somebody else")
    assert [client.get(PATH).status_code for _ in range(4)] == [status, status, status, 429]
    response = client.get(PATH)
    problem_of(response, 429)
    assert 0 < int(response["Retry-After"]) <= 60
    ask(other, "corpora/")


@pytest.mark.usefixtures("three_a_minute")
def test_a_stranger_who_asks_too_often_has_to_wait_whatever_address_is_claimed() -> None:
    claims = [Client(headers={"X-Forwarded-For": f"10.0.0.{number}"}) for number in range(4)]
    assert [client.get(PATH).status_code for client in claims] == [401, 401, 401, 429]


@pytest.mark.slow
def test_all_server_processes_count_together() -> None:
    client = program()
    for _ in range(3):
        ask(client, "corpora/")
    count = (
        "import django; django.setup();"
        "from annotate.api.throttling import AccountThrottle;"
        f"print(len(AccountThrottle().cache.get('throttle_user_{User.objects.get().pk}')))"
    )
    other_process = subprocess.run(
        [sys.executable, "-c", count],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert other_process.stdout == "3\n"


@pytest.mark.usefixtures("three_a_minute")
def test_a_stranger_with_many_addresses_of_one_network_is_one_stranger() -> None:
    claims = [Client(REMOTE_ADDR=f"2001:db8::{number}") for number in range(4)]
    assert [client.get(PATH).status_code for client in claims] == [401, 401, 401, 429]


def test_answers_stay_out_of_caches() -> None:
    assert program().get(PATH)["Cache-Control"] == "no-store"
