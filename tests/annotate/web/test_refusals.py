"""A refusal is explained on the page that follows."""

from typing import Any

import pytest
from django import forms
from django.contrib.messages import get_messages
from django.contrib.messages.storage import default_storage
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client, RequestFactory

from annotate.web.refusals import FaultsAt, RefusalsAt, refusals_lead_to
from jobs.refusals import RefusedError

UUID = "00000000-0000-0000-0000-000000000001"


class NameForm(forms.Form):
    name = forms.CharField()


@refusals_lead_to("manage-campaign", "uuid", with_query=True)
def refusing(request: Any, **address: Any) -> HttpResponse:
    raise RefusedError("It is too late.")


@pytest.mark.django_db
@pytest.mark.any_database
def test_a_refusing_view_leads_to_the_page_that_says_why(client: Client) -> None:
    request: Any = RequestFactory().post("/somewhere/?page=2")
    request.session = client.session
    request._messages = default_storage(request)
    response = refusing(request, uuid=UUID, number=3)
    assert (response.status_code, response["Location"]) == (302, f"/campaigns/{UUID}/manage/?page=2")
    assert [str(message) for message in get_messages(request)] == ["It is too late."]


@pytest.mark.parametrize(
    ("shown", "error"),
    [(FaultsAt, ValidationError("It is taken.")), (RefusalsAt, RefusedError("It is taken."))],
)
def test_a_fault_is_shown_at_its_field(shown: type[FaultsAt], error: Exception) -> None:
    form = NameForm({"name": "first"})
    assert form.is_valid()
    with shown(form, "name"):
        raise error
    assert form.errors == {"name": ["It is taken."]}


def test_other_errors_pass_through() -> None:
    form = NameForm({"name": "first"})
    with pytest.raises(RefusedError), FaultsAt(form, "name"):
        raise RefusedError("Not about the form.")
