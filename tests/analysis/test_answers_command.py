"""`manage.py answers`: what the page *Answers* says, about files and about campaigns."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.answers.metrics import WHICH_METRIC
from analysis.runs.answers_of_files import NO_SCORES
from annotate.models import Campaign
from tests.analysis.campaigns_of_edits import campaign_of_edits
from tests.analysis.judgment_files import JUDGED, Capture, as_json, printed, write_judgments, write_scores
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import small_corpus

SYSTEMS = "ABCDEF"
"""From the best down."""

SENTENCES = 60


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("answers", *arguments)
    return str(refused.value)


@pytest.fixture
def judged(tmp_path: Path) -> str:
    """Two annotators who agree on the order of five of six systems, but for neighbours in some sentences."""
    rankings = []
    for sentence in range(1, SENTENCES + 1):
        order = [*SYSTEMS.replace(SYSTEMS[sentence % len(SYSTEMS)], "")]
        place = sentence % 7
        if place < len(order) - 1:
            order[place : place + 2] = reversed(order[place : place + 2])
        rankings += [(judge, sentence, " > ".join(order)) for judge in ("anna", "ben")]
    return write_judgments(tmp_path / "judged.csv", *rankings)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    """A metric that scores as people do, and its opposite, by sentence."""
    rows = [
        f"{metric},{system},{sentence},{sign * (len(SYSTEMS) - place) + (sentence * 7 + place) % 3 / 4}"
        for metric, sign in (("good", 1), ("bad", -1))
        for place, system in enumerate(SYSTEMS)
        for sentence in range(SENTENCES)
    ]
    return write_scores(tmp_path, *rows, heading="metric,system,sentence,score")


def test_a_file_of_judgments_and_scores_gives_all_answers(judged: str, scores: str, capsys: Capture) -> None:
    told = as_json(capsys, "answers", judged, "--scores", scores)
    assert list(told) == ["systems", "metrics", "enough", "judgments"]
    assert [each["name"] for each in told["systems"]["ranking"]] == [*SYSTEMS]
    assert told["metrics"]["recommended"] == ["good"]
    assert [*told["metrics"]["rejected"]] == ["bad"]
    assert told["metrics"]["reason"] is None
    assert (told["enough"]["pairs"], told["judgments"]["annotators"]) == (5, 2)
    assert told["judgments"]["kappa"] == pytest.approx(1.0)
    assert all(each["signatures"] for each in told.values())


def test_judgments_alone_say_that_no_scores_were_given(judged: str, capsys: Capture) -> None:
    told = as_json(capsys, "answers", judged)
    assert told["metrics"]["sentence"] == NO_SCORES
    assert (told["metrics"]["recommended"], told["metrics"]["rejected"]) == ([], {})
    text = printed(capsys, "answers", judged)
    assert f"{WHICH_METRIC} {NO_SCORES}" in text
    for each in told.values():
        for sentence in (each["sentence"], *each["further"]):
            assert sentence in text


def test_a_control_is_no_system(judged: str, capsys: Capture) -> None:
    told = as_json(capsys, "answers", judged, "--role", "F=control", "E=source")
    assert [each["name"] for each in told["systems"]["ranking"]] == [*SYSTEMS[:-1]]
    controls = told["judgments"]["controls"]
    assert 0 < told["judgments"]["controls_passed"] < controls < 2 * SENTENCES


def test_a_file_of_one_tie_has_answers_too(tmp_path: Path, capsys: Capture) -> None:
    told = as_json(capsys, "answers", write_judgments(tmp_path / "few.csv", ("anna", 1, "A = B")))
    assert told["systems"]["sentence"] == "No system can be ranked yet"
    assert told["enough"]["sentence"] == ("Not yet: the only pair of neighbouring systems is not settled.")
    assert told["judgments"]["kappa"] is None


def test_faults_name_the_file_and_the_line(judged: str, tmp_path: Path) -> None:
    missing = tmp_path / "none.csv"
    assert str(missing) in refusal(str(missing))
    wrong = write_scores(tmp_path, "good,A,high")
    assert refusal(judged, "--scores", wrong).startswith(f"{wrong}:2: ")
    other = write_scores(tmp_path, "good,Z,1", "good,Y,2")
    assert refusal(judged, "--scores", other) == (
        f"{judged}, {other}: no system was both judged and scored (judged: A, B, C, D, E, F; scored: Y, Z)"
    )
    assert "has no system G; systems are: A, B, C, D, E, F" in refusal(judged, "--role", "G=source")
    assert refusal() == "Give either FILE or --campaign NAME."
    assert refusal(judged, "--campaign", "pilot") == "Give either FILE or --campaign NAME."


@pytest.mark.django_db
def test_of_edits_agreement_is_that_on_edits(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "edits.jsonl"
    campaign = campaign_of_edits(small_corpus())
    call_command("export_judgments", campaign.name, "--format", "jsonl", "--output", str(file))
    told = as_json(capsys, "answers", str(file))
    of_edits = as_json(capsys, "analyse", "edits", str(file))
    assert told["judgments"]["kappa"] == of_edits["between"]["value"] is not None
    assert told["judgments"]["judgments"] == sum(
        of_edits["total"][name] for name in ("accepted", "rejected", "cannot_say")
    )
    assert [*told] == ["systems", "metrics", "enough", "judgments"]


@pytest.mark.django_db
def test_a_file_of_corrections_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "written.jsonl"
    campaign = correcting_campaign(small_corpus())
    call_command("export_judgments", campaign.name, "--format", "jsonl", "--output", str(file))
    assert refusal(str(file)).startswith(f"{file}: it holds corrections")


@pytest.mark.any_database
@pytest.mark.django_db
class TestCampaign:
    @pytest.fixture
    def campaign(self) -> Campaign:
        campaign = running("pilot", items=6, annotators_per_item=2, shared_percent=100)
        for annotator in cast(campaign):
            answer_all(annotator)
        return campaign

    def test_it_says_what_the_page_says(self, campaign: Campaign, admin: Client, capsys: Capture) -> None:
        told = as_json(capsys, "answers", "--campaign", campaign.name)
        shown = admin.get(f"/campaigns/{campaign.uuid}/answers/").context["answers"]
        assert shown.is_current
        assert {
            each.question.key: (each.answer.sentence, [*each.answer.further]) for each in shown.answered
        } == {key: (each["sentence"], each["further"]) for key, each in told.items()}
        assert told["metrics"]["sentence"].startswith("The corpus corpus of pilot has no metric scores yet.")

    def test_an_exported_file_gives_the_same_answers(
        self, campaign: Campaign, tmp_path: Path, capsys: Capture
    ) -> None:
        file = tmp_path / "pilot.jsonl"
        call_command("export_judgments", campaign.name, "--format", "jsonl", "--output", str(file))
        roles = [f"{system.name}={system.role}" for system in campaign.systems.exclude(role="system")]
        of_file = as_json(capsys, "answers", str(file), "--role", *roles)
        of_campaign = as_json(capsys, "answers", "--campaign", campaign.name)
        for key in ("systems", "enough", "judgments"):
            assert of_file[key]["sentence"] == of_campaign[key]["sentence"]
            assert of_file[key]["further"] == of_campaign[key]["further"]

    def test_campaigns_without_ranks_have_questions_of_their_own(self, capsys: Capture) -> None:
        corpus = small_corpus(language="de")
        told = as_json(capsys, "answers", "--campaign", correcting_campaign(corpus).name)
        assert [*told] == ["corrections", "coverage", "judgments"]
        told = as_json(capsys, "answers", "--campaign", judging_campaign(corpus).name)
        assert [*told] == ["outputs", "judgments"]

    def test_a_file_of_judgments_of_validity_has_them_too(self, tmp_path: Path, capsys: Capture) -> None:
        campaign = judging_campaign(small_corpus(language="de"))
        file = tmp_path / "valid.jsonl"
        call_command("export_judgments", campaign.name, "--format", "jsonl", "--output", str(file))
        of_file = as_json(capsys, "answers", str(file))
        of_campaign = as_json(capsys, "answers", "--campaign", campaign.name)
        assert [*of_file] == ["outputs", "judgments"]
        for key in of_file:
            assert of_file[key]["sentence"] == of_campaign[key]["sentence"]

    def test_a_campaign_without_judgments_says_so(self, capsys: Capture) -> None:
        told = as_json(capsys, "answers", "--campaign", running("empty", items=2).name)
        assert told["systems"]["sentence"] == "No system can be ranked yet"
        assert told["enough"]["sentence"] == "No two systems have been compared yet."

    def test_wrong_options_are_refused(self, campaign: Campaign) -> None:
        assert refusal("--campaign", "none") == "There is no campaign 'none'. Campaigns are: pilot."
        assert "for a FILE" in refusal("--campaign", campaign.name, "--metric", "gleu")


def test_the_demo_has_all_answers(capsys: Capture) -> None:
    told = as_json(capsys, "answers", JUDGED, "--role", "INPUT=source")
    assert told["systems"]["sentence"].startswith("Maple is ranked first; ")
    assert told["systems"]["first_place"] == {
        "above": "Maple",
        "below": "Hazel",
        "removed": 29,
        "judgments": 367,
    }
    assert (told["enough"]["settled"], told["enough"]["pairs"]) == (0, 6)
    assert round(told["judgments"]["kappa"], 2) == 0.34


def test_what_is_said_about_gjg15(reference_data: Path, tmp_path: Path, capsys: Capture) -> None:
    """The released scores of four metrics, which are of systems alone."""
    released = {
        metric: (reference_data / "gjg15" / "metric-scores" / f"scores.{metric}").read_text().splitlines()
        for metric in ("bleu", "iwacc", "m2", "meteor")
    }
    rows = [f"{metric},{','.join(line.split()[:2])}" for metric, lines in released.items() for line in lines]
    judged = str(reference_data / "gjg15" / "judgments.xml")
    scores = write_scores(tmp_path, *rows)
    told = as_json(capsys, "answers", judged, "--scores", scores, "--role", "INPUT=source")
    assert told["systems"]["sentence"].startswith("AMU is ranked first; ten ")
    assert told["metrics"]["sentence"] == "No metric is recommended: no metric has scores of sentences."
    assert told["enough"]["sentence"].startswith("Not yet: 1 of 12 pairs")
    assert told["judgments"]["sentence"].startswith("Annotators agree fairly (κ 0.29")
