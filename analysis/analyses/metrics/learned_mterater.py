"""Training MTeRater and MTeRater-Plus on judgments, for commands and pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import CHOOSING, OF_METRICS, ResampledAgainstPeople, resolved
from analysis.analyses.metrics.learned_models import (
    COEFFICIENTS,
    FEATURES,
    LEARNED_SECTIONS,
    giving_features,
    kept,
    left_out_of_training,
)
from analysis.analyses.metrics.scored_judgments import JudgedTexts, ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.arrays import FloatArray
from core.columns import UNKNOWN, Column, Count, Estimated, Number, PValue
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Section
from core.tables import Table
from core.wording import are, counted
from figures.metrics.metrics_people import SIGNIFICANT, shown_p
from metrics import InputError
from metrics.base.evaluation_sets import Need
from metrics.learned.mterater import (
    FOLDS,
    C,
    RankedPairs,
    out_of_fold,
    ranked_pairs,
    tau,
    train,
    variants,
)
from metrics.learned.outputs import (
    ALL_RULES,
    GROUPS,
    OF_OUTPUTS,
    OutputFeatures,
    joined,
    output_features,
    outputs_read,
    scored_features,
)
from metrics.learned.paired import PairedComparison, paired_comparisons, taus
from metrics.learned.saved import MTERATER, ModelCard, SavedModel
from metrics.meta_evaluation import Estimate, MetricsAndPeople, MetricScores
from ranking import PairwiseTau

MTERATER_ALONE, PLUS = "MTeRater", "MTeRater-Plus"


@dataclass(frozen=True, slots=True, kw_only=True)
class MteraterParameters(ResampledAgainstPeople):
    """How MTeRater is trained and tested. Attributes: see the help of each."""

    c: float = parameter(
        C, label="C", help="Penalty of errors against the size of the weights.", minimum=1e-6, maximum=1000
    )
    folds: int = parameter(
        FOLDS,
        label="Folds",
        help="Groups of sentences; each is ordered by a model that has not seen it.",
        minimum=2,
        maximum=20,
    )


@dataclass(frozen=True, slots=True)
class MetricTau:
    """A metric on the judged pairs of sentences that it has not seen.

    Attributes:
        metric: a single metric, or a learned one.
        groups: of features of a learned one; empty for a single metric.
        features: their number.
        pairs: counts, and both rules for ties.
        tau: ties of the metric discordant, with its interval over resampled sentences.
    """

    metric: str
    groups: tuple[str, ...]
    features: int
    pairs: PairwiseTau
    tau: Estimate


@dataclass(frozen=True, slots=True)
class TrainedMterater:
    """A trained MTeRater-Plus with how it and its parts do on sentences that they have not seen.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        not_features: metrics that give no features.
        groups: of features that these data have.
        sentences: with judged pairs.
        pairs: judged pairs that people ordered.
        not_scored: pairs left out, since a feature is missing.
        taus: of single metrics, then of learned ones.
        comparisons: of the learned metrics and the best single one with each other.
        checker: MTeRater-Plus against the same without the checker; None without a checker.
        model: trained on all pairs, without features of documents.
    """

    signature: str
    left_out: tuple[str, ...]
    not_features: tuple[str, ...]
    groups: tuple[str, ...]
    sentences: int
    pairs: int
    not_scored: int
    taus: tuple[MetricTau, ...]
    comparisons: tuple[PairedComparison, ...]
    checker: PairedComparison | None
    model: SavedModel


def train_mterater(
    inputs: ScoredJudgments, parameters: MteraterParameters, progress: Progress
) -> TrainedMterater:
    """Train on all judged pairs, and on folds of sentences to see how far that leads.

    Raises:
        InputError: judgments and scores have nothing in common, or are too few.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared(tie_width=parameters.tie_width or 0.0)
    metrics, others = giving_features(data.metrics)
    metrics = [each for each in metrics if each.sentences is not None]
    texts = inputs.texts() if inputs.texts is not None else None
    features = _features(data, metrics, texts, progress)
    groups = tuple(group for group in GROUPS if any(name.startswith(f"{group}:") for name in features.names))
    pairs = ranked_pairs(data.people.judged, features)
    named = variants(groups)
    single = _leads_of_metrics(features, pairs)
    leads = single | _leads_of_variants(features, pairs, named, parameters, progress)
    progress.begin("Comparing metrics")
    agreed = {name: np.sign(lead) == pairs.outcome for name, lead in leads.items()}
    resampling = {
        "replicates": parameters.replicates,
        "confidence": parameters.confidence,
        "seed": parameters.seed,
    }
    intervals = taus(pairs.sentence, agreed, **resampling)  # type: ignore[arg-type]
    best = max(single, key=lambda name: float(np.mean(agreed[name])), default=None)
    compared = [*named, *([best] if best else [])]
    comparisons = paired_comparisons(
        pairs.sentence,
        {name: agreed[name] for name in compared},
        **resampling,  # type: ignore[arg-type]
    )
    of_metrics = tuple(
        MetricTau(
            name,
            named.get(name, ()),
            len(features.of_groups(named[name]).names) if name in named else 1,
            tau(pairs, lead),
            intervals[name],
        )
        for name, lead in leads.items()
    )
    progress.begin("Training on all sentences")
    return TrainedMterater(
        signature=inputs.signature(stated("learned-mterater", parameters)),
        left_out=inputs.unmatched,
        not_features=others,
        groups=groups,
        sentences=len(pairs.sentences),
        pairs=len(pairs.outcome),
        not_scored=pairs.not_scored,
        taus=of_metrics,
        comparisons=comparisons,
        checker=_about_the_checker(comparisons),
        model=_model(inputs, parameters, features, pairs, metrics, texts, of_metrics),
    )


def _leads_of_metrics(features: OutputFeatures, pairs: RankedPairs) -> dict[str, FloatArray]:
    """By how much each single metric prefers the first output of each pair."""
    return {
        name.partition(": ")[2]: pairs.lead(features.values[:, :, place])
        for place, name in enumerate(features.names)
        if name.startswith("metrics:")
    }


def _leads_of_variants(
    features: OutputFeatures,
    pairs: RankedPairs,
    named: Mapping[str, tuple[str, ...]],
    parameters: MteraterParameters,
    progress: Progress,
) -> dict[str, FloatArray]:
    """By how much each learned metric, trained on other sentences, prefers the first output of each pair."""
    progress.begin("Training on folds of sentences", total=len(named) * parameters.folds)
    return {
        name: out_of_fold(
            features.of_groups(groups),
            pairs,
            folds=parameters.folds,
            c=parameters.c,
            seed=parameters.seed,
            threads=THREADS,
            progress=progress.advance,
        )
        for name, groups in named.items()
    }


def _features(
    data: MetricsAndPeople,
    metrics: Sequence[MetricScores],
    texts: JudgedTexts | None,
    progress: Progress,
) -> OutputFeatures:
    """All groups that metrics and texts allow."""
    parts = [scored_features(metrics, data.systems)] if metrics else []
    if texts is not None:
        there = texts.data.parts
        groups = [
            *(["matching", "text"] if there[Need.REFERENCES] else []),
            *(["checker", "document"] if there[Need.CHECKER] else []),
        ]
        if groups and all(system in texts.outputs for system in data.systems):
            outputs = {system: texts.outputs[system] for system in data.systems}
            judged = data.people.judged_sentences
            total = outputs_read(texts.data, outputs, groups=groups, sentences=judged)
            progress.begin("Reading the outputs", total=total)
            parts.append(
                output_features(
                    texts.data, outputs, groups=groups, sentences=judged, progress=progress.advance
                )
            )
    if not parts:
        raise InputError(
            "nothing gives features: score the systems by metrics that have scores of sentences, or give "
            "their texts"
        )
    return joined(parts)


def _model(
    inputs: ScoredJudgments,
    parameters: MteraterParameters,
    features: OutputFeatures,
    pairs: RankedPairs,
    metrics: Sequence[MetricScores],
    texts: JudgedTexts | None,
    of_metrics: Sequence[MetricTau],
) -> SavedModel:
    """Trained on all pairs with what a metric can know of a single output."""
    own = features.of_groups(OF_OUTPUTS)
    model = train(own, pairs, c=parameters.c)
    groups = tuple(group for group in OF_OUTPUTS if any(name.startswith(f"{group}:") for name in own.names))
    rules = tuple(
        name.removeprefix("checker: ")
        for name in own.names
        if name.startswith("checker: ") and name != f"checker: {ALL_RULES}"
    )
    checker = texts.data.checker.signature if texts and texts.data.checker and "checker" in groups else ""
    card = ModelCard(
        data=f"{len(pairs.outcome):,} judged pairs of outputs of {len(pairs.sentences):,} sentences",
        data_digest=inputs.digest,
        sentences=len(pairs.sentences),
        instances=len(pairs.outcome),
        systems=features.systems,
        settings={
            "C": f"{parameters.c:g}",
            "folds": f"{parameters.folds}, by sentence",
            "seed": str(parameters.seed),
            **({"texts": texts.digest} if texts else {}),
        },
        results=_results(of_metrics),
        signatures=own.signatures,
    )
    return kept(
        MTERATER,
        metrics,
        own.names,
        model.weights,
        model.spread,
        card,
        groups=groups,
        rules=rules,
        checker=checker,
    )


def _results(of_metrics: Sequence[MetricTau]) -> Mapping[str, float]:
    """Taus of the variant whose features the model has, and of the one with all."""
    shown = {}
    for each in of_metrics:
        if each.groups and each.pairs.value is not None:
            if "document" not in each.groups and each.metric in (PLUS, "all without document"):
                shown["τ of these features"] = each.pairs.value
            elif each.metric == PLUS:
                shown["τ with features of documents"] = each.pairs.value
    return shown


def _about_the_checker(comparisons: Sequence[PairedComparison]) -> PairedComparison | None:
    return next(
        (each for each in comparisons if (each.first, each.second) == (PLUS, "all without MTeRater")),
        None,
    )


def _learned_first(computed: Computed) -> list[MetricTau]:
    """The trained models, then learned ones with other features, then single metrics, the best first."""
    models = (PLUS, MTERATER_ALONE)

    def place(each: MetricTau) -> tuple[object, ...]:
        model = models.index(each.metric) if each.metric in models else len(models)
        value = each.pairs.value
        return not each.groups, model, value is None, -(value or 0.0)

    return sorted(computed.result.taus, key=place)


TAUS = Table(
    rows=lambda computed: computed.result.taus,
    page_rows=_learned_first,
    columns=(
        MetricName("metric", "Metric", note=lambda row: "learned" if row.groups else ""),
        Estimated(
            "tau",
            "Kendall",
            heading="Kendall’s τ",
            drawn="Kendall’s τ on held-out sentences",
            is_hollow=lambda row: not row.groups,
        ),
        Number("tau_without_ties", "Ties left out", attrgetter("pairs.without_ties")),
        Count("metric_ties", "Ties", attrgetter("pairs.metric_ties")),
        Count("features", "Features"),
    ),
    caption="Kendall’s tau of single and learned metrics on held-out sentences",
    note="Hollow: single metrics.",
)

COMPARISONS = Table(
    rows=lambda computed: computed.result.comparisons,
    columns=(
        MetricName("first", "First"),
        MetricName("second", "Second"),
        Count("first_only", "First only", attrgetter("mcnemar.first_only")),
        Count("second_only", "Second only", attrgetter("mcnemar.second_only")),
        PValue("mcnemar_p", "McNemar p", attrgetter("mcnemar.p_value")),
        Estimated("difference", "Difference", is_shaded=True),
        PValue("p", "p", attrgetter("clustered_p_value")),
    ),
    caption="Two metrics on the same pairs",
)


class Difference(Column):
    """A difference of taus with the comparison that it is from, whose p-values are the note."""

    css = "number"

    def css_of(self, value: tuple[float, PairedComparison]) -> str:
        """Shaded if it is significant."""
        return f"{self.css} shade-3" if _is_significant(value[1]) else self.css

    def text(self, value: tuple[float, PairedComparison], naming: Naming) -> str:
        """The difference with its sign, and a mark if it is significant."""
        return f"{value[0]:+.3f}{' ✓' if _is_significant(value[1]) else ''}"

    def note_of(self, row: object) -> str:
        """P by McNemar’s test, and over resampled sentences."""
        if (value := self.of(row)) is None:
            return ""
        p_values = value[1].mcnemar.p_value, value[1].clustered_p_value
        return "; ".join(UNKNOWN if p is None else shown_p(p) for p in p_values)


def _is_significant(each: PairedComparison) -> bool:
    return each.clustered_p_value is not None and each.clustered_p_value <= SIGNIFICANT


def _differences(computed: Computed) -> list[list[Any]]:
    """Each compared metric with the differences from all of them, None from itself."""
    of_pairs: dict[tuple[str, str], tuple[float, PairedComparison]] = {}
    for each in computed.result.comparisons:
        difference = each.difference.value or 0.0
        of_pairs[each.first, each.second] = difference, each
        of_pairs[each.second, each.first] = 0.0 - difference, each
    names = list(dict.fromkeys(name for pair in of_pairs for name in pair))
    return [[name, *(of_pairs.get((name, other)) for other in names)] for name in names]


MATRIX = Table(
    rows=_differences,
    columns=lambda computed: (
        MetricName("", "Metric", itemgetter(0)),
        *(
            Difference("", title_of_metric(name), itemgetter(place))
            for place, (name, *_) in enumerate(_differences(computed), start=1)
        ),
    ),
    caption="Differences of tau with p-values, row against column",
    in_files=False,
)


def _single(result: TrainedMterater) -> list[str]:
    return [each.metric for each in result.taus if not each.groups]


def headline(computed: Computed, naming: Naming) -> str:
    """The best metric of held-out sentences, and whether it is better than a single one, in a sentence."""
    result: TrainedMterater = computed.result
    values = {each.metric: each.pairs.value for each in result.taus if each.pairs.value is not None}
    if not values:
        return "No metric orders the judged pairs"
    best = max(values, key=lambda name: values[name])
    is_name = best in (PLUS, MTERATER_ALONE, *_single(result))
    shown = title_of_metric(best) if is_name else f"a model of {best.replace('all', 'all features', 1)}"
    said = f"On held-out sentences, {shown} agrees best with people (τ = {values[best]:.2f})"
    return f"{said}{_beyond_a_single_metric(result, best, values)}"


def _beyond_a_single_metric(result: TrainedMterater, best: str, values: Mapping[str, float]) -> str:
    """Whether the best metric is clearly better than the best single one; nothing if it is that one.

    The best of several learned metrics was chosen by these data, so p is multiplied by their number.
    """
    single = _single(result)
    learned = len(values) - len(single)
    for each in result.comparisons:
        for first, second in ((each.first, each.second), (each.second, each.first)):
            if first == best and second in single:
                p = each.clustered_p_value
                clearly = "clearly" if p is not None and p * learned <= SIGNIFICANT else "but not clearly"
                return f", {clearly} better than {title_of_metric(second)} alone ({values[second]:.2f})"
    return ""


def _what_the_checker_adds(checker: PairedComparison | None) -> str:
    if checker is None or checker.difference.low is None or checker.difference.high is None:
        return ""
    if checker.difference.low > 0:
        return " The grammar checker helps."
    if checker.difference.high < 0:
        return " The grammar checker harms."
    return " There is no evidence that the grammar checker adds anything."


def lead(computed: Computed, naming: Naming) -> str:
    """Which pairs count, and what is left out."""
    result: TrainedMterater = computed.result
    said = (
        f"{counted(result.pairs, 'judged pair')} of different outputs, of "
        f"{counted(result.sentences, 'sentence')}.{_what_the_checker_adds(result.checker)}"
    )
    if result.not_scored:
        pairs = counted(result.not_scored, "pair")
        said += f" {pairs} with a missing feature {are(result.not_scored)} left out."
    return said + left_out_of_training(computed, naming)


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    parameters: MteraterParameters = computed.parameters
    return (
        "MTeRater (Parton et al. 2011) is a linear SVM that learns to order two outputs of a sentence from "
        "the errors that a grammar checker finds in them and in the 20 sentences around them. MTeRater-Plus "
        "adds other metrics, matches of words and stems, and n-grams. The paper’s language-model features "
        "are left out. Learned metrics order each sentence by a model that has learned from the other folds "
        f"({parameters.folds} in all), so no sentence is used for both training and testing. τ is that of "
        "WMT10: ties of people are left out, ties of a metric count as wrong, and are left out in the next "
        f"column. The lines are {round(100 * parameters.confidence)}% intervals over resampled sentences. "
        "The heading calls the best learned metric clearly better if p over resampled sentences, times the "
        f"number of learned metrics (Bonferroni), is at most {SIGNIFICANT}."
    )


LEARNED_MTERATER = register(
    Analysis(
        **OF_METRICS,
        name="learned-mterater",
        title="MTeRater",
        group=Group.METRICS,
        question="Does a metric learned from these judgments agree better with people?",
        defined_in="learned.md#mterater-and-mterater-plus",
        help="A metric of outputs learned from these judgments, tested on sentences that it has not seen.",
        parameters=MteraterParameters,
        result=TrainedMterater,
        compute=train_mterater,
        tables={"taus": TAUS, "matrix": MATRIX, "comparisons": COMPARISONS, "features": FEATURES},
        figures={"coefficients": COEFFICIENTS},
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Differences between metrics",
                text="τ of the row minus that of the column. Below: p of McNemar’s exact test, which treats "
                "pairs as independent and is therefore too small; then p over resampled sentences. Shaded "
                f"and marked ✓: the latter is at most {SIGNIFICANT}. P-values are not corrected for the "
                "number of comparisons.",
                tables=["matrix"],
                is_folded=True,
            ),
            Section(title="Each comparison", tables=["comparisons"], is_folded=True),
            *LEARNED_SECTIONS,
        ),
        explanation=explanation,
        fields=("c", "folds", *CHOOSING),
        template="analysis/learned.html",
        tab="Learned",
        label="MTeRater",
        place=71,
        resolve=resolved,
    )
)
