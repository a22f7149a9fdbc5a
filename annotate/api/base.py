"""Shared by all API views: permissions and parameters."""

from functools import cached_property
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.serializers import CharField, IntegerField, Serializer

from annotate.api.paging import MOST_ROWS, ROWS_PER_PAGE, Pages
from annotate.api.permissions import ForResearchers
from annotate.models import User


class Query(Serializer):
    """The query parameters. Unknown ones are refused, because a mistyped filter would have no effect."""

    def to_internal_value(self, data: Any) -> dict[str, object]:
        """The values, checked."""
        if unknown := sorted(set(data) - set(self.fields)):
            raise ValidationError({name: ["There is no such parameter."] for name in unknown})
        values: dict[str, object] = super().to_internal_value(data)
        return values


class PageQuery(Query):
    """The parameters of a long list."""

    limit = IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_ROWS,
        default=ROWS_PER_PAGE,
        help_text="Number of rows per page.",
    )
    cursor = CharField(required=False, help_text="Start of the page, as given in `next` or `previous`.")


class AnyAccept(DefaultContentNegotiation):
    """Ignores the header Accept: the API speaks JSON, or the format of a parameter, with browsers too."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The renderer of JSON."""
        return renderers[0], renderers[0].media_type


class ApiView(GenericAPIView):
    """A view of the API, by default for researchers and admins.

    Attributes:
        query: the parameters that it takes.
    """

    permission_classes = [ForResearchers]
    pagination_class = Pages
    content_negotiation_class = AnyAccept
    query: type[Query] = Query

    @classmethod
    def as_view(cls, **initkwargs: object) -> Any:
        """The view function, which states its access rule like the views of pages."""
        view = super().as_view(**initkwargs)
        [permission] = cls.permission_classes
        view.rule = permission.rule
        return view

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Check permissions, then parameters. A body is refused: all parameters are in the address."""
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request, *args, **kwargs)
        _ = request.data, self.asked

    @property
    def account(self) -> User:
        """The user; the permissions exclude anonymous requests."""
        user: User = self.request.user
        return user

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The parameters that were sent, checked, with the defaults of the others.

        Raises:
            ValidationError: some are invalid.
        """
        query = self.query(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        checked: dict[str, Any] = query.validated_data
        return checked

    def permission_denied(
        self, request: Request, message: str | None = None, code: str | None = None
    ) -> None:
        """Refuse, and count the request, so that anonymous requests are throttled too."""
        self.check_throttles(request)
        if not request.user.is_authenticated and request.auth is None:
            raise NotAuthenticated("Log in, or send a valid token in the header Authorization: Bearer TOKEN.")
        super().permission_denied(request, message, code)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: object, **kwargs: object
    ) -> Any:
        """Keep responses, which may be private, out of caches."""
        response.headers.setdefault("Cache-Control", "no-store")
        return super().finalize_response(request, response, *args, **kwargs)
