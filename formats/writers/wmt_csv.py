"""WMT CSV with the columns of the translation tasks' results, in their order (README of WMT14).

A row holds five systems. A ranking of more systems, collapsed ones counted each, goes out as one row per pair
of systems: what is computed from such files is computed from the pairs.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from core.formulas import guarded
from core.tables import csv_text
from formats import JudgmentRecord
from formats.machines import description_text
from formats.wmt_csv import ABSENT, MOST_SYSTEMS
from formats.writers.heading import Heading
from formats.writers.pieces import in_pieces

FIRST_SENTENCE = 1
_NUMBERS = range(1, MOST_SYSTEMS + 1)
_HEADER = (
    *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeID"),
    *(name for number in _NUMBERS for name in (f"system{number}Number", f"system{number}Id")),
    *(f"system{number}rank" for number in _NUMBERS),
)
_OF_MACHINES = ("annotator_kind", "machine")
"""Further columns of a file with machines, behind those of the field."""

Ranked = Sequence[tuple[str, int]]
"""Systems with their ranks."""


def write_wmt_csv(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """The rankings of at least one system; a skipped item has none and is left out.

    Ranks above 5, which the format does not know, are made dense within their row.
    """
    header = (*_HEADER, *_OF_MACHINES) if heading.with_machines else _HEADER
    return in_pieces(csv_text(header, _comparisons_of(judgments, heading)))


def _comparisons_of(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[list[object]]:
    for judgment in judgments:
        sentence = judgment.sentence + FIRST_SENTENCE
        languages = (heading.language, heading.language)
        place = (sentence, guarded(heading.campaign), sentence)
        for row in _split(_systems(judgment)):
            machine = _machine(judgment) if heading.with_machines else []
            yield [*languages, *place, guarded(judgment.annotator), *_columns(row), *machine]


def _machine(judgment: JudgmentRecord) -> list[object]:
    return [
        judgment.annotator_kind or "",
        "" if judgment.machine is None else description_text(judgment.machine),
    ]


def _systems(judgment: JudgmentRecord) -> Ranked:
    return [
        (system, rating.rank)
        for rating in judgment.current.ratings
        if rating.rank is not None
        for system in rating.systems
    ]


def _split(ranked: Ranked) -> Iterable[Ranked]:
    """The rows of one ranking."""
    if len(ranked) > MOST_SYSTEMS:
        return combinations(ranked, 2)
    return [ranked] if ranked else []


def _columns(ranked: Ranked) -> Iterator[object]:
    ranks = [rank for _, rank in ranked]
    if max(ranks) > MOST_SYSTEMS:
        ranks = [sorted(set(ranks)).index(rank) + 1 for rank in ranks]
    absent = MOST_SYSTEMS - len(ranked)
    for number, (system, _) in enumerate(ranked, start=1):
        yield number
        yield system
    yield from [ABSENT, ""] * absent
    yield from ranks
    yield from [ABSENT] * absent
