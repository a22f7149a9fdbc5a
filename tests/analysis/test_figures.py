from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse

from tests.annotate.samples import ranking, small_campaign, small_corpus


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figure_is_an_svg_that_names_its_systems(researcher: Client, theme: str) -> None:
    campaign = small_campaign(small_corpus())
    response = researcher.get(f"/campaigns/{campaign.uuid}/ranking/systems.svg?theme={theme}")
    assert response["Content-Type"] == "image/svg+xml"
    texts = {element.text for element in ET.fromstring(response.content).iter() if element.text}  # noqa: S314
    assert {"Alder", "Birch", "Cedar", "INPUT"} <= texts


def test_a_figure_of_simulated_judgments_says_so_wherever_it_is_taken(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), "made-up", synthetic=True)
    response = researcher.get(f"/campaigns/{campaign.uuid}/ranking/systems.svg")
    assert "made-up (synthetic)" in response.content.decode()


def test_a_figure_can_be_taken_as_png(researcher: Client) -> None:
    response = researcher.get(f"/corpora/{small_corpus().uuid}/distinct-outputs.png")
    assert response["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")


def test_the_distribution_counts_sentences(researcher: Client) -> None:
    response = researcher.get(f"/corpora/{small_corpus().uuid}/distinct-outputs.svg")
    root = ET.fromstring(response.content)  # noqa: S314
    labels = [element.text for element in root.iter() if element.text]
    assert "distinct outputs" in labels


@pytest.mark.parametrize("tail", ["systems.exe", "systems.svg?theme=pink"])
def test_other_forms_are_404(researcher: Client, tail: str) -> None:
    campaign = small_campaign(small_corpus())
    assert researcher.get(f"{reverse('ranking', args=[campaign.uuid])}{tail}").status_code == 404


def test_a_ranking_without_scores_is_still_a_picture(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 0, "")])
    response = researcher.get(f"/campaigns/{campaign.uuid}/ranking/systems.svg")
    assert response.status_code == 200
