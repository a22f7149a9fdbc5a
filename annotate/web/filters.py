"""The base of forms that filter a list."""

from typing import Any

from django.forms import Form

MAX_NUMBER = 2**31 - 1
"""The largest integer of the database's columns: positions, numbers of items, seeds."""


def criteria(form: Form) -> dict[str, Any]:
    """The filters; empty if the form was not sent or is invalid, in which case the page says so."""
    return form.cleaned_data if form.is_bound and form.is_valid() else {}
