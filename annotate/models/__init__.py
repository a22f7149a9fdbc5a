from annotate.models.accounts import Role, User
from annotate.models.campaigns import Annotator, Campaign, CampaignState, Item, ItemOutput
from annotate.models.corpora import (
    Corpus,
    CorpusState,
    Output,
    Production,
    Reference,
    Sentence,
    System,
    SystemRole,
)
from annotate.models.designs import Design, Sampling
from annotate.models.judgments import Judgment, JudgmentState, Rating, Revision
from annotate.models.links import Link
from annotate.models.slots import Assignment, AssignmentState, Batch, Showing, Slot, SlotState

__all__ = [
    "Annotator",
    "Assignment",
    "AssignmentState",
    "Batch",
    "Campaign",
    "CampaignState",
    "Corpus",
    "CorpusState",
    "Design",
    "Item",
    "ItemOutput",
    "Judgment",
    "JudgmentState",
    "Link",
    "Output",
    "Production",
    "Rating",
    "Reference",
    "Revision",
    "Role",
    "Sampling",
    "Sentence",
    "Showing",
    "Slot",
    "SlotState",
    "System",
    "SystemRole",
    "User",
]
