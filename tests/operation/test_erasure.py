"""Erasing a person leaves nothing that identifies them, and changes no pseudonym."""

import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from analysis.publishing.leaderboards import make_leaderboard
from annotate.accounts.tokens import mint_token
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.exclusions import exclude
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import machines
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.machines.items import hand_out
from annotate.machines.making import machine_of_token
from annotate.machines.making import mint_token as mint_machine_token
from annotate.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Consent,
    Design,
    Judgment,
    Link,
    Slot,
    SlotState,
    User,
    Visit,
    Worker,
)
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.annotate.crowds import crowd_of
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import answer, enter, pass_over, running, shown

pytestmark = pytest.mark.django_db

NAME, EMAIL, PLATFORM_ID, SESSION = "mallory.brook", "mb@post.example", "5f2ac0ffee", "s3ss10n"
ADDRESS, NOTE, DRAFT, REASON = (
    "198.51.100.77",
    "my sister wrote this",
    "half a thought",
    "told me on the phone",
)
TRACES = (NAME, EMAIL, PLATFORM_ID, SESSION, ADDRESS, NOTE, DRAFT, REASON)


@pytest.fixture
def log() -> Iterator[StringIO]:
    """The site's log by default."""
    log = StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    yield log
    logging.getLogger().removeHandler(handler)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The folder of the site's files."""
    settings.VAR_DIR = tmp_path
    settings.SNAPSHOTS_DIR = tmp_path / "snapshots"
    return tmp_path


@pytest.fixture
def campaign(log: StringIO, settings: Settings) -> Campaign:
    """A campaign in which they left every trace that can be left."""
    settings.PROXIES, settings.LOGIN_FAILURES = 1, 1
    campaign = running(items=4)
    user = User.objects.create_user(NAME, EMAIL, "of-mallory", role="annotator")
    annotator = add_annotator(campaign, name=NAME, user=user)
    mint_token(user)
    client = Client(headers={"X-Forwarded-For": ADDRESS})
    client.get(f"/crowd/{crowd_of(campaign).entrance}/?worker={PLATFORM_ID}")
    client.post("/login/", {"username": NAME, "password": "wrong"})
    client.force_login(user)
    client.get(f"/judge/{campaign.uuid}/")
    client.get("/accounts/")
    mint_personal_link(annotator)
    _is_a_worker(annotator)
    now = timezone.now()
    answer(shown(annotator, now), now)
    pass_over(shown(annotator, now), now, note=NOTE)
    enter(shown(annotator, now), {"rank-0": DRAFT}, now)
    kept_snapshot(campaign)
    exclude(annotator, reason=REASON)
    return campaign


def _is_a_worker(annotator: Annotator) -> None:
    crowd = annotator.campaign.crowd
    consent = Consent.objects.create(crowd=crowd, text="Agreed.", digest=crowd.consent_digest)
    worker = Worker.objects.create(crowd=crowd, annotator=annotator, platform_id=PLATFORM_ID)
    Visit.objects.create(
        worker=worker,
        key=SESSION,
        parameters={"SESSION_ID": SESSION},
        consent=consent,
        agreed_at=timezone.now(),
    )


def tables() -> str:
    """The content of all tables."""
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            rows += cursor.fetchall()
    return repr(rows)


def exports(campaign: Campaign) -> str:
    """All exports of judgments with names, and the payouts."""
    client = Client()
    client.force_login(User.objects.create_user("root", role="admin"))
    pages = [
        f"/api/v1/campaigns/{campaign.uuid}/export/?format={name}&names=true&history=true&excluded=true"
        for name in ("csv", "jsonl")
    ]
    pages.append(f"/campaigns/{campaign.uuid}/crowd/payouts.csv")
    responses = [client.get(page) for page in pages]
    assert {response.status_code for response in responses} == {200}
    return "".join(response.getvalue().decode() for response in responses)


def files() -> str:
    return "".join(
        f"{path} {path.read_bytes()!r}" for path in configured.VAR_DIR.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize("options", [[], ["--delete-judgments"]], ids=["judgments stay", "judgments go"])
def test_nothing_identifies_them_any_more(options: list[str], campaign: Campaign, log: StringIO) -> None:
    before = tables()
    assert [trace for trace in TRACES if trace not in before] == []
    known_as = pseudonym(campaign, NAME)
    call_command("erase_annotator", "--account", NAME, *options)

    after = {"tables": tables(), "exports": exports(campaign), "files": files(), "log": log.getvalue()}
    assert [(where, trace) for where, text in after.items() for trace in TRACES if trace in text] == []
    [annotator] = campaign.annotators.all()
    assert annotator.known_as == "Annotator 1"
    assert pseudonym(campaign, annotator.name) == known_as
    assert set(kept_snapshot(campaign)["annotator"]) == (set() if options else {known_as})
    kinds = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"make-link", "make-token", "exclude", "block-logins", "erase"} <= kinds
    judgments = Judgment.objects.filter(annotator=annotator)
    assert judgments.count() == (0 if options else 2)
    assert Slot.objects.filter(state=SlotState.FILLED).exists() is not bool(options)
    assert not Link.objects.exists()


def test_one_campaign_only(campaign: Campaign) -> None:
    other = add_annotator(running("other"), name=NAME, user=User.objects.get())
    call_command("erase_annotator", campaign.name, PLATFORM_ID)
    other.refresh_from_db()
    assert (other.name, other.user) == (NAME, User.objects.get())
    assert campaign.annotators.get().user is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("campaign", "nobody"), "no annotator “nobody”"),
        (("nowhere", NAME), "no campaign 'nowhere'"),
        (("campaign",), "Name a campaign and an annotator"),
        (("--account", "nobody"), "no account 'nobody'"),
        (("--account", "rita"), "rita is a researcher"),
    ],
)
def test_refused_requests(arguments: tuple[str, ...], words: str, campaign: Campaign) -> None:
    User.objects.create_user("rita", role="researcher")
    with pytest.raises(CommandError, match=words):
        call_command("erase_annotator", *arguments)
    assert campaign.annotators.get().name == NAME


def test_a_screen_whose_judgment_went_is_free_for_others(campaign: Campaign) -> None:
    filled = Slot.objects.filter(state=SlotState.FILLED).count()
    call_command("erase_annotator", campaign.name, NAME, "--delete-judgments")
    assert filled
    assert set(Slot.objects.values_list("state", flat=True)) == {SlotState.FREE}
    ben = add_annotator(campaign, name="ben")
    now = timezone.now()
    answer(shown(ben, now), now)
    ben.refresh_from_db()
    assert ben.complete == 1


@pytest.mark.parametrize("options", [[], ["--delete-judgments"]], ids=["judgments stay", "judgments go"])
def test_a_leaderboard_stays_as_it_was_published_and_names_nobody(
    options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_nothing(monkeypatch)
    campaign = running(items=4)
    annotator = add_annotator(campaign, name=NAME)
    for _ in range(2):
        answer(shown(annotator, timezone.now()), timezone.now())
    chief = User.objects.create_user("chief", role="admin")
    board = make_leaderboard(campaign, "spring-2026", by=chief)
    publication = published_result(campaign, leaderboard=board)
    page, files = Client().get(board.get_absolute_url()).content, files_of(publication)
    call_command("erase_annotator", campaign.name, NAME, *options)
    assert Client().get(board.get_absolute_url()).content == page
    assert files_of(publication) == files
    assert NAME not in repr((page, files))
    if not options:
        published_result(campaign, title="Later", leaderboard=board)
        assert "Version 2 of" in Client().get(board.get_absolute_url()).content.decode()


@pytest.mark.parametrize("options", [[], ["--delete-judgments"]], ids=["judgments stay", "judgments go"])
def test_of_a_machine_the_model_stays_and_nobody_who_runs_it(options: list[str], folder: Path) -> None:
    campaign = running(items=4, opinion_of=f"the one of {NAME}")
    machine = machine_of(campaign, f"the one of {NAME}", run_by=EMAIL)
    token = mint_machine_token(machine, by=None)
    handed = hand_out(machine, 2)
    ranks = {f"rank-{place}": "1" for place in range(len(handed[0].outputs))}
    answers = [MachineAnswer(handed[0].number, uuid4(), ranks, NOTE)]
    store_answers(machine, answers)
    annotator = add_annotator(campaign, name="ben")
    answer(shown(annotator, timezone.now()), timezone.now())
    people = kept_snapshot(campaign)
    call_command("erase_annotator", campaign.name, machine.name, *options)

    assert [trace for trace in (NAME, EMAIL, NOTE) if trace in tables() + files()] == []
    [erased] = machines(campaign)
    assert (erased.known_as, erased.machine.model, erased.machine.run_by) == ("Machine 1", "gpt-4o", "")
    assert machine_of_token(token) is None
    assert not erased.machine_leases.exists()
    assert erased.judgment_count == Judgment.every.filter(annotator=erased).count() == int(not options)
    assert Design.objects.get(campaign=campaign).opinion_of == erased.name
    assert kept_snapshot(campaign).equals(people)
