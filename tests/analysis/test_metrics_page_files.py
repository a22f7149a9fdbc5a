"""The tables of metrics against people as CSV and LaTeX."""

import csv
import io

import pytest
from django.test import Client

from analysis.models import Run
from annotate.models import Campaign
from tests.analysis.scored_campaigns import METRICS, compared_campaign
from tests.annotate.samples import small_corpus

TESTS = ("williams", "bootstrap", "spa", "acc*eq")


@pytest.fixture
def campaign(db: None) -> Campaign:
    return compared_campaign(small_corpus())


def file_of(client: Client, campaign: Campaign, file: str, **stated: str) -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/table.{file}", stated)
    assert response.status_code == 200
    return b"".join(response).decode()


def rows_of(client: Client, campaign: Campaign, **stated: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file_of(client, campaign, "csv", **stated))))


@pytest.mark.any_database
def test_sentences_have_counts_that_add_up(researcher: Client, campaign: Campaign) -> None:
    for row in rows_of(researcher, campaign, table="sentences"):
        ordered = sum(int(row[name]) for name in ("concordant", "discordant", "metric_ties"))
        assert float(row["accuracy"]) == pytest.approx(int(row["concordant"]) / ordered)
        assert row["signature"].startswith("metrics-people|")


@pytest.mark.any_database
def test_annotators_have_their_numbers_and_no_names(researcher: Client, campaign: Campaign) -> None:
    rows = rows_of(researcher, campaign, table="annotators")
    assert {row["metric"] for row in rows} == set(METRICS)
    assert all(row["part"].startswith("Annotator ") for row in rows)
    assert "Annotator 1 &" in file_of(researcher, campaign, "tex", table="annotators")
    domains = {row["part"] for row in rows_of(researcher, campaign, table="domains")}
    assert {"no domain", "private"} <= domains


@pytest.mark.any_database
@pytest.mark.parametrize("test", TESTS)
def test_p_values_stand_in_rows_or_in_a_matrix(researcher: Client, campaign: Campaign, test: str) -> None:
    rows = rows_of(researcher, campaign, table=test)
    assert len(rows) == len(METRICS) * (len(METRICS) - 1)
    assert all(row["p"] != "" or row["reason"] for row in rows)
    assert all(float(row["p_holm"]) >= float(row["p"]) for row in rows if row["p"])
    latex = file_of(researcher, campaign, "tex", table=test)
    assert latex.count(" \\\\\n") == 1 + len(METRICS)
    assert latex.count("--") >= len(METRICS)


@pytest.mark.any_database
def test_a_table_that_there_is_not_is_not_found(researcher: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.uuid}/metrics/table.csv"
    assert researcher.get(address, {"table": "nothing"}).status_code == 404


@pytest.mark.any_database
def test_tables_are_downloaded_under_their_names(researcher: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.uuid}/metrics/table.csv"
    for table, name in (("spa", "spa"), ("acc*eq", "acc-eq"), ("sentences", "sentences")):
        disposition = researcher.get(address, {"table": table})["Content-Disposition"]
        assert disposition == f'attachment; filename="metrics-against-people-{name}.csv"'
    assert Run.objects.count() == 1
