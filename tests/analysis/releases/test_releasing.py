"""Data releases of campaigns."""

import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from pytest_django import Settings

from analysis.releases import judgment_rows, score_rows, tables, text_rows
from analysis.releases.checks import Confirmation, ReleaseRefusedError
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    AuditEntry,
    Campaign,
    CampaignState,
    Design,
    Rating,
    Revision,
    System,
)
from formats import read_judgments
from jobs.refusals import RefusedError
from ranking import count_pairs, expected_wins
from ranking.judgments.snapshot import without_systems
from tests.analysis.releases.released import (
    JUDGES,
    RANKINGS,
    campaign_to_release,
    contents,
    recomputed,
    release_of,
    table,
)
from tests.analysis.scored_campaigns import upload_scores
from tests.annotate.running import NOON, answer_all, cast, running
from tests.annotate.samples import campaign_without_texts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


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
