"""The ablation of MTeRater (Parton et al. 2011, section 6.3), asked of the rules of a checker on GJG15.

The paper says without figures that features of documents alone do better than those of sentences alone, both
together better than either, and which groups of e-rater's features help. Its features are not public.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from analysis.analyses.systems.ranking import THREADS
from analysis.reproduction.cells import Cell, Table, unpublished
from core.progress import Advance
from metrics.learned.mterater import FOLDS, RankedPairs, out_of_fold, tau
from metrics.learned.outputs import MTERATER, OutputFeatures
from metrics.learned.paired import PairedComparison, paired_comparisons

REPLICATES = 1000
RULES = 10
"""Rules of the checker that are left out in turn: those broken in the most outputs."""

BOTH = "MTeRater"
LEVELS: Mapping[str, str] = {"checker": "sentences", "document": "documents"}
"""Groups of features, in the paper's words."""

VARIANTS = len(LEVELS) * (1 + RULES) + 1
"""Models that are trained, each on all folds but one in turn."""


def ablation(features: OutputFeatures, pairs: RankedPairs, progress: Advance) -> Table:
    """MTeRater, one level alone, and without each of the most frequent rules of a level.

    Args:
        features: of the judged outputs, those of the groups `MTERATER` among them.
        pairs: that judges ordered.
        progress: gets the number of folds trained.
    """
    whole = features.of_groups(MTERATER)
    lead = partial(out_of_fold, pairs=pairs, folds=FOLDS, threads=THREADS, progress=progress)
    cells: Table = {}
    agreed: dict[str, NDArray[np.bool_]] = {}
    levels = {f"{level} alone": whole.of_groups([group]) for group, level in LEVELS.items()}
    for name, some in {BOTH: whole, **levels}.items():
        leads = lead(some)
        of_metric = tau(pairs, leads)
        cells[name] = unpublished(of_metric.value, f"{of_metric.metric_ties:,} pairs tie")
        agreed[name] = leads > 0
    for each in paired_comparisons(pairs.sentence, pairs.times, agreed, replicates=REPLICATES):
        cells[f"{each.first} over {each.second}"] = compared(each)
    for name, place in frequent_rules(whole):
        without = lead(_without(whole, place)) > 0
        [each] = paired_comparisons(
            pairs.sentence, pairs.times, {BOTH: agreed[BOTH], name: without}, replicates=REPLICATES
        )
        cells[f"{BOTH} over {name}"] = compared(each)
    return cells


def frequent_rules(features: OutputFeatures) -> Iterator[tuple[str, int]]:
    """The place of each feature of the most frequent rules, by a name such as "without documents: Rule"."""
    rules = [place for place, name in enumerate(features.names) if name.startswith("checker: ")][1:]
    broken = np.count_nonzero(features.values[:, :, rules] > 0, axis=(0, 1))
    frequent = [features.names[rules[place]] for place in np.argsort(-broken, kind="stable")[:RULES]]
    for group, level in LEVELS.items():
        for name in frequent:
            rule = name.removeprefix("checker: ")
            yield f"without {level}: {rule}", features.names.index(f"{group}: {rule}")


def compared(each: PairedComparison) -> Cell:
    """The difference of two metrics, with both tests in words."""
    low, high = each.difference.low or 0.0, each.difference.high or 0.0
    note = (
        f"{each.mcnemar.first_only:,} against {each.mcnemar.second_only:,} pairs, McNemar p = "
        f"{each.mcnemar.p_value:.2g}; over resampled sentences {low:+.3f} to {high:+.3f}, "
        f"p = {each.clustered_p_value:.2g}"
    )
    return unpublished(each.difference.value, note)


def _without(features: OutputFeatures, place: int) -> OutputFeatures:
    return replace(
        features,
        names=tuple(name for other, name in enumerate(features.names) if other != place),
        values=np.delete(features.values, place, axis=2),
    )
