"""Authentication by a token in the header `Authorization: Bearer ...`, or by a browser session."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from annotate.accounts.tokens import user_of_token
from annotate.models import User

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


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the authentication by token in the OpenAPI document."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """An HTTP scheme."""
        return {"type": "http", "scheme": SCHEME.lower()}
