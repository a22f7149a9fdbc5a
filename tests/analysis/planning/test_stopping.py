"""When to stop: the command, the page, its figure and files."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.watched_pairs import Border
from annotate.models import Campaign
from ranking import Remaining, WatchedPair
from tests.analysis.judgment_files import write_judgments
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts, ranking


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Alder beats Birch on nine of ten sentences; Cedar is sometimes better, sometimes worse than Birch."""
    orders = ["Alder > Birch > Cedar", "Alder > Cedar > Birch"] * 27 + ["Birch > Alder > Cedar"] * 6
    return campaign_without_texts(
        rankings=[ranking("anna", number, order) for number, order in enumerate(orders)]
    )


def body(client: Client, campaign: Campaign, name: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/analyses/stopping/{name}")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response)).decode()


def test_a_file_tells_which_pairs_are_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [("anna", number, "A > B" if number % 10 else "B > A") for number in range(100)]
    judged = write_judgments(tmp_path / "judged.csv", *answers)
    call_command("analyse", "stopping", judged, "--planned", "100", "--json")
    result = json.loads(capsys.readouterr().out)
    [pair] = result["watched"]["pairs"]
    assert (pair["above"], pair["below"]) == ("A", "B")
    assert 30 <= pair["settled_at"] <= 60
    assert result["remaining"][0]["median"] == 0
    call_command("analyse", "stopping", judged, "--planned", "100")
    shown = capsys.readouterr().out
    assert "Single look" in shown
    assert "±0." in shown


def test_the_page_shows_settled_and_unsettled_pairs(researcher: Client, campaign: Campaign) -> None:
    result_of(STOPPING, campaign)
    shown = body(researcher, campaign)
    assert "Only Alder over " in shown
    assert " of 2 pairs of neighbouring systems is settled" in shown
    assert "in brackets the middle 95 % of them. Simulations end at" in shown.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "40 times the judgments so far" in shown
    assert "settled after" in shown
    assert "about " in shown


@pytest.mark.any_database
def test_systems_that_tie_are_not_settled(db: None, researcher: Client) -> None:
    orders = [ranking("anna", number, "Alder > Birch = Cedar") for number in range(40)]
    tied = campaign_without_texts(rankings=[*orders, ranking("anna", 40, "Alder = Dogwood")])
    result_of(STOPPING, tied)
    shown = body(researcher, tied)
    assert " of 3 pairs of neighbouring systems is settled" in shown
    assert "too few sentences say which is better" in shown
    assert "one of the two has no score yet" in shown
    assert "nan" not in shown.split("</table>")[0].split("<tbody>")[1]
    assert "Cedar,Dogwood,,,," in body(researcher, tied, "stopping.csv")
    assert "Birch over Cedar" in body(researcher, tied, "stopping.svg")


@pytest.mark.any_database
def test_a_screen_left_open_does_not_count_as_time_for_a_judgment(db: None) -> None:
    orders = ["Alder > Birch" if number % 10 else "Birch > Alder" for number in range(40)]
    durations = [20_000] * 39 + [36_000_000]
    judged = campaign_without_texts(
        rankings=[
            ranking("anna", number, order, duration_ms=duration)
            for number, (order, duration) in enumerate(zip(orders, durations, strict=True))
        ]
    )
    assert result_of(STOPPING, judged).seconds == (39 * 20 + 200) / 40


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result = result_of(STOPPING, campaign)
    settled = result.watched.pairs[0].settled_at
    assert body(researcher, campaign, "stopping.csv").splitlines()[1].startswith("Alder,Birch,")
    assert f" & {settled} & 0" in body(researcher, campaign, "stopping.tex")
    assert r"Difference & ± & ± while watching" in body(researcher, campaign, "stopping.tex")
    assert "Alder over Birch" in body(researcher, campaign, "stopping.svg")


@pytest.mark.parametrize(
    ("remaining", "words"),
    [
        (Remaining(100, 200, 900, 4000, None), "about 200 (100 to 900)"),
        (Remaining(9_116, 79_810, 88_900, 91_160, None), "about 80,000 (9,100 to 89,000)"),
        (Remaining(100, 200, None, 4000, None), "about 200 (100 to over 4,000)"),
        (Remaining(100, None, None, 4000, None), "over 4,000 (100 or more)"),
        (Remaining(None, None, None, 4000, None), "over 4,000"),
        (Remaining(None, None, None, 4000, "too few"), "too few"),
    ],
)
def test_remaining_judgments_are_in_words(remaining: Remaining, words: str) -> None:
    pair = WatchedPair("A", "B", np.zeros(1), np.zeros(1), None)
    assert Border(pair, remaining).further == words
