"""Text as people write it, on annotators' screens."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotate.campaigns.lifecycle import clone, launch
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Campaign, Corpus, Design, Revision
from tests.annotate import protocols
from tests.annotate.judging.at_work import address, answer, on_screen
from tests.annotate.running import draft, running
from tests.annotate.samples import no_progress, sentence, small_corpus

pytestmark = pytest.mark.django_db

SOURCE = "I do n't knows , ( he said ) ."
NATURAL = "I don't knows, (he said)."
PRACTICE = "Read.\n\n```practice\nHe go .\n1 | He goes .\n2 | He go !\n\nA verb .\n```\n"


def tokenised(*outputs: str, **changes: Any) -> Corpus:
    outputs = outputs or ("I do n't know , he said .", "I do not knows , ( he said ) !")
    sentences = [sentence(SOURCE, *outputs, document="a"), sentence("He 's in .", *outputs, document="a")]
    return small_corpus(sentences=sentences, **{"tokenisation": "tokens", **changes})


def at_work(campaign: Campaign) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    client.post(address(campaign, "guidelines"))
    return client


def first_screen(corpus: Corpus, **design: Any) -> tuple[Campaign, Client, str]:
    listed = {"sampling": "listed", "listed_sentences": [0], "items": 1, "marks_edits": True, **design}
    campaign = running(corpus=corpus, **listed)
    client = at_work(campaign)
    return campaign, client, client.get(address(campaign), follow=True).content.decode()


def without_deleted(page: str) -> list[str]:
    """The corrections on the page when edits are hidden."""
    texts = read(re.sub("<del>.*?</del>", "", page), 'lang="en" dir="auto"')
    return [" ".join(text.split()) for text in texts]


def read(page: str, mark: str) -> list[str]:
    """What stands in the elements of this class or kind, as a reader sees it."""
    found = re.findall(rf"<p {mark}[^>]*>(.*?)</p>", page)
    return [
        re.sub(r'<span class="unseen">.*?</span>|<[^>]*>', "", text).replace("&#x27;", "'") for text in found
    ]


@pytest.mark.parametrize("protocol", protocols.RATING, indirect=True)
def test_sentence_context_and_outputs_are_natural(protocol: str) -> None:
    _, _, page = first_screen(tokenised())
    assert read(page, 'class="source"') == [NATURAL]
    assert "He&#x27;s in." in page
    assert {"I don't know, he said.", "I do not knows, (he said)!"} <= set(without_deleted(page))


@pytest.mark.parametrize("protocol", protocols.RATING, indirect=True)
def test_edits_are_those_of_the_tokens(protocol: str) -> None:
    _, _, page = first_screen(tokenised("I do not knows , ( he said ) !"))
    assert '<ins title="instead of: n&#x27;t">not<' in page
    assert re.search(r'said\)<ins title="instead of: \.">!<', page)


@pytest.mark.parametrize("protocol", protocols.RATING, indirect=True)
@pytest.mark.parametrize("other", ["I don't knows , ( he said ) .", "I do  n't knows , ( he said ) !"])
def test_a_screen_is_as_stored_if_one_of_its_texts_must_be(protocol: str, other: str) -> None:
    _, _, page = first_screen(tokenised("I do n't know , ( he said ) .", other))
    assert read(page, 'class="source"') == [SOURCE]
    assert "He &#x27;s in ." in page


@pytest.mark.parametrize("protocol", protocols.EACH, indirect=True)
@pytest.mark.parametrize(
    ("corpus", "design"),
    [({"tokenisation": ""}, {}), ({"tokenisation": "running"}, {}), ({}, {"natural_text": False})],
)
def test_other_corpora_and_campaigns_that_say_so_show_stored_text(
    protocol: str, corpus: Mapping[str, str], design: Mapping[str, bool]
) -> None:
    campaign, _, page = first_screen(tokenised(**corpus), **design)
    assert read(page, 'class="source"') == [SOURCE]
    assert campaign.design.text_rules == ""


@pytest.mark.parametrize("protocol", protocols.EACH, indirect=True)
def test_the_launch_freezes_what_annotators_see(protocol: str) -> None:
    corpus = tokenised(tokenisation="")
    before, client, _ = first_screen(corpus)
    Corpus.objects.update(tokenisation="tokens", language="fr")
    assert read(client.get(address(before), follow=True).content.decode(), 'class="source"') == [SOURCE]
    assert not clone(before, name="again").design.natural_text
    after = draft("after", corpus=Corpus.objects.get(), items=1)
    assert after.text_rules == "french"
    launch(after, progress=no_progress)
    Corpus.objects.update(tokenisation="", language="en")
    assert Campaign.objects.get(pk=after.pk).text_rules == "french"


def written(text: str, verdict: str = "") -> tuple[int, str, list[str | None]]:
    """The response to a text that is written on the screen, its fault, and what is stored."""
    campaign, client, page = first_screen(tokenised(), protocol=protocols.CORRECTION, outputs_per_screen=0)
    assert f">{NATURAL.replace(chr(39), '&#x27;')}</textarea>" in page
    fields = {"key": str(uuid4()), "version-0": text, "verdict": verdict}
    screen = on_screen(client, campaign)
    response = client.post(screen, fields, follow=True)
    stored = list(Revision.objects.values_list("text", flat=True))
    if stored:
        again = client.get(screen).content.decode()
        assert f">{text.replace(chr(39), '&#x27;')}</textarea>" in again
    fault = re.search(r"data-fault>([^<]*)<", response.content.decode())
    return response.status_code, fault[1] if fault else "", stored


def test_a_written_correction_is_stored_as_tokens_and_opened_as_it_was_written() -> None:
    assert written("I don't know, (he said)!") == (200, "", ["I do n't know , ( he said ) !"])


def test_the_unchanged_sentence_gives_exactly_its_tokens() -> None:
    assert written(NATURAL, "no-correction-needed") == (200, "", [SOURCE])


def test_blanks_alone_are_no_correction() -> None:
    status, fault, stored = written("I don't knows , (he said) .", "corrected")
    assert (status, stored) == (422, [])
    assert fault.startswith("Only blanks differ from the sentence")


def test_practice_items_are_natural_too() -> None:
    _, client, _ = first_screen(tokenised(), guidelines=PRACTICE)
    campaign = Campaign.objects.get()
    page = client.get(address(campaign, "practice", 1)).content.decode()
    assert read(page, 'class="source"')[0] == "He go."
    assert set(without_deleted(page)) == {"He goes.", "He go!"}
    design = Design.objects.get()
    assert (design.natural_text, design.text_rules) == (True, "english")


def test_drafts_say_what_annotators_will_see() -> None:
    assert draft("natural", corpus=tokenised(), items=1).text_rules == "english"
    assert draft("stored", corpus=Corpus.objects.get(), items=1, natural_text=False).text_rules is None


def test_an_answer_to_outputs_is_stored_as_ever() -> None:
    campaign, client, _ = first_screen(tokenised())
    client.post(on_screen(client, campaign), answer(client, campaign))
    assert Revision.objects.count() == 1
