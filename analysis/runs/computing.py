"""The one path by which analyses of campaigns, corpora and files are computed."""

from collections.abc import MutableMapping
from typing import Any, cast

from analysis.analyses.base import Analysis, Chunks, Progress
from analysis.analyses.inputs import Inputs


def computed(
    analysis: Analysis[Any, Any],
    inputs: Inputs,
    parameters: Any,
    progress: Progress,
    parts: MutableMapping[int, Any],
) -> Any:
    """The result of an analysis, whose parameters are resolved.

    `parts` are those that were computed of the same inputs before, by number; each further part is put
    there when it is done.

    Raises:
        ParameterError: the inputs do not allow what was asked.
        SnapshotError: the inputs lack something.
    """
    if analysis.compute is not None:
        return analysis.compute(inputs, parameters, progress)
    chunks = cast(Chunks[Any, Any], analysis.chunks)
    sizes = chunks.sizes(parameters)
    progress.begin("Preparing")
    prepared = chunks.prepare(inputs, parameters)
    progress.begin(analysis.title, total=sum(sizes))
    if before := sum(sizes[number] for number in parts):
        progress.advance(before)
    for number in range(len(sizes)):
        if number not in parts:
            parts[number] = chunks.compute(prepared, parameters, number, progress.advance)
    return chunks.combine(inputs, prepared, parameters, [parts[number] for number in range(len(sizes))])
