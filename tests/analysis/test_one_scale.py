"""The parameter `scale`, common to all analyses of ratings: points on a scale are the scores."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from analysis.analyses.annotators.machine_judges import MACHINE_JUDGES
from analysis.analyses.annotators.quality import QUALITY
from analysis.analyses.base import SCALE, analyses
from analysis.analyses.judgment_inputs import JudgmentsBesideMachine
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.runs.requests import request_of
from analysis.runs.sources import source_of
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.queries import compared_by, snapshot
from annotate.models import Campaign
from core.parameters import ParameterError
from core.progress import NoProgress
from formats.machines import AnnotatorKind
from ranking import Method, by_scale, scale_values, system_means
from tests.analysis.campaigns_on_scales import campaign_on_scales, judgments_on_scales
from tests.analysis.publishing.published import files_of, published_result
from tests.analysis.publishing.test_published_analyses import what_differs
from tests.analysis.scored_campaigns import result_of
from tests.annotate.api.asking import ask, program
from tests.annotate.running import running
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.scores.scoring import EDITED, scored
from tests.formats.writers.stored import exported

pytestmark = pytest.mark.any_database

MEANING: dict[str, Any] = {"replicates": 20, "scale": "Meaning", "method": Method.MEAN_SCORE}

OF_RATINGS = [name for name, each in analyses().items() if hasattr(each.parameters(), SCALE)]


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    with django_db_blocker.unblock(), transaction.atomic():
        corpus = small_corpus("rated", sentences=EDITED)
        scored(corpus, "gleu", "m2")
        yield campaign_on_scales(corpus)
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


@pytest.fixture
def judged_by_machine(campaign: Campaign) -> Campaign:
    """The last judge is a machine."""
    records = [
        replace(each, annotator_kind="machine", machine={"model": "gpt-4o"})
        if each.annotator == "cara"
        else each
        for each in judgments_on_scales(campaign.corpus)
    ]
    plan = plan_judgments(
        name="with a machine", corpus=campaign.corpus, judgments=tuple(records), synthetic=False
    )
    return store_judgments(plan, progress=no_progress)


def scores(result: Any) -> dict[str, float]:
    return {each.system: each.score for each in result.standings.systems}


def test_a_campaign_names_its_scales_imported_or_launched(campaign: Campaign) -> None:
    assert compared_by(campaign) == ("Fluency", "Grammaticality", "Meaning")
    options = {"scales": "B: a|b\nA: a|b"}
    own = running("own", protocol="scales", outputs_per_screen=1, protocol_options=options)
    assert compared_by(own) == ("B", "A")
    assert compared_by(running("ranked")) == ()


def test_systems_are_ranked_by_their_points_on_it(campaign: Campaign) -> None:
    means = {each.system: each.score for each in system_means(by_scale(snapshot(campaign), "Meaning"))}
    by_meaning = result_of(RANKING, campaign, RankingParameters(**MEANING))
    assert scores(by_meaning) == pytest.approx(means)
    assert "|scale:Meaning|" in by_meaning.signature
    by_all = result_of(RANKING, campaign, RankingParameters(**{**MEANING, "scale": None}))
    overall = {each.system: each.score for each in system_means(snapshot(campaign))}
    assert scores(by_all) == pytest.approx(overall)
    assert "scale" not in by_all.signature
    best = (max(of, key=lambda system: of[system]) for of in (scores(by_meaning), scores(by_all)))
    assert len(set(best)) == 2


@pytest.mark.parametrize("name", OF_RATINGS)
def test_every_analysis_of_ratings_refuses_a_scale_that_is_not_there(campaign: Campaign, name: str) -> None:
    analysis = analyses()[name]
    message = "there is no scale Style; scales are: Fluency, Grammaticality, Meaning"
    with pytest.raises(ParameterError, match=message):
        request_of(analysis, campaign, analysis.parameters(scale="Style"))


def test_pages_offer_the_scales_where_there_are_any(campaign: Campaign, researcher: Client) -> None:
    page = researcher.get(reverse("ranking", args=[campaign.uuid]), {"scale": "Meaning", "replicates": "20"})
    text = page.content.decode()
    assert '<option value="Meaning" selected>Meaning</option>' in text
    assert '<option value="Fluency">Fluency</option>' in text
    ranked = researcher.get(reverse("ranking", args=[running("ranked").uuid]), {"replicates": "20"})
    assert 'name="scale"' not in ranked.content.decode()


def test_the_api_takes_it(campaign: Campaign) -> None:
    address = f"campaigns/{campaign.uuid}/ranking/"
    told = ask(program(), address, replicates=20, scale="Meaning", method="mean")
    expected = result_of(RANKING, campaign, RankingParameters(**MEANING))
    assert {each["system"]: each["score"] for each in told["systems"]} == pytest.approx(scores(expected))


def test_metrics_are_compared_with_people_by_it(campaign: Campaign) -> None:
    kind = METRICS_PEOPLE.parameters
    quick: dict[str, Any] = {"replicates": 20, "permutations": 100}
    one, all_together = (
        result_of(METRICS_PEOPLE, campaign, kind(**quick, scale=scale)) for scale in ("Meaning", None)
    )
    assert "|scale:Meaning|" in one.signature
    assert one.systems != all_together.systems or one.metrics != all_together.metrics


def test_a_file_names_its_scales(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rated.csv"
    file.write_bytes(exported(campaign, "csv"))
    call_command("rank", str(file), "--json", "--method", "mean", "--bootstrap", "20", "--scale", "Meaning")
    assert "|scale:Meaning|" in json.loads(capsys.readouterr().out)["signature"]
    with pytest.raises(CommandError, match="there is no scale Style"):
        call_command("rank", str(file), "--scale", "Style")


@pytest.mark.parametrize("name", ["ranking", "metrics-people"])
def test_a_published_result_names_its_scale_and_follows(
    campaign: Campaign, tmp_path: Path, name: str
) -> None:
    publication = published_result(campaign, name, scale="Meaning")
    assert publication.content is not None
    assert publication.content["headline"].startswith("Meaning: ")
    methods = files_of(publication)["methods.txt"].decode()
    assert "The scores are the points on the scale Meaning." in methods
    assert "|scale:Meaning|" in methods
    assert what_differs(publication, tmp_path) == []


@pytest.mark.parametrize("name", ["ranking-with-machine", "stopping"])
def test_answers_of_a_machine_are_its_points_too(judged_by_machine: Campaign, name: str) -> None:
    analysis = analyses()[name]
    request = request_of(analysis, judged_by_machine, analysis.parameters(machine=1, scale="Meaning"))
    points = scale_values(snapshot(judged_by_machine, kind=AnnotatorKind.MACHINE))["Meaning"].dropna()
    for at_once in (True, False):
        read = source_of(analysis).load(request, 9, NoProgress(), at_once=at_once)
        inputs = cast(JudgmentsBesideMachine, read)
        assert sorted(inputs.answers["score"].dropna()) == sorted(points)
        assert "|scale:Meaning|" in inputs.signature("")


def test_machine_judges_are_compared_by_it(judged_by_machine: Campaign, researcher: Client) -> None:
    quick: dict[str, Any] = {"replicates": 20}
    one, all_together = (
        result_of(MACHINE_JUDGES, judged_by_machine, MACHINE_JUDGES.parameters(**quick, scale=scale))
        for scale in ("Meaning", None)
    )
    assert "|scale:Meaning|" in one.signature
    assert [each.name for each in one.judges][:1] == ["Machine 1 (gpt-4o)"]
    assert one.judges[0].accuracy != all_together.judges[0].accuracy
    page = researcher.get(reverse("analysis", args=[judged_by_machine.uuid, "machine-judges"]), quick)
    assert '<option value="Meaning">Meaning</option>' in page.content.decode()


def test_scales_are_also_stored_in_pieces(campaign: Campaign) -> None:
    request = request_of(RANKING, campaign, RankingParameters(**MEANING))
    at_once, in_pieces = (
        JUDGMENTS.load(request, 9, NoProgress(), at_once=at_once) for at_once in (True, False)
    )
    assert at_once.digest == in_pieces.digest
    pd.testing.assert_series_equal(at_once.snapshot["score"], in_pieces.snapshot["score"], check_index=False)
    points = scale_values(snapshot(campaign))["Meaning"]
    assert points.notna().sum() == at_once.snapshot["score"].notna().sum()


def test_quality_takes_the_mean_of_the_scales(campaign: Campaign) -> None:
    result = result_of(QUALITY, campaign, QUALITY.parameters())
    assert [each.screens for each in result.annotators] == [3, 3, 3]
