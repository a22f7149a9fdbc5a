"""Ablation of GMEG-Metric: training without a system or a domain (Napoles et al. 2019, section 6.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.progress import Advance
from metrics.learned.folds import computed_folds
from metrics.learned.gmeg import Corpora, Domain, Settings, corpora, correlations, divide, fitted
from metrics.learned.ridge import LinearModel
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class Ablation:
    """The loss when a system, or a domain, is left out of training.

    Attributes:
        left_out: the system or the domain.
        domain: where it is tested.
        seen: Pearson's r in each fold with it in training.
        unseen: Pearson's r in each fold without it in training.
    """

    left_out: str
    domain: str
    seen: tuple[float, ...]
    unseen: tuple[float, ...]


def ablations(
    domains: Sequence[Domain],
    settings: Settings | None = None,
    *,
    folds: int = 50,
    share: float = 0.75,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> tuple[Ablation, ...]:
    """Leave each system, and each of several domains, out of training (GMEG, section 6.1).

    A fold divides the sentences of every domain. A system is tested on itself and the synthetic systems that
    are mixed of it, a domain on all its systems, both on held-out sentences. The arguments are those of
    `metrics.learned.gmeg.held_out_scores`, with folds for splits.
    """
    settings = settings or Settings()
    systems = sorted({system for domain in domains for system in domain.systems})

    def of_fold(number: int) -> list[tuple[str, str, float, float]]:
        known, rest = (
            [corpora(*each, settings, seed + number) for each in zip(domains, sentences, strict=True)]
            for sentences in divide(domains, share, seed=seed, split=number)
        )
        everything = fitted(known, settings)
        results = []
        for system in systems:
            without = [
                _only(part, ~_has(part, domain, system)) for part, domain in zip(known, domains, strict=True)
            ]
            model = fitted(without, settings)
            for domain, part in zip(domains, rest, strict=True):
                if system in domain.systems:
                    tested = _only(part, _has(part, domain, system))
                    results.append(
                        (system, domain.name, _pearson(everything, tested), _pearson(model, tested))
                    )
        if len(domains) > 1:
            for place, domain in enumerate(domains):
                model = fitted([part for other, part in enumerate(known) if other != place], settings)
                tested = rest[place]
                results.append(
                    (domain.name, domain.name, _pearson(everything, tested), _pearson(model, tested))
                )
        return results

    of_folds = list(computed_folds(of_fold, folds, threads=threads, progress=progress))
    return tuple(
        Ablation(
            left_out,
            domain,
            tuple(each[place][2] for each in of_folds),
            tuple(each[place][3] for each in of_folds),
        )
        for place, (left_out, domain, _, _) in enumerate(of_folds[0])
    )


def _has(part: Corpora, domain: Domain, system: str) -> NDArray[np.bool_]:
    """Marks the corpora that contain the system."""
    if system not in domain.systems:
        return np.zeros(len(part.human), dtype=bool)
    return part.contains[:, domain.systems.index(system)]


def _only(part: Corpora, chosen: NDArray[np.bool_]) -> Corpora:
    return Corpora(part.features, part.values[chosen], part.human[chosen], part.contains[chosen])


def _pearson(model: LinearModel, tested: Corpora) -> float:
    return correlations(model.predict(tested.values), tested.human)[Coefficient.PEARSON]
