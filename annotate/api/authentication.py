"""Authentication by a token in the header `Authorization: Bearer ...`, or by a browser session."""

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from annotate.accounts.tokens import user_of_token
from annotate.machines.making import machine_of_token
from annotate.models import Annotator, User

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Authenticates by token (RFC 6750). An invalid token is treated like none."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """The account whose token was sent, if any."""
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        user = user_of_token(token.strip())
        return None if user is None else (user, None)

    def authenticate_header(self, request: Request) -> str:
        """The value of the header `WWW-Authenticate`; it makes the response 401."""
        return SCHEME


class MachineAuthentication(BaseAuthentication):
    """Authenticates a machine by its token, for the views that are for machines; the machine is `auth`."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Annotator] | None:
        """The machine whose token was sent, if any. It has no account."""
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        machine = machine_of_token(token.strip())
        return None if machine is None else (AnonymousUser(), machine)

    def authenticate_header(self, request: Request) -> str:
        """The value of the header `WWW-Authenticate`; it makes the response 401."""
        return SCHEME


class MachineScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the authentication of machines in the OpenAPI document."""

    target_class = MachineAuthentication
    name = "machine"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """An HTTP scheme."""
        return {"type": "http", "scheme": SCHEME.lower(), "description": "Token of a machine."}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the authentication by token in the OpenAPI document."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """An HTTP scheme."""
        return {"type": "http", "scheme": SCHEME.lower()}
