"""Pages of analyses of rankings where there is little or nothing to rank."""

import pytest
from django.test import Client

from analysis.analyses.base import analyses
from analysis.runs.results import from_json, to_json
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts, ranking

FEW = {
    "a skip": [ranking("anna", 0, "")],
    "one system": [ranking("anna", 0, "Alder")],
    "one output": [ranking("anna", 0, "Alder Birch")],
    "a tie": [ranking("anna", 0, "Alder = Birch")],
    "one judgment": [ranking("anna", 0, "Alder > Birch")],
    "always the same": [ranking("anna", number, "Alder > Birch") for number in range(3)],
}


@pytest.mark.django_db
@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("name", ["fragility", "stopping", "judge-model"])
def test_a_page_opens_however_little_was_judged(researcher: Client, name: str, few: str) -> None:
    campaign = campaign_without_texts(rankings=FEW[few])
    analysis = analyses()[name]
    result = result_of(analysis, campaign)
    assert to_json(from_json(analysis.result, to_json(result))) == to_json(result)
    page = researcher.get(f"/campaigns/{campaign.uuid}/analyses/{name}/")
    assert page.status_code == 200
    assert "nan" not in page.content.decode()
