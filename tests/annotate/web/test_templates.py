"""What no template may do: name a state that does not exist."""

import re
from pathlib import Path

from django.conf import settings

from annotate.campaigns.reports import ItemState
from annotate.models import CampaignState, JudgmentState, Role, SystemRole
from annotate.storage import job_kinds
from jobs.models import JobState

TEMPLATES = Path(settings.BASE_DIR) / "templates"
WORDS = {
    "answer.state": JudgmentState.values,
    "campaign.state": CampaignState.values,
    "form.row.role": SystemRole.values,
    "job.kind": [kind for name, kind in vars(job_kinds).items() if name.isupper()],
    "job.state": JobState.values,
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
