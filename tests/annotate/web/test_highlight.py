"""Highlighted edits of a correction against its source."""

from difflib import SequenceMatcher
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.web.highlight import LabelledEdit, Segment, highlight, highlight_labelled
from formats.text.by_character import as_characters
from formats.text.natural import TextRules, natural

REPETITIVE = st.lists(st.sampled_from(["a", "b", "the", ","]), max_size=12).map(" ".join)
BLANKS_BETWEEN_TOKENS = st.text(max_size=40).filter(lambda text: as_characters(text) is None)
TEXTS = st.one_of(REPETITIVE, BLANKS_BETWEEN_TOKENS)


def same(text: str) -> Segment:
    return Segment("same", text)


def insert(text: str) -> Segment:
    return Segment("insert", text)


def delete(text: str) -> Segment:
    return Segment("delete", text)


def substitute(replaced: str, text: str) -> Segment:
    return Segment("substitute", text, replaced)


def normalised(text: str) -> str:
    return " ".join(text.split())


def correction_of(segments: tuple[Segment, ...]) -> str:
    return " ".join(segment.text for segment in segments if segment.kind != "delete")


def source_of(segments: tuple[Segment, ...]) -> str:
    return " ".join(segment.replaced or segment.text for segment in segments if segment.kind != "insert")


def fewest_edits(before: list[str], after: list[str]) -> int:
    """Levenshtein's distance by the textbook's table."""
    table = {(i, 0): i for i in range(len(before) + 1)} | {(0, j): j for j in range(len(after) + 1)}
    for i, j in product(range(len(before)), range(len(after))):
        replaced = table[i, j] + (before[i] != after[j])
        table[i + 1, j + 1] = min(replaced, table[i, j + 1] + 1, table[i + 1, j] + 1)
    return table[len(before), len(after)]


class TestWhatIsShown:
    """Corrections as an annotator reads them."""

    @pytest.mark.parametrize(
        ("source", "correction", "segments"),
        [
            pytest.param(
                "She go to school .",
                "She goes to school .",
                (same("She"), substitute("go", "goes"), same("to school .")),
                id="one word replaced",
            ),
            pytest.param(
                "She goes to a school nearby .",
                "She goes to the big school .",
                (
                    same("She goes to"),
                    substitute("a", "the big"),
                    same("school"),
                    delete("nearby"),
                    same("."),
                ),
                id="more words than they replace",
            ),
            pytest.param(
                "In my childhood I lived in village .",
                "In my childhood , I lived in a village .",
                (same("In my childhood"), insert(","), same("I lived in"), insert("a"), same("village .")),
                id="words added",
            ),
            pytest.param(
                "We discussed about the very plan .",
                "We discussed the plan .",
                (same("We discussed"), delete("about"), same("the"), delete("very"), same("plan .")),
                id="words left out",
            ),
            pytest.param(
                "Nobody have ever seen it .",
                "Nobody has seen it .",
                (same("Nobody"), substitute("have ever", "has"), same("seen it .")),
                id="a deletion beside a substitution is part of it",
            ),
            pytest.param(
                "He told to me the news .",
                "He has told me news .",
                (
                    same("He"),
                    insert("has"),
                    same("told"),
                    delete("to"),
                    same("me"),
                    delete("the"),
                    same("news ."),
                ),
                id="small edits stay apart",
            ),
            pytest.param(
                "It is the reason why I came .",
                "That explains why I came .",
                (substitute("It is the reason", "That explains"), same("why I came .")),
                id="a rewritten phrase stays together",
            ),
            pytest.param(
                "the dog saw the cat and the bird",
                "the dog saw the big cat and the bird",
                (same("the dog saw the"), insert("big"), same("cat and the bird")),
                id="repeated words stay with their neighbours",
            ),
        ],
    )
    def test_edits_read_well(self, source: str, correction: str, segments: tuple[Segment, ...]) -> None:
        assert highlight(source, correction) == segments

    def test_an_unchanged_sentence_has_no_marks(self) -> None:
        assert highlight("Nothing to correct .", "Nothing  to correct .\n") == (same("Nothing to correct ."),)

    def test_an_empty_correction_deletes_everything(self) -> None:
        assert highlight("All of this goes .", " ") == (delete("All of this goes ."),)

    def test_an_empty_source_inserts_everything(self) -> None:
        assert highlight("", "All of this is new .") == (insert("All of this is new ."),)

    def test_nothing_against_nothing_shows_nothing(self) -> None:
        assert highlight("", "") == ()

    def test_a_deletion_next_to_an_insertion_is_a_substitution(self) -> None:
        assert highlight("x y z", "one two three four") == (substitute("x y z", "one two three four"),)

    def test_case_and_punctuation_make_another_token(self) -> None:
        assert highlight("hello world", "Hello world.") == (substitute("hello world", "Hello world."),)

    def test_markup_is_text_like_any_other(self) -> None:
        assert highlight("a <script> b", "a b") == (same("a"), delete("<script>"), same("b"))


class TestInvariants:
    """Invariants of any two texts."""

    @given(TEXTS, TEXTS)
    def test_the_correction_can_be_read_off(self, source: str, correction: str) -> None:
        assert correction_of(highlight(source, correction)) == normalised(correction)

    @given(TEXTS, TEXTS)
    def test_the_source_can_be_read_off(self, source: str, correction: str) -> None:
        assert source_of(highlight(source, correction)) == normalised(source)

    @given(TEXTS, TEXTS)
    def test_unchanged_and_edited_segments_alternate(self, source: str, correction: str) -> None:
        segments = highlight(source, correction)
        assert all((one.kind == "same") != (other.kind == "same") for one, other in pairwise(segments))
        assert all(segment.text for segment in segments)
        assert all(bool(segment.replaced) == (segment.kind == "substitute") for segment in segments)

    @given(REPETITIVE, REPETITIVE)
    def test_no_alignment_needs_fewer_edits(self, source: str, correction: str) -> None:
        edits = [segment for segment in highlight(source, correction) if segment.kind != "same"]
        shown = sum(max(len(edit.text.split()), len(edit.replaced.split())) for edit in edits)
        assert shown == fewest_edits(source.split(), correction.split())

    def test_a_long_hostile_text_is_aligned_like_any_other(self) -> None:
        source, correction = "a b " * 1250, "b a a " * 833
        segments = highlight(source, correction)
        assert source_of(segments) == normalised(source)
        assert correction_of(segments) == normalised(correction)


def test_edits_are_no_more_scattered_than_difflibs(reference_data: Path) -> None:
    """On a real system's outputs: as many unchanged words (to 0.1 %), and no more fragments."""
    outputs = reference_data / "conll14" / "outputs"
    fragments = unchanged = fragments_of_difflib = unchanged_of_difflib = 0
    with (
        (outputs / "INPUT").open(encoding="utf-8") as before,
        (outputs / "CAMB").open(encoding="utf-8") as after,
    ):
        for source, correction in zip(before, after, strict=True):
            segments = highlight(source, correction)
            fragments += sum(segment.kind != "same" for segment in segments)
            unchanged += sum(len(segment.text.split()) for segment in segments if segment.kind == "same")
            matcher = SequenceMatcher(None, source.split(), correction.split(), autojunk=False)
            fragments_of_difflib += sum(tag != "equal" for tag, *_ in matcher.get_opcodes())
            unchanged_of_difflib += sum(block.size for block in matcher.get_matching_blocks())
    assert fragments <= fragments_of_difflib
    assert unchanged == pytest.approx(unchanged_of_difflib, rel=0.001)


def test_labelled_edits_are_highlighted_as_they_are() -> None:
    """Each by itself, where tokens alone give one substitution."""
    source, text = "He like tea in home", "He likes the tea home ."
    edits = [
        LabelledEdit(1, 2, "R:VERB:SVA", "likes"),
        LabelledEdit(2, 2, "M:DET", "the"),
        LabelledEdit(3, 4, "U:PREP", ""),
        LabelledEdit(5, 5, "M:PUNCT", "."),
    ]
    assert highlight_labelled(source, text, edits) == (
        same("He"),
        Segment("substitute", "likes", "like", "R:VERB:SVA"),
        Segment("insert", "the", "", "M:DET"),
        same("tea"),
        Segment("delete", "in", "", "U:PREP"),
        same("home"),
        Segment("insert", ".", "", "M:PUNCT"),
    )


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [LabelledEdit(1, 2, "R:VERB", "went")],
        [LabelledEdit(1, 2, "R:VERB", "goes"), LabelledEdit(0, 1, "R:PRON", "She")],
        [LabelledEdit(7, 9, "R:VERB", "goes")],
    ],
)
def test_edits_that_lead_elsewhere_are_not_shown(edits: list[LabelledEdit]) -> None:
    assert highlight_labelled("He go .", "He goes .", edits) == highlight("He go .", "He goes .")


def test_an_unchanged_text_needs_no_edits() -> None:
    assert highlight_labelled("It is .", " It  is .", []) == (same("It is ."),)


def written(segments: tuple[Segment, ...], *, shows_deleted: bool) -> str:
    """The segments as a page has them; without what is deleted, as it is read once edits are hidden."""
    text = ""
    for segment in segments:
        text += "" if segment.is_glued or not text else " "
        text += segment.text if segment.kind != "delete" or shows_deleted else ""
    return " ".join(text.split())


TOKENS = st.lists(st.sampled_from(["a", "do", "n't", ",", ".", "(", ")", '"', "'s", "5", "%"]), max_size=9)


@pytest.mark.parametrize(
    ("source", "correction", "shown", "hidden"),
    [
        ("I do n't know .", "I do know !", "I don't know!", "I do know!"),
        ("Tom , she .", "Tom she .", "Tom, she.", "Tom she."),
        ("Tom she .", "Tom , she .", "Tom, she.", "Tom, she."),
        ("It ( he ) .", "It he .", "It (he).", "It he."),
        ("It is 20 , % .", "It is 20 % .", "It is 20, %.", "It is 20%."),
        ("It is ( a ) .", "It is ( ) .", "It is (a).", "It is ()."),
        ("He is .", "He is", "He is.", "He is"),
        ("( he is .", "he is .", "(he is.", "he is."),
    ],
)
def test_natural_text_with_and_without_what_is_deleted(
    source: str, correction: str, shown: str, hidden: str
) -> None:
    segments = highlight(source, correction, TextRules.ENGLISH)
    assert written(segments, shows_deleted=True) == shown
    assert written(segments, shows_deleted=False) == hidden


@given(TOKENS, TOKENS, st.sampled_from(list(TextRules)))
def test_a_correction_reads_as_its_natural_text_once_edits_are_hidden(
    source: list[str], correction: list[str], rules: TextRules
) -> None:
    segments = highlight(" ".join(source), " ".join(correction), rules)
    assert written(segments, shows_deleted=False) == natural(correction, rules)
    tokens = [(segment.kind, segment.text.replace(" ", "")) for segment in segments]
    as_stored = highlight(" ".join(source), " ".join(correction))
    assert tokens == [(segment.kind, segment.text.replace(" ", "")) for segment in as_stored]


def test_labelled_edits_of_natural_text() -> None:
    edits = [
        LabelledEdit(2, 3, "R:ADV", "not"),
        LabelledEdit(4, 5, "U:PUNCT", ""),
        LabelledEdit(5, 5, "M:PUNCT", "!"),
    ]
    segments = highlight_labelled("I do n't know .", "I do not know !", edits, TextRules.ENGLISH)
    assert written(segments, shows_deleted=False) == "I do not know!"
    assert [segment.label for segment in segments if segment.label] == ["R:ADV", "U:PUNCT", "M:PUNCT"]


@pytest.mark.parametrize(
    ("source", "correction"),
    [
        ("我昨天去看电影和朋友了。", "我昨天和朋友去看电影了。"),
        ("他在JR站等我。", "他在JR站等了我。"),
        ("ผมไปโรงเรียน", "ผมได้ไปโรงเรียน"),
    ],
)
def test_running_text_without_blanks_is_compared_by_character(source: str, correction: str) -> None:
    segments = highlight(source, correction)
    assert all(segment.is_glued for segment in segments[1:])
    assert "".join(segment.text for segment in segments if segment.kind != "delete") == correction
    kept = "".join(segment.replaced or segment.text for segment in segments if segment.kind != "insert")
    assert kept == source
    assert sum(len(segment.text) for segment in segments if segment.kind == "same") > len(correction) / 2
