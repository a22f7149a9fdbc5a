"""Campaigns in which edits of outputs were judged one by one."""

from collections.abc import Callable, Sequence

from annotate.corpora.queries import texts
from annotate.design.protocols import Edits, Question
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from formats.snapshot.vocabulary import EditVerdict
from tests.annotate.samples import no_progress

EDITS, OPTIONS = Edits(), Edits.options()
JUDGES = ("anna", "ben", "cara")
ACCEPTED, REJECTED, CANNOT_SAY = EditVerdict

Verdict = Callable[[str, int, tuple[str, ...], int], str]
"""The verdict of an annotator on a sentence, of an output of systems, and of a question."""


def usual_verdict(judge: str, sentence: int, systems: tuple[str, ...], question: int) -> str:
    """Verdicts that differ by judge and sentence; cara is never sure of the first edit of a sentence."""
    if judge == "cara" and question == 0:
        return CANNOT_SAY
    return REJECTED if (sentence + question + (judge == "ben")) % 3 == 0 else ACCEPTED


def judgments_of_edits(
    corpus: Corpus, judges: Sequence[str] = JUDGES, verdict: Verdict = usual_verdict
) -> list[JudgmentRecord]:
    """Each judge judges the edits of every output that changes its sentence, each on a screen of its own."""
    known = texts(corpus)
    records = []
    for number, judge in enumerate(judges):
        item = 0
        for sentence in corpus.sentences.order_by("position"):
            made: dict[str, list[str]] = {}
            for system, text in sorted(known[sentence.position].items()):
                made.setdefault(text, []).append(system)
            source = sentence.text or ""
            for text, systems in made.items():
                prepared = EDITS.prepared(source, text, None, OPTIONS)
                edits = (prepared or {}).get("edits")
                if not isinstance(edits, list) or not edits:
                    continue
                asked = range(1 + max(edit["question"] for edit in edits))
                fields = {
                    f"edit-{question}": str(verdict(judge, sentence.position, tuple(systems), question))
                    for question in asked
                }
                answer = EDITS.answer(fields, Question(source, 1, OPTIONS, prepared=[prepared]))
                [rating] = answer.ratings
                rated = RatingRecord(
                    text_digest(text),
                    tuple(sorted(systems)),
                    score=rating.score,
                    rating_details=rating.rating_details,
                )
                records.append(
                    JudgmentRecord(
                        f"{judge}-{item}",
                        "edits",
                        judge,
                        sentence.position,
                        item,
                        number,
                        "complete",
                        (AnswerRecord((rated,), active_ms=15_000),),
                    )
                )
                item += 1
    return records


def campaign_of_edits(
    corpus: Corpus,
    name: str = "of edits",
    judges: Sequence[str] = JUDGES,
    verdict: Verdict = usual_verdict,
) -> Campaign:
    """An imported campaign of the corpus."""
    records = tuple(judgments_of_edits(corpus, judges, verdict))
    plan = plan_judgments(name=name, corpus=corpus, judgments=records, synthetic=False)
    return store_judgments(plan, progress=no_progress)
