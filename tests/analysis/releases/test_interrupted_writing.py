"""Writing a data release that fails, is stopped, was killed, or has no place to go."""

import fcntl
import os
from pathlib import Path

import pytest

from analysis.releases.checks import ReleaseRefusedError
from annotate.models import AuditEntry
from core.progress import NoProgress
from tests.analysis.releases.released import campaign_to_release, contents, release_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_nothing_is_left_of_a_release_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_release()

    def fail(*given: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("analysis.releases.releasing.readme", fail)
    with pytest.raises(OSError, match="full"):
        release_of(campaign, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["about.toml"]
    assert not AuditEntry.objects.exists()


def test_what_a_killed_run_left_is_deleted_by_the_next(tmp_path: Path) -> None:
    left = tmp_path / ".release.part" / "data"
    left.mkdir(parents=True)
    (left / "outputs.jsonl").write_text("half a li")
    (left.parent / "old.md").write_text("half a page")
    (left.parent / "files.zip").write_text("half a zip")
    written = release_of(campaign_to_release(), tmp_path)
    assert not (written.folder / "old.md").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"about.toml", "release", "release.zip"}


class StoppedError(Exception):
    """The work was stopped at a report."""


class Stopping(NoProgress):
    """Stops the work at the first report of a part of this step, or counts reports without one."""

    def __init__(self, step: str = "") -> None:
        self.reports = 0
        self._step, self._here = step, ""

    def begin(self, step: str, *, total: int = 0) -> None:
        self._here = step

    def advance(self, parts: int) -> None:
        self.reports += 1
        if self._here == self._step:
            raise StoppedError


def test_writing_can_be_stopped_within_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.progress.BLOCK", 64)
    campaign, counting = campaign_to_release(), Stopping()
    release = release_of(campaign, tmp_path, progress=counting)
    blocks = sum(len(content) // 64 for content in contents(release.folder).values())
    assert counting.reports > 2 * blocks, "not both in the manifest and in the zip"

    with pytest.raises(StoppedError):
        release_of(campaign, tmp_path, into="stopped", progress=Stopping("Writing the zip"))
    assert not [path for path in tmp_path.iterdir() if "stopped" in path.name]


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    other = tmp_path / ".release.part"
    other.mkdir()
    handle = os.open(other, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(ReleaseRefusedError, match=r"Another process is writing .*release"):
        release_of(campaign, tmp_path)
    assert other.is_dir()
    os.close(handle)
    assert release_of(campaign, tmp_path).folder.is_dir()


def test_no_folder_is_overwritten(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    release_of(campaign, tmp_path)
    with pytest.raises(ReleaseRefusedError, match="release is there already"):
        release_of(campaign, tmp_path)
    with pytest.raises(ReleaseRefusedError, match="There is no folder"):
        release_of(campaign, tmp_path, into="there/is/none")
    with pytest.raises(ReleaseRefusedError, match="/ is there already"):
        release_of(campaign, tmp_path, into="/")
