"""A campaign of some systems, and a follow-up about one that joined later, judged by simulated people."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from annotate.design.items import Outputs
from annotate.design.newcomers import AboutNewcomers, Ordinary, Together, plan_newcomers
from core.arrays import FloatArray
from ranking.judgments.one_sample import as_one_sample
from tests.ranking.follow_ups import Truth

NEWCOMER = "N"


@dataclass(frozen=True)
class LateSystem:
    """A truth about all systems, and about those of the first campaign."""

    everything: Truth
    before: Truth

    @property
    def shares(self) -> FloatArray:
        """Each sentence is equally likely."""
        return np.full(len(self.everything.outputs), 1 / len(self.everything.outputs))

    def first(self, items: int, seed: int) -> pd.DataFrame:
        """The judgments of the first campaign."""
        return self.before.ordinary(items, seed)

    def second(self, items: int, seed: int) -> pd.DataFrame:
        """The judgments of the follow-up."""
        planned = plan_newcomers(
            self.everything.outputs,
            NEWCOMER,
            items=items,
            shares=self.shares,
            outputs_per_screen=self.everything.shown,
            seed=seed,
        )
        return self.everything.judged("second", planned, seed)

    def together(self, first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
        """Both, as one sample."""
        sizes = [frame["judgment"].nunique() for frame in (first, second)]
        shown = self.everything.shown
        asking = (
            Ordinary(self.before.outputs, self.shares, shown),
            AboutNewcomers(self.everything.outputs, NEWCOMER, self.shares, shown),
        )
        sample = Together(
            list(zip(asking, sizes, strict=True)), Ordinary(self.everything.outputs, self.shares, shown)
        )
        return as_one_sample(
            pd.concat([first, second], ignore_index=True),
            name="both",
            systems={
                (place, str(key)): (NEWCOMER,)
                for place, outputs in enumerate(self.everything.outputs)
                for key, systems in outputs.items()
                if NEWCOMER in systems
            },
            propensities=lambda place, outputs: sample.propensities(place, list(map(int, outputs))),
        )


def late_system(sentences: int = 300) -> LateSystem:
    """Six systems at some distance, some of which agree; N writes what A wrote on three of five sentences.

    Those are easy: A and N win them. On the others N writes something of its own, and is worse than A there.
    """
    names = "ABCDEF"
    rng = np.random.default_rng(7)
    strength = np.array([0.4, 0.25, 0.1, -0.1, -0.2, -0.4])
    utility = strength + rng.normal(0, 0.5, (sentences, len(names)))
    newcomer = np.empty(sentences)
    before: list[Outputs] = []
    everything: list[Outputs] = []
    for place in range(sentences):
        groups: list[tuple[str, ...]] = [("A",), ("B",), ("C",), ("D",)]
        groups += [("E", "F")] if place % 2 else [("E",), ("F",)]
        if place % 2:
            utility[place, 5] = utility[place, 4]
        before.append({10 * place + key: group for key, group in enumerate(groups)})
        if place % 5 < 3:
            utility[place, 0] += 0.8
            newcomer[place] = utility[place, 0]
            groups = [("A", NEWCOMER), *groups[1:]]
        else:
            newcomer[place] = rng.normal(-0.2, 0.5)
            groups = [*groups, (NEWCOMER,)]
        everything.append({10 * place + key: group for key, group in enumerate(groups)})
    with_newcomer = np.column_stack([utility, newcomer])
    shown = 3
    return LateSystem(
        Truth(names + NEWCOMER, tuple(everything), with_newcomer, shown),
        Truth(names, tuple(before), utility, shown),
    )
