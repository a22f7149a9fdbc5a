"""A corpus and a running campaign, for tests that do not make their own."""

import pytest

from annotate.models import Campaign, Corpus
from tests.annotate.designs import running_campaign
from tests.annotate.samples import sentence, small_corpus


@pytest.fixture
def corpus(db: None) -> Corpus:
    """Thirty sentences with three outputs each."""
    return small_corpus(
        sentences=[sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Say {n} .") for n in range(30)]
    )


@pytest.fixture
def campaign(corpus: Corpus) -> Campaign:
    """Four items, each wanted from two annotators, in one batch each time."""
    return running_campaign(corpus, annotators_per_item=2, shared_percent=100)
