"""Judgments of several campaigns that count as one sample of all their systems.

A campaign about systems that joined later asks only where they differ from the others. The outputs that it
leaves out were judged before, as outputs of others. So each output counts for all systems that wrote it, and
comparisons are weighted by propensities of all campaigns together (`ranking.judgments.propensities`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.arrays import FloatArray
from core.later import pd

COLUMNS = ("campaign", "judgment", "sentence", "output", "systems", "propensities")
"""The columns that are read or changed."""

Screen = tuple[int, tuple[str, ...]]
"""A sentence, and its sorted outputs that one judgment is about."""


def as_one_sample(
    snapshot: pd.DataFrame,
    *,
    name: str,
    systems: Mapping[tuple[int, str], Sequence[str]],
    propensities: Callable[[int, Sequence[str]], FloatArray],
) -> pd.DataFrame:
    """The judgments of several campaigns as those of one.

    Args:
        snapshot: the judgments, with `COLUMNS`; all rows of a judgment or none.
        name: of the one campaign.
        systems: all systems that wrote each output, by sentence and output.
        propensities: propensities of the outputs of a screen, shape (k, k).
    """
    sentences = snapshot["sentence"].tolist()
    outputs = snapshot["output"].astype(object).where(snapshot["output"].notna(), None).tolist()
    judgments = snapshot["judgment"].astype(object).tolist()
    named = [
        names if output is None else tuple(sorted({*names, *systems.get((sentence, output), ())}))
        for sentence, output, names in zip(sentences, outputs, snapshot["systems"].tolist(), strict=True)
    ]
    texts = _texts(_screens(judgments, sentences, outputs), propensities)
    stated = [
        None if output is None else texts[judgment]
        for judgment, output in zip(judgments, outputs, strict=True)
    ]
    return snapshot.assign(
        campaign=_like(snapshot["campaign"], [name] * len(snapshot)),
        systems=pd.Series(named, index=snapshot.index, dtype=object),
        propensities=_like(snapshot["propensities"], stated),
    )


def _screens(
    judgments: Iterable[str], sentences: Iterable[int], outputs: Iterable[str | None]
) -> dict[str, Screen]:
    shown: dict[str, tuple[int, list[str]]] = {}
    for judgment, sentence, output in zip(judgments, sentences, outputs, strict=True):
        if output is not None:
            shown.setdefault(judgment, (sentence, []))[1].append(output)
    return {judgment: (sentence, tuple(sorted(keys))) for judgment, (sentence, keys) in shown.items()}


def _texts(
    screens: Mapping[str, Screen], propensities: Callable[[int, Sequence[str]], FloatArray]
) -> dict[str, str]:
    """The propensities of each judgment as JSON."""
    of_screen = {
        (sentence, outputs): json.dumps(
            dict(zip(outputs, propensities(sentence, outputs).tolist(), strict=True)), separators=(",", ":")
        )
        for sentence, outputs in dict.fromkeys(screens.values())
    }
    return {judgment: of_screen[screen] for judgment, screen in screens.items()}


def _like(column: pd.Series[Any], values: Sequence[str | None]) -> pd.Series[Any]:
    """A column of these strings of the same kind, and with its rows."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Series(values, index=column.index, dtype=object)
    known = sorted({value for value in values if value is not None})
    strings = pd.Series(list(values), index=column.index, dtype="str")
    return strings.astype(pd.CategoricalDtype(pd.Index(known, dtype="str")))
