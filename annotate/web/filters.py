"""What forms have in common that filter a list."""

from typing import Any

from django.forms import Form

MAX_NUMBER = 2**31 - 1
"""The largest whole number that the database's columns hold: positions, numbers of items, seeds."""


def criteria(form: Form) -> dict[str, Any]:
    """What the form asks for; nothing when it was not sent or is wrong, in which case the page says so."""
    return form.cleaned_data if form.is_bound and form.is_valid() else {}
