"""`analyse metrics-people`: on files, on a campaign with scores, and invalid inputs."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.metrics.against_people import human_scores_of_systems
from metrics.meta_evaluation import HumanScore
from tests.analysis.judgment_files import (
    DEMO,
    JUDGED_TEXTS,
    SYSTEMS,
    Capture,
    as_json,
    printed,
    write_judgments,
    write_orders,
    write_scores,
)
from tests.analysis.scored_campaigns import edited_campaign
from tests.annotate.scores.scoring import EDITED, scored

pytestmark = pytest.mark.any_database

PEOPLE = ("analyse", "metrics-people")
QUICK = ("--replicates", "50", "--permutations", "100")


@pytest.fixture
def judged(tmp_path: Path) -> str:
    """A over B over C over D, with a little noise, of sentences 1 to 12."""
    return write_orders(tmp_path, *["A > B > C > D", "A > C > B > D", "B > A > C > D", "A > B > D > C"] * 3)


def compared(capsys: Capture, *arguments: str) -> Any:
    return as_json(capsys, *PEOPLE, *arguments, *QUICK)


def test_files_need_no_database_and_give_what_the_issue_promised(capsys: Capture) -> None:
    told = compared(capsys, *JUDGED_TEXTS, "--metric", "gleu:iterations=5", "ld-source")
    assert (told["level"], told["human"]) == ("system", "ew")
    gleu, conservative = told["metrics"]["gleu:iterations=5"], told["metrics"]["ld-source"]
    for name in ("pearson", "spearman", "kendall"):
        assert gleu[name]["low"] <= gleu[name]["value"] <= gleu[name]["high"]
        assert conservative[name]["value"] < 0 < gleu[name]["value"]
    assert gleu["spa"]["value"] > 0.8
    assert (gleu["cluster"], conservative["cluster"]) == (1, 2)
    assert list(told["metrics"]) == ["gleu:iterations=5", "ld-source"]
    assert told["signature"].startswith("metrics-people|rule:5|human:ew|")
    assert gleu["signature"].startswith("gleu|")
    assert set(told["tests"]) == {"williams", "bootstrap", "spa", "acc*eq"}
    assert len(gleu["sentences"]["by_judge"]) > 3


def test_the_table_has_a_row_for_each_metric_and_says_what_is_missing(
    tmp_path: Path, capsys: Capture
) -> None:
    given = write_scores(tmp_path, *[f"given,{Path(system).name},1" for system in SYSTEMS])
    told = printed(capsys, *PEOPLE, *JUDGED_TEXTS, "--metric", "ld-source", "--scores", given, *QUICK)
    assert "the metric gives every system the same score" in told.replace("│ │ │ ", "")
    assert "2 metrics against ExpectedWins of 7 systems" in told
    assert "Signature metrics-people|" in told


def test_systems_are_left_out_by_role_and_by_name(capsys: Capture) -> None:
    asked = (*JUDGED_TEXTS, "--metric", "bleu", "--role", "INPUT=source", "--exclude-systems")
    told = compared(capsys, *asked, "Birch", "Cedar")
    assert "|without:Birch+Cedar+INPUT|" in told["signature"]
    assert "exclude-systems" not in told["signature"]
    assert set(told["systems"]) == {Path(system).name for system in SYSTEMS} - {"Birch", "Cedar", "INPUT"}
    assert told["left_out"] == []


def test_the_source_needs_no_output_file(capsys: Capture) -> None:
    arguments = [argument for argument in JUDGED_TEXTS if not argument.endswith("INPUT")]
    without = compared(capsys, *arguments, "--metric", "bleu")
    assert without["left_out"] == ["INPUT"]
    told = compared(capsys, *arguments, "--metric", "bleu", "--role", "INPUT=source", "--with-source")
    assert told["left_out"] == []
    assert told["metrics"]["bleu"]["scores"]["INPUT"] is not None


@pytest.mark.parametrize("human", ["trueskill", "bradley-terry", "mean"])
def test_people_are_scored_in_several_ways(human: str, capsys: Capture) -> None:
    told = compared(capsys, *JUDGED_TEXTS, "--metric", "bleu", "--human", human)
    assert told["human"] == human
    assert told["metrics"]["bleu"]["pearson"]["value"] > 0.9


@pytest.mark.parametrize(
    ("human", "scores"), [("ew", "ExpectedWins"), ("mean", "mean scores"), ("z", "mean z-scores")]
)
def test_human_scores_of_systems_in_words(human: str, scores: str) -> None:
    assert human_scores_of_systems(HumanScore(human)) == scores


def test_mean_scores_are_named_in_the_lead(capsys: Capture) -> None:
    told = printed(capsys, *PEOPLE, *JUDGED_TEXTS, "--metric", "bleu", "--human", "mean", *QUICK)
    assert "1 metric against mean scores of 7 systems" in told


def test_metrics_may_score_systems_by_comparing_sentences(capsys: Capture) -> None:
    told = compared(capsys, *JUDGED_TEXTS, "--metric", "bleu", "--systems-by", "trueskill")
    [(name, bleu)] = told["metrics"].items()
    assert name == "bleu, by trueskill"
    assert bleu["signature"].endswith("|by:trueskill")
    assert bleu["spearman"]["value"] > 0.9


def test_domains_stand_alone(capsys: Capture) -> None:
    told = compared(capsys, *JUDGED_TEXTS, "--metric", "bleu", "--domains", str(DEMO / "domains.txt"))
    parts = told["metrics"]["bleu"]["sentences"]["by_domain"]
    assert [part["part"] for part in parts] == ["email", "essay", "forum"]


def test_scores_computed_elsewhere_need_no_texts(judged: str, tmp_path: Path, capsys: Capture) -> None:
    rows = [
        f"lm,{system},{sentence},{score}"
        for system, score in (("A", 0.9), ("B", 0.7), ("C", 0.5), ("D", ""))
        for sentence in range(12)
    ]
    rows += [f"systems,{system},,{score}" for system, score in (("A", -1), ("B", -2), ("C", -4), ("D", -3))]
    given = write_scores(tmp_path, *rows, heading="metric,system,sentence,score")
    told = compared(capsys, judged, "--scores", given)
    systems, lm = told["metrics"]["systems"], told["metrics"]["lm"]
    assert systems["pearson"]["value"] > 0.5
    assert not systems["resampled"]
    assert systems["sentences"]["reason"] == "only scores of systems are known"
    assert lm["pearson"]["value"] is None
    assert "has no score of D" in lm["pearson"]["reason"]


def test_several_sets_of_judgments_are_taken_together(judged: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "more").mkdir()
    more = write_judgments(tmp_path / "more" / "judged.csv", ("anna", 1, "D > C > B > A"))
    given = write_scores(tmp_path, "m,A,4", "m,B,3", "m,C,2", "m,D,1")
    alone, both = (
        compared(capsys, judged, *further, "--scores", given) for further in ((), ("--judgments", more))
    )
    assert len(both["metrics"]["m"]["sentences"]["by_judge"]) == 0
    assert both["systems"]["D"] > alone["systems"]["D"]
    assert both["signature"] != alone["signature"]


def test_judgments_of_other_texts_are_refused(tmp_path: Path) -> None:
    """INPUT and Rowan were judged as one output of sentence 28."""
    other = tmp_path / "Rowan"
    other.write_text("".join(f"changed {line}\n" for line in (DEMO / "source.txt").read_text().splitlines()))
    outputs = [system for system in SYSTEMS if not system.endswith("Rowan")]
    with pytest.raises(CommandError, match=r"judged as one output of sentence .* their texts differ"):
        call_command(
            *PEOPLE, str(DEMO / "judgments.xml"), "--metric", "ld-source",
            "--source", str(DEMO / "source.txt"), "--output", *outputs, str(other),
        )  # fmt: skip


def test_systems_that_nobody_judged_have_nothing_to_compare(tmp_path: Path, judged: str) -> None:
    given = write_scores(tmp_path, "m,X,4", "m,Y,3")
    with pytest.raises(CommandError, match="judged: A, B, C, D; scored: X, Y"):
        call_command(*PEOPLE, judged, "--scores", given)


@pytest.mark.django_db
def test_a_campaign_is_compared_with_the_scores_of_its_corpus(capsys: Capture) -> None:
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source", "exact-match")
    told = compared(capsys, campaign.name)
    assert set(told["metrics"]) == {"ld-source", "exact-match"}
    assert told["judged_sentences"] == len(EDITED)
    assert set(told["systems"]) == {"Alder", "Birch", "Cedar"}
    again = compared(capsys, campaign.name, "--with-source")
    assert set(again["systems"]) == {"Alder", "Birch", "Cedar", "INPUT"}


@pytest.mark.django_db
def test_systems_of_a_campaign_are_left_out_by_name(capsys: Capture) -> None:
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source")
    told = compared(capsys, campaign.name, "--exclude-systems", "INPUT", "Birch")
    assert set(told["systems"]) == {"Alder", "Cedar"}
    assert "|without:Birch+INPUT|" in told["signature"]
    with pytest.raises(CommandError, match="no system Nobody to leave out; systems are: Alder, Birch"):
        call_command(*PEOPLE, campaign.name, "--exclude-systems", "Nobody")
