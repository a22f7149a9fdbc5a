"""`evaluate_metric`: the field's table of a new metric, on public judgments and on campaigns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.reproduction.public_data.gmeg_data import SYSTEMS
from annotate.models import Corpus
from ranking.machines.baselines import MOST_EDITS
from tests.analysis.scored_campaigns import edited_campaign, scored_campaign

FEW = ("--replicates", "100", "--permutations", "100")

Rows = Mapping[str, Mapping[str, Any]]


def rows(capsys: pytest.CaptureFixture[str], *arguments: object) -> Rows:
    """The rows of the table by metric."""
    call_command("evaluate_metric", *map(str, arguments), *FEW, "--json")
    return {row["metric"]: row for row in json.loads(capsys.readouterr().out)["metrics"]}


@pytest.fixture
def seeda(reference_data: Path) -> tuple[str, ...]:
    """Options for the base systems of SEEDA, with one more metric that takes no time."""
    return ("--data", str(reference_data), "--set", "seeda/base", "--against", "exact-match")


def test_the_figures_of_gec_metrics_on_seeda(
    seeda: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """As independent programs computed them: 6,114 pairs agree, 2,957 do not, and 310 are ties."""
    table = rows(capsys, *seeda, "--metric", "gleu-gec-metrics", "--ties", "seeda")
    gleu = table["gleu-gec-metrics"]
    assert (gleu["set"], gleu["is_new"], gleu["systems"]) == ("seeda/base", "yes", 12)
    assert (gleu["pairs"], gleu["ties"]) == (9381, 310)
    assert gleu["accuracy"] == pytest.approx(0.6715701950751519)
    assert gleu["r_ew_as_released"] == pytest.approx(0.8749437874)
    assert gleu["r_ts_as_released"] == pytest.approx(0.8856173179)
    assert gleu["rho_ew_as_released"] == pytest.approx(0.9090909)
    assert table[MOST_EDITS]["rho_ew_as_released"] == pytest.approx(0.816113, abs=1e-6)
    # What knows scores of systems only is compared by these alone.
    impara = table["IMPARA (released)"]
    assert impara["accuracy"] is None
    assert gleu["pearson_best_other"] == "IMPARA (released)"
    assert gleu["accuracy_best_other"] == MOST_EDITS
    assert gleu["accuracy_p"] < 0.05


def test_given_scores_are_those_of_the_set_that_has_the_systems(
    seeda: tuple[str, ...], reference_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Characters of the output, whose figures independent programs computed."""
    subset = reference_data / "seeda" / "outputs" / "subset"
    scores = tmp_path / "length.csv"
    lines = [
        f"length,{path.stem},{number},{len(text)}"
        for path in sorted(subset.glob("*.txt"))
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n")[:391])
    ]
    scores.write_text("\n".join(["metric,system,sentence,score", *lines]) + "\n")
    with pytest.raises(CommandError, match="There is no judgment set 'others'"):
        call_command("evaluate_metric", *seeda, "--scores", f"others={scores}")
    beta = scores.rename(tmp_path / "beta=1.csv")
    length = rows(capsys, *seeda, "--scores", f"seeda/base={beta}")["length"]
    assert rows(capsys, *seeda, "--scores", beta)["length"] == length
    assert length["r_ew_as_released"] == pytest.approx(0.453207615)
    assert length["rho_ts_as_released"] == pytest.approx(0.552447552)
    assert (length["accuracy"], length["ties"]) == (pytest.approx(0.539228, abs=1e-6), 923)


def test_public_sets_are_named_and_a_table_is_written(
    reference_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ("--data", str(reference_data))
    call_command("evaluate_metric", *data, "--list")
    named = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert {"seeda/base", "seeda/all", "gjg15", "gjg15/+INPUT", "gmeg/fce", "gmeg/wiki"} <= {*named}
    scores, latex = tmp_path / "mine.csv", tmp_path / "table.tex"
    scores.write_text("metric,system,score\nmine,amu,1\n")
    with pytest.raises(CommandError, match="scores the systems of no judgment set"):
        call_command("evaluate_metric", *data, "--scores", str(scores))
    rated = [f"mine,{system},{number}" for number, system in enumerate(SYSTEMS)]
    scores.write_text("\n".join(["metric,system,score", *rated, "two,amu,1", "two,nus,2"]) + "\n")
    with pytest.raises(CommandError, match=r"the systems of gmeg/fce, gmeg/wiki\. Write which one"):
        call_command("evaluate_metric", *data, "--set", "gmeg", "--scores", str(scores))
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("evaluate_metric", *data, "--metric", "gleu", "--latex", f"{tmp_path}/none/a.tex")
    options = ("--scores", f"gmeg/fce={scores}", "--against", "exact-match", "--latex", str(latex))
    call_command("evaluate_metric", *data, *options, *FEW)
    told = capsys.readouterr().out
    assert told.startswith("gmeg/fce: GMEG (Napoles et al. 2019)")
    assert "mine is behind " in told
    assert "two has no figures: " in told
    assert latex.read_text().count("gmeg/fce") == 4


@pytest.mark.django_db
def test_a_campaign_is_a_judgment_set_with_the_scores_of_its_corpus(
    corpus: Corpus, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    campaign = scored_campaign(corpus)
    table = rows(capsys, "--data", tmp_path, "--campaign", campaign.name, "--metric", "ter")
    assert {"ter", "gleu", "sari", "chrf", MOST_EDITS} <= table.keys()
    assert [name for name, row in table.items() if row["is_new"] == "yes"] == ["ter"]
    assert table["gleu"]["set"] == campaign.name


@pytest.mark.django_db
def test_what_cannot_be_compared_is_refused_with_a_reason(tmp_path: Path) -> None:
    empty = ("--data", str(tmp_path))
    for arguments, cause in [
        (("--metric", "gleu"), "There are no judgment sets: name a folder"),
        (("--metric", "gleu", "--campaign", "nobody"), "There is no campaign 'nobody'"),
        (("--metric", "gleu", "--campaign", edited_campaign().name), "has no metric scores yet"),
        (("--metric", "gleu", "--ties", "often"), "often"),
    ]:
        with pytest.raises(CommandError, match=cause):
            call_command("evaluate_metric", *empty, *arguments)


def test_unknown_sets_and_metrics_are_refused(seeda: tuple[str, ...], tmp_path: Path) -> None:
    _, data, *_ = seeda
    for arguments, cause in [
        (("--set", "seeda/base"), "Name the new metric"),
        (("--set", "seeda/edits", "--metric", "gleu"), "There is no judgment set 'seeda/edits'"),
        (("--set", "seeda/base", "--metric", "glue"), "there is no metric 'glue'"),
        (("--set", "seeda/base", "--scores", f"gjg15={tmp_path / 'a.csv'}"), "no such file"),
    ]:
        with pytest.raises(CommandError, match=cause):
            call_command("evaluate_metric", "--data", data, *arguments)
