"""`analyse metrics-people`: on files, on a campaign with scores, and invalid inputs."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics_people_result import MetricsAgainstPeople
from analysis.runs.computing import computed
from analysis.runs.results import from_json, to_json
from analysis.runs.sources import source_of
from core.progress import NoProgress
from metrics.validation import HumanScore
from tests.analysis.judgment_files import write_judgments
from tests.analysis.scored_campaigns import edited_campaign
from tests.annotate.scores.scoring import EDITED, scored

Capture = pytest.CaptureFixture[str]

DEMO = Path("fixtures/demo")
SYSTEMS = sorted(map(str, (DEMO / "systems").iterdir()))
TEXTS = ("--source", str(DEMO / "source.txt"), "--output", *SYSTEMS)
QUICK = ("--replicates", "50", "--permutations", "100")


def as_json(capsys: Capture, *arguments: str) -> Any:
    call_command("analyse", "metrics-people", *arguments, *QUICK, "--json")
    printed = capsys.readouterr().out
    assert "NaN" not in printed
    return json.loads(printed)


@pytest.fixture(scope="module")
def demo() -> tuple[str, ...]:
    return (str(DEMO / "judgments.xml"), *TEXTS, "--m2", str(DEMO / "references.m2"))


@pytest.fixture
def judged(tmp_path: Path) -> str:
    """A over B over C over D, with a little noise, of sentences 1 to 12."""
    orders = ["A > B > C > D", "A > C > B > D", "B > A > C > D", "A > B > D > C"] * 3
    return write_judgments(
        tmp_path / "judged.csv", *[("anna", number, order) for number, order in enumerate(orders, start=1)]
    )


def scores_file(folder: Path, *rows: str, heading: str = "metric,system,score") -> str:
    path = folder / "scores.csv"
    path.write_text("\n".join([heading, *rows]) + "\n")
    return str(path)


def test_files_need_no_database_and_give_what_the_issue_promised(demo: Any, capsys: Capture) -> None:
    told = as_json(capsys, *demo, "--metric", "gleu:iterations=5", "ld-source")
    assert (told["level"], told["human"]) == ("system", "ew")
    gleu, conservative = told["metrics"]["gleu:iterations=5"], told["metrics"]["ld-source"]
    for name in ("pearson", "spearman", "kendall"):
        assert gleu[name]["low"] <= gleu[name]["value"] <= gleu[name]["high"]
        assert conservative[name]["value"] < 0 < gleu[name]["value"]
    assert gleu["spa"]["value"] > 0.8
    assert (gleu["cluster"], conservative["cluster"]) == (1, 2)
    assert list(told["metrics"]) == ["gleu:iterations=5", "ld-source"]
    assert told["signature"].startswith("metrics-people|rule:4|human:ew|")
    assert gleu["signature"].startswith("gleu|")
    assert set(told["tests"]) == {"williams", "bootstrap", "spa", "acc*eq"}
    assert len(gleu["sentences"]["by_judge"]) > 3


def test_the_table_has_a_row_for_each_metric_and_says_what_is_missing(
    demo: Any, tmp_path: Path, capsys: Capture
) -> None:
    given = scores_file(tmp_path, *[f"given,{Path(system).name},1" for system in SYSTEMS])
    call_command("analyse", "metrics-people", *demo, "--metric", "ld-source", "--scores", given, *QUICK)
    told = " ".join(capsys.readouterr().out.split())
    assert "the metric gives every system the same score" in told.replace("│ │ │ ", "")
    assert "2 metrics against ExpectedWins of 7 systems" in told
    assert "Signature metrics-people|" in told


def test_systems_are_left_out_by_role_and_by_name(demo: Any, capsys: Capture) -> None:
    told = as_json(
        capsys, *demo, "--metric", "bleu", "--role", "INPUT=source", "--without-source",
        "--exclude-systems", "Birch", "Cedar",
    )  # fmt: skip
    assert "|without:Birch+Cedar+INPUT|" in told["signature"]
    assert "exclude-systems" not in told["signature"]
    assert set(told["systems"]) == {Path(system).name for system in SYSTEMS} - {"Birch", "Cedar", "INPUT"}
    assert told["left_out"] == []


def test_the_source_needs_no_output_file(demo: Any, capsys: Capture) -> None:
    arguments = [argument for argument in demo if not argument.endswith("INPUT")]
    without = as_json(capsys, *arguments, "--metric", "bleu")
    assert without["left_out"] == ["INPUT"]
    told = as_json(capsys, *arguments, "--metric", "bleu", "--role", "INPUT=source")
    assert told["left_out"] == []
    assert told["metrics"]["bleu"]["scores"]["INPUT"] is not None


@pytest.mark.parametrize("human", ["trueskill", "bradley-terry", "mean"])
def test_people_are_scored_in_several_ways(demo: Any, human: str, capsys: Capture) -> None:
    told = as_json(capsys, *demo, "--metric", "bleu", "--human", human)
    assert told["human"] == human
    assert told["metrics"]["bleu"]["pearson"]["value"] > 0.9


def test_metrics_may_score_systems_by_comparing_sentences(demo: Any, capsys: Capture) -> None:
    told = as_json(capsys, *demo, "--metric", "bleu", "--systems-by", "trueskill")
    [(name, bleu)] = told["metrics"].items()
    assert name == "bleu, by trueskill"
    assert bleu["signature"].endswith("|by:trueskill")
    assert bleu["spearman"]["value"] > 0.9


def test_domains_stand_alone(demo: Any, capsys: Capture) -> None:
    told = as_json(capsys, *demo, "--metric", "bleu", "--domains", str(DEMO / "domains.txt"))
    parts = told["metrics"]["bleu"]["sentences"]["by_domain"]
    assert [part["part"] for part in parts] == ["email", "essay", "forum"]


def test_scores_computed_elsewhere_need_no_texts(judged: str, tmp_path: Path, capsys: Capture) -> None:
    rows = [
        f"lm,{system},{sentence},{score}"
        for system, score in (("A", 0.9), ("B", 0.7), ("C", 0.5), ("D", ""))
        for sentence in range(12)
    ]
    rows += [f"systems,{system},,{score}" for system, score in (("A", -1), ("B", -2), ("C", -4), ("D", -3))]
    given = scores_file(tmp_path, *rows, heading="metric,system,sentence,score")
    told = as_json(capsys, judged, "--scores", given)
    systems, lm = told["metrics"]["systems"], told["metrics"]["lm"]
    assert systems["pearson"]["value"] > 0.5
    assert not systems["resampled"]
    assert systems["sentences"]["reason"] == "only scores of systems are known"
    assert lm["pearson"]["value"] is None
    assert "has no score of D" in lm["pearson"]["reason"]


def test_several_sets_of_judgments_are_taken_together(judged: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "more").mkdir()
    more = write_judgments(tmp_path / "more" / "judged.csv", ("anna", 1, "D > C > B > A"))
    given = scores_file(tmp_path, "m,A,4", "m,B,3", "m,C,2", "m,D,1")
    alone, both = (
        as_json(capsys, judged, *further, "--scores", given) for further in ((), ("--judgments", more))
    )
    assert len(both["metrics"]["m"]["sentences"]["by_judge"]) == 0
    assert both["systems"]["D"] > alone["systems"]["D"]
    assert both["signature"] != alone["signature"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "there are no metrics: give --metric with --source and --output, or --scores"),
        (("--metric", "bleu"), "--output and --metric need --source"),
        ((*TEXTS, "--metric", "bleu"), "bleu needs references"),
        ((*TEXTS, "--metric", "blue"), "blue"),
        ((*TEXTS, SYSTEMS[0], "--metric", "ld-source"), "two files have the same name"),
        (
            (*TEXTS, "--metric", "ld-source", "--exclude-systems", "Nobody"),
            "no system Nobody to leave out; systems are: Alder, Birch",
        ),
        ((*TEXTS, "--metric", "ld-source", "--human", "z"), "z-scores and tie widths need scores"),
        (
            (*TEXTS, "--metric", "ld-source", "--first-sentence", "1"),
            "judged as one output of sentence .*--first-sentence",
        ),
    ],
)
def test_impossible_parameters_are_reported(arguments: tuple[str, ...], fault: str) -> None:
    with pytest.raises(CommandError, match=fault):
        call_command("analyse", "metrics-people", str(DEMO / "judgments.xml"), *arguments, *QUICK)


def test_judgments_of_other_texts_are_refused(tmp_path: Path) -> None:
    """INPUT and Rowan were judged as one output of sentence 28."""
    other = tmp_path / "Rowan"
    other.write_text("".join(f"changed {line}\n" for line in (DEMO / "source.txt").read_text().splitlines()))
    outputs = [system for system in SYSTEMS if not system.endswith("Rowan")]
    with pytest.raises(CommandError, match=r"judged as one output of sentence .* their texts differ"):
        call_command(
            "analyse", "metrics-people", str(DEMO / "judgments.xml"), "--metric", "ld-source",
            "--source", str(DEMO / "source.txt"), "--output", *outputs, str(other),
        )  # fmt: skip


def test_systems_that_nobody_judged_have_nothing_to_compare(tmp_path: Path, judged: str) -> None:
    given = scores_file(tmp_path, "m,X,4", "m,Y,3")
    with pytest.raises(CommandError, match="judged: A, B, C, D; scored: X, Y"):
        call_command("analyse", "metrics-people", judged, "--scores", given)


@pytest.mark.django_db
def test_a_campaign_is_compared_with_the_scores_of_its_corpus(capsys: Capture) -> None:
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source", "exact-match")
    told = as_json(capsys, campaign.name)
    assert set(told["metrics"]) == {"ld-source", "exact-match"}
    assert told["judged_sentences"] == len(EDITED)
    assert set(told["systems"]) == {"Alder", "Birch", "Cedar", "INPUT"}
    again = as_json(capsys, campaign.name, "--without-source")
    assert set(again["systems"]) == {"Alder", "Birch", "Cedar"}


@pytest.mark.django_db
def test_systems_of_a_campaign_are_left_out_by_name(capsys: Capture) -> None:
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source")
    told = as_json(capsys, campaign.name, "--exclude-systems", "INPUT", "Birch")
    assert set(told["systems"]) == {"Alder", "Cedar"}
    assert "|without:Birch+INPUT|" in told["signature"]
    with pytest.raises(CommandError, match="no system Nobody to leave out; systems are: Alder, Birch"):
        call_command("analyse", "metrics-people", campaign.name, "--exclude-systems", "Nobody")


@pytest.mark.django_db
def test_a_campaign_without_scores_says_what_to_do() -> None:
    campaign = edited_campaign()
    with pytest.raises(CommandError, match="has no metric scores yet"):
        call_command("analyse", "metrics-people", campaign.name)


def test_results_are_kept_as_json(demo: Any) -> None:
    parameters = METRICS_PEOPLE.parameters(replicates=20, permutations=100)
    options = {
        "role": [], "judgments": [], "first_sentence": None, "scores": [],
        "source": DEMO / "source.txt", "domains": None, "reference": [], "m2": [], "metric": ["ld-source"],
        "output": [(Path(system).name, Path(system)) for system in SYSTEMS],
    }  # fmt: skip
    asked = source_of(METRICS_PEOPLE).of_file(DEMO / "judgments.xml", METRICS_PEOPLE, parameters, options)
    assert asked.parameters.human is HumanScore.EXPECTED_WINS
    result = computed(METRICS_PEOPLE, asked.inputs, asked.parameters, NoProgress(), {})
    assert to_json(from_json(MetricsAgainstPeople, to_json(result))) == to_json(result)
