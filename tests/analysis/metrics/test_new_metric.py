"""A new metric beside known ones: the analysis of a campaign, and the page over several judgment sets."""

import csv
import io
import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from analysis.analyses.metrics.new_metric.analysis import NEW_METRIC
from analysis.analyses.metrics.new_metric.compared import NewMetricParameters
from analysis.models import Run
from analysis.runs.requests import request_of
from annotate.models import Campaign, Corpus, ScoreSet
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.queueing import jobs_of
from annotate.scores.tokens import tokens_of
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed
from core.wording import p_is
from jobs.models import Job
from jobs.worker import run_queued_jobs
from ranking.machines.baselines import MOST_EDITS
from tests.analysis.scored_campaigns import METRICS, edited_campaign, result_of, upload_scores
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import edited_corpus, scored

ADDRESS = "/evaluate-metric/"
FEW = {"replicates": 100, "permutations": 100}
HEADING = "metric,system,sentence,score"


def scores_of(corpus: Corpus) -> str:
    """A file of scores: the characters of each output."""
    outputs = corpus_outputs(corpus)
    texts = tokens_of(corpus, outputs)
    rows = [
        f"mine,{system},{sentence},{len(str(texts[output]))}"
        for system, (_, picks) in outputs.systems.items()
        for sentence, output in enumerate(picks.tolist())
    ]
    return "\n".join([HEADING, *rows]) + "\n"


@pytest.fixture
def campaign(db: None) -> Campaign:
    corpus = edited_corpus()
    scored(corpus, *METRICS)
    edited_campaign(corpus, "few")
    return edited_campaign(corpus)


def sent(client: Client, *campaigns: Campaign, scores: str = "", **fields: str) -> Any:
    """The response to the form."""
    data: dict[str, Any] = {"campaign": [str(each.uuid) for each in campaigns], "ties": "half", **fields}
    if scores:
        data["file"] = SimpleUploadedFile("mine.csv", scores.encode())
    return client.post(ADDRESS, data)


def faults(response: Any) -> str:
    assert response.status_code == 422
    return unescape(response.content.decode())


def file_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response)).decode()


def test_the_analysis_is_the_table_of_the_command(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = tmp_path / "mine.csv"
    scores.write_text(scores_of(campaign.corpus))
    options = ("--data", "", "--campaign", campaign.name, "--replicates", "100", "--permutations", "100")
    call_command("evaluate_metric", *options, "--scores", f"{campaign.name}={scores}", "--json")
    of_command = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["metrics"]}
    upload_scores(campaign.corpus, tmp_path, *scores.read_text().splitlines()[1:])
    result = result_of(NEW_METRIC, campaign, NewMetricParameters(**FEW))  # type: ignore[arg-type]
    assert [each.metric for each in result.new] == ["mine (uploaded)"]
    assert {MOST_EDITS, "gleu", "sari", "chrf"} <= {*result.available}
    for row in result.metrics:
        other = of_command[row.metric.removesuffix(" (uploaded)")]
        assert (row.pairs, row.ties) == (other["pairs"], other["ties"])
        assert (row.accuracy and row.accuracy.value) == other["accuracy"]
        assert row.agreement.pearson.value == other["pearson"]


def test_the_best_other_metric_is_marked_with_the_p_values_of_the_tests(campaign: Campaign) -> None:
    parameters = NewMetricParameters(of="gleu, chrf", **FEW)  # type: ignore[arg-type]
    result = result_of(NEW_METRIC, campaign, parameters)
    computed = Computed(parameters, result)
    rows = NEW_METRIC.filled_tables(computed, Naming("", {}, {}, {}))["drawn"].page().rows
    notes = {str(row[0].value): row[0].note for row in rows}
    assert (notes["gleu"], notes["chrf"]) == ("taken as new", "taken as new")
    for each in result.new:
        for figure, lead in each.leads.items():
            title = {"accuracy": "accuracy", "spa": "SPA", "pearson": "r"}[figure]
            assert f"by {title}, " in notes[lead.other]
            assert lead.p_value is None or p_is(lead.p_value) in notes[lead.other]
    assert sum(each.mark is not None and not each.mark.is_hollow for row in rows for each in row) == 2


def test_new_metrics_are_those_asked_for(campaign: Campaign) -> None:
    result = result_of(NEW_METRIC, campaign, NewMetricParameters(of="gleu, chrf", **FEW))  # type: ignore[arg-type]
    assert {each.metric for each in result.new} == {"gleu", "chrf"}
    assert not {lead.other for each in result.new for lead in each.leads.values()} & {"gleu", "chrf"}
    with pytest.raises(ParameterError, match="no scores by comet; there are: "):
        result_of(NEW_METRIC, campaign, NewMetricParameters(of="comet", **FEW))  # type: ignore[arg-type]


def test_a_file_of_scores_becomes_a_table_over_judgment_sets(researcher: Client, campaign: Campaign) -> None:
    few = Campaign.objects.get(name="few")
    response = sent(researcher, campaign, few, scores=scores_of(campaign.corpus), ties="errors")
    address = response["Location"]
    assert f"{ADDRESS}?metric=mine+%28uploaded%29&campaign={campaign.uuid}" in address
    [job] = Job.objects.all()
    waiting = researcher.get(address).content.decode()
    assert "has no scores by mine (uploaded) yet" in waiting
    assert f"/jobs/{job.uuid}/" in waiting
    run_queued_jobs()
    assert "<table" not in researcher.get(address).content.decode()
    assert Run.objects.count() == 2, "results of short analyses begin when they are looked at"
    run_queued_jobs()
    shown = unescape(researcher.get(address).content.decode())
    assert "ties of metrics count as errors" in shown
    assert shown.count("mine (uploaded) is ") == 2
    assert "Below the numbers are 95 % intervals." in shown
    alone = f"{ADDRESS}?metric=mine+%28uploaded%29&campaign={campaign.uuid}&ties=errors"
    of_one = unescape(researcher.get(alone).content.decode())
    assert re.search(r"<h1>mine \(uploaded\) .* the best other metric", of_one)
    assert "Accuracy by sentence with 95" in of_one
    assert "Best other" in of_one
    assert "Publish" not in shown
    query = address.partition("?")[2]
    rows = list(csv.DictReader(io.StringIO(file_of(researcher, f"{ADDRESS}table.csv?{query}"))))
    assert {row["set"] for row in rows} == {"judged", "few"}
    assert {row["metric"] for row in rows if row["is_new"] == "yes"} == {"mine (uploaded)"}
    assert all(row["signature"].startswith("new-metric|rule:") for row in rows)
    told = json.loads(researcher.get(f"{ADDRESS}table.json?{query}").content)
    assert len(told["rows"]) == len(rows)
    assert "mine (uploaded)" in file_of(researcher, f"{ADDRESS}table.tex?{query}")
    assert researcher.get(f"{ADDRESS}figure.svg?{query}&figure=spa").status_code == 200
    assert researcher.get(f"{ADDRESS}figure.svg?{query}&figure=beauty").status_code == 404


def test_a_metric_of_the_site_scores_what_it_has_not_scored(admin: Client, campaign: Campaign) -> None:
    address = sent(admin, campaign, metric="ter")["Location"]
    assert [job.parameters["metrics"] for job in jobs_of(campaign.corpus, "")] == [["ter"]]
    run_queued_jobs()
    admin.get(address)
    run_queued_jobs()
    shown = unescape(admin.get(address).content.decode())
    assert "TER is " in shown
    assert f"/campaigns/{campaign.uuid}/published/?analysis=new-metric&of=ter" in shown
    assert sent(admin, campaign, metric="ter")["Location"] == address
    assert Job.objects.filter(state="queued").count() == 0


def test_what_cannot_be_evaluated_is_refused_with_the_cause(researcher: Client, campaign: Campaign) -> None:
    scores = scores_of(campaign.corpus)
    wrong, unknown = f"{scores}mine,Cedar,9,high\n", f"{scores}mine,Poplar,0,1\n"
    line = scores.count("\n") + 1
    assert f"mine.csv:{line}: the score is not a finite number" in faults(
        sent(researcher, campaign, scores=wrong)
    )
    assert f"mine.csv:{line}: the corpus has no system 'Poplar'" in faults(
        sent(researcher, campaign, scores=unknown)
    )
    assert "Choose a judgment set." in faults(sent(researcher, scores=scores_of(campaign.corpus)))
    assert "Choose either a file or a metric." in faults(sent(researcher, campaign))
    assert "Choose either a file or a metric." in faults(
        sent(researcher, campaign, scores=scores_of(campaign.corpus), metric="gleu")
    )
    assert "there is no metric 'glue'" in faults(sent(researcher, campaign, metric="glue"))
    assert "there is no metric 'learned'" in faults(sent(researcher, campaign, metric="learned:/etc/passwd"))
    assert not Job.objects.exists()
    assert not ScoreSet.objects.filter(is_uploaded=True).exists()
    for query in ("metric=gleu&ties=often", f"metric=gleu&campaign={campaign.corpus.uuid}"):
        assert researcher.get(f"{ADDRESS}?{query}").status_code == 404


def test_a_file_is_stored_for_all_corpora_or_none(researcher: Client, campaign: Campaign) -> None:
    longer = small_campaign(small_corpus("long"), "elsewhere")
    last = campaign.corpus.sentences.count()
    assert longer.corpus.sentences.count() > last
    scores = f"{HEADING}\nmine,Alder,0,1\nmine,Alder,{last},1\n"
    fault = faults(sent(researcher, longer, campaign, scores=scores))
    assert f"mine.csv:3: edited: there is no sentence {last}" in fault
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["", "compute/", "figure.svg", "table.csv"])
def test_only_researchers_and_admins_evaluate_metrics(
    client: Client, annotator: Client, researcher: Client, admin: Client, campaign: Campaign, name: str
) -> None:
    result_of(NEW_METRIC, campaign, NewMetricParameters(of="gleu"))
    address = f"{ADDRESS}{name}?metric=gleu&campaign={campaign.uuid}"
    ask = "post" if name == "compute/" else "get"
    assert getattr(client, ask)(address)["Location"].startswith("/login/")
    assert getattr(annotator, ask)(address).status_code == 403
    for each in (researcher, admin):
        assert getattr(each, ask)(address).status_code == (302 if name == "compute/" else 200)


def test_the_page_of_a_campaign_offers_each_metric(researcher: Client, campaign: Campaign) -> None:
    result_of(NEW_METRIC, campaign)
    shown = unescape(researcher.get(f"/campaigns/{campaign.uuid}/analyses/new-metric/").content.decode())
    assert "the best other metric" in shown
    assert "?of=chrf" in shown
    assert shown.count("<table") == 2  # All measures are folded.
    assert request_of(NEW_METRIC, campaign, NewMetricParameters()).parameters.of is None
