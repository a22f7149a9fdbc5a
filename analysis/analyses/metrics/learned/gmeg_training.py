"""Training and testing GMEG-Metric on judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.base import stated
from analysis.analyses.metrics.against_people import (
    HUMAN_SCORES,
    MixturesAgainstPeople,
    mean_human_score,
    synthetic_systems,
)
from analysis.analyses.metrics.learned.learned_models import giving_features, kept
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics.learned.ablation import ablations
from metrics.learned.gmeg import Domain, HeldOut, Settings, corpora, held_out_scores, train
from metrics.learned.ridge import ALPHA
from metrics.learned.saved import GMEG, ModelCard, SavedModel
from metrics.meta_evaluation import HumanScore, MetricsAndPeople, MetricScores
from ranking import Coefficient

FEWEST_OF_DOMAIN = 20
"""Judged sentences; where a domain has fewer, all sentences are one domain."""

ONE_DOMAIN = "all sentences"


@dataclass(frozen=True, slots=True, kw_only=True)
class GmegParameters(MixturesAgainstPeople):
    """How GMEG-Metric is trained and tested. Attributes: see the help of each."""

    human: HumanScore = mean_human_score()
    alpha: float = parameter(
        ALPHA, label="Alpha", help="Penalty of squared coefficients.", minimum=1e-9, maximum=1e6
    )
    standardise: bool = parameter(
        False, label="Standardise", help="Give all features unit variance before they are penalised."
    )
    draws: int = synthetic_systems(maximum=20)
    splits: int = parameter(
        10, label="Splits", help="How often half of the sentences are held out.", minimum=2, maximum=100
    )
    folds: int = parameter(
        50,
        label="Folds of the ablation",
        help="Number of times that a quarter of the sentences is held out to measure the loss without each "
        "system; 0: no ablation.",
        minimum=0,
        maximum=200,
    )


@dataclass(frozen=True, slots=True)
class HeldOutFigure:
    """A coefficient on held-out sentences.

    Attributes:
        mean: over the splits; None where it is undefined in one.
        low: the lowest of the splits.
        high: the highest.
    """

    mean: float | None
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        """The mean, as tables read it."""
        return self.mean


@dataclass(frozen=True, slots=True)
class HeldOutMetric:
    """The learned metric, or a single one, on held-out sentences of a domain.

    Attributes:
        domain: of the sentences.
        metric: its name.
        pearson: Pearson's r over systems and synthetic systems.
        spearman: Spearman's rho.
        ahead: in how many splits the learned metric has the higher r; None for itself, and for means of
            domains.
    """

    domain: str
    metric: str
    pearson: HeldOutFigure
    spearman: HeldOutFigure
    ahead: int | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The loss without a system or a domain in training: mean Pearson's r over folds.

    Attributes:
        left_out: the system or the domain.
        domain: where it is tested.
        seen: with it in training; None where it is undefined.
        unseen: without it.
    """

    left_out: str
    domain: str
    seen: float | None
    unseen: float | None


@dataclass(frozen=True, slots=True)
class TrainedGmeg:
    """A trained GMEG-Metric with how it does on sentences that it has not seen.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        not_features: metrics that give no features.
        held_out: by domain and metric, the learned one first; last the means of the domains.
        ablation: of each system, and of each of several domains.
        model: trained on all judged sentences.
    """

    signature: str
    left_out: tuple[str, ...]
    not_features: tuple[str, ...]
    held_out: tuple[HeldOutMetric, ...]
    ablation: tuple[LeftOut, ...]
    model: SavedModel


def train_gmeg(inputs: ScoredJudgments, parameters: GmegParameters, progress: Progress) -> TrainedGmeg:
    """Train on all judged sentences, and on parts of them to see how far that leads.

    Raises:
        InputError: judgments and scores have nothing in common, or are too few.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared()
    metrics, others = giving_features(data.metrics)
    if not metrics:
        raise ParameterError(
            "no metric was computed by Assay, so none gives features: score the systems by metrics such as "
            "errant, chrf, m2, imeasure, gleu and chargleu"
        )
    settings = Settings(parameters.alpha, parameters.standardise, draws=parameters.draws)
    domains = _domains(data, metrics, parameters.human)
    progress.begin("Holding out sentences", total=parameters.splits)
    held_out = held_out_scores(
        domains,
        settings,
        splits=parameters.splits,
        seed=parameters.seed,
        threads=THREADS,
        progress=progress.advance,
    )
    ablation = _ablation(domains, replace(settings, draws=1), parameters, progress)
    progress.begin("Training on all sentences")
    figures = _figures(held_out)
    parts = [corpora(each, each.judged, settings, parameters.seed) for each in domains]
    model = train(domains, settings, seed=parameters.seed)
    sentences = len(data.people.judged_sentences)
    card = ModelCard(
        data=f"{sentences:,} judged sentences, human score of a system: {HUMAN_SCORES[parameters.human]}",
        data_digest=inputs.digest,
        sentences=sentences,
        instances=sum(len(each.human) for each in parts),
        systems=data.systems,
        domains=tuple(each.name for each in domains) if len(domains) > 1 else (),
        settings={
            "alpha": f"{parameters.alpha:g}",
            "features": "standardised" if parameters.standardise else "as they are",
            "synthetic systems": f"10 % to 90 %, {parameters.draws} draws",
            "held out": f"half of the sentences, {parameters.splits} times",
            "seed": str(parameters.seed),
        },
        results=_results(figures),
        signatures=tuple(each.signature for each in metrics),
    )
    return TrainedGmeg(
        signature=inputs.signature(stated("learned-gmeg", parameters)),
        left_out=inputs.unmatched,
        not_features=others,
        held_out=figures,
        ablation=ablation,
        model=kept(
            GMEG,
            metrics,
            model.features,
            model.coefficients,
            model.spread,
            card,
            intercept=model.intercept,
        ),
    )


def _ablation(
    domains: Sequence[Domain], settings: Settings, parameters: GmegParameters, progress: Progress
) -> tuple[LeftOut, ...]:
    """The loss without each system and domain in training; empty if not requested or of two systems."""
    if not parameters.folds or len(domains[0].systems) < 3:
        return ()
    progress.begin("Leaving out systems", total=parameters.folds)
    ablated = ablations(
        domains,
        settings,
        folds=parameters.folds,
        seed=parameters.seed,
        threads=THREADS,
        progress=progress.advance,
    )
    return tuple(
        LeftOut(each.left_out, each.domain, _mean(each.seen), _mean(each.unseen)) for each in ablated
    )


def _results(figures: Sequence[HeldOutMetric]) -> dict[str, float]:
    """The correlations of the learned metric, the first of the figures, for the model's card."""
    return {
        f"{name} on {each.domain}": figure.mean
        for each in figures
        if each.metric == figures[0].metric
        for name, figure in (("Pearson’s r", each.pearson), ("Spearman’s ρ", each.spearman))
        if figure.mean is not None
    }


def _domains(data: MetricsAndPeople, metrics: Sequence[MetricScores], human: HumanScore) -> list[Domain]:
    """The domains of the sentences, or all as one."""
    scores = data.people.sentence_scores(human)
    statistics = tuple(each.statistics for each in metrics if each.statistics is not None)
    judged = data.people.judged_sentences
    of_sentence = np.array(data.domains or [ONE_DOMAIN] * len(scores), dtype=object)
    names, numbers = np.unique(of_sentence[judged].astype(str), return_counts=True)
    if len(names) == 1 or numbers.min() < FEWEST_OF_DOMAIN:
        return [Domain(ONE_DOMAIN, data.systems, scores, statistics, tuple(metrics))]
    return [
        Domain(
            name,
            data.systems,
            np.where((of_sentence == name)[:, None], scores, np.nan),
            statistics,
            tuple(metrics),
        )
        for name in names.tolist()
    ]


def _figures(held_out: Mapping[str, Sequence[HeldOut]]) -> tuple[HeldOutMetric, ...]:
    figures = [
        HeldOutMetric(
            domain,
            each.metric,
            _figure(each, Coefficient.PEARSON),
            _figure(each, Coefficient.SPEARMAN),
            _ahead(learned, each),
        )
        for domain, (learned, *others) in held_out.items()
        for each in (learned, *others)
    ]
    if len(held_out) == 1:
        return tuple(figures)
    by_metric: dict[str, list[HeldOutMetric]] = {}
    for figure in figures:
        by_metric.setdefault(figure.metric, []).append(figure)
    means = [
        HeldOutMetric(
            "mean of domains",
            metric,
            _mean_figure([each.pearson for each in of_metric]),
            _mean_figure([each.spearman for each in of_metric]),
        )
        for metric, of_metric in by_metric.items()
    ]
    return (*figures, *means)


def _figure(each: HeldOut, coefficient: Coefficient) -> HeldOutFigure:
    mean = _mean(each.correlations[coefficient])
    of_splits = each.correlations[coefficient]
    low, high = (None, None) if mean is None else (float(min(of_splits)), float(max(of_splits)))
    return HeldOutFigure(mean, low, high)


def _ahead(learned: HeldOut, other: HeldOut) -> int | None:
    """In how many splits the learned metric has the higher r."""
    if other is learned:
        return None
    ours, theirs = (np.asarray(each.correlations[Coefficient.PEARSON]) for each in (learned, other))
    return int(np.count_nonzero(ours > theirs))


def _mean_figure(figures: Sequence[HeldOutFigure]) -> HeldOutFigure:
    return HeldOutFigure(_mean([np.nan if each.mean is None else each.mean for each in figures]), None, None)


def _mean(values: Sequence[float]) -> float | None:
    mean = float(np.mean(values))
    return None if np.isnan(mean) else mean
