"""The Croissant file of a release, read by Croissant's own library, without a network."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.releases.options import Layout, Options
from analysis.releases.tables import TABLES
from tests.analysis.releases.released import campaign_to_release, release_of
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.machine_judges import with_machine

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

READ = """
import json, socket, sys

def refuse(*about, **given):
    raise OSError("no network in this test")

socket.socket.connect = refuse
import mlcroissant

data = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = data.metadata.ctx.issues
records = {each.name: list(data.records(record_set=each.name)) for each in data.metadata.record_sets}
print(json.dumps({
    "issues": [*issues.errors, *issues.warnings],
    "rows": {name: len(rows) for name, rows in records.items()},
    "columns": {name: [key.removeprefix(f"{name}/") for key in rows[0]] for name, rows in records.items()},
}))
"""
"""Reads a file in a process of its own, because the library takes over the log of the process."""


def read_with_its_library(folder: Path) -> dict[str, Any]:
    """What Croissant's own library reads in a release, and of what it warns."""
    program = [sys.executable, "-c", READ, str(folder / "croissant.json")]
    read: dict[str, Any] = json.loads(
        subprocess.run(program, capture_output=True, text=True, check=True).stdout
    )
    return read


def test_it_is_valid_and_every_table_is_read(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    with_machine(campaign)
    upload_scores(campaign.corpus, tmp_path, "luck,Alder,0,0.25", "luck,Alder,,0.125")
    release = release_of(campaign, tmp_path, options=Options(layouts=tuple(Layout)))
    read = read_with_its_library(release.folder)
    assert read["issues"] == []
    assert read["rows"] == release.facts.rows
    columns = {table.name: [column.name for column in table.columns] for table in TABLES}
    assert read["columns"] == {name: columns[name] for name in read["rows"]}
