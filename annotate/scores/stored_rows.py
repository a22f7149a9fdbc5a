"""Statistics of outputs in the database: written in pieces, read back as arrays."""

import zlib
from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from annotate.models import OutputScore, ScorePiece, ScoreSet, SystemScore
from annotate.models.scores import MAX_REASON_CHARS
from annotate.scores.corpus_outputs import NO_OUTPUT, CorpusOutputs
from core.arrays import FloatArray, IntArray
from core.parameters import parameters_from_text
from metrics import AnyMetric, NotScored, Scored, metric_class
from metrics.base.metric import Rows
from metrics.base.scoring import stacked

MISSING = "the system has no output for the sentence"

FASTEST = 1
"""Level of compression: statistics are mostly zeros."""

Reduced = FloatArray | NotScored
Packed: TypeAlias = "bytes | memoryview[int]"
"""Numbers in a column of bytes, as the databases give them."""

D = TypeVar("D", bound=np.generic)


def metric_of(score_set: ScoreSet) -> AnyMetric:
    """The metric of a computed set.

    Raises:
        UnknownMetricError, ParameterError: this release lacks the metric or a parameter.
    """
    cls = metric_class(score_set.metric)
    return cls(parameters_from_text(cls.Parameters, score_set.parameters))


def scored_keys(score_set: ScoreSet) -> IntArray:
    """The keys of the outputs whose statistics a set holds."""
    return _joined(score_set.pieces.order_by("number").values_list("outputs", flat=True), np.int64)


def store_piece(
    score_set: ScoreSet, outputs: CorpusOutputs, numbers: IntArray, reduced: Sequence[Reduced]
) -> None:
    """Store the statistics of these outputs with their scores, within the caller's transaction.

    Args:
        score_set: set of the scores.
        outputs: outputs of the corpus.
        numbers: indices into `outputs`.
        reduced: their statistics, in the same order.

    Raises:
        IntegrityError: meanwhile another worker has stored one of the outputs, or this piece.
    """
    rows = stacked(reduced, outputs.places[numbers])
    latest = score_set.pieces.aggregate(latest=Max("number"))["latest"]
    keys = outputs.keys[numbers]
    ScorePiece.objects.create(
        score_set=score_set,
        number=0 if latest is None else latest + 1,
        outputs=keys.tobytes(),
        sizes=rows.sizes.tobytes(),
        statistics=zlib.compress(_flat(rows).tobytes(), FASTEST),
    )
    scores = _sentence_scores(metric_of(score_set), rows)
    OutputScore.objects.bulk_create(
        OutputScore(
            score_set=score_set,
            output_id=key,
            position=position,
            score=score if np.isfinite(score) else None,
            reason=_reason(each, score),
        )
        for key, position, score, each in zip(
            keys.tolist(),
            outputs.positions[outputs.places[numbers]].tolist(),
            scores.tolist(),
            reduced,
            strict=True,
        )
    )


def packed_resamples(scores: FloatArray) -> bytes:
    """The scores of a system in resamples, shape (replicates,), as a row of the database has them."""
    return zlib.compress(scores.tobytes(), FASTEST)


def resamples_of(score: SystemScore) -> FloatArray | None:
    """The scores of a system in resamples, shape (replicates,); None if they are not stored."""
    packed = score.resamples
    return None if packed is None else np.frombuffer(zlib.decompress(packed), dtype=np.float64)


def load_scored(score_set: ScoreSet, outputs: CorpusOutputs, systems: Iterable[str]) -> Scored:
    """The result of `metrics.score` for some systems of a computed set; memory holds their statistics alone.

    A sentence for which a system has no output counts as not scored, with the reason `MISSING`, and so does
    an output without statistics in the set; a set has the statistics of all outputs of its scored systems.

    Raises:
        UnknownMetricError, ParameterError: as `metric_of`.
    """
    metric = metric_of(score_set)
    pieces = list(score_set.pieces.order_by("number").values_list("outputs", "sizes", "statistics"))
    keys = _joined((each[0] for each in pieces), np.int64)
    sizes = _joined((each[1] for each in pieces), np.int64)
    picked = {name: outputs.systems[name][1] for name in systems}
    wanted = np.unique(np.concatenate([[NO_OUTPUT], *picked.values()]))[1:]
    rows_of = np.full(len(outputs.keys) + 1, NO_OUTPUT, dtype=np.int64)  # The last is that of no output.
    rows_of[wanted] = np.arange(len(wanted))
    numbers = rows_of[outputs.numbers(keys)]
    picks, absent = with_absent({name: rows_of[each] for name, each in picked.items()}, len(wanted))
    all_sizes = np.zeros(len(wanted) + len(absent), dtype=np.int64)
    there = numbers != NO_OUTPUT
    all_sizes[numbers[there]] = sizes[there]
    most = max(1, int(sizes.max(initial=1)))
    values = _values(((each[1], each[2]) for each in pieces), numbers, (len(all_sizes), most))
    rows = Rows(values, all_sizes, np.concatenate([outputs.places[wanted], absent]))
    reasons = dict.fromkeys(np.flatnonzero(all_sizes == 0).tolist(), MISSING)
    stored = dict(score_set.output_scores.exclude(reason="").values_list("output", "reason"))
    of_reasons = rows_of[outputs.numbers(np.array(list(stored), dtype=np.int64))].tolist()
    reasons |= {row: each for row, each in zip(of_reasons, stored.values(), strict=True) if row in reasons}
    return Scored(metric, score_set.signature, rows, picks, reasons)


def _values(pieces: Iterable[tuple[Packed, Packed]], numbers: IntArray, shape: tuple[int, int]) -> FloatArray:
    """The statistics of outputs, shape (D, R, K); (D, R) is given, and K as the statistics have it.

    Pieces are unpacked one after the other: all together they may have hundreds of megabytes.

    Args:
        pieces: the sizes and the statistics of each.
        numbers: of their outputs, in order; `NO_OUTPUT` for those to leave out.
        shape: number of outputs, and the largest number of rows of one.
    """
    values = np.zeros((*shape, 1))
    end = 0
    for packed_sizes, statistics in pieces:
        sizes = np.frombuffer(packed_sizes, dtype=np.int64)
        begin, end = end, end + len(sizes)
        if not sizes.any():
            continue
        rows = np.frombuffer(zlib.decompress(statistics), dtype=np.float64).reshape(int(sizes.sum()), -1)
        if rows.shape[1] != values.shape[2]:
            values = np.zeros((*shape, rows.shape[1]))
        of_rows = np.repeat(numbers[begin:end], sizes)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        there = of_rows != NO_OUTPUT
        values[of_rows[there], within[there]] = rows[there]
    return values


def with_absent(picked: dict[str, IntArray], number_of_outputs: int) -> tuple[dict[str, IntArray], IntArray]:
    """Picks, with a separate row for each sentence that lacks an output, and these sentences."""
    lacking = [picks == NO_OUTPUT for picks in picked.values()]
    absent = np.flatnonzero(np.any(lacking, axis=0)) if lacking else np.zeros(0, dtype=np.int64)
    picks = {
        name: np.where(
            each == NO_OUTPUT, number_of_outputs + np.searchsorted(absent, np.arange(len(each))), each
        )
        for name, each in picked.items()
    }
    return picks, absent


def _flat(rows: Rows) -> FloatArray:
    """The existing rows, shape (sum of sizes, K)."""
    there = np.arange(rows.values.shape[1]) < rows.sizes[:, None]
    return rows.values[there]


def _sentence_scores(metric: AnyMetric, rows: Rows) -> FloatArray:
    if not rows.sizes.any():
        return np.full(len(rows.sizes), np.nan)
    return np.where(rows.sizes > 0, metric.sentence_scores(rows), np.nan)


def _reason(reduced: Reduced, score: float) -> str:
    if isinstance(reduced, NotScored):
        return reduced.reason[:MAX_REASON_CHARS]
    return "" if np.isfinite(score) else "the statistics leave it undefined"


def _joined(parts: Iterable[Packed], kind: type[D]) -> NDArray[D]:
    return np.frombuffer(b"".join(bytes(part) for part in parts), dtype=kind)
