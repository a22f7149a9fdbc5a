"""The ablation of MTeRater on made-up features: levels alone, and rules left out by frequency."""

import numpy as np
import pytest

from analysis.reproduction.mterater_ablation import RULES, VARIANTS, ablation, frequent_rules
from metrics.learned.mterater import FOLDS, RankedPairs
from metrics.learned.outputs import OutputFeatures

SENTENCES, SYSTEMS = 40, 4
NAMES = [f"Rule{number:02}" for number in range(12)]


@pytest.fixture
def features() -> OutputFeatures:
    """Twelve rules, each rarer than the one before; documents tell which system is better."""
    rng = np.random.default_rng(0)
    broken = rng.random((SENTENCES, SYSTEMS, 12)) < np.linspace(0.8, 0.1, 12)
    documents = np.zeros((SENTENCES, SYSTEMS, 12))
    documents[:, :, 3] = np.arange(SYSTEMS)
    levels = [np.concatenate([part.sum(axis=2, keepdims=True), part], axis=2) for part in (broken, documents)]
    names = [f"{group}: {rule}" for group in ("checker", "document") for rule in ("all rules", *NAMES)]
    return OutputFeatures(tuple("ABCD"), tuple(names), np.concatenate(levels, axis=2).astype(float), ())


@pytest.fixture
def pairs() -> RankedPairs:
    """Systems that break the rule less are better."""
    first, second = np.triu_indices(SYSTEMS, 1)
    number = len(first)
    return RankedPairs(
        np.repeat(np.arange(SENTENCES), number),
        np.tile(first, SENTENCES),
        np.tile(second, SENTENCES),
        np.ones(SENTENCES * number, dtype=np.int64),
    )


def test_the_most_frequent_rules_are_left_out_at_either_level(features: OutputFeatures) -> None:
    left_out = dict(frequent_rules(features))
    assert len(left_out) == 2 * RULES
    assert {name.split(": ")[1] for name in left_out} == set(NAMES[:RULES])
    assert features.names[left_out["without documents: Rule03"]] == "document: Rule03"


def test_levels_alone_and_without_rules_are_compared(features: OutputFeatures, pairs: RankedPairs) -> None:
    trained: list[int] = []
    cells = ablation(features, pairs, trained.append)
    assert sum(trained) == FOLDS * VARIANTS
    assert cells["documents alone"].ours == 1
    assert cells["MTeRater over documents alone"].ours == pytest.approx(cells["MTeRater"].ours - 1)  # type: ignore[operator]
    assert abs(cells["sentences alone"].ours) < 0.5  # type: ignore[arg-type]
    assert cells["MTeRater over without sentences: Rule00"].ours == pytest.approx(0, abs=0.05)
