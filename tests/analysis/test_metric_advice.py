"""The analysis *Which metric to report*, from judgments to its page."""

import pytest
from django.test import Client

from analysis.analyses.metric_advice import METRIC_ADVICE, MetricAdvice
from annotate.models import SystemRole
from tests.analysis.scored_campaigns import METRICS, edited_campaign, result_of
from tests.annotate.scores.scoring import edited_corpus, scored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_few_systems_give_no_advice_and_the_page_says_why(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, *METRICS)
    campaign = edited_campaign(corpus)
    corpus.systems.filter(name="INPUT").update(role=SystemRole.SOURCE)
    result: MetricAdvice = result_of(METRIC_ADVICE, campaign)
    assert result.apart == ("INPUT",)
    assert result.reason == "people judged 3 systems that count, and advice needs 5"
    page = researcher.get(f"/campaigns/{campaign.uuid}/analyses/metric-advice/").content.decode()
    assert f"None: {result.reason}" in page
    answers = researcher.get(f"/campaigns/{campaign.uuid}/answers/").content.decode()
    assert f"None: {result.reason}." in answers
