"""A launch that covers every output of each sentence."""

from itertools import pairwise
from typing import Any

import pytest

from annotate.campaigns.preview import Preview, preview
from annotate.design.sampling import SamplingError
from annotate.models import Campaign, Corpus, Output, Sampling, System
from formats.digests import text_digest
from tests.annotate.protocols import SCALARS
from tests.annotate.running import answer_all, cast, draft, running
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db

SYSTEMS = 8


@pytest.fixture
def corpus() -> Corpus:
    """Twelve sentences, each with the unchanged source, its control and three to eight corrections."""
    corpus = small_corpus(sentences=[sentence(f"He go {n} .", f"He goes {n} .") for n in range(12)])
    for number in range(SYSTEMS):
        system = corpus.systems.create(name=f"S{number}")
        for place, row in enumerate(corpus.sentences.order_by("position")):
            produce(system, row.pk, f"He went {place} {min(number, 2 + place % 6)} .")
    control = corpus.systems.create(name="source+error", role="control")
    for place, row in enumerate(corpus.sentences.order_by("position")):
        produce(control, row.pk, f"He goed {place} .")
    return corpus


def produce(system: System, sentence: int, text: str) -> None:
    output, _ = Output.objects.get_or_create(
        sentence_id=sentence, text=text, defaults={"digest": text_digest(text)}
    )
    system.productions.create(output=output, sentence_id=sentence)


def covering(corpus: Corpus, **design: Any) -> Campaign:
    options: dict[str, Any] = {
        "sampling": Sampling.UNIFORM,
        "items": 12,
        "batch_size": 20,
        "outputs_per_screen": 5,
        **design,
    }
    return running(corpus=corpus, protocol=SCALARS, covers_outputs=True, **options)


def test_every_output_of_each_drawn_sentence_is_judged(corpus: Corpus) -> None:
    campaign = covering(corpus, items=7)
    sentences = {item.sentence for item in campaign.items.select_related("sentence")}
    assert len(sentences) == 7
    for row in sentences:
        shown = {output for item in campaign.items.filter(sentence=row) for output in item.outputs.all()}
        assert shown == set(row.outputs.all())


@pytest.mark.parametrize(("percent", "least"), [(100, 1.0), (50, 0.5), (1, 0.01)])
def test_source_and_control_stand_together_on_a_share_of_the_screens(
    corpus: Corpus, percent: int, least: float
) -> None:
    campaign = covering(corpus, checked_percent=percent)
    names = [
        {name for row in item.item_outputs.all() for name in row.systems} for item in campaign.items.all()
    ]
    checked = [shown for shown in names if {"INPUT", "source+error"} <= shown]
    assert least * len(names) <= len(checked)
    assert (len(checked) == len(names)) == (percent == 100)
    assert not [shown for shown in names if len({"INPUT", "source+error"} & shown) == 1]
    assert preview_of(corpus, checked_percent=percent).checked == len(checked)


def preview_of(corpus: Corpus, **design: Any) -> Preview:
    options: dict[str, Any] = {
        "items": 12,
        "sampling": Sampling.UNIFORM,
        "outputs_per_screen": 5,
        "covers_outputs": True,
    }
    return preview(draft("previewed", corpus=corpus, protocol=SCALARS, **options, **design))


def test_one_person_gets_the_screens_of_a_sentence_in_one_run(corpus: Corpus) -> None:
    campaign = covering(corpus, annotators_per_item=2, shared_percent=100)
    for person in cast(campaign):
        judged = [judgment.item.sentence_id for judgment in answer_all(person)]
        changes = sum(one != other for one, other in pairwise(judged))
        assert changes == len(set(judged)) - 1 == 11
    assert not campaign.slots.exclude(state="filled").exists()


def test_a_sentence_without_a_control_is_covered_without_checks(corpus: Corpus) -> None:
    campaign = draft("few", corpus=corpus, protocol=SCALARS, covers_outputs=True, outputs_per_screen=4)
    campaign.systems.remove(corpus.systems.get(role="control"))
    assert preview(campaign).checked == 0
    assert preview(campaign).sentences == 3


def test_a_screen_of_two_cannot_check(corpus: Corpus) -> None:
    with pytest.raises(SamplingError, match="show at least 3"):
        covering(corpus, outputs_per_screen=2)


def test_sentences_that_were_not_drawn_may_lack_outputs(corpus: Corpus) -> None:
    corpus.sentences.create(position=12, text="Nobody corrected this .")
    campaign = covering(corpus, sampling=Sampling.LISTED, listed_sentences=[3, 5])
    assert {item.sentence.position for item in campaign.items.select_related("sentence")} == {3, 5}
    with pytest.raises(SamplingError, match="sentence 12 has no outputs to show"):
        running("empty", corpus=corpus, covers_outputs=True, sampling=Sampling.LISTED, listed_sentences=[12])
