"""Rules for templates: only existing states, and no pages of a layer above."""

import re
from importlib import import_module
from pathlib import Path
from typing import get_args

from django.conf import settings

from annotate.campaigns.reports import ItemState
from annotate.models import CampaignState, JudgmentState, Role, SystemRole, job_kinds
from annotate.web.highlight import SegmentKind
from jobs.models import JobState

TEMPLATES = Path(settings.BASE_DIR) / "templates"
WORDS = {
    "answer.state": JudgmentState.values,
    "campaign.state": CampaignState.values,
    "change.kind": get_args(SegmentKind),
    "form.row.role": SystemRole.values,
    "job.kind": [kind for name, kind in vars(job_kinds).items() if name.isupper()],
    "job.state": JobState.values,
    "part.kind": get_args(SegmentKind),
    "report.item_state": ItemState.values,
    "user.role": Role.values,
}


def test_states_kinds_and_roles_in_templates_exist() -> None:
    """A template that compares with a word that is none would be silently wrong."""
    compared = [
        (path.relative_to(TEMPLATES), name, word)
        for path in TEMPLATES.rglob("*.html")
        for name, word in re.findall(r'([\w.]*(?:state|role|\.kind)) [!=]= "([^"]*)"', path.read_text())
    ]
    assert len(compared) > 20
    assert [case for case in compared if case[2] not in WORDS[case[1]]] == []


def names_of_urls(module: str) -> set[str]:
    return {str(pattern.name) for pattern in import_module(module).urlpatterns}


def test_no_page_of_annotate_names_a_url_of_the_layer_above() -> None:
    """Pages above register themselves (`annotate/web/registered_pages.py`)."""
    above = names_of_urls("analysis.urls") | names_of_urls("analysis.api.urls")
    url_tag = re.compile(r"{%\s*url\s+['\"]([^'\"]+)")
    call = re.compile(r"\b(?:redirect|reverse|reverse_lazy|refusals_lead_to)\(\s*['\"]([^'\"]+)")
    named = [
        (path.relative_to(settings.BASE_DIR), name)
        for pattern, paths in (
            (url_tag, [*(TEMPLATES / "annotate").rglob("*.html"), *TEMPLATES.glob("*.html")]),
            (call, (Path(settings.BASE_DIR) / "annotate").rglob("*.py")),
        )
        for path in paths
        for name in pattern.findall(path.read_text())
    ]
    assert {"campaign", "jobs"} <= {name for _, name in named}
    assert [case for case in named if case[1] in above] == []
