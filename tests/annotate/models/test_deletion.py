"""Rows that are deleted with another row, and rows that cannot be deleted while others depend on them."""

import pytest
from django.db.models import Model, ProtectedError, RestrictedError

from annotate.models import Annotator, Campaign, Corpus, ItemOutput, Output, Sentence, User
from tests.annotate.labelled import label
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db


def test_a_campaign_takes_its_judgments_along_and_leaves_its_corpus() -> None:
    corpus = small_corpus()
    before = contents()
    small_campaign(corpus).delete()
    assert contents() == before


def test_a_corpus_without_campaigns_takes_everything_along() -> None:
    corpus = small_corpus()
    label(corpus)
    corpus.delete()
    assert contents() == {}


def test_a_corpus_with_campaigns_stays() -> None:
    corpus = small_corpus()
    small_campaign(corpus)
    with pytest.raises(ProtectedError):
        corpus.delete()


def test_a_campaign_without_texts_leaves_a_corpus_that_the_next_import_removes() -> None:
    campaign_without_texts("alone").delete()
    assert Corpus.objects.filter(name="alone").exists()
    small_corpus("alone")
    assert Corpus.objects.get().has_texts


@pytest.mark.parametrize(
    ("table", "refusal"),
    [
        (Annotator, RestrictedError),
        (ItemOutput, RestrictedError),
        (Output, ProtectedError),
        (Sentence, ProtectedError),
    ],
)
def test_judged_rows_cannot_be_deleted(table: type[Model], refusal: type[Exception]) -> None:
    small_campaign(small_corpus())
    with pytest.raises(refusal):
        table._default_manager.order_by("pk")[0].delete()


def test_a_judge_stays_when_the_account_goes() -> None:
    campaign = small_campaign(small_corpus())
    user = User.objects.create(username="anna")
    campaign.annotators.filter(name="anna").update(user=user)
    user.delete()
    assert Annotator.objects.get(name="anna").user is None
    assert Campaign.objects.get().annotators.count() == 2
