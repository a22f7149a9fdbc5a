"""What the form of a campaign and its practice ask, by the interface of protocols."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate.design.practice import PracticeError
from annotate.judging.entering import add_annotator
from annotate.models import Campaign, Corpus
from tests.annotate.campaigns.test_campaign_form import address, filled, problems
from tests.annotate.running import draft, running
from tests.annotate.toy_protocols.at_work import AtWork
from tests.annotate.toy_protocols.cases import Case
from tests.annotate.toys import BetterOfTwo, TwoVersions, Verdict

pytestmark = pytest.mark.django_db


def test_a_campaign_without_outputs_has_no_systems(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus, TwoVersions.name), filled(corpus, covers_outputs="on"))
    design = Campaign.objects.get().design
    assert not design.campaign.systems.exists()
    assert (design.outputs_per_screen, design.covers_outputs) == (0, False)


def test_a_verdict_needs_one_system(admin: Client, corpus: Corpus) -> None:
    url = address(corpus, Verdict.name)
    assert problems(admin, url, filled(corpus, systems=[])) == {"systems": ["This field is required."]}
    one = filled(corpus, systems=[corpus.systems.all()[0].pk])
    assert admin.post(url, one).status_code == 302


def test_diverse_outputs_are_for_screens_that_compare(admin: Client, corpus: Corpus, case: Case) -> None:
    form, url = filled(corpus, sampling="diverse", guidelines=""), address(corpus, case.protocol.name)
    if case.protocol.most_outputs > 1:
        assert admin.post(url, form).status_code == 302
    else:
        assert problems(admin, url, form).keys() == {"sampling"}


@pytest.mark.parametrize(("sent", "ties"), [({}, "no"), ({"better-of-two-ties": "on"}, "yes")])
def test_a_yes_no_option_is_ticked_only_where_it_was(
    admin: Client, corpus: Corpus, sent: dict[str, str], ties: str
) -> None:
    url = address(corpus, BetterOfTwo.name)
    page = admin.get(url)
    new = str(page.context["form"]["better-of-two-ties"])
    assert re.search(rf'class="field ticked">\s*{re.escape(new)} <label', page.content.decode())
    assert "checked" not in new
    assert "value=" not in new, "a ticked box sends its value"
    admin.post(url, filled(corpus, guidelines="", **sent))
    campaign = Campaign.objects.get()
    assert campaign.design.protocol_options == {"ties": ties}
    form = admin.get(reverse("edit-campaign", args=[campaign.uuid])).context["form"]
    again = str(form["better-of-two-ties"])
    assert ("checked" in again) == (ties == "yes")
    assert "value=" not in again


def test_the_form_leaves_out_fields_that_the_protocol_has_no_use_for(admin: Client, corpus: Corpus) -> None:
    two, one = (admin.get(address(corpus, toy.name)).context["form"].fields for toy in (TwoVersions, Verdict))
    assert "outputs_per_screen" not in {*two, *one}
    assert {"systems", "practice_needed"}.isdisjoint(two)
    assert {"systems", "practice_needed"} <= set(one)


def test_every_output_can_have_a_screen_of_its_own(corpus: Corpus) -> None:
    campaign = running(
        corpus=corpus,
        protocol=Verdict.name,
        outputs_per_screen=1,
        covers_outputs=True,
        listed_sentences=[0, 1],
    )
    shown = campaign.items.values_list("sentence__position", "outputs__text").order_by("sentence", "outputs")
    assert len(set(shown)) == len(shown) == 3 + 4


def test_services_refuse_what_the_form_does(corpus: Corpus) -> None:
    with pytest.raises(ValidationError, match="room for 1 output"):
        draft(corpus=corpus, protocol=Verdict.name, outputs_per_screen=2)
    with pytest.raises(ValidationError, match="must be at least 1"):
        draft(corpus=corpus, protocol=Verdict.name, outputs_per_screen=0)


PRACTICE = "```practice\nHe go .\nright | He goes .\n\nIt agrees.\n```"


def test_practice_of_one_correction(corpus: Corpus) -> None:
    campaign = running(
        corpus=corpus,
        protocol=Verdict.name,
        outputs_per_screen=1,
        guidelines=PRACTICE,
        practice_needed=1,
        marks_edits=False,
    )
    anna = AtWork(add_annotator(campaign, name="anna"))
    practice = f"/judge/{campaign.uuid}/practice/1/"
    assert "He goes ." in anna.get(practice).content.decode()
    compared = anna.post(practice, {"verdict": "right"})
    page = anna.get(compared.url).content.decode()
    assert "Same as ours" in page
    assert [page.count(f'data-whose="{whose}"><bdi>right</bdi>') for whose in ("Yours", "Ours")] == [1, 1]


def test_practice_that_the_protocol_does_not_ask_is_refused(corpus: Corpus) -> None:
    with pytest.raises(
        PracticeError, match=r"line 1 of the guidelines: “Two versions” has no practice items"
    ):
        draft(corpus=corpus, protocol=TwoVersions.name, outputs_per_screen=0, guidelines=PRACTICE)
