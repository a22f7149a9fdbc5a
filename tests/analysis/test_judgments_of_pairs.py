"""Judgments of pairs: rankings, agreement, metrics, exports, imports and rounds of follow-ups take them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.annotators.quality import QUALITY
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from annotate.campaigns.follow_ups.drafting import create_follow_up
from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import store_launch
from annotate.corpora.queries import texts
from annotate.design.protocols import Answer, Pairs, RatingValue
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judgments.exporting import export_judgments
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.queries import snapshot
from annotate.judgments.stream import Selection
from annotate.models import Annotator, Campaign
from formats import read_judgments
from formats.snapshot.resolution import resolve
from formats.writers import FORMATS
from ranking import Method
from tests.analysis.scored_campaigns import result_of
from tests.annotate.running import NOON, answer, cast, running
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.scores.scoring import EDITED, scored

pytestmark = pytest.mark.any_database


def judge_all(annotator: Annotator) -> None:
    """Prefer the longer output, clearly, if it is much longer; equal lengths tie."""
    while (showing := give_next_showing(annotator, now=NOON)) is not None:
        first, second = (len(each.output.text or "") for each in shown_outputs(showing))
        ranks = (1, 1) if first == second else (1, 2) if first > second else (2, 1)
        strength = "clearly" if abs(first - second) > 5 else "slightly"
        details = {} if first == second else {"strength": strength}
        answer(showing, said=Answer(tuple(RatingValue(rank=rank) for rank in ranks), details=details))


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    with django_db_blocker.unblock(), transaction.atomic():
        corpus = small_corpus("scored", sentences=EDITED)
        scored(corpus, "gleu", "chrf")
        campaign = running(
            "of pairs",
            corpus=corpus,
            protocol=Pairs.name,
            items=40,
            outputs_per_screen=2,
            sampling="uniform",
            with_replacement=True,
            listed_sentences=[],
            annotators_per_item=2,
            shared_percent=50,
            batch_size=50,
            protocol_options={"strength": "yes"},
        )
        for annotator in cast(campaign):
            judge_all(annotator)
        yield campaign
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.BRADLEY_TERRY, Method.TRUESKILL])
def test_systems_are_ranked_by_every_method(campaign: Campaign, method: Method) -> None:
    ranked = result_of(RANKING, campaign, RankingParameters(method=method, replicates=20)).standings
    assert all(each.score is not None for each in ranked.systems)
    assert len(ranked.systems) > 2


def test_other_analyses_take_them(campaign: Campaign) -> None:
    agreement = result_of(AGREEMENT, campaign)
    assert "agreement" in agreement.signature
    anna, ben = result_of(QUALITY, campaign).annotators
    assert {anna.check.words, ben.check.words} == {"control below the other output"}
    parameters = METRICS_PEOPLE.parameters(replicates=20, permutations=100)
    assert len(result_of(METRICS_PEOPLE, campaign, parameters).metrics) == 2


def test_the_strength_is_in_the_details(campaign: Campaign) -> None:
    details = snapshot(campaign).dropna(subset=["details"])["details"].astype(str).map(json.loads)
    assert {each["strength"] for each in details} == {"clearly", "slightly"}


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if not each.holds_spans])
def test_they_are_exported_and_imported_again(campaign: Campaign, name: str, tmp_path: Path) -> None:
    file_format = FORMATS[name]
    path = tmp_path / f"judgments{file_format.suffix}"
    selection = Selection(states=("complete",))
    pieces = export_judgments(
        campaign=campaign, file_format=file_format, selection=selection, names=False, by=None
    )
    path.write_bytes(b"".join(pieces))
    judgments = resolve(read_judgments(path), path, texts=texts(campaign.corpus))
    plan = plan_judgments(name="again", corpus=campaign.corpus, judgments=judgments, synthetic=False)
    again = store_judgments(plan, progress=no_progress)
    parameters = RankingParameters(replicates=20)

    def scores(of: Campaign) -> dict[str, float]:
        return {each.system: each.score for each in result_of(RANKING, of, parameters).standings.systems}

    assert scores(again) == pytest.approx(scores(campaign))


def test_rounds_of_follow_ups_are_ranked_together(campaign: Campaign) -> None:
    """Adaptive pairing: each round asks about neighbours in doubt and follows the one before."""
    current = campaign
    for number in (1, 2):
        watched = result_of(STOPPING, current)
        pairs = [(border.pair.above, border.pair.below) for border in watched.undecided]
        assert pairs
        draft = create_follow_up(current, name=f"round {number}", pairs=pairs, ordinary_percent=20, items=12)
        store_launch(plan_launch(draft), progress=no_progress)
        current = Campaign.objects.get(pk=draft.pk)
        for annotator in cast(current):
            judge_all(annotator)
    assert current.protocol == Pairs.name
    assert snapshot(current)["propensities"].notna().all()
    parameters = RankingParameters(method=Method.BRADLEY_TERRY, replicates=20, combined=True)
    together = result_of(RANKING, current, parameters)
    assert "weights:" in together.signature
    alone = result_of(RANKING, current, RankingParameters(method=Method.BRADLEY_TERRY, replicates=20))
    assert together.signature != alone.signature
    assert len(current.followed) == 2
