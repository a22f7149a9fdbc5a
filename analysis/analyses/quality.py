"""Quality of annotators' work: the figures by which the quality page flags them."""

from dataclasses import dataclass

from analysis.analyses.base import Analysis, Table, register
from analysis.analyses.inputs import Judgments
from analysis.analyses.rules import stated_rule
from core.progress import NoProgress, Progress
from ranking.quality import READ, AnnotatorQuality, quality_of_annotators


@dataclass(frozen=True, slots=True)
class QualityParameters:
    """No parameters: the flagging rule is applied to the figures afterwards."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality figures of the annotators.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        annotators: the figures of each annotator, by the default rule.
    """

    signature: str
    annotators: tuple[AnnotatorQuality, ...]


def quality(judgments: Judgments, parameters: QualityParameters, progress: Progress | None = None) -> Quality:
    """Compute the quality figures of each annotator (`ranking.quality`).

    Raises:
        SnapshotError: as `ranking.scored_outputs`.
    """
    (progress or NoProgress()).begin("Looking at the annotators")
    signature = judgments.signature(f"quality{stated_rule('quality')}")
    return Quality(signature, quality_of_annotators(judgments.snapshot, judgments.roles))


def _tables(quality: Quality) -> tuple[Table, ...]:
    return (
        Table(
            "",
            ("Annotator", "Screens", "Control below source", "Seconds", "Same answer", "Agrees", "By chance"),
            tuple(
                (
                    work.annotator,
                    work.screens,
                    work.check.share,
                    work.seconds.value,
                    work.same_answer.value,
                    work.agreement.value,
                    work.by_chance.value,
                )
                for work in quality.annotators
            ),
        ),
    )


QUALITY = register(
    Analysis(
        name="quality",
        title="Quality",
        defined_in="quality.md",
        help="How carefully annotators work: controls, times, habits and agreement.",
        parameters=QualityParameters,
        result=Quality,
        inputs=Judgments,
        columns=READ,
        compute=quality,
        tables=_tables,
        is_for_admins=True,
    )
)
