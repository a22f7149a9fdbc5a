"""MTeRater on GJG15: taus of single and learned metrics with folds by sentence, and McNemar's tests.

The paper's own figures (Parton et al. 2011, Table 1) are of machine translation, with e-rater, METEOR and
TERp, and cannot be compared; its question can: does a grammar checker add anything?
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from analysis.analyses.systems.ranking import THREADS
from analysis.reproduction.cells import Ours, Table, beside, printed, unpublished
from analysis.reproduction.mterater_ablation import REPLICATES, VARIANTS, compared
from analysis.reproduction.mterater_ablation import ablation as ablated
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.gjg15_data import Gjg15
from core.arrays import FloatArray
from metrics.english.grammar_checkers import HarperChecker
from metrics.learned.mterater import FOLDS, RankedPairs, out_of_fold, ranked_pairs, tau, variants
from metrics.learned.outputs import GROUPS, MTERATER, OutputFeatures, output_features
from metrics.learned.paired import PairedComparison, paired_comparisons
from metrics.meta_evaluation import people

PLUS = "MTeRater-Plus"
WITHOUT = "all without MTeRater"
WITHOUT_CHECKER = {
    name: groups for name, groups in variants(GROUPS).items() if not set(groups).intersection(MTERATER)
}

DIVISIONS = 20
"""Number of random divisions of the sentences into folds."""


@dataclass(eq=False)
class MTeRater(Gjg15):
    """The judgments of GJG15 with the features of the judged outputs."""

    @cached_property
    def read(self) -> tuple[OutputFeatures, RankedPairs]:
        """All features of the judged outputs, and the pairs that judges ordered."""
        return features_and_pairs(self, GROUPS)

    @cached_property
    def leads(self) -> Mapping[str, FloatArray]:
        """Leads of the better output of each pair, shape (P,), by metric.

        Learned metrics are trained on other sentences than those of the pair.
        """
        features, pairs = self.read
        single = {
            name.removeprefix("metrics: "): pairs.lead(features.values[:, :, place])
            for place, name in enumerate(features.names)
            if name.startswith("metrics: ")
        }
        learned = {
            name: out_of_fold(
                features.of_groups(groups), pairs, folds=FOLDS, threads=THREADS, progress=self.progress
            )
            for name, groups in variants(GROUPS).items()
        }
        return single | learned

    @cached_property
    def comparisons(self) -> Sequence[PairedComparison]:
        """Learned metrics compared by whether they order pairs as the judges did; a tie does not."""
        pairs = self.read[1]
        agreed = {name: self.leads[name] > 0 for name in variants(GROUPS)}
        return paired_comparisons(pairs.sentence, pairs.times, agreed, replicates=REPLICATES)


def features_and_pairs(data: Gjg15, groups: Sequence[str]) -> tuple[OutputFeatures, RankedPairs]:
    """Some features of the judged outputs, and the pairs that judges ordered.

    References are both official ones, gold edits those of the combined file, and the checker is Harper.

    Raises:
        FormatError: a file is missing or malformed.
    """
    annotations = data.gold["Combined"].annotations
    evaluation = replace(data.references, annotations=annotations, checker=HarperChecker())
    sentences = np.unique(data.snapshot["sentence"].to_numpy())
    judged = people(data.snapshot, len(evaluation.sources), only=sentences)
    outputs = {system: data.outputs[system] for system in judged.systems}
    features = output_features(evaluation, outputs, groups=groups, sentences=sentences)
    return features, ranked_pairs(judged.judged, len(outputs)).with_features(features)


def taus(data: MTeRater) -> Table:
    """Both rules for ties, cells such as "gleu" and "gleu, ties left out".

    Published are those of an independent computation: of single metrics on the same pairs (within one unit
    of the last digit, as its figures are rounded, and scores that differ by rounding errors tie here), and of
    learned ones with other folds, which are drawn at random and move tau so far: see the table of folds.
    """
    published = printed("mterater", "tau")
    ours: dict[str, Ours] = {}
    for name, lead in data.leads.items():
        of_metric = tau(data.read[1], lead)
        ties, left_out = of_metric.metric_ties, f"{name}, ties left out"
        is_known = name in published and published[name].why
        ours[name] = Ours(of_metric.value, "" if is_known else f"{ties:,} ties", shows=ties)
        if left_out in published:
            ours[left_out] = Ours(of_metric.without_ties)
    return beside(published, ours)


def mcnemar(data: MTeRater) -> Table:
    """MTeRater-Plus against the other learned metrics."""
    return {
        f"{each.first} over {each.second}": compared(each)
        for each in data.comparisons
        if PLUS in (each.first, each.second)
    }


def checker(data: MTeRater) -> Table:
    """The gain from the grammar checker."""
    wanted = {(PLUS, WITHOUT), ("metrics", "metrics + MTeRater")}
    return {
        f"{each.first} over {each.second}": compared(each)
        for each in data.comparisons
        if (each.first, each.second) in wanted
    }


def folds(data: MTeRater) -> Table:
    """Mean tau over `DIVISIONS` divisions of the sentences into folds, of variants without the checker."""
    features, pairs = data.read
    cells: Table = {}
    for name, groups in WITHOUT_CHECKER.items():
        of_variant = features.of_groups(groups)
        lead = partial(out_of_fold, of_variant, pairs, folds=FOLDS, threads=THREADS, progress=data.progress)
        values = [tau(pairs, lead(seed=seed)).value for seed in range(DIVISIONS)]
        drawn = np.array(values, dtype=np.float64)
        note = f"standard deviation {drawn.std(ddof=1):.4f}, {drawn.min():.3f} to {drawn.max():.3f}"
        cells[name] = unpublished(float(drawn.mean()), note)
    return cells


def ablation(data: MTeRater) -> Table:
    """MTeRater without features of sentences, of documents, and of single rules (section 6.3)."""
    return ablated(*data.read, data.progress)


PAPER = Paper(
    data=MTeRater,
    tables={"tau": taus, "McNemar": mcnemar, "checker": checker, "folds": folds, "ablation": ablation},
    progress="Training",
    steps={
        ("tau", "McNemar", "checker"): FOLDS * len(variants(GROUPS)),
        ("folds",): FOLDS * DIVISIONS * len(WITHOUT_CHECKER),
        ("ablation",): FOLDS * VARIANTS,
    },
)
