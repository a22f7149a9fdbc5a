"""Tokens joined into running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.english.detokenise import BRACKETS, QUOTES, detokenise
from tests.metrics.reference_data import CoNLL14

TOKENS = st.sampled_from(
    ["a", "b's", "cats", ",", ".", "(", ")", '"', "'", "``", "''", "n't", "'s", "$", "-", "“", "”"]
)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("", ""),
        ("A cat sits .", "A cat sits."),
        ("`` I do n't ( know ) , '' he said .", '"I don\'t (know)," he said.'),
        ('He said : " It \'s 50 % of $ 20 . "', 'He said: "It\'s 50% of $20."'),
        ("the students ' ' good ' books", "the students' 'good' books"),
        ("in being 'allowed ' to tell", "in being 'allowed' to tell"),
        ("a “ b ” and ‘ c ’ ; d ’s", "a “b” and ‘c’; d’s"),
        ("-LRB- a -RRB- and / or -- no ...", "(a) and / or -- no..."),
        ('" a " b " c', '"a" b "c'),
    ],
)
def test_running_text(tokens: str, text: str) -> None:
    assert detokenise(tokens) == text


@given(tokens=st.lists(st.one_of(TOKENS, st.text("aé'\".😀", min_size=1, max_size=3)), max_size=12))
def test_nothing_but_blanks_is_lost(tokens: list[str]) -> None:
    shown = "".join(BRACKETS.get(token, QUOTES.get(token, token)) for token in tokens)
    assert detokenise(" ".join(tokens)).replace(" ", "") == shown


def test_no_blank_before_punctuation_in_real_sentences(conll14: CoNLL14) -> None:
    """But for two tokens that were not split: ",they" and ",all"."""
    texts = [detokenise(text) for text in conll14.outputs("INPUT")]
    blanks = [text for text in texts if " ," in text or " ;" in text or "( " in text or text.endswith(" .")]
    assert len(blanks) == 2
    assert " ,they" in blanks[0]
    assert " ,all" in blanks[1]
