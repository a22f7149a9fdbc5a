"""Releases read back into a site."""

import io
import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from annotate.judgments.queries import roles_of, snapshot
from annotate.models import Annotator, Campaign, Corpus, OutputScore, Reference, Revision, System, SystemScore
from ranking import count_pairs, expected_wins
from ranking.judgments.snapshot import without_systems
from tests.analysis.releases.released import campaign_to_release, release_of
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.machine_judges import with_machine

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def scores_of(campaign: Campaign, *, controls: bool) -> dict[str, float | None]:
    names = {name for name, role in roles_of(campaign).items() if role == "control" and not controls}
    counts = count_pairs(without_systems(snapshot(campaign), names))
    return {each.system: each.score for each in expected_wins(counts).scores}


def metric_scores(corpus: Corpus) -> set[tuple[object, ...]]:
    """The scores of systems and of sentences that are there, under the names of their metrics."""
    systems = SystemScore.objects.filter(score_set__corpus=corpus).exclude(value=None)
    outputs = OutputScore.objects.filter(score_set__corpus=corpus).exclude(score=None)
    return {
        *systems.values_list("score_set__name", "system__name", "value"),
        *outputs.values_list("score_set__name", "position", "score"),
    }


def test_a_release_is_read_back_with_equal_rankings_and_scores(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    with_machine(campaign)
    upload_scores(campaign.corpus, tmp_path, "luck,Alder,0,0.25", "luck,Alder,1,", "luck,Alder,,0.125")
    release = release_of(campaign, tmp_path)
    expected = {controls: scores_of(campaign, controls=controls) for controls in (True, False)}
    call_command("import_release", "again", str(release.folder))
    again = Campaign.objects.get(name="again")
    assert {controls: scores_of(again, controls=controls) for controls in (True, False)} == expected
    assert roles_of(again) == roles_of(campaign)
    assert again.annotators.count() == 3
    assert Annotator.every.filter(campaign=again, kind="machine").count() == 1
    before, after = metric_scores(campaign.corpus), metric_scores(again.corpus)
    assert after == before
    assert ("luck", "Alder", 0.125) in after
    assert ("luck", 0, 0.25) in after
    [edited, *_] = Reference.objects.filter(sentence__corpus__name="again").exclude(edits=None)
    assert edited.edits == [[1, 2, "Vform", ["goes", "went"], "REQUIRED", ""]]


def test_a_release_of_the_import_is_the_same_but_for_pseudonyms(tmp_path: Path) -> None:
    first = release_of(campaign_to_release(), tmp_path, into="first")
    call_command("import_release", "again", str(first.folder))
    second = release_of(Campaign.objects.get(name="again"), tmp_path, into="second")
    for name in ("sentences", "outputs", "control_outputs", "references", "systems"):
        path = Path("data") / f"{name}.jsonl"
        assert (first.folder / path).read_bytes() == (second.folder / path).read_bytes()
    assert first.facts.ranking == second.facts.ranking


def test_gaps_of_withdrawn_systems_are_closed(tmp_path: Path) -> None:
    campaign = campaign_to_release(control="")
    System.objects.filter(name="Alder").update(withdrawn_at=datetime(2026, 5, 4, tzinfo=UTC))
    release = release_of(campaign, tmp_path)
    call_command("import_release", "again", str(release.folder))
    again = snapshot(Campaign.objects.get(name="again"))
    shown = again.dropna(subset=["output"]).groupby("judgment", observed=True)["position"]
    assert all(sorted(places) == list(range(len(places))) for _, places in shown)


def test_a_repeated_import_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = release_of(campaign_to_release(), tmp_path)
    call_command("import_release", "again", str(release.folder), "--dry-run")
    assert not Corpus.objects.filter(name="again").exists()
    call_command("import_release", "again", str(release.folder))
    number = Revision.objects.count()
    call_command("import_release", "again", str(release.folder))
    assert Revision.objects.count() == number
    assert "nothing changed" in capsys.readouterr().out


def test_changed_and_missing_files_are_named(tmp_path: Path) -> None:
    release = release_of(campaign_to_release(), tmp_path)
    path = release.folder / "data" / "outputs.parquet"
    content = path.read_bytes()
    path.write_bytes(content + b"0")
    with pytest.raises(CommandError, match=r"outputs\.parquet: was changed"):
        call_command("import_release", "again", str(release.folder))
    path.unlink()
    with pytest.raises(CommandError, match=r"outputs\.parquet: is missing"):
        call_command("import_release", "again", str(release.folder))
    with pytest.raises(CommandError, match="not the folder of a data release"):
        call_command("import_release", "again", str(tmp_path))
    assert not Corpus.objects.filter(name="again").exists()


def test_a_broken_file_with_a_fitting_manifest_is_named(tmp_path: Path) -> None:
    release = release_of(campaign_to_release(), tmp_path)
    _replace(release.folder, "data/systems.parquet", b"PAR1 and nothing more")
    with pytest.raises(CommandError, match=r"systems\.parquet: cannot be read as Parquet"):
        call_command("import_release", "again", str(release.folder))
    _replace(release.folder, "numbers.json", b"[" * 100_000)
    with pytest.raises(CommandError, match=r"numbers\.json: is no JSON: "):
        call_command("import_release", "again", str(release.folder))
    _replace(release.folder, "numbers.json", json.dumps([1]).encode())
    with pytest.raises(CommandError, match=r"numbers\.json: is no JSON object"):
        call_command("import_release", "again", str(release.folder))


@pytest.mark.parametrize(
    ("table", "column", "value", "cause"),
    [
        ("outputs", "text", 5, r"outputs\.parquet: has a column text of int64"),
        ("sentences", "source", b"\xff", r"sentences\.parquet: has a column source of binary"),
        ("outputs", "system", "Alder", r"outputs\.parquet:2: sentence 0 has two outputs of Alder"),
        ("references", "annotator", 1, r"references\.parquet:2: sentence 0 has two references 1"),
        ("references", "edits", "[" * 100_000, r"references\.parquet:1: the edits cannot be read"),
        ("references", "edits", '[[0,1e999,"",[],"",""]]', "the edits cannot be read"),
        ("references", "edits", '[[-5,99,"",[],"",""]]', "the span -5 99 does not fit the sentence"),
        (
            "references",
            "edits",
            '[[0,1,"",["\\u0000"],"",""]]',
            r"edit contains the control character",
        ),
        ("system_scores", "metric", "a\u202eb", r"system_scores\.parquet:1: the metric .* U\+202E"),
        ("system_scores", "system", "Nobody", r"system 'Nobody' is not in the table of systems"),
        ("system_scores", "score", float("inf"), "the score is not a finite number: inf"),
        ("output_scores", "output", "0", r"output_scores\.parquet:2: luck has two scores of the same output"),
    ],
)
def test_values_that_do_not_fit_are_named_before_anything_is_stored(
    table: str, column: str, value: object, cause: str, tmp_path: Path
) -> None:
    campaign = campaign_to_release()
    upload_scores(campaign.corpus, tmp_path, "luck,Alder,0,0.25", "luck,Cedar,0,0.5")
    release = release_of(campaign, tmp_path)
    path = release.folder / "data" / f"{table}.parquet"
    stored = pq.read_table(path)
    values = pa.array([value] * stored.num_rows)
    place = stored.column_names.index(column)
    content = io.BytesIO()
    pq.write_table(stored.set_column(place, column, values), content)
    _replace(release.folder, f"data/{table}.parquet", content.getvalue())
    with pytest.raises(CommandError, match=cause):
        call_command("import_release", "again", str(release.folder))
    assert not Corpus.objects.filter(name="again").exists()


def test_a_short_file_that_unfolds_to_a_huge_one_is_refused(tmp_path: Path) -> None:
    """One text of a mebibyte, a hundred thousand times over: 100 GiB if it were unfolded."""
    release = release_of(campaign_to_release(), tmp_path)
    stored = pq.read_table(release.folder / "data" / "outputs.parquet")
    rows = pa.array([0] * 100_000, pa.int32())
    columns = {name: stored[name].take(rows) for name in stored.column_names}
    columns["text"] = pa.DictionaryArray.from_arrays(rows, pa.array(["a" * 2**20]))
    columns["sentence"] = pa.array(range(len(rows)))
    content = io.BytesIO()
    pq.write_table(pa.table(columns), content, store_schema=False)
    assert len(content.getvalue()) < 2**21
    _replace(release.folder, "data/outputs.parquet", content.getvalue())
    with pytest.raises(CommandError, match="the output has 1048576 characters"):
        call_command("import_release", "again", str(release.folder))


def test_a_language_of_terminal_codes_is_named_without_them(tmp_path: Path) -> None:
    release = release_of(campaign_to_release(), tmp_path)
    _replace(release.folder, "numbers.json", json.dumps({"language": "en\x1b[31m"}).encode())
    with pytest.raises(
        CommandError, match=r"numbers\.json: the language 'en\\x1b\[31m' contains the control"
    ):
        call_command("import_release", "again", str(release.folder))


def test_a_release_without_texts_cannot_be_read_back(tmp_path: Path) -> None:
    release = release_of(campaign_to_release(), tmp_path, text_licence="", leave_out_texts="true")
    with pytest.raises(CommandError, match="the release leaves out texts, so it cannot be imported"):
        call_command("import_release", "again", str(release.folder))


def _replace(folder: Path, name: str, content: bytes) -> None:
    """Replace a file and its line of the manifest."""
    (folder / name).write_bytes(content)
    manifest = folder / "manifest.sha256"
    lines = [line for line in manifest.read_text().splitlines() if not line.endswith(f"  {name}")]
    manifest.write_text("\n".join([*lines, f"{sha256(content).hexdigest()}  {name}"]) + "\n")
