"""The files of a data release: tables, manifest, descriptions."""

import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from django.db import transaction
from pytest_django import DjangoDbBlocker

from analysis.releases.releasing import Release
from annotate.models import (
    Annotator,
    PracticeAnswer,
    Revision,
)
from tests.analysis.releases.released import (
    JUDGES,
    campaign_to_release,
    contents,
    release_of,
    table,
)
from tests.annotate.machine_judges import with_machine

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
