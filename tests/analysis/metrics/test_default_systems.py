"""Source, references and controls do not count as systems where metrics meet people, unless asked to."""

from dataclasses import replace

import pytest
from django.test import Client

from analysis.analyses.base import AnyAnalysis, analyses
from analysis.analyses.metrics.against_people import AgainstPeople
from analysis.analyses.metrics.disagreements import DISAGREEMENTS
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.sensitivity.metric_causes import METRIC_CAUSES
from analysis.publishing.stated import Stated, is_form_of, stated_from_json
from analysis.runs.requests import request_of
from annotate.models import Campaign, SystemRole
from tests.analysis.scored_campaigns import analysed, scored_campaign
from tests.annotate.samples import small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OF_METRICS = [
    each
    for each in analyses().values()
    if issubclass(each.parameters, AgainstPeople) and each not in (METRIC_ADVICE, METRIC_CAUSES)
]
BY_NAME = pytest.mark.parametrize("analysis", OF_METRICS, ids=lambda analysis: analysis.name)


@pytest.fixture
def campaign() -> Campaign:
    """INPUT is the source, Birch a reference and Cedar a control."""
    made = scored_campaign(small_corpus())
    made.corpus.systems.filter(name="Birch").update(role=SystemRole.REFERENCE)
    made.corpus.systems.filter(name="Cedar").update(role=SystemRole.CONTROL)
    return made


@BY_NAME
def test_roles_decide_which_systems_count(campaign: Campaign, analysis: AnyAnalysis) -> None:
    usual = analysis.parameters()
    assert request_of(analysis, campaign, usual).left_out.systems == ("Birch", "Cedar", "INPUT")
    for attribute, system in (("with_source", "INPUT"), ("references", "Birch"), ("controls", "Cedar")):
        asked = request_of(analysis, campaign, replace(usual, **{attribute: True}))
        assert set(asked.left_out.systems) == {"Birch", "Cedar", "INPUT"} - {system}


def test_the_metrics_pages_are_all_here() -> None:
    assert {each.name for each in OF_METRICS} >= {
        *("metrics-people", "metric-windows", "metric-rank-pairs", "hybrids", "metric-sweep"),
        "disagreements",
    }


@pytest.mark.parametrize("analysis", [METRIC_ADVICE, METRIC_CAUSES], ids=lambda analysis: analysis.name)
def test_some_know_all_but_controls_and_count_none(campaign: Campaign, analysis: AnyAnalysis) -> None:
    assert request_of(analysis, campaign, analysis.parameters()).left_out.systems == ("Cedar",)


def test_a_page_names_the_systems_that_do_not_count(researcher: Client, campaign: Campaign) -> None:
    campaign.corpus.systems.filter(name__in=("Birch", "Cedar")).update(role=SystemRole.SYSTEM)
    analysed(campaign, DISAGREEMENTS)
    shown = researcher.get(f"/campaigns/{campaign.uuid}/metrics/disagreements/").content.decode()
    assert "INPUT does not count as a system." in shown


def test_bundles_of_earlier_versions_say_which_source_they_left_out() -> None:
    """They stated `without-source`."""
    for usual, earlier in (("no", "yes"), ("yes", "no")):
        stated = Stated("demo", METRICS_PEOPLE, MetricsPeopleParameters(with_source=usual == "yes"), {})
        today = f'"with-source": "{usual}"'
        assert today in stated.as_json()
        written = stated.as_json().replace(today, f'"without-source": "{earlier}"')
        assert stated_from_json(written).parameters == stated.parameters
        assert is_form_of(written, stated)
