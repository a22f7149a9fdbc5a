"""An admin changes what a corpus is described by."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from analysis.analyses.systems.ranking import RANKING
from analysis.models import Run
from analysis.runs.sources import version_of
from annotate.models import AuditEntry, Corpus, Design, SystemRole
from annotate.scores.evaluation import compared_with, why_not
from metrics.registry import metric_from_text
from tests.annotate.running import draft, running
from tests.annotate.samples import sentence, small_campaign, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(language="fr")


def address(corpus: Corpus) -> str:
    return reverse("edit-corpus", args=[corpus.uuid])


def filled(corpus: Corpus, **changes: Any) -> dict[str, Any]:
    """The form as it comes, with changes; `Alder_label` stands for the label of Alder."""
    by_name = {system.name: system for system in corpus.systems.all()}
    sent = {"name": corpus.name, "language": corpus.language, "tokenisation": ""}
    for system in by_name.values():
        sent |= {f"label-{system.pk}": system.shown, f"role-{system.pk}": system.role}
        sent[f"family-{system.pk}"] = system.family
    for name, value in changes.items():
        system_name, _, part = name.rpartition("_")
        sent[f"{part}-{by_name[system_name].pk}" if system_name in by_name else name] = value
    return sent


def faults(admin: Client, corpus: Corpus, **changes: Any) -> str:
    """The errors in the refused form."""
    response = admin.post(address(corpus), filled(corpus, **changes))
    assert response.status_code == 200
    return " ".join(str(errors[0]) for errors in response.context["form"].errors.values())


def domains(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("domains.txt", text.encode())


def test_the_page_shows_names_of_languages_and_links_to_the_change(admin: Client, corpus: Corpus) -> None:
    page = admin.get(corpus.get_absolute_url()).content.decode()
    assert "language: French" in page
    assert f'href="{address(corpus)}"' in page
    form = admin.get(address(corpus)).content.decode()
    assert '<option value="fr" selected>French (fr)</option>' in form
    assert '<option value="cs">Czech (cs)</option>' in form


def test_a_corpus_in_english_after_all_gets_the_metrics_of_english(admin: Client, corpus: Corpus) -> None:
    meteor = metric_from_text("meteor")
    assert why_not(meteor, corpus, compared_with(corpus)) == "it is for English, and the corpus is in French"
    response = admin.post(address(corpus), filled(corpus, language="en"), follow=True)
    assert "The changes are saved." in response.content.decode()
    corpus.refresh_from_db()
    assert why_not(meteor, corpus, compared_with(corpus)) == ""


def test_a_corpus_becomes_one_of_essays(admin: Client, corpus: Corpus) -> None:
    assert admin.post(address(corpus), filled(corpus, holds_essays="on")).status_code == 302
    corpus.refresh_from_db()
    assert corpus.holds_essays
    assert AuditEntry.objects.get(action="describe").details["changed"] == ["holds_essays"]
    admin.post(address(corpus), filled(corpus))
    corpus.refresh_from_db()
    assert not corpus.holds_essays


def test_title_tokenisation_labels_and_domains_are_changed(admin: Client, corpus: Corpus) -> None:
    changes = {"name": "Letters", "tokenisation": "running", "Alder_label": "Alder et al."}
    admin.post(address(corpus), filled(corpus, **changes, domains=domains("mail\nmail\n\nessay\n")))
    corpus.refresh_from_db()
    assert (corpus.name, corpus.tokenisation) == ("Letters", "running")
    assert corpus.systems.get(name="Alder").label == "Alder et al."
    assert list(corpus.sentences.values_list("domain", flat=True)) == ["mail", "mail", "", "essay"]
    scores = admin.get(reverse("corpus-scores", args=[corpus.uuid])).content.decode()
    assert "punctuation counts as part of the words" in scores
    entry = AuditEntry.objects.get(action="describe")
    assert entry.details["changed"] == ["domains", "labels", "name", "tokenisation"]


def test_roles_are_changed_and_the_source_can_be_another(admin: Client) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He go .", "He goes .", "He went .")])
    changes = {"INPUT_role": "system", "Alder_role": "source", "Cedar_role": "reference"}
    admin.post(address(corpus), filled(corpus, **changes))
    roles = dict(corpus.systems.values_list("name", "role"))
    assert roles == {"Alder": "source", "Birch": "system", "Cedar": "reference", "INPUT": "system"}


def test_families_are_stated_and_results_by_them_are_computed_anew(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus), filled(corpus, Alder_family="GPT <b>", Birch_family="LLaMA"))
    corpus.refresh_from_db()
    assert dict(corpus.systems.exclude(family="").values_list("name", "family")) == {
        "Alder": "GPT <b>",
        "Birch": "LLaMA",
    }
    assert corpus.described_at is not None
    assert "(family <bdi>GPT &lt;b&gt;</bdi>)" in admin.get(corpus.get_absolute_url()).content.decode()
    assert AuditEntry.objects.get(action="describe").details["changed"] == ["families"]


def test_nothing_happens_if_nothing_changes(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus), filled(corpus))
    corpus.refresh_from_db()
    assert corpus.described_at is None
    assert not AuditEntry.objects.filter(action="describe").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "taken"}, "Another corpus has this name"),
        ({"language": "English"}, "“English” is not one of the choices"),
        ({"Alder_role": "source"}, "It changes the source, so it cannot be the source."),
        ({"Alder_label": "Birch"}, "is displayed with the same name"),
        ({"Alder_label": "a\tb"}, "The label contains the control character U+0009"),
        ({"Alder_family": "a\u202eb"}, "The family contains the character U+202E"),
        ({"Alder_family": "x" * 101}, "A family has at most 100 characters."),
        ({"domains": domains("mail\n")}, "domains.txt: 1 lines, and the corpus has 4 sentences."),
        ({"domains": domains("a\nb \nc\nd")}, "domains.txt, line 2: the domain starts or ends with a blank."),
        ({"domains": SimpleUploadedFile("domains.txt", b"\xff")}, "domains.txt"),
    ],
)
def test_faults_are_explained_and_change_nothing(
    admin: Client, corpus: Corpus, changes: dict[str, Any], message: str
) -> None:
    small_corpus("taken")
    before = list(Corpus.objects.order_by("pk").values()), list(corpus.systems.values())
    assert message in faults(admin, corpus, **changes)
    assert (list(Corpus.objects.order_by("pk").values()), list(corpus.systems.values())) == before


def test_there_is_only_one_source(admin: Client) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He go .", "He goes .", "He went .")])
    assert "Alder is already the source; there can be only one." in faults(admin, corpus, Alder_role="source")


def test_results_by_roles_and_language_are_computed_anew_and_those_by_labels_are_not(
    admin: Client, corpus: Corpus
) -> None:
    campaign = small_campaign(corpus)
    admin.get(reverse("ranking", args=[campaign.uuid]))
    run = Run.objects.get(analysis=RANKING.name)

    def is_current() -> bool:
        campaign.refresh_from_db()
        return version_of(RANKING, campaign).state == run.inputs

    admin.post(address(corpus), filled(corpus, Alder_label="Alder et al."))
    assert is_current()
    corpus.refresh_from_db()
    admin.post(address(corpus), filled(corpus, Cedar_role=SystemRole.REFERENCE))
    assert not is_current()
    assert Run.objects.filter(pk=run.pk).exists(), "the earlier result stays as it was"


def test_languages_that_were_stored_by_name_become_tags(corpus: Corpus) -> None:
    stored = {"English": "en", "german": "de", "EN": "en", "Klingons": "Klingons", "en-x-a": "en-x-a"}
    for number, language in enumerate(stored):
        Corpus.objects.create(name=f"{number}", language=language)
    migration = import_module("annotate.migrations.0005_language_tags")
    migration.name_languages_by_tags(apps, None)
    assert dict(Corpus.objects.exclude(pk=corpus.pk).values_list("name", "language")) == {
        f"{number}": tag for number, tag in enumerate(stored.values())
    }


def test_the_form_says_what_the_sentences_look_like(admin: Client, corpus: Corpus) -> None:
    assert "The sentences of this corpus look like tokens." in admin.get(address(corpus)).content.decode()
    admin.post(address(corpus), filled(corpus, tokenisation="tokens"))
    assert "look like" not in admin.get(address(corpus)).content.decode()
    page = admin.get(corpus.get_absolute_url()).content.decode()
    assert "She go home.</p>" in page


def test_annotators_of_launched_campaigns_go_on_with_stored_text(corpus: Corpus) -> None:
    launched, drafted = running(corpus=corpus), draft("draft", corpus=corpus)
    Design.objects.update(natural_text=True)
    migration = import_module("annotate.migrations.0009_natural_text")
    migration.keep_stored_text(apps, None)
    assert Design.objects.get(campaign=launched).natural_text is False
    assert Design.objects.get(campaign=drafted).natural_text is True
