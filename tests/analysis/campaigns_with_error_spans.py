"""Campaigns in whose outputs errors were marked."""

from collections.abc import Sequence

from annotate.corpora.queries import texts
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from formats.spans.error_spans import Severity
from formats.spans.marked_errors import Mark, MarkedErrors
from formats.spans.suggested_marks import beside_suggested
from tests.annotate.samples import no_progress

JUDGES = ("anna", "ben")


def errors_of(judge: int, sentence: int, output: int, text: str) -> tuple[int, MarkedErrors]:
    """Score and marks that differ by judge, sentence and output: the first outputs are best.

    Outputs of every other sentence came with suggestions.
    """
    severity = Severity.MAJOR if output > 1 else Severity.MINOR
    end = min(len(text), 3 + judge + sentence % 2)
    spans = (Mark(0, end, severity, "<i>Verb"),) if output and end else ()
    missing = (Mark(None, None, Severity.MINOR),) if (output + sentence + judge) % 3 == 0 else ()
    marked = MarkedErrors(spans, missing, characters=len(text))
    if sentence % 2 and end > 1:
        suggested = (Mark(0, 3, Severity.MINOR, "<i>Verb"),), (Mark(None, None, Severity.MINOR),)
        marked = beside_suggested(marked, MarkedErrors(*suggested))
    return max(0, 95 - 20 * output - 7 * judge - sentence), marked


def judgments_with_error_spans(corpus: Corpus, judges: Sequence[str] = JUDGES) -> list[JudgmentRecord]:
    """Each judge marks and scores all outputs of each sentence, side by side."""
    known = texts(corpus)
    records = []
    for judge, name in enumerate(judges):
        for sentence in corpus.sentences.order_by("position"):
            shown: dict[str, list[str]] = {}
            for system, text in sorted(known[sentence.position].items()):
                shown.setdefault(text, []).append(system)
            ratings = []
            for number, (text, systems) in enumerate(shown.items()):
                score, marked = errors_of(judge, sentence.position, number, text)
                names = tuple(sorted(systems))
                ratings.append(
                    RatingRecord(text_digest(text), names, score=score, rating_details=marked.details())
                )
            records.append(
                JudgmentRecord(
                    f"{name}-{sentence.position}",
                    "error-spans",
                    name,
                    sentence.position,
                    sentence.position,
                    judge,
                    "complete",
                    (AnswerRecord(tuple(ratings), active_ms=20_000),),
                )
            )
    return records


def campaign_with_error_spans(corpus: Corpus, name: str = "with error spans") -> Campaign:
    """An imported campaign of the corpus."""
    plan = plan_judgments(
        name=name, corpus=corpus, judgments=tuple(judgments_with_error_spans(corpus)), synthetic=False
    )
    store_judgments(plan, progress=no_progress)
    return Campaign.objects.get(name=name)
