"""Practice items: how they are written within the guidelines, and what is refused."""

import pytest

from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, RatingValue, RelativeRanking
from annotate.web.markdown import render_markdown

GUIDELINES = """# Rank

```practice
She go to school every days .
1 | She goes to school every day .
2 | She goes to school every days .
2 | She go to school every day .

Each of the *two* below mends one error of two.
```

Then begin.
"""
RANKING = RelativeRanking()


def test_a_block_is_a_source_its_rated_corrections_and_why() -> None:
    [item] = practice_items(GUIDELINES, RANKING)
    assert item.block.source == "She go to school every days ."
    assert item.block.corrections[0] == "She goes to school every day ."
    assert item.expected.ratings == (RatingValue(rank=1), RatingValue(rank=2), RatingValue(rank=2))
    assert item.block.why == "Each of the *two* below mends one error of two."


def test_other_code_is_no_practice() -> None:
    assert practice_items("```\nHe go .\n```\n\n    indented", RANKING) == ()


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("", "write the source in its first line"),
        ("He go .", "write the source in its first line"),
        ("He go .\n1 | He goes .", "write the source in its first line"),
        ("He go .\n1 | He goes .\nHe went .", "write the source in its first line"),
        ("1 | He goes .\n2 | He went .", "write the source in its first line"),
        ("He go .\n1 | He goes .\n3 | He went .", "“3” is not a rank from 1 to 2"),
        ("He go .\n1 | He goes .\nbest | He went .", "“best” is not a rank from 1 to 2"),
        ("He go .\n" + "1 | He goes .\n" * 10, "room for only 9 corrections"),
    ],
)
def test_invalid_practice_items_are_refused_by_line(block: str, reason: str) -> None:
    with pytest.raises(PracticeError, match=r"line 3 of the guidelines") as fault:
        practice_items(f"# Rank\n\n```practice\n{block}\n```\n", RANKING)
    assert reason in str(fault.value)


def test_only_the_order_counts() -> None:
    expected = ranked(1, 2, 2)
    assert RANKING.agree(ranked(2, 3, 3), expected)
    assert not RANKING.agree(ranked(1, 2, 3), expected)


def ranked(*ranks: int) -> Answer:
    return Answer(tuple(RatingValue(rank=rank) for rank in ranks))


def test_beside_the_screen_it_is_a_table_of_marked_corrections() -> None:
    html = render_markdown(GUIDELINES.replace("every days .\n", "every <days> .\n", 1))
    assert '<p class="source" dir="auto">She go to school every &lt;days&gt; .</p>' in html
    assert "goes" in html
    assert "<ins" in html
    assert "<em>two</em>" in html
