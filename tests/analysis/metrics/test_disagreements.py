"""Sentences in which a metric and people disagree: the command, the page, its figure and files."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.analyses.metrics.disagreements import DISAGREEMENTS, Disagreements, DisagreementsParameters
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import sorted_by_r
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.pages import disagreements as disagreements_page
from analysis.pages import shown_disagreements
from analysis.pages.shown_disagreements import ComparedOutput, ShownDisagreement, compared_outputs
from analysis.runs.requests import request_of
from analysis.runs.sources import source_of
from annotate.corpora.sentences import ShownOutput, ShownSentence
from annotate.models import Annotator, Campaign
from core.progress import NoProgress
from jobs.worker import run_queued_jobs
from tests.analysis.judgment_files import write_judgments
from tests.analysis.metrics.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored


@pytest.fixture
def campaign(db: None) -> Campaign:
    """People correct, and the distance from the source likes what is left as it is."""
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source", "exact-match")
    return campaign


def judged_campaign(sentences: int, *, domains: tuple[str, ...] = ("",)) -> Campaign:
    """One judge prefers what the metric likes least, in each sentence."""
    corpus = small_corpus(
        sentences=[
            sentence(
                f"It go {number} .",
                f"It goes {number} .",
                f"It go {number} .",
                domain=domains[number % len(domains)],
            )
            for number in range(sentences)
        ]
    )
    orders = [ranking("anna", number, "Alder > Birch") for number in range(sentences)]
    campaign = small_campaign(corpus, rankings=orders)
    scored(corpus, "ld-source")
    return campaign


def listed(shown: str) -> list[int]:
    return [int(number) for number in re.findall(r'<h3 id="sentence-(\d+)"', shown)]


def test_a_file_lists_the_largest_disagreement_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("anna", 1, "A > B"), ("anna", 2, "A > B"))
    scores = tmp_path / "scores.csv"
    scores.write_text("metric,system,sentence,score\nm,A,0,3\nm,B,0,4\nm,A,1,1\nm,B,1,9\n")
    (tmp_path / "domains").write_text("email\nforum\n")
    arguments = ["disagreements", judged, "--scores", str(scores), "--domains", str(tmp_path / "domains")]
    call_command("analyse", *arguments, "--json")
    told = json.loads(capsys.readouterr().out)
    metric = told["metrics"]["m"]
    assert metric["sentences"] == [1, 0]
    assert metric["sizes"] == [1, 0.75]
    assert metric["domains"] == ["forum", "email"]
    assert metric["by_domain"]["email"] == {
        "sentences": 1,
        "agreed": 0,
        "mean": 0.75,
        "low": None,
        "high": None,
    }
    assert told["human"] == [[1, 0], [1, 0]]
    call_command("analyse", *arguments)
    assert "Sentences in which m disagrees most" in capsys.readouterr().out


def test_the_first_of_all_and_of_each_domain_are_kept(db: None) -> None:
    campaign = judged_campaign(8, domains=("email", "forum"))
    metric = result_of(DISAGREEMENTS, campaign, DisagreementsParameters(kept=3)).metrics["ld-source"]
    assert metric.sentences[metric.rows()].tolist() == [0, 1, 2]  # Of equal ones, the first in the corpus.
    assert metric.sentences[metric.rows("email")].tolist() == [0, 2, 4]
    assert metric.sentences[metric.rows("forum")].tolist() == [1, 3, 5]
    assert metric.whole.sentences == 8


def test_the_first_metric_that_disagrees_anywhere_is_shown_at_first() -> None:
    metrics = {"agrees": SimpleNamespace(overall=0), "disagrees": SimpleNamespace(overall=3)}
    parameters, result = DisagreementsParameters(), cast(Disagreements, SimpleNamespace(metrics=metrics))
    assert DISAGREEMENTS.shown(parameters, result).chosen == {"metric": "disagrees"}
    assert DISAGREEMENTS.shown(parameters, result, asked={"metric": "agrees"}).chosen == {"metric": "agrees"}


SHARED = (("AMU", "INPUT"), ("CAMB",), ("INPUT",))


def with_r(names: Sequence[str]) -> dict[str, SimpleNamespace]:
    """Results of these metrics, of which the first has the highest r and stands last."""
    r = {name: 0.9 - place / 10 for place, name in enumerate(names)}
    return {name: SimpleNamespace(pearson=SimpleNamespace(value=r[name])) for name in reversed(names)}


@pytest.mark.parametrize(
    ("recommended", "by_agreement", "first"),
    [
        (("agrees", "last"), ("disagrees", "last"), "last"),
        ((), ("agrees", "unscored", "last", "disagrees"), "last"),
        ((), (), ""),
    ],
)
def test_the_page_opens_on_the_metric_to_report(
    recommended: Sequence[str], by_agreement: Sequence[str], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else on the one of the highest r with people, of those that disagree anywhere."""
    metrics = {name: SimpleNamespace(overall=name != "agrees") for name in ("agrees", "disagrees", "last")}
    stored = {
        METRIC_ADVICE: SimpleNamespace(recommended=recommended),
        METRICS_PEOPLE: SimpleNamespace(metrics=with_r(by_agreement)) if by_agreement else None,
    }
    monkeypatch.setattr(disagreements_page, "usual_result", lambda analysis, campaign: stored[analysis])
    result = cast(Disagreements, SimpleNamespace(metrics=metrics))
    assert disagreements_page.first_metric(Campaign(), result) == first


def test_the_stored_agreement_decides_what_is_shown_first(researcher: Client, campaign: Campaign) -> None:
    result_of(DISAGREEMENTS, campaign)
    best, _ = sorted_by_r(result_of(METRICS_PEOPLE, campaign))[0]
    assert best != "ld-source"
    assert f'metric={best}" aria-current="true"' in page(researcher, campaign, "disagreements")
    chosen = page(researcher, campaign, "disagreements", "?metric=ld-source")
    assert 'metric=ld-source" aria-current="true"' in chosen


def test_the_two_outputs_that_people_separate_most_are_shown() -> None:
    people, metric = {"A": 1.0, "B": 0.6, "C": 0.0}, {"A": 0.5, "B": 0.1, "C": 0.5}
    shown = ShownDisagreement(
        sentence=cast(ShownSentence, None),
        size=0.5,
        pairs=3,
        against=2,
        outputs=[
            ComparedOutput(
                number, cast(ShownOutput, name), (name,), people[name], number, metric[name], None, ()
            )
            for number, name in enumerate(people, start=1)
        ],
        judgments=(),
        further=0,
    )
    assert shown.opposed is not None
    assert list(shown.opposed) == [shown.outputs[0], shown.outputs[2]]
    assert shown.opposed.is_tie
    assert replace(shown, outputs=shown.outputs[:2]).opposed is None, "the metric orders these as people do"


def test_the_source_is_not_named_among_the_systems_of_an_output_that_others_share() -> None:
    outputs = [SimpleNamespace(digest=str(place), systems=names) for place, names in enumerate(SHARED)]
    sentence = cast(ShownSentence, SimpleNamespace(position=1, outputs=outputs))
    human = {"AMU": 1.0, "CAMB": 0.0}
    shown = compared_outputs(sentence, human, {}, "gleu", counted=("AMU", "CAMB"))
    assert [each.systems for each in shown] == [["AMU"], ["CAMB"], ("INPUT",)]


def test_a_job_computes_the_page(researcher: Client, campaign: Campaign) -> None:
    assert "This takes a few seconds" in page(researcher, campaign, "disagreements")
    run_queued_jobs()
    shown = page(researcher, campaign, "disagreements", "?metric=ld-source")
    first = shown.partition('class="sentence"')[2].partition("</article>")[0]
    assert "<ins" in first  # edits are marked
    assert "Annotator 1" in first
    assert "Annotator 2" in first
    assert re.search(r"<summary>People: 1\.00 \(rank\s1\) · [^:]+: [\d.-]+ \(rank\s\d\)</summary>", first)
    other = page(researcher, campaign, "disagreements", "?metric=exact-match")
    assert 'metric=exact-match" aria-current="true"' in other


def test_one_comes_to_every_sentence_page_by_page(
    researcher: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disagreements_page, "SENTENCES_PER_PAGE", 3)
    campaign = judged_campaign(7)
    result_of(DISAGREEMENTS, campaign)
    pages = [listed(page(researcher, campaign, "disagreements", f"?after={after}")) for after in (0, 3, 6)]
    assert pages == [[0, 1, 2], [3, 4, 5], [6]]
    assert listed(page(researcher, campaign, "disagreements", "?before=")) == [6]
    assert listed(page(researcher, campaign, "disagreements", "?before=6")) == [3, 4, 5]
    assert listed(page(researcher, campaign, "disagreements", "?after=nonsense")) == [0, 1, 2]


def test_a_domain_can_be_chosen(researcher: Client, db: None) -> None:
    campaign = judged_campaign(4, domains=("email", "forum"))
    result_of(DISAGREEMENTS, campaign)
    shown = page(researcher, campaign, "disagreements", "?domain=forum")
    assert listed(shown) == [1, 3]
    rows = rows_of(
        researcher, campaign, "disagreements/table.csv?domain=forum&metric=ld-source", of="metrics"
    )
    assert [(row["sentence"], row["domain"]) for row in rows] == [("1", "forum"), ("3", "forum")]


def test_judgments_of_excluded_annotators_are_not_shown(researcher: Client, campaign: Campaign) -> None:
    Annotator.objects.filter(campaign=campaign, number=2).update(
        excluded_at=timezone.now(), exclusion_reason="careless"
    )
    result_of(DISAGREEMENTS, campaign)
    assert "Annotator 2" not in page(researcher, campaign, "disagreements")
    result_of(DISAGREEMENTS, campaign, DisagreementsParameters(excluded=True))
    assert "Annotator 2" in page(researcher, campaign, "disagreements", "?excluded=yes")


def test_many_judgments_of_a_sentence_are_counted(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_disagreements, "MOST_JUDGMENTS", 1)
    result_of(DISAGREEMENTS, campaign)
    shown = page(researcher, campaign, "disagreements")
    assert "Judgments by annotator (1 of 2)" in shown
    assert "The others are among the" in shown


def test_queries_do_not_grow_with_the_list(researcher: Client, db: None) -> None:
    asked = []
    for sentences in (2, 5):
        campaign = judged_campaign(sentences)
        result_of(DISAGREEMENTS, campaign)
        with CaptureQueriesContext(connection) as queries:
            page(researcher, campaign, "disagreements")
        asked.append(len(queries))
        campaign.delete()
        campaign.corpus.delete()
    assert asked[0] == asked[1]


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result_of(DISAGREEMENTS, campaign)
    rows = rows_of(researcher, campaign, "disagreements/table.csv?metric=ld-source", of="metrics")
    sizes = [float(row["disagreement"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert rows[0]["source"] in ("She go home .", "I has two cats .", "It is fine .")
    latex = file_of(researcher, campaign, "disagreements/table.tex?metric=ld-source", of="metrics").decode()
    assert "Sentence & Disagreement" in latex
    for name in ("table.xls", "table.csv?metric=none"):
        address = f"/campaigns/{campaign.uuid}/metrics/disagreements/{name}"
        assert researcher.get(address).status_code == 404


def test_a_metric_that_agrees_everywhere_is_said_to(researcher: Client, db: None) -> None:
    corpus = small_corpus(sentences=[sentence("It go .", "It goes .", "It go .")])
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, "Birch > Alder")])
    scored(corpus, "ld-source")
    result_of(DISAGREEMENTS, campaign)
    shown = page(researcher, campaign, "disagreements")
    assert "orders all outputs as people do in 1 sentence" in shown
    assert listed(shown) == []
    assert rows_of(researcher, campaign, "disagreements/table.csv", of="metrics") == []


@pytest.mark.any_database
def test_tied_judgments_are_told_in_words(researcher: Client, db: None) -> None:
    corpus = small_corpus(sentences=[sentence("It go .", "It goes .", "It go .")])
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, "Birch = Alder")])
    scored(corpus, "ld-source")
    result_of(DISAGREEMENTS, campaign)
    assert "people ordered no two outputs" in page(researcher, campaign, "disagreements")


def test_comparing_with_people_can_be_cancelled(campaign: Campaign) -> None:
    """Preparing millions of judgments takes seconds, so it asks often whether it should go on."""

    class CancelledError(Exception):
        pass

    class Cancellable(NoProgress):
        is_cancelled = False

        def advance(self, parts: int) -> None:
            if self.is_cancelled:
                raise CancelledError

    progress = Cancellable()
    request = request_of(DISAGREEMENTS, campaign, DISAGREEMENTS.parameters())
    inputs = source_of(DISAGREEMENTS).load(request, 1, progress, at_once=True)
    progress.is_cancelled = True
    with pytest.raises(CancelledError):
        replace(cast(ScoredJudgments, inputs), metrics=()).compared()
