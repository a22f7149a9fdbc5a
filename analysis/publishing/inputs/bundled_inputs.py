"""The inputs of a bundled analysis as files, and back: judgments, and what else the kind of inputs has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.base import AnyAnalysis, domain_of, scale_of
from analysis.analyses.judgment_inputs import Judgments, LeftOut, judgments
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.publishing.inputs.files_beside_judgments import JUDGMENTS, files_beside
from analysis.publishing.inputs.judgments import (
    HELD,
    POINTS,
    in_order_of_digests,
    read_judgments,
    write_judgments,
)
from analysis.publishing.inputs.renaming import kept_names, numbered
from analysis.publishing.stated import Stated, todays_rules
from annotate.models import SystemRole
from core.later import pd
from core.parameters import parameter_fields
from core.progress import Progress
from ranking import holds_scores
from ranking.judgments.snapshot import system_names

SUBMITTED_AT = "submitted_at"


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """The inputs and parameters of a bundle.

    Attributes:
        inputs: of the analysis; the snapshot has the columns that a bundle is written from.
        parameters: of the analysis, resolved.
        annotators: the number of each annotator.
        roles: of systems that have one, by name.
    """

    inputs: Inputs
    parameters: Any
    annotators: Mapping[str, int]
    roles: Mapping[str, str]


def with_columns_of_bundles(analysis: AnyAnalysis) -> AnyAnalysis:
    """A copy of the analysis whose inputs hold the columns that a bundle is written from."""
    also = [name for name in (SUBMITTED_AT, POINTS) if name in analysis.columns]
    return replace(analysis, columns=(*HELD, *also))


def files_needed(stated: Stated) -> tuple[str, ...]:
    """The files of a bundle that everything else is computed from, apart from its parameters."""
    return (JUDGMENTS, *files_beside(stated.analysis.inputs).needed)


def files_possible(stated: Stated) -> tuple[str, ...]:
    """The files that a bundle needs, and those that only some bundles have."""
    return (*files_needed(stated), *files_beside(stated.analysis.inputs).optional)


def files_present(folder: Path, stated: Stated) -> list[str]:
    """The files of a bundle's inputs in this folder."""
    needed = files_needed(stated)
    return [name for name in files_possible(stated) if name in needed or (folder / name).exists()]


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
        order, positions = in_order_of_digests(frame, order, renaming, progress)
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
    metrics = files_beside(analysis.inputs).write(folder, given.inputs, renaming, progress)
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


def read_inputs(
    folder: Path, stated: Stated, also: Sequence[str], progress: Progress
) -> tuple[Inputs, object]:
    """The inputs of the analysis from the files of a bundle, and its parameters for them.

    Args:
        folder: the files.
        stated: the request.
        also: columns of the judgments beside those that the analysis reads.
        progress: is told of parts of the judgments, and of each metric, which is read when it is needed.

    Raises:
        BundleError, FormatError: a file cannot be read.
        ParameterError: the inputs do not allow the parameters.
    """
    analysis = stated.analysis
    frame = read_judgments(folder / JUDGMENTS, progress)
    parameters = analysis.resolved(stated.parameters, scored=holds_scores(frame))
    source = next((name for name, role in stated.roles.items() if role == SystemRole.SOURCE), None)
    columns = (*analysis.all_columns, *also)
    # What was left out is not in the bundle; the signature names domain and scale all the same.
    left_out = LeftOut(domain=domain_of(parameters), scale=scale_of(parameters))
    judged = judgments(
        frame,
        list(dict.fromkeys(columns)),
        left_out=left_out,
        roles=stated.roles,
        source=source,
        step=progress.step,
    )
    return files_beside(analysis.inputs).read(folder, stated, judged, progress), parameters
