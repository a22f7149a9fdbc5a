"""Judgments of every kind in the database, imported from an export."""

from datetime import timedelta
from pathlib import Path

from annotate.judgments.exporting import export_judgments
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.stream import Selection
from annotate.models import Campaign
from formats import AnswerRecord, JudgmentRecord, JudgmentsFile, RatingRecord
from formats.digests import text_digest
from formats.snapshot.resolution import resolve
from formats.writers import FORMATS
from tests.annotate.running import NOON
from tests.annotate.samples import no_progress

GOES = RatingRecord(
    text_digest("She goes home ."), ("Alder", "Birch"), score=80, meaning_changed=False, touched=False
)
WENT = RatingRecord(text_digest("She went home ."), ("Cedar",), score=100, meaning_changed=True, touched=True)
TOMORROW = NOON + timedelta(days=1)


def scored(
    key: str, annotator: str, repetition: int, state: str, *answers: AnswerRecord, protocol: str = "thumbs"
) -> JudgmentRecord:
    """A judgment of the one item."""
    return JudgmentRecord(key, protocol, annotator, 0, 0, repetition, state, answers)


RECORDS = (
    scored(
        *("a", "anna", 0, "complete"),
        AnswerRecord((WENT, GOES), 1, started_at=NOON, submitted_at=NOON, active_ms=1),
        AnswerRecord((WENT, RatingRecord(GOES.output, GOES.systems, score=0)), 2, submitted_at=TOMORROW),
    ),
    scored("b", "=ben", 1, "skipped", AnswerRecord((), submitted_at=NOON, note="=Not a\r\nsentence")),
    scored("c", "=ben", 1, "surplus", AnswerRecord((GOES, WENT), submitted_at=NOON, active_ms=10**12 - 1)),
    scored("d", "anna", 1, "complete", AnswerRecord((), text="", submitted_at=TOMORROW)),
    scored("e", "cleo", 2, "auto", AnswerRecord((GOES,), text="=1\r\n'")),
)
"""A corrected answer, a skip, a surplus answer, an empty correction, and an answer without times."""

BEYOND_RATINGS = (
    scored("f", "cleo", 3, "complete", AnswerRecord((), text="One .", further_texts=("=2 ,\n'", ""))),
    scored(
        *("g", "cleo", 4, "complete"),
        AnswerRecord((WENT,), 1, verdict="unsure", details={"ways": [2, None, "ü"]}),
        AnswerRecord((WENT,), 2, verdict="yes", details={"ways": {"sure": True}}),
    ),
)
"""Several texts, and a verdict with details that was revised."""


def store(records: tuple[JudgmentRecord, ...], name: str) -> Campaign:
    """A campaign of these judgments, without a corpus."""
    judgments = resolve(JudgmentsFile((), "export", 0, records), Path(name))
    plan = plan_judgments(name=name, corpus=None, judgments=judgments, synthetic=False)
    return store_judgments(plan, progress=no_progress)


def exported(
    campaign: Campaign, file_format: str = "csv", selection: Selection | None = None, *, names: bool = True
) -> bytes:
    """The file, with names unless they are not wanted."""
    return b"".join(
        export_judgments(
            campaign=campaign,
            file_format=FORMATS[file_format],
            selection=selection or Selection(),
            names=names,
            by=None,
        )
    )
