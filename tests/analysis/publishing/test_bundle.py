"""Bundles of results: what they hold, and what verification finds."""

import json
import shutil
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from analysis.analyses.systems.fragility import FRAGILITY, FragilityParameters
from analysis.publishing import verification
from analysis.publishing.bundle import MANIFEST
from analysis.publishing.campaigns import given_of_file
from analysis.publishing.inputs.judgments import number_of, read_judgments
from analysis.publishing.inputs.renaming import Renaming, kept_names
from analysis.publishing.stated import Stated
from analysis.publishing.words import facts_of
from annotate.campaigns.lifecycle import close
from annotate.models import Annotator, Campaign
from core.progress import NoProgress
from formats.snapshot.judgment_columns import COLUMNS, SCHEMA_VERSION
from formats.snapshot.propensities_json import propensities_fault, propensities_text
from formats.snapshot.snapshots import DTYPES, frame_of_file
from tests.analysis.judgment_files import Capture, write_judgments
from tests.analysis.publishing.published import draw_nothing
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import campaign_without_texts, ranking

ANSWERS = [
    *(("anna", number, "A > B > C") for number in range(4)),
    *(("ben", number, "B > A = C") for number in range(4)),
]
FEW = ("--replicates", "20")


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


def contents(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(bundle: Path, files: dict[str, bytes]) -> Path:
    """A bundle of these files with a manifest that agrees with them."""
    other = bundle.with_name("forged.zip")
    manifest = [f"{sha256(text).hexdigest()}  {name}\n" for name, text in files.items() if name != MANIFEST]
    with zipfile.ZipFile(other, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, "".join(manifest) if name == MANIFEST else text)
    return other


def changed(bundle: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The bundle with one file changed, or without it."""
    other = bundle.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for each, content in contents(bundle).items():
            new = change(content) if each == name else content
            if new is not None:
                archive.writestr(each, new)
    return other


def found(bundle: Path, capsys: Capture) -> str:
    """The differences that verification finds in a bundle with a fault."""
    capsys.readouterr()
    with pytest.raises(CommandError):
        call_command("verify", bundle)
    return capsys.readouterr().out


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


def replacing(old: bytes, new: bytes, times: int = -1) -> Callable[[bytes], bytes]:
    """A change of a file."""
    return lambda text: text.replace(old, new, times)


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
    assert facts["Screens judged"] == facts["Screens skipped"] == "1"
    assert facts["Screens with a single output, which need no judgment"] == "1"


def test_the_order_of_annotators_is_not_that_of_their_names(folder: Path, tmp_path: Path) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("zoe", 1, "A > B"), ("anna", 2, "B > A"))
    given = given_of_file(Path(judged), FRAGILITY, FragilityParameters(), {"role": ()})
    assert given.annotators == {"zoe": 1, "anna": 2}


def test_judgments_read_by_columns_are_the_same_frame(bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(contents(bundle)["judgments.csv"])
    pd.testing.assert_frame_equal(read_judgments(path, NoProgress()), frame_of_file(path))


def test_reading_judgments_reports_block_by_block(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(contents(bundle)["judgments.csv"])
    whole = read_judgments(path, NoProgress())
    monkeypatch.setattr("analysis.publishing.inputs.judgments.BLOCK", 1024)
    reported = Mock()
    pd.testing.assert_frame_equal(read_judgments(path, reported), whole)
    assert reported.advance.call_count > len(DTYPES) + path.stat().st_size // 2048


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


def scored_bundle(folder: Path) -> Path:
    """A bundle of files: a metric of texts, one computed elsewhere, and a domain for each sentence."""
    judged = write_judgments(folder / "judged.csv", *ANSWERS)
    texts = {"A": "a b c d\n", "B": "a b c\n", "C": "d c b a\n", "source": "a c b d\n"}
    for name, text in texts.items():
        (folder / name).write_text(text * 4)
    rows = [
        f"lm,{system},{number},0.{place}{number}" for place, system in enumerate("ABC") for number in range(4)
    ]
    (folder / "scores.csv").write_text("\n".join(["metric,system,sentence,score", *rows]) + "\n")
    (folder / "domains").write_text("news\nnews\nessays\nessays\n")
    call_command(
        *("bundle", "metrics-people", judged, folder / "scored.zip", "--first-sentence", "0"),
        *("--source", str(folder / "source"), "--reference", str(folder / "A")),
        *("--output", *(str(folder / system) for system in "ABC"), "--metric", "gleu"),
        *("--scores", str(folder / "scores.csv"), "--domains", str(folder / "domains")),
        *("--replicates", "20", "--permutations", "100"),
        verbosity=0,
    )
    return folder / "scored.zip"


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        draw_nothing(patched)
        return scored_bundle(tmp_path_factory.mktemp("scored"))


@pytest.fixture
def scored(scores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    draw_nothing(monkeypatch)
    return Path(shutil.copy(scores, tmp_path))


class TestScores:
    def test_a_bundle_holds_scores_and_their_signatures(self, scored: Path, capsys: Capture) -> None:
        call_command("verify", scored)
        assert "Everything follows from the judgments." in capsys.readouterr().out
        files = contents(scored)
        assert files["scores.csv"].startswith(b"metric,system,sentence,score,output\r\ngleu,A,,1,\r\n")
        assert b"lm,B,3,0.13," in files["scores.csv"]
        assert b"1,news" in files["sentences.csv"]
        assert b"Signature of the scores by gleu: `gleu|" in files["datasheet.md"]
        assert b"- Metrics: 2" in files["datasheet.md"]

    @pytest.mark.parametrize(
        ("name", "old", "new", "messages"),
        [
            (
                *("scores.csv", b"gleu,A,2,1,", b"gleu,A,2,0.5,"),
                [
                    "The score of A by gleu in sentence 2 was changed.",
                    "The score of A by gleu in sentence 2 is 0.5, and its statistics give 1.",
                ],
            ),
            (
                *("scores.csv", b"lm,B,3,0.13,", b"lm,B,3,0.99,"),
                ["The score of B by lm in sentence 3 was changed.", "tables/systems.csv differs"],
            ),
            (
                *("scores.csv", b"lm,B,3,0.13,", b"lm,B,3,much,"),
                ["The results cannot be computed again: scores.csv"],
            ),
            ("statistics.csv", b"gleu,0,0,0,4 4 4 4", b"gleu,0,0,0,4 4 1 4", ["The score of A by gleu"]),
            (
                *("statistics.csv", b"gleu,0,0,0,4 4 4 4", b"gleu,0,0,0,4 4 x 4"),
                ["The results cannot be computed again: statistics.csv: could not convert"],
            ),
            (
                *("statistics.csv", b"gleu,0,0,", b"gleu,0,7,"),
                ["statistics.csv has a sentence that sentences.csv"],
            ),
            (
                *("parameters.json", b'"computed_by": "gleu"', b'"computed_by": "bleurt"'),
                ["is not installed here"],
            ),
            (
                *("sentences.csv", b"essays", b"letters"),
                ["sentences.csv was changed", "tables/domains.csv differs"],
            ),
        ],
    )
    def test_the_score_that_was_changed_is_named(
        self, scored: Path, capsys: Capture, name: str, old: bytes, new: bytes, messages: list[str]
    ) -> None:
        told = found(changed(scored, name, replacing(old, new, 1)), capsys)
        assert all(message in told for message in messages)


@pytest.mark.django_db
@pytest.mark.usefixtures("nothing_drawn")
class TestOfACampaign:
    @pytest.fixture
    def campaign(self) -> Campaign:
        return campaign_without_texts(
            rankings=[
                ranking(judge, number, "Alder > Birch") for judge in ("anna", "ben") for number in (0, 1)
            ]
        )

    def test_nobody_is_named(self, campaign: Campaign, tmp_path: Path) -> None:
        call_command("bundle", "ranking", campaign.name, tmp_path / "named.zip", *FEW, verbosity=0)
        named = b"".join(contents(tmp_path / "named.zip").values())
        assert b"Alder" in named
        assert b"anna" not in named
        options = ("--without-names", *FEW)
        call_command("bundle", "ranking", campaign.name, tmp_path / "numbered.zip", *options, verbosity=0)
        numbered = b"".join(contents(tmp_path / "numbered.zip").values())
        assert b"system-01" in numbered
        assert b"Alder" not in numbered
        call_command("verify", tmp_path / "numbered.zip", verbosity=0)

    def test_neither_a_file_nor_a_campaign_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="there is neither a file nor a campaign nowhere"):
            call_command("bundle", "ranking", "nowhere", tmp_path / "bundle.zip")


SECRET = "5ec7e7"


@pytest.fixture
def judged(db: None) -> Campaign:
    campaign = running(items=12, annotators_per_item=2, shared_percent=100, secret=SECRET)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def bundled(folder: Path, *options: str) -> zipfile.ZipFile:
    path = folder / "bundle.zip"
    call_command("bundle", "agreement", "campaign", path, *options, verbosity=0)
    call_command("verify", path)
    return zipfile.ZipFile(path)


def test_neither_secret_nor_numbers_of_the_campaign_are_released(judged: Campaign, tmp_path: Path) -> None:
    """With the secret, the orders of outputs would tell the number of each annotator."""
    Annotator.objects.filter(campaign=judged).update(number=F("number") + 40)
    close(judged)
    for options in ((), ("--without-names",)):
        with bundled(tmp_path, *options) as archive:
            assert all(SECRET.encode() not in archive.read(name) for name in archive.namelist())
            archive.extract("judgments.csv", tmp_path)
        frame = read_judgments(tmp_path / "judgments.csv", NoProgress())
        assert {*map(number_of, frame["annotator"].unique())} == {1, 2}


def test_a_bundle_of_an_earlier_version_with_a_secret_is_verified(judged: Campaign, tmp_path: Path) -> None:
    bundled(tmp_path).close()
    files = contents(tmp_path / "bundle.zip")
    before = files["parameters.json"]
    stated = {**json.loads(before), "secret": SECRET}
    files["parameters.json"] = f"{json.dumps(stated, ensure_ascii=False, indent=1)}\n".encode()
    one, other = (sha256(text).hexdigest().encode() for text in (before, files["parameters.json"]))
    files["manifest.sha256"] = files["manifest.sha256"].replace(one, other)
    earlier = tmp_path / "earlier.zip"
    with zipfile.ZipFile(earlier, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    call_command("verify", earlier)


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
