"""Errors of forms are in plain words, without Django's internal names."""

import pytest
from django.test import Client

from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("state=odd", "“odd” is not one of the choices."),
        ("sentence=-1", "This must be at least 0."),
        ("sentence=99999999999", "This must be at most 2147483647."),
        ("state=%3Cb%3E", "“&lt;b&gt;” is not one of the choices."),
    ],
)
def test_of_a_filter(researcher: Client, query: str, words: str) -> None:
    page = researcher.get(f"{small_campaign(small_corpus()).get_absolute_url()}?{query}").content.decode()
    assert words in page
    assert "Select a valid choice" not in page


def test_of_an_export(researcher: Client) -> None:
    address = f"{small_campaign(small_corpus()).get_absolute_url()}export/"
    page = researcher.get(address, {"file_format": "csv", "submitted_from": "soon"}).content.decode()
    assert "Enter a date such as 2026-05-31." in page
