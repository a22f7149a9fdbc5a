"""Ratings of essays, system by system: as scales, by position in misspelt lines, and errors by line."""

import pytest

from formats import FormatError, read_judgments
from formats.digests import text_digest
from formats.essay_ratings import read_essay_ratings
from formats.snapshot.resolution import resolve
from tests.formats.conftest import Write

RATINGS = """#ORIGINAL
Grammaticality: 3 Fluency: 2
Grammaticlaity: 1 Fluency: 4\x20
#UAM-CSI-MIN
Grammaticality: 3 Fluency: 2
Grammaticality: 4 Fluency: 4
"""


def test_points_are_read_by_position_and_scales_have_the_usual_spelling(write: Write) -> None:
    ratings = read_essay_ratings(write(RATINGS))
    assert ratings.scales == ("Grammaticality", "Fluency")
    assert ratings.points == {"ORIGINAL": ((3, 2), (1, 4)), "UAM-CSI-MIN": ((3, 2), (4, 4))}
    assert ratings.misspelt == (3,)


def test_an_essay_is_judged_with_all_its_outputs_on_both_scales(write: Write) -> None:
    path = write(RATINGS.replace("\n", "\r\n"))
    file = read_judgments(path)
    assert (file.format, file.first_sentence) == ("essay-ratings", 0)
    first, second = resolve(file, path)
    assert (first.protocol, first.sentence, second.sentence, second.line) == ("scales", 0, 1, 3)
    assert [(rating.systems, rating.score, rating.rating_details) for rating in second.current.ratings] == [
        (("ORIGINAL",), 50, {"Grammaticality": 1, "Fluency": 4}),
        (("UAM-CSI-MIN",), 100, {"Grammaticality": 4, "Fluency": 4}),
    ]


def test_systems_with_the_same_text_are_one_output_if_their_points_are_the_same(write: Write) -> None:
    path = write(RATINGS)
    file = read_judgments(path)
    texts = {0: {"ORIGINAL": "a", "UAM-CSI-MIN": "a"}, 1: {"ORIGINAL": "b", "UAM-CSI-MIN": "c"}}
    first, second = resolve(file, path, texts=texts)
    [rating] = first.current.ratings
    assert (rating.output, rating.systems) == (text_digest("a"), ("ORIGINAL", "UAM-CSI-MIN"))
    assert len(second.current.ratings) == 2
    texts[1]["UAM-CSI-MIN"] = "b"
    with pytest.raises(
        FormatError, match=r":3: ORIGINAL and UAM-CSI-MIN have the same text .* different points"
    ):
        resolve(file, path, texts=texts)
    with pytest.raises(FormatError, match="sentence 1 is not in the corpus"):
        resolve(file, path, texts={0: texts[0]})


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("#ORIGINAL\n", "", ":1: points before the first system"),
        ("Fluency: 4 \n", "Fluency: 5\n", ":3: 5 is not a point from 1 to 4"),
        ("Grammaticlaity: 1 Fluency: 4 ", "G: 1", ":3: 'G: 1' is neither a system"),
        ("Grammaticlaity: 1 Fluency: 4 ", "", ":3: '' is neither"),
        ("#UAM-CSI-MIN", "#ORIGINAL", ":4: system ORIGINAL twice, first in line 1"),
        ("#UAM-CSI-MIN", "#A B", ":4: bad system name 'A B'"),
        ("Grammaticality: 4 Fluency: 4\n", "", ":4: 1 essays of system UAM-CSI-MIN, but 2 of ORIGINAL"),
        ("#UAM", "#EMPTY\n#UAM", ":4: no essay of system EMPTY is rated"),
        ("Fluency", "Grammaticality", ": both scales are named Grammaticality"),
    ],
)
def test_faults_name_line_and_cause(write: Write, old: str, new: str, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        read_essay_ratings(write(RATINGS.replace(old, new)))
