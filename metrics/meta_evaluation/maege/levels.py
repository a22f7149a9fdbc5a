"""A metric on the draw of one seed (Choshen and Abend 2018, sections 5 to 7)."""

from dataclasses import dataclass
from math import erfc, isfinite, sqrt

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import stats
from metrics.meta_evaluation.maege.drawing import CORPORA, Draw
from metrics.meta_evaluation.maege.lattices import LatticeCorpus
from metrics.meta_evaluation.maege.options import MaegeParameters, Quality, Ties
from metrics.meta_evaluation.maege.pair_scores import PairScorer, Work

SAME = 1e-12
"""Scores that differ by less than this differ by rounding only, and count as equal."""


@dataclass(frozen=True, slots=True, eq=False)
class SeedScores:
    """A metric on the draw of one seed.

    Attributes:
        signature: states how the metric scored, except for the drawn sources.
        corpora: shape (11,), the score of each corpus, NaN where it cannot be computed.
        corrections: shape (11,), the mean number of corrections that each corpus has.
        pairs: comparable pairs that are scored.
        discordant: those in which the worse correction has the higher score.
        tied: those with equal scores.
        correlation: Pearson's r of sentence scores with quality; NaN where it is not defined.
        scored: number of corrections in that correlation.
        not_scored: number of corrections that the metric does not score.
        changes: shape (E,), the change of score with each edit; NaN where it is not scored.
    """

    signature: str
    corpora: FloatArray
    corrections: FloatArray
    pairs: int
    discordant: int
    tied: int
    correlation: float
    scored: int
    not_scored: int
    changes: FloatArray


def seed_scores(
    scorer: PairScorer,
    corpus: LatticeCorpus,
    drawn: Draw,
    parameters: MaegeParameters,
    work: Work | None = None,
) -> SeedScores:
    """Score the draw of a seed, and compare the scores with the order of the lattices.

    Raises:
        InputError: the metric lacks what it needs.
    """
    sources = np.concatenate([drawn.chain_sources, np.tile(drawn.sources, CORPORA)])
    scorer.add(sources, np.concatenate([drawn.chains, drawn.corpora.ravel()]), work or Work())
    scores = scorer.sentence_scores(drawn.chain_sources, drawn.chains)
    pairs, discordant, tied = ordered_pairs(scores, corpus.comparable)
    return SeedScores(
        signature=scorer.signature,
        corpora=scorer.corpus_scores(drawn.sources, drawn.corpora, parameters.corpus_score),
        corrections=drawn.corrections.mean(axis=1),
        pairs=pairs,
        discordant=discordant,
        tied=tied,
        correlation=pearson(scores, chain_quality(corpus, parameters.quality)),
        scored=int(np.isfinite(scores).sum()),
        not_scored=int((~np.isfinite(scores)).sum()),
        changes=changes_by_edit(scores, corpus, drawn),
    )


def ordered_pairs(scores: FloatArray, comparable: IntArray) -> tuple[int, int, int]:
    """How many comparable pairs are scored, discordant and tied.

    Args:
        scores: shape (C,), NaN where there is none.
        comparable: shape (2, pairs), the better correction second.
    """
    worse, better = scores[comparable]
    ahead = (better - worse)[np.isfinite(better) & np.isfinite(worse)]
    return len(ahead), int((ahead < -SAME).sum()), int((np.abs(ahead) <= SAME).sum())


def tau(pairs: int, discordant: int, tied: int, ties: Ties) -> float:
    """1 - 2 · discordant / pairs (section 6); NaN if the metric ties all pairs or there are none."""
    if tied == pairs:
        return float("nan")
    return 1 - 2 * (discordant + (tied if ties is Ties.DISCORDANT else 0)) / pairs


def tau_b(pairs: int, discordant: int, tied: int) -> float:
    """Kendall's tau-b, which corrects for pairs that the metric ties; NaN if it ties all pairs."""
    if tied == pairs:
        return float("nan")
    return (pairs - tied - 2 * discordant) / sqrt(pairs * (pairs - tied))


def p_value_of_tau(value: float, pairs: int) -> float:
    """Two-sided, by the normal approximation of the paper: z = 2 · discordant / √pairs - √pairs."""
    return erfc(abs(value) * sqrt(pairs) / sqrt(2))


def chain_quality(corpus: LatticeCorpus, quality: Quality) -> FloatArray:
    """The quality of each correction of each chain, shape (C,) (section 6).

    The top has quality 1, the original that of the annotation with the fewest edits; the corrections between
    them are equally spaced.
    """
    fewest = np.minimum.reduceat(corpus.sizes, corpus.first_lattices[:-1])
    if quality is Quality.CHARACTERS:
        lengths = np.array([len(text) for text in corpus.sources])
        originals = 1 - (fewest + 1) / lengths
    else:
        originals = 1 - fewest / np.array([len(text.split()) for text in corpus.sources])
    return np.concatenate(
        [
            np.linspace(originals[lattice.sentence], 1, size + 1)
            for lattice, size in zip(corpus.lattices, corpus.sizes.tolist(), strict=True)
        ]
    )


def pearson(scores: FloatArray, quality: FloatArray) -> float:
    """Pearson's r over scored corrections; NaN if all scores are equal or there are fewer than three."""
    there = np.isfinite(scores)
    if there.sum() < 3 or np.ptp(scores[there]) <= SAME or np.ptp(quality[there]) <= SAME:
        return float("nan")
    return float(np.corrcoef(scores[there], quality[there])[0, 1])


def spearman(corpora: FloatArray) -> float:
    """Spearman's correlation of the scores of corpora with their order; NaN where it is not defined."""

    if not all(map(isfinite, corpora.tolist())) or np.ptp(corpora) <= SAME:
        return float("nan")
    ranks = stats.rankdata(np.round(corpora / SAME))
    return float(np.corrcoef(ranks, np.arange(len(corpora)))[0, 1])


def changes_by_edit(scores: FloatArray, corpus: LatticeCorpus, drawn: Draw) -> FloatArray:
    """The rise of the score with each edit, shape (E,) (section 7); each edit is in one chain, once."""
    starts = np.zeros(len(scores), dtype=bool)
    starts[np.cumsum(corpus.sizes + 1) - corpus.sizes - 1] = True
    changes = np.full(len(drawn.steps), np.nan)
    changes[drawn.steps] = np.diff(scores, prepend=np.nan)[~starts]
    return changes
