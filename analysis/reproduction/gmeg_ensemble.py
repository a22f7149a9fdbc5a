"""GMEG-Metric on held-out sentences beside the metrics of Table 8, and the ablation of section 6.1."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from analysis.reproduction import published_gmeg as published
from analysis.reproduction.cells import Cell, Table, not_comparable, unpublished
from analysis.reproduction.gmeg_metrics_data import SCORED, ScoredDomain
from metrics.learned.ablation import ablations
from metrics.learned.gmeg import (
    LEARNED,
    Domain,
    Settings,
    held_out_scores,
    train,
    with_people,
)
from metrics.validation.statistics import statistics_of_metric
from ranking import Coefficient
from ranking.resampling import Progress

TABLES = ("ensemble", "ablation")

SPLITS = 10
FOLDS = 50
SYMBOLS = {Coefficient.PEARSON: "r", Coefficient.SPEARMAN: "rho"}
ABLATION = Settings(draws=1)
"""One synthetic system of each kind, 141 systems for each domain: a fifth of the work."""

STEPS = {"ensemble": SPLITS, "ablation": FOLDS}

OTHER_SENTENCES = "published: test sentences"
OTHER_TRAINING = "published: trained on three domains"
COMPARED = "Table 8 compares it"

Domains = Mapping[str, ScoredDomain | None]


def reproduce(
    development: Domains,
    test: Domains | None,
    *,
    tables: Collection[str],
    progress: Progress | None = None,
) -> dict[str, Table]:
    """The named tables of `TABLES`. Nothing can be compared exactly: Yahoo's texts are not public.

    Args:
        development: the domains of the development split; None for one without texts.
        test: those of the test split, or None.
        tables: which.
        progress: called with the number of splits and folds finished.
    """
    domains = learning_domains(development)
    tested = learning_domains(test) if test is not None else []
    made: dict[str, Table] = {}
    if "ensemble" in tables:
        made["ensemble"] = ensemble(domains, progress) | _on_test(domains, tested)
    if "ablation" in tables:
        made["ablation"] = ablation(domains, progress)
    return made


def learning_domains(domains: Domains) -> list[Domain]:
    """The domains with texts as `metrics.learned` takes them, with the metrics of Table 8 as rivals."""
    return [
        Domain(
            name,
            each.people.systems,
            each.people.scores,
            tuple(statistics_of_metric(each.scored[metric], each.people.systems) for metric in SCORED),
            each.metrics_and_people().metrics,
        )
        for name, each in domains.items()
        if each is not None
    ]


def ensemble(domains: Sequence[Domain], progress: Progress | None = None) -> Table:
    """Means over splits of the development sentences, cells such as "fce GMEG-Metric r"."""
    held_out = held_out_scores(domains, splits=SPLITS, progress=progress)
    cells: Table = {}
    for domain, metrics in held_out.items():
        for metric in metrics:
            for coefficient, symbol in SYMBOLS.items():
                low, high = metric.interval(coefficient)
                cells[f"{domain} {metric.metric} {symbol}"] = _beside(
                    _published(domain, metric.metric, symbol),
                    metric.mean(coefficient),
                    f"{low:.3f} to {high:.3f} in {SPLITS} halves; {OTHER_SENTENCES}",
                )
    for place, metric in enumerate(next(iter(held_out.values()))):
        for coefficient, symbol in SYMBOLS.items():
            mean = float(np.mean([each[place].mean(coefficient) for each in held_out.values()]))
            cells[f"mean {metric.metric} {symbol}"] = unpublished(mean, "of the domains")
    return cells


def ablation(domains: Sequence[Domain], progress: Progress | None = None) -> Table:
    """Mean r with and without a system or a domain in training, cells such as "fce without amu"."""
    cells: Table = {}
    for each in ablations(domains, ABLATION, folds=FOLDS, progress=progress):
        seen, unseen = float(np.mean(each.seen)), float(np.mean(each.unseen))
        left_out = "itself" if each.left_out == each.domain else each.left_out
        note = f"{seen:.3f} with it in training; mean r of {FOLDS} folds"
        cells[f"{each.domain} without {left_out}"] = unpublished(unseen, note)
    return cells


def _on_test(domains: Sequence[Domain], tested: Sequence[Domain]) -> Table:
    """Correlations on the test split, the learned metric trained on the whole development split."""
    if not tested:
        return {}
    model = train(domains)
    return {
        f"test {domain.name} {metric} {symbol}": _beside(
            _published(domain.name, metric, symbol),
            values[coefficient],
            OTHER_TRAINING if metric == LEARNED else COMPARED,
        )
        for domain in tested
        for metric, values in with_people(model, domain, domain.judged, Settings()).items()
        for coefficient, symbol in SYMBOLS.items()
    }


def _beside(figure: float | None, ours: float | None, why: str) -> Cell:
    return unpublished(ours, why) if figure is None else not_comparable(figure, ours, why)


def _published(domain: str, metric: str, symbol: str) -> float | None:
    of_metric = published.CORRELATIONS | {LEARNED: published.GMEG_METRIC}
    return of_metric[metric][domain][0 if symbol == "r" else 1]
