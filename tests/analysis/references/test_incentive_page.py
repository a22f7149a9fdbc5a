"""The page that shows when a system should not correct."""

import re

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def page(client: Client, **stated: str | int) -> str:
    return client.get("/incentive/", stated).content.decode()


def test_the_page_begins_with_an_example(researcher: Client) -> None:
    shown = page(researcher)
    assert "<h1>Correcting earns more than leaving the phrase alone: 0.18 against 0.10" in shown
    assert '<input type="range" name="covered" value="0.3"' in shown
    assert re.findall(r'<output id="stated-(\w+)"[^>]*>([0-9.]+)</output>', shown) == [
        ("detected", "0.90"),
        ("correct", "0.60"),
        ("covered", "0.30"),
        ("penalty", "0.00"),
    ]


def test_answers_move_the_verdict(researcher: Client) -> None:
    shown = page(researcher, detected="0.9", correct="0.6", covered="0.1", penalty=0)
    assert "Leaving the phrase alone earns no less than correcting: 0.10 against 0.06" in shown
    assert "<dd>0.17</dd>" in shown
    assert ">0.10</output>" in shown
    assert all(f"#stated-{field}" in shown for field in ("detected", "correct", "covered", "penalty"))
    assert "<dd>none</dd>" in page(researcher, detected="0.1", correct="0.6", covered=1, penalty=0)


@pytest.mark.parametrize("covered", ["2", "-1", "nan", "much", ""])
def test_impossible_answers_are_named(researcher: Client, covered: str) -> None:
    shown = page(researcher, detected="0.9", correct="0.6", covered=covered, penalty=0)
    assert "errorlist" in shown
    assert "Expected rewards" not in shown
