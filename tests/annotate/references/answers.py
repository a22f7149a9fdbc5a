"""Campaigns in which the small corpus was corrected, and its outputs judged."""

from collections.abc import Sequence

from annotate.corpora.queries import texts
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from tests.annotate.samples import no_progress

CORRECTED = "corrected"

CORRECTIONS = (
    (0, "ada", CORRECTED, ("She goes home .", "She went home .")),
    (0, "ben", CORRECTED, ("She goes home .",)),
    (0, "cyd", CORRECTED, ("She is going home .",)),
    (1, "ada", CORRECTED, ("I have two cats .",)),
    (1, "ben", "no-correction-needed", ("I has two cat .",)),
    (1, "cyd", CORRECTED, ("I have two cats .",)),
    (2, "ada", "fragment", ()),
    (2, "ben", "not-annotatable", ()),
    (3, "ada", CORRECTED, ("He likes tea and cake .",)),
)
"""Sentence, annotator, verdict and versions."""

VALIDITY = (
    (0, "She went home .", ("yes", "yes", "no")),
    (1, "I have two cat .", ("no", "no", "yes")),
    (3, "He likes tea and cake .", ("yes", "cannot-say", "yes")),
    (3, "He likes tea <b> & cake .", ("yes", "no", "cannot-say")),
)
"""Sentence, output and what ada, ben and cyd say."""


def correcting_campaign(
    corpus: Corpus,
    name: str = "written",
    corrections: Sequence[tuple[int, str, str, tuple[str, ...]]] = CORRECTIONS,
) -> Campaign:
    """Corrections of the corpus."""
    records = [
        JudgmentRecord(
            str(number),
            "correction",
            annotator,
            sentence,
            sentence,
            number,
            "complete",
            (AnswerRecord((), text=(*versions, None)[0], further_texts=versions[1:], verdict=verdict),),
        )
        for number, (sentence, annotator, verdict, versions) in enumerate(corrections)
    ]
    return _stored(name, corpus, records)


def judging_campaign(corpus: Corpus, name: str = "asked") -> Campaign:
    """Judgments of the validity of outputs of the corpus."""
    produced = texts(corpus)
    records = []
    for item, (sentence, text, verdicts) in enumerate(VALIDITY):
        systems = tuple(sorted(system for system, output in produced[sentence].items() if output == text))
        for repetition, (annotator, verdict) in enumerate(zip(("ada", "ben", "cyd"), verdicts, strict=True)):
            answer = AnswerRecord((RatingRecord(text_digest(text), systems),), verdict=verdict)
            key = f"{item}-{repetition}"
            records.append(
                JudgmentRecord(key, "validity", annotator, sentence, item, repetition, "complete", (answer,))
            )
    return _stored(name, corpus, records)


def _stored(name: str, corpus: Corpus, records: Sequence[JudgmentRecord]) -> Campaign:
    plan = plan_judgments(name=name, corpus=corpus, judgments=tuple(records), synthetic=False)
    return store_judgments(plan, progress=no_progress)
