import json
import re
from uuid import UUID

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import DjangoAssertNumQueries

from annotate.judgments.exporting import ExportError, export_judgments, file_name
from annotate.judgments.pseudonyms import annotator_known_as, pseudonym
from annotate.judgments.stream import Selection
from annotate.models import AuditEntry, Campaign, Role, User
from formats.writers import FORMATS
from tests.annotate.running import NOON
from tests.annotate.samples import campaign_without_texts
from tests.formats.writers.stored import RECORDS, exported, store

pytestmark = pytest.mark.django_db


def account(role: Role) -> User:
    return User.objects.create_user(f"the-{role.value}", role=role)


# --- Pseudonyms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "appraise", "wmt-csv"])
def test_annotators_are_pseudonyms_unless_names_are_asked_for(file_format: str) -> None:
    campaign = campaign_without_texts()
    under_pseudonyms = exported(campaign, file_format, names=False).decode()
    named = exported(campaign, file_format).decode()
    for name in ("anna", "ben"):
        assert name not in under_pseudonyms
        assert pseudonym(campaign, name) in under_pseudonyms
        assert under_pseudonyms.count(pseudonym(campaign, name)) == named.count(name)


def test_pseudonyms_depend_on_campaign_name_and_secret(settings: pytest.FixtureRequest) -> None:
    first, second = campaign_without_texts("first"), campaign_without_texts("second")
    known_as = pseudonym(first, "anna")
    assert re.fullmatch("annotator-[0-9a-f]{16}", known_as)
    assert pseudonym(first, "anna") == known_as
    settings.SECRET_KEY = "another one"  # type: ignore[attr-defined]
    others = {pseudonym(first, "anna"), pseudonym(first, "ben"), pseudonym(second, "anna")}
    assert len(others | {known_as}) == 4


def test_pseudonyms_are_the_same_tomorrow(settings: pytest.FixtureRequest) -> None:
    """Files that were exported name them; a change would give everybody another one."""
    settings.SECRET_KEY = "of this test"  # type: ignore[attr-defined]
    campaign = Campaign(uuid=UUID(int=1))
    assert pseudonym(campaign, "anna") == "annotator-ac5ccc05becb6aff"


def test_an_annotator_is_found_by_pseudonym() -> None:
    campaign = campaign_without_texts()
    anna = campaign.annotators.get(name="anna")
    assert annotator_known_as(campaign, pseudonym(campaign, "anna")) == anna
    assert annotator_known_as(campaign, "anna") is None


def test_only_admins_and_commands_get_names() -> None:
    campaign = campaign_without_texts()
    for by in (account(Role.ADMIN), None):
        pieces = export_judgments(
            campaign=campaign, file_format=FORMATS["csv"], selection=Selection(), names=True, by=by
        )
        assert b"anna" in b"".join(pieces)
    for role in (Role.RESEARCHER, Role.ANNOTATOR):
        with pytest.raises(PermissionDenied):
            export_judgments(
                campaign=campaign,
                file_format=FORMATS["csv"],
                selection=Selection(),
                names=True,
                by=account(role),
            )


# --- What the field's formats cannot hold ---------------------------------------------------------


@pytest.mark.parametrize("file_format", ["appraise", "wmt-csv"])
def test_surplus_rankings_leave_only_by_their_state(file_format: str) -> None:
    campaign = campaign_without_texts()
    before = exported(campaign, file_format)
    campaign.items.order_by("number")[0].judgments.filter(annotator__name="ben").update(state="surplus")
    assert len(exported(campaign, file_format)) < len(before)
    surplus = exported(campaign, file_format, Selection(states=["surplus"])).decode()
    assert "ben" in surplus
    assert "anna" not in surplus


@pytest.mark.parametrize("file_format", ["appraise", "wmt-csv"])
def test_judgments_without_ranks_are_refused_before_anything_is_written(file_format: str) -> None:
    with pytest.raises(ExportError, match="holds rankings, and campaign 'scored' has none"):
        exported(store(RECORDS, "scored"), file_format)
    with pytest.raises(ExportError, match="holds current answers only"):
        exported(campaign_without_texts(), file_format, Selection(history=True))
    assert not AuditEntry.objects.exists()


# --- What is kept of an export --------------------------------------------------------------------


def test_an_export_is_on_record_at_once() -> None:
    campaign = campaign_without_texts()
    admin = account(Role.ADMIN)
    export_judgments(
        campaign=campaign,
        file_format=FORMATS["csv"],
        selection=Selection(
            states=["complete"], submitted_from=NOON.date(), annotator=campaign.annotators.get(name="anna")
        ),
        names=True,
        by=admin,
    )
    [entry] = AuditEntry.objects.all()
    assert (entry.user, entry.who, entry.action) == (admin, "the-admin", "export")
    assert (entry.kind, entry.uuid, entry.name) == ("campaign", campaign.uuid, "judged-alone")
    assert entry.details == {
        "format": "csv",
        "states": ["complete"],
        "from": "2026-05-04",
        "to": None,
        "annotator": "Annotator 1",
        "sentence": None,
        "history": False,
        "left out": [],
        "names": True,
    }


def test_files_are_named_after_the_campaign() -> None:
    campaign = campaign_without_texts('Größe "1"/../x')
    assert file_name(campaign, FORMATS["wmt-csv"], Selection()) == "groe-1x-judgments.wmt.csv"
    campaign.name = "日本"
    assert file_name(campaign, FORMATS["csv"], Selection()) == f"{campaign.uuid}-judgments.csv"


def test_nothing_is_read_before_the_first_piece_is_taken(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    campaign = campaign_without_texts()
    with django_assert_num_queries(2):  # who is left out, and the entry of the audit
        pieces = export_judgments(
            campaign=campaign, file_format=FORMATS["jsonl"], selection=Selection(), names=True, by=None
        )
    with django_assert_num_queries(6):
        rows = [json.loads(line) for line in b"".join(pieces).splitlines()]
    assert {row["annotator"] for row in rows} == {"anna", "ben"}
