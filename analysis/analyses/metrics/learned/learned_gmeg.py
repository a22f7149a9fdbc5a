"""Training GMEG-Metric on judgments, for commands and pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import (
    HUMAN_SCORES,
    OF_METRICS,
    MixturesAgainstPeople,
    mean_human_score,
    resolved_of_mixtures,
    synthetic_systems,
)
from analysis.analyses.metrics.learned.learned_models import (
    COEFFICIENTS,
    FEATURES,
    LEARNED_SECTIONS,
    giving_features,
    kept,
    left_out_of_training,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.columns import Column, Estimated, Number, Text
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed, Section
from core.tables import Table
from metrics.learned.ablation import ablations
from metrics.learned.gmeg import LEARNED, Domain, HeldOut, Settings, corpora, held_out_scores, train
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
        low: lower end of the middle 95 % of the splits.
        high: upper end.
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
    """

    domain: str
    metric: str
    pearson: HeldOutFigure
    spearman: HeldOutFigure


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
        )
        for domain, metrics in held_out.items()
        for each in metrics
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
    low, high = (None, None) if mean is None else each.interval(coefficient)
    return HeldOutFigure(mean, low, high)


def _mean_figure(figures: Sequence[HeldOutFigure]) -> HeldOutFigure:
    return HeldOutFigure(_mean([np.nan if each.mean is None else each.mean for each in figures]), None, None)


def _mean(values: Sequence[float]) -> float | None:
    mean = float(np.mean(values))
    return None if np.isnan(mean) else mean


def _has_domains(computed: Computed) -> bool:
    """Whether there are several domains, and so a mean over them."""
    return len({each.domain for each in computed.result.held_out}) > 1


def _columns_of_held_out(computed: Computed) -> Sequence[Column]:
    several = _has_domains(computed)
    return (
        MetricName("metric", "Metric", note=lambda row: "learned" if row.metric == LEARNED else ""),
        Text("domain", "Domain", on_page=several, on_paper=several),
        Estimated(
            "pearson",
            "Pearson",
            heading="Pearson’s r",
            drawn="Pearson’s r, with the middle 95 % of the splits",
            is_hollow=lambda row: row.metric != LEARNED,
        ),
        Estimated("spearman", "Spearman", heading="Spearman’s ρ"),
    )


def _learned_first(computed: Computed) -> list[HeldOutMetric]:
    """Domain by domain, the learned metric and then the others, those that agree best with people first."""
    held_out: Sequence[HeldOutMetric] = computed.result.held_out
    domains = list(dict.fromkeys(each.domain for each in held_out))
    return sorted(
        held_out,
        key=lambda each: (
            domains.index(each.domain),
            each.metric != LEARNED,
            each.pearson.mean is None,
            -(each.pearson.mean or 0.0),
        ),
    )


HELD_OUT = Table(
    rows=lambda computed: computed.result.held_out,
    page_rows=_learned_first,
    columns=_columns_of_held_out,
    caption="Correlations with people on held-out sentences",
    note="Hollow: single metrics.",
)


def _columns_of_ablation(computed: Computed) -> Sequence[Column]:
    several = _has_domains(computed)
    return (
        Text("left_out", "Left out"),
        Text("domain", "Tested in", on_page=several, on_paper=several),
        Number("seen", "In training"),
        Number("unseen", "Not in training"),
    )


ABLATION = Table(
    rows=lambda computed: computed.result.ablation,
    columns=_columns_of_ablation,
    caption="Pearson’s r with and without a system or a domain in training",
    note=lambda computed, naming: (
        f"Means of {computed.parameters.folds} folds; each holds out a quarter of the sentences, with one "
        "synthetic system of each kind."
    ),
)


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the learned metric leads on held-out sentences, in a sentence."""
    held_out: Sequence[HeldOutMetric] = computed.result.held_out
    means = {
        each.metric: each.pearson.mean
        for each in held_out
        if each.domain == held_out[-1].domain and each.pearson.mean is not None
    }
    learned = means.pop(LEARNED, None)
    if learned is None or not means:
        return "The learned metric cannot be correlated with people on held-out sentences"
    best = max(means, key=lambda name: means[name])
    ours, theirs, title = f"{learned:.2f}", f"{means[best]:.2f}", title_of_metric(best)
    if ours == theirs:
        return f"On held-out sentences, {LEARNED} agrees with people as well as {title} alone (r = {ours})"
    if learned > means[best]:
        return (
            f"On held-out sentences, {LEARNED} agrees better with people (r = {ours}) than the best single "
            f"metric, {title} ({theirs})"
        )
    return (
        f"On held-out sentences, {title} alone agrees better with people (r = {theirs}) than {LEARNED} "
        f"({ours})"
    )


def lead(computed: Computed, naming: Naming) -> str:
    """The judgments and features that the metric was trained on."""
    card: ModelCard = computed.result.model.card
    return (
        f"{card.data}, {len(card.systems)} systems, {card.instances:,} with synthetic ones."
        f"{left_out_of_training(computed, naming)}"
    )


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    of_domains = " of each domain" if _has_domains(computed) else ""
    return (
        "GMEG-Metric (Napoles et al. 2019) is a ridge regression of people’s scores of systems on the "
        "statistics of other metrics, such as precision and recall by type of error. It learns from the "
        "judged systems and from synthetic ones, which take 10 % to 90 % of their sentences from one system "
        f"and the rest from another. In each of {computed.parameters.splits} random splits, half of the "
        f"sentences{of_domains} are held out: the model learns from the other half, and metrics are "
        "correlated with people on the held-out half. Large: the mean; small: the middle 95 % of the splits. "
        "Splits share sentences, so this is not a confidence interval."
    )


def _about_ablation(computed: Computed, naming: Naming) -> str:
    of_domains = " or domains" if _has_domains(computed) else ""
    return (
        "Pearson’s r on what is left out of training, in held-out sentences. A large loss means that the "
        f"model does not carry over to systems{of_domains} like this one."
    )


LEARNED_GMEG = register(
    Analysis(
        **OF_METRICS,
        name="learned-gmeg",
        title="GMEG-Metric",
        group=Group.METRICS,
        question="Does a learned combination of metrics agree better with people?",
        defined_in="learned.md#gmeg-metric",
        help="A metric of systems learned from these judgments, tested on sentences that it has not seen.",
        parameters=GmegParameters,
        result=TrainedGmeg,
        compute=train_gmeg,
        tables={"held-out": HELD_OUT, "ablation": ABLATION, "features": FEATURES},
        figures={"coefficients": COEFFICIENTS},
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title=lambda computed: (
                    f"Leaving out a system{' or a domain' if _has_domains(computed) else ''}"
                ),
                text=_about_ablation,
                tables=["ablation"],
                is_folded=True,
            ),
            *LEARNED_SECTIONS,
        ),
        explanation=explanation,
        fields=("human", "alpha", "standardise", "draws", "with_source", "references", "exclude_systems"),
        template="analysis/learned.html",
        tab="Learned",
        label="GMEG-Metric",
        place=70,
        resolve=resolved_of_mixtures,
    )
)
