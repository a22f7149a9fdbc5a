"""Machines, metrics and baselines as judges beside people, of files and of campaigns."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from analysis.analyses.annotators import comparing_judges
from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.annotators.judges_compared import (
    OWN_FAMILY,
    JudgeKind,
    MachineJudges,
    MachineJudgesParameters,
)
from analysis.analyses.annotators.machine_judges import MACHINE_JUDGES, methods
from analysis.analyses.annotators.machine_judges import lead as lead_of
from analysis.models import Run
from analysis.publishing.storing import zip_of
from analysis.publishing.verification import differences
from analysis.runs.requests import request_of
from analysis.runs.results import to_plain_json
from analysis.runs.sources import source_of, version_of
from annotate.models import Annotator, Campaign, Corpus, Judgment, Machine
from core.names import Naming
from core.progress import NoProgress
from core.results import Computed
from fixtures.make_demo import DEMO
from ranking.machines import ScreenPairs, compared_sentences, screen_pairs
from tests.analysis.machine_campaigns import corpus_for_machines
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.machine_judges import with_machine
from tests.annotate.references.answers import judging_campaign
from tests.annotate.samples import ranking, small_campaign, small_corpus
from tests.annotate.scores.scoring import edited_corpus

JUDGED = str(DEMO / "judgments.xml")
TEXTS = (
    *("--source", str(DEMO / "source.txt"), "--output"),
    *(str(path) for path in sorted((DEMO / "systems").iterdir())),
)
MACHINE = "Simulated machine (synthetic)"
FEW = MachineJudgesParameters(replicates=50)


def of_file(*options: str) -> Mapping[str, Any]:
    printed = StringIO()
    call_command(
        *("analyse", "machine-judges", JUDGED, "--role", "INPUT=source", "--replicates", "50", "--json"),
        *options,
        stdout=printed,
    )
    result: Mapping[str, Any] = json.loads(printed.getvalue())
    return result


def named(result: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next(judge for judge in result["judges"] if judge["name"] == name)


@pytest.fixture(scope="module")
def demo() -> Mapping[str, Any]:
    return of_file(*TEXTS, "--m2", str(DEMO / "references.m2"), "--metric", "gleu")


def test_a_machine_metrics_and_baselines_stand_beside_people(demo: Mapping[str, Any]) -> None:
    kinds = [(judge["kind"], judge["name"]) for judge in demo["judges"]]
    baselines = ["random", "always ties", "longest", "shortest", "source-likes", "most edits"]
    assert kinds == [("machine", MACHINE), ("metric", "gleu"), *(("baseline", each) for each in baselines)]
    assert demo["people"]["names"] == [f"sim-judge-{number}" for number in range(1, 8)]
    machine, random = named(demo, MACHINE), named(demo, "random")
    assert machine["kappa"]["value"] > 0.3 > 0.1 > random["kappa"]["value"]
    assert machine["test"]["advantage_probability"] > random["test"]["advantage_probability"]
    assert [each["is_beaten"] for each in machine["test"]["people"]][-1] is None, "the careless one"
    assert machine["systems"]["soft_accuracy"] > 0.9
    assert [each["feature"] for each in machine["preferences"]] == ["characters", "edits", "unchanged"]
    assert machine["consistency"]["other_order"]["n"] > 0
    assert next(each["group"] for each in machine["by_difficulty"]) == "same cluster"
    assert named(demo, "most edits")["consistency"] is None


def test_people_are_those_of_the_agreement_without_machines(demo: Mapping[str, Any]) -> None:
    printed = StringIO()
    call_command("analyse", "agreement", JUDGED, "--json", stdout=printed)
    agreement = json.loads(printed.getvalue())["agreement"]
    assert demo["people"]["kappa"] == agreement["inter_pooled"]


def test_without_texts_there_are_no_baselines() -> None:
    assert [judge["kind"] for judge in of_file()["judges"]] == ["machine"]


def test_epsilon_decides_and_its_curve_is_given(demo: Mapping[str, Any]) -> None:
    generous = named(of_file("--epsilon", "0.3"), MACHINE)
    assert generous["test"]["winning_rate"] == generous["winning_rates"][-1] == 1
    machine = named(demo, MACHINE)
    assert machine["test"]["winning_rate"] == machine["winning_rates"][3] < 0.5
    assert machine["winning_rates"] == sorted(machine["winning_rates"])


def test_a_test_by_scores_is_refused_for_rankings() -> None:
    with pytest.raises(CommandError, match="need scores, and these are rankings"):
        of_file("--tested-by", "scores")


@pytest.mark.django_db
@pytest.mark.any_database
def test_a_campaign_gives_the_numbers_of_its_file(demo: Mapping[str, Any]) -> None:
    systems = [(path.name, path) for path in sorted((DEMO / "systems").iterdir())]
    call_command(
        "import_corpus",
        "demo",
        language="en",
        source=DEMO / "source.txt",
        system=systems,
        role=[("INPUT", "source")],
    )
    call_command("import_judgments", "judged", DEMO / "judgments.xml", corpus="demo")
    campaign = Campaign.objects.get(name="judged")
    found = to_plain_json(result_of(MACHINE_JUDGES, campaign, FEW))
    expected = {judge["name"]: judge for judge in demo["judges"] if judge["kind"] != "metric"}
    expected["Machine 1 (synthetic)"] = expected.pop(MACHINE)
    assert {judge["name"] for judge in found["judges"]} == expected.keys()
    for judge in found["judges"]:
        for part in ("accuracy", "kappa", "alpha", "winning_rates", "systems", "preferences", "consistency"):
            assert judge[part] == expected[judge["name"]][part], (judge["name"], part)
        for part in ("winning_rate", "advantage_probability", "answered_share"):
            assert judge["test"][part] == pytest.approx(expected[judge["name"]]["test"][part])


CAST = ("anna", "ben", "cyd")


def judged_by(*people: str) -> Campaign:
    """Rankings of a sentence by these people, who agree."""
    order = "Cedar > Alder Birch > INPUT"
    return small_campaign(small_corpus(), rankings=[ranking(each, 0, order) for each in people])


@pytest.mark.django_db
@pytest.mark.any_database
class TestCampaigns:
    """Campaigns whose machine ranks the other way round."""

    def test_a_machine_that_disagrees_about_everything(self) -> None:
        campaign = judged_by(*CAST)
        with_machine(campaign)
        [machine] = machines_of(result_of(MACHINE_JUDGES, campaign, FEW))
        assert machine.name == "Machine 1 (gpt-4o 2024-08-06)"
        assert (machine.accuracy.machine.value, machine.accuracy.people.value) == (0, 1)
        assert machine.test.winning_rate is None
        assert "the test needs 3" in (machine.test.reason or "")

    def test_pairs_are_made_for_one_machine_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        campaign = judged_by(*CAST)
        machines = [with_machine(campaign, name) for name in ("gpt", "llama", "gemma")]
        judges: list[int] = []

        def counted(snapshot: pd.DataFrame, *arguments: Any) -> ScreenPairs:
            judges.append(snapshot["annotator"].nunique())
            return screen_pairs(snapshot, *arguments)

        monkeypatch.setattr(comparing_judges, "screen_pairs", counted)
        assert len(machines_of(result_of(MACHINE_JUDGES, campaign, FEW))) == len(machines)
        assert judges == [len(CAST), 1, 1, 1]

    def test_pairs_of_a_machine_are_made_for_some_sentences_at_a_time(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        orders = ("Cedar > Alder > Birch", "Alder > Cedar = Birch", "Birch > Alder > Cedar")
        asked = [ranking(each, place, order) for each in CAST for place, order in enumerate(orders)]
        campaign = small_campaign(corpus_for_machines(len(orders)), rankings=asked)
        with_machine(campaign)
        whole = result_of(MACHINE_JUDGES, campaign, FEW)
        assert machines_of(whole)[0].consistency.same_order.n > 0
        made: list[int] = []

        def counted(snapshot: pd.DataFrame, *arguments: Any) -> ScreenPairs:
            made.append(snapshot["sentence"].nunique())
            return screen_pairs(snapshot, *arguments)

        monkeypatch.setattr(comparing_judges, "screen_pairs", counted)
        Run.objects.all().delete()
        monkeypatch.setattr(sys.modules[screen_pairs.__module__], "ROWS_AT_ONCE", 1)
        assert to_plain_json(result_of(MACHINE_JUDGES, campaign, FEW)) == to_plain_json(whole)
        assert made == [len(orders), *[1] * len(orders)]

    def test_of_too_many_answers_it_compares_those_in_sentences_that_are_drawn(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = [ranking(each, place, "Cedar > Alder = Birch") for each in CAST for place in range(4)]
        campaign = small_campaign(corpus_for_machines(4), rankings=asked)
        with_machine(campaign)
        monkeypatch.setattr(sys.modules[compared_sentences.__module__], "MOST_ANSWERS", 20)
        result = result_of(MACHINE_JUDGES, campaign, FEW)
        assert result.people
        assert (result.people.drawn_sentences, result.people.answers) == (2, 18), "three people, three pairs"
        assert machines_of(result)[0].accuracy.machine.n == 18
        computed = Computed(FEW, result, chosen={"measure": "same"})
        assert "answers about pairs of systems in 2 sentences drawn at random" in str(
            lead_of(computed, Naming("", {}, {}, {}))
        )
        assert "drawn at random (seed 0)" in " ".join(methods(FEW, result))

    def test_more_answers_of_it_are_another_state(self) -> None:
        campaign = judged_by(*CAST)
        before = version_of(MACHINE_JUDGES, campaign)
        with_machine(campaign)
        assert version_of(MACHINE_JUDGES, campaign).state != before.state

    def test_an_excluded_machine_is_no_judge_unless_asked(self) -> None:
        campaign = judged_by(*CAST)
        machine = with_machine(campaign)
        Annotator.every.filter(pk=machine.pk).update(excluded_at=timezone.now(), exclusion_reason="tired")
        assert machines_of(result_of(MACHINE_JUDGES, campaign, FEW)) == []
        asked = MachineJudgesParameters(replicates=50, excluded=True)
        assert len(machines_of(result_of(MACHINE_JUDGES, campaign, asked))) == 1

    def test_only_sentences_that_people_judged_are_read(self) -> None:
        campaign = edited_campaign(edited_corpus())
        with_machine(campaign)
        Judgment.objects.filter(campaign=campaign, item__sentence__position__gt=0).delete()
        request = request_of(MACHINE_JUDGES, campaign, FEW)
        inputs = source_of(MACHINE_JUDGES).load(request, 1, NoProgress(), at_once=False)
        assert isinstance(inputs, JudgedByMachines)
        assert inputs.looks is not None
        assert set(inputs.machines["sentence"]) == set(inputs.judgments.snapshot["sentence"]) == {0}
        assert inputs.looks.characters.shape == (inputs.sentences, len(inputs.systems))

    def test_without_machines_it_says_so(self) -> None:
        campaign = judged_by(*CAST)
        result = result_of(MACHINE_JUDGES, campaign, FEW)
        said = MACHINE_JUDGES.finding(Computed(FEW, result), Naming("", {}, {}, {}))
        assert said.startswith(
            "Whether a baseline may stand in for an annotator is not tested: 0 of 3 people"
        )

    def test_verdicts_are_compared_with_verdicts(self) -> None:
        campaign = judging_campaign(small_corpus("valid", language="de"))
        with_machine(campaign)
        result = result_of(MACHINE_JUDGES, campaign, FEW)
        assert result.has_verdicts
        assert [judge.name for judge in result.judges] == [
            "Machine 1 (gpt-4o 2024-08-06)",
            "always valid",
            "never valid",
        ]
        machine, always, never = result.judges
        assert (machine.accuracy.machine.n, always.accuracy.machine.value) == (12, 6 / 12)
        assert never.accuracy.machine.value == 4 / 12
        assert machine.systems is None

    def test_a_published_result_holds_machines_and_repeats(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draw_nothing(monkeypatch)
        campaign = edited_campaign(edited_corpus())
        with_machine(campaign)
        for with_names in (True, False):
            published = published_result(campaign, "machine-judges", with_names=with_names)
            files = files_of(published)
            assert b"annotator-001,Machine 1 (gpt-4o 2024-08-06)" in files["machines.csv"]
            assert len(files["machine-judgments.csv"]) > 1000
            assert b"Judgments of machines count here" in files["methods.txt"]
            assert (b"Alder" in files["looks.csv"]) == with_names
            path = tmp_path / "published.zip"
            path.write_bytes(b"".join(zip_of(published)))
            assert list(differences(path, NoProgress())) == []
            assert "families.csv" not in files

    def test_its_own_family_where_machine_and_systems_state_it(self) -> None:
        campaign = edited_campaign(edited_corpus())
        with_machine(campaign)
        stated(campaign, machine="GPT", Birch="LLaMA")
        [machine] = machines_of(result_of(MACHINE_JUDGES, campaign, FEW))
        assert OWN_FAMILY not in {each.feature for each in machine.preferences}
        before = version_of(MACHINE_JUDGES, campaign)
        stated(campaign, machine="GPT", Birch=" gpt")
        assert version_of(MACHINE_JUDGES, campaign).state != before.state
        of_gpt = version_of(MACHINE_JUDGES, campaign)
        Machine.objects.update(family="gPT")
        assert version_of(MACHINE_JUDGES, campaign).state != of_gpt.state
        result = result_of(MACHINE_JUDGES, campaign, FEW)
        [machine] = machines_of(result)
        own = machine.preferences[-1]
        # Each of two people lets Birch win 1 of 7 decided pairs; the machine reverses what they say.
        assert (own.feature, own.machine.n, own.people.n) == (OWN_FAMILY, 14, 14)
        assert own.people.value == pytest.approx(1 / 7)
        assert own.difference.value == pytest.approx(6 / 7 - 1 / 7)
        for low, is_said in ((0.2, True), (-0.2, False)):
            shown = replace(own, difference=replace(own.difference, low=low, high=0.9))
            judges = replace(result, judges=(replace(machine, preferences=(shown,)),))
            lead = str(lead_of(Computed(FEW, judges, chosen={"measure": "same"}), Naming("", {}, {}, {})))
            said = "its own family: they win 86 % of its decided pairs, and 14 % of those of people."
            assert (said in lead.replace("\N{NO-BREAK SPACE}", " ")) == is_said
        untested = replace(machine, test=replace(machine.test, winning_rate=None))
        for judge, is_tested in ((machine, machine.test.winning_rate is not None), (untested, False)):
            judges = replace(result, judges=(judge,))
            lead = str(lead_of(Computed(FEW, judges, chosen={"measure": "same"}), Naming("", {}, {}, {})))
            assert ("A judge is *as good as* an annotator if" in lead) == is_tested
        tested = replace(machine, test=replace(machine.test, winning_rate=0.5, reason=None))
        for share, reason, said in (
            (0.9, "it answered few", "less than 95 % of the instances have scores or answers"),
            (1.0, "there are two annotators", "there are two annotators"),
        ):
            left_out = replace(untested, test=replace(untested.test, answered_share=share, reason=reason))
            judges = replace(result, judges=(tested, left_out))
            lead = str(lead_of(Computed(FEW, judges, chosen={"measure": "same"}), Naming("", {}, {}, {})))
            assert f"Not tested (hollow): 1 machine; {said}." in lead.replace("\N{NO-BREAK SPACE}", " ")

    def test_a_published_result_says_which_systems_are_of_the_family_of_a_machine(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draw_nothing(monkeypatch)
        campaign = edited_campaign(edited_corpus())
        with_machine(campaign)
        stated(campaign, machine="GPT", Alder="GPT", Birch="LLaMA")
        for with_names in (True, False):
            published = published_result(campaign, "machine-judges", with_names=with_names)
            files = files_of(published)
            [line] = files["families.csv"].decode().splitlines()[1:]
            assert line.startswith("annotator-001,")
            assert ("Alder" in line) == with_names
            assert not any(b"LLaMA" in content for content in files.values())
            path = tmp_path / "published.zip"
            path.write_bytes(b"".join(zip_of(published)))
            assert list(differences(path, NoProgress())) == []

    def test_annotators_do_not_see_it(self, annotator: Client) -> None:
        campaign = judged_by(*CAST)
        address = f"/campaigns/{campaign.uuid}/analyses/machine-judges/"
        assert annotator.get(address).status_code in (403, 404)


def stated(campaign: Campaign, machine: str = "", **families: str) -> None:
    """State families, that of the machine and those of systems."""
    Machine.objects.filter(annotator__campaign=campaign).update(family=machine)
    for name, family in families.items():
        campaign.corpus.systems.filter(name=name).update(family=family)
    Corpus.objects.filter(pk=campaign.corpus_id).update(described_at=timezone.now())
    campaign.refresh_from_db()


def machines_of(result: MachineJudges) -> list[Any]:
    return [judge for judge in result.judges if judge.kind is JudgeKind.MACHINE]
