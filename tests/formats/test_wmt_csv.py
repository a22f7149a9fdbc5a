import pytest

from formats import FormatError, RankedGroup, RankingRecord, read_wmt_csv
from tests.formats.conftest import Write

HEADER = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank"


def test_a_judgment_a_row_in_any_order_of_columns(write: Write) -> None:
    content = """\
system2rank,SYSTEM1ID,segmentId,srcIndex,judgeId,system1rank,system2Id,system3Id,system3rank,system1Number
2,online-A,99,12,judge1,1,uedin,cu-bojar,2,7
-1,online-A,99,13,judge2,1,uedin,,,7
-1,online-A,99,14,judge2,-1,uedin,,-1,7
"""
    shown = [("online-A", 1), ("uedin", 2), ("cu-bojar", 2)]
    assert read_wmt_csv(write(content)) == (
        RankingRecord(2, "judge1", 12, tuple(RankedGroup((name,), rank) for name, rank in shown), None),
        RankingRecord(3, "judge2", 13, (RankedGroup(("online-A",), 1),), None),
        RankingRecord(4, "judge2", 14, (), None),
    )


def test_the_segment_is_the_sentence_where_no_source_index_is(write: Write) -> None:
    [record] = read_wmt_csv(write(f"{HEADER.replace('srcIndex', 'segmentId')}\n7,j,A,1,B,2\n"))
    assert record.sentence == 7


def test_quotes_byte_order_mark_and_carriage_returns(write: Write) -> None:
    [record] = read_wmt_csv(write(f'\ufeff{HEADER}\r\n7,"judge, the second","A",1,B,2\r\n'))
    assert (record.annotator, record.groups[0].systems) == ("judge, the second", ("A",))


def test_a_row_over_several_lines_is_named_by_its_first(write: Write) -> None:
    content = f'note,{HEADER}\n"one\ntwo",7,j,A,1,B,2\n"three\nfour",7,j,A,9,B,2\n'
    with pytest.raises(FormatError, match="rank 9") as fault:
        read_wmt_csv(write(content))
    assert fault.value.line == 4


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("7,j,A,1,B", "5 fields, but 6 in the header"),
        ("7,j,A,1,B,2,3", "7 fields, but 6 in the header"),
        ("x,j,A,1,B,2", "srcIndex is not a whole number of up to nine digits: 'x'"),
        ("-1,j,A,1,B,2", "srcIndex is negative: -1"),
        ("7, ,A,1,B,2", "the annotator is empty"),
        ("7,j,A B,1,B,2", "bad system name 'A B'"),
        ("7,j,,1,B,2", "bad system name ''"),
        ("7,j,A,1,A,2", "system A twice in one row"),
        ("7,j,A,,B,2", "the rank of 'A' is not a whole number"),
        ("7,j,A,1.0,B,2", "the rank of 'A' is not a whole number"),
        ("7,j,A,0,B,2", "rank 0 is out of range 1 to 5"),
        ("7,j,A,6,B,2", "rank 6 is out of range 1 to 5"),
        ("7,j,A,-2,B,2", "rank -2 is out of range 1 to 5"),
        ('7,"j" x,A,1,B,2', "malformed CSV"),
        ('7,"j,A,1,B,2', "malformed CSV: unexpected end of data"),
        (f'7,"{"j" * 200_000}",A,1,B,2', "malformed CSV: field larger than field limit"),
    ],
)
def test_faults_of_rows_are_named_by_line(write: Write, row: str, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_wmt_csv(write(f"{HEADER}\n7,j,A,1,B,2\n{row}\n"))
    assert fault.value.line == 3
    assert words in fault.value.cause


def test_blank_rows_do_not_count(write: Write) -> None:
    records = read_wmt_csv(write(f"{HEADER}\n\n7,j,A,1,B,2\n\n"))
    assert [record.line for record in records] == [3]


@pytest.mark.parametrize(
    ("header", "line", "words"),
    [
        (HEADER, None, "the file has a header but no judgment"),
        (f"{HEADER},JudgeId", 1, "column 'JudgeId' twice"),
        (HEADER.replace("judgeID", "judge"), 1, "column judgeID is missing"),
        (HEADER.replace("srcIndex", "index"), 1, "column segmentId is missing"),
        (HEADER.replace("system2rank", "rank"), 1, "column system2rank is missing"),
        (HEADER.replace("system2", "system3"), 1, "column system2Id is missing"),
        ("srcIndex,judgeID,system1Id,system1rank", 1, "column system2Id is missing"),
        ("srcIndex,judgeID", 1, "column system1Id is missing"),
        (f"{HEADER},system6Id,system6rank", 1, "column for system 6, at most 5 are known"),
        ('"srcIndex', 1, "malformed CSV"),
        ("", 1, "column judgeID is missing"),
    ],
)
def test_faults_of_the_header(write: Write, header: str, line: int | None, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_wmt_csv(write(f"{header}\n"))
    assert fault.value.line == line
    assert words in fault.value.cause
