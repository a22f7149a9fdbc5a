"""The rows of the import plan, one for each system of a corpus."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from annotate.models import SystemRole
from formats import CorpusRecord

SAMPLES = 3
MOST_SAMPLE_CHARS = 300
"""A table of many systems stays a page."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A source sentence and the system's output; long ones are cut.

    Attributes:
        position: of the sentence in the corpus, from 0.
        source: the sentence.
        output: the system's.
    """

    position: int
    source: str
    output: str


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system of an import.

    Attributes:
        key: what it is called in what was read.
        label: for people, as proposed; empty where it is the key.
        role: as proposed: a copy of the source is the source.
        lines: number of its outputs.
        unchanged: share of them that are the source's text.
        is_copy: whether all are, at every sentence.
        samples: sentences that it changes, from the beginning, the middle and the end; a system that changes
            fewer shows unchanged ones too.
    """

    key: str
    label: str
    role: str
    lines: int
    unchanged: float
    is_copy: bool
    samples: tuple[Sample, ...]

    def as_json(self) -> dict[str, object]:
        """The row as it is stored in the result of a job."""
        return asdict(self)


def system_rows(record: CorpusRecord, labels: Mapping[str, str]) -> tuple[SystemRow, ...]:
    """The systems in their order; the first that copies the source is proposed to be it."""
    rows: list[SystemRow] = []
    for key in record.systems:
        outputs = [
            (position, sentence.source, sentence.outputs[key])
            for position, sentence in enumerate(record.sentences)
            if key in sentence.outputs
        ]
        changed = [place for place, (_, source, output) in enumerate(outputs) if source != output]
        is_copy = not changed and len(outputs) == len(record.sentences)
        is_source = is_copy and not any(row.is_copy for row in rows)
        rows.append(
            SystemRow(
                key=key,
                label=labels.get(key, ""),
                role=SystemRole.SOURCE if is_source else SystemRole.SYSTEM,
                lines=len(outputs),
                unchanged=1 - len(changed) / len(outputs),
                is_copy=is_copy,
                samples=tuple(
                    Sample(position, _cut(source), _cut(output))
                    for position, source, output in (
                        outputs[place] for place in _places(changed, len(outputs))
                    )
                ),
            )
        )
    return tuple(rows)


def _places(changed: list[int], lines: int) -> list[int]:
    """The first, middle and last of the changed lines; filled up from all lines in the same way."""
    wanted: list[int] = []
    for lot in (changed, range(lines)):
        if lot:
            wanted += [lot[0], lot[len(lot) // 2], lot[-1]]
    wanted += range(min(lines, SAMPLES))
    return sorted(list(dict.fromkeys(wanted))[:SAMPLES])


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SAMPLE_CHARS else f"{text[:MOST_SAMPLE_CHARS]}…"
