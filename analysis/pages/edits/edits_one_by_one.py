"""The page of judged edits beside what its analysis declares: a file of them, and making references."""

from analysis.analyses.systems.edits_one_by_one import EDITS
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.models import User
from core.results import Computed


def further(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """Whether there are texts that edits are of, and whether the user may make references of these."""
    corpus = request.campaign.corpus
    has_texts = corpus.has_texts and computed.result.total.edits > 0
    return {"corpus": corpus, "has_texts": has_texts, "may_make": user.is_admin and has_texts}


register_page(declared_page(EDITS, further))
