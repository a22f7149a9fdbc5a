"""A drill: people judge, a backup is made meanwhile, the database is destroyed and restored, they go on."""

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from analysis.publishing.leaderboards import make_leaderboard
from annotate.judging.entering import mint_personal_link
from annotate.judgments.pseudonyms import names_by_pseudonym
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.machines.items import hand_out
from annotate.machines.making import machine_of_token, mint_token
from annotate.models import (
    Annotator,
    Campaign,
    Design,
    Judgment,
    Machine,
    MachineLease,
    Rating,
    Sampling,
    User,
)
from operation.backup import restoring
from operation.backup.making import DATABASES, back_up
from operation.backup.manifest import BackupRefusedError
from operation.health import known_migrations
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import answer, cast, running, shown
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The folder of the site's files."""
    settings.VAR_DIR = tmp_path / "var"
    settings.UPLOADS_DIR = settings.VAR_DIR / "uploads"
    settings.SNAPSHOTS_DIR = settings.VAR_DIR / "snapshots"
    upload = settings.UPLOADS_DIR / "6f0e" / "file"
    upload.mkdir(parents=True)
    (upload / "corpus.txt").write_text("A sentence .\n")
    settings.SNAPSHOTS_DIR.mkdir()
    (settings.SNAPSHOTS_DIR / "of-later-answers.arrow").touch()
    return tmp_path


class Judging:
    """Someone who judges without pause, in another thread."""

    def __init__(self, annotator: Annotator) -> None:
        self.confirmed: list[UUID] = []
        self._annotator, self._end = annotator, Event()
        self._thread = Thread(target=self._judge)

    def __enter__(self) -> "Judging":
        self._thread.start()
        while len(self.confirmed) < 3:
            assert self._thread.is_alive()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _judge(self) -> None:
        while not self._end.is_set():
            now = timezone.now()
            self.confirmed.append(answer(shown(self._annotator, now), now).uuid)
        connection.close()


def destroy() -> None:
    """Make the database unusable."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        connection.close()
        file.write_bytes(b"damaged" * 1000)
        return
    with connection.cursor() as cursor:
        tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names(cursor)))
        cursor.execute(f"DROP TABLE {tables} CASCADE")


def test_the_drill(folder: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = running(items=400, sampling=Sampling.UNIFORM, with_replacement=True, batch_size=100)
    anna, _ = cast(campaign)
    link = f"/join/{mint_personal_link(anna)}/"
    pseudonyms = names_by_pseudonym(campaign)
    file = folder / "backup.tar.gz"

    with Judging(anna) as judging:
        before = list(judging.confirmed)
        call_command("backup", str(file))
        count = len(judging.confirmed)
        while len(judging.confirmed) < count + 3:
            pass  # They are not held up.
    assert file.stat().st_mode & 0o777 == 0o600
    assert "secret key" in capsys.readouterr().err
    answers = dict(Judgment.objects.values_list("uuid", "revisions__ratings__rank"))

    destroy()
    for path in configured.VAR_DIR.rglob("*"):
        if path.is_file():
            path.unlink()
    call_command("restore", str(file))

    assert Campaign.objects.get().secret == campaign.secret != ""
    restored = dict(Judgment.objects.values_list("uuid", "revisions__ratings__rank"))
    assert set(before) <= restored.keys() < answers.keys()
    assert restored.items() <= answers.items()
    with tarfile.open(file) as archive:
        manifest = json.load(archive.extractfile("manifest.json") or pytest.fail("no manifest"))
    assert manifest["contents"]["rows"]["judgments"] == len(restored)
    assert (configured.VAR_DIR / "secret-key").read_text() == settings.SECRET_KEY
    assert (configured.UPLOADS_DIR / "6f0e" / "file" / "corpus.txt").read_text() == "A sentence .\n"
    assert not list(configured.VAR_DIR.glob("snapshots/*"))
    assert names_by_pseudonym(Campaign.objects.get()) == pseudonyms
    assert Client().post(link).headers["Location"].startswith(f"/judge/{campaign.uuid}/")
    answer(shown(anna, timezone.now()), timezone.now())
    assert Judgment.objects.count() == len(restored) + 1


def test_a_machine_comes_back_with_its_answers_its_token_and_what_people_saw_of_it(folder: Path) -> None:
    campaign = running(items=4, opinion_of="gpt")
    machine = machine_of(campaign, run_by="anna")
    token = mint_token(machine, by=None)
    handed = hand_out(machine, 4)
    ranks = {f"rank-{place}": "1" for place in range(9)}
    answers = [MachineAnswer(each.number, uuid4(), ranks) for each in handed[:3]]
    store_answers(machine, answers)
    [anna] = cast(campaign, "anna")
    while shown(anna, timezone.now()).slot.item.number not in {each.item for each in answers}:
        answer(shown(anna, timezone.now()), timezone.now())
    answer(shown(anna, timezone.now()), timezone.now())

    def stored() -> list[object]:
        return [
            sorted(Machine.objects.values_list()),
            sorted(MachineLease.objects.values_list("annotator", "item")),
            sorted(Judgment.every.values_list("uuid", "annotator", "by_machine", "revisions__opinion")),
            sorted(Rating.objects.values_list()),
            Design.objects.get().opinion_of,
        ]

    before = stored()
    assert "shown-after" in str(before)
    call_command("backup", str(folder / "backup.tar.gz"))
    destroy()
    call_command("restore", str(folder / "backup.tar.gz"))
    assert stored() == before
    again = machine_of_token(token)
    assert again == machine
    assert store_answers(machine, answers) == 0, "they are there already"
    assert store_answers(machine, [MachineAnswer(handed[3].number, uuid4(), ranks)]) == 1


def test_a_leaderboard_comes_back_as_strangers_saw_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_nothing(monkeypatch)
    campaign = small_campaign(small_corpus())
    chief = User.objects.create_user("chief", role="admin")
    board = make_leaderboard(campaign, "spring-2026", by=chief)
    for title in ("Spring", "Summer"):
        publication = published_result(campaign, title=title, leaderboard=board)
    pages = (board.get_absolute_url(), f"{board.get_absolute_url()}versions/", publication.get_absolute_url())
    before = [Client().get(page).content for page in pages]
    files = files_of(publication)
    call_command("backup", str(folder / "backup.tar.gz"))
    destroy()
    call_command("restore", str(folder / "backup.tar.gz"))
    assert [Client().get(page).content for page in pages] == before
    assert files_of(publication) == files


@pytest.fixture
def file(folder: Path) -> Path:
    """A backup of a small campaign."""
    cast(running())
    back_up(folder / "backup.tar.gz", with_key=False)
    return folder / "backup.tar.gz"


@pytest.fixture
def unchanged() -> Iterator[None]:
    """A refused request changes nothing."""
    yield
    assert Annotator.objects.count() == 2


@pytest.mark.usefixtures("unchanged")
def test_refused_requests(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackupRefusedError, match="exists already"):
        back_up(file, with_key=True)
    with pytest.raises(BackupRefusedError, match="no folder"):
        back_up(file.parent / "missing" / "backup", with_key=True)
    with pytest.raises(CommandError, match=r"holds 0 accounts, 1 campaigns, 0 judgments.* add --replace"):
        call_command("restore", str(file))
    (file.parent / "no-backup").write_text("hello")
    for other in ("no-backup", "missing"):
        with pytest.raises(CommandError, match=f"Nothing was restored.*{other} cannot be read"):
            call_command("restore", str(file.parent / other))
    with monkeypatch.context() as patched:
        patched.setattr(restoring, "is_too_old", lambda applied: ("jobs", "0001_jobs") in applied)
        with pytest.raises(CommandError, match=r"older than commit a0a9a5c5. Restore it there"):
            call_command("restore", str(file), "--replace")
    known = known_migrations()
    newest = max(migration for migration in known if migration[0] == "annotate")
    monkeypatch.setattr(restoring, "known_migrations", lambda: known - {newest})
    with pytest.raises(CommandError, match="newer version of Assay"):
        call_command("restore", str(file), "--replace")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("name", "kind"), [("../outside", tarfile.REGTYPE), ("uploads/link", tarfile.SYMTYPE)]
)
def test_an_archive_that_writes_elsewhere_is_refused(file: Path, name: str, kind: bytes) -> None:
    hostile = file.with_name("hostile.tar")
    with tarfile.open(file) as archive, tarfile.open(hostile, "w") as changed:
        changed.addfile(archive.getmember("manifest.json"), archive.extractfile("manifest.json"))
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        changed.addfile(member)
    with pytest.raises(CommandError, match=f"{name}.* is no file of a backup"):
        call_command("restore", str(hostile), "--replace")
    assert not (file.parent / "outside").exists()


@pytest.mark.usefixtures("unchanged")
def test_nothing_is_restored_under_a_running_site(file: Path) -> None:
    connected, end = Event(), Event()

    def stay() -> None:
        Annotator.objects.count()
        connected.set()
        end.wait()
        connection.close()

    other = Thread(target=stay)
    other.start()
    connected.wait()
    try:
        with pytest.raises(CommandError, match="Stop the site"):
            call_command("restore", str(file), "--replace")
    finally:
        end.set()
        other.join()


def test_without_the_key_it_warns(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("restore", str(file), "--replace")
    assert "no secret key" in capsys.readouterr().err
    assert not (configured.VAR_DIR / "secret-key").exists()


def test_a_missing_program_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite needs no program.")
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(BackupRefusedError, match="apt-get install postgresql-client"):
        DATABASES["postgresql"].copy_to(folder / "copy")
    assert not list(folder.glob("copy*"))
