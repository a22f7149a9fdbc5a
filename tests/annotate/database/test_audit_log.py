import pytest
from django.test import Client

from annotate.campaigns import lifecycle
from annotate.campaigns.lifecycle import CampaignError
from annotate.database.audit_log import record
from annotate.models import AuditAction, AuditEntry, CampaignState, User
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import no_progress, small_corpus

pytestmark = pytest.mark.django_db


def test_state_changes_of_a_campaign_are_logged_with_their_account(admin: Client) -> None:
    campaign = draft_campaign(small_corpus())
    for verb in ("launch", "pause", "resume", "close"):
        admin.post(f"/campaigns/{campaign.uuid}/{verb}/")
    entries = AuditEntry.objects.order_by("pk")
    assert [(entry.who, entry.action, entry.name) for entry in entries] == [
        ("the-admin", verb, "drafted") for verb in ("launch", "pause", "resume", "close")
    ]
    assert entries[0].details == {"items": 4}


def test_a_command_moves_campaigns_without_an_account() -> None:
    campaign = draft_campaign(small_corpus())
    lifecycle.launch(campaign, progress=no_progress)
    [entry] = AuditEntry.objects.all()
    assert (entry.user, entry.who) == (None, "")
    assert str(entry) == "command: launch campaign drafted"


def test_refused_actions_are_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = draft_campaign(small_corpus())
    with pytest.raises(CampaignError):
        lifecycle.pause(campaign)
    assert not AuditEntry.objects.exists()

    def fail(**entry: object) -> None:
        raise RuntimeError

    lifecycle.launch(campaign, progress=no_progress)
    monkeypatch.setattr(lifecycle, "record", fail)
    with pytest.raises(RuntimeError):
        lifecycle.close(campaign)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.RUNNING


def test_entries_outlive_account_and_object() -> None:
    user = User.objects.create_user("ada")
    campaign = draft_campaign(small_corpus())
    record(user=user, action=AuditAction.EXPORT, subject=campaign, details={"format": "csv"})
    campaign.delete()
    user.delete()
    [entry] = AuditEntry.objects.all()
    assert str(entry) == "ada: export campaign drafted"
    assert entry.user is None
