"""The quality page of a campaign with error spans: who marks the errors planted in controls."""

import csv

import pytest
from django.test import Client

from annotate.corpora.adding_controls import make_controls
from annotate.corpora.planted_errors import planted_errors
from annotate.corpora.queries import texts
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from formats.spans.error_spans import Severity
from formats.spans.marked_errors import Mark, MarkedErrors
from tests.annotate.checked import CONTROL, SENTENCES
from tests.annotate.samples import no_progress, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    corpus = small_corpus(sentences=SENTENCES)
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    return corpus


def differing(source: str, control: str) -> tuple[int, int]:
    """The characters of the control between what it begins and ends with like the source, or one beside."""
    start = next(place for place, (a, b) in enumerate(zip(source, control, strict=False)) if a != b)
    tails = zip(reversed(source[start:]), reversed(control[start:]), strict=False)
    same = next((number for number, (a, b) in enumerate(tails) if a != b), 0)
    return start, max(len(control) - same, start + 1)


def judged(corpus: Corpus, sentence: int, annotator: str, spans: tuple[Mark, ...]) -> JudgmentRecord:
    """Both score all controls 20 and their sources 80; only marks differ."""
    known = texts(corpus)[sentence]
    marked = {"INPUT": MarkedErrors(characters=len(known["INPUT"]))}
    marked[CONTROL] = MarkedErrors(spans, characters=len(known[CONTROL]))
    ratings = tuple(
        RatingRecord(
            text_digest(known[system]),
            (system,),
            score=20 if system == CONTROL else 80,
            rating_details=errors.details(),
        )
        for system, errors in marked.items()
    )
    return JudgmentRecord(
        *(f"{annotator}-{sentence}", "error-spans", annotator, sentence, sentence),
        *(("anna", "ben").index(annotator), "complete", (AnswerRecord(ratings, active_ms=20_000),)),
    )


def campaign(corpus: Corpus) -> Campaign:
    """Anna marks what the control changed; Ben marks nothing."""
    records = []
    for sentence, known in texts(corpus).items():
        span = Mark(*differing(known["INPUT"], known[CONTROL]), Severity.MINOR)
        records += [judged(corpus, sentence, "anna", (span,)), judged(corpus, sentence, "ben", ())]
    plan = plan_judgments(name="marked", corpus=corpus, judgments=tuple(records), synthetic=False)
    store_judgments(plan, progress=no_progress)
    return Campaign.objects.get(name="marked")


def test_places_are_those_of_the_texts_of_controls(corpus: Corpus) -> None:
    """What stands there is what was inserted, or the characters beside a deletion."""
    placed = planted_errors(corpus)
    known = {place: by_system[CONTROL] for place, by_system in texts(corpus).items()}
    assert set(placed) == {(place, text_digest(text)) for place, text in known.items()}
    for production in corpus.systems.get(name=CONTROL).productions.all():
        [*errors] = production.errors.order_by("start")
        position = production.sentence.position
        there = placed[position, production.output.digest]
        for error, place in zip(errors, there, strict=True):
            assert known[position][place.start : place.end] == (error.replacement or "y")
            assert place.takes_away == (not error.replacement)


def test_somebody_marks_planted_errors_and_somebody_does_not(admin: Client, corpus: Corpus) -> None:
    of = campaign(corpus)
    shown = admin.get(f"/campaigns/{of.uuid}/quality/").content.decode()
    assert "Planted errors marked" in shown
    exported = b"".join(admin.get(f"/campaigns/{of.uuid}/analyses/quality/quality.csv")).decode()
    rows = list(csv.DictReader(exported.splitlines()))
    number = sum(map(len, planted_errors(corpus).values()))
    assert {(float(row["planted"]), int(row["planted_cases"])) for row in rows} == {(0, number), (1, number)}
    assert all(float(row["check"]) == 1 for row in rows)  # The check by scores passes both.
    assert "|planted" in rows[0]["signature"]
