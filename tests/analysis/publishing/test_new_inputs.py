"""An analysis with a new kind of inputs is published by one entry: the files of these inputs."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.publishing.inputs.files_beside_judgments import BESIDE_JUDGMENTS, files_beside
from analysis.publishing.stated import publishable
from analysis.publishing.storing import zip_of
from analysis.publishing.verification import differences
from annotate.models import Campaign
from core.progress import NoProgress
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.analysis.toys import LENGTHS, WITH_NEW_INPUTS, MeasuredJudgments, publishable_toy
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    draw_nothing(monkeypatch)
    with publishable_toy():
        yield


@pytest.fixture
def campaign() -> Campaign:
    return small_campaign(small_corpus())


@pytest.mark.parametrize("with_names", [True, False])
def test_its_bundle_holds_the_inputs_and_all_that_follows(
    campaign: Campaign, tmp_path: Path, with_names: bool
) -> None:
    published = published_result(campaign, WITH_NEW_INPUTS.name, with_names=with_names)
    judged = campaign.corpus.sentences.filter(items__campaign=campaign).distinct().order_by("position")
    lengths = [f"{each.position},{len((each.text or '').split())}" for each in judged]
    files = files_of(published)
    assert files[LENGTHS].decode().splitlines() == ["sentence,words", *lengths]
    assert f"- `{LENGTHS}`: lengths.\n" in files["datasheet.md"].decode()
    path = tmp_path / "published.zip"
    path.write_bytes(b"".join(zip_of(published)))
    assert list(differences(path, NoProgress())) == []


def test_a_changed_input_is_found(campaign: Campaign, tmp_path: Path) -> None:
    files = files_of(published_result(campaign, WITH_NEW_INPUTS.name))
    files[LENGTHS] = files[LENGTHS].replace(b"0,4", b"0,5")
    path = tmp_path / "published.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    found = list(differences(path, NoProgress()))
    assert f"{LENGTHS} was changed after the bundle was written." in found
    assert any(difference.startswith("methods.txt differs") for difference in found)


def test_inputs_without_that_entry_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BESIDE_JUDGMENTS, MeasuredJudgments)
    with pytest.raises(TypeError, match="does not say how a bundle holds MeasuredJudgments"):
        files_beside(MeasuredJudgments)


def test_every_publishable_analysis_has_it() -> None:
    assert {analysis.inputs for analysis in publishable().values()} <= BESIDE_JUDGMENTS.keys()
