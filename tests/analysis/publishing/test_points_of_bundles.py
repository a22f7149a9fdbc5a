"""Bundles of *Scales* hold the points of ratings, and nothing else of their details."""

import pytest

from analysis.publishing.inputs.judgments import points_alone


@pytest.mark.parametrize(
    ("details", "kept"),
    [
        ('{"Fluency":3,"Meaning":null}', '{"Fluency":3,"Meaning":null}'),
        ('{"comment":"Ann wrote this","Fluency":0}', '{"Fluency":0}'),
        ('{"Fluency":true,"spans":[{"text":"He go"}]}', None),
        ('{"Meaning":null}', '{"Meaning":null}'),
        ("{}", None),
        (None, None),
        (float("nan"), None),
    ],
)
def test_points_stay_and_everything_else_goes(details: object, kept: str | None) -> None:
    assert points_alone(details) == kept
