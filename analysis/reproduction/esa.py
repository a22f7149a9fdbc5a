"""Figures of the first round of error span annotation on WMT23, English to German, from its public files.

Kocmi, Zouhar, Avramidis, Grundkiewicz, Karpinska, Popović, Sachan and Shmatova 2024, "Error Span Annotation:
A Balanced Approach for Human Evaluation of Machine Translation", WMT. Annotators mark spans with severities,
then score the output from 0 to 100. Figures are held against the released scores, and against those that an
independent program computed from the same files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from analysis.reproduction.cells import OurFigures, Ours, Table, beside, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.esa_data import Esa, is_duplicate, key_of
from core.arrays import FloatArray
from formats.spans.error_spans import ErrorSpanRecord, Severity
from ranking import Coefficient, correlation

WEIGHTS = {Severity.MINOR: -1, Severity.MAJOR: -5, Severity.UNDECIDED: 0}
"""The span score of an output is the sum over its spans and marks of missing content, as in MQM."""

MEASURES = ("score", "spans", "MQM")

_WORD = re.compile(r"\w")


def span_score(answer: ErrorSpanRecord) -> int:
    """The sum of the weights of all errors that were marked."""
    marked = [span.severity for span in answer.spans]
    return sum(WEIGHTS[severity] for severity in (*marked, *answer.missing))


def counts(data: Esa) -> Table:
    """Rows of the answers by kind, and marks by severity."""
    marked = Counter(span.severity for answer in data.answers for span in answer.spans)
    missing = Counter(severity for answer in data.answers for severity in answer.missing)
    n_controls = sum(answer.is_control for answer in data.answers)
    ours: OurFigures = {
        "rows": len(data.answers),
        "annotators": len({answer.annotator for answer in data.answers}),
        "outputs": len(data.answers) - n_controls,
        "controls": n_controls,
        "tutorials": sum(key_of(answer) is None for answer in data.answers),
        "duplicates": sum(map(is_duplicate, data.answers)),
        "marks": marked.total() + missing.total(),
        "rows without marks": sum(not (answer.spans or answer.missing) for answer in data.answers),
        **{f"{severity} spans": marked[severity] for severity in Severity},
        **{f"{severity} missing": missing[severity] for severity in (Severity.MINOR, Severity.MAJOR)},
    }
    return compare(printed("esa", "counts"), ours)


def spans(data: Esa) -> Table:
    """Where spans begin and end, without those of tutorials.

    That spans end at the last character of the output, but never behind it, shows that the file counts the
    last character of a span as part of it.
    """
    ours = Counter[str]()
    for answer in data.answers:
        if key_of(answer) is None:
            continue
        text = answer.item.output
        for span in answer.spans:
            after_word = span.start > 0 and _WORD.match(text[span.start - 1])
            begins_word = _WORD.match(text[span.start])
            ours["spans"] += 1
            ours["of one character"] += span.end - span.start == 1
            ours["to the end"] += span.end == len(text)
            ours["from inside a word"] += bool(after_word and begins_word)
            ours["from behind a word"] += bool(after_word and not begins_word)
    return compare(printed("esa", "spans"), ours)


def released(data: Esa) -> Table:
    """How many of the released scores are the latest answers; outputs without answers have none."""
    ours: OurFigures = {
        "equal": sum(
            (answer.score if (answer := data.of_outputs.get(key)) else None) == score
            for key, score in data.released.items()
        ),
        "scored outputs": len(data.of_outputs),
        "segments of all systems": len(data.segments),
    }
    return compare(printed("esa", "released"), ours)


def _measured(data: Esa) -> FloatArray:
    """Shape (systems, segments that all have, measures), NaN where MQM has no score."""
    return np.array(
        [
            [
                (answer.score, span_score(answer), data.mqm.get((system, segment)))
                for segment in data.segments
                for answer in (data.of_outputs[system, segment],)
            ]
            for system in data.systems
        ],
        dtype=np.float64,
    )


def systems(data: Esa) -> Table:
    """Means of each system over the segments that all systems have, such as "score AIRC"."""
    means = _measured(data).mean(axis=1)
    return compare(
        printed("esa", "systems"),
        {
            f"{measure} {system}": Ours(float(mean), f"{len(data.segments)} segments")
            for system, of_system in zip(data.systems, means, strict=True)
            for measure, mean in zip(MEASURES, of_system, strict=True)
        },
    )


def agreement(data: Esa) -> Table:
    """How far score, spans and MQM agree: over means of systems, and over segments of all systems."""
    measured = _measured(data)
    ours: dict[str, Ours] = {}
    for name, rows, coefficients in (
        ("systems", measured.mean(axis=1), (Coefficient.SPEARMAN, Coefficient.PEARSON)),
        ("segments", measured.reshape(-1, len(MEASURES)), (Coefficient.PEARSON,)),
    ):
        for first, second in ((0, 2), (1, 2), (0, 1)):
            for coefficient in coefficients:
                found = correlation(rows[:, first], rows[:, second], coefficient)
                pair = f"{MEASURES[first]}-{MEASURES[second]}"
                ours[f"{name} {pair} {coefficient.capitalize()}"] = Ours(found.value, f"{len(rows):,} {name}")
    return beside(printed("esa", "agreement"), ours)


def _controls(data: Esa) -> Iterator[tuple[ErrorSpanRecord, ErrorSpanRecord]]:
    """Answers about controls whose text differs from the output, each with its annotator's about the output.

    All answers about a control count, as in the independent figures.
    """
    for answer in data.answers:
        key = key_of(answer)
        original = None if key is None else data.latest.get(key)
        if original is None or not answer.is_control or is_duplicate(answer):
            continue
        if answer.item.output != original.item.output:
            yield answer, original


def _replaced(control: str, original: str) -> tuple[int, int]:
    """The part of a control without the longest common beginning and end, in code points."""
    shorter = min(len(control), len(original))
    start = next((place for place in range(shorter) if control[place] != original[place]), shorter)
    same = next(
        (place for place in range(shorter - start) if control[-1 - place] != original[-1 - place]),
        shorter - start,
    )
    return start, len(control) - same


def controls(data: Esa) -> Table:
    """Whether annotators score and mark outputs in which words were replaced."""
    pairs = list(_controls(data))
    scores = np.array([(control.score, original.score) for control, original in pairs])
    marked = []
    for control, original in pairs:
        start, end = _replaced(control.item.output, original.item.output)
        marked.append(any(span.start < end and span.end > start for span in control.spans))
    ours: OurFigures = {
        "pairs": len(pairs),
        "scored lower": float((scores[:, 0] < scores[:, 1]).mean()),
        "scored equal": float((scores[:, 0] == scores[:, 1]).mean()),
        "mean of controls": float(scores[:, 0].mean()),
        "mean of outputs": float(scores[:, 1].mean()),
        "replaced part marked": float(np.mean(marked)),
    }
    return compare(printed("esa", "controls"), ours)


PAPER = Paper(
    data=Esa,
    tables={
        "counts": counts,
        "spans": spans,
        "released": released,
        "systems": systems,
        "agreement": agreement,
        "controls": controls,
    },
    progress="Answers",
    steps={},
)
