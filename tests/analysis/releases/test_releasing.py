"""Data releases of campaigns."""

import hashlib
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from django.db import transaction
from pytest_django import DjangoDbBlocker, Settings

from analysis.releases import judgment_rows, score_rows, tables, text_rows
from analysis.releases.checks import Confirmation, ReleaseRefusedError
from analysis.releases.releasing import Release
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    AuditEntry,
    Campaign,
    CampaignState,
    Design,
    PracticeAnswer,
    Rating,
    Revision,
    System,
)
from formats import read_judgments
from jobs.refusals import RefusedError
from ranking import count_pairs, expected_wins
from ranking.judgments.snapshot import without_systems
from tests.analysis.releases.released import JUDGES, RANKINGS, campaign_to_release, contents, release_of
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.machine_judges import with_machine
from tests.annotate.running import NOON, answer_all, cast, running
from tests.annotate.samples import campaign_without_texts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

REQUIRED_OF_CROISSANT = (
    *("name", "description", "conformsTo", "license", "url", "creator", "datePublished", "version", "citeAs"),
    *("keywords", "inLanguage", "isLiveDataset", "distribution", "recordSet"),
    *("rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation", "rai:dataUseCases"),
    *("rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasDerivedFrom", "prov:wasGeneratedBy"),
)
"""What conferences ask for, beside what Croissant's own library checks."""

CROISSANT_TYPES = {
    "string": "sc:Text",
    "int64": "sc:Integer",
    "double": "sc:Float",
    "bool": "sc:Boolean",
    "timestamp[us, tz=UTC]": "sc:DateTime",
    "list<element: string>": "sc:Text",
}


@pytest.fixture(scope="module")
def written(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Release:
    """A release of judgments by people and a machine, with controls, times, notes and practice."""
    with django_db_blocker.unblock(), transaction.atomic():
        campaign = campaign_to_release()
        with_machine(campaign)
        time = datetime(2026, 5, 4, 12, 34, 56, tzinfo=UTC)
        Revision.objects.update(started_at=time, submitted_at=time, note="I am Anna.")
        anna = Annotator.objects.get(campaign=campaign, name="anna")
        PracticeAnswer.objects.create(
            annotator=anna, attempt=1, number=1, agrees=True, fields={"rank-0": "1"}
        )
        release = release_of(campaign, tmp_path_factory.mktemp("written"))
        transaction.set_rollback(True)
    return release


def table(release: Release, name: str) -> pd.DataFrame:
    return pd.read_parquet(release.folder / "data" / f"{name}.parquet")


def recomputed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> "pd.Series[float]":
    """The ranking by the program in the card, which is run as it stands."""
    [program] = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.S)
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102
    ranking: pd.Series[float] = names["ranking"]
    return ranking


def scores_of(campaign: Campaign) -> dict[str, float | None]:
    """ExpectedWins without controls, by the library."""
    controls = campaign.systems.filter(role="control").values_list("name", flat=True)
    counted = without_systems(snapshot(campaign), set(controls))
    return {each.system: each.score for each in expected_wins(count_pairs(counted)).scores}


def test_the_ranking_is_recomputed_with_pandas_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_release()
    release = release_of(campaign, tmp_path)
    expected = scores_of(campaign)
    assert expected.keys() == {"Alder", "Birch", "INPUT"}
    assert len(set(expected.values())) == 3
    assert recomputed(release.folder, monkeypatch).to_dict() == pytest.approx(expected)
    card = (release.folder / "README.md").read_text()
    printed = re.findall(r"^\| \d+ \| (\w+) \| ([\d.]+) \|$", card, re.M)
    assert printed == [(name, f"{score:.4f}") for name, score in expected.items()]


def test_a_release_is_made_again_bit_by_bit(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    first, again = (release_of(campaign, tmp_path, into=name) for name in ("first", "again"))
    assert contents(first.folder) == contents(again.folder)
    assert first.zip.read_bytes() == again.zip.read_bytes()
    with zipfile.ZipFile(first.zip) as archive:
        packed = {entry.filename: entry.date_time for entry in archive.infolist()}
    assert packed == {
        f"learner-judgments-1.0.0/{name}": (1980, 1, 1, 0, 0, 0) for name in contents(first.folder)
    }


def test_pieces_of_any_size_give_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_release()
    upload_scores(
        campaign.corpus, tmp_path, *(f"luck,Alder,{sentence},0.{sentence}" for sentence in range(4))
    )
    whole = release_of(campaign, tmp_path, into="whole")
    assert whole.facts.rows["output_scores"] > 2
    monkeypatch.setattr(judgment_rows, "JUDGMENTS_PER_CHUNK", 2)
    monkeypatch.setattr(tables, "ROWS_PER_GROUP", 3)
    monkeypatch.setattr(text_rows, "SENTENCES_AT_ONCE", 1)
    monkeypatch.setattr(score_rows, "SENTENCES_AT_ONCE", 1)
    pieces = release_of(campaign, tmp_path, into="pieces")
    assert pq.ParquetFile(pieces.folder / "data" / "judgments.parquet").num_row_groups > 5
    for path in (whole.folder / "data").glob("*.jsonl"):
        assert path.read_bytes() == (pieces.folder / "data" / path.name).read_bytes()
        parquet = path.with_suffix(".parquet")
        assert pq.read_table(parquet).equals(pq.read_table(pieces.folder / "data" / parquet.name))


def test_rows_do_not_depend_on_the_order_of_the_answers(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    release = release_of(campaign, tmp_path)
    rows = table(release, "judgments")
    keys = rows[["item", "repetition", "annotator"]].apply(tuple, axis=1).tolist()
    assert keys == sorted(keys)
    assert rows["judgment"].astype(int).is_monotonic_increasing


def test_annotators_have_pseudonyms_of_this_release_only(tmp_path: Path, settings: Settings) -> None:
    campaign = campaign_to_release()

    def pseudonyms(into: str, version: str = "1.0.0", name: str = "learner-judgments") -> set[str]:
        release = release_of(campaign, tmp_path, into=into, version=f'"{version}"', name=f'"{name}"')
        return set(table(release, "judgments")["annotator"])

    first = pseudonyms("first")
    assert len(first) == len(JUDGES)
    assert first.isdisjoint(pseudonym(campaign, judge) for judge in JUDGES)
    assert first.isdisjoint(pseudonyms("next", version="1.0.1"))
    assert first.isdisjoint(pseudonyms("other", name="other-judgments"))
    settings.SECRET_KEY = "another"
    assert first.isdisjoint(pseudonyms("keyed"))


def test_nothing_says_who_judged_or_at_what_time(written: Release) -> None:
    everything = b"".join(contents(written.folder).values())
    for word in (*JUDGES, "I am Anna", "12:34", 'annotator_number": 1'):
        assert word.encode() not in everything, word
    rows = table(written, "judgments")
    assert set(rows["submitted_at"].dropna()) == {pd.Timestamp("2026-05-04", tz="UTC")}
    assert rows["note"].isna().all()
    assert rows["annotator_number"].isna().all()
    assert rows["active_ms"].notna().any()


def test_controls_practice_and_machines_stand_apart(written: Release) -> None:
    names = {system for systems in table(written, "judgments")["systems"] for system in systems}
    assert {*table(written, "control_judgments")["systems"].map(tuple)} == {("Cedar",)}
    assert "Alder" in names
    assert set(table(written, "control_outputs")["system"]) == {"Cedar"}
    assert "Cedar" not in set(table(written, "outputs")["system"])
    machine = table(written, "machine_judgments")
    assert set(machine["annotator_kind"]) == {"machine"}
    assert json.loads(machine["machine"].iloc[0])["model"] == "gpt-4o"
    assert table(written, "judgments")["annotator_kind"].isna().all()
    [practice] = table(written, "practice").to_dict("records")
    assert practice["annotator"] in set(table(written, "judgments")["annotator"])
    assert practice["agrees"] is True


def test_both_formats_hold_the_same(written: Release) -> None:
    tables = sorted((written.folder / "data").glob("*.parquet"))
    assert len(tables) == 9
    for path in tables:
        lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
        typed = pq.read_table(path)
        assert [list(line) for line in lines] == [typed.column_names] * typed.num_rows
        for name in set(typed.column_names) - {"started_at", "submitted_at", "machine", "edits", "details"}:
            assert typed[name].to_pylist() == [line[name] for line in lines], (path.name, name)
    lines = (written.folder / "data" / "references.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["edits"] == [[1, 2, "Vform", ["goes", "went"], "REQUIRED", ""]]


def test_texts_and_their_digests_are_those_of_the_corpus(written: Release) -> None:
    sentences, outputs = table(written, "sentences"), table(written, "outputs")
    assert sentences["source"].tolist()[3] == "He like tea <b> & cake ."
    assert sentences["source_sha256"][0] == hashlib.sha256(b"She go home .").hexdigest()
    judged = table(written, "judgments").explode("systems")[["sentence", "systems", "output"]].dropna()
    joined = judged.merge(outputs, left_on=["sentence", "systems"], right_on=["sentence", "system"])
    assert len(joined) == (judged["systems"] != "Cedar").sum()
    assert (joined["output_x"] == joined["output_y"]).all()
    assert set(table(written, "references")["annotator"]) == {1, 2}


def test_the_manifest_has_every_file(written: Release) -> None:
    files = contents(written.folder)
    lines = {}
    for line in files.pop("manifest.sha256").decode().splitlines():
        digest, name = line.split("  ")
        lines[name] = digest
    assert lines == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def test_croissant_describes_every_file_and_column(written: Release) -> None:
    described = json.loads((written.folder / "croissant.json").read_text())
    assert [name for name in REQUIRED_OF_CROISSANT if described.get(name) in (None, "", [])] == []
    assert described["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    assert described["datePublished"] == "2026-11-26"
    assert described["rai:hasSyntheticData"] is True
    assert described["rai:dataBiases"] == "One test set."
    assert described["rai:machineAnnotationTools"] == ["gpt-4o 2024-08-06"]
    files = {each["@id"]: each for each in described["distribution"]}
    unlisted = set(contents(written.folder)) - set(files)
    assert unlisted == {"croissant.json", "manifest.sha256"}
    for path, each in files.items():
        assert each["@type"] == "cr:FileObject"
        assert each["contentUrl"] == path
        assert each["sha256"] == hashlib.sha256((written.folder / path).read_bytes()).hexdigest()
        if path.endswith(".parquet"):
            assert each["encodingFormat"] == "application/x-parquet"
    identifiers = [field["@id"] for records in described["recordSet"] for field in records["field"]]
    assert len(set(identifiers)) == len(identifiers)
    assert {records["@id"] for records in described["recordSet"]} == {
        path.stem for path in (written.folder / "data").glob("*.parquet")
    }
    for records in described["recordSet"]:
        assert_fits_its_file(records, written.folder, set(identifiers))


def assert_fits_its_file(records: Any, folder: Path, identifiers: set[str]) -> None:
    schema = pq.read_schema(folder / "data" / f"{records['name']}.parquet")
    assert [field["source"]["extract"]["column"] for field in records["field"]] == schema.names
    for field in records["field"]:
        assert field["source"]["fileObject"]["@id"] == f"data/{records['name']}.parquet"
        assert field["dataType"] == CROISSANT_TYPES[str(schema.field(field["name"]).type)]
        assert field.get("isArray", False) == str(schema.field(field["name"]).type).startswith("list")
        if "references" in field:
            assert field["references"]["field"]["@id"] in identifiers


def test_the_front_matter_of_the_card_fits_the_files(written: Release) -> None:
    _, front, text = (written.folder / "README.md").read_text().split("---\n", 2)
    card = yaml.safe_load(front)
    assert card["language"] == ["en"]
    assert card["license"] == "other"
    assert card["annotations_creators"] == ["other", "machine-generated"]
    assert card["size_categories"] == ["n<1K"]
    assert card["configs"][0]["config_name"] == "judgments"
    by_name = {each["config_name"]: each["data_files"][0]["path"] for each in card["configs"]}
    assert len(by_name) == 9
    for each in card["dataset_info"]:
        file = pq.read_table(written.folder / by_name[each["config_name"]])
        assert [feature["name"] for feature in each["features"]] == file.column_names
        assert each["splits"][0]["num_examples"] == file.num_rows
        for feature in each["features"]:
            kind = str(file.schema.field(feature["name"]).type).replace("double", "float64")
            assert feature.get("dtype", "list<element: string>") == kind
    assert "# Judgments: “learners” & co" in text
    assert re.search(r"12 judgments of \d+ items by 3 annotators", text)


def test_citations(written: Release) -> None:
    cff = yaml.safe_load((written.folder / "CITATION.cff").read_text())
    assert cff["authors"] == [
        {
            "family-names": "Lovelace",
            "given-names": "Ada",
            "affiliation": "University",
            "orcid": "https://orcid.org/0000-0002-1825-0097",
        },
        {"name": "The Group"},
    ]
    assert (cff["cff-version"], cff["type"], cff["version"]) == ("1.2.0", "dataset", "1.0.0")
    assert cff["license"] == "CC-BY-4.0"
    zenodo = json.loads((written.folder / ".zenodo.json").read_text())
    assert zenodo["creators"][0] == {
        "name": "Lovelace, Ada",
        "affiliation": "University",
        "orcid": "0000-0002-1825-0097",
    }
    assert (zenodo["upload_type"], zenodo["license"], zenodo["language"]) == ("dataset", "cc-by-4.0", "eng")
    assert zenodo["description"] == "<p>Rankings of corrections.</p><p>Of learners&#x27; sentences.</p>"
    assert {"identifier": "https://example.org/corpus", "relation": "isDerivedFrom"} in zenodo[
        "related_identifiers"
    ]


def test_the_datasheet_answers_what_is_known_and_marks_the_rest(written: Release) -> None:
    sheet = (written.folder / "datasheet.md").read_text()
    assert "To compare systems." in sheet
    assert "From" not in sheet.partition("Over what timeframe?")[2][:40]
    assert "All judgments are of 2026-05-04." in sheet
    assert "alpha over ranks, ordinal" in sheet
    assert "Control outputs (sources with inserted errors) were shown" in sheet
    assert "1 skipped" in sheet
    assert sheet.count("**Not answered.**") == 12
    assert "(`pay` under `[answers]`" in sheet


def test_texts_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_release()
    expected = scores_of(campaign)
    release = release_of(campaign, tmp_path, text_licence="", leave_out_texts="true")
    everything = b"".join(contents(release.folder).values())
    for word in ("She go", "cats", "tea"):
        assert word.encode() not in everything
    assert table(release, "sentences")["source_sha256"].notna().all()
    assert recomputed(release.folder, monkeypatch).to_dict() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "kept"), [({}, {"said": [1, None]}), ({"a": ["went"]}, {"said": [1, "went"]})]
)
def test_details_hold_no_text_of_annotators_where_texts_are_left_out(
    options: dict[str, object], kept: dict[str, object], tmp_path: Path
) -> None:
    campaign = running(annotators_per_item=3)
    for annotator in cast(campaign, "anna ben carla"):
        answer_all(annotator)
    Revision.objects.update(details={"said": [1, "went"]})
    Rating.objects.update(rating_details={"said": [1, "went"]})
    Design.objects.update(protocol_options=options)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    campaign = Campaign.objects.get(pk=campaign.pk)
    release = release_of(campaign, tmp_path, text_licence="", leave_out_texts="true")
    for column in ("details", "rating_details"):
        assert set(map(json.dumps, map(json.loads, table(release, "judgments")[column].dropna()))) == {
            json.dumps(kept)
        }


def test_withdrawn_systems_are_nowhere(tmp_path: Path) -> None:
    campaign = campaign_to_release(control="")
    time = datetime(2026, 5, 4, tzinfo=UTC)
    System.objects.filter(corpus=campaign.corpus, name="Alder").update(withdrawn_at=time)
    release = release_of(campaign, tmp_path)
    assert b"Alder" not in b"".join(contents(release.folder).values())
    shared = table(release, "judgments").query("sentence == 0")["systems"].map(tuple)
    assert set(shared) == {("Birch",), ("Cedar",), ("INPUT",)}


def test_excluded_annotators_are_left_out(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    excluded = Annotator.objects.filter(campaign=campaign, name="carla")
    excluded.update(excluded_at=datetime(2026, 5, 4, tzinfo=UTC), exclusion_reason="careless")
    release = release_of(campaign, tmp_path, confirmed=[Confirmation.FEW_ANNOTATORS])
    assert table(release, "judgments")["annotator"].nunique() == 2
    assert "1 excluded annotator are left out" in (release.folder / "datasheet.md").read_text()
    assert "careless" not in (release.folder / "datasheet.md").read_text()


def test_judgments_without_texts_are_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_without_texts(rankings=RANKINGS)
    release = release_of(campaign, tmp_path, text_licence="")
    assert table(release, "sentences")["source"].isna().all()
    assert recomputed(release.folder, monkeypatch).to_dict() == pytest.approx(scores_of(campaign))


def test_a_campaign_that_ran_here_has_its_design_and_guidelines(tmp_path: Path) -> None:
    campaign = running(guidelines="# Rank by *meaning*", annotators_per_item=3)
    for annotator in cast(campaign, "anna ben carla"):
        answer_all(annotator)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    release = release_of(Campaign.objects.get(pk=campaign.pk), tmp_path)
    assert (release.folder / "guidelines.md").read_text() == "# Rank by *meaning*"
    stated = json.loads((release.folder / "design.json").read_text())
    assert stated["design"]["annotators_per_item"] == 3
    # With it, the orders of outputs would tell the numbers of annotators.
    texts = [path.read_bytes() for path in release.folder.rglob("*") if path.is_file()]
    assert not any(campaign.secret.encode() in text for text in texts)
    assert "`guidelines.md`" in (release.folder / "README.md").read_text()
    assert set(table(release, "judgments")["submitted_at"].dropna()) == {pd.Timestamp(NOON.date(), tz="UTC")}


def test_a_later_version_says_what_has_changed(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    first = release_of(campaign, tmp_path, into="first")
    Annotator.objects.filter(campaign=campaign, name="carla").update(
        excluded_at=datetime(2026, 5, 4, tzinfo=UTC), exclusion_reason="careless"
    )
    System.objects.filter(name="Birch").update(withdrawn_at=datetime(2026, 5, 4, tzinfo=UTC))
    second = release_of(
        campaign,
        tmp_path,
        into="second",
        previous=first.folder,
        confirmed=list(Confirmation),
        version='"1.1.0"',
    )
    changes = (second.folder / "CHANGES.md").read_text()
    assert "- annotators: 3 → 2\n" in changes
    assert "- judgments: 12 → 8\n" in changes
    assert "- systems left out: Birch\n" in changes
    assert changes.index("## 1.1.0") < changes.index("## 1.0.0")
    assert "annotators: 3 → 2" in (second.folder / "README.md").read_text()


@pytest.mark.parametrize(
    ("version", "name", "cause"),
    [
        ("1.0.0", "learner-judgments", "is version 1.0.0: the version 1.0.0 must be higher"),
        ("1.1.0", "others", "is a release of learner-judgments, not of others"),
    ],
)
def test_the_release_before_must_be_one_of_the_same_data(
    version: str, name: str, cause: str, tmp_path: Path
) -> None:
    campaign = campaign_to_release()
    before = release_of(campaign, tmp_path, into="first").folder
    with pytest.raises(ReleaseRefusedError, match=cause):
        release_of(
            campaign, tmp_path, into="second", previous=before, version=f'"{version}"', name=f'"{name}"'
        )
    with pytest.raises(ReleaseRefusedError, match="is not the folder of a release"):
        release_of(campaign, tmp_path, into="second", previous=tmp_path)


def test_a_release_is_in_the_audit_log(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    release_of(campaign, tmp_path)
    [entry] = AuditEntry.objects.all()
    assert (entry.action, entry.name) == ("export", campaign.name)
    assert entry.details["version"] == "1.0.0"


def test_the_judgments_can_be_imported_with_the_usual_importer(tmp_path: Path) -> None:
    campaign = campaign_to_release(control="")
    release = release_of(campaign, tmp_path)
    read = read_judgments(release.folder / "data" / "judgments.parquet")
    plan = plan_judgments(name="again", corpus=campaign.corpus, judgments=read.judgments, synthetic=False)
    again = store_judgments(plan, progress=lambda stored: None)
    assert scores_of(again) == scores_of(campaign)


def test_a_campaign_that_is_too_large_to_be_analysed_is_refused(tmp_path: Path, settings: Settings) -> None:
    settings.SNAPSHOT_MAX_RATINGS = 5
    with pytest.raises(RefusedError, match="SNAPSHOT_MAX_RATINGS"):
        release_of(campaign_to_release(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["about.toml"]
