import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotate.models import Campaign, CampaignState, Corpus, CorpusState, Sampling
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.protocols import CORRECTION, RANKING, SCALARS
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus


@pytest.fixture
def corpus(db: None) -> Corpus:
    return small_corpus()


def address(corpus: Corpus, protocol: str = RANKING) -> str:
    return f"{reverse('new-campaign')}?corpus={corpus.uuid}&protocol={protocol}"


def filled(corpus: Corpus, **changes: Any) -> dict[str, Any]:
    """The form, filled for a legal campaign."""
    return {
        "name": "pilot",
        "systems": [system.pk for system in corpus.systems.all()],
        "outputs_per_screen": 3,
        "items": 4,
        "sampling": "uniform",
        "listed_sentences": "",
        "annotators_per_item": 2,
        "shared_percent": 50,
        "repeat_percent": 0,
        "checked_percent": 100,
        "batch_size": 10,
        "lease_minutes": 30,
        "time_zone": "Europe/Berlin",
        "guidelines": "Be *fair*.",
        "practice_needed": 0,
        "practice_tries": 2,
        "stops_when": "never",
        "stop_confidence": 95,
        "stop_after": 200,
        **changes,
    }


def problems(client: Client, url: str, form: dict[str, Any]) -> dict[str, list[str]]:
    """The faults in the response, by field."""
    response = client.post(url, form)
    assert response.status_code == 200
    return dict(response.context["form"].errors)


def test_a_corpus_offers_admins_a_new_campaign_of_it(
    admin: Client, researcher: Client, corpus: Corpus
) -> None:
    offered = f'href="{reverse("new-campaign")}?corpus={corpus.uuid}"'
    assert offered in admin.get(corpus.get_absolute_url()).content.decode()
    assert offered not in researcher.get(corpus.get_absolute_url()).content.decode()


def test_options_of_the_protocol_are_stored_and_shown_again(admin: Client, corpus: Corpus) -> None:
    chosen = {"correction-instruction": "fluency", "correction-versions": "3", "guidelines": ""}
    admin.post(address(corpus, CORRECTION), filled(corpus, **chosen))
    campaign = Campaign.objects.get()
    assert campaign.design.protocol_options == {"instruction": "fluency", "versions": "3"}
    change = reverse("edit-campaign", args=[campaign.uuid])
    form = admin.get(change).context["form"]
    assert [form[name].value() for name in ("correction-instruction", "correction-versions")] == [
        "fluency",
        "3",
    ]
    wrong = filled(corpus, guidelines="", **{"correction-versions": "9"})
    assert problems(admin, change, wrong) == {"correction-versions": ["Versions should be at most 5, not 9."]}
    admin.post(f"{change}?protocol={RANKING}", filled(corpus, **chosen))
    campaign.design.refresh_from_db()
    assert campaign.design.protocol_options == {"confidence": "no"}, "those of another protocol are dropped"


def test_only_admins_are_offered_a_new_campaign(admin: Client, researcher: Client, corpus: Corpus) -> None:
    assert reverse("new-campaign") in admin.get("/").content.decode()
    assert reverse("new-campaign") not in researcher.get("/").content.decode()


def test_a_researcher_cannot_send_the_form(researcher: Client, corpus: Corpus) -> None:
    assert researcher.post(address(corpus), filled(corpus)).status_code == 403
    assert not Campaign.objects.exists()


def test_the_corpus_is_chosen_first(admin: Client, corpus: Corpus) -> None:
    campaign_without_texts("alone")
    Corpus.objects.filter(pk=small_corpus("half").pk).update(state=CorpusState.IMPORTING)
    page = admin.get(reverse("new-campaign")).content.decode()
    assert page.count("<option") == 1
    assert f'<option value="{corpus.uuid}">small</option>' in page


@pytest.mark.parametrize("value", ["", "x", str(UUID(int=1))])
def test_a_corpus_that_is_not_there_can_be_chosen_again(admin: Client, corpus: Corpus, value: str) -> None:
    page = admin.get(f"{reverse('new-campaign')}?corpus={value}").content.decode()
    assert "errorlist" in page
    assert f'<option value="{corpus.uuid}">' in page


def test_without_a_corpus_it_says_what_to_do(admin: Client) -> None:
    assert "import_corpus" in admin.get(reverse("new-campaign")).content.decode()


def test_the_form_suits_the_corpus(admin: Client, corpus: Corpus) -> None:
    corpus.systems.create(name="Gold", role="reference")
    form = admin.get(address(corpus)).context["form"]
    assert [label for _, label in form["systems"].field.choices] == [
        "Alder",
        "Birch",
        "Cedar",
        "Gold (reference)",
        "INPUT (source)",
    ]
    assert [system.name for system in form["systems"].initial] == ["Alder", "Birch", "Cedar", "INPUT"]
    assert form["outputs_per_screen"].value() == 4
    assert form["items"].value() == corpus.sentence_count


def test_every_field_has_a_line_of_help(admin: Client, corpus: Corpus) -> None:
    page = admin.get(address(corpus))
    for field in page.context["form"]:
        assert f'id="{field.auto_id}_helptext"' in page.content.decode(), field.name
        assert field.help_text, field.name


def test_every_field_is_in_one_group(admin: Client, corpus: Corpus) -> None:
    form = admin.get(address(corpus)).context["form"]
    grouped = [field.name for group in (*form.groups(), *form.folded()) for field in group.fields]
    assert sorted(grouped) == sorted(form.fields)


def test_rare_settings_are_folded_unless_one_is_wrong_or_unusual(admin: Client, corpus: Corpus) -> None:
    folded = '<details class="more">'
    assert folded in admin.get(address(corpus)).content.decode()
    usual = {field.html_name: field.value() for field in admin.get(address(corpus)).context["form"]}
    sent = {name: value for name, value in usual.items() if value is not False and name != "systems"}
    assert folded in admin.post(address(corpus), {**sent, "name": ""}).content.decode()
    assert folded not in admin.post(address(corpus), {**sent, "lease_minutes": "x"}).content.decode()
    assert folded not in admin.post(address(corpus), {**sent, "name": "", "batch_size": 7}).content.decode()
    draft = draft_campaign(corpus)
    page = admin.get(reverse("edit-campaign", args=[draft.uuid]))
    assert folded not in page.content.decode(), "its sampling is not the usual one"


def test_fields_depend_on_fields_that_are_there(admin: Client, corpus: Corpus) -> None:
    form = admin.get(address(corpus)).context["form"]
    for name, conditions in form.ONLY_IF.items():
        assert {name, *(one.partition("=")[0] for one in conditions.split())} <= set(form.fields)
    assert 'data-only-if="separates_domains"' in admin.get(address(corpus)).content.decode()


def test_it_makes_a_draft(admin: Client, corpus: Corpus) -> None:
    chosen = corpus.systems.exclude(name="Cedar")
    chosen_options = {"marks_edits": "True", "covers_outputs": "on", "shows_context": "on"}
    form = filled(corpus, systems=[system.pk for system in chosen], **chosen_options)
    response = admin.post(address(corpus), form, follow=True)
    campaign = Campaign.objects.get()
    assert response.redirect_chain == [(reverse("manage-campaign", args=[campaign.uuid]), 302)]
    assert 'role="status">The draft is saved.' in response.content.decode()
    assert (campaign.name, campaign.corpus, campaign.state) == ("pilot", corpus, CampaignState.DRAFT)
    assert set(campaign.systems.all()) == set(chosen)
    design = campaign.design
    assert (design.items, design.outputs_per_screen) == (4, 3)
    assert (design.annotators_per_item, design.shared_percent, design.repeat_percent) == (2, 50, 0)
    assert (design.batch_size, design.lease_minutes) == (10, 30)
    assert (design.marks_edits, design.with_replacement) == (True, False)
    assert (design.covers_outputs, design.checked_percent) == (True, 100)
    assert (design.separates_domains, design.time_zone) == (False, "Europe/Berlin")
    assert (design.guidelines, design.shows_context) == ("Be *fair*.", True)
    assert not campaign.items.exists()


def test_a_screen_has_room_for_what_its_protocol_can_show(admin: Client, corpus: Corpus) -> None:
    for number in range(8):
        corpus.systems.create(name=f"System-{number}")
    wrong = problems(admin, address(corpus, SCALARS), filled(corpus, outputs_per_screen=6))
    assert wrong == {"outputs_per_screen": ["A screen of this protocol has room for 5 outputs."]}


def test_a_list_of_sentences_is_read_and_shown_again(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus), filled(corpus, sampling="listed", listed_sentences="3, 0-2"))
    campaign = Campaign.objects.get()
    assert campaign.design.sampling == Sampling.LISTED
    assert campaign.design.listed_sentences == [3, 0, 1, 2]
    page = admin.get(reverse("edit-campaign", args=[campaign.uuid])).content.decode()
    assert "\n3, 0-2</textarea>" in page


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("field", "value", "advice"),
    [
        ("name", "", "required"),
        ("name", "a\tb", "control character U+0009"),
        ("name", "taken", "Another campaign has this name"),
        ("systems", [], "required"),
        ("systems", [10**6], "is not one of the choices"),
        ("outputs_per_screen", 1, "must be at least 2"),
        ("outputs_per_screen", 5, "4 systems cannot fill a screen of 5 outputs: ask for at most 4"),
        ("checked_percent", 101, "must be at most 100"),
        ("time_zone", "Berlin", "“Berlin” is not a time zone. Enter a name such as UTC or Europe/Berlin."),
        ("items", 0, "must be at least 1"),
        ("items", "many", "Enter a whole number"),
        ("items", 1_000_001, "a campaign has room for 1000000"),
        ("sampling", "odd", "“odd” is not one of the choices"),
        ("listed_sentences", "1-", "“1-” is neither a number nor a range"),
        ("listed_sentences", "4", "beyond its last, 3"),
        ("annotators_per_item", 0, "must be at least 1"),
        ("annotators_per_item", 101, "must be at most 100"),
        ("shared_percent", 101, "must be at most 100"),
        ("repeat_percent", -1, "must be at least 0"),
        ("batch_size", 0, "must be at least 1"),
        ("practice_needed", 1, "Agreement on 1 practice item is required, but the guidelines have only 0"),
        ("practice_tries", 0, "must be at least 1"),
        ("lease_minutes", 0, "must be at least 1"),
        ("stop_after", 0, "must be at least 1"),
        ("stop_confidence", 100, "must be at most 99"),
        ("guidelines", "x" * 50_001, "At most 50000 characters"),
    ],
)
def test_faults_are_shown_beside_their_fields(
    admin: Client, corpus: Corpus, field: str, value: Any, advice: str
) -> None:
    small_campaign(corpus, "taken")
    wrong = problems(admin, address(corpus), filled(corpus, **{field: value}))
    assert wrong.keys() == {field}
    assert advice in " ".join(wrong[field])
    assert Campaign.objects.count() == 1


def test_a_screen_has_room_for_nine_outputs_however_many_systems_there_are(
    admin: Client, corpus: Corpus
) -> None:
    for number in range(8):
        corpus.systems.create(name=f"System-{number}")
    wrong = problems(admin, address(corpus), filled(corpus, outputs_per_screen=10))
    assert wrong == {"outputs_per_screen": ["A screen of this protocol has room for 9 outputs."]}


def test_one_system_alone_is_refused(admin: Client, corpus: Corpus) -> None:
    one = filled(corpus, systems=[corpus.systems.all()[0].pk])
    assert "tick at least two" in problems(admin, address(corpus), one)["systems"][0]


def test_systems_of_another_corpus_are_refused(admin: Client, corpus: Corpus) -> None:
    foreign = filled(small_corpus("other"))
    assert problems(admin, address(corpus), foreign).keys() == {"systems"}


def test_an_empty_list_is_refused_where_a_list_is_asked_for(admin: Client, corpus: Corpus) -> None:
    wrong = problems(admin, address(corpus), filled(corpus, sampling="listed"))
    assert wrong == {"listed_sentences": ["List the sentences to judge, or choose how to draw them."]}


def test_entries_are_kept_if_the_form_has_faults(admin: Client, corpus: Corpus) -> None:
    form = filled(corpus, items=0, listed_sentences="1-", guidelines="<b>Fair</b>")
    page = admin.post(address(corpus), form).content.decode()
    assert "\n1-</textarea>" in page
    assert "\n&lt;b&gt;Fair&lt;/b&gt;</textarea>" in page


def test_an_empty_form_names_the_missing_fields(admin: Client, corpus: Corpus) -> None:
    assert {"name", "systems", "items"} <= problems(admin, address(corpus), {}).keys()


def test_a_draft_is_changed(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus)
    url = reverse("edit-campaign", args=[campaign.uuid])
    shown = admin.get(url).context["form"]
    assert (shown["name"].value(), shown["items"].value()) == ("drafted", 4)
    chosen = corpus.systems.filter(name__in=["Alder", "Birch", "Cedar"])
    form = filled(corpus, items=2, systems=[system.pk for system in chosen])
    page = admin.post(url, form, follow=True).content.decode()
    assert "The changes are saved." in page
    changed = Campaign.objects.get()
    assert (changed.pk, changed.name, changed.design.items) == (campaign.pk, "pilot", 2)
    assert set(changed.systems.all()) == set(chosen)


def test_a_draft_may_keep_its_name(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus)
    form = filled(corpus, name=campaign.name)
    assert admin.post(reverse("edit-campaign", args=[campaign.uuid]), form).status_code == 302


@pytest.mark.parametrize("method", ["get", "post"])
def test_after_launch_the_form_says_to_clone_instead(admin: Client, corpus: Corpus, method: str) -> None:
    campaign = running_campaign(corpus)
    url = reverse("edit-campaign", args=[campaign.uuid])
    response = getattr(admin, method)(url, filled(corpus), follow=True)
    assert response.redirect_chain == [(reverse("manage-campaign", args=[campaign.uuid]), 302)]
    assert "Clone it, and change the clone instead." in response.content.decode()
    campaign.refresh_from_db()
    assert (campaign.name, campaign.design.guidelines) == ("running", "")


def test_imported_judgments_cannot_be_managed(admin: Client, corpus: Corpus) -> None:
    campaign = small_campaign(corpus)
    for name in ("manage-campaign", "edit-campaign", "launch-campaign", "clone-campaign"):
        assert admin.get(reverse(name, args=[campaign.uuid])).status_code == 404
    assert reverse("manage-campaign", args=[campaign.uuid]) not in admin.get("/").content.decode()


def test_queries_do_not_grow_with_the_corpus(
    admin: Client, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        corpus.systems.create(name=f"System-{number}")
    with django_assert_num_queries(7):
        admin.get(address(corpus))


@pytest.mark.parametrize(("ticked", "rules"), [({"natural_text": "on"}, "english"), ({}, None)])
def test_a_tokenised_corpus_can_be_shown_as_people_write_it(
    admin: Client, ticked: dict[str, str], rules: str | None
) -> None:
    corpus = small_corpus("tokens", tokenisation="tokens")
    page = admin.get(address(corpus)).content.decode()
    assert re.search(r'name="natural_text"[^>]* checked', page)
    admin.post(address(corpus), filled(corpus, **ticked))
    assert Campaign.objects.get(name="pilot").text_rules == rules
    stored = admin.get(address(small_corpus("stored"))).content.decode()
    assert 'name="natural_text"' not in stored


def test_it_names_the_machine_whose_answer_is_shown_and_pages_say_so(admin: Client) -> None:
    corpus = small_corpus()
    admin.post(address(corpus), filled(corpus, opinion_of=" gpt "))
    campaign = Campaign.objects.get(name="pilot")
    assert campaign.design.opinion_of == "gpt"
    for page in ("manage", "launch"):
        assert (
            "the answer of the machine gpt, if"
            in admin.get(f"/campaigns/{campaign.uuid}/{page}/").content.decode()
        )
    Campaign.objects.filter(pk=campaign.pk).update(state="running")
    changed = admin.post(f"/campaigns/{campaign.uuid}/edit/", filled(corpus, opinion_of="other"), follow=True)
    assert "frozen" in changed.content.decode()
    assert Campaign.objects.get(pk=campaign.pk).design.opinion_of == "gpt"
