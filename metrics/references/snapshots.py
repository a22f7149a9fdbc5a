"""Corrections and judgments of validity from a campaign's snapshot (docs/architecture.md, Snapshot)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from core.later import pd
from formats.snapshot.vocabulary import JudgmentState, ValidityVerdict
from metrics.references.written import WrittenAnswer


@dataclass(frozen=True, slots=True)
class JudgedOutput:
    """People's verdicts on one output.

    Attributes:
        sentence: position of the sentence.
        output: digest of the output.
        systems: sorted names of the systems that produced it.
        verdicts: annotator and verdict of each answer, in the order of the snapshot.
    """

    sentence: int
    output: str
    systems: tuple[str, ...]
    verdicts: tuple[tuple[str, str], ...]

    def number(self, verdict: ValidityVerdict) -> int:
        """How many answers gave this verdict."""
        return sum(given == verdict for _, given in self.verdicts)

    @property
    def is_valid(self) -> bool:
        """Whether more people said yes than no."""
        return self.number(ValidityVerdict.YES) > self.number(ValidityVerdict.NO)

    @property
    def repeated(self) -> tuple[str, ...]:
        """The annotators who judged it more than once."""
        names = [annotator for annotator, _ in self.verdicts]
        return tuple(sorted({name for name in names if names.count(name) > 1}))


def written_answers(frame: pd.DataFrame) -> tuple[WrittenAnswer, ...]:
    """The answers that hold a text or a verdict, in the order of the snapshot."""
    answered = _answered(frame)
    columns = answered[["sentence", "annotator", "text", "further_texts", "verdict"]]
    return tuple(
        WrittenAnswer(
            int(sentence),
            str(annotator),
            () if _is_null(text) else (str(text), *([] if _is_null(further) else json.loads(further))),
            None if _is_null(verdict) else str(verdict),
        )
        for sentence, annotator, text, further, verdict in columns.itertuples(index=False)
        if not (_is_null(text) and _is_null(verdict))
    )


def judged_outputs(frame: pd.DataFrame) -> tuple[JudgedOutput, ...]:
    """The outputs with a verdict of validity, by sentence and then in the order of the snapshot."""
    found: dict[tuple[int, str], tuple[tuple[str, ...], list[tuple[str, str]]]] = {}
    columns = _answered(frame)[["sentence", "output", "systems", "annotator", "verdict"]]
    for sentence, output, systems, annotator, verdict in columns.itertuples(index=False):
        if not _is_null(verdict) and not _is_null(output):
            entry = found.setdefault((int(sentence), str(output)), (tuple(systems), []))
            entry[1].append((str(annotator), str(verdict)))
    return tuple(
        JudgedOutput(sentence, output, systems, tuple(verdicts))
        for (sentence, output), (systems, verdicts) in sorted(found.items(), key=lambda each: each[0][0])
    )


def without_annotators(frame: pd.DataFrame, excluded: Iterable[str]) -> pd.DataFrame:
    """The snapshot without the answers of some annotators."""
    return frame[~frame["annotator"].isin(list(excluded))]


def _answered(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["state"] == JudgmentState.COMPLETE.value]


def _is_null(value: object) -> bool:
    return value is None or value != value or value is pd.NA
