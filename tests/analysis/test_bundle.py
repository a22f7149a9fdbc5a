"""Bundles of results: what they hold, and what verification finds."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Campaign
from formats.columns import SCHEMA_VERSION
from tests.analysis.judgment_files import write_judgments
from tests.annotate.samples import campaign_without_texts, ranking

ANSWERS = [
    *(("anna", number, "A > B > C") for number in range(4)),
    *(("ben", number, "B > A = C") for number in range(4)),
]
FEW = ("--replicates", "20")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    judged = write_judgments(tmp_path / "judged.csv", *ANSWERS)
    call_command("bundle", judged, tmp_path / "bundle.zip", *FEW, verbosity=0)
    return tmp_path / "bundle.zip"


def contents(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(bundle: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The bundle with one file changed, or without it."""
    other = bundle.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for each, content in contents(bundle).items():
            new = change(content) if each == name else content
            if new is not None:
                archive.writestr(each, new)
    return other


def found(bundle: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What verification says of a bundle with a fault."""
    capsys.readouterr()
    with pytest.raises(CommandError):
        call_command("verify", bundle)
    return capsys.readouterr().out


def test_everything_in_a_bundle_follows_from_its_judgments(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify", bundle)
    assert "Everything follows from the judgments." in capsys.readouterr().out
    files = contents(bundle)
    assert b"2 annotators judged 8 screens, which compare 3 systems in 24 pairs" in files["methods.txt"]
    assert b"- Sentences judged: 4" in files["datasheet.md"]
    assert files["figures/ranking.svg"].startswith(b"<svg")
    assert files["figures/ranking.pdf"].startswith(b"%PDF")
    assert b"anna" not in b"".join(files.values())


def test_equal_judgments_give_equal_files(bundle: Path, tmp_path: Path) -> None:
    """Apart from figures: a PDF has an identifier of its own."""
    call_command("bundle", tmp_path / "judged.csv", tmp_path / "again.zip", *FEW, verbosity=0)
    again = contents(tmp_path / "again.zip")
    for name, content in contents(bundle).items():
        assert again[name] == content or name.startswith("figures/")


def test_the_one_judgment_that_was_changed_is_named(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def swap(csv: bytes) -> bytes:
        lines = csv.decode().splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if line.startswith(f"{SCHEMA_VERSION},3,")]
        cells = [lines[place].split(",") for place in places[:2]]
        rank = lines[0].split(",").index("rank")
        cells[0][rank], cells[1][rank] = cells[1][rank], cells[0][rank]
        for place, row in zip(places, cells, strict=False):
            lines[place] = ",".join(row)
        return "".join(lines).encode()

    told = found(changed(bundle, "judgments.csv", swap), capsys)
    assert [line for line in told.splitlines() if line.startswith("Judgment")] == ["Judgment 3 was changed."]
    assert "tables/systems.csv differs: line" in told


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("tables/systems.csv", lambda text: text.replace(b"A,", b"Z,"), "tables/systems.csv differs: line"),
        ("tables/systems.csv", lambda text: None, "tables/systems.csv is missing."),
        ("methods.txt", lambda text: text + b"x\n", "methods.txt differs: it has 2 lines instead of 1"),
        ("judgments.sha256", lambda text: text[: text.rindex(b"8 ")], "Judgment 8 was added."),
        ("parameters.json", lambda text: text.replace(b'"20"', b'"30"'), "tables/systems.csv differs"),
    ],
)
def test_whatever_else_differs_is_named(
    bundle: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    change: Callable[[bytes], bytes | None],
    message: str,
) -> None:
    assert message in found(changed(bundle, name, change), capsys)


def test_what_is_no_bundle_is_refused(bundle: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.zip"
    text.write_text("no zip")
    for path, message in (
        (text, "not a zip file"),
        (tmp_path / "nowhere.zip", "No such file"),
        (changed(bundle, "parameters.json", lambda text: None), "it lacks parameters.json"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("verify", path)
    with pytest.raises(CommandError, match=r"parameters\.json lacks 'ranking'"):
        call_command("verify", changed(bundle, "parameters.json", lambda text: b"{}"))


@pytest.mark.django_db
class TestOfACampaign:
    @pytest.fixture
    def campaign(self) -> Campaign:
        return campaign_without_texts(
            rankings=[
                ranking(judge, number, "Alder > Birch") for judge in ("anna", "ben") for number in (0, 1)
            ]
        )

    def test_nobody_is_named(self, campaign: Campaign, tmp_path: Path) -> None:
        call_command("bundle", campaign.name, tmp_path / "named.zip", *FEW, verbosity=0)
        named = b"".join(contents(tmp_path / "named.zip").values())
        assert b"Alder" in named
        assert b"anna" not in named
        call_command("bundle", campaign.name, tmp_path / "numbered.zip", "--without-names", *FEW, verbosity=0)
        numbered = b"".join(contents(tmp_path / "numbered.zip").values())
        assert b"system-01" in numbered
        assert b"Alder" not in numbered
        call_command("verify", tmp_path / "numbered.zip", verbosity=0)

    def test_neither_a_file_nor_a_campaign_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="there is neither a file nor a campaign nowhere"):
            call_command("bundle", "nowhere", tmp_path / "bundle.zip")
