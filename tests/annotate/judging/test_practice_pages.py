"""Practice before the work."""

import pytest
from django.test import Client

from annotate.design.practice import PracticeError
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.practice_views import practice_of
from annotate.models import Annotator, Design, Judgment, Showing
from tests.annotate.design.test_practice import GUIDELINES
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.practising import as_shown
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> Annotator:
    return add_annotator(running_campaign(small_corpus(), guidelines=GUIDELINES), name="ada")


@pytest.fixture
def work(ada: Annotator) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(ada)}/")
    client.post(address(ada, "guidelines"))
    return client


def address(annotator: Annotator, *rest: object) -> str:
    return "/".join(["/judge", str(annotator.campaign.uuid), *map(str, rest), ""])


def test_it_comes_before_the_first_screen_and_not_again(ada: Annotator, work: Client) -> None:
    assert work.get(address(ada))["Location"] == address(ada, "practice", 1)
    assert work.post(address(ada, "practice/end"))["Location"] == address(ada)
    assert work.get(address(ada), follow=True).status_code == 200


def test_an_answer_is_compared_and_not_stored(ada: Annotator, work: Client) -> None:
    practice = address(ada, "practice", 1)
    ours = as_shown(ada, 1, {"rank-0": "1", "rank-1": "3", "rank-2": "3"})
    same = work.post(practice, ours, follow=True)
    assert "Same as ours" in same.content.decode()
    theirs = as_shown(ada, 1, {"rank-0": "1", "rank-1": "2", "rank-2": "3"})
    other = work.post(practice, theirs, follow=True).content.decode()
    assert "We answered differently" in other
    assert "Each of the <em>two</em> below" in other
    assert not Judgment.objects.exists()
    assert not Showing.objects.exists()


def test_practice_asks_for_confidence_and_does_not_compare_it(ada: Annotator, work: Client) -> None:
    Design.objects.update(protocol_options={"confidence": "yes"})
    ours = as_shown(ada, 1, {"rank-0": "1", "rank-1": "3", "rank-2": "3"})
    refused = work.post(address(ada, "practice", 1), ours)
    assert "Say how sure you are of this ranking, from 1 to 5." in refused.content.decode()
    same = work.post(address(ada, "practice", 1), {**ours, "confidence": "1"}, follow=True)
    assert "Same as ours" in same.content.decode()


def test_the_comparison_is_a_page_of_its_own_to_go_back_from(ada: Annotator, work: Client) -> None:
    answer = as_shown(ada, 1, {"rank-0": "1", "rank-1": "3", "rank-2": "3"})
    response = work.post(address(ada, "practice", 1), {**answer, "started_at": "x" * 5000})
    assert response.status_code == 302
    assert response["Location"].startswith(address(ada, "practice", 1, "compared"))
    assert "x" not in response["Location"].partition("?")[2]
    for _ in range(2):
        assert "Same as ours" in work.get(response["Location"]).content.decode()


@pytest.mark.parametrize("query", ["", "?rank-0=1", "?rank-0=1&rank-1=2&rank-2=9", "?rank-0=%00"])
def test_an_address_without_a_whole_answer_asks_again(ada: Annotator, work: Client, query: str) -> None:
    response = work.get(address(ada, "practice", 1, "compared") + query)
    assert response["Location"] == address(ada, "practice", 1)


def test_corrections_stand_in_a_random_order_that_stays(ada: Annotator) -> None:
    """Guidelines are written best first, so clicking from top to bottom would agree."""
    best = practice_of(ada.campaign)[0].block.corrections
    orders = set()
    for number in range(8):
        client = Client()
        annotator = add_annotator(ada.campaign, name=f"annotator {number}")
        client.post(f"/join/{mint_personal_link(annotator)}/")
        first, again = (
            tuple(output["text"] for output in client.get(address(ada, "practice", 1)).context["outputs"])
            for _ in range(2)
        )
        assert first == again
        assert sorted(first) == sorted(best)
        orders.add(first)
    assert len(orders) > 2


def test_missing_answers_are_reported(ada: Annotator, work: Client) -> None:
    response = work.post(address(ada, "practice", 1), {"rank-0": "1"})
    assert response.status_code == 422
    assert "correction 2, 3" in response.content.decode()


def test_there_is_no_other_item(ada: Annotator, work: Client) -> None:
    for number in (0, 2):
        assert work.get(address(ada, "practice", number)).status_code == 404


def test_a_draft_with_a_malformed_item_is_not_saved(admin: Client) -> None:
    corpus = small_corpus()
    with pytest.raises(PracticeError):
        draft_campaign(corpus, guidelines="```practice\nHe go .\n```")
    address = f"/campaigns/new/?corpus={corpus.uuid}&protocol=relative-ranking"
    page = admin.post(address, {"guidelines": "```practice\nHe go .\n```"})
    assert "The practice item in line 1 of the guidelines" in page.content.decode()
