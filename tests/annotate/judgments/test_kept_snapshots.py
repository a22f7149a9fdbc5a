"""The cached snapshot: after any changes, updating it in steps equals building it from scratch."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.core.exceptions import PermissionDenied
from django.db import connection, connections, transaction
from pandas.testing import assert_frame_equal

from annotate.campaigns.deletion import delete_campaign
from annotate.judging.exclusions import exclude, readmit
from annotate.judgments.kept_snapshots import (
    SnapshotTooLargeError,
    kept_answers,
    kept_snapshot,
    kept_tables,
    sweep_snapshots,
)
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign, Judgment, Rating, Revision, Role, User
from formats.snapshot.snapshot_tables import SnapshotTables, empty_tables, read_tables, schemas
from formats.snapshot.snapshots import content_hash
from tests.annotate.samples import campaign_without_texts, ranking, small_campaign, small_corpus
from tests.formats.snapshot.test_snapshots import revise

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.SNAPSHOTS_DIR = tmp_path / "snapshots"
    folder: Path = settings.SNAPSHOTS_DIR
    return folder


@pytest.fixture
def campaign() -> Campaign:
    return small_campaign(small_corpus())


def file_of(campaign: Campaign, folder: Path) -> Path:
    return folder / f"{campaign.uuid}.arrow"


def equals_one_built_afresh(campaign: Campaign, folder: Path) -> None:
    """Bring the file up to date, then delete it and build it anew: each of its tables is the same."""
    frame = kept_snapshot(campaign)
    in_steps = tables_of(campaign, folder)
    file_of(campaign, folder).unlink()
    assert_frame_equal(kept_snapshot(campaign), frame)
    afresh = tables_of(campaign, folder)
    assert [name for name in schemas() if not getattr(in_steps, name).equals(getattr(afresh, name))] == []
    assert_frame_equal(snapshot(campaign), frame)


def tables_of(campaign: Campaign, folder: Path) -> SnapshotTables:
    if not file_of(campaign, folder).exists():
        return empty_tables()
    with file_of(campaign, folder).open("rb") as file:
        return read_tables(file, str(campaign.uuid))


def answers_read(campaign: Campaign) -> list[int]:
    """How many answers were in the file, and how many each chunk then read."""
    told: list[int] = []
    kept_tables(campaign, progress=told.append)
    keys_and_file, answers = told[:2], told[2:]
    assert keys_and_file == [0, 0]  # A job may be cancelled after each.
    return answers


def add(campaign: Campaign, *, key: int | None = None, repetition: int = 10) -> Judgment:
    """Another judgment like the first one, under this key."""
    first = Judgment.objects.filter(item__campaign=campaign).earliest("pk")
    judgment = Judgment.objects.create(
        pk=key,
        campaign=campaign,
        item=first.item,
        annotator=first.annotator,
        state="complete",
        repetition=repetition,
    )
    revision = Revision.objects.create(pk=key, judgment=judgment)
    for rating in Rating.objects.filter(revision__judgment=first, revision__is_current=True):
        Rating.objects.create(
            revision=revision, item_output=rating.item_output, position=rating.position, rank=1
        )
    return judgment


# --- In steps -------------------------------------------------------------------------------------


def test_the_file_gives_the_frame_of_the_database(campaign: Campaign) -> None:
    expected = snapshot(campaign)
    for _ in range(2):
        frame = kept_snapshot(campaign)
        assert_frame_equal(frame, expected)
        assert content_hash(frame) == content_hash(expected)


def test_answers_of_one_annotator_are_found_without_a_frame_of_all(campaign: Campaign) -> None:
    every, kept = kept_snapshot(campaign), kept_answers(campaign)
    for annotator in every["annotator"].unique():
        own = kept.of(annotator).frame()
        expected = every[every["annotator"] == annotator].reset_index(drop=True)
        assert content_hash(own) == content_hash(expected)
        assert own["judgment"].cat.categories.tolist() == sorted(own["judgment"].unique())
    assert kept.of("nobody").frame().empty


def test_only_new_judgments_are_read(campaign: Campaign, folder: Path) -> None:
    assert answers_read(campaign) == [0, 6]
    assert answers_read(campaign) == [6]
    add(campaign)
    assert answers_read(campaign) == [6, 1]
    equals_one_built_afresh(campaign, folder)


def test_nothing_new_leaves_the_file_alone(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    before = file_of(campaign, folder).stat()
    kept_snapshot(campaign)
    assert file_of(campaign, folder).stat().st_ino == before.st_ino


def test_an_old_answer_is_revised(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    judgment = Judgment.objects.earliest("pk")
    revise(judgment, ranks=[3, 1, 2])
    frame = kept_snapshot(campaign)
    assert frame["rank"][:3].tolist() == [3, 1, 2]
    assert frame["revision"][:3].tolist() == [2, 2, 2]
    equals_one_built_afresh(campaign, folder)


def test_a_skipped_item_is_answered_after_all(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    Judgment.objects.filter(state="skipped").update(state="complete")
    assert "skipped" not in set(kept_snapshot(campaign)["state"])
    equals_one_built_afresh(campaign, folder)


def test_an_answer_with_a_smaller_key_arrives_later(campaign: Campaign, folder: Path) -> None:
    add(campaign, key=10_002, repetition=10)
    kept_snapshot(campaign)
    late = add(campaign, key=10_001, repetition=11)
    assert str(late.uuid) in set(kept_snapshot(campaign)["judgment"])
    equals_one_built_afresh(campaign, folder)


@pytest.mark.parametrize("which", ["first", "last", "all"])
def test_judgments_are_deleted(campaign: Campaign, folder: Path, which: str) -> None:
    kept_snapshot(campaign)
    keys = list(Judgment.objects.order_by("pk").values_list("pk", flat=True))
    gone = {"first": keys[:1], "last": keys[-1:], "all": keys}[which]
    Judgment.objects.filter(pk__in=gone).delete()
    assert kept_snapshot(campaign)["judgment"].nunique() == 6 - len(gone)
    equals_one_built_afresh(campaign, folder)


def test_an_annotator_is_excluded_and_readmitted(campaign: Campaign, folder: Path) -> None:
    before = kept_snapshot(campaign)
    anna = campaign.annotators.get(name="anna")
    exclude(anna, reason="Clicked at random.")
    assert_frame_equal(kept_snapshot(campaign), before)
    equals_one_built_afresh(campaign, folder)
    readmit(anna)
    assert_frame_equal(kept_snapshot(campaign), before)
    equals_one_built_afresh(campaign, folder)


def test_a_new_annotator_may_come_anywhere_in_the_alphabet(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    for name in ("aaron", "zoe", "mia", "kim"):
        judgment = Judgment.objects.order_by("pk")[1]
        judgment.pk, judgment.uuid, judgment.repetition = None, uuid4(), 20 + len(Judgment.objects.all())
        judgment.annotator = Annotator.objects.create(campaign=campaign, name=name)
        judgment.save()
        Revision.objects.create(judgment=judgment)
        assert pseudonym(campaign, name) in set(kept_snapshot(campaign)["annotator"])
    equals_one_built_afresh(campaign, folder)


def test_it_is_read_in_chunks(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = snapshot(campaign)
    monkeypatch.setattr("annotate.judgments.snapshot_reading.ANSWERS_PER_CHUNK", 2)
    monkeypatch.setattr("annotate.judgments.snapshot_reading.KEYS_PER_FETCH", 3)
    assert answers_read(campaign) == [0, 2, 2, 2]
    assert_frame_equal(kept_snapshot(campaign), expected)


# --- Several at a time ----------------------------------------------------------------------------


def test_a_builder_who_is_overtaken_does_no_harm(campaign: Campaign, folder: Path) -> None:
    """The slower one replaces the newer file by an older one, which the next step brings up to date."""
    seen: list[int] = []

    def overtake(answers: int) -> None:
        seen.append(answers)
        if len(seen) == 3:  # The file has been read.
            add(campaign)
            assert kept_snapshot(campaign)["judgment"].nunique() == 7

    assert kept_snapshot(campaign, progress=overtake)["judgment"].nunique() == 6
    assert kept_snapshot(campaign)["judgment"].nunique() == 7
    equals_one_built_afresh(campaign, folder)


@pytest.mark.django_db(transaction=True)
def test_two_transactions_end_in_the_reverse_order_of_their_keys(campaign: Campaign, folder: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer, so transactions end in the order of their keys")
    stored, end = Event(), Event()

    def slowly() -> int:
        try:
            with transaction.atomic():
                judgment = add(campaign)
                stored.set()
                assert end.wait(30)
            return judgment.pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(slowly)
        assert stored.wait(30)
        item = campaign.items.latest("pk")
        quick = Judgment.objects.create(
            campaign=campaign,
            item=item,
            annotator=campaign.annotators.earliest("pk"),
            state="skipped",
            repetition=0,
        )
        Revision.objects.create(judgment=quick)
        assert kept_snapshot(campaign)["judgment"].nunique() == 7
        end.set()
        assert slow.result() < quick.pk
    assert kept_snapshot(campaign)["judgment"].nunique() == 8
    equals_one_built_afresh(campaign, folder)


def test_names_are_only_for_those_who_may_see_them(campaign: Campaign) -> None:
    assert set(snapshot(campaign)["annotator"]) == {pseudonym(campaign, name) for name in ("anna", "ben")}
    admin, researcher = (User(role=role) for role in (Role.ADMIN, Role.RESEARCHER))
    assert set(snapshot(campaign, names=True, by=admin)["annotator"]) == {"anna", "ben"}
    with pytest.raises(PermissionDenied, match="Only admins"):
        snapshot(campaign, names=True, by=researcher)


# --- The file -------------------------------------------------------------------------------------


def test_it_holds_pseudonyms_and_is_read_by_nobody_else(folder: Path) -> None:
    campaign = campaign_without_texts(rankings=[ranking("Ada Lovelace", 0, "Alder > Birch")])
    assert set(kept_snapshot(campaign)["annotator"]) == {pseudonym(campaign, "Ada Lovelace")}
    file = file_of(campaign, folder)
    assert b"Lovelace" not in file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "name" not in {column for schema in schemas().values() for column in schema.names}


@pytest.mark.parametrize("damage", ["cut", "empty", "overwritten", "of another campaign"])
def test_a_damaged_file_is_built_anew(campaign: Campaign, folder: Path, damage: str) -> None:
    expected = kept_snapshot(campaign)
    file = file_of(campaign, folder)
    whole = file.read_bytes()
    if damage == "of another campaign":
        other = campaign_without_texts()
        kept_snapshot(other)
        file_of(other, folder).replace(file)
    else:
        file.write_bytes({"cut": whole[:-300], "empty": b"", "overwritten": b"\0" * len(whole)}[damage])
    assert_frame_equal(kept_snapshot(campaign), expected)
    assert file.read_bytes() == whole


def test_another_secret_makes_other_pseudonyms(
    campaign: Campaign, folder: Path, settings: LazySettings
) -> None:
    expected = kept_snapshot(campaign)
    before = file_of(campaign, folder).read_bytes()
    settings.SECRET_KEY = "another one"
    again = kept_snapshot(campaign)
    assert set(again["annotator"]).isdisjoint(expected["annotator"])
    assert_frame_equal(again.drop(columns="annotator"), expected.drop(columns="annotator"))
    assert file_of(campaign, folder).read_bytes() != before


def test_a_folder_that_cannot_be_written_costs_only_time(
    campaign: Campaign, settings: LazySettings, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    settings.SNAPSHOTS_DIR = blocked / "snapshots"
    assert_frame_equal(kept_snapshot(campaign), snapshot(campaign))


def test_more_than_the_limit_is_refused_in_words(
    campaign: Campaign, folder: Path, settings: LazySettings
) -> None:
    settings.SNAPSHOT_MAX_RATINGS = 10
    with pytest.raises(SnapshotTooLargeError, match=r"more than 10 ratings.*SNAPSHOT_MAX_RATINGS"):
        kept_snapshot(campaign)
    assert not file_of(campaign, folder).exists()


def test_it_goes_with_its_campaign(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    delete_campaign(campaign, by=None, progress=lambda parts: None)
    assert list(folder.iterdir()) == []


def test_a_campaign_that_is_deleted_meanwhile_leaves_no_file(campaign: Campaign, folder: Path) -> None:
    def delete(answers: int) -> None:
        if Campaign.objects.exists():
            delete_campaign(campaign, by=None, progress=lambda parts: None)

    uuid = campaign.uuid
    kept_snapshot(Campaign.objects.get(), progress=delete)
    assert not (folder / f"{uuid}.arrow").exists()


def test_files_of_campaigns_that_are_gone_are_swept(campaign: Campaign, folder: Path) -> None:
    kept_snapshot(campaign)
    for name in (f"{uuid4()}.arrow", "other.arrow", "old.part", "new.part"):
        (folder / name).touch()
    os.utime(folder / "old.part", (0, 0))
    sweep_snapshots()
    assert {file.name for file in folder.iterdir()} == {f"{campaign.uuid}.arrow", "new.part"}
