"""Bundles of results: what they hold, and what verification finds."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.systems.fragility import FRAGILITY, FragilityParameters
from analysis.publishing import verification
from analysis.publishing.campaigns import given_of_file
from analysis.publishing.inputs.judgments import read_judgments
from analysis.publishing.inputs.renaming import Renaming, kept_names
from analysis.publishing.stated import Stated
from analysis.publishing.words import facts_of, methods_paragraph
from core.progress import NoProgress
from formats.snapshot.judgment_columns import COLUMNS, SCHEMA_VERSION
from formats.snapshot.propensities_json import propensities_fault, propensities_text
from formats.snapshot.snapshots import DTYPES, frame_of_file
from tests.analysis.judgment_files import Capture, write_judgments
from tests.analysis.publishing.bundles import ANSWERS, FEW, changed, contents, forged, found, replacing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds a bundle with figures, which all tests copy."""
    folder = tmp_path_factory.mktemp("bundles")
    judged = write_judgments(folder / "judged.csv", *ANSWERS)
    call_command("bundle", "ranking", judged, folder / "bundle.zip", *FEW, verbosity=0)
    return folder


@pytest.fixture
def bundle(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that is verified without its figures."""
    monkeypatch.setattr(verification, "_differing_figures", lambda *given: iter(()))
    return Path(shutil.copy(folder / "bundle.zip", tmp_path))


def test_everything_in_a_bundle_follows_from_its_judgments(folder: Path, capsys: Capture) -> None:
    call_command("verify", folder / "bundle.zip")
    assert "Everything follows from the judgments." in capsys.readouterr().out
    files = contents(folder / "bundle.zip")
    assert b"2 annotators judged 8 screens with outputs of 3 systems for 4 sentences." in files["methods.txt"]
    assert b"- Sentences judged: 4" in files["datasheet.md"]
    assert files["figures/ranking.svg"].startswith(b"<svg")
    assert files["figures/ranking.pdf"].startswith(b"%PDF")
    assert b"anna" not in b"".join(files.values())


def test_equal_judgments_give_equal_files(bundle: Path, folder: Path, tmp_path: Path) -> None:
    """Apart from figures as PDF: each has an identifier of its own."""
    judged, other = folder / "judged.csv", tmp_path / "again.zip"
    call_command("bundle", "ranking", judged, other, *FEW, verbosity=0)
    again = contents(tmp_path / "again.zip")
    for name, content in contents(bundle).items():
        assert again[name] == content or name.endswith((".pdf", "manifest.sha256"))


def test_the_one_judgment_that_was_changed_is_named(bundle: Path, capsys: Capture) -> None:
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
    ("name", "change", "messages"),
    [
        ("tables/systems.csv", replacing(b"A,", b"Z,"), ["tables/systems.csv differs: line"]),
        ("tables/systems.csv", lambda text: None, ["tables/systems.csv is missing."]),
        ("methods.txt", lambda text: text + b"x\n", ["methods.txt differs: it has 2 lines instead of 1"]),
        ("judgments.sha256", lambda text: text[: text.rindex(b"8 ")], ["Judgment 8 was added."]),
        (
            "parameters.json",
            replacing(b'"20"', b'"30"'),
            ["tables/systems.csv differs", "parameters.json was changed after"],
        ),
        (
            "figures/ranking.pdf",
            lambda pdf: pdf[:500] + b"?" + pdf[501:],
            ["figures/ranking.pdf was changed after"],
        ),
        ("manifest.sha256", lambda text: None, ["manifest.sha256 is missing."]),
        (
            "manifest.sha256",
            lambda text: text[text.index(b"\n") + 1 :],
            ["parameters.json is not part of the bundle."],
        ),
        ("judgments.csv", replacing(b",annotator-001,", b",anna,"), ["'anna' is not named as in"]),
        ("judgments.csv", replacing(b",complete,", b",finished,", 1), ["judgments.csv:2: unknown state"]),
        (
            "judgments.csv",
            replacing(b"judged", b"\xe9"),
            ["judgments.csv is not a text", "The results cannot be computed again: judgments.csv"],
        ),
        ("judgments.sha256", lambda text: text + b"\x1b[2J 12\n", ["Judgment ?[2J was removed."]),
    ],
)
def test_other_differences_are_named(
    bundle: Path, capsys: Capture, name: str, change: Callable[[bytes], bytes | None], messages: list[str]
) -> None:
    told = found(changed(bundle, name, change), capsys)
    assert all(message in told for message in messages)


def test_a_figure_is_drawn_again(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    copy = Path(shutil.copy(folder / "bundle.zip", tmp_path))
    told = found(changed(copy, "figures/ranking.svg", replacing(b">A<", b">Z<")), capsys)
    assert "figures/ranking.svg differs from the figure drawn again." in told


def becoming(content: bytes) -> Callable[[bytes], bytes]:
    """A change of a file to this content."""
    return lambda text: content


def refused(path: Path, message: str) -> None:
    with pytest.raises(CommandError, match=message) as error:
        call_command("verify", path)
    assert error.value.returncode == 2


def test_a_file_that_is_no_bundle_is_refused(bundle: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.zip"
    text.write_text("no zip")
    refused(text, "it is not a whole zip file")
    refused(tmp_path / "nowhere.zip", "it cannot be read: No such file")
    whole = bundle.read_bytes()
    text.write_bytes(whole[: len(whole) // 2])
    refused(text, "download it again")
    refused(changed(bundle, "parameters.json", lambda text: None), "it lacks parameters.json")
    refused(changed(bundle, "judgments.csv", lambda text: None), "it lacks judgments.csv")
    for content, message in (
        (b"{}", r"parameters\.json lacks 'analysis'"),
        (b'{"ranking": {}}', "it was made when Assay published rankings only"),
        (b"[", r"parameters\.json cannot be read"),
        (b"[]", r"parameters\.json does not have the form in which a bundle writes it"),
        (b"null", r"parameters\.json does not have the form in which a bundle writes it"),
        (b'{"analysis": "quality"}', "results of quality cannot be published"),
        (b"\xff", "is not a text"),
        (b"[" * 100_000, r"parameters\.json cannot be read"),
        (
            b'{"analysis": "ranking", "title": "", "parameters": {}, "roles": {}, '
            b'"left_out": {"systems": 1e999}}',
            r"parameters\.json cannot be read: cannot convert float infinity",
        ),
    ):
        refused(changed(bundle, "parameters.json", becoming(content)), message)


def test_a_byte_changed_in_the_zip_itself_is_told(bundle: Path, capsys: Capture) -> None:
    """Its own checksums show it."""
    with zipfile.ZipFile(bundle) as archive:
        entry = archive.getinfo("figures/ranking.pdf")
    content = bytearray(bundle.read_bytes())
    content[entry.header_offset + 200] ^= 1
    bundle.write_bytes(content)
    assert "figures/ranking.pdf is damaged" in found(bundle, capsys)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("../outside.txt", b"x", "would be unpacked outside its folder"),
        ("/outside.txt", b"x", "would be unpacked outside its folder"),
        ("judgments.csv", b"x", "it holds 'judgments.csv' twice"),
        ("bomb.txt", bytes(20_000_000), "would grow to 20,000,000 bytes"),
        ("\x1b[2Jempty.txt", b"x", r"no file of a bundle is named '\\x1b\[2Jempty.txt'"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_that_could_do_harm_is_refused(bundle: Path, name: str, content: bytes, message: str) -> None:
    with zipfile.ZipFile(bundle, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    refused(bundle, message)


def test_a_manifest_that_was_changed_too_hides_no_file(bundle: Path, capsys: Capture) -> None:
    files = contents(bundle)
    for name in ("tables/systems.csv", "figures/ranking.pdf", "judgments.sha256", "methods.txt"):
        without = {each: text for each, text in files.items() if each != name}
        assert f"{name} is missing." in found(forged(bundle, without), capsys)
    told = found(forged(bundle, files | {"tables/best.csv": b"A,1"}), capsys)
    assert told == "tables/best.csv is not part of the bundle.\n"
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr("more.txt", "more")
    assert "more.txt is not part of the bundle." in found(bundle, capsys)


def test_screens_that_were_skipped_or_had_one_output_are_not_judged() -> None:
    rows = [("1", "a", ("A",)), ("1", "b", ("A",)), ("2", "a", ("A",)), ("3", None, ("A",))]
    frame = pd.DataFrame(rows, columns=["judgment", "output", "systems"]).assign(
        annotator="anna", sentence=1, rank=1, score=None, opinion=None
    )
    facts = dict(facts_of(frame, Stated("", FRAGILITY, FragilityParameters(), {})))
    assert facts["Judgments"] == "3"
    assert facts["Screens judged"] == facts["Screens skipped"] == "1"
    assert facts["Screens with a single output, which need no judgment"] == "1"


def test_the_source_is_no_system_and_a_skipped_sentence_is_not_judged() -> None:
    rows = [("1", "a", ("A",), 1), ("1", "b", ("SRC",), 1), ("2", None, ("A", "SRC"), 2)]
    frame = pd.DataFrame(rows, columns=["judgment", "output", "systems", "sentence"]).assign(
        annotator="anna", rank=1, score=None, opinion=None
    )
    facts = facts_of(frame, Stated("", FRAGILITY, FragilityParameters(), {"SRC": "source", "B": "reference"}))
    assert facts[:3] == [
        ("Systems judged", "1"),
        ("Unchanged texts judged like a system", "1"),
        ("Sentences judged", "1"),
    ]
    assert "with outputs of 1 system and the unchanged text for 1 sentence." in methods_paragraph(
        [], facts, ""
    )


def test_the_order_of_annotators_is_not_that_of_their_names(folder: Path, tmp_path: Path) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("zoe", 1, "A > B"), ("anna", 2, "B > A"))
    given = given_of_file(Path(judged), FRAGILITY, FragilityParameters(), {"role": ()})
    assert given.annotators == {"zoe": 1, "anna": 2}


def test_judgments_read_by_columns_are_the_same_frame(bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(contents(bundle)["judgments.csv"])
    pd.testing.assert_frame_equal(read_judgments(path, NoProgress()), frame_of_file(path))


def test_reading_judgments_can_be_stopped_after_each_block_and_column(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(contents(bundle)["judgments.csv"])
    whole = read_judgments(path, NoProgress())
    monkeypatch.setattr("analysis.publishing.inputs.judgments.BLOCK", 1024)
    reported = Mock()
    pd.testing.assert_frame_equal(read_judgments(path, reported), whole)
    texts = [name for name, each in whole.items() if each.dtype == "category" and len(each.cat.categories)]
    blocks = path.stat().st_size // 2048
    assert reported.step.call_count > len(DTYPES) + 2 * (len(texts) - len(["campaign"])) + blocks


def test_a_bundle_of_an_older_version_is_read_by_columns_too(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(contents(bundle)["judgments.csv"])
    expected = frame_of_file(path)
    older = [name for name, column in COLUMNS.items() if column.since < SCHEMA_VERSION]
    pd.read_csv(path, dtype="str")[older].to_csv(path, index=False)
    monkeypatch.delattr("analysis.publishing.inputs.judgments.frame_of_file")
    pd.testing.assert_frame_equal(read_judgments(path, NoProgress()), expected)


PROPENSITIES = {"aa": [1.0, 2.0, 3.0], "bb": [2.0, 4.0, 5.0], "cc": [3.0, 5.0, 6.0]}


def test_propensities_stay_with_their_outputs() -> None:
    """Digests with a salt have another order, and the lists follow it."""
    for number in range(20):
        renaming = Renaming({}, salt=bytes([number]))
        renamed = json.loads(renaming.propensities(propensities_text(PROPENSITIES)) or "")
        assert propensities_fault(renamed) is None
        order = sorted(renamed)
        for one in PROPENSITIES:
            for column, other in enumerate(PROPENSITIES):
                place = order.index(str(renaming.output(other)))
                assert renamed[str(renaming.output(one))][place] == PROPENSITIES[one][column]


def test_propensities_with_names_stay_as_they_are() -> None:
    text = propensities_text(PROPENSITIES)
    assert kept_names(["Alder"]).propensities(text) == text
    assert Renaming({}, salt=b"salt").propensities(None) is None
