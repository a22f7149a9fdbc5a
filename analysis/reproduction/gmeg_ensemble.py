"""GMEG-Metric on held-out sentences beside the metrics of Table 8, and the ablation of section 6.1."""

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.reproduction.cells import Ours, Published, Table, beside, compare, printed, unpublished
from analysis.reproduction.gmeg_metrics import SYMBOLS
from analysis.reproduction.public_data.gmeg_data import SCORED, Gmeg, ScoredDomain
from metrics.learned.ablation import ablations
from metrics.learned.gmeg import (
    LEARNED,
    Domain,
    Settings,
    corpora,
    held_out_scores,
    train,
    with_people,
)
from metrics.learned.ridge import best_alpha
from metrics.meta_evaluation.output_statistics import statistics_of_metric

SPLITS = 10
FOLDS = 50
ABLATION = Settings(draws=1)
"""One synthetic system of each kind, 141 systems for each domain: a fifth of the work."""

OTHER_SENTENCES = "published: test sentences"
OTHER_TRAINING = "published: trained on three domains"
COMPARED = "Table 8 compares it"
TWO_DOMAINS = "chosen on two of three domains"


def learning_domains(domains: Mapping[str, ScoredDomain | None]) -> list[Domain]:
    """The domains with texts as `metrics.learned` takes them, with the metrics of Table 8 as rivals."""
    return [
        Domain(
            name,
            each.people.systems,
            each.people.scores,
            tuple(statistics_of_metric(each.scored[metric], each.people.systems) for metric in SCORED),
            each.metrics_and_people.metrics,
        )
        for name, each in domains.items()
        if each is not None
    ]


def ensemble(data: Gmeg) -> Table:
    """Means over splits of the development sentences, cells such as "fce GMEG-Metric r".

    With a test split, its correlations too, with the learned metric trained on the whole development split.
    Nothing can be compared exactly: Yahoo's texts are not public.
    """
    domains = learning_domains(data.development.scored)
    held_out = held_out_scores(domains, splits=SPLITS, progress=data.progress)
    published = printed("gmeg", "8", "ensemble")
    ours: dict[str, Ours] = {}
    for domain, metrics in held_out.items():
        for metric in metrics:
            for coefficient, symbol in SYMBOLS.items():
                low, high = metric.interval(coefficient)
                note = f"{low:.3f} to {high:.3f} in {SPLITS} halves; {OTHER_SENTENCES}"
                ours[f"{domain} {metric.metric} {symbol}"] = Ours(metric.mean(coefficient), cannot=note)
    means = {
        f"mean {metric.metric} {symbol}": float(
            np.mean([each[place].mean(coefficient) for each in held_out.values()])
        )
        for place, metric in enumerate(next(iter(held_out.values())))
        for coefficient, symbol in SYMBOLS.items()
    }
    cells = {name: unpublished(mean, "of the domains") for name, mean in means.items()}
    return beside(published, ours) | cells | _on_test(domains, data, published)


def _on_test(domains: Sequence[Domain], data: Gmeg, published: Mapping[str, Published]) -> Table:
    tested = learning_domains(data.tested.scored) if data.tested else []
    if not tested:
        return {}
    model = train(domains)
    ours = {
        f"{domain.name} {metric} {symbol}": Ours(
            values[coefficient], cannot=OTHER_TRAINING if metric == LEARNED else COMPARED
        )
        for domain in tested
        for metric, values in with_people(model, domain, domain.judged, Settings()).items()
        for coefficient, symbol in SYMBOLS.items()
    }
    return {f"test {name}": cell for name, cell in beside(published, ours).items()}


def alpha(data: Gmeg) -> Table:
    """The penalty that cross-validation chooses, and what GMEG-Metric then gains, as in `ensemble`."""
    domains = learning_domains(data.development.scored)
    parts = [corpora(each, each.judged, Settings(), 0) for each in domains]
    chosen = best_alpha(
        np.concatenate([each.values for each in parts]), np.concatenate([each.human for each in parts])
    )
    cells = compare(printed("gmeg", "alpha"), {"alpha": Ours(chosen, cannot=TWO_DOMAINS)})
    held_out = held_out_scores(domains, Settings(alpha=None), splits=SPLITS, progress=data.progress)
    for domain, metrics in held_out.items():
        learned = next(each for each in metrics if each.metric == LEARNED)
        for coefficient, symbol in SYMBOLS.items():
            low, high = learned.interval(coefficient)
            note = f"{low:.3f} to {high:.3f} in {SPLITS} halves; with the penalty chosen in each half"
            cells[f"{domain} {LEARNED} {symbol}"] = unpublished(learned.mean(coefficient), note)
    return cells


def ablation(data: Gmeg) -> Table:
    """Mean r with and without a system or a domain in training, cells such as "fce without amu"."""
    cells: Table = {}
    domains = learning_domains(data.development.scored)
    for each in ablations(domains, ABLATION, folds=FOLDS, progress=data.progress):
        seen, unseen = float(np.mean(each.seen)), float(np.mean(each.unseen))
        left_out = "itself" if each.left_out == each.domain else each.left_out
        note = f"{seen:.3f} with it in training; mean r of {FOLDS} folds"
        cells[f"{each.domain} without {left_out}"] = unpublished(unseen, note)
    return cells
