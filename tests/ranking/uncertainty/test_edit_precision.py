"""Precision of edits as people see it, on verdicts that are small enough to compute by hand."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ranking import Level, agreement_over, krippendorff_alpha
from ranking.judgments.edit_verdicts import edit_units, edit_verdicts
from ranking.judgments.snapshot import SnapshotError
from ranking.uncertainty.edit_precision import (
    counted_edits,
    counts_of,
    precision_replicates,
    precision_standings,
)


def edit(start: int, verdict: str, kind: str = "", **more: int) -> dict[str, Any]:
    of_type = {"type": kind} if kind else {}
    return {"start": start, "end": start + 1, "replacement": "x", "verdict": verdict, **of_type, **more}


def rating(annotator: str, sentence: int, systems: str, *edits: dict[str, Any]) -> dict[str, Any]:
    names = tuple(systems.split())
    return {
        "judgment": f"{annotator} {sentence} {systems}",
        "annotator": annotator,
        "sentence": sentence,
        "output": f"{sentence} {systems}",
        "systems": names,
        "rating_details": json.dumps({"edits": edits, "extractor": "words"}, sort_keys=True)
        if edits
        else None,
    }


SNAPSHOT = pd.DataFrame(
    [
        rating("anna", 0, "A", edit(0, "accepted", "R:VERB"), edit(5, "rejected")),
        rating("ben", 0, "A", edit(0, "rejected", "R:VERB"), edit(5, "cannot-say")),
        rating("anna", 0, "B C", edit(0, "accepted", "R:VERB")),
        rating("anna", 1, "B", edit(2, "accepted", question=0), edit(9, "accepted", question=0)),
        rating("ben", 1, "B", edit(2, "accepted", question=0), edit(9, "accepted", question=0)),
        rating("ben", 2, "C", edit(7, "cannot-say")),
        rating("ben", 3, "C"),
    ]
)
ROWS = edit_verdicts(SNAPSHOT)


def test_each_verdict_is_a_row() -> None:
    assert len(ROWS) == 10
    assert ROWS["unit"].nunique() == 2 + 1 + 2 + 1, "an edit of another output is another one"
    assert ROWS["question"].nunique() == 2 + 1 + 1 + 1, "edits that were judged together have one verdict"
    assert ROWS["type"].tolist()[:2] == ["R:VERB", ""]


def test_ratings_of_other_protocols_have_no_edits() -> None:
    details: list[str | None] = ['{"Fluency":3}', None, '{"edits":3}', '{"edits":[{"start":1}]}', None]
    others = SNAPSHOT.head(5).assign(rating_details=pd.Series(details, dtype="object"))
    rows = edit_verdicts(others)
    assert rows.empty
    assert counts_of(rows).precision is None
    assert counted_edits(rows, "systems") == {}
    assert precision_replicates(rows, "systems", replicates=3, seed=0).systems == ()


def test_a_column_may_lack() -> None:
    with pytest.raises(SnapshotError, match="lacks the columns: systems"):
        edit_verdicts(SNAPSHOT.drop(columns="systems"))


def test_precision_is_a_mean_over_edits_of_the_share_of_annotators() -> None:
    counts = counted_edits(ROWS, "systems")
    assert {name: each.precision for name, each in counts.items()} == {
        "A": pytest.approx((1 / 2 + 0) / 2),
        "B": 1.0,
        "C": 1.0,
    }
    of_a = counts["A"]
    assert (of_a.edits, of_a.outputs, of_a.accepted, of_a.rejected, of_a.cannot_say) == (2, 1, 1, 2, 1)
    assert counts_of(ROWS).precision == pytest.approx((1 / 2 + 0 + 1 + 1 + 1) / 5)
    assert counted_edits(ROWS, "type")["R:VERB"].precision == pytest.approx(3 / 4)


def test_an_edit_that_nobody_decided_has_no_precision() -> None:
    unsure = ROWS[ROWS["sentence"] == 2]
    assert counts_of(unsure).reason == "no edit of it was accepted or rejected"
    [standing] = precision_standings(unsure, replicates=200).systems
    assert (standing.score, standing.reason) == (None, "no edit of it was accepted or rejected")


def test_agreement_is_over_questions() -> None:
    units = edit_units(ROWS)
    agreed = agreement_over(units)
    assert agreed.inter_pooled.n == 3
    assert agreed.inter_pooled.observed == pytest.approx(1 / 3)
    alpha = krippendorff_alpha(units.pair, units.annotator, units.outcome, Level.NOMINAL)
    assert alpha.units == 3
    alone = agreement_over(edit_units(ROWS[ROWS["annotator"] == "anna"]), unit="an edit")
    assert alone.inter_pooled.reason == "no two annotators judged the same edit"
    assert alone.rest["anna"].reason == "nobody else judged an edit that anna judged"


def many(sentences: int, **shares: float) -> pd.DataFrame:
    """Verdicts of one annotator on an edit of each system in each sentence, accepted with these chances."""
    rng = np.random.default_rng(5)
    return edit_verdicts(
        pd.DataFrame(
            [
                rating("anna", sentence, name, edit(0, "accepted" if rng.random() < share else "rejected"))
                for sentence in range(sentences)
                for name, share in shares.items()
            ]
        )
    )


def test_systems_that_differ_are_in_clusters() -> None:
    standings = precision_standings(many(300, A=0.9, B=0.5, C=0.48), replicates=1000)
    assert (standings.systems[0].system, standings.systems[0].cluster) == ("A", 1)
    assert {row.cluster for row in standings.systems[1:]} == {2}
    first = standings.systems[0]
    assert first.score_low is not None
    assert first.score_high is not None
    assert first.score_low < 0.9 < first.score_high


def test_intervals_hold_the_true_share_as_often_as_they_say() -> None:
    held = 0
    rng = np.random.default_rng(1)
    for run in range(60):
        rows = edit_verdicts(
            pd.DataFrame(
                [
                    rating(
                        "anna",
                        sentence,
                        "A",
                        *(
                            edit(place, "accepted" if rng.random() < 0.7 else "rejected")
                            for place in range(3)
                        ),
                    )
                    for sentence in range(60)
                ]
            )
        )
        interval = precision_replicates(rows, "systems", replicates=300, seed=run).intervals(0.95)["A"]
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= 0.7 <= interval.high
    assert held >= 52


def test_the_same_seed_draws_the_same() -> None:
    rows = many(20, A=0.6)
    one, again, other = (
        precision_replicates(rows, "systems", replicates=150, seed=seed).scores for seed in (1, 1, 2)
    )
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
