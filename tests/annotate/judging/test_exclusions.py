"""An admin excludes an annotator and readmits them; none of their work is lost."""

import csv
from io import StringIO

import pytest
from django.core.exceptions import ValidationError

from annotate.judging.exclusions import ExclusionError, exclude, readmit, verdict_on
from annotate.judging.handout import give_next_showing
from annotate.judgments.exporting import export_judgments, file_name
from annotate.judgments.queries import snapshot
from annotate.judgments.stream import Selection
from annotate.models import Annotator, AuditEntry, Campaign, Judgment, Role, User
from formats.writers import FORMATS
from ranking.annotators.control_rule import ControlRule
from tests.annotate.checked import checked_campaign, judged_by
from tests.annotate.running import NOON, answer, cast, running, shown

pytestmark = pytest.mark.django_db


def exported(campaign: Campaign, **wanted: object) -> set[str]:
    """The annotators of an export."""
    selection = Selection(**wanted)  # type: ignore[arg-type]  # what the test asks for
    pieces = export_judgments(
        campaign=campaign, file_format=FORMATS["csv"], selection=selection, names=True, by=None
    )
    return {row["annotator"] for row in csv.DictReader(StringIO(b"".join(pieces).decode()))}


@pytest.mark.usefixtures("protocol")
def test_an_excluded_annotator_gets_no_items_and_late_answers_are_stored() -> None:
    anna, ben = cast(running())
    open_screen = shown(anna)
    exclude(anna, reason="Clicked at random.")
    assert give_next_showing(anna, now=NOON) is None
    assert shown(ben).slot == open_screen.slot
    assert answer(open_screen).state == "surplus"
    assert Judgment.objects.filter(annotator=anna).count() == 1
    assert give_next_showing(anna) is None
    readmit(anna)
    assert give_next_showing(anna) is not None


def test_an_exclusion_that_another_process_has_made_holds() -> None:
    anna, _ = cast(running())
    exclude(Annotator.objects.get(pk=anna.pk), reason="Asked to be.")
    assert give_next_showing(anna) is None


def test_the_audit_log_has_admin_reason_and_rule() -> None:
    campaign = checked_campaign()
    carl = judged_by(campaign, "carl", control=80)
    admin = User.objects.create_user("ada", role=Role.ADMIN)
    exclude(carl, reason=" Put all controls above the source. ", rule=ControlRule(0.8, 3), by=admin)
    readmit(carl, by=admin)
    readmitted, excluded = AuditEntry.objects.filter(action__in=("exclude", "readmit"))
    assert (excluded.who, excluded.name, excluded.details) == (
        "ada",
        "checked",
        {
            "annotator": "carl (Annotator 1)",
            "reason": "Put all controls above the source.",
            "control below source": "0 of 4",
            "rule": "control below source on at least 80 % of 3 screens or more",
        },
    )
    assert readmitted.details == {
        "annotator": "carl (Annotator 1)",
        "excluded because": "Put all controls above the source.",
    }


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_without_a_reason_nobody_is_excluded(reason: str) -> None:
    anna, _ = cast(running())
    with pytest.raises(ValidationError):
        exclude(anna, reason=reason)
    anna.refresh_from_db()
    assert anna.excluded_at is None
    assert not AuditEntry.objects.filter(action="exclude").exists()


def test_repeating_an_exclusion_is_refused() -> None:
    anna, _ = cast(running())
    with pytest.raises(ExclusionError, match="anna is not excluded"):
        readmit(anna)
    exclude(anna, reason="Asked to be.")
    with pytest.raises(ExclusionError, match="anna is already excluded"):
        exclude(Annotator.objects.get(pk=anna.pk), reason="Twice.")


def test_exports_leave_them_out_unless_asked_and_say_so() -> None:
    campaign = running()
    anna, ben = cast(campaign)
    for annotator in (anna, ben):
        answer(shown(annotator))
    plain = file_name(campaign, FORMATS["csv"], Selection())
    exclude(anna, reason="Asked to be.")
    assert exported(campaign) == {"ben"}
    assert exported(campaign, excluded=True) == {"anna", "ben"}
    assert exported(campaign, annotator=anna) == {"anna"}
    assert file_name(campaign, FORMATS["csv"], Selection()) == "campaign-judgments-filtered.csv"
    assert file_name(campaign, FORMATS["csv"], Selection(excluded=True)) == plain
    entries = AuditEntry.objects.filter(action="export").order_by("pk")
    assert [len(entry.details["left out"]) for entry in entries] == [1, 0, 0]
    assert "anna" not in str([entry.details for entry in entries])
    readmit(anna)
    assert exported(campaign) == {"anna", "ben"}


def test_the_snapshot_itself_holds_everybody() -> None:
    campaign = running()
    anna, _ = cast(campaign)
    answer(shown(anna))
    exclude(anna, reason="Asked to be.")
    assert set(snapshot(campaign, names=True)["annotator"]) == {"anna"}


def test_excluded_and_flagged_workers_do_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = checked_campaign()
    careful, careless = judged_by(campaign, "anna", control=10), judged_by(campaign, "carl", control=80)
    assert verdict_on(careful).passed
    assert verdict_on(careless).passed  # With four cases nobody is flagged.
    monkeypatch.setattr("annotate.judging.exclusions.DEFAULT_RULE", ControlRule(0.7, 4))
    assert verdict_on(careful).passed
    exclude(careful, reason="Asked to be.")
    assert not verdict_on(careful).passed
