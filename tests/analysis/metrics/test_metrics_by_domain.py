"""Metrics by domain."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.metrics.against_people import SystemsAgainstPeople
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.sensitivity import metrics_by_domain
from analysis.analyses.metrics.sensitivity.metrics_by_domain import METRICS_BY_DOMAIN, MetricsByDomain
from analysis.runs.requests import request_of
from annotate.models import Campaign
from core.parameters import ParameterError
from metrics.meta_evaluation import HumanScore
from metrics.meta_evaluation.metric_scores import OF_WHOLE_CORPUS
from tests.analysis.scored_campaigns import result_of, upload_scores
from tests.analysis.test_one_domain import METRICS, RANKINGS, SENTENCES
from tests.annotate.samples import SYSTEMS, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

pytestmark = pytest.mark.any_database

ADDRESS = "/campaigns/{}/analyses/metrics-by-domain/?with_source=yes&replicates=20"
FEW = SystemsAgainstPeople(replicates=20, with_source=True)
MEASURES = ("pearson", "spearman", "kendall", "accuracy")


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged and scored once for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        corpus = small_corpus("of two domains", sentences=SENTENCES)
        scored(corpus, *METRICS)
        yield small_campaign(corpus, rankings=RANKINGS)
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


@pytest.mark.parametrize("human", [HumanScore.EXPECTED_WINS, HumanScore.TRUESKILL, HumanScore.MEAN])
@pytest.mark.parametrize("whole_set", [False, True])
def test_a_domain_has_the_figures_of_metrics_against_people_in_it(
    campaign: Campaign, human: HumanScore, whole_set: bool
) -> None:
    asked: dict[str, Any] = {
        "replicates": 20,
        "with_source": True,
        "human": human,
        "whole_set": whole_set,
        "seed": 4,
    }
    result: MetricsByDomain = result_of(METRICS_BY_DOMAIN, campaign, SystemsAgainstPeople(**asked))
    assert [each.domain for each in result.domains] == ["<u>", "news"]
    for domain in result.domains:
        parameters = METRICS_PEOPLE.parameters(**asked, domain=domain.domain, permutations=100)
        alone = result_of(METRICS_PEOPLE, campaign, parameters)
        assert domain.judged_sentences == alone.judged_sentences == 3
        assert domain.compared_sentences == alone.compared_sentences
        assert domain.metrics.keys() == alone.metrics.keys()
        for name, metric in domain.metrics.items():
            for measure in MEASURES:
                assert getattr(metric, measure) == getattr(alone.metrics[name], measure)


def test_the_page_draws_a_panel_for_each_domain(campaign: Campaign, researcher: Client) -> None:
    result_of(METRICS_BY_DOMAIN, campaign, FEW)
    address = ADDRESS.format(campaign.uuid)
    page = researcher.get(address).content.decode()
    assert "agree more with people" in page.partition("<h1>")[2].partition("</h1>")[0]
    assert 'name="domain"' not in page, "all domains are compared"
    drawn = researcher.get(address.replace("/?", "/metrics.svg?")).content.decode()
    assert all(name in drawn for name in ("GLEU", "SARI", "news", "&lt;u&gt;"))
    spearman = researcher.get(address.replace("/?", "/metrics.svg?figure=spearman&")).content.decode()
    assert "Spearman’s ρ" in spearman


def test_uploaded_scores_of_systems_are_of_no_domain(campaign: Campaign, tmp_path: Path) -> None:
    upload_scores(campaign.corpus, tmp_path, *(f"given,{name},,{n}" for n, name in enumerate(SYSTEMS)))
    result: MetricsByDomain = result_of(METRICS_BY_DOMAIN, campaign, FEW)
    assert {each.metrics["given (uploaded)"].pearson.reason for each in result.domains} == {OF_WHOLE_CORPUS}


def test_a_domain_with_a_single_system_says_so(campaign: Campaign, researcher: Client) -> None:
    systems = ("Birch", "Cedar", "INPUT")
    asked = replace(FEW, exclude_systems=", ".join(systems))
    result: MetricsByDomain = result_of(METRICS_BY_DOMAIN, campaign, asked)
    assert all(each.reason and "two systems are needed" in each.reason for each in result.domains)
    page = researcher.get(f"{ADDRESS.format(campaign.uuid)}&exclude_systems=Birch,Cedar,INPUT")
    assert "No metric can be compared with people in any domain" in page.content.decode()


def test_the_domains_with_the_most_sentences_are_compared(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_by_domain, "MOST_DOMAINS", 1)
    campaign.corpus.sentences.filter(position=0).update(domain="<u>")
    result: MetricsByDomain = result_of(METRICS_BY_DOMAIN, campaign, FEW)
    assert [(each.domain, each.judged_sentences) for each in result.domains] == [("<u>", 4)]
    assert result.more_domains == 1


def test_it_compares_all_domains(campaign: Campaign) -> None:
    with pytest.raises(ParameterError, match="compares all domains"):
        request_of(METRICS_BY_DOMAIN, campaign, SystemsAgainstPeople(domain="news"))


def test_a_corpus_without_domains_has_nothing_to_compare(campaign: Campaign, researcher: Client) -> None:
    campaign.corpus.sentences.update(domain="")
    result_of(METRICS_BY_DOMAIN, campaign, FEW)
    assert "Import the corpus with domains" in researcher.get(ADDRESS.format(campaign.uuid)).content.decode()
