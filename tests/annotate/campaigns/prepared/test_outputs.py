"""The launch fixes what a protocol asks about outputs: their edits, from M2, from ERRANT or of words."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import launch
from annotate.corpora import labelling
from annotate.design.protocols import Edits
from annotate.design.sampling import SamplingError
from annotate.judging.entering import add_annotator
from annotate.judging.handout import give_next_screen
from annotate.models import Campaign, CampaignState, Corpus, ItemOutput, OutputEdit, Production, System
from formats import Edit, Reference
from tests.annotate.labelled import ToyExtraction, label
from tests.annotate.running import draft, running
from tests.annotate.samples import no_progress, sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SENTENCES = [
    sentence(
        "She go home .",
        "She goes home .",
        "She went home .",
        references=(Reference("0", "She went home .", (Edit(1, 2, "Vt", ("went",), "REQUIRED", ""),)),),
    ),
    sentence("It is fine .", "It is fine .", "It is fine ."),
]


@pytest.fixture(autouse=True)
def toy_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "Extraction", ToyExtraction)


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(sentences=SENTENCES)


def launched(corpus: Corpus, **options: str) -> Campaign:
    return running(
        corpus=corpus,
        protocol=Edits.name,
        outputs_per_screen=1,
        covers_outputs=True,
        sampling="uniform",
        listed_sentences=[],
        items=2,
        protocol_options=options,
    )


def prepared(campaign: Campaign) -> dict[str, Any]:
    rows = ItemOutput.objects.filter(item__campaign=campaign)
    return {text or "": fixed for text, fixed in rows.values_list("output__text", "prepared")}


def test_edits_come_from_m2_from_errant_or_from_words(corpus: Corpus) -> None:
    label(corpus)
    fixed = prepared(launched(corpus))
    assert fixed["She went home ."]["extractor"] == "m2"
    assert [edit["type"] for edit in fixed["She went home ."]["edits"]] == ["Vt"]
    assert fixed["She goes home ."]["extractor"] == "errant"
    assert [edit["type"] for edit in fixed["She goes home ."]["edits"]] == ["R:VERB:SVA"]
    assert len(fixed) == 2, "outputs that change nothing are not asked about"


def test_words_can_be_chosen(corpus: Corpus) -> None:
    label(corpus)
    assert {each["extractor"] for each in prepared(launched(corpus, edits="words")).values()} == {"words"}


def test_labels_that_change_later_change_no_question(corpus: Corpus) -> None:
    campaign = launched(corpus)
    before = prepared(campaign)
    label(corpus)
    OutputEdit.objects.update(start=0)
    assert prepared(campaign) == before
    screen = give_next_screen(add_annotator(campaign, name="ada"))
    assert screen is not None
    assert list(screen.prepared) == [before[screen.texts[0]]]


def test_nothing_is_asked_where_nothing_is_changed(corpus: Corpus) -> None:
    unchanged = System.objects.filter(corpus=corpus, name="INPUT")
    campaign = draft(corpus=corpus, protocol=Edits.name, outputs_per_screen=1, items=1)
    assert Production.objects.filter(system__in=unchanged).exists()
    with pytest.raises(SamplingError, match="no output of these systems changes its sentence"):
        plan_launch(campaign, list(unchanged))


def test_listed_sentences_without_changes_are_left_out(corpus: Corpus) -> None:
    campaign = running(
        corpus=corpus, protocol=Edits.name, outputs_per_screen=1, items=3, listed_sentences=[0, 1, 0]
    )
    assert [item.sentence.position for item in campaign.items.all()] == [0, 0]


def test_an_output_about_which_no_answer_could_be_stored_is_refused(admin: Client) -> None:
    corpus = small_corpus(sentences=[sentence("She go home .", "b" * 9_990)])
    campaign = draft(corpus=corpus, protocol=Edits.name, outputs_per_screen=1, items=1, listed_sentences=[0])
    with pytest.raises(SamplingError, match="sentence 0: an output for “She go home"):
        launch(campaign, progress=no_progress)
    assert Campaign.objects.get().state == CampaignState.DRAFT
    page = admin.get(reverse("manage-campaign", args=[campaign.uuid])).content.decode()
    assert "changes too much to be judged edit by edit" in page
