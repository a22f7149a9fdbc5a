"""One annotator against the others, in tables, figures and files of metrics against people."""

import pytest
from django.test import Client

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.metrics_people_result import MetricsAgainstPeople
from annotate.models import Campaign
from metrics.meta_evaluation.human_ceiling import ALONE
from metrics.meta_evaluation.sentence_level import CEILING
from tests.analysis.metrics.metric_pages import file_of, rows_of
from tests.analysis.scored_campaigns import result_of
from tests.analysis.test_one_domain import RANKINGS, SENTENCES
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

pytestmark = pytest.mark.any_database

FEW = MetricsPeopleParameters(replicates=50, permutations=100, with_source=True)
QUERY = "?replicates=50&permutations=100&with_source=yes"


@pytest.fixture
def campaign(db: None) -> Campaign:
    corpus = small_corpus(sentences=SENTENCES)
    scored(corpus, "gleu", "sari")
    return small_campaign(corpus, rankings=RANKINGS)


def test_tables_and_figure_have_it_beside_the_metrics(campaign: Campaign, researcher: Client) -> None:
    result: MetricsAgainstPeople = result_of(METRICS_PEOPLE, campaign, FEW)
    assert result.ceiling_annotators == 3
    ceiling = result.ceiling
    assert ceiling.pearson.value is not None
    assert ceiling.pearson.low is not None
    page = researcher.get(f"/campaigns/{campaign.uuid}/metrics/{QUERY}").content.decode()
    assert page.count(CEILING) == 3, "two rows by systems, and one by sentences"
    assert "the mean of 3 annotators who have a score of every system" in page
    systems, sentences = (
        rows_of(researcher, campaign, f"metrics-people/{of}.csv{QUERY}") for of in ("systems", "sentences")
    )
    assert [row["metric"] for row in systems] == [*result.metrics, CEILING]
    assert float(systems[-1]["pearson"]) == ceiling.pearson.value
    assert (systems[-1]["spa"], systems[-1]["cluster"]) == ("", "")
    assert float(sentences[-1]["tau"]) == ceiling.sentences.tau.value
    drawn = file_of(researcher, campaign, f"metrics-people/agreement.svg{QUERY}").decode()
    assert "stroke-dasharray" in drawn


def test_without_other_annotators_it_says_so(campaign: Campaign, researcher: Client) -> None:
    alone = [each for each in RANKINGS if each.annotator == "Clara"]
    other = small_campaign(campaign.corpus, "alone", rankings=alone)
    result: MetricsAgainstPeople = result_of(METRICS_PEOPLE, other, FEW)
    assert result.ceiling.pearson.reason == ALONE
    page = researcher.get(f"/campaigns/{other.uuid}/metrics/{QUERY}").content.decode()
    assert ALONE in page.partition("Missing values")[2]
    rows = rows_of(researcher, other, f"metrics-people/systems.csv{QUERY}")
    assert CEILING not in [row["metric"] for row in rows]
