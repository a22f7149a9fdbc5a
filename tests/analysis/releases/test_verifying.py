"""`verify` on data releases."""

import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from analysis.releases.releasing import Release
from tests.analysis.releases.released import campaign_to_release, release_of
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.machine_judges import with_machine

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def written(tmp_path: Path) -> Release:
    campaign = campaign_to_release()
    with_machine(campaign)
    upload_scores(campaign.corpus, tmp_path, "luck,Alder,0,0.25", "luck,Alder,,0.125")
    return release_of(campaign, tmp_path)


def said_of(path: Path, capsys: pytest.CaptureFixture[str], code: int = 1) -> str:
    """What the command says of a release in which something is wrong."""
    with pytest.raises(CommandError) as raised:
        call_command("verify", str(path))
    assert raised.value.returncode == code
    return capsys.readouterr().out + str(raised.value)


def restated(folder: Path, name: str, content: bytes) -> None:
    """Replace a file, and its digest in the manifest."""
    (folder / name).write_bytes(content)
    manifest = folder / "manifest.sha256"
    lines = [line for line in manifest.read_text().splitlines() if not line.endswith(f"  {name}")]
    manifest.write_text("\n".join([*lines, f"{sha256(content).hexdigest()}  {name}"]) + "\n")


def test_folder_and_zip_are_accepted(written: Release, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (written.folder, written.zip):
        call_command("verify", str(path))
        assert "Everything follows from the judgments." in capsys.readouterr().out


def test_releases_without_texts_are_accepted(tmp_path: Path) -> None:
    release = release_of(campaign_to_release(), tmp_path, text_licence="", leave_out_texts="true")
    call_command("verify", str(release.zip))


def test_changed_missing_and_added_files_are_named(
    written: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    (written.folder / "README.md").write_text("Another card")
    (written.folder / "CITATION.cff").unlink()
    (written.folder / "added.txt").write_text("")
    said = said_of(written.folder, capsys)
    assert "README.md is not as manifest.sha256 states." in said
    assert "CITATION.cff is missing." in said
    assert "added.txt is not in manifest.sha256." in said


def test_tables_that_differ_are_named(written: Release, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (written.folder / "data/outputs.jsonl").read_text().splitlines(keepends=True)
    restated(written.folder, "data/outputs.jsonl", "".join(lines[:1] + lines[2:]).encode())
    path = written.folder / "data/references.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    restated(written.folder, "data/references.parquet", path.read_bytes())
    said = said_of(written.folder, capsys)
    assert "data/outputs: row 2 differs between Parquet and JSON Lines." in said
    assert "rows of references, there are" in said


def test_a_ranking_that_does_not_follow_is_named(
    written: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = (written.folder / "numbers.json").read_text()
    score = f"{written.facts.ranking['Alder']}"
    assert score in numbers
    restated(written.folder, "numbers.json", numbers.replace(score, "0.99").encode())
    assert "states the score 0.99 of Alder" in said_of(written.folder, capsys)


def test_what_is_no_release_or_could_do_harm_is_refused(
    written: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert "not the folder of a data release" in said_of(tmp_path / "empty", capsys, 2)
    harmful = tmp_path / "harmful.zip"
    shutil.copy(written.zip, harmful)
    with zipfile.ZipFile(harmful, "a") as archive:
        archive.writestr("a/../../out.txt", "")
    assert "would be unpacked outside its folder" in said_of(harmful, capsys, 2)
    cut = tmp_path / "cut.zip"
    cut.write_bytes(written.zip.read_bytes()[:-30])
    assert "not a whole zip file" in said_of(cut, capsys, 2)
