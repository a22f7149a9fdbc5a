"""Toy analyses: one that is computed as a whole, one in chunks, and one of a corpus."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.analyses.analysis_inputs import CorpusTexts, Judgments
from analysis.analyses.base import Analysis, Chunks, Group, Table, register, stated
from analysis.analyses.rules import stated_rule
from analysis.results.registered_pages import AnalysisPage, register_page
from core.parameters import parameter
from core.progress import Progress

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
