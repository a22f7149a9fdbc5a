"""Why a metric disagrees with people: source, references and natural text of a campaign and of files."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import Client
from scipy import stats

from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.on_natural_text import in_natural_text
from analysis.analyses.metrics.scored_judgments import JudgedTexts
from analysis.analyses.metrics.sensitivity.metric_causes import (
    METRIC_CAUSES,
    MetricCauses,
    MetricCausesParameters,
)
from analysis.analyses.metrics.sensitivity.metric_causes_page import TITLES
from analysis.pages import disagreements as disagreements_page
from annotate.models import Campaign, SystemRole
from annotate.models.corpora import Tokenisation
from formats.text.natural import TextRules
from metrics import EvaluationSet, metric_from_text, score
from metrics.meta_evaluation import Cause, Variant
from ranking import Coefficient
from tests.analysis.judgment_files import JUDGED_TEXTS, Capture, as_json, printed, write_orders, write_scores
from tests.analysis.metrics.metric_pages import page, rows_of
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.scores.scoring import edited_corpus, scored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

R = Coefficient.PEARSON
CAUSES = ("analyse", "metric-causes", *JUDGED_TEXTS, "--replicates", "50")


@pytest.fixture
def campaign() -> Campaign:
    corpus = edited_corpus()
    scored(corpus, "gleu", "sari")
    return edited_campaign(corpus)


def variant(result: MetricCauses, cause: Cause) -> Variant:
    [made] = [each for each in result.causes.variants if each.cause is cause]
    return made


def agreement(campaign: Campaign, *, with_source: bool = False, references: bool = False) -> float | None:
    """Pearson's r of GLEU as *Metrics against people* has it."""
    asked = MetricsPeopleParameters(
        replicates=0, permutations=100, with_source=with_source, references=references
    )
    r: float | None = result_of(METRICS_PEOPLE, campaign, asked).metrics["gleu"].pearson.value
    return r


def test_source_and_references_count_as_on_the_page_of_metrics(campaign: Campaign) -> None:
    campaign.corpus.systems.filter(name="Birch").update(role=SystemRole.REFERENCE)
    campaign.corpus.systems.filter(name="INPUT").update(role=SystemRole.SYSTEM)
    campaign.corpus.systems.filter(name="Cedar").update(role=SystemRole.SOURCE)
    result = result_of(METRIC_CAUSES, campaign, MetricCausesParameters(replicates=0))
    assert result.systems == ("Alder", "INPUT")
    for cause, name, parameters in (
        (Cause.SOURCE, "Cedar", {"with_source": True}),
        (Cause.REFERENCES, "Birch", {"references": True}),
    ):
        made = variant(result, cause)
        assert made.named == (name,)
        assert made.systems == 3
        assert made.correlations[R] == pytest.approx(agreement(campaign, **parameters))


def test_as_measured_is_the_r_of_the_page_of_metrics(campaign: Campaign) -> None:
    result = result_of(METRIC_CAUSES, campaign, MetricCausesParameters(replicates=0))
    assert result.available == ("gleu", "sari")
    assert variant(result, Cause.MEASURED).correlations[R] == pytest.approx(agreement(campaign))


def test_natural_text_is_scored_from_the_texts(capsys: Capture) -> None:
    told = as_json(capsys, *CAUSES, "--metric", "bleu", "--role", "INPUT=source")
    [natural] = [each for each in told["causes"]["variants"] if each["cause"] == "natural-text"]
    assert natural["reason"] is None
    measured = told["causes"]["variants"][0]["correlations"]["pearson"]
    difference = natural["differences"]["pearson"]["value"]
    assert natural["correlations"]["pearson"] == pytest.approx(measured + difference)
    assert difference != 0


def test_sources_references_and_outputs_are_written_as_people_do() -> None:
    data = EvaluationSet(("I do n't know .",), (("I do not know .",),))
    texts = JudgedTexts(data, {"A": ["I don 't know ."], "B": [""]}, TextRules.ENGLISH)
    written = in_natural_text(texts)
    assert written.data == EvaluationSet(("I don't know.",), (("I do not know.",),))
    assert written.outputs["B"] == ("",)
    natural = score(metric_from_text("gleu"), written.data, {"A": ["I do not know."]})
    assert natural.corpus("A").value == pytest.approx(1)


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("m2", "this one needs gold edits"),
        ("errant", "this one needs edits"),
        ("grammaticality", "this one needs a grammar checker"),
    ],
)
def test_a_metric_that_needs_more_than_references_says_so(capsys: Capture, metric: str, reason: str) -> None:
    assert reason in printed(capsys, *CAUSES, "--metric", metric)


def test_a_corpus_that_is_not_tokenised_has_no_natural_text(campaign: Campaign) -> None:
    campaign.corpus.__class__.objects.update(tokenisation=Tokenisation.NOT_STATED)
    result = result_of(METRIC_CAUSES, campaign, MetricCausesParameters(replicates=0))
    assert variant(result, Cause.NATURAL).reason == "the corpus is not known to be tokenised"


def test_given_scores_are_correlated_and_their_texts_are_not_there(tmp_path: Path, capsys: Capture) -> None:
    judged = write_orders(tmp_path, "A > B > C > D > E", "A > C > B > D = E", "B > A > C > E > D")
    values = {"A": 3.0, "B": 3.1, "C": 3.05, "D": 1.0, "E": 0.5}
    given = write_scores(tmp_path, *[f"m,{system},{score}" for system, score in values.items()])
    command = ("analyse", "metric-causes", judged, "--scores", given, "--replicates", "50")
    told = as_json(capsys, *command)
    human = as_json(capsys, "analyse", "metric-windows", judged, "--scores", given, "--replicates", "0")
    scores = human["systems"]
    for each in told["causes"]["left_out"]:
        rest = [system for system in values if system not in each["named"]]
        expected = stats.pearsonr([values[name] for name in rest], [scores[name] for name in rest]).statistic
        assert each["correlations"]["pearson"] == pytest.approx(expected)
    assert "its scores were computed elsewhere" in printed(capsys, *command)


def test_the_page_names_the_metric_and_leads_to_the_others(researcher: Client, campaign: Campaign) -> None:
    result = result_of(METRIC_CAUSES, campaign, MetricCausesParameters(of="sari", replicates=50))
    shown = page(researcher, campaign, "causes", "?of=sari&replicates=50")
    assert 'aria-current="true">SARI</a>' in shown
    assert "of=gleu" in shown
    assert "One thing is changed at a time" in shown
    assert "judged pairs of outputs" in shown
    missing = [TITLES[each.cause] for each in result.causes.variants if each.reason]
    assert missing
    below = shown.partition("Not possible here: ")[2].partition("</p>")[0]
    assert all(f"<em>{title}</em>" in below for title in missing)
    assert not any(f'<th scope="row">{title}</th>' in shown for title in missing)
    rows = rows_of(researcher, campaign, "metric-causes/causes.csv?of=sari&replicates=50")
    assert [row["cause"] for row in rows] == [each.cause.value for each in result.causes.variants]


def test_without_a_choice_it_is_the_metric_that_papers_report_most(campaign: Campaign) -> None:
    campaign.corpus.score_sets.filter(name="gleu").update(name="zleu")
    scored(campaign.corpus, "bleu", "errant")
    result = result_of(METRIC_CAUSES, campaign, MetricCausesParameters(replicates=0))
    assert result.causes.metric == "errant"
    assert result.available[0] == "errant"


def test_the_page_opens_on_the_recommended_metric_that_still_has_scores(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = SimpleNamespace(recommended=("deleted", "sari"))
    stored = {METRIC_ADVICE: told, METRICS_PEOPLE: None}
    monkeypatch.setattr(disagreements_page, "usual_result", lambda analysis, subject: stored[analysis])
    for name in ("sari", "gleu", None):
        result_of(METRIC_CAUSES, campaign, MetricCausesParameters(of=name))
    assert 'aria-current="true">SARI</a>' in page(researcher, campaign, "causes")
    assert 'aria-current="true">GLEU</a>' in page(researcher, campaign, "causes", "?of=gleu")
    told.recommended = ()
    assert 'aria-current="true">GLEU</a>' in page(researcher, campaign, "causes")
    r = {"gleu": SimpleNamespace(value=0.5), "sari": SimpleNamespace(value=0.6)}
    people = {name: SimpleNamespace(pearson=each) for name, each in r.items()}
    stored[METRICS_PEOPLE] = SimpleNamespace(metrics=people)
    assert 'aria-current="true">SARI</a>' in page(researcher, campaign, "causes")
