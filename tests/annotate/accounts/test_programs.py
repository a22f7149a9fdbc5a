"""A user's API token."""

import re

from django.test import Client

from annotate.models import ApiToken, AuditEntry, User
from tests.annotate.api.asking import ask, problem_of, with_token


def token_in(page: str) -> str:
    [token] = re.findall(r"<code>([\w-]{43})</code>", page)
    return str(token)


def make_one(client: Client) -> str:
    return token_in(client.post("/programs/token/").content.decode())


def test_a_token_is_made_and_shown_once(researcher: Client) -> None:
    assert "You have no token" in researcher.get("/programs/").content.decode()
    response = researcher.post("/programs/token/")
    assert "no-store" in response["Cache-Control"]
    token = token_in(response.content.decode())
    assert ask(with_token(token), "corpora/")["results"] == []
    again = researcher.get("/programs/").content.decode()
    assert token not in again
    assert "You have a token" in again


def test_a_new_one_ends_the_old_one(researcher: Client) -> None:
    old = make_one(researcher)
    new = make_one(researcher)
    problem_of(with_token(old).get("/api/v1/corpora/"), 401)
    ask(with_token(new), "corpora/")


def test_a_token_is_revoked(researcher: Client) -> None:
    token = make_one(researcher)
    page = researcher.post("/programs/token/revoke/", follow=True).content.decode()
    assert "token has been revoked" in page
    problem_of(with_token(token).get("/api/v1/corpora/"), 401)


def test_tokens_are_on_record(researcher: Client) -> None:
    make_one(researcher)
    for _ in range(2):
        researcher.post("/programs/token/revoke/")
    entries = AuditEntry.objects.order_by("pk")
    assert [(entry.who, entry.action) for entry in entries] == [
        ("the-researcher", "make-token"),
        ("the-researcher", "revoke-token"),
    ]


def test_a_password_link_ends_the_token(researcher: Client, admin: Client) -> None:
    client = with_token(make_one(researcher))
    user = User.objects.get(username="the-researcher")
    admin.post(f"/accounts/{user.pk}/password-link/")
    problem_of(client.get("/api/v1/corpora/"), 401)


def test_everybody_has_a_token_of_their_own(researcher: Client, admin: Client) -> None:
    kept = make_one(researcher)
    make_one(admin)
    admin.post("/programs/token/revoke/")
    ask(with_token(kept), "corpora/")
    assert ApiToken.objects.get().user.username == "the-researcher"
