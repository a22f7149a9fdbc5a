"""Bundles of campaigns name nobody, and hold no secret."""

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from analysis.publishing.inputs.judgments import number_of, read_judgments
from annotate.campaigns.lifecycle import close
from annotate.models import Annotator, Campaign
from core.progress import NoProgress
from tests.analysis.publishing.bundles import FEW, contents
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import campaign_without_texts, ranking


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
