"""The JSON of a snapshot written in pieces equals that of pandas, byte for byte."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.snapshot import snapshot_json
from formats.snapshot.snapshot_json import json_pieces
from tests.ranking.frames import few_examples

VALUES = {
    "category": st.none() | st.text(st.characters(codec="utf-8"), max_size=5),
    "str": st.none() | st.sampled_from(['"', '","', "\\", "/", "\x7f", "\x1f", "plain", "ä", "😀", ""]),
    "object": st.lists(st.sampled_from(["A", "B+", 'a"b', "é"]), max_size=3).map(tuple),
    "int32": st.integers(-(2**31), 2**31 - 1),
    "Int64": st.none() | st.integers(-(2**63), 2**63 - 1),
    "boolean": st.none() | st.booleans(),
    "float64": st.none() | st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9),
    "datetime64[us, UTC]": st.none() | st.datetimes(pd.Timestamp(1971, 1, 1), pd.Timestamp(2200, 1, 1)),
}


def _column(values: list[Any], dtype: str) -> "pd.Series[Any]":
    if dtype == "category":
        return pd.Series(pd.Categorical(pd.Series(values, dtype="str")))
    if dtype.startswith("datetime"):
        return pd.Series(pd.to_datetime(values, utc=True)).dt.as_unit("us")
    column: pd.Series[Any] = pd.Series(values, dtype=dtype)
    return column


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    """Columns of all kinds, some of whose rows are left out."""
    rows = draw(st.lists(st.tuples(*VALUES.values()), max_size=9))
    columns = list(zip(*rows, strict=True)) or [()] * len(VALUES)
    frame = pd.DataFrame(
        {dtype: _column(list(values), dtype) for dtype, values in zip(VALUES, columns, strict=True)}
    )
    return frame[draw(st.lists(st.booleans(), min_size=len(frame), max_size=len(frame)))]


@few_examples
@given(frame=frames())
def test_the_pieces_are_the_json_of_pandas(frame: pd.DataFrame) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot_json, "ROWS_PER_PIECE", 4)
        pieces = b"".join(json_pieces(frame))
    assert pieces == frame.to_json(orient="split", date_format="iso", date_unit="us").encode()
