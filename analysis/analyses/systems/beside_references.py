"""Inputs of an analysis of judged edits: verdicts, and the edits of systems beside those of references."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.analyses.judgment_inputs import Judgments
from core.later import pd
from formats.digests import content_digest
from metrics.references.weighted_edits import MadeEdits


@dataclass(frozen=True, slots=True, eq=False)
class EditsBesideReferences(Judgments):
    """Verdicts on edits, and all edits of the corpus's systems; both enter the digest.

    Attributes:
        made: the edits of all outputs in sentences with references, found as those that were judged.
    """

    made: MadeEdits


def beside_references(judgments: Judgments, made: MadeEdits) -> EditsBesideReferences:
    """The verdicts, beside these edits."""
    frames = (made.edits, made.matches, made.produced)
    return EditsBesideReferences(
        judgments.snapshot,
        content_digest([judgments.digest, *(_columns(frame) for frame in frames)]),
        judgments.left_out,
        judgments.roles,
        judgments.source,
        made,
    )


def _columns(frame: pd.DataFrame) -> list[list[object]]:
    return [frame[name].tolist() for name in frame.columns]
