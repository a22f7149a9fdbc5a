"""The analysis *Which metric to report*, from judgments to its page."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from analysis.analyses.metrics.metric_advice import (
    ABOUT_OUTCOMES,
    METRIC_ADVICE,
    MetricAdviceParameters,
    about_verdicts,
    lead,
)
from analysis.analyses.metrics.metric_advice_verdicts import CHECKS, MARKS, MetricAdvice, verdict_columns
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.stress import STRESS
from analysis.analyses.metrics.trying_metrics import StressParameters
from analysis.runs.requests import request_of
from analysis.runs.sources import source_of, version_of
from annotate.models import Campaign, Reference
from core.names import Naming
from core.progress import NoProgress
from core.results import Computed
from metrics.meta_evaluation.advice import Check, CheckLine
from metrics.meta_evaluation.comparison import Outcome
from metrics.meta_evaluation.stress import StressCard
from tests.analysis.judgment_files import DEMO, JUDGED, JUDGED_TEXTS, TEXTS, Capture, as_json, write_scores
from tests.analysis.scored_campaigns import METRICS, edited_campaign, result_of, upload_scores
from tests.annotate.scores.scoring import edited_corpus, scored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ADVICE = ("analyse", "metric-advice")
QUICK = ("--role", "INPUT=source", "--replicates", "50")


@pytest.fixture
def campaign() -> Campaign:
    """Judgments of a corpus that three metrics score."""
    corpus = edited_corpus()
    scored(corpus, *METRICS)
    return edited_campaign(corpus)


def stress_of(campaign: Campaign) -> dict[str, StressCard | str]:
    """The cards of metrics under stress that the advice reads."""
    request = request_of(METRIC_ADVICE, campaign, METRIC_ADVICE.parameters())
    inputs = source_of(METRIC_ADVICE).load(request, 1, NoProgress(), at_once=True)
    return dict(inputs.stress)  # type: ignore[attr-defined]


def under_stress(told: Any) -> dict[str, tuple[str, str]]:
    """Outcome and reason of the check under stress, by metric."""
    return {name: (lines[-1]["outcome"], lines[-1]["reason"]) for name, lines in told["lines"].items()}


def shown_to(reader: Client, campaign: Campaign) -> str:
    return reader.get(f"/campaigns/{campaign.uuid}/analyses/metric-advice/").content.decode()


def test_few_systems_give_no_advice_and_the_page_says_why(researcher: Client, campaign: Campaign) -> None:
    result: MetricAdvice = result_of(METRIC_ADVICE, campaign)
    assert result.apart == ("INPUT",)
    assert result.reason == "people judged 3 systems that count, and advice needs 5"
    assert f"No metric is recommended: {result.reason}" in shown_to(researcher, campaign)
    answers = researcher.get(f"/campaigns/{campaign.uuid}/answers/").content.decode()
    assert f"No metric is recommended: {result.reason}" in answers


def test_a_campaign_takes_the_newest_results_under_stress_of_its_corpus(
    campaign: Campaign, tmp_path: Path
) -> None:
    upload_scores(campaign.corpus, tmp_path, "given,Alder,0,0.5")
    before = version_of(METRIC_ADVICE, campaign)
    not_yet = "It was not tried yet: Metrics under stress does that."
    elsewhere = "Its scores were computed elsewhere, so it cannot be tried under stress."
    assert stress_of(campaign) == {**dict.fromkeys(METRICS, not_yet), "given (uploaded)": elsewhere}
    result_of(STRESS, campaign.corpus, StressParameters(metric="sari,gleu:order=4"))
    assert version_of(METRIC_ADVICE, campaign) != before
    found = stress_of(campaign)
    assert isinstance(found["gleu"], StressCard)  # Its order is the usual one.
    assert isinstance(found["sari"], StressCard)
    assert found["chrf"] == not_yet
    result_of(STRESS, campaign.corpus, StressParameters(metric="chrf,errant:beta=2"))
    assert isinstance(stress_of(campaign)["sari"], StressCard)


def test_results_under_stress_are_part_of_the_signature(campaign: Campaign) -> None:
    before = result_of(METRIC_ADVICE, campaign).signature
    result_of(STRESS, campaign.corpus, StressParameters(metric="sari"))
    assert result_of(METRIC_ADVICE, campaign).signature != before


def test_the_page_leads_to_stress_for_metrics_that_were_not_tried(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("metrics.meta_evaluation.advice"), "FEWEST_SYSTEMS", 3)
    result_of(STRESS, campaign.corpus, StressParameters(metric="sari"))
    result: MetricAdvice = result_of(METRIC_ADVICE, campaign)
    assert result.rejected["sari"]
    shown = shown_to(researcher, campaign)
    assert "Not tried under stress: GLEU and chrF++." in shown
    assert f'href="{campaign.corpus.get_absolute_url()}analyses/stress/?metric=gleu%2Cchrf"' in shown
    assert shown.index(">All systems</th>") < shown.index(">Why not</th>")
    stress = f'<a href="{campaign.corpus.get_absolute_url()}analyses/stress/">Metrics under stress</a>'
    assert f"Faults of each metric: {stress}" in shown


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((Outcome.PASSED, Outcome.UNDECIDED), "undecided"),
        ((Outcome.FAILED, Outcome.UNDECIDED), "fails"),
    ],
)
def test_a_metric_that_failed_no_check_is_undecided(outcomes: tuple[Outcome, ...], verdict: str) -> None:
    lines = {"gleu": tuple(CheckLine(Check.ALL_SYSTEMS, each, 0.5, (1, 2), (), "") for each in outcomes)}
    result = MetricAdvice(
        "toy", (), (), (), {"gleu": "It is too close."}, lines, "these judgments do not tell"
    )
    column = verdict_columns(Computed(MetricAdviceParameters(), result))[0]
    assert column.note_of("gleu") == verdict


def lines_of(
    counted: float, outcome: Outcome, *, reason: str = "", in_short: str = "", faults: int = 0
) -> tuple[CheckLine, ...]:
    """One metric's checks: on the systems that count, and under stress, which it passed."""
    return (
        CheckLine(Check.ALL_SYSTEMS, Outcome.PASSED, 0.9, (1, 1), (), ""),
        CheckLine(Check.COUNTED_SYSTEMS, outcome, counted, (1, 2), (), reason, in_short),
        CheckLine(Check.ONE_LEFT_OUT, Outcome.PASSED, 0.4, (1, 3), ("IPN",), ""),
        *(CheckLine(check, Outcome.PASSED, None, None, (), "") for check in list(Check)[3:-1]),
        CheckLine(Check.STRESS, Outcome.PASSED, None, None, (), "", faults=faults),
    )


@pytest.fixture
def advised() -> Computed:
    """Two metrics fail for one reason, one is undecided, and one is recommended with a fault."""
    behind = {"in_short": "GLEU agrees more."}
    lines = {
        "bleu": lines_of(-0.4, Outcome.FAILED, reason="GLEU agrees more (-0.40).", **behind),  # type: ignore[arg-type]
        "m2": lines_of(0.1, Outcome.UNDECIDED, reason="It is 0.2 behind.", in_short="It is behind."),
        "sari": lines_of(0.5, Outcome.FAILED, reason="GLEU agrees more (0.50).", **behind),  # type: ignore[arg-type]
        "gleu": lines_of(0.6, Outcome.PASSED, faults=1),
    }
    rejected = {name: each[1].reason for name, each in lines.items() if each[1].reason}
    return Computed(
        MetricAdviceParameters(), MetricAdvice("toy", (), ("INPUT",), ("gleu",), rejected, lines, None)
    )


def test_each_metric_has_its_verdict_and_why_it_does_not_pass(advised: Computed) -> None:
    rows = METRIC_ADVICE.filled_tables(advised, Naming("", {}, {}, {}))["outcomes"].page().rows
    assert [[row[0].text, row[0].note, row[1].text] for row in rows] == [
        ["GLEU", "recommended", ""],
        ["M2 (MaxMatch)", "undecided", "It is behind."],
        ["SARI", "fails", "GLEU agrees more."],
        ["BLEU", "fails", "GLEU agrees more."],
    ]


def test_each_check_has_a_mark_and_the_deciding_one_stands_out(advised: Computed) -> None:
    rows = METRIC_ADVICE.filled_tables(advised, Naming("", {}, {}, {}))["verdicts"].page().rows
    assert [[row[0].text, row[2].css, row[2].shown] for row in rows] == [
        ["GLEU", "check passed", ("✓", "passed")],
        ["M2 (MaxMatch)", "check undecided deciding", ("?", "undecided")],
        ["SARI", "check failed deciding", ("✗", "failed")],
        ["BLEU", "check failed deciding", ("✗", "failed")],
    ]


def test_outcomes_are_marked_by_shape(advised: Computed) -> None:
    assert len({*MARKS.values()}) == len(MARKS) == len(Outcome)
    said = about_verdicts(advised, Naming("", {}, {}, {}))
    assert "–: not tried" in said
    for mark, outcome in ((MARKS[each], each) for each in Outcome if each is not Outcome.UNCHECKED):
        assert f"{mark} {outcome}" in said


def test_the_system_without_which_a_metric_does_worst_is_named(advised: Computed) -> None:
    rows = METRIC_ADVICE.filled_tables(advised, Naming("", {}, {}, {}))["outcomes"].page().rows
    assert {row[4].note for row in rows} == {"0.40 without IPN, ranks\N{NO-BREAK SPACE}1–3"}


def test_outcomes_are_explained(advised: Computed) -> None:
    said = ABOUT_OUTCOMES
    assert all(f"*{outcome}*: " in said for outcome in ("passed", "failed", "undecided"))


def test_faults_under_stress_have_the_words_of_the_page_of_stress(advised: Computed) -> None:
    rows = METRIC_ADVICE.filled_tables(advised, Naming("", {}, {}, {}))["outcomes"].page().rows
    assert [row[-1].note for row in rows] == ["small faults only", *["no fault"] * 3]


def test_the_page_of_agreement_shows_each_check_once_they_are_computed(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("metrics.meta_evaluation.advice"), "FEWEST_SYSTEMS", 3)
    result_of(METRICS_PEOPLE, campaign)
    address = f"/campaigns/{campaign.uuid}/metrics/"
    before = researcher.get(address)
    assert before.context["checks"] is None
    link = f'<a href="/campaigns/{campaign.uuid}/analyses/metric-advice/">'
    assert link in before.content.decode().partition("<main")[2]
    result: MetricAdvice = result_of(METRIC_ADVICE, campaign)
    agreement = researcher.get(address)
    assert len(agreement.context["checks"].rows) == len(result.lines) == len(METRICS)
    shown = agreement.content.decode().partition('<details id="checks">')[2]
    for check, title in CHECKS.items():
        assert (title in shown) == (check is not Check.STRESS)  # which nobody tried
    assert link in shown


def test_the_page_says_why_metrics_cannot_be_tried(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("metrics.meta_evaluation.advice"), "FEWEST_SYSTEMS", 3)
    result_of(METRIC_ADVICE, campaign)
    Reference.objects.filter(sentence__corpus=campaign.corpus).delete()
    shown = shown_to(researcher, campaign)
    assert "No metric has been tried under stress. The corpus has no references." in shown


def test_metrics_of_files_are_tried_at_once(capsys: Capture) -> None:
    told = as_json(capsys, *ADVICE, *JUDGED_TEXTS, "--metric", "sari", "bleu", *QUICK)
    outcomes = under_stress(told)
    assert outcomes["bleu"] == ("passed", "")
    assert outcomes["sari"][0] == "failed"
    assert outcomes["sari"][1].startswith("It gives ")
    assert "sari" in told["rejected"]
    for name, lines in told["lines"].items():
        [counting] = [line for line in lines if line["check"] == "counted-systems"]
        assert told["pearson"][name]["value"] == pytest.approx(counting["value"])
        assert told["pearson"][name]["low"] < counting["value"]


def test_what_cannot_be_tried_is_not_checked_and_the_reason_is_told(tmp_path: Path, capsys: Capture) -> None:
    systems = [path.name for path in (DEMO / "systems").iterdir()]
    rows = [f"given,{system},{number},{number}" for system in systems for number in range(2)]
    scores = write_scores(tmp_path, *rows, heading="metric,system,sentence,score")
    told = as_json(capsys, *ADVICE, JUDGED, *TEXTS, "--metric", "ld-source", "--scores", scores, *QUICK)
    assert under_stress(told) == {
        "ld-source": ("unchecked", "It cannot be tried under stress without references."),
        "given": ("unchecked", "Its scores were computed elsewhere, so it cannot be tried under stress."),
    }


def test_the_closest_metric_is_named_with_what_is_undecided() -> None:
    why = "Without AMU, it may be up to 0.12 behind SARI; the limit is 0.1."
    unsure = CheckLine(Check.ONE_LEFT_OUT, Outcome.UNDECIDED, None, None, (), why)
    passed = CheckLine(Check.SENTENCES, Outcome.PASSED, None, None, (), "")
    untried = CheckLine(Check.STRESS, Outcome.UNCHECKED, None, None, (), "")
    lines = {
        "bleu": (unsure, unsure, untried),
        "gleu": (unsure, passed, untried),
        "sari": (passed, replace(passed, outcome=Outcome.FAILED), untried),
    }
    result: Any = SimpleNamespace(recommended=(), lines=lines, apart=(), left_out=())
    said = lead(Computed(METRIC_ADVICE.parameters(), result), Naming("", {}, {}, {})).replace("\\", "")
    assert f" Closest: GLEU passes 1 of 2 checks. If you report it, add what is undecided: {why}" in said
    assert "no contender is ahead of it by more than" in said
    all_fail: Any = SimpleNamespace(recommended=(), lines={"sari": lines["sari"]}, apart=(), left_out=())
    assert "Closest" not in lead(Computed(METRIC_ADVICE.parameters(), all_fail), Naming("", {}, {}, {}))


@pytest.mark.parametrize(
    ("undecided", "said"),
    [
        (2, "undecided: Reason 0. Reason 1."),
        (3, "undecided: Reason 0. Reason 1. Reason 2."),
        (4, "undecided: Reason 0. 3 more checks are undecided."),
    ],
)
def test_everything_that_is_undecided_about_the_closest_metric_is_told(undecided: int, said: str) -> None:
    lines = [
        CheckLine(check, Outcome.UNDECIDED, None, None, (), f"Reason {number}.")
        if number < undecided
        else CheckLine(check, Outcome.PASSED, None, None, (), "")
        for number, check in enumerate(Check)
    ]
    result: Any = SimpleNamespace(recommended=(), lines={"gleu": lines}, apart=(), left_out=())
    shown = lead(Computed(METRIC_ADVICE.parameters(), result), Naming("", {}, {}, {})).replace("\\", "")
    assert shown.endswith(said)
