"""Appraise XML in one result block, as the field's tools read it: they look at the first block only, split
`system` at blanks, and take `src-id` and `rank` as numbers. `formats.appraise` describes the format.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from formats import AnswerRecord, JudgmentRecord
from formats.machines import description_text
from formats.writers.heading import Heading
from formats.writers.pieces import in_pieces

LONGEST = timedelta(days=9999)
"""The longest duration that the format's readers take."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_appraise(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """The rankings, outputs in the order shown. Outputs without a rank are left out."""
    return in_pieces(_lines(judgments, heading))


def _lines(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[str]:
    language = heading.language
    block = {"id": heading.campaign, "source-language": language, "target-language": language}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<appraise-results>\n'
    yield f"<error-correction-ranking-result{_attributes(block)}>\n"
    for judgment in judgments:
        yield f"  <ranking-item{_attributes(_item(judgment, heading))}>\n"
        for rating in judgment.current.ratings:
            if rating.rank is not None:
                ranked = {"rank": str(rating.rank), "system": " ".join(rating.systems)}
                yield f"    <translation{_attributes(ranked)}/>\n"
        yield "  </ranking-item>\n"
    yield "</error-correction-ranking-result>\n</appraise-results>\n"


def _item(judgment: JudgmentRecord, heading: Heading) -> dict[str, str]:
    return {
        "doc-id": heading.campaign,
        **_duration(judgment.current),
        "id": str(judgment.item),
        "src-id": str(judgment.sentence),
        "user": judgment.annotator,
        **_machine(judgment),
    }


def _machine(judgment: JudgmentRecord) -> dict[str, str]:
    kind, machine = judgment.annotator_kind, judgment.machine
    described = {"annotator-kind": kind, "machine": None if machine is None else description_text(machine)}
    return {name: text for name, text in described.items() if text is not None}


def _duration(answer: AnswerRecord) -> dict[str, str]:
    if answer.active_ms is None or answer.active_ms > LONGEST // timedelta(milliseconds=1):
        return {}
    seconds, milliseconds = divmod(answer.active_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    lead = "" if not days else "1 day, " if days == 1 else f"{days} days, "
    return {"duration": f"{lead}{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}000"}


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in values.items())


@lru_cache(maxsize=10_000)
def _quoted(value: str) -> str:
    """Ranks, systems and annotators come again and again."""
    return quoteattr(_NO_XML.sub("�", value))
