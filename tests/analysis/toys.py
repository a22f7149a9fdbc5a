"""Toy analyses: one that is computed as a whole, one in chunks, one of a corpus, and one with new inputs.

The last is published; `publishable_toy` registers it with its inputs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from analysis.analyses.base import Analysis, Chunks, Group, Table, analyses, register, stated
from analysis.analyses.corpus_inputs import CorpusTexts
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.rules import stated_rule
from analysis.publishing.inputs.files_beside_judgments import BESIDE_JUDGMENTS, FilesBeside
from analysis.publishing.inputs.plain_tables import read_table, whole_numbers, write_table
from analysis.publishing.inputs.renaming import Renaming
from analysis.publishing.stated import Stated, StatedMetric
from analysis.results.registered_pages import AnalysisPage, register_page
from analysis.runs import sources
from analysis.runs.sources.base import Request
from analysis.runs.sources.judgments import OfJudgments
from core.parameters import parameter
from core.progress import Progress
from formats.digests import content_digest

COLUMNS = ("judgment", "annotator")
PARTS = 5

computed_here: list[int] = []
"""Numbers of the parts that this process has computed."""


@dataclass(frozen=True, slots=True)
class ToyParameters:
    """How often, and whether loudly."""

    times: int = parameter(2, label="Times", help="How often.", minimum=1, maximum=9)
    share: float | None = parameter(
        None, label="Share", help="Of all.", minimum=0, maximum=1, placeholder="all of it"
    )
    loud: bool = parameter(False, label="Loud", help="Whether it is heard.")
    voice: str = parameter("low", label="Voice", help="Which one.", choices=("low", "high"))


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows, and who judged them."""

    signature: str
    rows: int
    annotators: tuple[str, ...]


def count(judgments: Judgments, parameters: ToyParameters, progress: Progress) -> Counted:
    """Count the rows so often."""
    progress.begin("Counting", total=parameters.times)
    rows = len(judgments.snapshot) * parameters.times
    progress.advance(parameters.times)
    annotators = tuple(sorted(judgments.snapshot["annotator"].unique()))
    return Counted(judgments.signature(stated("toy", parameters)), rows, annotators)


TOY = register(
    Analysis(
        name="toy",
        title="Toy",
        group=Group.SYSTEMS,
        question="How many are there?",
        help="Rows.",
        parameters=ToyParameters,
        result=Counted,
        inputs=Judgments,
        columns=COLUMNS,
        compute=count,
        tables=lambda counted: [Table("Rows", ("Rows", "", ""), ((counted.rows, None, "of all"),))],
    )
)
register_page(AnalysisPage("toy", template="analysis/page.html"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Random numbers, a few for each part."""

    signature: str
    numbers: tuple[float, ...]


def _prepare(judgments: Judgments, parameters: ToyParameters) -> int:
    return len(judgments.snapshot)


def _draw(rows: int, parameters: ToyParameters, part: int, advance: Callable[[int], None]) -> float:
    computed_here.append(part)
    advance(1)
    return float(np.random.default_rng([parameters.times, part]).random() * rows)


def _combine(judgments: Judgments, rows: Any, parameters: ToyParameters, parts: Sequence[float]) -> Drawn:
    return Drawn(judgments.signature(f"toy-in-chunks{stated_rule('toy-in-chunks')}"), tuple(parts))


IN_CHUNKS = register(
    Analysis(
        name="toy-in-chunks",
        title="Drawing",
        group=Group.SYSTEMS,
        question="How many are there?",
        help="Random numbers.",
        parameters=ToyParameters,
        result=Drawn,
        inputs=Judgments,
        columns=COLUMNS,
        chunks=Chunks(lambda parameters: [1] * PARTS, _prepare, float, _draw, _combine),
    )
)


@dataclass(frozen=True, slots=True)
class Listed:
    """Sentences, and who corrected them."""

    signature: str
    sentences: int
    annotators: tuple[str, ...]


def look(texts: CorpusTexts, parameters: ToyParameters, progress: Progress) -> Listed:
    """Count the sentences so often."""
    annotators = {reference.annotator for each in texts.sentences for reference in each.references}
    signature = texts.signature(stated("toy-of-a-corpus", parameters))
    return Listed(signature, len(texts.sentences) * parameters.times, tuple(sorted(annotators)))


OF_A_CORPUS = register(
    Analysis(
        name="toy-of-a-corpus",
        title="Toy of texts",
        group=Group.REFERENCES,
        question="How many are there?",
        help="Sentences.",
        parameters=ToyParameters,
        result=Listed,
        inputs=CorpusTexts,
        compute=look,
    )
)
register_page(AnalysisPage("toy-of-a-corpus", template="analysis/page.html"))


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredJudgments(Judgments):
    """Judgments, and how long the judged sentences are; both enter the digest.

    Attributes:
        lengths: number of words of each judged sentence.
    """

    lengths: Mapping[int, int]


def measured(judgments: Judgments, lengths: Mapping[int, int]) -> MeasuredJudgments:
    """The judgments, of sentences with these numbers of words."""
    judged = {sentence: lengths[sentence] for sentence in sorted(set(judgments.snapshot["sentence"]))}
    values = {each.name: getattr(judgments, each.name) for each in fields(judgments)}
    digest = content_digest([judgments.digest, *judged.items()])
    return MeasuredJudgments(**{**values, "digest": digest}, lengths=judged)


class OfMeasuredJudgments(OfJudgments):
    """Reads judgments, and counts the words of the corpus."""

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> MeasuredJudgments:
        judgments = super().load(request, size, progress, at_once=at_once)
        sentences = request.campaign.corpus.sentences.values_list("position", "text")
        return measured(judgments, {position: len((text or "").split()) for position, text in sentences})


LENGTHS, LENGTH_COLUMNS = "lengths.csv", ("sentence", "words")


def _write_lengths(
    folder: Path, inputs: MeasuredJudgments, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    write_table(folder / LENGTHS, LENGTH_COLUMNS, inputs.lengths.items())
    return ()


def _read_lengths(
    folder: Path, stated: Stated, judgments: Judgments, progress: Progress
) -> MeasuredJudgments:
    table = read_table(folder / LENGTHS, LENGTH_COLUMNS)
    columns = (whole_numbers(table[name], LENGTHS).tolist() for name in LENGTH_COLUMNS)
    return measured(judgments, dict(zip(*columns, strict=True)))


@dataclass(frozen=True, slots=True)
class Words:
    """How many words the judged sentences have in all."""

    signature: str
    words: int


def add_up(inputs: MeasuredJudgments, parameters: ToyParameters, progress: Progress) -> Words:
    """Count the words so often."""
    words = sum(inputs.lengths.values()) * parameters.times
    return Words(inputs.signature(stated("toy-of-lengths", parameters)), words)


WITH_NEW_INPUTS = Analysis(
    name="toy-of-lengths",
    title="Toy of lengths",
    group=Group.SYSTEMS,
    question="How long are the sentences?",
    help="Words.",
    parameters=ToyParameters,
    result=Words,
    inputs=MeasuredJudgments,
    columns=("sentence", "annotator"),
    compute=add_up,
    headline=lambda computed, naming: f"{computed.result.words} words.",
    tables=lambda counted: [Table("Words", ("Words",), ((counted.words,),))],
    methods=lambda parameters, counted: [f"The judged sentences have {counted.words} words."],
)


@contextmanager
def publishable_toy() -> Iterator[None]:
    """Register the analysis with new inputs, and the two entries that a kind of inputs needs."""
    beside = FilesBeside(_write_lengths, _read_lengths, needed=(LENGTHS,), meanings={LENGTHS: "lengths."})
    known: Any = sources.SOURCES
    with (
        patch.dict(analyses(), {WITH_NEW_INPUTS.name: WITH_NEW_INPUTS}),
        patch.dict(known, {MeasuredJudgments: OfMeasuredJudgments()}),
        patch.dict(BESIDE_JUDGMENTS, {MeasuredJudgments: beside}),
    ):
        yield
