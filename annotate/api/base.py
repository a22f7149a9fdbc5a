"""What all views of the API have in common: who may use them, and which parameters they take."""

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
    """The parameters of an address. Unknown ones are refused: a mistyped filter would filter nothing."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The values, checked."""
        if unknown := sorted(set(data) - set(self.fields)):
            raise ValidationError({name: ["There is no such parameter."] for name in unknown})
        values: dict[str, Any] = super().to_internal_value(data)
        return values


class PageQuery(Query):
    """The parameters of a long list."""

    limit = IntegerField(
        required=False, min_value=1, max_value=MOST_ROWS, default=ROWS_PER_PAGE, help_text="Rows of a page."
    )
    cursor = CharField(required=False, help_text="Where the page begins, from `next` or `previous`.")


class ApiView(GenericAPIView):
    """A view of the API: for researchers and admins, unless it says otherwise.

    Attributes:
        query: the parameters that it takes.
    """

    permission_classes = [ForResearchers]
    pagination_class = Pages
    query: type[Query] = Query

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """The function for the URL configuration, which states its rule as those of pages do."""
        view = super().as_view(**initkwargs)
        [permission] = cls.permission_classes
        view.rule = permission.rule
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at who asks, then at what is asked. A body is refused: the address says everything."""
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request, *args, **kwargs)
        _ = request.data, self.asked

    @property
    def account(self) -> User:
        """Whose request it is: the permissions let nobody else in."""
        user: User = self.request.user
        return user

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The parameters that were sent, checked, with the defaults of the others.

        Raises:
            ValidationError: they are not what they should be.
        """
        query = self.query(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        checked: dict[str, Any] = query.validated_data
        return checked

    def permission_denied(
        self, request: Request, message: str | None = None, code: str | None = None
    ) -> None:
        """Refuse, and count it, so that strangers cannot ask without end either."""
        self.check_throttles(request)
        if not request.user.is_authenticated:
            raise NotAuthenticated("Log in, or send a valid token in the header Authorization: Bearer TOKEN.")
        super().permission_denied(request, message, code)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """What may be private stays out of caches."""
        response.headers.setdefault("Cache-Control", "no-store")
        return super().finalize_response(request, response, *args, **kwargs)


class AnyAccept(DefaultContentNegotiation):
    """For what comes in a format that the parameters name, whatever the header Accept says."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """How faults are rendered."""
        return renderers[0], renderers[0].media_type
