"""Pages of long lists. Each names the next by a cursor, so that later rows do not shift pages."""

from typing import Any

from django.core.exceptions import ValidationError as InvalidValue
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

ROWS_PER_PAGE = 100
MOST_ROWS = 1000


class Pages(CursorPagination):
    """Pages in the order of the view's attribute `ordering`, of the length given in the query."""

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        """The sort key of the rows, unique for each: one field or several."""
        return view.ordering if isinstance(view.ordering, tuple) else (view.ordering,)

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: Any) -> list[object]:
        """The rows of one page.

        Raises:
            ValidationError: the cursor is invalid.
        """
        self.page_size = view.asked["limit"]
        try:
            rows: list[object] = super().paginate_queryset(queryset, request, view)
        except (NotFound, InvalidValue, ValueError) as error:
            raise ValidationError({"cursor": ["This is not a valid cursor for this list."]}) from error
        return rows

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor that was sent, if any."""
        cursor: Cursor | None = super().decode_cursor(request)
        if cursor and "\0" in (cursor.position or ""):
            raise NotFound  # PostgreSQL's texts cannot contain it.
        return cursor

    def get_schema_operation_parameters(self, view: object) -> list[object]:
        """None: they are among those of the view's query."""
        return []
