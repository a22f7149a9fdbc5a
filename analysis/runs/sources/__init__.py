"""Sources of inputs: for each kind, a campaign or corpus, or a file.

A new kind of inputs needs a class, such as those of `analysis.analyses.judgment_inputs`, and a `Source` here.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.base import AnyAnalysis, Group, analyses, counts_on_machine
from analysis.analyses.corpus_inputs import CorpusCorrections, CorpusTexts, LatticeTexts
from analysis.analyses.judgment_inputs import (
    DocumentJudgments,
    DomainJudgments,
    JudgedTexts,
    Judgments,
    JudgmentsBesideMachine,
    JudgmentsBesideScores,
    MeasuredJudgments,
    WithMachineIfAsked,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, ScoresBesideEdits, StressedMetrics
from analysis.analyses.references.collected import GrowingReferences, ValidityJudgments, WrittenCorrections
from analysis.analyses.systems.beside_references import EditsBesideReferences
from analysis.runs.sources.base import Request, Source, Subject, Version
from analysis.runs.sources.beside_machine import BESIDE_MACHINE, WITH_MACHINE_IF_ASKED
from analysis.runs.sources.beside_references import EDITS_BESIDE_REFERENCES
from analysis.runs.sources.beside_scores import BESIDE_SCORES
from analysis.runs.sources.collected import GROWING_REFERENCES, VALIDITY_JUDGMENTS, WRITTEN_CORRECTIONS
from analysis.runs.sources.corpora import CORPUS_TEXTS, LATTICE_TEXTS
from analysis.runs.sources.corrections import CORPUS_CORRECTIONS
from analysis.runs.sources.judged_by_machines import JUDGED_BY_MACHINES
from analysis.runs.sources.judgments import (
    DOCUMENT_JUDGMENTS,
    DOMAIN_JUDGMENTS,
    JUDGED_TEXTS,
    JUDGMENTS,
    MEASURED_JUDGMENTS,
)
from analysis.runs.sources.scored_judgments import SCORED_JUDGMENTS, SCORES_BESIDE_EDITS
from analysis.runs.sources.stressed_metrics import STRESSED_METRICS
from annotate.judgments.queries import answers_of_machines
from annotate.models import User

__all__ = [
    "Request",
    "Source",
    "Subject",
    "Version",
    "analyses_of",
    "reasons_against",
    "source_of",
    "version_of",
]

SOURCES: Mapping[type[Inputs], Source[Any]] = {
    Judgments: JUDGMENTS,
    JudgmentsBesideScores: BESIDE_SCORES,
    EditsBesideReferences: EDITS_BESIDE_REFERENCES,
    JudgmentsBesideMachine: BESIDE_MACHINE,
    WithMachineIfAsked: WITH_MACHINE_IF_ASKED,
    JudgedTexts: JUDGED_TEXTS,
    DocumentJudgments: DOCUMENT_JUDGMENTS,
    DomainJudgments: DOMAIN_JUDGMENTS,
    MeasuredJudgments: MEASURED_JUDGMENTS,
    CorpusTexts: CORPUS_TEXTS,
    CorpusCorrections: CORPUS_CORRECTIONS,
    LatticeTexts: LATTICE_TEXTS,
    ScoredJudgments: SCORED_JUDGMENTS,
    ScoresBesideEdits: SCORES_BESIDE_EDITS,
    StressedMetrics: STRESSED_METRICS,
    WrittenCorrections: WRITTEN_CORRECTIONS,
    ValidityJudgments: VALIDITY_JUDGMENTS,
    GrowingReferences: GROWING_REFERENCES,
    JudgedByMachines: JUDGED_BY_MACHINES,
}


def source_of(analysis: AnyAnalysis) -> Source[Any]:
    """The source of the analysis's inputs."""
    return SOURCES[analysis.inputs]


def version_of(analysis: AnyAnalysis, subject: Subject) -> Version:
    """The state of the inputs of the analysis in this campaign or corpus."""
    return source_of(analysis).version(subject)


def version_of_request(request: Request, version: Version | None = None) -> Version:
    """The state of the inputs that a request reads, of machines too if it asks for their judgments.

    `version` is the state of the people's, if the caller has it already.
    """
    version = version or version_of(request.analysis, request.subject)
    may_ask = request.analysis.inputs is WithMachineIfAsked
    if not (request.left_out.with_machines or (may_ask and counts_on_machine(request.parameters))):
        return version
    answers = [answers_of_machines(each) for each in (request.campaign, *request.campaign.followed)]
    return Version(f"{version.state}|machines:{'+'.join(map(str, answers))}", version.size + sum(answers))


def analyses_of(subject: Subject, user: User) -> list[AnyAnalysis]:
    """The analyses of a campaign or a corpus that the account may see, in the order of lists."""
    listed = [
        analysis
        for analysis in analyses().values()
        if isinstance(subject, source_of(analysis).subject)
        and source_of(analysis).concerns(subject, analysis)
        and (user.is_admin or not analysis.is_for_admins)
    ]
    groups = list(Group)
    return sorted(listed, key=lambda each: (groups.index(each.group), each.place, each.title))


def reasons_against(subject: Subject, listed: Iterable[AnyAnalysis]) -> dict[str, str]:
    """Why some of these analyses have nothing to analyse, by name, and what to do about it."""
    alike: dict[tuple[Source[Any], int, bool], list[AnyAnalysis]] = {}
    for analysis in listed:
        needs = analysis.fewest_references, analysis.needs_domains
        alike.setdefault((source_of(analysis), *needs), []).append(analysis)
    return {
        analysis.name: reason
        for (source, *_), each in alike.items()
        if (reason := source.why_not(subject, each[0]))
        for analysis in each
    }
