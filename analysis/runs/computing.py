"""The one path by which analyses of campaigns and files are computed."""

from collections.abc import MutableMapping
from typing import Any, cast

import pandas as pd

from analysis.analyses.base import Analysis, Chunks, Judgments, Progress, judgments
from analysis.runs.requests import Request
from annotate.corpora.queries import source_name
from annotate.judgments.queries import roles_of


def judgments_of(request: Request, snapshot: pd.DataFrame) -> Judgments:
    """The inputs of a requested analysis, from the campaign's snapshot."""
    return judgments(
        snapshot,
        request.analysis.columns,
        left_out=request.left_out,
        roles=roles_of(request.campaign),
        source=source_name(request.campaign.corpus),
    )


def computed(
    analysis: Analysis[Any, Any],
    inputs: Judgments,
    parameters: Any,
    progress: Progress,
    parts: MutableMapping[int, Any],
) -> Any:
    """The result of an analysis, whose parameters are resolved.

    `parts` are those that were computed of the same inputs before, by number; each further part is put
    there when it is done.

    Raises:
        ParameterError: the judgments do not allow what was asked.
        SnapshotError: the inputs lack something.
    """
    if analysis.compute is not None:
        return analysis.compute(inputs, parameters, progress)
    chunks = cast(Chunks[Any, Any], analysis.chunks)
    number = chunks.number(parameters)
    progress.begin("Preparing")
    prepared = chunks.prepare(inputs, parameters)
    progress.begin(analysis.title, total=number)
    before = len(parts)
    for part in range(number):
        if part not in parts:
            parts[part] = chunks.compute(prepared, parameters, part)
            progress.advance(1 + before)
            before = 0
    return chunks.combine(inputs, prepared, parameters, [parts[part] for part in range(number)])
