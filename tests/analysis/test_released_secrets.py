"""The secret by which a campaign was drawn is released with its data, after it has ended."""

import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.publishing.judgments import number_of, read_judgments
from annotate.campaigns.lifecycle import close
from annotate.design.assignment import shown_order
from annotate.design.draws import keyed_seed
from annotate.models import Campaign
from tests.annotate.running import answer_all, cast, running

pytestmark = pytest.mark.django_db

SECRET = "5ec7e7"


@pytest.fixture
def judged() -> Campaign:
    campaign = running(items=12, annotators_per_item=2, shared_percent=100, secret=SECRET)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def bundle(folder: Path, *options: str) -> zipfile.ZipFile:
    path = folder / "bundle.zip"
    call_command("bundle", "agreement", "campaign", path, *options, verbosity=0)
    call_command("verify", path)
    return zipfile.ZipFile(path)


def test_a_closed_campaign_can_be_drawn_again_from_its_bundle(judged: Campaign, tmp_path: Path) -> None:
    close(judged)
    with bundle(tmp_path) as archive:
        secret = json.loads(archive.read("parameters.json"))["secret"]
        archive.extract("judgments.csv", tmp_path)
    assert secret == SECRET
    frame = read_judgments(tmp_path / "judgments.csv")
    screens = frame[frame["output"].notna()].groupby(["annotator", "item"], observed=True)
    assert len(screens) == 24
    for _, screen in screens:
        number, item = number_of(screen["annotator"].iloc[0]), int(screen["item"].iloc[0])
        outputs = sorted(screen["output"])
        order = shown_order(len(outputs), seed=keyed_seed(secret, "screen", item, number))
        assert list(screen.sort_values("position")["output"]) == [outputs[place] for place in order]


def test_no_secret_is_released_while_people_judge(judged: Campaign, tmp_path: Path) -> None:
    with bundle(tmp_path) as archive:
        assert all(SECRET.encode() not in archive.read(name) for name in archive.namelist())


def test_no_secret_is_released_without_the_names_of_systems(judged: Campaign, tmp_path: Path) -> None:
    close(judged)
    with bundle(tmp_path, "--without-names") as archive:
        assert all(SECRET.encode() not in archive.read(name) for name in archive.namelist())
