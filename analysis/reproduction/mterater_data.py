"""Reads GJG15's judgments with the features of the judged outputs."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from analysis.reproduction import mterater
from analysis.reproduction.cells import Table
from analysis.reproduction.gjg15_data import gjg15_snapshot
from analysis.reproduction.metrics_data import read_conll
from metrics.checkers import HarperChecker
from metrics.learned.mterater import FOLDS, RankedPairs, ranked_pairs, variants
from metrics.learned.outputs import GROUPS, OutputFeatures, output_features
from metrics.validation import people
from ranking.resampling import Progress

STEPS = {
    "tau": FOLDS * len(variants(GROUPS)),
    "folds": FOLDS * mterater.DIVISIONS * len(mterater.WITHOUT_CHECKER),
}


def reproduce_from(
    folder: Path, *, tables: Collection[str] = mterater.TABLES, progress: Progress | None = None
) -> dict[str, Table]:
    """Tables from a folder that holds `conll14/` and `gjg15/`.

    Raises:
        FormatError: a file is missing or malformed.
    """
    features, pairs = gjg15_features(folder)
    made: dict[str, Table] = {}
    if set(tables) != {"folds"}:
        made = mterater.reproduce(mterater.all_leads(features, pairs, progress=progress), tables=tables)
    if "folds" in tables:
        made["folds"] = mterater.folds(features, pairs, progress=progress)
    return made


def gjg15_features(folder: Path, groups: Collection[str] = GROUPS) -> tuple[OutputFeatures, RankedPairs]:
    """The features of the judged outputs, and the pairs that judges ordered; once in a process.

    References are both official ones, gold edits those of the combined file, and the checker is Harper.

    Raises:
        FormatError: a file is missing or malformed.
    """
    wanted = tuple(group for group in GROUPS if group in groups)
    if (folder, wanted) not in _read:
        conll = read_conll(folder)
        data = replace(
            conll.references, annotations=conll.gold["Combined"].annotations, checker=HarperChecker()
        )
        judged = people(gjg15_snapshot(folder), len(data.sources))
        outputs = {system: conll.outputs[system] for system in judged.systems}
        features = output_features(data, outputs, groups=wanted, sentences=judged.judged_sentences)
        _read[folder, wanted] = features, ranked_pairs(judged.judged, features)
    return _read[folder, wanted]


_read: dict[tuple[Path, tuple[str, ...]], tuple[OutputFeatures, RankedPairs]] = {}
