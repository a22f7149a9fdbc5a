"""The inputs of a bundled analysis as files, and back: judgments, style of outputs, metric scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.analyses.analysis_inputs import (
    DocumentJudgments,
    Inputs,
    JudgedTexts,
    Judgments,
    in_documents,
    judgments,
    with_texts,
)
from analysis.analyses.annotators.judge_model import styles
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.publishing.judgments import HELD, read_judgments, write_judgments
from analysis.publishing.plain_tables import read_table, whole_numbers, write_table
from analysis.publishing.renaming import Renaming, kept_names, numbered
from analysis.publishing.scores import (
    SCORES,
    SENTENCES,
    STATISTICS,
    read_scores,
    read_sentences,
    write_scores,
)
from analysis.publishing.stated import BundleError, Stated, StatedMetric, todays_rules
from annotate.models import SystemRole
from core.arrays import IntArray
from core.formulas import guarded, unguarded
from core.later import pd
from core.parameters import parameter_fields
from core.progress import Progress
from ranking import holds_scores
from ranking.judgments.snapshot import system_names

JUDGMENTS, STYLE, DOCUMENTS = "judgments.csv", "style.csv", "documents.csv"

DOCUMENT_COLUMNS = ("sentence", "document")
SUBMITTED_AT = "submitted_at"


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """The inputs and parameters of a bundle.

    Attributes:
        inputs: of the analysis; the snapshot has the columns that a bundle is written from.
        parameters: of the analysis, resolved.
        annotators: the number of each annotator.
        roles: of systems that have one, by name.
        secret: by which the campaign was drawn; empty if it is not to be released.
    """

    inputs: Inputs
    parameters: Any
    annotators: Mapping[str, int]
    roles: Mapping[str, str]
    secret: str = ""


def with_columns_of_bundles(analysis: AnyAnalysis) -> AnyAnalysis:
    """A copy of the analysis whose inputs hold the columns that a bundle is written from."""
    by_time = SUBMITTED_AT in analysis.columns
    return replace(analysis, columns=(*HELD, SUBMITTED_AT) if by_time else HELD)


def files_needed(stated: Stated) -> tuple[str, ...]:
    """The files of a bundle that everything else is computed from, apart from its parameters."""
    further = {ScoredJudgments: (SENTENCES, SCORES, STATISTICS), DocumentJudgments: (DOCUMENTS,)}
    return (JUDGMENTS, *further.get(stated.analysis.inputs, ()))


def files_present(folder: Path, stated: Stated) -> list[str]:
    """The files needed, and those that only some bundles have if they are present."""
    return [*files_needed(stated), *([STYLE] if (folder / STYLE).exists() else [])]


def write_inputs(
    folder: Path,
    given: Given,
    *,
    analysis: AnyAnalysis,
    title: str,
    with_names: bool,
    progress: Progress,
) -> Stated:
    """Write the inputs of a bundle, with systems by name or as numbers, and return what it states."""
    title = " ".join(title.split())
    judged = judgments_of(given.inputs)
    left_out = judged.left_out
    frame = judged.snapshot
    names = _systems(given.inputs, frame)
    renaming = kept_names(names) if with_names else numbered(names)
    # Times are left out, and rows without a time count as they stand.
    order = np.arange(len(frame))
    if SUBMITTED_AT in analysis.columns:
        order = frame[SUBMITTED_AT].array.argsort(kind="stable", na_position="last")
    positions = None
    if not with_names:
        order, positions = _in_order_of_digests(frame, order, renaming)
    write_judgments(
        folder / JUDGMENTS,
        frame,
        order,
        title=title,
        annotators=given.annotators,
        renaming=renaming,
        numbers=given.inputs.positions if isinstance(given.inputs, ScoredJudgments) else None,
        positions=positions,
        progress=progress,
    )
    metrics: tuple[StatedMetric, ...] = ()
    if isinstance(given.inputs, ScoredJudgments):
        metrics = write_scores(folder, given.inputs, renaming.systems)
    elif isinstance(given.inputs, JudgedTexts) and len(given.inputs.texts):
        _write_style(folder / STYLE, styles(given.inputs), renaming)
    elif isinstance(given.inputs, DocumentJudgments):
        rows = ((sentence, guarded(name)) for sentence, name in given.inputs.documents.items())
        write_table(folder / DOCUMENTS, DOCUMENT_COLUMNS, rows)
    return Stated(
        title=title,
        analysis=analysis,
        parameters=_without_names(given.parameters),
        roles={
            renaming.systems[name]: role for name, role in given.roles.items() if name in renaming.systems
        },
        left_out_systems=len(left_out.systems),
        left_out_annotators=len(left_out.annotators),
        metrics=metrics,
        rules=todays_rules(analysis),
        # Without names, positions and digests are others, so nothing could be drawn again.
        secret=given.secret if with_names else "",
    )


def judgments_of(inputs: Inputs) -> Judgments:
    """The judgments of these inputs.

    Raises:
        TypeError: they hold no judgments.
    """
    if isinstance(inputs, ScoredJudgments):
        return inputs.judgments
    if isinstance(inputs, Judgments):
        return inputs
    raise TypeError(f"{type(inputs).__name__} holds no judgments of outputs")


def _in_order_of_digests(
    frame: pd.DataFrame, order: IntArray, renaming: Renaming
) -> tuple[IntArray, IntArray]:
    """The rows in this order, but the outputs of each judgment in the order of their new digests.

    Judgments that were imported often have them in the order of the systems' names. The second array has the
    position of each of these rows in its judgment.
    """
    outputs = frame["output"].cat
    digests = [str(renaming.output(digest)) for digest in outputs.categories]
    places = np.full(len(digests) + 1, -1)  # The last is that of no output.
    places[np.argsort(digests)] = np.arange(len(digests))
    judgments, _ = pd.factorize(frame["judgment"].cat.codes.to_numpy()[order])
    within = np.lexsort((places[outputs.codes.to_numpy()[order]], judgments))
    judgments = judgments[within]
    firsts = np.flatnonzero(np.diff(judgments, prepend=-1))
    return order[within], np.arange(len(order)) - firsts[judgments]


def _systems(inputs: Inputs, frame: pd.DataFrame) -> tuple[str, ...]:
    """The systems that were judged or scored, without those that were left out."""
    scored = inputs.systems if isinstance(inputs, ScoredJudgments) else ()
    left_out = judgments_of(inputs).left_out.systems
    return tuple(sorted({*system_names(frame), *scored}.difference(left_out)))


def _without_names(parameters: Any) -> Any:
    """The parameters without names of systems, which were left out already."""
    if any(each.attribute == "exclude_systems" for each in parameter_fields(type(parameters))):
        return replace(parameters, exclude_systems=None)
    return parameters


def _write_style(path: Path, style: pd.DataFrame | None, renaming: Renaming) -> None:
    columns = [] if style is None else list(style.columns)
    rows = (
        [sentence, renaming.output(str(output)), *values]
        for (sentence, output), *values in ([] if style is None else style.itertuples(name=None))
    )
    write_table(path, ["sentence", "output", *columns], sorted(rows))


def _read_style(path: Path) -> pd.DataFrame:
    try:
        read = pd.read_csv(path, dtype={"output": "object"})
        return read.set_index(["sentence", "output"]).astype(float)
    except (OSError, ValueError, KeyError) as error:
        raise BundleError(f"{STYLE} cannot be read: {error}") from error


def read_inputs(folder: Path, stated: Stated, progress: Progress) -> tuple[Inputs, object]:
    """The inputs of the analysis from the files of a bundle, and its parameters for them.

    Metrics are read when they are needed; `progress` is told of each.

    Raises:
        BundleError, FormatError: a file cannot be read.
        ParameterError: the inputs do not allow the parameters.
    """
    analysis = stated.analysis
    frame = read_judgments(folder / JUDGMENTS)
    parameters = analysis.resolved(stated.parameters, scored=holds_scores(frame))
    source = next((name for name, role in stated.roles.items() if role == SystemRole.SOURCE), None)
    judged = judgments(frame, analysis.all_columns, roles=stated.roles, source=source)
    if analysis.inputs is ScoredJudgments:
        return _with_scores(folder, stated, judged, progress), parameters
    if analysis.inputs is JudgedTexts:
        style = _read_style(folder / STYLE) if (folder / STYLE).exists() else None
        return with_texts(judged, pd.DataFrame(columns=["sentence", "output"]), style=style), parameters
    if analysis.inputs is DocumentJudgments:
        table = read_table(folder / DOCUMENTS, DOCUMENT_COLUMNS)
        sentences = whole_numbers(table["sentence"], DOCUMENTS).tolist()
        documents = zip(sentences, map(unguarded, table["document"]), strict=True)
        return in_documents(judged, {sentence: name or "" for sentence, name in documents}), parameters
    return judged, parameters


def _with_scores(folder: Path, stated: Stated, judged: Judgments, progress: Progress) -> ScoredJudgments:
    numbers, domains = read_sentences(folder)
    systems, metrics = read_scores(folder, stated.metrics, numbers, progress)
    sentences = judged.snapshot["sentence"].to_numpy()
    if not np.isin(sentences, numbers).all():
        raise BundleError(f"{JUDGMENTS} has a sentence that {SENTENCES} lacks")
    places = np.searchsorted(numbers, sentences)
    return ScoredJudgments(
        judgments=replace(judged, snapshot=judged.snapshot.assign(sentence=places)),
        sentences=len(numbers),
        systems=systems,
        metrics=metrics,
        domains=domains,
        positions=numbers,
    )
