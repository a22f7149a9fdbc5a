"""The tables."""

from annotate.models.accounts import ApiToken, Role, User
from annotate.models.audit import AuditAction, AuditEntry
from annotate.models.campaigns import (
    Annotator,
    AnsweredHour,
    Campaign,
    CampaignState,
    Item,
    ItemOutput,
    Suggestion,
)
from annotate.models.corpora import (
    Corpus,
    CorpusState,
    InsertedError,
    Output,
    Production,
    Reference,
    Sentence,
    System,
    SystemRole,
)
from annotate.models.crowds import Consent, Crowd, Platform, Visit, Worker
from annotate.models.designs import Design, Sampling, StopsWhen
from annotate.models.edits import EditLabels, OutputEdit, ReferenceEdit
from annotate.models.judgments import SAYS_SOMETHING, Judgment, JudgmentState, Rating, Revision
from annotate.models.links import Link
from annotate.models.logins import LoginAttempt
from annotate.models.machines import Machine, MachineLease
from annotate.models.practice import PracticeAnswer
from annotate.models.references import CollectedReference, Origin, ReferenceSet
from annotate.models.scores import OutputScore, ScorePiece, ScoreSet, ScoreSetState, SystemScore
from annotate.models.slots import Assignment, AssignmentState, Batch, Showing, Slot, SlotState
from annotate.models.submissions import Submission, SubmissionLink, SubmittedFile
from annotate.models.watches import Watch

__all__ = [
    "SAYS_SOMETHING",
    "Annotator",
    "AnsweredHour",
    "ApiToken",
    "Assignment",
    "AssignmentState",
    "AuditAction",
    "AuditEntry",
    "Batch",
    "Campaign",
    "CampaignState",
    "CollectedReference",
    "Consent",
    "Corpus",
    "CorpusState",
    "Crowd",
    "Design",
    "EditLabels",
    "InsertedError",
    "Item",
    "ItemOutput",
    "Judgment",
    "JudgmentState",
    "Link",
    "LoginAttempt",
    "Machine",
    "MachineLease",
    "Origin",
    "Output",
    "OutputEdit",
    "OutputScore",
    "Platform",
    "PracticeAnswer",
    "Production",
    "Rating",
    "Reference",
    "ReferenceEdit",
    "ReferenceSet",
    "Revision",
    "Role",
    "Sampling",
    "ScorePiece",
    "ScoreSet",
    "ScoreSetState",
    "Sentence",
    "Showing",
    "Slot",
    "SlotState",
    "StopsWhen",
    "Submission",
    "SubmissionLink",
    "SubmittedFile",
    "Suggestion",
    "System",
    "SystemRole",
    "SystemScore",
    "User",
    "Visit",
    "Watch",
    "Worker",
]
