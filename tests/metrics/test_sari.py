"""SARI and MAX-SARI: values of the authors' script, and a plain implementation of its algorithm."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import EvaluationSet, metric_from_text, score

SENTENCES = st.lists(st.sampled_from("aBc"), max_size=7).map(" ".join)
SPECIES = EvaluationSet(
    sources=("About 95 species are currently accepted .",),
    references=(
        (
            "About 95 species are currently known .",
            "About 95 species are now accepted .",
            "95 species are now accepted .",
        ),
    ),
)


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("About 95 you now get in .", 0.2682782),
        ("About 95 species are now agreed .", 0.5889995),
        ("About 95 species are currently agreed .", 0.5071609),
    ],
)
def test_values_of_the_authors_script(output: str, value: float) -> None:
    """Values have as many digits as the script prints."""
    assert score(metric_from_text("sari"), SPECIES, {"x": [output]}).corpus("x").value == pytest.approx(
        value, abs=5e-8
    )


def plain_sari(source: str, output: str, references: list[str]) -> float:
    """The mean over orders of F of kept, precision of deleted and F of added n-grams (Xu et al. 2016)."""

    def ngrams(text: str, order: int) -> Counter[tuple[str, ...]]:
        words = text.lower().split()
        return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))

    def share(part: Counter[tuple[str, ...]], whole: Counter[tuple[str, ...]]) -> float:
        return sum(part[each] / whole[each] for each in part) / len(whole) if whole else 0

    def f1(precision: float, recall: float) -> float:
        return 2 * precision * recall / (precision + recall) if precision + recall else 0

    parts = []
    for order in range(1, 5):
        wanted = sum((ngrams(text, order) for text in references), Counter[tuple[str, ...]]())
        before, after = (
            Counter({each: len(references) * count for each, count in ngrams(text, order).items()})
            for text in (source, output)
        )
        kept, keepable, deleted = before & after, before & wanted, before - after
        added, addable = set(after) - set(before), set(wanted) - set(before)
        good = len(added & set(wanted))
        parts += [
            f1(share(kept & wanted, kept), share(kept & wanted, keepable)),
            share(deleted - wanted, deleted),
            f1(good / max(1, len(added)), good / max(1, len(addable))),
        ]
    return float(np.mean(parts))


@given(source=SENTENCES, output=SENTENCES, references=st.lists(SENTENCES, min_size=1, max_size=3))
def test_sari_equals_the_plain_algorithm(source: str, output: str, references: list[str]) -> None:
    data = EvaluationSet((source,), (tuple(references),))
    sari = score(metric_from_text("sari"), data, {"x": [output]}).sentences("x")[0]
    assert sari == pytest.approx(plain_sari(source, output, references), abs=1e-12)
    max_sari = score(metric_from_text("max-sari"), data, {"x": [output]}).sentences("x")[0]
    assert max_sari == pytest.approx(
        max(plain_sari(source, output, [each]) for each in references), abs=1e-12
    )


def test_case_does_not_count() -> None:
    data = EvaluationSet(("a b c",), (("a x c",),))
    scored = score(metric_from_text("sari"), data, {"one": ["a x c"], "other": ["A X c"]})
    assert scored.corpus("one").value == scored.corpus("other").value
    assert "|case:lower|" in scored.signature
