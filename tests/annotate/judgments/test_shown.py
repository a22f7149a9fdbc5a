import pytest

from annotate.judgments.shown import shown_judgments
from annotate.models import Annotator, Campaign, Judgment, Revision
from formats import AnswerRecord
from tests.annotate.samples import campaign_without_texts, ranking, small_campaign, small_corpus
from tests.formats.writers.stored import BEYOND_RATINGS, store

pytestmark = pytest.mark.django_db


def keys_of(campaign: Campaign) -> list[int]:
    return list(campaign.judgments.order_by("pk").values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("name", "own"),
    [("anna", "anna"), ("annotator07", ""), ("Annotator 7", ""), ("annotator17", "annotator17")],
)
def test_a_name_that_says_only_the_number_is_not_shown_beside_it(name: str, own: str) -> None:
    assert Annotator(name=name, number=7).own_name == own


def test_judgments_come_with_their_current_answers_and_the_texts_that_these_rate() -> None:
    campaign = small_campaign(small_corpus())
    first = campaign.judgments.order_by("pk")[0]
    first.revisions.update(is_current=False)
    Revision.objects.create(judgment=first, number=2)
    shown = [
        (
            judgment.annotator.own_name,
            judgment.state,
            judgment.source,
            [(rating.rank, text) for rating, text in judgment.outputs],
        )
        for judgment in shown_judgments(campaign, keys_of(campaign)[:2])
    ]
    assert shown == [
        ("anna", "Complete", "She go home .", []),  # the revision takes its ratings back
        (
            "ben",
            "Complete",
            "She go home .",
            [(1, "She goes home ."), (1, "She went home ."), (2, "She go home .")],
        ),
    ]


def test_without_texts_there_are_the_systems() -> None:
    campaign = campaign_without_texts(rankings=[ranking("anna", 7, "Alder > Birch")])
    [judgment] = shown_judgments(campaign, keys_of(campaign))
    assert (judgment.sentence, judgment.source) == (7, None)
    assert [(rating.systems, text) for rating, text in judgment.outputs] == [
        (("Alder",), None),
        (("Birch",), None),
    ]


def test_answers_hold_more_than_ratings() -> None:
    campaign = store(BEYOND_RATINGS, "campaign")
    several, revised = shown_judgments(campaign, keys_of(campaign))
    assert several.answer.texts == ("One .", "=2 ,\n'", "")
    assert (revised.answer.verdict, revised.answer.texts) == ("yes", ())
    assert several.answer.says_more_than_ratings
    assert revised.answer.says_more_than_ratings
    assert not AnswerRecord(ratings=()).says_more_than_ratings


def test_judgments_that_are_deleted_meanwhile_are_left_out() -> None:
    campaign = small_campaign(small_corpus())
    keys = keys_of(campaign)
    Judgment.objects.get(pk=keys[0]).delete()
    assert len(shown_judgments(campaign, keys)) == len(keys) - 1
    assert shown_judgments(campaign, []) == []
