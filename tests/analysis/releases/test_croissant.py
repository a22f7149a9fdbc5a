"""The Croissant file of a release, read by Croissant's own library, without a network."""

import socket
from pathlib import Path

import mlcroissant
import pytest

from analysis.releases.options import Layout, Options
from analysis.releases.tables import TABLES
from tests.analysis.releases.released import campaign_to_release, release_of
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.machine_judges import with_machine

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections fail."""

    def refuse(*about: object, **given: object) -> None:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Of what the library uses.
@pytest.mark.usefixtures("offline")
def test_it_is_valid_and_every_table_is_read(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    with_machine(campaign)
    upload_scores(campaign.corpus, tmp_path, "luck,Alder,0,0.25", "luck,Alder,,0.125")
    release = release_of(campaign, tmp_path, options=Options(layouts=tuple(Layout)))
    data = mlcroissant.Dataset(jsonld=release.folder / "croissant.json")
    assert not data.metadata.ctx.issues.errors
    assert not data.metadata.ctx.issues.warnings
    names = {each.name for each in data.metadata.record_sets}
    assert names == release.facts.rows.keys()
    columns = {table.name: [column.name for column in table.columns] for table in TABLES}
    for name in names:
        records = list(data.records(record_set=name))
        assert len(records) == release.facts.rows[name]
        assert [key.removeprefix(f"{name}/") for key in records[0]] == columns[name]
