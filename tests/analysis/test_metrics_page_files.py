"""The tables and figures of metrics against people as files."""

import pytest
from django.test import Client

from annotate.models import Campaign
from tests.analysis.metric_pages import file_of, rows_of
from tests.analysis.scored_campaigns import METRICS, compared_campaign
from tests.annotate.samples import small_corpus

TESTS = ("williams", "bootstrap", "spa", "acc-eq")


@pytest.fixture
def campaign(db: None) -> Campaign:
    return compared_campaign(small_corpus())


@pytest.mark.any_database
def test_systems_have_correlations_and_the_signature_of_each_metric(
    researcher: Client, campaign: Campaign
) -> None:
    rows = rows_of(researcher, campaign, "metrics-people/systems.csv")
    assert {row["metric"] for row in rows} == set(METRICS)
    assert all(-1 <= float(row["pearson"]) <= 1 for row in rows)
    assert all(row["metric_signature"].startswith(row["metric"]) for row in rows)
    assert "chrF++ & " in file_of(researcher, campaign, "metrics-people/systems.tex").decode()


@pytest.mark.any_database
def test_sentences_have_counts_that_add_up(researcher: Client, campaign: Campaign) -> None:
    for row in rows_of(researcher, campaign, "metrics-people/sentences.csv"):
        ordered = sum(int(row[name]) for name in ("concordant", "discordant", "metric_ties"))
        assert float(row["accuracy"]) == pytest.approx(int(row["concordant"]) / ordered)
        assert row["signature"].startswith("metrics-people|")


@pytest.mark.any_database
def test_annotators_have_their_numbers_and_no_names(researcher: Client, campaign: Campaign) -> None:
    rows = rows_of(researcher, campaign, "metrics-people/annotators.csv")
    assert {row["metric"] for row in rows} == set(METRICS)
    assert [row["part"] for row in rows if row["metric"] == "gleu"] == ["Annotator 1", "Annotator 2"]
    assert "Annotator 1 &" in file_of(researcher, campaign, "metrics-people/annotators.tex").decode()
    domains = {row["part"] for row in rows_of(researcher, campaign, "metrics-people/domains.csv")}
    assert {"no domain", "private"} <= domains


@pytest.mark.any_database
@pytest.mark.parametrize("test", TESTS)
def test_p_values_stand_in_rows_or_in_a_matrix(researcher: Client, campaign: Campaign, test: str) -> None:
    rows = rows_of(researcher, campaign, f"metrics-people/{test}.csv")
    assert len(rows) == len(METRICS) * (len(METRICS) - 1)
    assert all(row["p"] != "" or row["reason"] for row in rows)
    assert all(float(row["p_holm"]) >= float(row["p"]) for row in rows if row["p"])
    latex = file_of(researcher, campaign, f"metrics-people/{test}.tex").decode()
    assert latex.count(" \\\\\n") == 1 + len(METRICS)
    assert latex.count("--") >= len(METRICS)


@pytest.mark.any_database
@pytest.mark.parametrize("name", ["agreement", "metric", "test-spa", "test-williams"])
def test_its_figures_name_what_they_show(researcher: Client, campaign: Campaign, name: str) -> None:
    address = f"metrics-people/{name}.svg?metric=gleu&theme=dark"
    figure = file_of(researcher, campaign, address).decode()
    assert "GLEU" in figure
    assert ("Alder" in figure) == (name == "metric")
