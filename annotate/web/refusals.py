"""Refusals on pages: shown as a message on the next page."""

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from annotate.web.access import AccountRequest, View
from jobs.refusals import RefusedError


def refusals_lead_to(name: str, *parts: str, with_query: bool = False) -> Callable[[View], View]:
    """The decorated view redirects to the page of this name when it refuses, and that page shows why.

    Args:
        name: of the page's address.
        parts: names of those parts of the view's own address that the page's address has, too.
        with_query: whether the page also gets the query of the view's address.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: AccountRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            try:
                return view(request, *args, **kwargs)
            except RefusedError as error:
                messages.error(request, str(error))
                query = request.GET if with_query else None
                return redirect(reverse(name, args=[kwargs[part] for part in parts], query=query))

        return guarded

    return decorate


class FaultsAt:
    """Shows validation errors from the block at this field of the form; None is above all fields.

    The block ends by returning a response; the code after it shows the form again.
    """

    shown: ClassVar[type[Exception]] = ValidationError

    def __init__(self, form: forms.BaseForm, field: str | None) -> None:
        self._form, self._field = form, field

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, self.shown):
            return False
        fault = error.messages if isinstance(error, ValidationError) else str(error)
        self._form.add_error(self._field, fault)
        return True


class RefusalsAt(FaultsAt):
    """Shows what the block refuses as an error of the form's field."""

    shown = RefusedError
