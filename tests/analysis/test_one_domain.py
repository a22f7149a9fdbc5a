"""The parameter `domain`, common to all analyses of judgments: only the sentences of a domain count."""

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.base import analyses
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.results.registered_pages import address_of, pages
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources import source_of
from annotate.models import Campaign
from annotate.models import Reference as StoredReference
from assay import __version__
from core.parameters import ParameterError
from core.progress import NoProgress
from formats import Reference
from metrics.meta_evaluation.metric_scores import OF_WHOLE_CORPUS
from tests.analysis.described import edit
from tests.analysis.publishing.published import files_of, published_result
from tests.analysis.publishing.test_published_analyses import what_differs
from tests.analysis.scored_campaigns import result_of, upload_scores
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

pytestmark = pytest.mark.any_database

DOMAINS = ("news", "<u>", "news", "<u>", "<u>", "news")
NEWS = [place for place, domain in enumerate(DOMAINS) if domain == "news"]
TEXTS = (
    ("She go .", "She goes .", "She gos .", "She gone .", "She left ."),
    ("I has two cat .", "I have two cats .", "I have two cat .", "I had two .", "I had a cat ."),
    ("It are fine .", "It is fine .", "It was fine .", "It be fine .", "This is fine ."),
    ("He go home .", "He goes home .", "He go house .", "He went home .", "He went ."),
    ("We goes .", "We go .", "We goes on .", "We went .", "We went on ."),
    ("You is two .", "You are two .", "You be two .", "You two .", "You were two ."),
)
"""For each sentence the source, three outputs, and a reference beside the first output."""

SENTENCES = [
    sentence(
        source,
        *outputs,
        references=[
            Reference("0", outputs[0], (edit(1, 2, outputs[0].split()[1], "R:VERB"),)),
            Reference("1", other, None),
        ],
        domain=domain,
    )
    for (source, *outputs, other), domain in zip(TEXTS, DOMAINS, strict=True)
]
RANKINGS = [
    ranking(judge, number, order)
    for judge in ("Annabel", "Benedikt", "Clara")
    for number, order in enumerate(
        [
            "Alder > Birch > Cedar > INPUT",
            "Birch > Alder > INPUT",
            "Alder > Cedar > Birch > INPUT" if judge == "Clara" else "Cedar > Alder > INPUT > Birch",
            "INPUT > Birch > Alder > Cedar",
            "Birch > Cedar > Alder > INPUT",
            "Alder > Cedar > INPUT > Birch",
        ]
    )
]
METRICS = ("gleu", "sari", "m2")
QUICK = {"replicates": 20, "permutations": 100, "draws": 1, "low": 1.0, "high": 2.0, "step": 1.0, "size": 3}
"""Parameters that make tests fast, for analyses that have them."""

OTHERS = {"by-domain", "learned-gmeg", "learned-mterater", "metrics-by-domain"}
"""Analyses that compare domains, or whose training needs more sentences than there are."""

CONCERNED = sorted(
    name
    for name, each in analyses().items()
    if issubclass(each.parameters, FromAnswers) and name not in OTHERS
)


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged and scored once for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        corpus = small_corpus("of two domains", sentences=SENTENCES)
        scored(corpus, *METRICS)
        yield small_campaign(corpus, rankings=RANKINGS)
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


def quick(name: str, **further: Any) -> Any:
    kind = analyses()[name].parameters
    return kind(**{key: value for key, value in QUICK.items() if hasattr(kind(), key)}, **further)


def same(one: Any, other: Any, at: str = "result") -> None:
    """Equal but for signatures and the last digits of numbers."""
    if at.endswith("signature"):
        return
    assert type(one) is type(other), at
    if isinstance(one, dict):
        assert one.keys() == other.keys(), at
        for key in one:
            same(one[key], other[key], f"{at}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), at
        for place, (first, second) in enumerate(zip(one, other, strict=True)):
            same(first, second, f"{at}[{place}]")
    elif isinstance(one, float):
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9), f"{at}: {one} and {other}"
    else:
        assert one == other, at


@pytest.mark.parametrize("name", CONCERNED)
def test_a_domain_has_the_numbers_of_a_campaign_of_it_alone(campaign: Campaign, name: str) -> None:
    analysis = analyses()[name]
    found = result_of(analysis, campaign, quick(name, domain="news"))
    assert "|domain:news|" in found.signature
    campaign.judgments.exclude(item__sentence__domain="news").delete()
    if name == "weighted-edits":  # It is about all sentences with references, judged or not.
        StoredReference.objects.exclude(sentence__domain="news").delete()
    campaign.corpus.sentences.update(domain="")
    alone = result_of(analysis, campaign, quick(name))
    if name == "compare-systems":  # Stored scores of systems are those of the whole corpus.
        without = [replace(each, first=None, second=None) for each in alone.metrics]
        alone = replace(alone, metrics=tuple(without))
    assert "domain:" not in alone.signature
    same(to_json(found), to_json(alone))


def test_scores_are_those_of_a_corpus_of_just_these_sentences(campaign: Campaign) -> None:
    """GLEU draws references by the number of a sentence, so this holds only where these count anew."""
    inputs = inputs_of(campaign, "news")
    alone = small_corpus("news alone", sentences=[SENTENCES[place] for place in NEWS])
    scored(alone, *METRICS)
    judgments = [
        replace(each, sentence=NEWS.index(each.sentence)) for each in RANKINGS if each.sentence in NEWS
    ]
    expected = inputs_of(small_campaign(alone, "of news", rankings=judgments))
    assert inputs.positions is not None
    assert inputs.positions.tolist() == NEWS
    assert inputs.sentences == expected.sentences == len(NEWS)
    everything, draws = np.arange(len(NEWS)), np.array([[0, 0, 2], [2, 1, 0]])
    for one, other in zip(inputs.metrics, expected.metrics, strict=True):
        assert one.name == other.name
        assert one.signature == other.signature
        np.testing.assert_array_equal(one.sentences, other.sentences)
        np.testing.assert_array_equal(one.of_systems(everything), other.of_systems(everything))
        np.testing.assert_array_equal(one.of_draws(draws), other.of_draws(draws))


def inputs_of(campaign: Campaign, domain: str | None = None) -> ScoredJudgments:
    asked = request_of(METRICS_PEOPLE, campaign, MetricsPeopleParameters(domain=domain))
    return cast(ScoredJudgments, source_of(METRICS_PEOPLE).load(asked, 1, NoProgress(), at_once=True))


def test_scores_of_the_whole_corpus_are_none_of_a_domain(
    campaign: Campaign, researcher: Client, tmp_path: Path
) -> None:
    systems = ("Alder", "Birch", "Cedar", "INPUT")
    rows = [f"elsewhere,{system},,{number}" for number, system in enumerate(systems)]
    sentences = [f"by sentence,{name},{n},{n * s}" for s, name in enumerate(systems) for n in range(6)]
    upload_scores(campaign.corpus, tmp_path, *rows, *sentences)
    parameters = quick("metrics-people", domain="news", with_source=True)
    result = result_of(METRICS_PEOPLE, campaign, parameters)
    assert result.metrics["elsewhere (uploaded)"].pearson.reason == OF_WHOLE_CORPUS
    means = {name: 7 / 3 * place for place, name in enumerate(systems)}
    assert result.metrics["by sentence (uploaded)"].scores == pytest.approx(means)
    page = researcher.get(
        f"/campaigns/{campaign.uuid}/metrics/?domain=news&replicates=20&permutations=100&with_source=yes"
    )
    assert OF_WHOLE_CORPUS in page.content.decode()


@pytest.mark.parametrize("name", ["ranking", "metrics-people", "judge-model"])
def test_large_campaigns_are_read_in_pieces(campaign: Campaign, name: str) -> None:
    asked = request_of(analyses()[name], campaign, quick(name, domain="<u>"))
    source = source_of(asked.analysis)
    one, other = (source.load(asked, 1, NoProgress(), at_once=at_once) for at_once in (True, False))
    assert one.signature("x") == other.signature("x")
    assert "|domain:<u>|" in one.signature("x")


@pytest.mark.parametrize("name", CONCERNED)
def test_there_has_to_be_such_a_domain(campaign: Campaign, name: str) -> None:
    with pytest.raises(ParameterError, match="there is no domain mail; domains are: <u>, news"):
        request_of(analyses()[name], campaign, analyses()[name].parameters(domain="mail"))


def test_domains_are_compared_on_all_of_them(campaign: Campaign) -> None:
    with pytest.raises(ParameterError, match="compares all domains"):
        request_of(analyses()["by-domain"], campaign, RankingParameters(domain="news"))


def test_requests_without_a_domain_have_the_key_of_earlier_commits(campaign: Campaign) -> None:
    asked = request_of(RANKING, campaign, RankingParameters())
    parts = ["ranking", str(campaign.uuid), stated(asked.parameters), stated(asked.left_out)]
    assert asked.key == key_of(parts)
    assert asked.key != request_of(RANKING, campaign, RankingParameters(domain="news")).key


def stated(asked: Any) -> Any:
    later = {
        "domain",
        "scale",
        "weights",
        "combined",
        "tested_by",
        "machines",
        "with_machines",
        "with_opinions",
        "machine",
    }
    return {name: value for name, value in to_json(asked).items() if name not in later}


def key_of(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps([*parts, __version__], sort_keys=True).encode()).hexdigest()


def test_a_page_offers_the_domains_and_says_which_counts(campaign: Campaign, researcher: Client) -> None:
    for analysis in (RANKING, analyses()["fragility"]):
        address = address_of(campaign, pages()[analysis.name])
        page = researcher.get(f"{address}?domain=%3Cu%3E").content.decode()
        assert '<option value="&lt;u&gt;" selected>&lt;u&gt;</option>' in page
        assert '<option value="">all</option>' in page
        assert "<h1>&lt;u&gt;: " in page, analysis.name
        assert "<u>" not in page.partition("<main")[2]
        assert 'name="domain"' in researcher.get(address).content.decode()
    drawn = researcher.get(
        f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg?domain=news&replicates=20"
    )
    assert "judged, news" in drawn.content.decode()


def test_a_corpus_without_domains_offers_none(campaign: Campaign, researcher: Client) -> None:
    campaign.corpus.sentences.update(domain="")
    assert 'name="domain"' not in researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()


def test_a_follow_up_asks_about_all_domains(campaign: Campaign, admin: Client) -> None:
    result_of(STOPPING, campaign, STOPPING.parameters(domain="news"))
    page = admin.get(f"/campaigns/{campaign.uuid}/analyses/stopping/follow-up/?domain=news").content.decode()
    assert "A follow-up asks about sentences of all domains." in page


@pytest.mark.parametrize("name", ["ranking", "metrics-people"])
def test_a_published_result_names_its_domain_and_follows(
    campaign: Campaign, tmp_path: Path, name: str
) -> None:
    publication = published_result(campaign, name, domain="news")
    assert publication.content is not None
    assert publication.content["headline"].startswith("news: ")
    files = files_of(publication)
    assert "Only the sentences of the domain news count." in files["methods.txt"].decode()
    assert "|domain:news|" in files["methods.txt"].decode()
    assert what_differs(publication, tmp_path) == []


def test_files_of_judgments_alone_know_no_domains(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text("")
    with pytest.raises(CommandError):
        call_command("analyse", "ranking", str(path), "--domain", "news")
