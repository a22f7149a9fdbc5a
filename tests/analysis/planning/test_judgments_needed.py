"""The page that says how many judgments a campaign will need."""

from math import ceil

import pytest
from django.test import Client

ADDRESS = "/how-many-judgments/"
DESIGN: dict[str, int | str] = {
    "systems": 4,
    "shown": 4,
    "per_sentence": 1,
    "wins": 70,
    "ties": 0,
    "seconds": 60,
    "rate": 30,
}


def test_hours_and_cost_follow_from_judgments(researcher: Client) -> None:
    response = researcher.get(ADDRESS, DESIGN)
    needs = response.context["needs"]
    assert needs[0].judgments == response.context["plan"].needed
    for need in needs:
        assert need.hours == pytest.approx(need.judgments / 60)
        assert need.cost == pytest.approx(need.hours * 30)
    assert "judgments separate two neighbouring systems in 80" in response.content.decode()


@pytest.mark.any_database
def test_a_machine_saves_judgments_by_its_correlation(researcher: Client) -> None:
    alone, with_machine, *watched = researcher.get(ADDRESS, DESIGN | {"correlation": "0.5"}).context["needs"]
    assert with_machine.what == f"{alone.what}, with the machine"
    assert with_machine.judgments == ceil(alone.judgments * (1 - 0.25 * 10 / 11))
    assert watched == researcher.get(ADDRESS, DESIGN).context["needs"][1:]


@pytest.mark.any_database
def test_it_opens_with_an_example_and_draws_it(researcher: Client) -> None:
    assert "GJG15" in researcher.get(ADDRESS).content.decode()
    figure = researcher.get(f"{ADDRESS}power.svg").content.decode()
    assert "campaigns that separate two neighbours" in figure


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shown": 5}, "There are only 4 systems to show."),
        ({"systems": "many"}, "Enter a whole number."),
        ({"wins": 50}, "51"),
        ({"correlation": "1"}, "0.95"),
    ],
)
def test_an_impossible_design_is_refused_in_words(
    researcher: Client, wrong: dict[str, int | str], message: str
) -> None:
    assert message in researcher.get(ADDRESS, DESIGN | wrong).content.decode()
    assert researcher.get(f"{ADDRESS}power.svg", DESIGN | wrong).status_code == 400
