"""Subjects of many tests of analyses."""

import pytest

from analysis.runs import queries
from annotate.models import Campaign, Corpus
from tests.analysis.publishing.published import draw_nothing
from tests.analysis.scored_campaigns import scored_campaign
from tests.annotate.samples import small_campaign, small_corpus


@pytest.fixture
def corpus(db: None) -> Corpus:
    """Four sentences with outputs of four systems, one of them the source."""
    return small_corpus()


@pytest.fixture
def campaign(corpus: Corpus) -> Campaign:
    """Rankings of the corpus by anna and ben."""
    return small_campaign(corpus)


@pytest.fixture
def scored(corpus: Corpus) -> Campaign:
    """Rankings by anna and ben of a corpus with metric scores."""
    return scored_campaign(corpus)


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is computed by jobs."""
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)


@pytest.fixture
def nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Published figures are empty pictures."""
    draw_nothing(monkeypatch)
