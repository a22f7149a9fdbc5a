"""The protocol of the tests' campaigns, and answers in its terms.

The fixture `protocol` runs a test over all of them, `rating_protocol` over those that rate several outputs;
campaigns made meanwhile are of it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from annotate.design.protocols import (
    PROTOCOLS,
    Answer,
    Correction,
    Edits,
    ErrorSpans,
    Pairs,
    PartialRankingWithScalars,
    RatingValue,
    RelativeRanking,
    Scales,
    Validity,
)

RANKING, SCALARS = RelativeRanking.name, PartialRankingWithScalars.name
VALIDITY, CORRECTION, SCALES = Validity.name, Correction.name, Scales.name
PAIRS, EDITS, ERROR_SPANS = Pairs.name, Edits.name, ErrorSpans.name
RATING = (RANKING, SCALARS)
EACH = (*RATING, VALIDITY, CORRECTION, SCALES, PAIRS, EDITS, ERROR_SPANS)
current = RANKING


def fitting(design: Mapping[str, Any], protocol: str = "") -> dict[str, Any]:
    """The design with as many outputs on a screen as the protocol can show, if it has none of its own."""
    asked_by = PROTOCOLS[protocol or current]
    wanted = design.get("outputs_per_screen", min(5, asked_by.most_outputs))
    outputs = wanted if protocol else min(max(wanted, asked_by.least_outputs), asked_by.most_outputs)
    return {**design, "outputs_per_screen": outputs}


def said(ranks: Sequence[int], outputs: int) -> Answer:
    """The answer of an annotator who ranks so many outputs like this, from 1 to 9.

    By other protocols, answers differ if the first rank does.
    """
    if current == VALIDITY:
        return Answer((RatingValue(),), verdict=("cannot-say", "yes", "no")[ranks[0] % 3])
    if current == CORRECTION:
        texts = (f"Of rank {ranks[0]} .",)
        return Answer(texts=texts, verdict="corrected", details={"instruction": "fluency"})
    if current == PAIRS and outputs == 2:
        first, second = ranks[:2]
        ranks = (1, 1) if first == second else (1, 2) if first < second else (2, 1)
    if current == EDITS:
        verdict = _verdict_on_edits(ranks[0])
        edit = {"start": 0, "end": 1, "replacement": "x", "verdict": verdict}
        score = {"accepted": 100, "rejected": 0}.get(verdict)
        return Answer((RatingValue(score=score, rating_details={"edits": [edit], "extractor": "words"}),))
    return Answer(tuple(rated(ranks[:outputs])))


def _verdict_on_edits(rank: int) -> str:
    return ("cannot-say", "accepted", "rejected")[rank % 3]


def rated(ranks: Iterable[int]) -> list[RatingValue]:
    """The ratings that give these ranks, by a protocol that asks for ratings."""
    if current in (RANKING, PAIRS):
        return [RatingValue(rank=rank) for rank in ranks]
    if current == SCALES:
        points = [(4 - (rank - 1) % 3, 4 - (rank - 1) // 3) for rank in ranks]
        marks = [f"Grammaticality {first}, Fluency {second}, Meaning ?" for first, second in points]
        return list(Scales().expected(marks, Scales.options()).ratings)
    if current == ERROR_SPANS:
        marks = [f"{100 - 10 * rank}{', major missing' * (rank % 2)}" for rank in ranks]
        return list(ErrorSpans().expected(marks, ErrorSpans.options()).ratings)
    return [RatingValue(score=100 - 10 * rank, meaning_changed=rank % 2 == 0, touched=True) for rank in ranks]


def filled_in(ranks: Iterable[int]) -> dict[str, str]:
    """The fields of a form that was empty, filled in for outputs of these ranks."""
    given = list(ranks)
    if current == EDITS:
        # Outputs of the tests have fewer edits; fields that are not asked for do not matter.
        return {f"edit-{question}": _verdict_on_edits(given[0]) for question in reversed(range(12))}
    fields = PROTOCOLS[current].fields(said(given or [1], len(given)))
    return {name: value for name, value in fields.items() if not name.startswith("before-")}


def exported(answer: Answer) -> Answer:
    """The answer as the snapshot has it: it does not tell what was touched."""
    return replace(answer, ratings=tuple(replace(value, touched=None) for value in answer.ratings))


def in_frame(frame: pd.DataFrame) -> Answer:
    """The answer in the rows of a snapshot with one judgment, without its details."""
    rows = frame.astype(object).where(frame.notna(), None)
    columns = (rows[name].tolist() for name in ("rank", "score", "meaning_changed", "rating_details"))
    ratings = [
        RatingValue(rank, score, changed, rating_details=None if details is None else json.loads(details))
        for rank, score, changed, details in zip(*columns, strict=True)
    ]
    text, verdict = rows[["text", "verdict"]].iloc[0]
    return Answer(
        ratings=tuple(ratings) if rows["output"].notna().all() else (),
        texts=() if text is None else (text,),
        verdict=verdict,
    )
