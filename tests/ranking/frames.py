"""Snapshots for the tests: written by hand in a short notation, or drawn by hypothesis."""

from collections.abc import Mapping
from itertools import groupby

import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

from tests.depth import examples

SYSTEMS = ("A", "B", "C", "D", "E")
Judgment = tuple[str, int, str]

few_examples = settings(max_examples=examples(25))
"""For properties whose examples take tens of milliseconds each, and more on a busy machine."""


def snapshot(*judgments: Judgment) -> pd.DataFrame:
    """A snapshot of judgments (annotator, sentence, ranking).

    "A B > C = D" ranks the common output of A and B before those of C and D, which tie; "" is an empty
    judgment.
    """
    rows = []
    for number, (annotator, sentence, ranking) in enumerate(judgments):
        judgment = {"judgment": f"judgment {number}", "annotator": annotator, "sentence": sentence}
        if not ranking:
            rows.append({**judgment, "output": None, "systems": (), "rank": None})
        for rank, tied in enumerate(ranking.split(">") if ranking else [], start=1):
            for output in tied.split("="):
                systems = tuple(output.split())
                rows.append({**judgment, "output": "+".join(systems), "systems": systems, "rank": rank})
    return frame(rows)


def frame(rows: list[dict[str, object]]) -> pd.DataFrame:
    columns = ["judgment", "annotator", "sentence", "output", "systems", "rank"]
    return pd.DataFrame(rows, columns=columns).astype({"sentence": "int64", "rank": "Int64"})


def rename_systems(judged: pd.DataFrame, renamed: Mapping[str, str]) -> pd.DataFrame:
    return judged.assign(
        systems=judged["systems"].map(lambda systems: tuple(sorted(renamed[system] for system in systems)))
    )


@st.composite
def snapshots(draw: st.DrawFn) -> pd.DataFrame:
    """Up to three judges on up to two sentences, outputs collapsed at random, some of them ranked."""
    collapsed = st.lists(st.integers(0, 3), min_size=len(SYSTEMS), max_size=len(SYSTEMS))
    texts = draw(st.lists(collapsed, min_size=1, max_size=2))
    rank = st.none() | st.integers(1, 3)
    judgment = st.tuples(
        st.sampled_from(["anna", "ben", "cleo"]),
        st.integers(0, len(texts) - 1),
        st.lists(rank, min_size=4, max_size=4),
    )
    rows = []
    for number, (annotator, sentence, ranks) in enumerate(draw(st.lists(judgment, max_size=8))):
        names = {"judgment": f"judgment {number}", "annotator": annotator, "sentence": sentence}
        by_text = sorted(zip(texts[sentence], SYSTEMS, strict=True))
        for text, members in groupby(by_text, key=lambda member: member[0]):
            systems = tuple(system for _, system in members)
            rows.append({**names, "output": str(text), "systems": systems, "rank": ranks[text]})
    return frame(rows)
