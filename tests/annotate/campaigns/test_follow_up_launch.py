"""A follow-up is launched; its propensities are kept, exported and read back."""

from pathlib import Path

import pandas as pd
import pytest

from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import clone, store_launch
from annotate.judgments.exporting import export_judgments
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.queries import snapshot
from annotate.judgments.stream import Selection
from annotate.models import Campaign, Item, ItemOutput
from formats import read_judgments
from formats.snapshot.propensities_json import propensities_fault
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import frame_of_file
from formats.writers import FORMATS
from tests.annotate.protocols import RANKING
from tests.annotate.running import answer_all, cast, draft
from tests.annotate.samples import no_progress

pytestmark = pytest.mark.django_db

FOLLOW_UP = {"pairs": [["Alder", "Birch"], ["Birch", "Cedar"]], "ordinary_percent": 40, "drawn": None}


@pytest.fixture
def follow_up() -> Campaign:
    """Launched, and judged by one annotator."""
    campaign = draft(
        items=20, protocol=RANKING, outputs_per_screen=2, sampling="uniform", follow_up=FOLLOW_UP
    )
    store_launch(plan_launch(campaign), progress=no_progress)
    [anna] = cast(campaign, "anna")
    answer_all(anna)
    return campaign


def stored(campaign: Campaign) -> dict[int, dict[str, list[float]] | None]:
    return dict(Item.objects.filter(campaign=campaign).values_list("number", "propensities"))


def test_each_item_keeps_the_propensities_of_its_outputs(follow_up: Campaign) -> None:
    for item in Item.objects.filter(campaign=follow_up):
        digests = ItemOutput.objects.filter(item=item).values_list("output__digest", flat=True)
        assert item.propensities
        assert propensities_fault(item.propensities) is None
        assert set(item.propensities) == set(digests)


def test_an_ordinary_campaign_has_none() -> None:
    campaign = draft(items=4, protocol=RANKING)
    store_launch(plan_launch(campaign), progress=no_progress)
    assert set(stored(campaign).values()) == {None}


def test_the_snapshot_states_them_beside_each_rating(follow_up: Campaign) -> None:
    frame = snapshot(follow_up)
    assert frame["propensities"].notna().all()
    beside = zip(frame["output"].astype(str), frame["propensities"].astype(str), strict=True)
    assert all(output in propensities for output, propensities in beside)


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_an_export_keeps_them_and_an_import_reads_them_back(
    follow_up: Campaign, name: str, tmp_path: Path
) -> None:
    file_format = FORMATS[name]
    path = tmp_path / f"judgments{file_format.suffix}"
    pieces = export_judgments(
        campaign=follow_up, file_format=file_format, selection=Selection(), names=False, by=None
    )
    path.write_bytes(b"".join(pieces))
    judgments = resolve(read_judgments(path), path)
    plan = plan_judgments(name="read back", corpus=None, judgments=judgments, synthetic=False)
    again = store_judgments(plan, progress=no_progress)
    assert stored(again) == stored(follow_up)
    columns = ["item", "output", "rank", "propensities"]
    ours, theirs = (
        frame[columns].astype(object).sort_values(columns[:2], ignore_index=True)
        for frame in (snapshot(follow_up), frame_of_file(path))
    )
    pd.testing.assert_frame_equal(ours, theirs)


def test_a_clone_of_a_follow_up_is_one_too(follow_up: Campaign) -> None:
    first = draft("first", protocol=RANKING)
    follow_up.follows = first
    follow_up.save()
    copy = clone(follow_up, name="copy")
    assert copy.follows == first
    assert copy.design.follow_up == FOLLOW_UP
