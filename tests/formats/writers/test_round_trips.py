"""Written files can be read: everything from tables, and rankings from the field's formats."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from formats import JudgmentRecord, RankedGroup, read_judgments
from formats.snapshot.snapshots import content_hash, frame_of_file, frame_of_judgments
from formats.writers import FORMATS
from ranking import count_pairs
from tests.depth import examples
from tests.formats.writers.records import HEADING, judgments, rankings

TABLES = [each.name for each in FORMATS.values() if each.holds_all]


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is written anew with every example; its name is that of the campaign."""
    return tmp_path_factory.mktemp("exports") / HEADING.campaign


def write(file: Path, file_format: str, records: tuple[JudgmentRecord, ...]) -> Path:
    file.write_bytes(b"".join(FORMATS[file_format].write(records, HEADING)))
    return file


@pytest.mark.parametrize("table", TABLES)
@given(records=judgments())
def test_tables_keep_everything(table: str, file: Path, records: tuple[JudgmentRecord, ...]) -> None:
    result = read_judgments(write(file, table, records))
    assert (result.format, result.first_sentence) == ("export", 0)
    assert result.judgments == records


@pytest.mark.parametrize("table", TABLES)
@given(records=judgments())
@settings(max_examples=examples(20))
def test_tables_give_the_same_snapshot(table: str, file: Path, records: tuple[JudgmentRecord, ...]) -> None:
    before = frame_of_judgments(records, campaign=HEADING.campaign)
    after = frame_of_file(write(file, table, records))
    assert content_hash(after) == content_hash(before)


@given(records=judgments())
def test_csv_is_quoted_as_the_library_quotes_it(records: tuple[JudgmentRecord, ...]) -> None:
    text = b"".join(FORMATS["csv"].write(records, HEADING)).decode()
    again = StringIO()
    csv.writer(again).writerows(csv.reader(StringIO(text, newline="")))
    assert text == again.getvalue()


@given(records=rankings())
def test_appraise_xml_keeps_rankings_judges_times(file: Path, records: tuple[JudgmentRecord, ...]) -> None:
    result = read_judgments(write(file, "appraise", records))
    assert result.format == "appraise"
    assert [
        (record.sentence, record.annotator, record.groups, record.duration_ms) for record in result.records
    ] == [
        (
            record.sentence,
            record.annotator,
            tuple(RankedGroup(rating.systems, rating.rank or 0) for rating in record.current.ratings),
            record.current.active_ms,
        )
        for record in records
    ]


@given(records=rankings())
def test_wmt_csv_keeps_all_pairs_of_systems(file: Path, records: tuple[JudgmentRecord, ...]) -> None:
    assume(any(record.current.ratings for record in records))
    before = count_pairs(frame_of_judgments(records, campaign=HEADING.campaign))
    after = count_pairs(frame_of_file(write(file, "wmt-csv", records)))
    assert after.systems == before.systems
    assert after.wins.tolist() == before.wins.tolist()
    assert after.ties.tolist() == before.ties.tolist()
