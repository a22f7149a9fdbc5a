"""The page of rejected edits beside what its analysis declares: each edit in its sentence."""

from dataclasses import dataclass

from analysis.analyses.systems.rejected_edits import REJECTED_EDITS, RejectedEdit
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.models import User
from core.results import Computed


@dataclass(frozen=True, slots=True)
class InSentence:
    """An edit in its sentence.

    Attributes:
        edit: the edit.
        replaced: the words that it replaces; empty for an insertion.
        source: the sentence.
        corrected: the sentence with this edit alone.
    """

    edit: RejectedEdit
    replaced: str
    source: str
    corrected: str


def further(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """The edits whose sentences are known, in the order of the result."""
    corpus = request.campaign.corpus
    listed: tuple[RejectedEdit, ...] = computed.result.listed
    sentences = corpus.sentences.filter(position__in={edit.sentence for edit in listed})
    texts = dict(sentences.values_list("position", "text"))
    return {
        "corpus": corpus,
        "in_sentences": [_shown(edit, text) for edit in listed if (text := texts.get(edit.sentence))],
    }


def _shown(edit: RejectedEdit, source: str) -> InSentence:
    corrected = source[: edit.start] + edit.replacement + source[edit.end :]
    return InSentence(edit, source[edit.start : edit.end], source, corrected)


register_page(declared_page(REJECTED_EDITS, further))
