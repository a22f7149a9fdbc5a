"""The pictures in the README, which `make screenshots` takes of the demo."""

import pytest
from django.core.management import call_command

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.design.protocols import PartialRankingWithScalars
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Campaign, Corpus, Design, User
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import result_of
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, at_work, rows, wait_for_another


def experienced(campaign: Campaign) -> Annotator:
    """An annotator who has done the practice."""
    annotator = add_annotator(campaign, name="ada")
    Annotator.objects.filter(pk=annotator.pk).update(has_practised=True, has_read_guidelines=True)
    return annotator


def scored_campaign() -> Campaign:
    """The demo's sentences, to be scored from 0 to 100."""
    corpus = Corpus.objects.get(name="demo")
    campaign = create_campaign(
        name="demo-scores",
        corpus=corpus,
        protocol=PartialRankingWithScalars.name,
        systems=list(corpus.systems.all()),
        design=Design(items=20, annotators_per_item=1, sampling="uniform"),
    )
    launch(campaign, progress=lambda stored: None)
    return campaign


@pytest.mark.deep
def test_the_demo_has_its_picture_taken(new_visitor: NewVisitor, transactional_db: None) -> None:
    call_command("load_demo", verbosity=0)
    run_queued_jobs()
    judgments = Campaign.objects.get(name="demo-judgments")
    result_of(METRICS_PEOPLE, judgments)

    ranker = new_visitor()
    annotator = experienced(Campaign.objects.get(name="demo-ranking"))
    page = at_work(ranker, annotator)
    while len(rows(page)) < 4:
        wait_for_another(page, answer_by_keys(page, "1" * len(rows(page))))
    page.keyboard.type("213")
    ranker.picture("screen")

    scorer = new_visitor()
    page = at_work(scorer, experienced(scored_campaign()))
    page.keyboard.type("80n45n")
    scorer.picture("scalar-screen")

    researcher = new_visitor()
    researcher.log_in(User.objects.get(username="demo-researcher"))
    for name in ("ranking", "metrics"):
        researcher.visit(f"{judgments.get_absolute_url()}{name}/")
        researcher.picture(name)

    phone = new_visitor(scheme="dark", device="phone")
    at_work(phone, annotator)  # The draft is there.
    phone.picture("screen")
    phone.log_in(User.objects.get(username="demo-researcher"))
    phone.visit(f"{judgments.get_absolute_url()}ranking/")
    phone.picture("ranking")
