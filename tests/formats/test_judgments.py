import pytest

from formats import FormatError, RankedGroup, read_judgments
from tests.formats.conftest import Write

APPRAISE = """
<appraise-results><ranking-result><ranking-item src-id="0" user="j">
<translation rank="1" system="A"/><translation rank="2" system="B"/>
</ranking-item></ranking-result></appraise-results>
"""
WMT = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,j,A,1,B,2\n"


@pytest.mark.parametrize(
    ("content", "name", "file_format", "first_sentence"),
    [(APPRAISE, "judgments.csv", "appraise", 0), (WMT, "judgments.xml", "wmt-csv", 1)],
)
def test_the_content_and_not_the_name_decides(
    write: Write, content: str, name: str, file_format: str, first_sentence: int
) -> None:
    file = read_judgments(write(content, name))
    assert (file.format, file.first_sentence) == (file_format, first_sentence)
    [record] = file.records
    assert record.sentence == file.first_sentence
    assert record.groups == (RankedGroup(("A",), 1), RankedGroup(("B",), 2))


@pytest.mark.parametrize(("content", "words"), [("<html/>", "unexpected element <html>"), ("text", "column")])
def test_other_files_are_refused(write: Write, content: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_judgments(write(content))
