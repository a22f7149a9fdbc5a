"""Training and testing MTeRater and MTeRater-Plus on judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.analyses.base import stated
from analysis.analyses.metrics.against_people import ResampledAgainstPeople
from analysis.analyses.metrics.learned.learned_models import giving_features, kept
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from core.progress import Progress
from metrics import InputError
from metrics.base.evaluation_sets import Need
from metrics.learned.mterater import FOLDS, C, RankedPairs, out_of_fold, ranked_pairs, tau, train, variants
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
from metrics.meta_evaluation import Estimate, MetricScores
from ranking import PairwiseTau

MOST_PAIRS = 40_000
"""Pairs of outputs, of one better than the other, that are used; of more, sentences are drawn by the seed."""

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
        not_drawn: sentences with further judged pairs, which were not drawn.
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
    not_drawn: int = 0


@dataclass(frozen=True, slots=True)
class TextsRead:
    """What a model card says of texts.

    Attributes:
        digest: of sources, references and outputs; "" without texts.
        checker: signature of their checker; "" without one.
    """

    digest: str = ""
    checker: str = ""


def train_mterater(
    inputs: ScoredJudgments, parameters: MteraterParameters, progress: Progress
) -> TrainedMterater:
    """Train on all judged pairs, and on folds of sentences to see how far that leads.

    Raises:
        InputError: judgments and scores have nothing in common, or are too few.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared(tie_width=parameters.tie_width or 0.0, only_judged=True)
    metrics, others = giving_features(data.metrics)
    metrics = [each for each in metrics if each.sentences is not None]
    systems, ordered = data.systems, ranked_pairs(data.people.judged, len(data.systems))
    del data  # Its pairs need as much memory as texts do.
    drawn = ordered.drawn_sentences(MOST_PAIRS, parameters.seed)
    metrics = [each.on(drawn) for each in metrics]
    features, read = _features(inputs, inputs.judged_sentences[drawn], systems, metrics, progress)
    groups = tuple(group for group in GROUPS if any(name.startswith(f"{group}:") for name in features.names))
    pairs = ordered.of_sentences(drawn).with_features(features)
    named = variants(groups)
    single = _leads_of_metrics(features, pairs)
    leads = single | _leads_of_variants(features, pairs, named, parameters, progress)
    progress.begin("Comparing metrics")
    agreed = {name: lead > 0 for name, lead in leads.items()}
    resampling = {
        "replicates": parameters.replicates,
        "confidence": parameters.confidence,
        "seed": parameters.seed,
    }
    intervals = taus(pairs.sentence, pairs.times, agreed, **resampling)  # type: ignore[arg-type]
    best = max(single, key=lambda name: int(pairs.times[agreed[name]].sum()), default=None)
    compared = [*named, *([best] if best else [])]
    comparisons = paired_comparisons(
        pairs.sentence,
        pairs.times,
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
        pairs=pairs.judgments,
        not_scored=pairs.not_scored,
        taus=of_metrics,
        comparisons=comparisons,
        checker=_about_the_checker(comparisons),
        model=_model(inputs, parameters, features, pairs, metrics, read, of_metrics),
        not_drawn=len(ordered.sentences) - len(drawn),
    )


def _leads_of_metrics(features: OutputFeatures, pairs: RankedPairs) -> dict[str, FloatArray]:
    """By how much each single metric prefers the better output of each pair."""
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
    """By how much each learned metric, trained on other sentences, prefers the better output of each pair."""
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
    inputs: ScoredJudgments,
    sentences: IntArray,
    systems: Sequence[str],
    metrics: Sequence[MetricScores],
    progress: Progress,
) -> tuple[OutputFeatures, TextsRead]:
    """All groups that metrics, on these sentences alone, and texts allow."""
    parts = [scored_features(metrics, systems)] if metrics else []
    read = TextsRead()
    if inputs.texts is not None:
        texts = inputs.texts()
        inputs.step()
        checker = texts.data.checker
        read = TextsRead(texts.digest, checker.signature if checker else "")
        inputs.step()
        groups = [
            *(["matching", "text"] if texts.data.parts[Need.REFERENCES] else []),
            *(["checker", "document"] if checker else []),
        ]
        if groups and all(system in texts.outputs for system in systems):
            outputs = {system: texts.outputs[system] for system in systems}
            total = outputs_read(texts.data, outputs, groups=groups, sentences=sentences)
            progress.begin("Reading the outputs", total=total)
            parts.append(
                output_features(
                    texts.data, outputs, groups=groups, sentences=sentences, progress=progress.advance
                )
            )
    if not parts:
        raise InputError(
            "nothing gives features: score the systems by metrics that have scores of sentences, or give "
            "their texts"
        )
    return joined(parts), read


def _model(
    inputs: ScoredJudgments,
    parameters: MteraterParameters,
    features: OutputFeatures,
    pairs: RankedPairs,
    metrics: Sequence[MetricScores],
    read: TextsRead,
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
    card = ModelCard(
        data=f"{pairs.judgments:,} judged pairs of outputs of {len(pairs.sentences):,} sentences",
        data_digest=inputs.digest,
        sentences=len(pairs.sentences),
        instances=pairs.judgments,
        systems=features.systems,
        settings={
            "C": f"{parameters.c:g}",
            "folds": f"{parameters.folds}, by sentence",
            "seed": str(parameters.seed),
            **({"texts": read.digest} if read.digest else {}),
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
        checker=read.checker if "checker" in groups else "",
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
