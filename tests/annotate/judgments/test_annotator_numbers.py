"""An annotator's number is permanent, however they join, and after others leave."""

import json
from functools import partial
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError

from annotate.judging.entering import add_annotator, join, mint_shared_link, valid_link
from annotate.judging.exclusions import exclude
from annotate.judgments.exporting import export_judgments
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.stream import Selection
from annotate.models import Annotator, Campaign, Link
from formats import read_judgments
from formats.snapshot.resolution import resolve
from formats.writers import FORMATS
from tests.annotate.judging.test_handout_concurrency import at_once
from tests.annotate.running import cast, running
from tests.annotate.samples import no_progress, ranking, small_campaign, small_corpus

pytestmark = pytest.mark.django_db


def numbers(campaign: Campaign) -> dict[str, int]:
    return dict(campaign.annotators.values_list("name", "number"))


def shared_link(campaign: Campaign) -> Link:
    link = valid_link(mint_shared_link(campaign))
    assert link is not None
    return link


def test_each_campaign_counts_from_one_in_the_order_of_joining() -> None:
    first, second = running("first"), running("second")
    add_annotator(first, name="zoe")
    visit = join(shared_link(first))
    assert visit is not None
    visitor = visit.annotator
    add_annotator(first, name="anna")
    add_annotator(second, name="zoe")
    assert numbers(first) == {"zoe": 1, visitor.name: 2, "anna": 3}
    assert numbers(second) == {"zoe": 1}
    assert str(visitor) == visitor.in_full == "Annotator 2"


def test_neither_exclusion_nor_deletion_renumbers_anybody() -> None:
    campaign = running()
    anna, _, carl = cast(campaign, "anna ben carl")
    exclude(anna, reason="Asked to be.")
    carl.delete()
    assert numbers(campaign) == {"anna": 1, "ben": 2}
    assert add_annotator(campaign, name="dora").number == 4


def test_a_name_that_is_taken_takes_no_number() -> None:
    campaign = running()
    cast(campaign, "anna")
    with pytest.raises(ValidationError):
        add_annotator(campaign, name="anna")
    assert add_annotator(campaign, name="ben").number == 2


@pytest.mark.django_db(transaction=True)
def test_annotators_who_join_at_once_get_numbers_of_their_own() -> None:
    campaign = running()
    at_once([partial(join, shared_link(campaign))] * 6)
    assert sorted(numbers(campaign).values()) == [1, 2, 3, 4, 5, 6]


def test_imported_annotators_are_numbered_by_their_first_judgments() -> None:
    rankings = [ranking(name, 0, "Alder > Cedar") for name in ("zoe", "anna", "zoe", "ben")]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    assert numbers(campaign) == {"zoe": 1, "anna": 2, "ben": 3}
    assert add_annotator(campaign, name="carl").number == 4


@pytest.mark.parametrize("table", ["csv", "jsonl", "parquet"])
def test_an_import_keeps_the_numbers_of_an_export(table: str, tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    Annotator.objects.filter(name="ben").update(number=7)
    again = imported(exported(campaign, table), campaign, tmp_path)
    assert sorted(numbers(again).values()) == [1, 7]
    assert again.last_annotator_number == 7


def test_an_export_without_numbers_is_read_and_is_the_same_set(tmp_path: Path) -> None:
    """Exports of earlier releases have no numbers of annotators."""
    campaign = small_campaign(small_corpus())
    content = exported(campaign, "jsonl")
    again = imported(content, campaign, tmp_path)
    rows = [json.loads(line) | {"schema_version": 1} for line in content.splitlines()]
    for row in rows:
        del row["annotator_number"]
    old = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    assert imported(old, campaign, tmp_path) == again
    again.delete()
    assert sorted(numbers(imported(old, campaign, tmp_path)).values()) == [1, 2]


def exported(campaign: Campaign, table: str) -> bytes:
    pieces = export_judgments(
        campaign=campaign, file_format=FORMATS[table], selection=Selection(), names=False, by=None
    )
    return b"".join(pieces)


def imported(content: bytes, campaign: Campaign, folder: Path) -> Campaign:
    path = folder / "file"
    path.write_bytes(content)
    judgments = resolve(read_judgments(path), path, texts=None)
    plan = plan_judgments(name="again", corpus=campaign.corpus, judgments=judgments, synthetic=False)
    return store_judgments(plan, progress=no_progress)
