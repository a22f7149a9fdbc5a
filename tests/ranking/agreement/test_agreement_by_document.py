"""Kappa of each document, with its interval."""

import numpy as np
import pytest

from ranking import agreement, agreement_by_document
from tests.ranking.frames import snapshot

DOCUMENTS = {0: "news", 1: "news", 2: "essay", 3: "essay", 4: ""}


def judged_twice(seed: int = 0, sentences: int = 4) -> list[tuple[str, int, str]]:
    """Anna, ben and cleo rank four systems by an order of each sentence, with errors; ben does so twice."""
    rng = np.random.default_rng(seed)
    judged = []
    for sentence in range(sentences):
        quality = dict(zip("ABCD", rng.permutation(4).tolist(), strict=True))
        for judge in ("anna", "ben", "ben", "cleo"):
            order = sorted("ABCD", key=lambda name: float(quality[name] + rng.normal(0, 1.5)))
            judged.append((judge, sentence, " > ".join(order)))
    return judged


def test_documents_have_the_pooled_kappa_of_their_sentences() -> None:
    judged = judged_twice(sentences=5)
    found = agreement_by_document(snapshot(*judged), DOCUMENTS)
    assert [each.document for each in found] == ["essay", "news"]
    for each in found:
        alone = [row for row in judged if DOCUMENTS[row[1]] == each.document]
        assert each.kappa == agreement(snapshot(*alone)).inter_pooled
        assert each.sentences == 2


def test_a_document_that_one_annotator_judged_has_a_reason() -> None:
    only = agreement_by_document(snapshot(("anna", 0, "A > B"), ("anna", 1, "A > B")), DOCUMENTS)[0]
    assert (only.kappa.value, only.kappa.reason) == (None, "no two annotators judged the same outputs")
    assert (only.sentences, only.low, only.high) == (0, None, None)


def test_one_sentence_has_no_interval() -> None:
    judged = snapshot(*judged_twice(sentences=1))
    only = agreement_by_document(judged, DOCUMENTS)[0]
    assert only.kappa.value is not None
    assert (only.low, only.high) == (None, None)


def test_intervals_hold_the_kappa_of_many_sentences() -> None:
    """Of 100 documents of 20 sentences, at least 89 intervals of 95 % hold it.

    Fewer would happen in about one of 100 runs if intervals held 95 %.
    """
    documents = {sentence: f"{sentence // 20:03}" for sentence in range(2000)}
    judged = snapshot(*judged_twice(seed=1, sentences=2000))
    whole = agreement(judged).inter_pooled.value
    found = agreement_by_document(judged, documents, replicates=300)
    assert whole is not None
    assert whole == pytest.approx(0.4, abs=0.2)
    assert sum((each.low or 0) <= whole <= (each.high or 0) for each in found) >= 89
