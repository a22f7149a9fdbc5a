from xml.sax.saxutils import quoteattr

import pytest

from formats import FormatError, RankedGroup, RankingRecord, appraise, read_appraise
from tests.formats.conftest import Write

RESULTS = """\
<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result id="block-1">
  <ranking-item doc-id="d" duration="00:01:07.524000" id="0" src-id="135" user="judge1">
    <translation rank="2" system="C"/>
    <translation rank="1" system="B A"/>
  </ranking-item>
  <ranking-item duration="1 day, 0:00:01" id="136" user="judge2"/>
</error-correction-ranking-result>
<ranking-result>
  <!-- no duration, a collapsed output with commas -->
  <ranking-item id="1" src-id="0" user="judge1"><translation rank="1" system="A, B,C"/></ranking-item>
</ranking-result>
</appraise-results>
"""


def item(translations: str = "", **attributes: str) -> str:
    """A file whose line 2 holds one ranking item; an attribute given as "" is left out."""
    attributes = {"src_id": "1", "user": "judge", "duration": "00:00:01"} | attributes
    written = "".join(
        f" {name.replace('_', '-')}={quoteattr(value)}" for name, value in attributes.items() if value
    )
    return (
        "<appraise-results><ranking-result>\n"
        f"<ranking-item{written}>{translations}</ranking-item></ranking-result></appraise-results>"
    )


def test_items_of_all_blocks_are_read_in_order(write: Write) -> None:
    first = RankingRecord(
        4, "judge1", 135, (RankedGroup(("C",), 2), RankedGroup(("A", "B"), 1)), duration_ms=67_524
    )
    empty = RankingRecord(8, "judge2", 136, (), duration_ms=86_401_000)
    one_output = RankingRecord(12, "judge1", 0, (RankedGroup(("A", "B", "C"), 1),), duration_ms=None)
    assert read_appraise(write(RESULTS)) == (first, empty, one_output)


def test_byte_order_mark_and_carriage_returns_change_nothing(write: Write) -> None:
    plain = read_appraise(write(RESULTS))
    assert read_appraise(write("\ufeff" + RESULTS.replace("\n", "\r\n"))) == plain


@pytest.mark.parametrize(
    ("duration", "milliseconds"),
    [
        ("00:00:00", 0),
        ("0:00:00.001999", 1),
        ("21:55:51.713000", 78_951_713),
        ("00:00:01.5", 1_500),
        ("2 days, 1:00:00", 176_400_000),
        ("100:00:00", 360_000_000),
    ],
)
def test_durations_are_whole_milliseconds(write: Write, duration: str, milliseconds: int) -> None:
    [record] = read_appraise(write(item(duration=duration)))
    assert record.duration_ms == milliseconds


def test_a_long_item_may_use_as_many_ranks_as_outputs(write: Write) -> None:
    six = "".join(f'<translation rank="{rank}" system="S{rank}"/>' for rank in range(1, 7))
    [record] = read_appraise(write(item(six)))
    assert [group.rank for group in record.groups] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(FormatError, match="rank 7 is out of range 1 to 6"):
        read_appraise(write(item(six.replace('"6"', '"7"'))))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (item(user=""), "attribute user is missing"),
        (item(user=" "), "the user is empty"),
        (item(user="a\nb"), "the user 'a\\nb' contains the control character U+000A"),
        (item(src_id=""), "attribute id is missing"),
        (item(src_id="one"), "src-id is not a whole number of up to nine digits: 'one'"),
        (item(src_id="", id="x.7"), "id is not a whole number"),
        (item(src_id="-1"), "src-id is negative: -1"),
        (item(src_id="٣"), "src-id is not a whole number"),
        (item(duration="soon"), "bad duration 'soon': HH:MM:SS is expected"),
        (item(duration="00:61:00"), "bad duration"),
        (item(duration="-1 day, 23:59:59"), "bad duration"),
        (item('<translation system="A"/>'), "attribute rank is missing"),
        (item('<translation rank="1"/>'), "attribute system is missing"),
        (item('<translation rank="1" system=" , "/>'), "the system attribute names no system"),
        (item('<translation rank="1" system="A é"/>'), "bad system name 'é'"),
        (item('<translation rank="1" system="A A"/>'), "system A twice in one item"),
        (
            item('<translation rank="1" system="A"/><translation rank="1" system="B A"/>'),
            "system A twice in one item",
        ),
        (item('<translation rank="best" system="A"/>'), "the rank is not a whole number"),
        (item('<translation rank="0" system="A"/>'), "rank 0 is out of range 1 to 5"),
        (item('<translation rank="-1" system="A"/>'), "rank -1 is out of range 1 to 5"),
        (item('<translation rank="6" system="A"/>'), "rank 6 is out of range 1 to 5"),
        (item('<translation rank="1" system="A"><b/></translation>'), "unexpected element <b>"),
        (item("<source>a</source>"), "unexpected element <source>"),
        (item("a text"), "unexpected text 'a text'"),
        ("\n<results/>", "unexpected element <results>"),
        ("<appraise-results>\n<ranking-item/></appraise-results>", "unexpected element <ranking-item>"),
        (
            "<appraise-results>\n<quality-result/></appraise-results>",
            "unexpected element <quality-result>",
        ),
    ],
)
def test_faults_are_named_by_line(write: Write, content: str, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_appraise(write(content))
    assert fault.value.line == 2
    assert words in fault.value.cause


BILLION_LAUGHS = """<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]>
<appraise-results>&lol2;</appraise-results>"""
EXTERNAL_ENTITY = """<!DOCTYPE a [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<appraise-results>&secret;</appraise-results>"""
EXTERNAL_DTD = '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><appraise-results/>'


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (BILLION_LAUGHS, 1, "document type declarations and entities are refused"),
        (EXTERNAL_ENTITY, 1, "document type declarations and entities are refused"),
        (EXTERNAL_DTD, 1, "document type declarations and entities are refused"),
        ("<appraise-results>\n&lol;</appraise-results>", 2, "malformed XML: undefined entity"),
        (RESULTS[: RESULTS.index('rank="2"')], 5, "malformed XML: unclosed token"),
        (RESULTS.removesuffix("</appraise-results>\n"), 14, "malformed XML: no element found"),
        (RESULTS.replace("</ranking-result>", "</result>"), 13, "malformed XML: mismatched tag"),
        (RESULTS + "<more/>", 15, "malformed XML: junk after document element"),
        (item(src_id="1").replace("user=", "src-id='2' user="), 2, "malformed XML: duplicate attribute"),
        (item(user="&#0;").replace("&amp;", "&"), 2, "malformed XML: reference to invalid character number"),
        ("<a>" * 100_000, 1, "unexpected element <a>"),
        (RESULTS.replace("UTF-8", "ISO-8859-1"), 1, "the file must be UTF-8, but declares 'ISO-8859-1'"),
        (RESULTS.replace("UTF-8", "UTF-16"), 1, "the file must be UTF-8, but declares 'UTF-16'"),
        (RESULTS.replace("UTF-8", "unicode_escape"), 1, "the file must be UTF-8, but declares"),
        (RESULTS.encode("utf-16"), None, "the file is in UTF-16"),
        (RESULTS.replace("judge2", "jüdge").encode("latin-1"), 8, "invalid UTF-8"),
        ("<appraise-results/>", None, "the file contains no ranking-item"),
        ("", None, "the file is empty"),
        ("judge,rank\n", 1, "malformed XML"),
    ],
)
def test_malformed_and_hostile_xml_is_refused(
    write: Write, content: str | bytes, line: int | None, words: str
) -> None:
    with pytest.raises(FormatError) as fault:
        read_appraise(write(content))
    assert fault.value.line == line
    assert words in fault.value.cause


def test_xml_beyond_the_limit_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appraise, "MAX_XML_CHARS", 100)
    with pytest.raises(FormatError, match="more than 100 characters of XML"):
        read_appraise(write(RESULTS))
