"""Verdicts on outputs: counts, gold outputs, and agreement against hand-computed figures."""

import pandas as pd
import pytest

from formats.snapshot.snapshots import DTYPES
from ranking import (
    Level,
    SnapshotError,
    agreement_over,
    gold_cases,
    krippendorff_alpha,
    verdict_units,
    verdicts_by_annotator,
    verdicts_by_system,
    verdicts_of_all,
)
from ranking.annotators.quality import control_checks, quality_of_annotators
from ranking.annotators.verdicts import COLUMNS

ROLES = {"INPUT": "source", "BROKEN": "control", "GOLD": "reference", "A": "system"}


def judged(*verdicts: tuple[str, int, str, str | None]) -> pd.DataFrame:
    """A snapshot of verdicts: annotator, sentence, systems of the output, and the word."""
    rows = [
        {
            "judgment": f"judgment {number}",
            "annotator": annotator,
            "sentence": sentence,
            "output": systems,
            "systems": tuple(systems.split()),
            "position": 0,
            "verdict": verdict,
            "active_ms": 5_000,
        }
        for number, (annotator, sentence, systems, verdict) in enumerate(verdicts)
    ]
    columns = [*COLUMNS, "position", "rank", "score", "active_ms"]
    return pd.DataFrame(rows, columns=columns).astype({name: DTYPES[name] for name in columns})


FOUR = judged(
    *(("ann", 0, "A", "yes"), ("ben", 0, "A", "yes")),
    *(("ann", 1, "A", "yes"), ("ben", 1, "A", "no")),
    *(("ann", 2, "A INPUT", "no"), ("ben", 2, "A INPUT", "no")),
    *(("ann", 3, "A", "cannot-say"), ("ben", 3, "A", "no")),
)


def test_kappa_and_alpha_over_outputs() -> None:
    """Two of four agree; 3 yes, 4 no and 1 cannot-say entered."""
    units = verdict_units(FOUR)
    between = agreement_over(units).inter_pooled
    by_chance = (9 + 16 + 1) / 64
    assert (between.n, between.observed) == (4, 0.5)
    assert between.value == pytest.approx((0.5 - by_chance) / (1 - by_chance))
    alpha = krippendorff_alpha(units.pair, units.annotator, units.outcome, Level.NOMINAL)
    disagreement_by_chance = (64 - 26) / (8 * 7)
    assert alpha.value == pytest.approx(1 - 0.5 / disagreement_by_chance)


def test_counts_of_systems_and_annotators() -> None:
    by_system = {counts.of: counts for counts in verdicts_by_system(FOUR)}
    assert (by_system["A"].outputs, by_system["A"].valid, by_system["A"].invalid) == (4, 3, 4)
    assert by_system["A"].share == pytest.approx(3 / 7)
    assert (by_system["INPUT"].outputs, by_system["INPUT"].share) == (1, 0)
    assert [(counts.of, counts.cannot_say) for counts in verdicts_by_annotator(FOUR)] == [
        ("ann", 1),
        ("ben", 0),
    ]
    assert verdicts_of_all(judged()).share is None


def test_other_words_and_judgments_without_an_output_say_nothing() -> None:
    frame = judged(("ann", 0, "A", "fragment"), ("ann", 1, "A", "yes")).assign(
        output=pd.Series(["A", None], dtype="object")
    )
    assert verdicts_of_all(frame).outputs == 0
    with pytest.raises(SnapshotError, match="lacks the columns: verdict"):
        verdicts_of_all(frame.drop(columns="verdict"))


def test_gold_outputs_have_a_right_verdict() -> None:
    frame = judged(
        *(("ann", 0, "GOLD", "yes"), ("ann", 1, "A GOLD", "no"), ("ann", 2, "BROKEN", "no")),
        *(("ann", 3, "BROKEN", "cannot-say"), ("ann", 4, "A BROKEN", "no"), ("ann", 5, "INPUT", "no")),
    )
    assert gold_cases(frame, ROLES)["passed"].tolist() == [True, False, True, False]


def test_the_quality_check_reads_them() -> None:
    verdicts = [("ann", n, "BROKEN", "yes" if n % 2 else "no") for n in range(20)]
    frame = judged(*verdicts, ("ben", 0, "A", "yes"))
    checks = control_checks(frame, ROLES)
    assert (checks["ann"].cases, checks["ann"].passed, checks["ann"].flagged) == (20, 10, True)
    assert (checks["ben"].cases, checks["ben"].flagged) == (0, False)
    ann, ben = quality_of_annotators(frame, ROLES)
    assert (ann.screens, ann.seconds.value, ann.check.words) == (20, 5.0, "right verdict")
    assert (ben.screens, ben.check.reason) == (1, "no output of a control or reference")
