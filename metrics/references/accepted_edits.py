"""Edits that people accepted one by one, from a campaign's snapshot: as corrections, and as those of M2."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.later import pd
from formats.m2 import M2Sentence
from formats.m2_writing import NO_COMMENT, REQUIRED
from formats.records import Edit, Reference
from formats.text.checks import Place
from formats.text.edit_spans import SpanEdit, applied, are_unspaced, places_of, words_of
from metrics.references.edits import kind_of_change
from ranking.judgments.edit_verdicts import edit_verdicts


@dataclass(frozen=True, slots=True)
class AcceptedOutput:
    """The accepted edits of an output.

    Attributes:
        sentence: position of the sentence.
        output: digest of the output.
        systems: sorted names of the systems that produced it.
        edits: that were accepted, in the order of the sentence; at least one.
        is_whole: whether these are all edits of the output.
        annotator: who accepted them; empty for what most people accepted.
    """

    sentence: int
    output: str
    systems: tuple[str, ...]
    edits: tuple[SpanEdit, ...]
    is_whole: bool
    annotator: str = ""

    def text(self, source: str) -> str:
        """The sentence with these edits only."""
        unspaced = are_unspaced(source, *(edit.replacement for edit in self.edits))
        return applied(source, self.edits, unspaced=unspaced)


def accepted_by_most(frame: pd.DataFrame) -> tuple[AcceptedOutput, ...]:
    """The edits that more annotators accepted than rejected, by sentence and output."""
    rows = _with_texts(frame)
    rows["votes"] = rows.groupby("unit")["outcome"].transform("sum")
    distinct = rows.drop_duplicates("unit")
    return _outputs(distinct, distinct["votes"] > 0, by_annotator=False)


def accepted_by_each(frame: pd.DataFrame) -> tuple[AcceptedOutput, ...]:
    """The edits that each annotator accepted, by annotator, sentence and output; the last verdict counts."""
    rows = _with_texts(frame).drop_duplicates(["annotator", "unit"], keep="last")
    return _outputs(rows, rows["outcome"] > 0, by_annotator=True)


def _with_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """The verdicts on edits whose words are known, unlike those of a release without texts."""
    rows = edit_verdicts(frame)
    return rows[rows["replacement"].notna()].copy()


def m2_of_accepted(sources: Mapping[int, str], accepted: Sequence[AcceptedOutput]) -> list[M2Sentence]:
    """The sentences with the accepted edits of each annotator, by the position of the sentence.

    An annotator who judged several outputs of a sentence has further versions, such as "anna-2". Sentences
    without an accepted edit are left out. In a text without blanks between words, characters are tokens.
    """
    by_sentence: dict[int, list[AcceptedOutput]] = defaultdict(list)
    for each in accepted:
        by_sentence[each.sentence].append(each)
    return [_m2_sentence(sources[place], by_sentence[place]) for place in sorted(by_sentence)]


def _m2_sentence(source: str, accepted: Sequence[AcceptedOutput]) -> M2Sentence:
    unspaced = are_unspaced(source, *(edit.replacement for each in accepted for edit in each.edits))
    words = words_of(source, unspaced=unspaced)
    named: dict[str, dict[str, tuple[Edit, ...]]] = defaultdict(dict)
    for each in accepted:
        edits = []
        for edit in each.edits:
            start, end = places_of(words, edit)
            correction = " ".join(word.text for word in words_of(edit.replacement, unspaced=unspaced))
            kind = edit.type or kind_of_change(start, end, correction)
            edits.append(Edit(start, end, kind, (correction,), REQUIRED, NO_COMMENT))
        tokens = [word.text for word in words_of(each.text(source), unspaced=unspaced)]
        named[each.annotator].setdefault(" ".join(tokens), tuple(edits))
    references = [
        Reference(annotator if not version else f"{annotator}-{version + 1}", text, edits)
        for annotator, versions in named.items()
        for version, (text, edits) in enumerate(versions.items())
    ]
    return M2Sentence(Place(Path()), tuple(word.text for word in words), tuple(references))


def _outputs(
    rows: pd.DataFrame, accepted: pd.Series[bool], *, by_annotator: bool
) -> tuple[AcceptedOutput, ...]:
    keys = ["annotator", "sentence", "output"] if by_annotator else ["sentence", "output"]
    found = []
    for _, of_output in rows.assign(is_accepted=accepted).groupby(keys, observed=True, sort=True):
        taken = of_output[of_output["is_accepted"]]
        if taken.empty:
            continue
        columns = (taken[name].tolist() for name in ("start", "end", "replacement", "type"))
        edits = tuple(SpanEdit(*values) for values in zip(*columns, strict=True))
        first = {name: of_output[name].tolist()[0] for name in ("annotator", *keys, "systems")}
        found.append(
            AcceptedOutput(
                int(first["sentence"]),
                str(first["output"]),
                tuple(first["systems"]),
                tuple(sorted(edits, key=lambda edit: (edit.start, edit.end))),
                is_whole=len(taken) == len(of_output),
                annotator=str(first["annotator"]) if by_annotator else "",
            )
        )
    return tuple(found)
