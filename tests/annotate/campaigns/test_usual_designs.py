"""What follows from the protocol of a new campaign."""

import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate.campaigns.drafts import unused_name
from annotate.campaigns.usual_designs import usual_options
from annotate.design.practice import practice_items
from annotate.design.protocols import PROTOCOLS, Practisable, Protocol
from annotate.design.protocols.error_spans import USUAL_ANCHORS, ErrorSpansOptions
from annotate.design.protocols.scale_texts import scales_of
from annotate.models import Campaign, CampaignState, Corpus
from tests.annotate.campaigns.test_campaign_form import address
from tests.annotate.designs import draft_campaign
from tests.annotate.protocols import (
    CORRECTION,
    EACH,
    EDITS,
    ERROR_SPANS,
    PAIRS,
    RANKING,
    SCALARS,
    SCALES,
    VALIDITY,
)
from tests.annotate.running import draft
from tests.annotate.samples import small_corpus
from tests.annotate.toys import BetterOfTwo, Thumbs, TwoVersions, Verdict, registered

pytestmark = pytest.mark.django_db
TOYS = (Thumbs(), BetterOfTwo(), TwoVersions(), Verdict())


@pytest.fixture
def corpus(db: None) -> Corpus:
    corpus = small_corpus()
    corpus.systems.create(name="Gold", role="reference")
    return corpus


def as_it_comes(admin: Client, url: str) -> dict[str, Any]:
    """What a browser sends if the form is saved as it is."""
    form = admin.get(url).context["form"]
    sent = {field.html_name: _sent(field.value()) for field in form}
    return {name: value for name, value in sent.items() if value is not False and value is not None}


def _sent(value: Any) -> Any:
    return [getattr(each, "pk", each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("protocol", [*PROTOCOLS.values(), *TOYS], ids=lambda protocol: protocol.name)
def test_a_campaign_of_every_protocol_is_saved_and_launched_as_the_form_comes(
    admin: Client, corpus: Corpus, protocol: Protocol
) -> None:
    with registered(*TOYS):
        url = address(corpus, protocol.name)
        assert admin.post(url, as_it_comes(admin, url)).status_code == 302
        campaign = Campaign.objects.get()
        assert campaign.name == f"small: {protocol.title}"
        assert admin.get(reverse("manage-campaign", args=[campaign.uuid])).status_code == 200
        admin.post(reverse("launch-campaign", args=[campaign.uuid]))
        campaign.refresh_from_db()
        assert (campaign.protocol, campaign.state) == (protocol.name, CampaignState.RUNNING)
        assert campaign.items.exists()


@pytest.mark.parametrize("protocol", EACH)
def test_few_fields_are_shown_and_the_rest_is_under_more(
    admin: Client, corpus: Corpus, protocol: str
) -> None:
    page = admin.get(address(corpus, protocol))
    [first] = page.context["form"].groups()
    assert [field.name for field in first.fields] == {
        CORRECTION: ["name", "correction-instruction", "items", "annotators_per_item", "guidelines"],
        EDITS: ["name", "edits-edits", "systems", "items", "annotators_per_item", "guidelines"],
        SCALES: ["name", "scales-scales", "systems", "items", "annotators_per_item", "guidelines"],
    }.get(protocol, ["name", "systems", "items", "annotators_per_item", "guidelines"])
    assert '<details class="more">' in page.content.decode()


def initial(admin: Client, corpus: Corpus, protocol: str) -> dict[str, Any]:
    """The values with which the form begins."""
    return {field.name: field.value() for field in admin.get(address(corpus, protocol)).context["form"]}


def test_settings_are_those_of_the_protocol(admin: Client, corpus: Corpus) -> None:
    names = ("sampling", "covers_outputs", "annotators_per_item", "shared_percent", "repeat_percent")
    usual = {protocol: initial(admin, corpus, protocol) for protocol in EACH}
    assert {protocol: tuple(usual[protocol].get(name) for name in names) for protocol in EACH} == {
        RANKING: ("diverse", False, 2, 20, 5),
        SCALARS: ("uniform", False, 2, 20, 5),
        VALIDITY: ("uniform", True, 3, 100, 0),
        CORRECTION: ("uniform", None, 2, 100, 0),
        SCALES: ("uniform", False, 3, 100, 5),
        PAIRS: ("diverse", False, 2, 20, 5),
        EDITS: ("uniform", True, 2, 100, 0),
        ERROR_SPANS: ("uniform", False, 2, 30, 5),
    }
    marks_edits = {protocol for protocol in EACH if usual[protocol].get("marks_edits")}
    assert marks_edits == {RANKING, VALIDITY, PAIRS}
    assert {protocol for protocol in EACH if usual[protocol]["separates_domains"]} == {SCALARS}


def test_systems_are_those_that_the_protocol_asks_about(admin: Client, corpus: Corpus) -> None:
    def ticked(protocol: str) -> list[str]:
        field = admin.get(address(corpus, protocol)).context["form"]["systems"]
        return [system.name for system in field.initial]

    corpus.systems.create(name="SOURCE+ERROR", role="control")
    assert ticked(RANKING) == ticked(SCALARS) == ["Alder", "Birch", "Cedar", "INPUT", "SOURCE+ERROR"]
    assert ticked(VALIDITY) == ["Alder", "Birch", "Cedar", "Gold", "SOURCE+ERROR"]


def test_if_too_few_systems_have_the_usual_roles_all_are_ticked(admin: Client, corpus: Corpus) -> None:
    corpus.systems.filter(role="system").update(role="reference")
    field = admin.get(address(corpus, RANKING)).context["form"]["systems"]
    assert len(field.initial) == 5


def test_a_protocol_that_the_corpus_cannot_be_judged_by_says_why(admin: Client, corpus: Corpus) -> None:
    corpus.systems.exclude(name="Alder").update(is_whole=False)
    page = admin.get(address(corpus, RANKING)).content.decode()
    assert page.count("It needs 2 systems, and the corpus has 1.") == 3
    assert f'value="{RANKING}" disabled' in page
    assert f'value="{CORRECTION}" disabled' not in page


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.name)
def test_guidelines_begin_with_a_template_with_practice_items(
    admin: Client, corpus: Corpus, protocol: Protocol
) -> None:
    guidelines = initial(admin, corpus, protocol.name)["guidelines"]
    assert "Meaning" in guidelines or "meaning" in guidelines
    assert bool(practice_items(guidelines, protocol)) == isinstance(protocol, Practisable)
    german = small_corpus("german", language="de")
    assert "```" not in initial(admin, german, protocol.name)["guidelines"], (
        "the practice items are in English"
    )


@pytest.mark.parametrize(
    ("language", "fluency"), [("en", "Fluency"), ("de", "Flüssigkeit"), ("ar", "السلاسة")]
)
def test_scales_and_anchors_begin_in_the_language_of_annotators_pages(language: str, fluency: str) -> None:
    corpus = small_corpus(language=language)
    scales = usual_options(PROTOCOLS[SCALES], corpus)["scales"]
    assert [len(scale.points) for scale in scales_of(scales)] == [4, 4, 4]
    assert scales_of(scales)[1].name == fluency
    options = usual_options(PROTOCOLS[ERROR_SPANS], corpus)
    anchors = ErrorSpansOptions(anchors=options["anchors"]).each_anchor
    assert [anchor.score for anchor in anchors] == [0, 33, 66, 100]
    assert (options["anchors"] == USUAL_ANCHORS) == (language == "en")
    assert options["types"] == ""


def test_a_draft_without_guidelines_says_so_before_its_launch_and_offers_the_template(
    admin: Client, corpus: Corpus
) -> None:
    draft = draft_campaign(corpus)
    template = f"{reverse('edit-campaign', args=[draft.uuid])}?guidelines=usual"
    for page in ("manage-campaign", "launch-campaign"):
        assert template in admin.get(reverse(page, args=[draft.uuid])).content.decode(), page
    assert admin.get(template).context["form"]["guidelines"].value() == PROTOCOLS[RANKING].guidelines
    draft.design.guidelines = "Be fair."
    draft.design.save()
    assert "guidelines=usual" not in admin.get(reverse("launch-campaign", args=[draft.uuid])).content.decode()
    assert admin.get(template).context["form"]["guidelines"].value() == "Be fair."


def test_a_draft_can_change_its_protocol_and_takes_over_the_settings_of_the_new_one(
    admin: Client, corpus: Corpus
) -> None:
    draft = draft_campaign(corpus, batch_size=7, guidelines="Be fair.")
    change = reverse("edit-campaign", args=[draft.uuid])
    assert f'href="?protocol={VALIDITY}"' in admin.get(change).content.decode()
    other = f"{change}?protocol={VALIDITY}"
    admin.post(other, as_it_comes(admin, other))
    draft.refresh_from_db()
    design = draft.design
    assert (draft.protocol, design.outputs_per_screen, design.covers_outputs) == (VALIDITY, 1, True)
    assert (design.batch_size, design.guidelines, design.items) == (20, "Be fair.", 4)


def test_a_follow_up_keeps_its_protocol(admin: Client, corpus: Corpus) -> None:
    draft = draft_campaign(corpus)
    Campaign.objects.filter(pk=draft.pk).update(follows=draft_campaign(corpus, "first"))
    page = admin.get(f"{reverse('edit-campaign', args=[draft.uuid])}?protocol={VALIDITY}")
    assert page.context["form"].protocol.name == RANKING
    assert "?protocol=" not in page.content.decode().partition("live-preview")[0]


def test_names_are_suggested_that_nobody_has(corpus: Corpus) -> None:
    assert unused_name("pilot") == "pilot"
    for name, expected in (("pilot", "pilot 2"), ("pilot 2", "pilot 3"), ("x" * 200, f"{'x' * 198} 2")):
        draft_campaign(corpus, name)
        assert unused_name("pilot" if name[0] == "p" else name) == expected


def test_a_clone_gets_a_name(admin: Client, corpus: Corpus) -> None:
    url = reverse("clone-campaign", args=[draft_campaign(corpus, "pilot").uuid])
    assert admin.get(url).context["form"]["name"].value() == "pilot (copy)"
    draft_campaign(corpus, "pilot (copy)")
    assert admin.get(url).context["form"]["name"].value() == "pilot (copy) 2"


def test_essays_are_shown_beside_one_or_two_corrections(admin: Client, corpus: Corpus) -> None:
    Corpus.objects.update(holds_essays=True)
    usual = {
        name: admin.get(address(corpus, name)).context["form"].usual for name in (SCALES, RANKING, PAIRS)
    }
    assert {name: design.outputs_per_screen for name, design in usual.items()} == {
        SCALES: 1,
        RANKING: 2,
        PAIRS: 2,
    }
    assert all(design.marks_edits and design.batch_size == 5 for design in usual.values())


@pytest.mark.parametrize("name", [EDITS, ERROR_SPANS, CORRECTION])
def test_protocols_for_sentences_are_refused_for_essays_by_name(
    admin: Client, corpus: Corpus, name: str
) -> None:
    said = f"{PROTOCOLS[name].title} is for single sentences, and this corpus holds essays."
    Corpus.objects.update(holds_essays=True)
    corpus.refresh_from_db()
    page = admin.get(reverse("new-campaign"), {"corpus": str(corpus.uuid), "protocol": name})
    assert said in page.content.decode()
    with pytest.raises(ValidationError, match=re.escape(said)):
        draft(corpus=corpus, protocol=name)
