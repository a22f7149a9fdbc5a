"""Essays on pages: paragraphs, and the place of each change in the source."""

import re

import pytest

from annotate.judging.essay_lines import essay_lines
from annotate.templatetags.texts import essay
from annotate.web.highlight import Segment, highlight
from formats.text.line_ends import in_one_line
from formats.text.natural import TextRules

SOURCE = in_one_line("My town\n\nI likes it .\nShe go home .")


def lines(text: str, source: str = SOURCE, rules: TextRules | None = None) -> list[str]:
    """Each line as in `a [b>c @3-4] d`: what stays, and each change with its place."""
    return [
        ("  " if line.is_apart else "")
        + " ".join(
            f"[{each.segment.replaced or each.segment.kind}>{each.segment.text} @{each.place}]"
            if each.segment.kind != "same"
            else each.segment.text
            for each in line.pieces
        )
        for line in essay_lines(highlight(source, text, rules))
    ]


def test_an_essay_that_stays_has_its_lines() -> None:
    assert lines(SOURCE) == ["My town", "  I likes it .", "She go home ."]
    assert essay(SOURCE, rules=TextRules.ENGLISH) == (
        '<p dir="auto">My town</p><p dir="auto" class="apart">I likes it.</p><p dir="auto">She go home.</p>'
    )


def test_changes_name_their_place_in_the_source() -> None:
    assert lines(in_one_line("My town\n\nI like it .\nShe goes straight home .")) == [
        "My town",
        "  I [likes>like @7-12] it .",
        "She [go>goes straight @18-20] home .",
    ]


def test_line_ends_that_are_inserted_and_deleted_are_changes() -> None:
    assert lines(in_one_line("My town\n\nI likes it . She go\nhome .")) == [
        "My town",
        "  I likes it . [delete>¶ @15-15] She go [insert>¶ @20-20]",
        "home .",
    ]


def test_a_change_over_several_lines_has_its_place_once() -> None:
    assert lines(in_one_line("a b\n\nc d"), source="a x d") == [
        "a [x>b @1-2] [insert>¶ @]",
        "[insert>¶ @]",
        "[insert>c @] d",
    ]


def test_running_text_without_blanks_keeps_its_lines() -> None:
    source = in_one_line("我的家。\n\n我昨天去看电影和朋友了。")
    assert lines(in_one_line("我的家。\n\n我昨天跟朋友去看电影了。"), source) == [
        "我的家。",
        "  我昨天 [insert>跟朋友 @7-7] 去看电影 [delete>和朋友 @11-14] 了。",
    ]


@pytest.mark.parametrize("text", [SOURCE, in_one_line("x <b>\n\n& y\nz"), "one two", ""])
def test_visible_characters_of_an_essay_are_those_of_its_text(text: str) -> None:
    written = re.sub(r'<span class="unseen">.*?</span>|<del.*?</del>', "", essay(text, SOURCE))
    plain = re.sub("<[^>]*>", "", written).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert re.sub(r"[\s¶]", "", plain) == (re.sub(r"[\s¶]", "", text) or "empty")


def test_places_count_neither_blanks_nor_line_ends() -> None:
    [line] = essay_lines([Segment("same", "a b ¶"), Segment("substitute", "d", "c ¶")])[:1]
    assert [piece.place for piece in line.pieces] == [""]
    [_, second] = essay_lines([Segment("same", "a b ¶"), Segment("substitute", "d", "c ¶")])
    assert [piece.place for piece in second.pieces] == ["2-3"]
