"""A client of the API, with a token, for JSON."""

from http import HTTPStatus
from typing import Any

from django.test import Client

from annotate.accounts.tokens import mint_token
from annotate.api.problems import CONTENT_TYPE
from annotate.models import Role, User


def program(role: Role = Role.RESEARCHER, name: str | None = None) -> Client:
    """A program with the token of a new account."""
    user = User.objects.create_user(name or f"{role.value}-of-program", role=role)
    return with_token(mint_token(user))


def with_token(token: str) -> Client:
    """A program that sends this token."""
    return Client(headers={"Authorization": f"Bearer {token}"})


def ask(client: Client, path: str, **parameters: Any) -> Any:
    """The JSON that it is answered."""
    response = client.get(f"/api/v1/{path}", parameters)
    assert response.status_code == HTTPStatus.OK, response.content
    return response.json()


def post(client: Client, path: str, **more: Any) -> Any:
    """The answer to a click of sorts, which takes no body."""
    return client.generic("POST", path, **more)


def problem_of(response: Any, status: int) -> Any:
    """The problem that it is answered, which must have this status."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == CONTENT_TYPE
    problem = response.json()
    assert problem["status"] == status
    assert problem["title"] == HTTPStatus(status).phrase
    return problem
