"""Practice that counts: only annotators who agree on enough items begin, unless an admin admits them."""

import pytest
from django.test import Client

from annotate.design.practice import PracticeError, without_practice
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.handout import give_next_showing
from annotate.models import Annotator, AuditEntry, Campaign, PracticeAnswer
from tests.annotate.crowds import crowd_of, visit_of
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.practising import as_shown
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db

GUIDELINES = """
# What counts

```practice
She go home .
1 | She goes home .
2 | She go home .

The *first* is right.
```

Grammar first.

```practice
I has cats .
1 | I have cats .
2 | I has cat .
```
"""
AS_WE_DO, THE_OTHER_WAY = {"rank-0": "1", "rank-1": "2"}, {"rank-0": "2", "rank-1": "1"}


def asking(needed: int = 2, tries: int = 2) -> Campaign:
    return running_campaign(
        small_corpus(), guidelines=GUIDELINES, practice_needed=needed, practice_tries=tries
    )


def entered(annotator: Annotator) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(annotator)}/")
    client.post(address(annotator, "guidelines"))
    return client


def address(annotator: Annotator, *rest: object) -> str:
    return "/".join(["/judge", str(annotator.campaign.uuid), *map(str, rest), ""])


def practise(client: Client, ada: Annotator, *answers: dict[str, str]) -> str:
    """Answer the items in their order, and read where that leads."""
    for number, answer in enumerate(answers, start=1):
        client.post(address(ada, "practice", number), as_shown(ada, number, answer))
    leads_to = client.post(address(ada, "practice/end"))["Location"]
    return client.get(leads_to, follow=True).content.decode()


@pytest.fixture
def ada() -> Annotator:
    return add_annotator(asking(), name="ada")


def test_annotators_with_enough_agreement_begin(ada: Annotator) -> None:
    client = entered(ada)
    assert give_next_showing(ada) is None
    assert client.get(address(ada))["Location"] == address(ada, "practice", 1)
    result = practise(client, ada, AS_WE_DO, AS_WE_DO)
    assert "You agreed with us on 2 of 2 practice items; this task needs 2." in result
    assert f'href="{address(ada)}"' in result
    assert "data-showing" in client.get(address(ada), follow=True).content.decode()
    assert give_next_showing(ada) is not None


def test_expected_ratings_show_only_after_an_answer(ada: Annotator) -> None:
    client = entered(ada)
    compared = address(ada, "practice", 1, "compared") + "?rank-0=1&rank-1=2"
    assert client.get(compared)["Location"] == address(ada, "practice", 1)
    client.post(address(ada, "practice", 1), as_shown(ada, 1, AS_WE_DO))
    assert client.get(compared).status_code == 200


def test_nobody_begins_without_practice(ada: Annotator) -> None:
    client = entered(ada)
    assert "Begin without practice" not in client.get(address(ada, "practice", 1)).content.decode()
    assert "Nearly there" in practise(client, ada, AS_WE_DO)
    assert give_next_showing(ada) is None


def test_expected_ratings_are_not_on_the_practice_page(ada: Annotator) -> None:
    page = entered(ada).get(address(ada, "practice", 1)).content.decode()
    assert "Grammar first." in page
    assert "is right" not in page
    assert without_practice(GUIDELINES).split() == ["#", "What", "counts", "Grammar", "first."]


def test_guidelines_without_their_practice_have_no_heading_of_nothing() -> None:
    practice = "```practice\nHe go .\n1 | He goes .\n```"
    guidelines = f"# First\n\nBe fair.\n\n# To practise\n\n## Easy\n\n{practice}\n\n{practice}"
    assert without_practice(guidelines).split() == ["#", "First", "Be", "fair."]
    kept = f"# First\n\n# Look\n\n{practice}\n\nNow you know.\n\n## More"
    assert without_practice(kept).split() == ["#", "First", "#", "Look", "Now", "you", "know.", "##", "More"]


def test_the_first_answer_counts_and_is_kept(ada: Annotator) -> None:
    client = entered(ada)
    for answer in (THE_OTHER_WAY, AS_WE_DO):
        fields = as_shown(ada, 1, answer)
        page = client.post(address(ada, "practice", 1), fields, follow=True).content.decode()
    assert "Same as ours" in page
    assert "The first answer counts." in page
    [kept] = PracticeAnswer.objects.all()
    assert (kept.attempt, kept.number, kept.agrees, kept.fields) == (1, 1, False, THE_OTHER_WAY)


def test_there_is_another_attempt_and_then_a_kind_end(ada: Annotator) -> None:
    client = entered(ada)
    assert "Please try once more" in practise(client, ada, AS_WE_DO, THE_OTHER_WAY)
    page = practise(client, ada, THE_OTHER_WAY, THE_OTHER_WAY)
    assert "Thank you for trying" in page
    assert "failed" not in page
    assert "Thank you for trying" in practise(client, ada, AS_WE_DO, AS_WE_DO)
    assert PracticeAnswer.objects.count() == 4
    assert client.get(address(ada), follow=True).content.decode().count("Thank you for trying") == 1
    assert give_next_showing(ada) is None


def test_the_second_attempt_can_be_the_good_one(ada: Annotator) -> None:
    client = entered(ada)
    practise(client, ada, THE_OTHER_WAY, THE_OTHER_WAY)
    assert "You can begin" in practise(client, ada, AS_WE_DO, AS_WE_DO)


def test_an_admin_lets_somebody_through(ada: Annotator, admin: Client) -> None:
    client = entered(ada)
    for _ in range(2):
        practise(client, ada, THE_OTHER_WAY, THE_OTHER_WAY)
    manage = f"/campaigns/{ada.campaign.uuid}/manage/"
    assert "Let ada start" in admin.get(manage).content.decode()
    admin.post(f"/campaigns/{ada.campaign.uuid}/annotators/{ada.pk}/let-through/")
    assert "Let ada start" not in admin.get(manage).content.decode()
    assert "data-showing" in client.get(address(ada), follow=True).content.decode()
    entry = AuditEntry.objects.get(action="let-through")
    assert (entry.who, entry.details) == ("the-admin", {"annotator": "ada (Annotator 1)"})


def test_a_worker_of_a_crowd_is_told_how_to_go_back() -> None:
    campaign = asking(tries=1)
    visit = visit_of(crowd_of(campaign))
    client = entered(visit.worker.annotator)
    page = practise(client, visit.worker.annotator, THE_OTHER_WAY, THE_OTHER_WAY)
    assert "How to return" in page
    assert "RETURNED" in client.get(address(visit.worker.annotator, "end")).content.decode()


def test_without_the_option_nothing_is_kept() -> None:
    ada = add_annotator(asking(needed=0), name="ada")
    assert "data-showing" in practise(entered(ada), ada, THE_OTHER_WAY)
    assert not PracticeAnswer.objects.exists()


def test_more_than_there_is_cannot_be_asked() -> None:
    with pytest.raises(
        PracticeError, match="Agreement on 3 practice items is required, but the guidelines have only 2"
    ):
        draft_campaign(small_corpus(), guidelines=GUIDELINES, practice_needed=3)
