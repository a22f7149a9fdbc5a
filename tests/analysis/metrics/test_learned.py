"""Training metrics on judgments: the command from files, the pages, and offering a trained metric."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.learned.gmeg_training import GmegParameters, TrainedGmeg
from analysis.analyses.metrics.learned.learned_gmeg import LEARNED_GMEG
from analysis.analyses.metrics.learned.learned_mterater import LEARNED_MTERATER
from analysis.analyses.metrics.learned.mterater_training import MteraterParameters, TrainedMterater
from annotate.models import AuditEntry, Campaign, ScoreSet
from metrics import METRICS
from metrics.learned import shelf
from metrics.learned.gmeg import LEARNED
from metrics.learned.saved import read_model
from tests.analysis.metrics.metric_pages import rows_of
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.samples import small_corpus
from tests.annotate.scores.scoring import edited_corpus, scored

QUICK_GMEG = GmegParameters(splits=2, folds=2, draws=1)
QUICK_MTERATER = MteraterParameters(folds=3, replicates=20)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """Learned metrics are offered from here."""
    shelf.set_up(tmp_path / "learned")
    yield tmp_path / "learned"
    shelf.set_up(None)


def train(
    kind: str, *options: str, metrics: Sequence[str] = ("gleu:iterations=5", "chrf", "imeasure")
) -> None:
    demo = Path("fixtures/demo")
    call_command(
        "train",
        kind,
        str(demo / "judgments.xml"),
        "--source",
        str(demo / "source.txt"),
        "--output",
        *(str(path) for path in sorted((demo / "systems").iterdir())),
        "--reference",
        str(demo / "reference-A.txt"),
        str(demo / "reference-B.txt"),
        "--metric",
        *metrics,
        *options,
    )


@pytest.mark.any_database
@pytest.mark.django_db
def test_gmeg_is_trained_from_files_saved_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "gmeg.json"
    options = ("--splits", "2", "--folds", "0", "--draws", "1", "--save", str(saved), "--offer")
    train("gmeg", *options, metrics=("gleu:iterations=5", "chrf", "imeasure", "errant"))
    shown = capsys.readouterr().out
    assert "GMEG-Metric" in shown
    model = read_model(saved)
    assert model.metrics == ("gleu:iterations=5", "chrf", "imeasure", "errant")
    assert len(model.features) == 23 + 47
    assert f"It is offered as {model.name}." in shown
    assert METRICS[model.name].label == model.label
    [entry] = AuditEntry.objects.all()
    assert str(entry) == f"command: offer-metric learned metric {model.label}"
    assert entry.details == {"campaign": "", "digest": model.digest}
    demo = Path("fixtures/demo")
    arguments = ("--source", str(demo / "source.txt"), "--reference", str(demo / "reference-A.txt"), "--json")
    output = ("--output", str(demo / "systems" / "Maple"), str(demo / "systems" / "Birch"))
    call_command("score", *arguments, *output, "--metric", f"learned:{saved}")
    [scores] = json.loads(capsys.readouterr().out).values()
    assert list(scores["systems"]) == ["Maple", "Birch"]
    assert model.digest in scores["signature"]
    assert "|pipeline:assay_en_ewt" in scores["signature"]


def test_mterater_is_trained_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "mterater.json"
    train("mterater", "--folds", "2", "--replicates", "10", "--json", "--save", str(saved))
    result = json.loads(capsys.readouterr().out)
    assert result["groups"] == ["metrics", "matching", "text", "checker", "document"]
    model = read_model(saved)
    assert model.checker.startswith("harper-py-")
    assert model.groups == ("metrics", "matching", "text", "checker")
    assert not [name for name in model.features if name.startswith("document")]
    taus = {each["metric"]: each for each in result["taus"]}
    assert taus["MTeRater-Plus"]["features"] == len(model.features) + 1 + len(model.rules)
    assert {"gleu", "chrf", "imeasure", "weighted accuracy", "MTeRater"} <= taus.keys()
    assert result["checker"]["second"] == "all without MTeRater"


def test_mterater_of_many_pairs_uses_sentences_drawn_by_the_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--folds", "2", "--replicates", "0", "--json")
    train("mterater", *options)
    whole = json.loads(capsys.readouterr().out)
    assert whole["not_drawn"] == 0
    monkeypatch.setattr("analysis.analyses.metrics.learned.mterater_training.MOST_PAIRS", 200)
    used = []
    for seed in ("1", "1", "2"):
        train("mterater", *options, "--seed", seed)
        result = json.loads(capsys.readouterr().out)
        assert 0 < result["sentences"] < whole["sentences"]
        assert result["sentences"] + result["not_drawn"] == whole["sentences"]
        assert result["model"]["card"]["sentences"] == result["sentences"]
        used.append(result["model"]["coefficients"])
    assert used[0] == used[1] != used[2]


def test_a_file_that_cannot_be_written_is_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder"):
        train("gmeg", "--save", str(tmp_path / "none" / "model.json"))


def test_training_that_is_impossible_is_explained(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("metric,system,score\nmine,Maple,1\nmine,Birch,0\nmine,Cedar,.5\n")
    with pytest.raises(CommandError, match="no metric was computed by Assay"):
        call_command("train", "gmeg", "fixtures/demo/judgments.xml", "--scores", str(scores))
    with pytest.raises(CommandError, match="nothing gives features"):
        call_command("train", "mterater", "fixtures/demo/judgments.xml", "--scores", str(scores))
    with pytest.raises(CommandError, match="is not the address of a server"):
        train("mterater", "--checker", "not-an-address")


def test_a_checker_that_does_not_answer_leaves_no_model(tmp_path: Path) -> None:
    with socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(CommandError, match=r"does not answer: .*Is the LanguageTool server running there"):
        train("mterater", "--checker", address, "--save", str(tmp_path / "model.json"), "--offer")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def campaign(db: None) -> Campaign:
    corpus = edited_corpus()
    scored(corpus, "gleu", "chrf", "imeasure", "bleu")
    return edited_campaign(corpus)


def first_row(page: str) -> str:
    """The heading of the first row of a page's first table."""
    return page.partition('<th scope="row"><span class="unbroken">')[2]


@pytest.mark.any_database
def test_the_pages_show_training_card_and_coefficients(researcher: Client, campaign: Campaign) -> None:
    gmeg: TrainedGmeg = result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    page = shown(researcher, campaign, "learned-gmeg", "splits=2&folds=2&draws=1")
    assert first_row(page).startswith("GMEG-Metric")
    ours = next(each for each in gmeg.held_out if each.metric == LEARNED)
    assert f"r of {LEARNED} is {ours.pearson.low:.2f} to {ours.pearson.high:.2f} over 2 splits." in page
    assert "Lowest to highest split" in page
    assert gmeg.model.card.data_digest in page
    assert "Leaving out a system" in page
    mterater: TrainedMterater = result_of(LEARNED_MTERATER, campaign, QUICK_MTERATER)
    page = shown(researcher, campaign, "learned-mterater", "folds=3&replicates=20")
    assert mterater.model.digest in page
    assert "McNemar" in page
    best = max(mterater.taus, key=lambda each: each.pairs.value or 0.0)
    first = page.partition('<th scope="row">')[2].partition("</th>")[0]
    assert title_of_metric(best.metric) in re.sub("<[^>]+>", "", first)
    rows = rows_of(researcher, campaign, "learned-mterater/comparisons.csv?folds=3&replicates=20")
    assert [row["first_only"] for row in rows] == [
        str(each.mcnemar.first_only) for each in mterater.comparisons
    ]


def test_the_page_says_that_sentences_were_drawn(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.analyses.metrics.learned.mterater_training.MOST_PAIRS", 4)
    drawn: TrainedMterater = result_of(LEARNED_MTERATER, campaign, replace(QUICK_MTERATER, folds=2))
    assert (drawn.sentences, drawn.not_drawn) == (2, 1)
    page = shown(researcher, campaign, "learned-mterater", "folds=2&replicates=20")
    assert "of 2 sentences, drawn at random from 3 judged ones" in " ".join(page.split())


def test_a_trained_metric_is_downloaded_offered_scores_a_corpus_and_is_withdrawn(
    researcher: Client, campaign: Campaign
) -> None:
    result: TrainedGmeg = result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    base, query = f"/campaigns/{campaign.uuid}/metrics/learned/learned-gmeg", "?splits=2&folds=2&draws=1"
    name = result.model.name
    downloaded = researcher.get(f"{base}/model.json{query}")
    assert json.loads(downloaded.content)["digest"] == result.model.digest
    figure = researcher.get(f"/campaigns/{campaign.uuid}/analyses/learned-gmeg/coefficients.svg{query}")
    assert b"<svg" in figure.content
    answer = researcher.post(f"{base}/offer/{query}", follow=True)
    assert "is offered as a metric" in answer.content.decode()
    assert name in METRICS
    corpus = small_corpus("another")
    scored(corpus, name)
    [score_set] = ScoreSet.objects.filter(corpus=corpus)
    assert result.model.digest in score_set.signature
    assert score_set.system_scores.exclude(value=None).count() == corpus.systems.count()
    answer = researcher.post(f"{base}/withdraw/{query}", {"metric": name}, follow=True)
    assert "is no longer offered" in answer.content.decode()
    assert name not in METRICS
    assert ScoreSet.objects.filter(corpus=corpus).exists()


def test_offering_and_withdrawing_are_in_the_audit_log_once(researcher: Client, campaign: Campaign) -> None:
    model = result_of(LEARNED_GMEG, campaign, QUICK_GMEG).model
    base, query = f"/campaigns/{campaign.uuid}/metrics/learned/learned-gmeg", "?splits=2&folds=2&draws=1"
    for _ in range(2):
        researcher.post(f"{base}/offer/{query}")
    for _ in range(2):
        researcher.post(f"{base}/withdraw/{query}", {"metric": model.name})
    offered, withdrawn = AuditEntry.objects.order_by("pk")
    assert [each.action for each in (offered, withdrawn)] == ["offer-metric", "withdraw-metric"]
    assert {(each.who, each.kind, each.name) for each in (offered, withdrawn)} == {
        ("the-researcher", "learned metric", model.label)
    }
    assert offered.details == {"campaign": campaign.name, "digest": model.digest}


def test_a_metric_that_cannot_be_offered_is_not_in_the_audit_log(
    researcher: Client, campaign: Campaign, folder: Path
) -> None:
    result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    folder.write_text("a file where the folder should be")
    base, query = f"/campaigns/{campaign.uuid}/metrics/learned/learned-gmeg", "?splits=2&folds=2&draws=1"
    answer = researcher.post(f"{base}/offer/{query}", follow=True)
    assert "cannot be offered" in answer.content.decode()
    assert not AuditEntry.objects.exists()


def test_a_metric_of_earlier_judgments_can_be_withdrawn_on_any_page_of_learned_metrics(
    researcher: Client, campaign: Campaign
) -> None:
    earlier = result_of(LEARNED_GMEG, campaign, replace(QUICK_GMEG, alpha=0.5)).model
    shelf.offer(earlier)
    result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    page = shown(researcher, campaign, "learned-gmeg", "splits=2&folds=2&draws=1")
    assert f"Withdraw {earlier.label}" in page
    assert "Offer as a metric" in page
    url = f"/campaigns/{campaign.uuid}/metrics/learned/learned-gmeg/withdraw/?splits=2&folds=2&draws=1"
    answer = researcher.post(url, {"metric": earlier.name}, follow=True)
    assert f"{earlier.label} is no longer offered" in answer.content.decode()
    assert earlier.name not in METRICS
    answer = researcher.post(url, {"metric": "gleu"}, follow=True)
    assert "This metric is not offered" in answer.content.decode()


@pytest.mark.any_database
@pytest.mark.parametrize("analysis", ["learned-gmeg", "hybrids"])
def test_there_is_no_model_before_training(researcher: Client, campaign: Campaign, analysis: str) -> None:
    address = f"/campaigns/{campaign.uuid}/metrics/learned/{analysis}/model.json"
    assert researcher.get(address).status_code == 404


def test_a_stored_result_keeps_its_model(campaign: Campaign) -> None:
    first: Any = result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    again: Any = result_of(LEARNED_GMEG, campaign, QUICK_GMEG)
    assert again.model == first.model


def shown(client: Client, campaign: Campaign, analysis: str, query: str) -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/analyses/{analysis}/?{query}")
    assert response.status_code == 200
    page = response.content.decode()
    assert ">nan" not in page.lower()
    return page
