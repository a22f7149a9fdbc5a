"""`manage.py rank` on exported scores of a campaign."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.inputs import judgments
from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.runs.computing import computed
from annotate.judgments.queries import snapshot
from annotate.models import Campaign
from core.progress import NoProgress
from tests.analysis.judgment_files import write_judgments
from tests.annotate import protocols
from tests.annotate.running import answer_all, cast, running

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scores(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Each of three sentences scored by both annotators."""
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running(items=3, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    file = tmp_path / "campaign.csv"
    call_command("export_judgments", campaign.name, "--format", "csv", "--output", str(file), "--names")
    return str(file)


def as_json(capsys: Capture, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    call_command("rank", *arguments, "--json")
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_scores_are_ranked_by_their_means(scores: str, capsys: Capture) -> None:
    result = as_json(capsys, scores, "--source", "INPUT")
    assert (result["method"], result["unit"], result["judgments"]) == ("mean", "sentence", 6)
    assert result["signature"].startswith("mean|scores:raw|unit:sentence|")
    for system in result["systems"]:
        assert system["score_low"] <= system["score"] <= system["score_high"]
    assert result["scoring"]["split_half"]["group_size"] == 1
    changes = {change["system"]: change for change in result["scoring"]["changes"]}
    assert changes["INPUT"]["unchanged"] == 1
    assert changes["Alder"]["unchanged"] == 0


def test_page_and_command_give_the_same(scores: str, capsys: Capture) -> None:
    frame = snapshot(Campaign.objects.get())
    parameters = RANKING.resolved(RankingParameters(), scored=True)
    ranked = computed(RANKING, judgments(frame, RANKING.columns), parameters, NoProgress(), {}).standings
    told = as_json(capsys, scores)["systems"]
    assert [(row["name"], row["score"]) for row in told] == [
        (row.system, row.score) for row in ranked.systems
    ]


@pytest.mark.any_database
def test_a_table_has_intervals_and_what_else_scores_tell(scores: str, capsys: Capture) -> None:
    capsys.readouterr()
    call_command("rank", scores, "--unit", "judge", "--z-scores")
    text = " ".join(capsys.readouterr().out.split())
    assert "Mean z-score over 6 judgments" in text
    for part in ("split halves, Pearson, outputs", "ICC of one score", "No share of unchanged sentences"):
        assert part in text


@pytest.mark.any_database
def test_pairs_tie_within_a_width(scores: str, capsys: Capture) -> None:
    ties = [
        as_json(capsys, scores, "--method", "ew", "--tie-width", width)["pairs"]["unexpanded_ties"]
        for width in ("0", "10", "100")
    ]
    assert ties == sorted(set(ties))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--unit", "pair"), "resampled by sentence or judge, not by pair"),
        (("--tie-width", "-1"), "tie-width should be at least 0, not -1"),
        (("--tie-width", "nan"), "tie-width should be a number, not nan"),
        (("--bootstrap", "2"), "2 replicates are too few"),
    ],
)
def test_options_that_scores_do_not_allow_are_refused(
    scores: str, options: tuple[str, ...], cause: str
) -> None:
    with pytest.raises(CommandError, match=cause):
        call_command("rank", scores, *options)


@pytest.mark.parametrize("options", [("--method", "mean"), ("--tie-width", "5"), ("--z-scores",)])
def test_options_that_rankings_do_not_allow_are_refused(tmp_path: Path, options: tuple[str, ...]) -> None:
    file = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B"))
    with pytest.raises(CommandError, match="need scores, and these are rankings"):
        call_command("rank", file, *options)
