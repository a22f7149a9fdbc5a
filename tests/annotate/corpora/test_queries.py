import pytest

from annotate.corpora import queries as corpora_queries
from annotate.judgments import queries as judgments_queries
from annotate.models import Campaign, CampaignState, Corpus, CorpusState
from annotate.models import listed as models_listed
from tests.annotate.running import answer, cast, running, shown
from tests.annotate.samples import campaign_without_texts, sentence, small_campaign, small_corpus

pytestmark = pytest.mark.django_db


def test_corpora_are_the_finished_ones_with_texts() -> None:
    corpus = small_corpus("seen")
    small_corpus("half")
    Corpus.objects.filter(name="half").update(state=CorpusState.IMPORTING)
    campaign_without_texts()
    rows = models_listed.corpora().values_list("pk", "sentence_count", "system_count")  # type: ignore[misc]
    assert list(rows) == [(corpus.pk, 4, 4)]


def test_campaigns_are_those_that_are_not_being_imported() -> None:
    corpus = small_corpus()
    for name in ("second", "first", "half"):
        small_campaign(corpus, name)
    Campaign.objects.filter(name="half").update(state=CampaignState.IMPORTING)
    rows = models_listed.campaigns().values_list("name", "judgment_count")  # type: ignore[misc]
    assert list(rows) == [("first", 6), ("second", 6)]


def test_the_histogram_has_no_gaps() -> None:
    assert corpora_queries.distinct_output_histogram(small_corpus()) == {1: 1, 2: 0, 3: 2, 4: 1}


def test_sentences_without_any_output_are_not_in_the_histogram() -> None:
    corpus = small_corpus(sentences=[sentence("A .", "B .")])
    corpus.sentences.create(position=1, text="C .")
    assert corpora_queries.distinct_output_histogram(corpus) == {1: 0, 2: 1}
    assert corpora_queries.multiplicities(corpus) == [[1, 1], []]


def test_multiplicities_count_systems_by_role() -> None:
    corpus = small_corpus()
    all_roles = [sorted(shape) for shape in corpora_queries.multiplicities(corpus)]
    assert all_roles == [[1, 1, 2], [1, 1, 1, 1], [4], [1, 1, 2]]
    systems = [sorted(shape) for shape in corpora_queries.multiplicities(corpus, roles=("system",))]
    assert systems == [[1, 2], [1, 1, 1], [3], [1, 1, 1]]


def test_texts_are_by_sentence_and_system() -> None:
    small_corpus("other", sentences=[sentence("Other .")])
    texts = corpora_queries.texts(small_corpus())
    assert list(texts) == [0, 1, 2, 3]
    assert texts[1] == {
        "INPUT": "I has two cat .",
        "Alder": "I have two cats .",
        "Birch": "I have two cat .",
        "Cedar": "",
    }


def test_annotators_come_with_their_counts() -> None:
    rows = judgments_queries.annotators(small_campaign(small_corpus()))
    counts = [
        (row.name, row.judgment_count, row.complete, row.skipped, row.auto, row.surplus) for row in rows
    ]
    assert counts == [("anna", 3, 3, 0, 0, 0), ("ben", 3, 1, 1, 1, 0)]


def test_the_version_of_the_answers_changes_with_each_answer() -> None:
    campaign = running(items=4)
    [anna] = cast(campaign, "anna")
    versions = [judgments_queries.answers_version(campaign)]
    showing = shown(anna)
    for _ in range(2):
        answer(showing)
        versions.append(judgments_queries.answers_version(campaign))
    small_campaign(campaign.corpus, "other")
    assert judgments_queries.answers_version(campaign) == versions[-1]
    assert len(set(versions)) == 3, "an answer, then its revision"


def test_a_campaign_without_answers_has_a_version() -> None:
    campaign = Campaign.objects.create(name="draft", corpus=small_corpus(), protocol="relative-ranking")
    assert judgments_queries.answers_version(campaign) == (0, 0)
    assert judgments_queries.snapshot(campaign).empty
