"""References that people write, and references that grow by outputs judged valid.

`corrected_sentences` turns the answers of annotators into corrections of sentences; `edit_agreement` compares
each person's edits with the others'; `uncovered_outputs` lists outputs that no reference contains, and
`grown_scores` what references made of them change.
"""

from metrics.references.accepted_edits import (
    AcceptedOutput,
    accepted_by_each,
    accepted_by_most,
    m2_of_accepted,
)
from metrics.references.agreement import EditAgreement, PersonAgreement, edit_agreement
from metrics.references.edits import Edits, edits_between
from metrics.references.growing import (
    GrownReference,
    UncoveredOutput,
    covered_by,
    in_words,
    uncovered_outputs,
    with_references,
)
from metrics.references.rescoring import (
    Figures,
    GrownScores,
    SystemChange,
    grown_scores,
)
from metrics.references.snapshots import (
    JudgedOutput,
    judged_outputs,
    without_annotators,
    written_answers,
)
from metrics.references.written import (
    CorrectedSentence,
    DistinctCorrection,
    LeftOutSentence,
    WrittenAnswer,
    corrected_sentences,
    distinct_corrections,
)

__all__ = [
    "AcceptedOutput",
    "CorrectedSentence",
    "DistinctCorrection",
    "EditAgreement",
    "Edits",
    "Figures",
    "GrownReference",
    "GrownScores",
    "JudgedOutput",
    "LeftOutSentence",
    "PersonAgreement",
    "SystemChange",
    "UncoveredOutput",
    "WrittenAnswer",
    "accepted_by_each",
    "accepted_by_most",
    "corrected_sentences",
    "covered_by",
    "distinct_corrections",
    "edit_agreement",
    "edits_between",
    "grown_scores",
    "in_words",
    "judged_outputs",
    "m2_of_accepted",
    "uncovered_outputs",
    "with_references",
    "without_annotators",
    "written_answers",
]
