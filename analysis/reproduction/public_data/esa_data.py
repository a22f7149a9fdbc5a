"""The public data of error span annotation: the first round on WMT23, English to German, beside MQM."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.reproduction.paper import PaperData
from formats import FormatError
from formats.spans.error_spans import ErrorSpanRecord, parse_batches, parse_error_spans
from formats.text.checks import Place, checked_system, finite_number
from formats.text.lines import plain_text, read_bytes

CAMPAIGN = "wmt23."
"""What names of systems begin with in the answers, unlike in the files of scores."""

DUPLICATE = "#duplicate"

Scores = Mapping[tuple[str, int], float | None]
"""By system and line of the corpus, from 0; None for outputs that were not judged."""


@dataclass(eq=False)
class Esa(PaperData):
    """Answers, batches and released scores, from `esa/`.

    All properties raise `FormatError` for a file that is missing or malformed.
    """

    @cached_property
    def answers(self) -> Sequence[ErrorSpanRecord]:
        """All answers, also to tutorials, duplicates and controls."""
        batches_path, answers_path = (
            self.folder / "esa" / name
            for name in ("batches_wmt23_en-de_esa.json.gz", "240315rc5ESA.scores.csv.gz")
        )
        batches = parse_batches(_unpacked(batches_path), batches_path)
        return parse_error_spans(_unpacked(answers_path), answers_path, batches)

    @cached_property
    def latest(self) -> Mapping[tuple[str, str, int], ErrorSpanRecord]:
        """By annotator, system and line of the corpus: the last answer about the output itself.

        Tutorials, copies that fill up a document, and controls are left out.
        """
        found: dict[tuple[str, str, int], ErrorSpanRecord] = {}
        for answer in self.answers:
            key = key_of(answer)
            if key is None or answer.is_control or is_duplicate(answer):
                continue
            if key not in found or answer.ended >= found[key].ended:
                found[key] = answer
        return found

    @cached_property
    def of_outputs(self) -> Mapping[tuple[str, int], ErrorSpanRecord]:
        """By system and line of the corpus: the answer that counts. Each output has one annotator."""
        return {(system, segment): answer for (_, system, segment), answer in self.latest.items()}

    @cached_property
    def released(self) -> Scores:
        """The released scores of this round."""
        return self._scores("en-de.ESA-1.seg.score.gz")

    @cached_property
    def mqm(self) -> Scores:
        """The scores of the same outputs by MQM, negative weights of errors."""
        return self._scores("en-de.MQM-1.seg.score.gz")

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """In the order of the released scores."""
        return tuple(dict.fromkeys(system for system, _ in self.released))

    @cached_property
    def segments(self) -> tuple[int, ...]:
        """Lines of the corpus at which the outputs of all systems were judged."""
        lines = sorted({segment for _, segment in self.of_outputs})
        return tuple(
            line for line in lines if all((system, line) in self.of_outputs for system in self.systems)
        )

    def _scores(self, name: str) -> Scores:
        path = self.folder / "esa" / name
        scores: dict[tuple[str, int], float | None] = {}
        lines: dict[str, int] = {}
        for number, line in enumerate(_unpacked(path).removesuffix("\n").split("\n"), start=1):
            place = Place(path, number)
            system, tab, score = line.partition("\t")
            if not tab:
                raise place.fault("the line is not a system, a tab and a score")
            segment = lines.get(checked_system(system, place), 0)
            lines[system] = segment + 1
            scores[system, segment] = None if score == "None" else finite_number(score, place, "the score")
        return scores


def is_duplicate(answer: ErrorSpanRecord) -> bool:
    """Whether the item is a copy that filled up a batch."""
    return DUPLICATE in answer.document


def key_of(answer: ErrorSpanRecord) -> tuple[str, str, int] | None:
    """Annotator, system and line of the corpus; None for a tutorial, which is not of the corpus."""
    if answer.item.segment is None:
        return None
    return answer.annotator, answer.system.removeprefix(CAMPAIGN), answer.item.segment


def _unpacked(path: Path) -> str:
    try:
        return plain_text(gzip.decompress(read_bytes(path)), path)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(path, None, f"not a file packed by gzip: {error}") from error
