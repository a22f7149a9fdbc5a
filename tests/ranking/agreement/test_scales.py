"""Points on scales: as numbers, as scores, and how far annotators agree on them."""

import json

import numpy as np
import pandas as pd
import pytest

from ranking import (
    Level,
    SnapshotError,
    agreement_on_scales,
    by_scale,
    krippendorff_alpha,
    scale_values,
    scales_compared,
    system_means,
)

Points = dict[str, int | None]


def frame(*rows: tuple[str, int, str, Points | None]) -> pd.DataFrame:
    """Ratings of one output each: annotator, sentence, system, points."""
    return pd.DataFrame(
        [
            {
                "judgment": f"j{number}",
                "annotator": annotator,
                "sentence": sentence,
                "output": f"{system}{sentence}",
                "systems": (system,),
                "rank": None,
                "score": 50,
                "rating_details": None if points is None else json.dumps(points),
            }
            for number, (annotator, sentence, system, points) in enumerate(rows)
        ]
    )


RATED = frame(
    ("anna", 0, "A", {"Fluency": 1, "Meaning": 4}),
    ("ben", 0, "A", {"Fluency": 2, "Meaning": 4}),
    ("anna", 1, "A", {"Fluency": 4, "Meaning": None}),
    ("ben", 1, "A", {"Fluency": 4, "Meaning": 3}),
    ("anna", 0, "B", {"Fluency": 3, "Meaning": 1}),
    ("ben", 0, "B", {"Fluency": 3, "Meaning": 1, "Note": 1}),
    ("ben", 2, "B", None),
)


def test_points_are_columns_of_numbers() -> None:
    values = scale_values(RATED)
    assert list(values) == ["Fluency", "Meaning", "Note"]
    assert values["Fluency"].tolist()[:6] == [1, 2, 4, 4, 3, 3]
    assert np.isnan(values["Meaning"].to_numpy()[[2, 6]]).all()
    assert values.index.equals(RATED.index)


@pytest.mark.parametrize("odd", [{"Flag": True}, {"Words": "3"}, {"Spans": [1, 2]}, {}])
def test_only_whole_numbers_are_points(odd: Points) -> None:
    assert list(scale_values(frame(("anna", 0, "A", odd)))) == []


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ({"Fluency": 2**53 - 1}, "the point 9007199254740991 on the scale Fluency is beyond 32,767"),
        ({f"Scale {number}": 1 for number in range(51)}, "points on 51 scales, at most 50 are compared"),
    ],
)
def test_what_no_campaign_asks_for_is_named(points: Points, fault: str) -> None:
    with pytest.raises(SnapshotError, match=fault):
        scale_values(frame(("anna", 0, "A", points)))


def test_the_points_on_a_scale_are_scores() -> None:
    scores = {mean.system: mean.score for mean in system_means(by_scale(RATED, "Meaning"))}
    assert scores == {"A": (4 + 3) / 2, "B": 1}
    assert by_scale(RATED, "Style")["score"].isna().all()


def test_agreement_is_that_of_annotators_of_one_output() -> None:
    fluency, meaning, note = agreement_on_scales(RATED)
    assert (fluency.ratings, fluency.missing, fluency.pairs, fluency.equal) == (6, 0, 3, 2 / 3)
    assert (meaning.ratings, meaning.missing, meaning.pairs, meaning.equal) == (5, 1, 2, 1.0)
    assert fluency.mean == pytest.approx(17 / 6)
    assert fluency.highest_share == pytest.approx(1 / 3)
    units, annotators = [0, 0, 1, 1, 2, 2], [0, 1] * 3
    expected = krippendorff_alpha(units, annotators, [1, 2, 4, 4, 3, 3], Level.ORDINAL)
    assert fluency.ordinal == expected
    assert (note.ordinal.value, note.equal) == (None, None)


def test_a_repeat_is_no_agreement_with_somebody_else() -> None:
    repeated = pd.concat([RATED, frame(("anna", 0, "A", {"Fluency": 2}))], ignore_index=True)
    fluency, *_ = agreement_on_scales(repeated)
    assert (fluency.ratings, fluency.pairs, fluency.equal) == (7, 3, 1.0), "the last answer counts"


def test_scales_are_compared_over_outputs() -> None:
    pair, *_ = scales_compared(RATED)
    assert (pair.first, pair.second, pair.pearson.n) == ("Fluency", "Meaning", 3)
    assert pair.pearson.value == pytest.approx(np.corrcoef([1.5, 4, 3], [4, 3, 1])[0, 1])


def test_nothing_on_scales_is_no_error() -> None:
    nothing = frame(("anna", 0, "A", None))
    assert agreement_on_scales(nothing) == ()
    assert list(scales_compared(nothing)) == []
