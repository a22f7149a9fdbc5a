"""Verdicts on corrections, and the check of annotators by gold outputs."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.design.protocols import Answer, RatingValue, Validity
from annotate.judging.exclusions import control_check, verdict_on
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.models import Annotator, Campaign, System, SystemRole
from ranking.annotators.control_rule import ControlRule
from tests.annotate.api.asking import ask, program
from tests.annotate.running import NOON, answer, cast, running
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.any_database

FIRST_TWO = ControlRule(min_cases=1)


def judge(annotator: Annotator, *, gold_is: str) -> None:
    """Judge everything: outputs of the reference by this word, others invalid."""
    while (showing := give_next_showing(annotator, now=NOON)) is not None:
        [output] = shown_outputs(showing)
        verdict = gold_is if "Cedar" in output.systems else "no"
        answer(showing, said=Answer((RatingValue(),), verdict=verdict))


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Every output of two sentences is judged by both; Cedar is a reference, which only anna finds valid."""
    corpus = small_corpus()
    System.objects.filter(name="Cedar").update(role=SystemRole.REFERENCE)
    campaign = running(
        corpus=corpus,
        protocol=Validity.name,
        outputs_per_screen=1,
        covers_outputs=True,
        listed_sentences=[0, 3],
        items=2,
        annotators_per_item=2,
        shared_percent=100,
        batch_size=20,
    )
    anna, ben = cast(campaign)
    judge(anna, gold_is="yes")
    judge(ben, gold_is="no")
    return campaign


def test_verdicts_are_counted_by_system(campaign: Campaign) -> None:
    result = ask(program(), f"campaigns/{campaign.uuid}/analyses/validity/")["result"]
    assert [(row["of"], row["valid"], row["invalid"]) for row in result["systems"]] == [
        ("Alder", 0, 4),
        ("Birch", 0, 4),
        ("Cedar", 2, 2),
        ("INPUT", 1, 3),
    ]
    assert result["between"]["n"] == 6


def test_annotators_are_checked_by_gold_outputs(admin: Client, campaign: Campaign) -> None:
    anna, ben = Annotator.objects.order_by("name")
    checks = [control_check(annotator, FIRST_TWO) for annotator in (anna, ben)]
    assert [(check.passed, check.cases) for check in checks if check] == [(2, 2), (0, 2)]
    assert verdict_on(anna).passed
    page = admin.get(reverse("quality", args=[campaign.uuid])).content.decode()
    assert "Right verdict" in page
    assert "<small>0 of 2</small>" in page
    assert "so annotators are not checked that way" not in page
