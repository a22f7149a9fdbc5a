"""The JSON of a snapshot, piece by piece: byte for byte that of pandas, in bounded memory. Pure.

`DataFrame.to_json` holds the whole text, which is 1.5 GB for five million ratings, and calls Python for each
value. Here every distinct string is encoded once, and Arrow joins the values of a piece of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.later import pa, pc, pd

ROWS_PER_PIECE = 50_000

_SPECIAL = r"[^ !#-.0-\[\]-~]"
"""Characters that are escaped: quotes, slashes, control characters, and all outside ASCII."""

Texts: TypeAlias = "Callable[[slice], pa.Array]"
"""The JSON of the values in some rows of a column."""


def json_pieces(frame: pd.DataFrame) -> Iterator[bytes]:
    """The pieces of `frame.to_json(orient="split", date_format="iso", date_unit="us")`, in UTF-8.

    The columns are strings, categories of strings, numbers, flags, times in UTC or tuples of strings; the
    index holds integers.
    """
    return json_of_parts(list(frame.columns), frame.index, [frame])


def json_of_parts(
    columns: Sequence[str], index: pd.Index[int], parts: Iterable[pd.DataFrame]
) -> Iterator[bytes]:
    """The pieces of the JSON of a frame that is given in parts (see `json_pieces`).

    Args:
        columns: of the frame; the parts may have more.
        index: of the frame; that of the parts does not count.
        parts: its rows in order.
    """
    names = pd.Series(list(columns), dtype="str").to_json(orient="records")
    yield f'{{"columns":{names},"index":['.encode()
    numbers = pa.array(index)
    yield from _joined(lambda rows: numbers[rows].cast(pa.large_string()), len(index), ",")
    yield b'],"data":['
    yield b"[" if len(index) else b""
    separator = b""
    for part in parts:
        if len(part):
            yield separator
            yield from _joined_rows(part[list(columns)])
            separator = b"],["
    yield b"]]}" if len(index) else b"]}"


def _joined_rows(frame: pd.DataFrame) -> Iterator[bytes]:
    """The values of the rows, without the brackets at the beginning and the end."""
    columns = [_texts(column) for _, column in frame.items()]
    comma = pa.scalar(",", pa.large_string())
    return _joined(
        lambda rows: pc.binary_join_element_wise(*(texts(rows) for texts in columns), comma),
        len(frame),
        "],[",
    )


def _joined(texts: Texts, number: int, separator: str) -> Iterator[bytes]:
    """The texts of so many rows with the separator between them."""
    for start in range(0, number, ROWS_PER_PIECE):
        piece = texts(slice(start, min(start + ROWS_PER_PIECE, number)))
        yield ((separator if start else "") + separator.join(piece.to_pylist())).encode()


def _texts(column: pd.Series[Any]) -> Texts:
    """How to come by the JSON of a column's values."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _taken(_encoded(column.cat.categories), column.cat.codes.to_numpy())
    if column.dtype == "str":
        codes, strings = pd.factorize(column)
        return _taken(_encoded(strings), codes)
    if column.dtype == "object":
        codes, lists = pd.factorize(column.to_numpy())
        texts = [f"[{','.join(_encoded(pd.Index(names, dtype='str')).to_pylist())}]" for names in lists]
        return _taken(pa.array(texts, pa.large_string()), codes)
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return lambda rows: _times(column.iloc[rows])
    if pd.api.types.is_float_dtype(column.dtype):
        return lambda rows: pa.array(
            column.iloc[rows].to_json(orient="records")[1:-1].split(","), pa.large_string()
        )
    return lambda rows: _or_null(pa.array(column.iloc[rows]).cast(pa.large_string()))


def _taken(distinct: pa.LargeStringArray, codes: NDArray[np.integer]) -> Texts:
    texts = pa.concat_arrays([distinct, pa.array(["null"], pa.large_string())])
    return lambda rows: texts.take(pa.array(np.where(codes[rows] < 0, len(distinct), codes[rows])))


def _times(times: pd.Series[Any]) -> pa.LargeStringArray:
    """Times in UTC; that of a judgment stands in many rows, and is formatted once."""
    codes, distinct = pd.factorize(times)
    texts = pc.strftime(pa.array(distinct), format='"%Y-%m-%dT%H:%M:%SZ"')
    return _taken(texts.cast(pa.large_string()), codes)(slice(None))


def _or_null(texts: pa.Array) -> pa.Array:
    return pc.fill_null(texts, "null")


def _encoded(strings: pd.Index[str]) -> pa.LargeStringArray:
    """Each string as JSON."""
    plain = pa.array(strings, pa.large_string())
    if isinstance(plain, pa.ChunkedArray):
        plain = plain.combine_chunks()
    quote, nothing = (pa.scalar(text, pa.large_string()) for text in ('"', ""))
    quoted = pc.binary_join_element_wise(quote, plain, quote, nothing)
    special = pc.match_substring_regex(plain, _SPECIAL)
    if pc.any(special).as_py():
        together = strings[special.to_numpy(zero_copy_only=False)].to_series().to_json(orient="records")
        # Quotes within strings are escaped, so these three characters stand between strings alone.
        escaped = [f'"{text}"' for text in together[2:-2].split('","')]
        quoted = pc.replace_with_mask(quoted, special, pa.array(escaped, pa.large_string()))
    return quoted
