"""Fragility: the command, the page, its figure and files."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import cast

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.systems.fragility import (
    FRAGILITY,
    FragileBorders,
    FragilityParameters,
    columns,
    columns_of_removed,
    lead,
)
from analysis.models import Run
from annotate.models import Campaign
from core.bars import Bar
from core.names import Naming
from core.results import Computed
from ranking import Fragility
from tests.analysis.judgment_files import write_judgments
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts, ranking


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Alder beats Birch in three of four judgments; nobody beats Alder or Birch but these two."""
    orders = (
        "Alder > Birch > Cedar",
        "Alder > Birch > Cedar",
        "Alder > Birch > Cedar",
        "Birch > Alder > Cedar",
    )
    return campaign_without_texts(
        rankings=[ranking("anna", number, order) for number, order in enumerate(orders)]
    )


def body(client: Client, campaign: Campaign, name: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/analyses/fragility/{name}")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response)).decode()


def test_a_file_tells_how_few_judgments_carry_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = write_judgments(
        tmp_path / "judged.csv", ("anna", 1, "A > B"), ("ben", 2, "A > B"), ("ben", 3, "B > A")
    )
    call_command("analyse", "fragility", judged, "--json")
    [border] = json.loads(capsys.readouterr().out)["borders"]
    assert (border["above"], border["below"], len(border["removed"]), border["exact"]) == ("A", "B", 2, True)
    call_command("analyse", "fragility", judged, "--unit", "judge", "--method", "bradley-terry")
    assert "A" in capsys.readouterr().out


def test_the_page_names_the_sentences_of_the_judgments(researcher: Client, campaign: Campaign) -> None:
    result_of(FRAGILITY, campaign)
    shown = body(researcher, campaign)
    assert "Removing 3 of 4 judgments, chosen to favour Birch, is enough to put Birch above Alder" in shown
    assert all(f'?sentence={sentence}">{sentence}</a>' in shown for sentence in (0, 1, 2))
    assert "no removal makes Cedar score better than Birch" in shown


def test_bounds_are_called_so_once(campaign: Campaign) -> None:
    result = result_of(FRAGILITY, campaign)
    parameters = FragilityParameters()
    assert "Judgments to remove so that they swap" in _drawn(Computed(parameters, result))
    bounds = replace(result, borders=tuple(replace(border, exact=False) for border in result.borders))
    assert "Judgments to remove so that they swap, at most" in _drawn(Computed(parameters, bounds))
    for computed, is_said in ((Computed(parameters, result), False), (Computed(parameters, bounds), True)):
        assert ("upper bounds" in str(lead(computed, Naming("", {}, {}, {})))) == is_said
    assert {
        column.note_of(row) for column, row in product(columns(Computed(parameters, bounds)), bounds.swapped)
    } == {""}


def test_the_first_of_many_removals_are_named(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = result_of(FRAGILITY, campaign).borders[0]
    monkeypatch.setattr("analysis.analyses.systems.fragility.MOST_NAMED", 2)
    Run.objects.all().delete()
    result = result_of(FRAGILITY, campaign)
    assert result.borders[0] == replace(whole, removed=whole.removed[:2])
    assert result.sentences.keys() == {*whole.removed[:2]}
    computed = Computed(FragilityParameters(), result)
    assert "Sentences of the first 2 judgments" in [column.label for column in columns_of_removed(computed)]
    assert "Removing 3 of 4 judgments, chosen to favour" in FRAGILITY.finding(
        computed, Naming("", {}, {}, {})
    )


@pytest.mark.parametrize(
    ("removals", "said"),
    [((12, 1, 30), "Removing 1 of 600 judgments, chosen to favour c, is enough to put c above b: no other "
      "number here is lower."),
     ((1, 12), ""), ((3,), ""), ((), "")],
)  # fmt: skip
def test_the_most_fragile_place_is_named_beside_that_of_the_heading(
    removals: tuple[int, ...], said: str
) -> None:
    borders = tuple(
        Fragility(above, below, 600, number, ("x",), True, 0.1, -0.1, None)
        for above, below, number in zip("abc", "bcd", removals, strict=False)
    )
    computed = Computed(FragilityParameters(), FragileBorders("", 600, borders, {}))
    assert str(lead(computed, Naming("", {}, {}, {}))).replace("\N{NO-BREAK SPACE}", " ") == said


def _drawn(computed: Computed) -> list[str]:
    return [column.drawn for column in columns(computed) if isinstance(column, Bar)]


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result = result_of(FRAGILITY, campaign)
    removed = " ".join(result.borders[0].removed)
    assert f"Alder,Birch,3,0.25,4,True,-0.5,{removed}," in body(researcher, campaign, "fragility.csv")
    assert "Alder & Birch & 3 & 0.250" in body(researcher, campaign, "fragility.tex")
    assert "judgments removed, of 4" in body(researcher, campaign, "fragility.svg")
    for missing in ("fragility.xls", "fragility.gif", "borders.csv"):
        address = f"/campaigns/{campaign.uuid}/analyses/fragility/{missing}"
        assert researcher.get(address).status_code == 404


def test_without_anything_to_remove_there_is_no_figure(researcher: Client, campaign: Campaign) -> None:
    result_of(FRAGILITY, campaign, FragilityParameters(unit="judge"))
    shown = body(researcher, campaign, "?unit=judge")
    assert "There are no two neighbouring systems that could be swapped" in shown
    assert "anna" not in shown
    assert "fragility.svg" not in shown
    address = f"/campaigns/{campaign.uuid}/analyses/fragility/fragility.svg"
    assert researcher.get(f"{address}?unit=judge").status_code == 404
