"""What a filter form asks for."""

from typing import Any

from django.forms import Form


def criteria(form: Form) -> dict[str, Any]:
    """What the form asks for; nothing when it was not sent or is wrong, in which case the page says so."""
    return form.cleaned_data if form.is_bound and form.is_valid() else {}
