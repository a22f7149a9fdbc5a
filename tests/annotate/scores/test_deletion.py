"""A corpus is deleted with its scores."""

import pytest

from annotate.campaigns.deletion import delete_corpus, parts
from annotate.models import OutputScore, ScorePiece, ScoreSet, SystemScore
from tests.annotate.scores.scoring import edited_corpus, scored, scores_of

pytestmark = pytest.mark.django_db


def test_a_corpus_is_deleted_with_its_scores_and_those_of_others_stay() -> None:
    corpus, other = edited_corpus(), edited_corpus("other")
    scored(corpus, "gleu", "exact-match")
    kept = scores_of(other, "gleu")
    told: list[int] = []
    expected = parts(corpus)
    delete_corpus(corpus, by=None, progress=told.append)
    assert sum(told) == expected == 2 * 9 + 3
    assert ScoreSet.objects.get() == kept
    assert OutputScore.objects.count() == 9
    assert ScorePiece.objects.count() == 1
    assert SystemScore.objects.count() == 4
